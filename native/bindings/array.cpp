#include "editor.hpp"
#include "number.hpp"

namespace sweep::python {

namespace {

/// A number, or one in question.
bool is_index(PyObject* index) { return PyLong_Check(index) || Py_TYPE(index) == types.number; }

bool position_of(EditorObject* self, PyObject* index, std::uint32_t& position) {
    const Py_ssize_t length = variable_of(self).length;
    if (!is_index(index)) {
        PyErr_SetString(PyExc_TypeError, "array indices are integers");
        return false;
    }
    Py_ssize_t at = PyNumber_AsSsize_t(index, PyExc_OverflowError);
    if (at == -1 && PyErr_Occurred()) return false;
    if (at < 0) at += length;
    if (at < 0 || at >= length) {
        PyErr_SetString(PyExc_IndexError, "array index out of range");
        return false;
    }
    position = static_cast<std::uint32_t>(at);
    return true;
}

PyObject* element(EditorObject* self, std::uint32_t position) {
    const PythonVariable& variable = variable_of(self);
    return scalar_value(self->session, variable.domain, variable.field + position);
}

PyObject* item(PyObject* object, Py_ssize_t index) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    if (index >= 0 && index < static_cast<Py_ssize_t>(variable_of(self).length)) return element(self, static_cast<std::uint32_t>(index));
    PyErr_SetString(PyExc_IndexError, "array index out of range");
    return nullptr;
}

/// Some elements as a tuple: only these are looked at.
PyObject* slice(EditorObject* self, PyObject* index) {
    Py_ssize_t start = 0, stop = 0, step = 0;
    if (PySlice_Unpack(index, &start, &stop, &step) != 0) return nullptr;
    const Py_ssize_t count = PySlice_AdjustIndices(static_cast<Py_ssize_t>(variable_of(self).length), &start, &stop, step);
    nb::object result = nb::steal(PyTuple_New(count));
    for (Py_ssize_t i = 0; result.is_valid() && i < count; ++i) {
        PyObject* one = element(self, static_cast<std::uint32_t>(start + i * step));
        if (!one || PyTuple_SetItem(result.ptr(), i, one) != 0) return nullptr;
    }
    return result.release().ptr();
}

PyObject* subscript(PyObject* object, PyObject* index) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    std::uint32_t position = 0;
    if (is_index(index)) return position_of(self, index, position) ? element(self, position) : nullptr;
    if (PySlice_Check(index)) return slice(self, index);
    PyObject* value = editor_value(object);  // whatever else a tuple takes, or its error
    PyObject* result = value ? PyObject_GetItem(value, index) : nullptr;
    Py_XDECREF(value);
    return result;
}

int assign(PyObject* object, PyObject* index, PyObject* value) {
    auto* self = as_editor(object);
    std::uint32_t position = 0;
    if (!is_open(self) || !position_of(self, index, position)) return -1;
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "array elements cannot be deleted");
        return -1;
    }
    PythonVariable& variable = variable_of(self);
    return set_scalar(self->session, variable.domain, variable.field + position, value);
}

Slots shared() {
    return {{Py_sq_item, slot(item)},
            {Py_mp_subscript, slot(subscript)},
            {Py_tp_iter, slot(PySeqIter_New)},
            {Py_sq_contains, slot(sequence_contains)}};
}

}  // namespace

void ready_arrays() {
    Slots editor = shared();
    editor.push_back({Py_mp_ass_subscript, slot(assign)});
    types.array_editor = make_editor_type("sweepcheck._core.ArrayEditor", editor);
    types.array_view = make_view_type("sweepcheck._core.ArrayView", shared());
}

}  // namespace sweep::python
