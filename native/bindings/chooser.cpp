// The object that choose() and stay() talk to: open while an action runs, and at no other time.
#include <algorithm>
#include <optional>

#include "editor.hpp"
#include "number.hpp"

namespace sweep::python {

namespace {

bool is_acting(PyObject* object, const char* otherwise) {
    const auto* self = reinterpret_cast<RunObject*>(object);
    if (self->generation == self->session->generation && self->generation != 0) return true;
    PyErr_SetString(PyExc_RuntimeError, otherwise);
    return false;
}

constexpr std::size_t most_offers = 64;  // kept: each may be large

/// Whether a value is surely alike to another: the same object, an equal number or text, or a tuple or set of such. Sets that were made in
/// the same way have their elements in the same order; others are looked at by Python.
bool is_alike(PyObject* one, PyObject* other) {
    if (one == other) return true;
    if (Py_TYPE(one) != Py_TYPE(other)) return false;
    if (PyLong_CheckExact(one) || PyUnicode_CheckExact(one)) return PyObject_RichCompareBool(one, other, Py_EQ) == 1;
    if (PyTuple_CheckExact(one)) {
        const Py_ssize_t count = PyTuple_Size(one);
        bool alike = PyTuple_Size(other) == count;
        for (Py_ssize_t i = 0; alike && i < count; ++i) alike = is_alike(PyTuple_GetItem(one, i), PyTuple_GetItem(other, i));
        return alike;
    }
    if (!PyFrozenSet_CheckExact(one) || PySet_Size(one) != PySet_Size(other)) return false;
    const nb::object mine = nb::steal(PyObject_GetIter(one)), theirs = nb::steal(PyObject_GetIter(other));
    for (;;) {
        const nb::object first = nb::steal(PyIter_Next(mine.ptr())), second = nb::steal(PyIter_Next(theirs.ptr()));
        if (!first.is_valid() || !second.is_valid()) return !first.is_valid() && !second.is_valid();
        if (!is_alike(first.ptr(), second.ptr())) return false;
    }
}

/// Whether a list or tuple has, one by one, the alternatives that were found distinct the last time.
bool has_elements(PyObject* offered, PyObject* found) {
    const Py_ssize_t count = PyTuple_Size(found);
    const bool is_list = PyList_CheckExact(offered);
    if ((is_list ? PyList_Size(offered) : PyTuple_Size(offered)) != count) return false;
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!is_alike(is_list ? PyList_GetItem(offered, i) : PyTuple_GetItem(offered, i), PyTuple_GetItem(found, i))) return false;
    return true;
}

/// Whether the same alternatives are offered as the last time.
bool is_same(const Offer& last, PyObject* offered, std::uint64_t run) {
    PyObject* before = last.offered.ptr();
    if (!before || Py_TYPE(before) != Py_TYPE(offered)) return false;
    if (Py_TYPE(offered) == &PyRange_Type) return PyObject_RichCompareBool(before, offered, Py_EQ) == 1;
    if (before == offered && !PyList_CheckExact(offered)) return true;
    // A list of the run's own may have changed since; one that another run offered too lies outside.
    if (before == offered && last.run != run && PyList_Size(offered) == last.length) return true;
    return (PyList_CheckExact(offered) || PyTuple_CheckExact(offered)) && has_elements(offered, last.found.ptr());
}

/// What the alternatives are as numbers, if they are at one distance from each other.
Progression progression_of(PyObject* found) {
    const auto number = [&](Py_ssize_t position) {
        PyObject* one = PyTuple_GetItem(found, position);
        int overflow = 0;
        const long long value = PyLong_CheckExact(one) ? PyLong_AsLongLongAndOverflow(one, &overflow) : Numbers::none;
        return overflow || value > Numbers::most || value < -Numbers::most ? Numbers::none : std::int64_t{value};
    };
    const Py_ssize_t count = PyTuple_Size(found);
    if (count == 0 || number(0) == Numbers::none) return {};
    Progression result{number(0), 0};
    for (Py_ssize_t i = 1; i < count; ++i) {
        const std::int64_t here = number(i);
        if (here == Numbers::none) return {};
        if (i == 1) result.step = here - result.first;
        if (here != result.at(static_cast<std::uint32_t>(i))) return {};
    }
    return result;
}

/// The distinct ones among the alternatives, by a function of Python's. All runs of an action offer all alternatives, and to look
/// at each of a hundred thousand a hundred thousand times would take hours: those of last time are recognised.
const Offer* distinct(Session* session, PyObject* offered, PyObject* function) {
    if (session->choosing != session->generation) {
        session->choosing = session->generation;
        session->choices = 0;
    }
    const std::size_t position = std::min(session->choices++, most_offers - 1);
    if (session->offers.size() <= position) session->offers.resize(position + 1);
    Offer& last = session->offers[position];
    if (is_same(last, offered, session->generation)) {
        last.run = session->generation;
        return &last;
    }
    if (PyErr_Occurred()) return nullptr;
    last = {};
    const nb::object found = nb::steal(PyObject_CallFunctionObjArgs(function, offered, nullptr));
    if (!found.is_valid() || !PyTuple_Check(found.ptr())) {
        if (found.is_valid()) PyErr_SetString(PyExc_TypeError, "alternatives are a tuple");
        return nullptr;
    }
    // The same answers must lead to the same alternatives: their hash is part of the question.
    const Py_hash_t hash = PyObject_Hash(found.ptr());
    if (hash == -1) return nullptr;
    const Py_ssize_t length = PyList_CheckExact(offered) ? PyList_Size(offered) : 0;
    Offer& made = session->offers[position];  // the function may have chosen itself
    made = {nb::borrow(offered), found, length, session->generation, hash, progression_of(found.ptr())};
    return &made;
}

PyObject* choose(PyObject* object, PyObject* const* arguments, Py_ssize_t count) {
    if (!is_acting(object, "choose() outside an action")) return nullptr;
    Session* session = reinterpret_cast<RunObject*>(object)->session;
    if (count != 2 || !PyTuple_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "_choose(alternatives, distinct)");
        return nullptr;
    }
    PyObject* offered = PyTuple_Size(arguments[0]) == 1 ? PyTuple_GetItem(arguments[0], 0) : arguments[0];
    // What a bag or set holds is chosen from as by its `peek`: what else it holds need not be looked at.
    if (Py_TYPE(offered) == types.bag_editor && variable_of(as_editor(offered)).kind != VariableKind::timed) return choose_token(offered);
    const Offer* offer = distinct(session, offered, arguments[1]);
    if (!offer) return nullptr;
    const Py_ssize_t alternatives = PyTuple_Size(offer->found.ptr());
    if (alternatives == 0) return raise_disabled(session);
    Recording& run = *session->run;
    const std::uint32_t chosen =
        run.choose(static_cast<std::uint32_t>(alternatives), static_cast<std::uint32_t>(offer->hash), offer->progression);
    if (const std::optional<Sum> number = run.taken_number()) return make_number(session, *number);
    if (chosen < alternatives) return Py_XNewRef(PyTuple_GetItem(offer->found.ptr(), chosen));
    PyErr_SetString(PyExc_RuntimeError, "fewer alternatives than before");
    return nullptr;
}

PyObject* touch(PyObject* object, PyObject*) {
    if (!is_acting(object, "stay() outside an action")) return nullptr;
    reinterpret_cast<RunObject*>(object)->session->run->touch();
    Py_RETURN_NONE;
}

PyObject* is_touched(PyObject* object, PyObject*) {
    if (!is_acting(object, "a run was asked about outside an action")) return nullptr;
    return PyBool_FromLong(reinterpret_cast<RunObject*>(object)->session->run->touched);
}

PyMethodDef methods[] = {{"_choose", as_method(choose), METH_FASTCALL, "One of the alternatives."},
                         {"_touch", touch, METH_NOARGS, "Make this run an edge."},
                         {"_is_touched", is_touched, METH_NOARGS, "Whether this run is an edge so far."},
                         {nullptr, nullptr, 0, nullptr}};

}  // namespace

void ready_chooser() { types.chooser = make_type("sweepcheck._core.Chooser", sizeof(RunObject), {{Py_tp_methods, methods}}); }

}  // namespace sweep::python
