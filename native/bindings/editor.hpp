// Drafts, views and editors for the native engine: what `models/actions/draft.py` does on Python values, done on packed
// states and recorded. An action gets a draft, whose bags, queues and arrays are editors; predicates and measures get a
// view, whose bags, queues and arrays are views too and answer like the values they stand for.
//
// Any error here is raised plainly; the engine then runs the model once more in Python, whose errors carry code, place and
// state. These are slots of Python types and on the path of every call: they count references by hand.
#pragma once
#include <nanobind/nanobind.h>

#include <vector>

#include "advance.hpp"
#include "drafts.hpp"
#include "session.hpp"

namespace sweep::python {

/// What all these objects begin with: they are of use during one run.
struct RunObject {
    PyObject_HEAD Session* session;
    std::uint64_t generation;
    Recording* run;  // a step is judged with two states at once, each of which is recorded on its own
};

struct EditorObject : RunObject {
    std::uint32_t variable;
};

inline EditorObject* as_editor(PyObject* object) { return reinterpret_cast<EditorObject*>(object); }
inline PythonVariable& variable_of(EditorObject* self) { return self->session->domains.variables[self->variable]; }

/// Whether the run this object belongs to is still going on: then it is the one that is asked now; else the error for a kept draft is set.
inline bool is_open(RunObject* self) {
    if (self->generation == self->session->generation && self->generation != 0) {
        self->session->run = self->run;
        return true;
    }
    raise(self->session->domains.words.closed, nullptr);
    return false;
}

inline PyObject* raise_disabled(Session* session) {
    PyErr_SetNone(session->domains.words.disabled.ptr());
    return nullptr;
}

/// The value of a variable with an id; or that of a value that is new.
inline PyObject* owned_value(Session* session, const Domain& domain, Id id) {
    if (NewValue::is(id)) [[unlikely]]
        return Py_XNewRef(session->advance->values[id - NewValue::first].value.ptr());
    return Py_XNewRef(session->domains.value(domain, id));
}

/// The value of the bag, queue or array that an editor or view stands for.
PyObject* editor_value(PyObject* object);

/// A new object of one of the types below, for the run in progress.
template <class Object>
Object* make(PyTypeObject* type, Session* session) {
    const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
    auto* object = reinterpret_cast<Object*>(allocate(type, 0));
    if (!object) return nullptr;
    session->retain();
    object->session = session;
    object->generation = session->generation;
    object->run = session->run;
    return object;
}

using Slots = std::vector<PyType_Slot>;

template <class Function>
void* slot(Function* function) {
    return reinterpret_cast<void*>(function);
}
template <class Function>
PyCFunction as_method(Function* function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

void deallocate(PyObject* object);
PyTypeObject* make_type(const char* name, int size, Slots slots);
/// The type of an editor, or of a view, with what all of them share beside its own slots.
PyTypeObject* make_editor_type(const char* name, const Slots& own);
PyTypeObject* make_view_type(const char* name, const Slots& own);

/// An operation of Python's on the values that operands stand for.
template <PyObject* (*operate)(PyObject*, PyObject*)>
PyObject* on_contents(PyObject* one, PyObject* other) {
    PyObject *a = materialised(one), *b = a ? materialised(other) : nullptr;
    PyObject* result = b ? operate(a, b) : nullptr;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

PyObject* editor_iterate(PyObject* object);
/// `__deepcopy__` of views: a copy is the value that one stands for, and outlives the run.
PyObject* editor_copy(PyObject* object, PyObject* memo);
PyObject* editor_clear(PyObject* object, PyObject* none);
/// Of queues and arrays, through their elements one by one.
int sequence_contains(PyObject* object, PyObject* wanted);
int queue_contains(PyObject* queue, PyObject* wanted);
/// `@part` of bags and queues: see engines/native/parts.py.
PyObject* part_of(PyObject* object, PyObject* const* arguments, Py_ssize_t count);
/// Any token of an action's bag, which is not timed; nothing, with Disabled set, when it is empty.
PyObject* choose_token(PyObject* bag);

/// Arguments by position or name, the first of them required.
template <std::size_t Count>
bool parse(PyObject* const* arguments, Py_ssize_t count, PyObject* names, const char* const (&known)[Count], PyObject* (&given)[Count]) {
    const Py_ssize_t keywords = names ? PyTuple_Size(names) : 0;
    bool good = count + keywords <= static_cast<Py_ssize_t>(Count);
    for (Py_ssize_t i = 0; good && i < count; ++i) given[i] = arguments[i];
    for (Py_ssize_t i = 0; good && i < keywords; ++i) {
        std::size_t at = 0;
        while (at < Count && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, i), known[at]) != 0) ++at;
        good = at < Count && !given[at];
        if (good) given[at] = arguments[count + i];
    }
    if (good && given[0]) return true;
    PyErr_SetString(PyExc_TypeError, "wrong arguments");
    return false;
}

/// The types, made once.
struct Types {
    PyTypeObject *draft = nullptr, *view = nullptr, *chooser = nullptr, *number = nullptr, *text = nullptr;
    PyTypeObject *bag_editor = nullptr, *queue_editor = nullptr, *array_editor = nullptr, *queue_iterator = nullptr;
    PyTypeObject *bag_view = nullptr, *queue_view = nullptr, *array_view = nullptr;

    bool is_in_question(const PyTypeObject* type) const { return type == number || type == text; }
    bool is_editor_or_view(const PyTypeObject* type) const {
        return type == bag_editor || type == array_editor || type == queue_editor || type == bag_view || type == array_view ||
               type == queue_view;
    }
};
extern Types types;

void ready_drafts();
void ready_bags();
void ready_queues();
void ready_arrays();
void ready_chooser();
void ready_numbers();

}  // namespace sweep::python
