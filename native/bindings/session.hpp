#pragma once
#include <Python.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sweep/program/program.hpp"
#include "sweep/program/recording.hpp"
#include "sweep/progress/linear.hpp"

namespace sweep::python {

/// The Python values of one variable (an array's elements share one), by id.
struct Domain {
    PyObject* ids = nullptr;          // dict: value -> id
    PyObject* values = nullptr;       // list: id - base -> value
    std::vector<std::uint8_t> asked;  // id - base -> whether nobody has given this value to the variable, only asked about it
    PyObject* name = nullptr;         // of the variable; borrowed
    Id base = 0;                      // tokens and elements start at 1: 0 is "no token"
    std::vector<std::uint32_t> fields;
    std::int32_t numbers = -1;      // where the measure's numbers for these values are, if it needs any
    std::unique_ptr<Domain> kinds;  // tokens of a timed bag: what they are without their stamps
};

struct PythonVariable {
    PyObject* name = nullptr;  // interned
    enum class Kind { scalar, bag, queue, array } kind = Kind::scalar;
    std::uint32_t field = 0;  // the first one, for arrays
    std::uint32_t length = 0;
    std::int64_t capacity = -1;
    Domain domain;
    PyObject* editor = nullptr;  // handed out again as long as nobody keeps it
};

/// What drafts, views and editors look at: the run in progress. Outlives the engine for whoever kept one of them.
struct Session {
    Program program;
    Recording* run = nullptr;
    std::vector<PythonVariable> variables;
    LinearMeasure linear;
    std::int64_t most_number = 0;  // the numbers up to this one, and down to minus this one, can be summed up
    bool uncountable = false;      // a value turned up that the measure cannot count with
    std::uint64_t generation = 0;  // of the run in progress; 0 between runs
    std::uint64_t runs = 0;
    bool read_only = false;
    PyObject* disabled = nullptr;  // the exception that ends a disabled run
    PyObject* closed = nullptr;    // callable that gives the error for a draft used after its run
    PyObject* unfit = nullptr;     // callable that says why a value cannot be part of a state, or None
    PyObject* settled = nullptr;   // callable that gives a value as it is kept: equal sets in one order
    PyObject* alike = nullptr;     // callable that tells whether equal values are the same in every respect
    PyObject* unlike = nullptr;    // callable that gives the error for a variable with equal values that are not
    PyObject* crowded = nullptr;   // callable that gives the error for a bag with more tokens than can be counted here
    PyObject* missing = nullptr;   // callable that gives the error for a variable that is not declared
    PyObject* bag = nullptr;       // the value classes
    PyObject* queue = nullptr;
    PyObject* array = nullptr;
    PyObject* stamped = nullptr;  // the class of tokens with stamps
    PyObject* offered = nullptr;  // the alternatives of the last choice, and their hash: offered again, they are not hashed again
    Py_hash_t offered_hash = 0;
    std::int64_t references = 1;

    void retain() { ++references; }
    void release();
    /// The id of a value, handed out when it is new; false with a Python error set when it cannot be part of a state. Equal
    /// values have one id. What an action gives to the variable must be alike; what it only asks about need not be.
    bool intern(Domain& domain, PyObject* value, Id& id, bool asked = false);
    PyObject* as_kept(PyObject* value);                  // owned
    PyObject* value(const Domain& domain, Id id) const;  // borrowed
    /// The token of a timed bag with a kind and a stamp, and the value of the clock after a while; 0 with an error set.
    bool make_stamped(std::uint32_t bag, Id kind, std::int64_t wait, Id& id);
    bool make_later(Id clock, std::int64_t passed, Id& id);
    PyObject* materialise(PythonVariable& variable);
    PyObject* unpack(const Unpacked& state);
    bool pack(PyObject* state, Unpacked& unpacked);
    /// Set the error that one of the callables above gives.
    void raise(PyObject* error, PyObject* name, PyObject* first = nullptr, PyObject* second = nullptr);
    /// Note the number that a value is, for the measure. Whether it is one is asked when a run is over: the function that made it is
    /// not to notice.
    void count_with(const Domain& domain, PyObject* value, std::size_t position);

private:
    bool are_alike(PyObject* one, PyObject* other);
};

/// Create the Python types of drafts and editors; once.
bool ready_types();
/// A draft (or view) of the state of the run in progress, and the object that `choose` talks to.
PyObject* new_draft(Session* session);
PyObject* new_chooser(Session* session);
/// The value of an editor; anything else is returned as it is.
PyObject* materialised(PyObject* object);
void renew(PyObject* draft);

}  // namespace sweep::python
