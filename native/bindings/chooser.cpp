// The object that choose() and stay() talk to: open while an action runs, and at no other time.
#include "editor.hpp"

namespace sweep::python {

namespace {

bool is_acting(PyObject* object, const char* otherwise) {
    const auto* self = reinterpret_cast<RunObject*>(object);
    if (self->generation == self->session->generation && self->generation != 0) return true;
    PyErr_SetString(PyExc_RuntimeError, otherwise);
    return false;
}

PyObject* pick(PyObject* object, PyObject* const* arguments, Py_ssize_t count) {
    if (!is_acting(object, "choose() outside an action")) return nullptr;
    Session* session = reinterpret_cast<RunObject*>(object)->session;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "_pick(alternatives, name)");
        return nullptr;
    }
    const Py_ssize_t alternatives = PyTuple_Size(arguments[0]);
    if (alternatives < 0) return nullptr;
    if (alternatives == 0) return raise_disabled(session);
    // The same answers must lead to the same alternatives: their hash is part of the question.
    if (session->offered.ptr() != arguments[0]) {
        const Py_hash_t hash = PyObject_Hash(arguments[0]);
        if (hash == -1) return nullptr;
        session->offered = nb::borrow(arguments[0]);
        session->offered_hash = hash;
    }
    const auto digest = static_cast<std::uint32_t>(session->offered_hash);
    const std::uint32_t chosen = session->run->choose(static_cast<std::uint32_t>(alternatives), digest);
    if (chosen < alternatives) return Py_XNewRef(PyTuple_GetItem(arguments[0], chosen));
    PyErr_SetString(PyExc_RuntimeError, "fewer alternatives than before");
    return nullptr;
}

PyObject* touch(PyObject* object, PyObject*) {
    if (!is_acting(object, "stay() outside an action")) return nullptr;
    reinterpret_cast<RunObject*>(object)->session->run->touch();
    Py_RETURN_NONE;
}

PyObject* run(PyObject* object, PyObject*) {
    return PyLong_FromUnsignedLongLong(reinterpret_cast<RunObject*>(object)->session->generation);
}

PyMethodDef methods[] = {{"_pick", as_method(pick), METH_FASTCALL, "One of the alternatives."},
                         {"_touch", touch, METH_NOARGS, "Make this run an edge."},
                         {"_run", run, METH_NOARGS, "The number of the run."},
                         {nullptr, nullptr, 0, nullptr}};

}  // namespace

void ready_chooser() { types.chooser = make_type("sweepcheck._core.Chooser", sizeof(RunObject), {{Py_tp_methods, methods}}); }

}  // namespace sweep::python
