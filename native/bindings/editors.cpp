// Drafts, views and editors for the native engine: what `models/actions/draft.py` does on Python values, done on packed
// states and recorded. Any error here is raised plainly; the engine then runs the model once more in Python, whose
// errors carry code, place and state.
#include "session.hpp"

namespace sweep::python {

namespace {

PyTypeObject *draft_type = nullptr, *bag_type = nullptr, *queue_type = nullptr, *array_type = nullptr, *chooser_type = nullptr;

struct DraftObject {
    PyObject_HEAD Session* session;
    std::uint64_t generation;
};

struct EditorObject {
    PyObject_HEAD Session* session;
    std::uint64_t generation;
    std::uint32_t variable;
};

template <class Object>
Object* make(PyTypeObject* type, Session* session) {
    const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
    auto* object = reinterpret_cast<Object*>(allocate(type, 0));
    if (!object) return nullptr;
    session->retain();
    object->session = session;
    object->generation = session->generation;
    return object;
}

void deallocate(PyObject* self) {
    reinterpret_cast<DraftObject*>(self)->session->release();
    PyTypeObject* type = Py_TYPE(self);
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/// Whether the run this object belongs to is still going on; else the error for a kept draft is set.
template <class Object>
bool is_open(Object* self) {
    if (self->generation == self->session->generation && self->generation != 0) return true;
    self->session->raise(self->session->closed, nullptr);
    return false;
}

template <class Object>
bool may_change(Object* self) {
    if (!is_open(self)) return false;
    if (!self->session->read_only) return true;
    PyErr_SetString(PyExc_TypeError, "predicates and measures only read");
    return false;
}

PyObject* raise_disabled(Session* session) {
    PyErr_SetNone(session->disabled);
    return nullptr;
}

PyObject* owned_value(Session* session, const Domain& domain, Id id) { return Py_XNewRef(session->value(domain, id)); }

PythonVariable& variable_of(EditorObject* self) { return self->session->variables[self->variable]; }

/// What an action takes from a bag: its tokens; from a timed bag tokens without their stamps.
Domain& taken_from(EditorObject* self) {
    Domain& domain = variable_of(self).domain;
    return domain.kinds ? *domain.kinds : domain;
}

// -- drafts -----------------------------------------------------------------------------------------------------------------

PythonVariable* find(Session* session, PyObject* name) {
    for (PythonVariable& variable : session->variables)
        if (variable.name == name) return &variable;  // names in code are interned
    for (PythonVariable& variable : session->variables)
        if (PyUnicode_Compare(variable.name, name) == 0) return &variable;
    return nullptr;
}

PyObject* editor_of(Session* session, PythonVariable& variable) {
    auto* cached = reinterpret_cast<EditorObject*>(variable.editor);
    if (cached && (cached->generation == session->generation || Py_REFCNT(variable.editor) == 1)) {
        cached->generation = session->generation;
        return Py_NewRef(variable.editor);
    }
    PyTypeObject* type = variable.kind == PythonVariable::Kind::bag     ? bag_type
                         : variable.kind == PythonVariable::Kind::queue ? queue_type
                                                                        : array_type;
    auto* editor = make<EditorObject>(type, session);
    if (!editor) return nullptr;
    editor->variable = static_cast<std::uint32_t>(&variable - session->variables.data());
    Py_XDECREF(variable.editor);
    variable.editor = reinterpret_cast<PyObject*>(editor);
    return Py_NewRef(variable.editor);
}

PyObject* draft_get(PyObject* object, PyObject* name) {
    auto* self = reinterpret_cast<DraftObject*>(object);
    if (!is_open(self)) return nullptr;
    Session* session = self->session;
    PythonVariable* variable = find(session, name);
    if (!variable) {
        PyObject* found = PyObject_GenericGetAttr(object, name);  // Python's own questions
        if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
        PyErr_Clear();  // no AttributeError: getattr(s, name, otherwise) must not hide a misspelt name
        session->raise(session->missing, name);
        return nullptr;
    }
    if (variable->kind == PythonVariable::Kind::scalar) return owned_value(session, variable->domain, session->run->read(variable->field));
    return editor_of(session, *variable);
}

int draft_set(PyObject* object, PyObject* name, PyObject* value) {
    auto* self = reinterpret_cast<DraftObject*>(object);
    if (!may_change(self)) return -1;
    PythonVariable* variable = find(self->session, name);
    if (!variable || !value || variable->kind != PythonVariable::Kind::scalar) {
        PyErr_SetString(PyExc_AttributeError, "no scalar variable of this name");
        return -1;
    }
    Id id = 0;
    if (!self->session->intern(variable->domain, value, id)) return -1;
    self->session->run->write(variable->field, id);
    return 0;
}

/// As the reference engine writes it: a function may look at the text of a state, and must see the same.
PyObject* draft_repr(PyObject* object) {
    const auto& variables = reinterpret_cast<DraftObject*>(object)->session->variables;
    PyObject* module = PyImport_ImportModule("sweepcheck.models.actions.draft");
    PyObject* names = module ? PyTuple_New(static_cast<Py_ssize_t>(variables.size())) : nullptr;
    for (std::size_t i = 0; names && i < variables.size(); ++i)
        PyTuple_SetItem(names, static_cast<Py_ssize_t>(i), Py_NewRef(variables[i].name));
    PyObject* text = names ? PyObject_CallMethod(module, "state_text", "OO", object, names) : nullptr;
    Py_XDECREF(names);
    Py_XDECREF(module);
    return text;
}

// -- what all editors share ---------------------------------------------------------------------------------------------------

PyObject* editor_value(PyObject* object) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    return is_open(self) ? self->session->materialise(variable_of(self)) : nullptr;
}

/// Whether one of two operands belongs to an action, which has no arithmetic on bags, queues and arrays.
bool is_draft(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    const bool editor = type == bag_type || type == queue_type || type == array_type;
    return editor && !reinterpret_cast<EditorObject*>(object)->session->read_only;
}

PyObject* editor_get(PyObject* object, PyObject* name) {
    if (reinterpret_cast<EditorObject*>(object)->session->read_only && PyUnicode_CompareWithASCIIString(name, "__class__") == 0) {
        Session* session = reinterpret_cast<EditorObject*>(object)->session;  // isinstance(s.x, Bag) asks for it
        const PyTypeObject* type = Py_TYPE(object);
        return Py_NewRef(type == bag_type ? session->bag : type == queue_type ? session->queue : session->array);
    }
    PyObject* found = PyObject_GenericGetAttr(object, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
    // Predicates get values in the reference engine, with all their methods: give them the value's.
    if (!reinterpret_cast<EditorObject*>(object)->session->read_only) return nullptr;
    PyErr_Clear();
    PyObject* value = editor_value(object);
    if (!value) return nullptr;
    found = PyObject_GetAttr(value, name);
    Py_DECREF(value);
    return found;
}

PyObject* editor_compare(PyObject* one, PyObject* other, int operation) {
    PyObject *a = materialised(one), *b = a ? materialised(other) : nullptr;
    PyObject* result = b ? PyObject_RichCompare(a, b, operation) : nullptr;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

Py_hash_t editor_hash(PyObject* object) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!self->session->read_only) {
        PyErr_SetString(PyExc_TypeError, "unhashable: a bag, queue or array of a draft");
        return -1;
    }
    PyObject* value = editor_value(object);
    const Py_hash_t hash = value ? PyObject_Hash(value) : -1;
    Py_XDECREF(value);
    return hash;
}

PyObject* editor_repr(PyObject* object) {
    PyObject* value = editor_value(object);
    PyObject* text = value ? PyObject_Repr(value) : nullptr;
    Py_XDECREF(value);
    return text;
}

PyObject* editor_iterate(PyObject* object) {
    PyObject* value = editor_value(object);
    PyObject* iterator = value ? PyObject_GetIter(value) : nullptr;
    Py_XDECREF(value);
    return iterator;
}

template <PyObject* (*operate)(PyObject*, PyObject*)>
PyObject* editor_operate(PyObject* one, PyObject* other) {
    if (is_draft(one) || is_draft(other)) return Py_NewRef(Py_NotImplemented);
    PyObject *a = materialised(one), *b = a ? materialised(other) : nullptr;
    PyObject* result = b ? operate(a, b) : nullptr;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

Py_ssize_t editor_length(PyObject* object) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!is_open(self)) return -1;
    PythonVariable& variable = variable_of(self);
    if (variable.kind == PythonVariable::Kind::array) return variable.length;
    return static_cast<Py_ssize_t>(self->session->run->size(variable.field));
}

PyObject* editor_clear(PyObject* object, PyObject*) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!may_change(self)) return nullptr;
    self->session->run->clear(variable_of(self).field);
    Py_RETURN_NONE;
}

