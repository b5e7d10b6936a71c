#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "domains.hpp"
#include "sweep/explore/exploration.hpp"

namespace sweep::python {

/// An action: a function with its family parameters, ready to be called; or a synchronisation, or a transition that counts tokens, which
/// need no Python.
struct ActionFunction {
    nb::object function;
    nb::object names;                   // tuple of keyword names, or nothing
    std::vector<nb::object> arguments;  // their values
    std::unique_ptr<Synchronisation> synchronisation;
    std::unique_ptr<CountTransition> transition;
};

/// A predicate: a function, or a formula, which needs no Python.
struct Predicate {
    nb::object function;
    std::unique_ptr<Formula> formula;
};

/// A part of a product measure: a function, or a table that is known in advance.
struct MeasurePart {
    struct Table {
        std::uint32_t field;
        std::vector<std::uint32_t> values;  // per value of the scalar
        std::vector<std::string> above;     // per value: bits of those it is at most; none: as numbers are ordered
    };
    nb::object function;
    std::unique_ptr<Table> table;
    bool monotone = false, total = true;
};

/// What is to be explored, as `sweepcheck.engines.native.records.Description` says it.
struct Description {
    std::vector<ActionFunction> actions;
    std::vector<Predicate> predicates;
    nb::object divide = nb::none();                           // gives the parts of one of them
    std::vector<nb::object> tally_functions;                  // one for each of the tallies,
    std::vector<std::unique_ptr<TokenNumber>> token_numbers;  // which may be a number of tokens and need no Python
    std::vector<Tally> tallies;
    std::vector<Question> questions;
    nb::object measure;  // None where there is none, or one in parts
    std::vector<MeasurePart> parts;
    std::size_t summands = 0;                // functions that a measure which is a sum adds up
    std::vector<nb::object> keys, checks;    // where states are equivalent: the parts of their key, and what they must answer alike
    std::vector<std::uint32_t> compared;     // likewise, positions of predicates
    std::vector<std::uint32_t> families;     // per action: those of one family are one action
    std::vector<std::int32_t> priorities;    // per action, where these decide which of those enabled occur
    std::int32_t when = -1;                  // of a cut-off: the position of its predicate
    std::vector<std::uint32_t> constraints;  // positions of predicates that explored states satisfy
    std::optional<std::uint64_t> depth;      // how many steps are explored
    std::vector<nb::object> steps;           // predicates about both ends of a step,
    std::vector<std::uint8_t> by_action;     // and for each whether it depends on the action too
    std::vector<Awaited> awaited;
    std::vector<Tape> tapes;
    std::vector<Recurrence> recurrences;
    std::vector<Reader> readers;
    std::vector<Tree> trees;
    Symmetry symmetry;                        // by which states are equivalent; the ways in which
    std::vector<nb::object> namings;          // values name members,
    std::vector<std::uint32_t> named_values;  // and for each a field that has such values
    nb::object initial;                       // states

    /// The program gets everything but Python; so does, of what is asked, the exploration.
    void hand_over(Program& program);
    void hand_over(Exploration& exploration, const Domains& domains) const;
    /// The functions that are run again and again.
    nb::list functions() const;
    /// A function that only reads.
    const nb::object& reader(FunctionId id, const Domains& domains) const;
    /// Let go of every function.
    void close();
};

/// Read a description; its variables and their values become those of `domains`.
Description describe(nb::handle given, Domains& domains);

/// The enumerations and settings that a description is made with.
void bind_description(nb::module_& m);

}  // namespace sweep::python
