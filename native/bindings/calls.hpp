#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "description.hpp"
#include "rehearsals.hpp"
#include "session.hpp"
#include "sweep/explore/watcher.hpp"
#include "sweep/program/interpreter.hpp"

namespace sweep::python {

/// Why a run broke off.
struct Failure {
    /// raised: a function raised an error, or gave what it may not give. impure: it did something else when it was run again.
    /// regress: a step went back. crowded: a bag holds more tokens than can be counted. disagreement: two states of one class answer
    /// something differently. damaged: the file of a run that was to go on is not what was written. unwritten: the disk
    /// has no room for states that memory has none for.
    enum class Kind { raised, impure, regress, crowded, disagreement, damaged, unwritten } kind = Kind::raised;
    enum class Of { action, predicate, function, measure, key, check, step } of = Of::action;  // raised, impure: which function
    std::uint32_t index = 0;                                                                   // and which of these
    nb::object state = nb::none();                                                             // where it was run, or the step began
    nb::object error = nb::none();                                                             // raised: the exception, if there was one
    nb::object successor = nb::none();  // regress, raised about a step: where it led; disagreement: the other state
    nb::object bag = nb::none();        // crowded: its name
    std::string why;                    // damaged: what is wrong with the file of a run that was to go on; unwritten: with the disk
};

/// Leaves the engine; what happened is kept beside, as Python objects must not travel without the interpreter lock.
struct BrokenOff : std::exception {};

/// The engine's questions answered in Python. The engine runs without the interpreter lock; it is taken here and nowhere else.
class PythonFunctions final : public Oracle, public Interpreter {
public:
    /// `answers` is `sweepcheck.engines.native.exploration.Exploration`: asked about progress values and told of events.
    PythonFunctions(Session& session, Description& description, nb::handle answers);
    /// Let go of every Python object: `answers` refer back to whoever holds this one.
    void close();

    /// A run begins: whether several threads may run functions, and from when on.
    void rehearse_with(const Sharing& sharing);
    /// It has ended: so do the threads.
    void end_rehearsals() { rehearsals_.reset(); }
    Rehearsals* rehearsals() override { return rehearsals_.get(); }
    void take_hold() override { held_.emplace(); }
    void let_go() override { held_.reset(); }
    bool act(std::uint32_t action, Recording& run) override;
    bool may_notice(std::uint32_t action) override;
    bool may_catch(std::uint32_t action) override;
    Parts divide(std::uint32_t predicate) override;
    std::uint32_t evaluate(FunctionId function, Recording& run) override;
    bool holds_in_step(std::uint32_t predicate, std::uint32_t action, Recording& old, Recording& next) override;
    void meet_number(std::uint32_t variable, std::int64_t number) override;
    void forget_texts(std::uint32_t variable) override;
    Id stamped(std::uint32_t bag, Id kind, std::int64_t wait) override;
    Id later(Id clock, std::int64_t passed) override;
    Id beginning() override;
    std::vector<Symmetry::Member> named(std::uint32_t naming, Id value) override;
    Id renamed(std::uint32_t naming, Id value, const std::vector<std::uint32_t>& to) override;
    std::uint32_t masked(std::uint32_t naming, Id value, const std::vector<std::uint32_t>& marks) override;
    Id translated(std::uint32_t from, std::uint32_t to, Id value) override;
    bool leq(std::uint32_t part, std::uint32_t one, std::uint32_t other) override;
    Place minimal(const std::vector<Place>& layers) override;
    bool tick() override;
    void collected(Place current, std::uint64_t before) override;
    void save() override;
    void resumed() override;
    void verify(const Word* state, const std::vector<const Word*>& successors) override;

    /// What the core found out about the model, as a failure; of a disorder, the error that Python has for it is raised.
    Failure told(const Impure& met) const;
    Failure told(const Regress& met) const;
    Failure told(const Disagreement& met) const;
    [[noreturn]] void tell(const Disorder& met) const;
    nb::object chooser() const { return chooser_; }
    const Failure& failure() const { return failure_; }

private:
    bool holds(std::uint32_t predicate, Recording& run);
    std::uint32_t tallied(std::uint32_t tally, Recording& run);
    /// What the measure, or a part of it, comes to: the number of its value.
    std::uint32_t measured(FunctionId id, Recording& run);
    std::uint32_t added_up(std::uint32_t summand, Recording& run);
    /// What a part of the key of a class comes to: the number of its value.
    std::uint32_t classed(std::uint32_t part, Recording& run);
    std::uint32_t checked(std::uint32_t check, Recording& run);
    /// The value of a function that only reads.
    nb::object value_of(FunctionId id, Recording& run);
    const Rehearsed* take_over(FunctionId id, Recording& run);
    PyObject* invoke(const nb::object& function, nb::object& state, PyObject** arguments, PyObject* names, Recording& run);
    void end_run() {
        session_.generation = 0;
        session_.domains.settled = false;
    }
    /// A function that fails with numbers in question is run on plain ones, where it may not.
    void give_up_comparing(FunctionId id, const Recording& run);
    [[noreturn]] void fail(Failure::Of of, std::uint32_t index, const Word* state);
    void show(nb::object& view, Recording& run);
    nb::object python(const Word* state) const;
    /// The values that name members in one of the ways.
    Domain& domain_of(std::uint32_t naming) const;

    Session& session_;
    Description& description_;
    std::unique_ptr<PythonRehearsals> rehearsals_;
    std::vector<std::vector<PyObject*>> arguments_;  // per action: two places for the call, then borrowed from the description
    nb::object draft_, view_, chooser_;
    nb::object old_, next_;  // views of both ends of a step
    nb::object place_, leq_, minimal_, disorder_, number_, key_, tick_, verify_, collected_, save_, resumed_;
    Failure failure_;
    std::optional<nb::gil_scoped_acquire> held_;       // while many functions are run one after the other
    std::map<std::pair<Id, std::int64_t>, Id> later_;  // values of the clock met after so long
    std::optional<Id> beginning_;                      // and its first one, once it was asked for
};

}  // namespace sweep::python