// -- bags -----------------------------------------------------------------------------------------------------------------------

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

PyObject* bag_add(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!may_change(self)) return nullptr;
    PyObject* given[2] = {};  // token and count
    if (!parse(arguments, count, names, {"token", "count"}, given)) return nullptr;
    PythonVariable& variable = variable_of(self);
    long long times = 1;
    if (given[1]) {
        times = PyLong_Check(given[1]) ? PyLong_AsLongLong(given[1]) : -1;
        if (times < 0) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "count out of range");
            return nullptr;
        }
    }
    Id id = 0;
    if (!self->session->intern(variable.domain, given[0], id)) return nullptr;
    if (static_cast<std::uint64_t>(times) > most_tokens) {
        self->session->raise(self->session->crowded, variable.name);
        return nullptr;
    }
    self->session->run->add(variable.field, id, static_cast<std::uint32_t>(times));
    Py_RETURN_NONE;
}

/// A token of the bag: this one, or any (that satisfies `where`); nothing, with Disabled set, when there is none.
PyObject* select(EditorObject* self, PyObject* token, PyObject* where, Id& id) {
    Session* session = self->session;
    PythonVariable& variable = variable_of(self);
    if (token) {
        if (!session->intern(taken_from(self), token, id, true)) return nullptr;
        return session->run->has(variable.field, id) ? Py_NewRef(token) : raise_disabled(session);
    }
    std::optional<Id> any;
    try {
        any = session->run->any(variable.field);
    } catch (const TooManyTokens&) {  // no exception of C++ may pass through Python's frames
        session->raise(session->crowded, variable.name);
        return nullptr;
    }
    if (!any) return raise_disabled(session);
    id = *any;
    PyObject* chosen = owned_value(session, taken_from(self), id);
    if (where && where != Py_None) {
        PyObject* answer = PyObject_CallFunctionObjArgs(where, chosen, nullptr);
        const int allowed = answer ? PyObject_IsTrue(answer) : -1;
        Py_XDECREF(answer);
        if (allowed != 1) {
            Py_DECREF(chosen);
            return allowed < 0 ? nullptr : raise_disabled(session);
        }
    }
    return chosen;
}

