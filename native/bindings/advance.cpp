#include "advance.hpp"

namespace sweep::python {

bool Advance::give_up() {
    given_up = true;
    PyErr_SetString(PyExc_RuntimeError, "this cannot be said before its turn");
    return false;
}

bool Advance::intern(Domain& domain, PyObject* value, Id& id) {
    if (PyObject* const known = PyDict_GetItemWithError(domain.ids.ptr(), value)) {
        id = static_cast<Id>(PyLong_AsUnsignedLong(known));
        const bool only_asked = domain.asked[id - domain.base] != 0;
        return (!only_asked && domains_.are_alike(domains_.value(domain, id), value)) || give_up();
    }
    nb::object made = PyErr_Occurred() ? nb::object() : kept(value);
    if (!made.is_valid()) return give_up();
    id = NewValue::first + static_cast<Id>(values.size());
    values.push_back({&domain, std::move(made)});
    return true;
}

/// A new value as it is kept; nothing where it cannot be. Several runs mostly come to the same, and one of them finds that out.
nb::object Advance::kept(PyObject* value) {
    if (PyLong_CheckExact(value)) return nb::borrow(value);
    nb::object known = nb::steal(PyObject_CallMethod(fit_.ptr(), "get", "(O)", value));
    if (!known.is_valid()) return {};
    if (!known.is_none()) return domains_.are_alike(known.ptr(), value) ? known : nb::object();
    nb::object made = nb::steal(domains_.fit(value));
    if (made.is_valid() && PyDict_SetItem(fit_.ptr(), made.ptr(), made.ptr()) != 0) return {};
    return made;
}

}  // namespace sweep::python
