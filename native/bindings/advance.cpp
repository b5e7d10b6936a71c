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
    const nb::object kept = nb::steal(PyErr_Occurred() ? nullptr : domains_.fit(value));
    if (!kept.is_valid()) return give_up();
    id = NewValue::first + static_cast<Id>(values.size());
    values.push_back({&domain, nb::borrow(value), kept});
    return true;
}

}  // namespace sweep::python