PyObject* parse_where(PyObject* const* arguments, Py_ssize_t count, PyObject* names, bool& bad) {
    const Py_ssize_t keywords = names ? PyTuple_Size(names) : 0;
    bad = keywords > 1 || (keywords == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "where") != 0);
    return keywords == 1 ? arguments[count] : nullptr;
}

PyObject* bag_take(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!may_change(self)) return nullptr;
    bool bad = false;
    PyObject* where = parse_where(arguments, count, names, bad);
    if (bad || count > 1 || (count == 1 && where)) {
        PyErr_SetString(PyExc_TypeError, "take(), take(token) or take(where=predicate)");
        return nullptr;
    }
    if (count == 1 && PyCallable_Check(arguments[0]) && !PyType_Check(arguments[0])) {
        PyErr_SetString(PyExc_TypeError, "take(where=predicate)");
        return nullptr;
    }
    Id id = 0;
    PyObject* chosen = select(self, count == 1 ? arguments[0] : nullptr, where, id);
    if (chosen) self->session->run->remove(variable_of(self).field, id);
    return chosen;
}

PyObject* bag_peek(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!may_change(self)) return nullptr;
    bool bad = false;
    PyObject* where = parse_where(arguments, count, names, bad);
    if (bad || count > 1 || (count == 1 && where)) {
        PyErr_SetString(PyExc_TypeError, "peek() or peek(where=predicate)");
        return nullptr;
    }
    Id id = 0;
    return select(self, nullptr, count == 1 ? arguments[0] : where, id);
}

