#pragma once
#include <nanobind/nanobind.h>

#include <utility>
#include <vector>

#include "domains.hpp"

namespace sweep::python {

/// A value that no variable is known to have. In a run before its turn it has a number of its own: those that variables know are given
/// out in turn.
struct NewValue {
    Domain* domain;
    nb::object value;  // as it is kept

    static constexpr Id first = Id{1} << 31;  // no variable has so many
    static bool is(Id id) { return id >= first; }
};

/// What a run before its turn does that cannot be written down as in turn: it meets new values, or asks what cannot be said yet. The
/// values that variables have do not change meanwhile.
class Advance {
public:
    /// `fit`: new values that are known to be fit, and how they are kept; for all who run functions at this time.
    Advance(Domains& domains, nb::dict fit) : domains_(domains), fit_(std::move(fit)) {}
    void begin() {
        values.clear();
        given_up = false;
    }
    /// The number of a value that is given to a scalar; false with a Python error set when that cannot be said.
    bool intern(Domain& domain, PyObject* value, Id& id);
    /// Set an error. What the function makes of it does not matter: the run is not kept.
    bool give_up();

    std::vector<NewValue> values;
    bool given_up = false;

private:
    nb::object kept(PyObject* value);

    Domains& domains_;
    nb::dict fit_;
};

}  // namespace sweep::python
