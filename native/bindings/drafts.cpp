#include "drafts.hpp"

#include <algorithm>
#include <utility>

#include "editor.hpp"
#include "number.hpp"

namespace sweep::python {

Types types;

namespace {

constexpr std::size_t few = 8;  // variables: so many names are compared sooner than one is looked up

PythonVariable* find(Session* session, PyObject* name) {
    std::vector<PythonVariable>& variables = session->domains.variables;
    for (std::size_t i = 0; i < std::min(few, variables.size()); ++i)
        if (variables[i].name.ptr() == name) return &variables[i];  // names in code are interned
    PyObject* position = PyDict_GetItemWithError(session->domains.positions.ptr(), name);
    if (position) return &variables[PyLong_AsSize_t(position)];
    PyErr_Clear();
    return nullptr;
}

PyObject* handed_out(Session* session, PythonVariable& variable, PyObject*& last, PyTypeObject* type) {
    auto* cached = as_editor(last);
    const bool current = cached && cached->generation == session->generation && cached->run == session->run;
    if (cached && (current || Py_REFCNT(last) == 1)) {
        cached->generation = session->generation;
        cached->run = session->run;
        return Py_NewRef(last);
    }
    auto* editor = make<EditorObject>(type, session);
    if (!editor) return nullptr;
    editor->variable = static_cast<std::uint32_t>(&variable - session->domains.variables.data());
    PyObject* before = last;
    last = reinterpret_cast<PyObject*>(editor);
    Py_XDECREF(before);
    return Py_NewRef(last);
}

HandedOut& handed_out_of(Session* session, const PythonVariable& variable) {
    std::vector<HandedOut>& all = session->handed_out;
    if (all.empty()) all.resize(session->domains.variables.size());
    return all[static_cast<std::size_t>(&variable - session->domains.variables.data())];
}

PyObject* editor_of(Session* session, PythonVariable& variable) {
    PyTypeObject* type = variable.is_bag()                      ? types.bag_editor
                         : variable.kind == VariableKind::queue ? types.queue_editor
                                                                : types.array_editor;
    return handed_out(session, variable, handed_out_of(session, variable).editor, type);
}

PyObject* view_of(Session* session, PythonVariable& variable) {
    PyTypeObject* type = variable.is_bag() ? types.bag_view : variable.kind == VariableKind::queue ? types.queue_view : types.array_view;
    return handed_out(session, variable, handed_out_of(session, variable).view, type);
}

template <PyObject* (*structured)(Session*, PythonVariable&)>
PyObject* get_variable(PyObject* object, PyObject* name) {
    auto* self = reinterpret_cast<RunObject*>(object);
    if (!is_open(self)) return nullptr;
    Session* session = self->session;
    PythonVariable* variable = find(session, name);
    if (!variable) {
        PyObject* found = PyObject_GenericGetAttr(object, name);  // Python's own questions
        if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
        PyErr_Clear();  // no AttributeError: getattr(s, name, otherwise) must not hide a misspelt name
        raise(session->domains.words.missing, name);
        return nullptr;
    }
    if (variable->is_scalar()) return scalar_value(session, variable->domain, variable->field);
    if (session->advance && !session->advance->give_up()) return nullptr;
    return structured(session, *variable);
}

/// What is assigned to a bag, set, queue or array replaces its contents, through its own operations.
int replace_contents(PyObject* draft, PyObject* name, PyObject* value, const PythonVariable& variable) {
    const Vocabulary& words = reinterpret_cast<RunObject*>(draft)->session->domains.words;
    const nb::object& kind = variable.kind == VariableKind::queue   ? words.queue
                             : variable.kind == VariableKind::array ? words.array
                             : variable.kind == VariableKind::set   ? words.set
                                                                    : words.bag;
    const nb::object module = nb::steal(PyImport_ImportModule("sweepcheck.core.replacing"));
    const nb::object replace = nb::steal(module.is_valid() ? PyObject_GetAttrString(module.ptr(), "replace_contents") : nullptr);
    const nb::object held = nb::steal(replace.is_valid() ? PyObject_GetAttr(draft, name) : nullptr);
    if (!held.is_valid()) return -1;
    return nb::steal(PyObject_CallFunctionObjArgs(replace.ptr(), held.ptr(), kind.ptr(), name, value, nullptr)).is_valid() ? 0 : -1;
}

int set_variable(PyObject* object, PyObject* name, PyObject* value) {
    auto* self = reinterpret_cast<RunObject*>(object);
    if (!is_open(self)) return -1;
    PythonVariable* variable = find(self->session, name);
    if (!variable || !value) {
        PyErr_SetString(PyExc_AttributeError, "no variable of this name");
        return -1;
    }
    if (!variable->is_scalar()) return replace_contents(object, name, value, *variable);
    return set_scalar(self->session, variable->domain, variable->field, value);
}

int refuse_to_set(PyObject*, PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError, "predicates and measures only read");
    return -1;
}

/// As the reference engine writes it: a function may look at the text of a state, and must see the same.
PyObject* state_text(PyObject* object) {
    const Domains& domains = reinterpret_cast<RunObject*>(object)->session->domains;
    const nb::object names = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(domains.variables.size())));
    if (!names.is_valid()) return nullptr;
    Py_ssize_t position = 0;
    for (const PythonVariable& variable : domains.variables) PyTuple_SetItem(names.ptr(), position++, Py_NewRef(variable.name.ptr()));
    return PyObject_CallFunctionObjArgs(domains.words.state_text.ptr(), object, names.ptr(), nullptr);
}