/// The id of a value that is only asked about. What can be part of no state is in no bag, unless it equals a token all the
/// same: then `otherwise` asks the whole bag.
PyObject* bag_question(EditorObject* self, PyObject* token, Id& id, PyObject* (*otherwise)(PyObject*, PyObject*)) {
    const bool stamped = self->session->read_only && variable_of(self).domain.kinds;  // predicates see stamps
    if (!stamped) {
        if (self->session->intern(taken_from(self), token, id, true)) return nullptr;
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) return nullptr;
        PyErr_Clear();
    }
    PyObject* value = editor_value(reinterpret_cast<PyObject*>(self));
    PyObject* result = value ? otherwise(value, token) : nullptr;
    Py_XDECREF(value);
    return result;
}

PyObject* bag_count(PyObject* object, PyObject* token) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!is_open(self)) return nullptr;
    PythonVariable& variable = variable_of(self);
    Id id = 0;
    PyObject* answer =
        bag_question(self, token, id, [](PyObject* bag, PyObject* one) { return PyObject_CallMethod(bag, "count", "(O)", one); });
    if (answer || PyErr_Occurred()) return answer;
    return PyLong_FromLongLong(self->session->run->count(variable.field, id));
}

int bag_contains(PyObject* object, PyObject* token) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!is_open(self)) return -1;
    PythonVariable& variable = variable_of(self);
    Id id = 0;
    PyObject* answer =
        bag_question(self, token, id, [](PyObject* bag, PyObject* one) { return PyObject_CallMethod(bag, "__contains__", "(O)", one); });
    if (PyErr_Occurred()) return -1;
    if (!answer) return self->session->run->has(variable.field, id);
    const int found = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return found;
}

// -- queues ---------------------------------------------------------------------------------------------------------------------

PyObject* queue_put(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!may_change(self)) return nullptr;
    PyObject* given[1] = {};
    if (!parse(arguments, count, names, {"element"}, given)) return nullptr;
    PythonVariable& variable = variable_of(self);
    Id id = 0;
    if (!self->session->intern(variable.domain, given[0], id)) return nullptr;
    if (variable.capacity >= 0 && self->session->run->size(variable.field) >= variable.capacity) return raise_disabled(self->session);
    self->session->run->put(variable.field, id);
    Py_RETURN_NONE;
}

PyObject* queue_peek(PyObject* object, PyObject*) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!is_open(self)) return nullptr;
    PythonVariable& variable = variable_of(self);
    const Id id = self->session->run->element(variable.field, 0);
    if (id) return owned_value(self->session, variable.domain, id);
    if (!self->session->read_only) return raise_disabled(self->session);
    PyErr_SetString(PyExc_IndexError, "peek() on an empty queue");
    return nullptr;
}

PyObject* queue_get(PyObject* object, PyObject* none) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!may_change(self)) return nullptr;
    PyObject* element = queue_peek(object, none);
    if (element) self->session->run->get(variable_of(self).field);
    return element;
}

PyObject* queue_item(PyObject* object, Py_ssize_t index) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!is_open(self)) return nullptr;
    PythonVariable& variable = variable_of(self);
    const Id id = index < 0 ? 0 : self->session->run->element(variable.field, static_cast<std::uint32_t>(index));
    if (id) return owned_value(self->session, variable.domain, id);
    PyErr_SetString(PyExc_IndexError, "queue index out of range");
    return nullptr;
}

// -- arrays ---------------------------------------------------------------------------------------------------------------------

bool array_position(EditorObject* self, PyObject* index, std::uint32_t& position) {
    const Py_ssize_t length = variable_of(self).length;
    if (!PyLong_Check(index)) {
        PyErr_SetString(PyExc_TypeError, "array indices are integers");
        return false;
    }
    Py_ssize_t at = PyLong_AsSsize_t(index);
    if (at == -1 && PyErr_Occurred()) return false;
    if (at < 0) at += length;
    if (at < 0 || at >= length) {
        PyErr_SetString(PyExc_IndexError, "array index out of range");
        return false;
    }
    position = static_cast<std::uint32_t>(at);
    return true;
}

