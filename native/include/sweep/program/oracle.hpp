#pragma once
#include <cstdint>
#include <memory>
#include <stdexcept>

#include "sweep/program/formula.hpp"
#include "sweep/program/function.hpp"
#include "sweep/program/recording.hpp"
#include "sweep/program/rehearsal.hpp"
#include "sweep/state/symmetry.hpp"

namespace sweep {

/// Whoever knows what the functions of the model do: asked only for what no table holds yet.
class Functions {
public:
    virtual ~Functions() = default;
    /// Run an action once, recording what it asks and does; false when it is disabled.
    virtual bool act(std::uint32_t action, Recording& recording) = 0;
    /// Whether an action may notice that a number in question is none, without looking at it.
    virtual bool may_notice(std::uint32_t /*action*/) { return false; }
    /// Whether it may go on after something failed that does not fail with a text, but with one in question.
    virtual bool may_catch(std::uint32_t /*action*/) { return false; }
    /// The value of another function, by number: of predicates 0 or 1, of the measure a layer.
    /// Values of a summand have numbers of their own.
    virtual std::uint32_t evaluate(FunctionId function, Recording& recording) = 0;
    /// Whether a predicate about both ends of a step, one of those, holds of a step by an action.
    virtual bool holds_in_step(std::uint32_t /*predicate*/, std::uint32_t /*action*/, Recording& /*old*/, Recording& /*next*/) {
        return true;
    }
    /// A predicate as a formula of parts, each of which looks at less: so many new predicates, which come after all others. No formula:
    /// it is one thing.
    struct Parts {
        std::unique_ptr<Formula> formula;
        std::uint32_t count = 0;
    };
    virtual Parts divide(std::uint32_t /*predicate*/) { return {}; }
    /// A scalar is to hold a number that is none of its values yet: it becomes one.
    virtual void meet_number(std::uint32_t variable, std::int64_t number) = 0;
    /// A scalar of texts has a value that is none: numbers are whole numbers from now on.
    virtual void forget_texts(std::uint32_t /*variable*/) {}
    /// Who runs functions before their turn; nobody, where only one thread may run them or there is only one.
    virtual Rehearsals* rehearsals() { return nullptr; }
};

/// Whoever knows the tokens and clocks of models with time.
class Time {
public:
    virtual ~Time() = default;
    /// The token of a timed bag with a kind and a stamp.
    virtual Id stamped(std::uint32_t bag, Id kind, std::int64_t wait) = 0;
    /// The value of the clock after a while.
    virtual Id later(Id clock, std::int64_t passed) = 0;
    /// Its value when no time has passed.
    virtual Id beginning() = 0;
};

/// Whoever knows what the values of variables say of the members of symmetric sets, in one of several ways.
class Names {
public:
    virtual ~Names() = default;
    /// The members that a value names, each once.
    virtual std::vector<Symmetry::Member> named(std::uint32_t naming, Id value) = 0;
    /// The value when these are called otherwise: their new positions.
    virtual Id renamed(std::uint32_t naming, Id value, const std::vector<std::uint32_t>& to) = 0;
    /// A number for the value in which these are known by marks: the same for all values that differ in names alone.
    virtual std::uint32_t masked(std::uint32_t naming, Id value, const std::vector<std::uint32_t>& marks) = 0;
    /// The id that a value of one field has in another.
    virtual Id translated(std::uint32_t from, std::uint32_t to, Id value) = 0;
};

/// A function that got numbers in question did not do what it does with numbers: it has to look at them.
struct Incomparable : std::runtime_error {
    explicit Incomparable(FunctionId asked) : std::runtime_error("incomparable"), function(asked) {}
    FunctionId function;
};

/// A function did not ask, or do, the same after the same answers.
struct Impure : std::runtime_error {
    Impure(FunctionId asked, Unpacked met) : std::runtime_error("impure"), function(asked), state(std::move(met)) {}
    FunctionId function;
    Unpacked state;
};

/// Two states of one class that a function of the model tells apart.
struct Disagreement : std::runtime_error {
    Disagreement(FunctionId asked, Unpacked first, Unpacked second)
        : std::runtime_error("disagreement"), function(asked), known(std::move(first)), met(std::move(second)) {}
    FunctionId function;
    Unpacked known, met;
};

}  // namespace sweep
