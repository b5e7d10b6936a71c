#include "editor.hpp"

#include <algorithm>

#include "drafts.hpp"
#include "values.hpp"

namespace sweep::python {

void deallocate(PyObject* self) {
    reinterpret_cast<RunObject*>(self)->session->release();
    PyTypeObject* type = Py_TYPE(self);
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

namespace {

/// `s.set >= {1, 2}` asks for these elements only.
PyObject* has_all(PyObject* set, PyObject* elements) {
    const nb::object iterator = nb::steal(PyObject_GetIter(elements));
    while (iterator.is_valid()) {
        const nb::object element = nb::steal(PyIter_Next(iterator.ptr()));
        if (!element.is_valid()) break;
        const int there = PySequence_Contains(set, element.ptr());
        if (there < 0) return nullptr;
        if (!there) Py_RETURN_FALSE;
    }
    return PyErr_Occurred() ? nullptr : Py_NewRef(Py_True);
}

PyObject* compare(PyObject* one, PyObject* other, int operation) {
    if (operation == Py_GE && PyAnySet_Check(other) && variable_of(as_editor(one)).kind == VariableKind::set) return has_all(one, other);
    PyObject *a = materialised(one), *b = a ? materialised(other) : nullptr;
    PyObject* result = b ? PyObject_RichCompare(a, b, operation) : nullptr;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

PyObject* text(PyObject* object) {
    PyObject* value = editor_value(object);
    PyObject* text = value ? PyObject_Repr(value) : nullptr;
    Py_XDECREF(value);
    return text;
}

Py_ssize_t length(PyObject* object) {
    auto* self = as_editor(object);
    if (!is_open(self)) return -1;
    PythonVariable& variable = variable_of(self);
    if (variable.kind == VariableKind::array) return variable.length;
    return static_cast<Py_ssize_t>(self->session->run->size(variable.field));
}

// -- what views can do beyond that: predicates get values in the reference engine, with all their methods ----------------

PyObject* view_attribute(PyObject* object, PyObject* name) {
    const auto* self = as_editor(object);
    if (PyUnicode_CompareWithASCIIString(name, "__class__") == 0) {  // isinstance(s.x, Bag) asks for it
        const Vocabulary& words = self->session->domains.words;
        const VariableKind kind = variable_of(as_editor(object)).kind;
        const nb::object& of_bags = kind == VariableKind::set ? words.set : words.bag;
        return Py_NewRef((variable_of(as_editor(object)).is_bag() ? of_bags
                          : kind == VariableKind::queue           ? words.queue
                                                                  : words.array)
                             .ptr());
    }
    PyObject* found = PyObject_GenericGetAttr(object, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
    PyErr_Clear();
    PyObject* value = editor_value(object);
    found = value ? PyObject_GetAttr(value, name) : nullptr;
    Py_XDECREF(value);
    return found;
}

Py_hash_t view_hash(PyObject* object) {
    PyObject* value = editor_value(object);
    const Py_hash_t hash = value ? PyObject_Hash(value) : -1;
    Py_XDECREF(value);
    return hash;
}

/// `s.bag += x` reads and writes all of it: the reference engine, which runs the action again, says what to do.
PyObject* refuse_in_place(PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError, "no structure is changed by an assignment such as +=");
    return nullptr;
}

PyTypeObject* make_with(const char* name, Slots slots, const Slots& own) {
    slots.insert(
        slots.end(),
        {{Py_tp_richcompare, slot(compare)}, {Py_tp_repr, slot(text)}, {Py_sq_length, slot(length)}, {Py_mp_length, slot(length)}});
    slots.insert(slots.end(), own.begin(), own.end());
    return make_type(name, sizeof(EditorObject), slots);
}

}  // namespace

PyObject* editor_value(PyObject* object) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    const Session& session = *self->session;
    const PythonVariable& variable = variable_of(self);
    if (variable.kind != VariableKind::array) {
        try {
            return build(session.domains, variable, session.run->whole(variable.field)).release().ptr();
        } catch (const TooManyTokens&) {  // no exception of C++ may pass through Python's frames
            raise(session.domains.words.crowded, variable.name.ptr());
            return nullptr;
        }
    }
    std::vector<Id> held;
    for (std::uint32_t i = 0; i < variable.length; ++i) held.push_back(session.run->read(variable.field + i));
    return build(session.domains, variable, held).release().ptr();
}

PyObject* editor_iterate(PyObject* object) {
    PyObject* value = editor_value(object);
    PyObject* iterator = value ? PyObject_GetIter(value) : nullptr;
    Py_XDECREF(value);
    return iterator;
}

PyObject* editor_copy(PyObject* object, PyObject*) { return editor_value(object); }

PyObject* editor_clear(PyObject* object, PyObject*) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    self->session->run->clear(variable_of(self).field);
    Py_RETURN_NONE;
}

int sequence_contains(PyObject* object, PyObject* wanted) {
    PyObject* iterator = PyObject_GetIter(object);
    if (!iterator) return -1;
    int found = 0;
    while (found == 0) {
        PyObject* element = PyIter_Next(iterator);
        if (!element) break;
        found = PyObject_RichCompareBool(element, wanted, Py_EQ);
        Py_DECREF(element);
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? -1 : found;
}

PyTypeObject* make_type(const char* name, int size, Slots slots) {
    const auto deallocates = [](const PyType_Slot& one) { return one.slot == Py_tp_dealloc; };
    if (std::none_of(slots.begin(), slots.end(), deallocates)) slots.push_back({Py_tp_dealloc, slot(deallocate)});
    slots.push_back({0, nullptr});
    PyType_Spec spec{name, size, 0, Py_TPFLAGS_DEFAULT, slots.data()};
    auto* type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    if (!type) throw nb::python_error();
    return type;
}

PyTypeObject* make_editor_type(const char* name, const Slots& own) {
    return make_with(name,
                     {{Py_tp_hash, slot(PyObject_HashNotImplemented)},
                      {Py_nb_inplace_add, slot(refuse_in_place)},
                      {Py_nb_inplace_subtract, slot(refuse_in_place)},
                      {Py_nb_inplace_or, slot(refuse_in_place)},
                      {Py_nb_inplace_and, slot(refuse_in_place)},
                      {Py_nb_inplace_xor, slot(refuse_in_place)}},
                     own);
}

PyTypeObject* make_view_type(const char* name, const Slots& own) {
    return make_with(name,
                     {{Py_tp_getattro, slot(view_attribute)},
                      {Py_tp_hash, slot(view_hash)},
                      {Py_nb_add, slot(on_contents<PyNumber_Add>)},
                      {Py_nb_subtract, slot(on_contents<PyNumber_Subtract>)},
                      {Py_nb_multiply, slot(on_contents<PyNumber_Multiply>)}},
                     own);
}

}  // namespace sweep::python