PyObject* array_item(PyObject* object, Py_ssize_t index) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!is_open(self)) return nullptr;
    PythonVariable& variable = variable_of(self);
    if (index < 0 || index >= static_cast<Py_ssize_t>(variable.length)) {
        PyErr_SetString(PyExc_IndexError, "array index out of range");
        return nullptr;
    }
    return owned_value(self->session, variable.domain, self->session->run->read(variable.field + static_cast<std::uint32_t>(index)));
}

PyObject* indexed(PyObject* object, PyObject* index) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    if (!is_open(self)) return nullptr;
    PythonVariable& variable = variable_of(self);
    std::uint32_t position = 0;
    if (variable.kind == PythonVariable::Kind::array && PyLong_Check(index))
        return array_position(self, index, position) ? array_item(object, position) : nullptr;
    if (PyLong_Check(index)) {
        const Py_ssize_t at = PyLong_AsSsize_t(index);
        if (at >= 0) return queue_item(object, at);
        if (PyErr_Occurred()) return nullptr;
    }
    PyObject* value = editor_value(object);  // slices, and queues counted from the end
    PyObject* result = value ? PyObject_GetItem(value, index) : nullptr;
    Py_XDECREF(value);
    return result;
}

int array_assign(PyObject* object, PyObject* index, PyObject* value) {
    auto* self = reinterpret_cast<EditorObject*>(object);
    std::uint32_t position = 0;
    if (!may_change(self) || !array_position(self, index, position)) return -1;
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "array elements cannot be deleted");
        return -1;
    }
    PythonVariable& variable = variable_of(self);
    Id id = 0;
    if (!self->session->intern(variable.domain, value, id)) return -1;
    self->session->run->write(variable.field + position, id);
    return 0;
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

// -- the object that choose() and stay() talk to ----------------------------------------------------------------------------------

PyObject* chooser_pick(PyObject* object, PyObject* const* arguments, Py_ssize_t count) {
    Session* session = reinterpret_cast<DraftObject*>(object)->session;
    if (count != 2 || session->read_only || session->generation == 0) {
        PyErr_SetString(PyExc_RuntimeError, "choose() outside an action");
        return nullptr;
    }
    const Py_ssize_t alternatives = PyTuple_Size(arguments[0]);
    if (alternatives < 0) return nullptr;
    if (alternatives == 0) return raise_disabled(session);
    // The same answers must lead to the same alternatives: their hash is part of the question.
    if (session->offered != arguments[0]) {
        const Py_hash_t hash = PyObject_Hash(arguments[0]);
        if (hash == -1) return nullptr;
        PyObject* before = session->offered;
        session->offered = Py_NewRef(arguments[0]);
        session->offered_hash = hash;
        Py_XDECREF(before);
    }
    const Py_hash_t digest = session->offered_hash;
    const std::uint32_t chosen = session->run->choose(static_cast<std::uint32_t>(alternatives), static_cast<std::uint32_t>(digest));
    if (chosen < alternatives) return Py_XNewRef(PyTuple_GetItem(arguments[0], chosen));
    PyErr_SetString(PyExc_RuntimeError, "fewer alternatives than before");
    return nullptr;
}

PyObject* chooser_touch(PyObject* object, PyObject*) {
    Session* session = reinterpret_cast<DraftObject*>(object)->session;
    if (session->read_only || session->generation == 0) {
        PyErr_SetString(PyExc_RuntimeError, "stay() outside an action");
        return nullptr;
    }
    session->run->touch();
    Py_RETURN_NONE;
}

PyObject* chooser_run(PyObject* object, PyObject*) {
    return PyLong_FromUnsignedLongLong(reinterpret_cast<DraftObject*>(object)->session->generation);
}

template <class Function>
PyCFunction as_function(Function* function) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef bag_methods[] = {{"add", as_function(bag_add), METH_FASTCALL | METH_KEYWORDS, "Add a token."},
                             {"take", as_function(bag_take), METH_FASTCALL | METH_KEYWORDS, "Remove a token."},
                             {"peek", as_function(bag_peek), METH_FASTCALL | METH_KEYWORDS, "Choose a token."},
                             {"count", bag_count, METH_O, "How often the bag holds a token."},
                             {"clear", editor_clear, METH_NOARGS, "Remove everything."},
                             {nullptr, nullptr, 0, nullptr}};