/// `__deepcopy__`: a view that has the values of all variables, and outlives the run.
PyObject* view_copy(PyObject* object, PyObject*) {
    const std::vector<PythonVariable>& variables = reinterpret_cast<RunObject*>(object)->session->domains.variables;
    const nb::object values = nb::steal(PyDict_New());
    if (!values.is_valid()) return nullptr;
    for (const PythonVariable& variable : variables) {
        const nb::object held = nb::steal(get_variable<view_of>(object, variable.name.ptr()));
        const nb::object whole = nb::steal(held.is_valid() ? materialised(held.ptr()) : nullptr);
        const nb::object value = nb::steal(whole.is_valid() ? without_questions(whole.ptr()) : nullptr);
        if (!value.is_valid() || PyDict_SetItem(values.ptr(), variable.name.ptr(), value.ptr()) != 0) return nullptr;
    }
    const nb::object module = nb::steal(PyImport_ImportModule("sweepcheck.core.view"));
    return module.is_valid() ? PyObject_CallMethod(module.ptr(), "kept", "O", values.ptr()) : nullptr;
}

PyMethodDef view_methods[] = {{"__deepcopy__", view_copy, METH_O, "A view that outlives the run."}, {nullptr, nullptr, 0, nullptr}};

nb::object new_object(PyTypeObject* type, Session* session) {
    nb::object made = nb::steal(reinterpret_cast<PyObject*>(make<RunObject>(type, session)));
    if (!made.is_valid()) throw nb::python_error();
    return made;
}

}  // namespace

void ready_drafts() {
    types.draft = make_type("sweepcheck._core.Draft", sizeof(RunObject),
                            {{Py_tp_getattro, slot(get_variable<editor_of>)},
                             {Py_tp_setattro, slot(set_variable)},
                             {Py_tp_repr, slot(state_text)},
                             {Py_tp_hash, slot(PyObject_HashNotImplemented)}});
    types.view = make_type("sweepcheck._core.View", sizeof(RunObject),
                           {{Py_tp_getattro, slot(get_variable<view_of>)},
                            {Py_tp_methods, view_methods},
                            {Py_tp_setattro, slot(refuse_to_set)},
                            {Py_tp_repr, slot(state_text)},
                            {Py_tp_hash, slot(PyObject_HashNotImplemented)}});
}

void ready_types() {
    ready_bags();
    ready_queues();
    ready_arrays();
    ready_chooser();
    ready_numbers();
    ready_drafts();
}

nb::object new_draft(Session* session) { return new_object(types.draft, session); }
nb::object new_view(Session* session) { return new_object(types.view, session); }
nb::object new_chooser(Session* session) { return new_object(types.chooser, session); }

/// Editors and views that are kept to be handed out again keep their session, which keeps them.
void Session::close() {
    for (HandedOut& one : std::exchange(handed_out, {})) {
        Py_CLEAR(one.editor);
        Py_CLEAR(one.view);
    }
    offers.clear();
    generation = 0;
    release();
}

void renew(const nb::object& object) {
    auto* self = reinterpret_cast<RunObject*>(object.ptr());
    self->generation = self->session->generation;
    self->run = self->session->run;
}

PyObject* materialised(PyObject* object) { return types.is_editor_or_view(Py_TYPE(object)) ? editor_value(object) : Py_NewRef(object); }

}  // namespace sweep::python
