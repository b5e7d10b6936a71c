#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "sweep/program/program.hpp"
#include "sweep/progress/linear.hpp"

namespace sweep::python {

namespace nb = nanobind;

/// The Python that values and errors are made with, whatever the model.
struct Vocabulary {
    explicit Vocabulary(nb::handle given);

    nb::object bag, set, queue, array;  // the value classes
    nb::object bag_of, set_of;          // make a bag or set from tokens and their counts, which are in order
    nb::object sort_key;                // puts values into the fixed order
    nb::object disabled;                // the exception that ends a disabled run
    nb::object nonlinear;               // the exception for a value that a measure which is a sum cannot count with
    nb::object unfit;                   // says why a value cannot be part of a state, or None
    nb::object settled;                 // gives a value as it is kept: equal sets in one order
    nb::object alike;                   // tells whether equal values are the same in every respect
    nb::object may_notice;              // tells whether a function may notice that a number in question is no int
    nb::object may_catch;               // and whether it may go on after an exception
    nb::object asks_one;                // and whether a condition may be asked of one token alone
    nb::object state_text;              // writes a draft or view on one line
    nb::object context;                 // a copy of the present context, in which functions find another chooser
    nb::object look;                    // does nothing; what was raised in this thread, by signals or other threads, comes up there
    nb::object outsides;                // what functions have from outside
    // These give the error for
    nb::object closed;   // a draft used after its run,
    nb::object missing;  // a variable that is not declared,
    nb::object unlike;   // a variable with equal values that are not alike,
    nb::object crowded;  // a bag with more tokens than can be counted here.
};

/// The Python values of one variable (an array's elements share one), by id.
struct Domain {
    nb::dict ids;                     // value -> id
    nb::list values;                  // id - base -> value
    mutable nb::object sort_keys;     // a list: id - base -> what puts the value into its place, or None; none before one is needed
    std::vector<std::uint8_t> asked;  // id - base -> whether nobody has given this value to the variable, only asked about it
    nb::object name;                  // of the variable
    Id base = 0;                      // tokens and elements start at 1: 0 is "no token"
    std::vector<std::uint32_t> fields;
    std::int32_t numbers = -1;      // where the measure's numbers for these values are, if it needs any
    std::int32_t whole = -1;        // where in the schema the numbers are that these values may be; -1: nowhere
    std::unique_ptr<Domain> kinds;  // tokens of a timed bag: what they are without their stamps
};

/// A summand of the measure that has a table: its function, and the values it gave, by number.
struct Summand {
    nb::object function;
    nb::dict ids;
    nb::list values;
    std::size_t numbers;  // where they are as the measure's numbers
};

enum class VariableKind : std::uint8_t { scalar, clock, bag, timed, set, queue, array };

struct PythonVariable {
    nb::object name;  // interned
    VariableKind kind = VariableKind::scalar;
    std::uint32_t field = 0;  // the first one, for arrays
    std::uint32_t length = 0;
    std::int64_t capacity = -1;
    Domain domain;
    nb::object stamped;  // of a timed bag: makes a token with a stamp

    bool is_scalar() const { return kind <= VariableKind::clock; }
    bool is_bag() const { return kind == VariableKind::bag || kind == VariableKind::timed || kind == VariableKind::set; }
};

/// The Python side of a model: its variables and their values.
class Domains {
public:
    explicit Domains(nb::handle vocabulary) : words(vocabulary) {}

    const Vocabulary words;
    Program program;
    std::vector<PythonVariable> variables;
    nb::dict positions;  // of the variables, by name
    nb::dict texts;      // numbers of texts that some scalar was, or was compared with
    LinearMeasure linear;
    std::vector<Summand> summands;
    bool settled = false;      // during a run that compares numbers: it must give no values that are new
    bool uncountable = false;  // a value turned up that the measure cannot count with

    /// One more variable: `sweepcheck.core.tabulated.Variable`.
    void add(nb::handle variable, VariableKind kind);
    /// One more, of which there is nothing to say but its name. Nets have thousands.
    void add_named(nb::handle name, VariableKind kind);
    /// The variable that a field of the schema belongs to.
    const PythonVariable& holding(std::uint32_t field) const;
    /// The measure is `sweepcheck.engines.native.linear.LinearMeasure`.
    void set_linear(nb::handle measure);

    /// The id of a value, handed out when it is new; false with a Python error set when it cannot be part of a state. Equal
    /// values have one id. What an action gives to the variable must be alike; what it only asks about need not be.
    bool intern(Domain& domain, PyObject* value, Id& id, bool asked = false) { return intern(domain, value, id, asked, false); }
    /// The same of a value that is given, and is as it is kept.
    bool intern_kept(Domain& domain, PyObject* value, Id& id) { return intern(domain, value, id, false, true); }
    /// A value as it is kept; nothing, with a Python error set, when it cannot be part of a state. Owned.
    PyObject* fit(PyObject* value) const;
    /// Whether two equal values are alike; false with an error set when a function of the user's raised one.
    bool are_alike(PyObject* one, PyObject* other) const;
    PyObject* value(const Domain& domain, Id id) const {  // borrowed
        return PyList_GetItem(domain.values.ptr(), static_cast<Py_ssize_t>(id - domain.base));
    }
    /// What puts a value into its place in the fixed order; nothing, with a Python error set, where that fails.
    PyObject* sort_key(const Domain& domain, Id id) const;  // borrowed
    /// The token of a timed bag with a kind and a stamp, and the value of the clock after a while.
    Id stamped(std::uint32_t bag, Id kind, std::int64_t wait);
    Id later(Id clock, std::int64_t passed);
    Id beginning();
    /// The values of the variable that a field belongs to.
    Domain& domain(std::uint32_t field);
    /// The number of a value that a summand gave.
    std::uint32_t count(std::uint32_t summand, nb::handle value);
    /// Not all values of a scalar are texts any more: those that are whole numbers have numbers then, and texts have none.
    void forget_texts(std::uint32_t field);
    /// The number of a text, which it keeps.
    std::int64_t text_number(PyObject* text);
    /// A scalar, or element of an array, is to hold a number that is none of its values yet.
    void meet_number(std::uint32_t field, std::int64_t number);
    /// Give up when a value turned up that the measure cannot count with: the measure has to be asked then.
    void check_countable() const;

private:
    void add(PythonVariable variable);
    Id time(const nb::object& at);
    bool intern(Domain& domain, PyObject* value, Id& id, bool asked, bool is_kept);
    bool admit(Domain& domain, PyObject* value, Id& id, bool asked, bool is_kept);
    bool is_fit(PyObject* value) const;
    PyObject* as_kept(PyObject* value) const;  // owned
    void give_numbers(Domain& domain);
    std::int64_t number_of(const Domain& domain, PyObject* value);
    std::uint32_t add_numbers();
    void add_term(LinearMeasure::Component& component, nb::handle term);
    std::vector<LinearMeasure::Component> sums(nb::handle given);
    /// Note the number that a value is: to compare it, and for the measure. Whether that can count with it is asked when a run is
    /// over: the function that made it is not to notice.
    void note_number(Domain& domain, PyObject* value, std::size_t position);
    void count_with(const Domain& domain, PyObject* value, std::size_t position);
    std::int64_t counted(PyObject* value);

    std::int64_t most_number_ = 0;  // the numbers up to this one, and down to minus this one, can be summed up
};

/// Set the error that one of the vocabulary's callables gives.
void raise(const nb::object& error, PyObject* name, PyObject* first = nullptr, PyObject* second = nullptr);

}  // namespace sweep::python