PyMethodDef queue_methods[] = {{"put", as_function(queue_put), METH_FASTCALL | METH_KEYWORDS, "Append an element."},
                               {"get", queue_get, METH_NOARGS, "Remove and return the oldest element."},
                               {"peek", queue_peek, METH_NOARGS, "The oldest element."},
                               {"clear", editor_clear, METH_NOARGS, "Remove everything."},
                               {nullptr, nullptr, 0, nullptr}};
PyMethodDef chooser_methods[] = {{"_pick", as_function(chooser_pick), METH_FASTCALL, "One of the alternatives."},
                                 {"_touch", chooser_touch, METH_NOARGS, "Make this run an edge."},
                                 {"_run", chooser_run, METH_NOARGS, "The number of the run."},
                                 {nullptr, nullptr, 0, nullptr}};

template <class Function>
void* slot(Function* function) {
    return reinterpret_cast<void*>(function);
}

PyTypeObject* make_type(const char* name, int size, std::vector<PyType_Slot> slots) {
    slots.push_back({Py_tp_dealloc, slot(deallocate)});
    slots.push_back({0, nullptr});
    PyType_Spec spec{name, size, 0, Py_TPFLAGS_DEFAULT, slots.data()};
    return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
}

}  // namespace

bool ready_types() {
    if (chooser_type) return true;
    const std::vector<PyType_Slot> shared = {{Py_tp_getattro, slot(editor_get)},
                                             {Py_tp_richcompare, slot(editor_compare)},
                                             {Py_tp_hash, slot(editor_hash)},
                                             {Py_tp_repr, slot(editor_repr)},
                                             {Py_sq_length, slot(editor_length)},
                                             {Py_mp_length, slot(editor_length)},
                                             {Py_nb_add, slot(editor_operate<PyNumber_Add>)},
                                             {Py_nb_subtract, slot(editor_operate<PyNumber_Subtract>)},
                                             {Py_nb_multiply, slot(editor_operate<PyNumber_Multiply>)}};
    auto bag = shared, queue = shared, array = shared;
    bag.insert(bag.end(), {{Py_tp_methods, bag_methods}, {Py_sq_contains, slot(bag_contains)}, {Py_tp_iter, slot(editor_iterate)}});
    queue.insert(queue.end(), {{Py_tp_methods, queue_methods},
                               {Py_sq_item, slot(queue_item)},
                               {Py_mp_subscript, slot(indexed)},
                               {Py_tp_iter, slot(PySeqIter_New)},
                               {Py_sq_contains, slot(sequence_contains)}});
    array.insert(array.end(), {{Py_sq_item, slot(array_item)},
                               {Py_mp_subscript, slot(indexed)},
                               {Py_mp_ass_subscript, slot(array_assign)},
                               {Py_tp_iter, slot(PySeqIter_New)},
                               {Py_sq_contains, slot(sequence_contains)}});
    draft_type = make_type("sweepcheck._core.Draft", sizeof(DraftObject),
                           {{Py_tp_getattro, slot(draft_get)},
                            {Py_tp_setattro, slot(draft_set)},
                            {Py_tp_repr, slot(draft_repr)},
                            {Py_tp_hash, slot(PyObject_HashNotImplemented)}});
    bag_type = make_type("sweepcheck._core.BagEditor", sizeof(EditorObject), bag);
    queue_type = make_type("sweepcheck._core.QueueEditor", sizeof(EditorObject), queue);
    array_type = make_type("sweepcheck._core.ArrayEditor", sizeof(EditorObject), array);
    chooser_type = make_type("sweepcheck._core.Chooser", sizeof(DraftObject), {{Py_tp_methods, chooser_methods}});
    return draft_type && bag_type && queue_type && array_type && chooser_type;
}

PyObject* new_draft(Session* session) { return reinterpret_cast<PyObject*>(make<DraftObject>(draft_type, session)); }
PyObject* new_chooser(Session* session) { return reinterpret_cast<PyObject*>(make<DraftObject>(chooser_type, session)); }

void renew(PyObject* draft) {
    auto* self = reinterpret_cast<DraftObject*>(draft);
    self->generation = self->session->generation;
}

PyObject* materialised(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    if (type == bag_type || type == queue_type || type == array_type) return editor_value(object);
    return Py_NewRef(object);
}

}  // namespace sweep::python
