#include <utility>

#include "editor.hpp"

namespace sweep::python {

namespace {

PyObject* put(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    PyObject* given[1] = {};
    if (!parse(arguments, count, names, {"element"}, given)) return nullptr;
    Session* session = self->session;
    PythonVariable& variable = variable_of(self);
    Id id = 0;
    if (!session->domains.intern(variable.domain, given[0], id)) return nullptr;
    if (variable.capacity >= 0 && session->run->size(variable.field) >= variable.capacity) return raise_disabled(session);
    session->run->put(variable.field, id);
    Py_RETURN_NONE;
}

/// The element at a position; nothing, without an error, when the queue is shorter.
PyObject* element(EditorObject* self, Py_ssize_t index) {
    const PythonVariable& variable = variable_of(self);
    const Id id = self->session->run->element(variable.field, static_cast<std::uint32_t>(index));
    return id ? owned_value(self->session, variable.domain, id) : nullptr;
}

PyObject* peek(PyObject* object, PyObject*) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    PyObject* oldest = element(self, 0);
    return oldest ? oldest : raise_disabled(self->session);
}

PyObject* get(PyObject* object, PyObject* none) {
    PyObject* oldest = peek(object, none);
    if (oldest) as_editor(object)->session->run->get(variable_of(as_editor(object)).field);
    return oldest;
}

PyObject* view_peek(PyObject* object, PyObject*) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    PyObject* oldest = element(self, 0);
    if (!oldest) PyErr_SetString(PyExc_IndexError, "peek() on an empty queue");
    return oldest;
}

PyObject* item(PyObject* object, Py_ssize_t index) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    PyObject* found = index < 0 ? nullptr : element(self, index);
    if (!found) PyErr_SetString(PyExc_IndexError, "queue index out of range");
    return found;
}

PyObject* subscript(PyObject* object, PyObject* index) {
    if (!is_open(as_editor(object))) return nullptr;
    if (PyLong_Check(index)) {
        const Py_ssize_t at = PyLong_AsSsize_t(index);
        if (at >= 0) return item(object, at);
        if (PyErr_Occurred()) return nullptr;
    }
    PyObject* value = editor_value(object);  // slices, and positions counted from the end
    PyObject* result = value ? PyObject_GetItem(value, index) : nullptr;
    Py_XDECREF(value);
    return result;
}

/// Goes through what a queue held when this was made, whatever is done to it meanwhile. Elements are asked for one by one.
struct QueueIterator : EditorObject {
    Recording::Moment* then;
    std::uint32_t position;
    bool backwards;
};

PyObject* iterator_of(PyObject* object, bool backwards) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    const std::uint32_t field = variable_of(self).field;
    const std::int64_t begin = backwards ? self->session->run->size(field) : 0;
    auto* made = make<QueueIterator>(types.queue_iterator, self->session);
    if (!made) return nullptr;
    made->variable = self->variable;
    made->then = new Recording::Moment(self->session->run->moment(field));
    made->position = static_cast<std::uint32_t>(begin);
    made->backwards = backwards;
    return reinterpret_cast<PyObject*>(made);
}

PyObject* iterate(PyObject* object) { return iterator_of(object, false); }
PyObject* reversed(PyObject* object, PyObject*) { return iterator_of(object, true); }

PyObject* next(PyObject* object) {
    auto* self = reinterpret_cast<QueueIterator*>(object);
    if (!is_open(self) || (self->backwards && self->position == 0) || !self->then) return nullptr;
    const PythonVariable& variable = variable_of(self);
    const std::uint32_t position = self->backwards ? --self->position : self->position++;
    const Id id = self->session->run->element(variable.field, *self->then, position);
    if (id) return owned_value(self->session, variable.domain, id);
    delete std::exchange(self->then, nullptr);  // it has come to the end, and stays there
    return nullptr;
}

void deallocate_iterator(PyObject* object) {
    delete std::exchange(reinterpret_cast<QueueIterator*>(object)->then, nullptr);
    deallocate(object);
}

PyMethodDef editor_methods[] = {{"put", as_method(put), METH_FASTCALL | METH_KEYWORDS, "Append an element."},
                                {"get", get, METH_NOARGS, "Remove and return the oldest element."},
                                {"peek", peek, METH_NOARGS, "The oldest element."},
                                {"clear", editor_clear, METH_NOARGS, "Remove everything."},
                                {"__reversed__", reversed, METH_NOARGS, "What it holds now, the youngest first."},
                                {"@part", as_method(part_of), METH_FASTCALL, "What of it matters."},
                                {nullptr, nullptr, 0, nullptr}};
PyMethodDef view_methods[] = {{"peek", view_peek, METH_NOARGS, "The oldest element."},
                              {"__reversed__", reversed, METH_NOARGS, "What it holds, the youngest first."},
                              {"@part", as_method(part_of), METH_FASTCALL, "What of it matters."},
                              {"__deepcopy__", editor_copy, METH_O, "The value."},
                              {nullptr, nullptr, 0, nullptr}};

Slots slots(PyMethodDef* methods) {
    return {{Py_tp_methods, methods},
            {Py_sq_item, slot(item)},
            {Py_mp_subscript, slot(subscript)},
            {Py_tp_iter, slot(iterate)},
            {Py_sq_contains, slot(queue_contains)}};
}

}  // namespace

void ready_queues() {
    types.queue_iterator =
        make_type("sweepcheck._core.QueueIterator", sizeof(QueueIterator),
                  {{Py_tp_dealloc, slot(deallocate_iterator)}, {Py_tp_iter, slot(PyObject_SelfIter)}, {Py_tp_iternext, slot(next)}});
    types.queue_editor = make_editor_type("sweepcheck._core.QueueEditor", slots(editor_methods));
    types.queue_view = make_view_type("sweepcheck._core.QueueView", slots(view_methods));
}

}  // namespace sweep::python
