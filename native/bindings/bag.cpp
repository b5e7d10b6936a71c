#include <optional>
#include <tuple>
#include <utility>

#include "editor.hpp"
#include "number.hpp"
#include "values.hpp"

namespace sweep::python {

namespace {

/// What an action takes from a bag: its tokens; from a timed bag tokens without their stamps.
Domain& taken_from(EditorObject* self) {
    Domain& domain = variable_of(self).domain;
    return domain.kinds ? *domain.kinds : domain;
}

PyObject* add(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    PyObject* given[2] = {};  // token and count
    if (!parse(arguments, count, names, {"token", "count"}, given)) return nullptr;
    PythonVariable& variable = variable_of(self);
    long long times = 1;
    if (given[1]) {
        const nb::object plain = nb::steal(without_questions(given[1]));
        if (!plain.is_valid()) return nullptr;
        times = PyLong_Check(plain.ptr()) ? PyLong_AsLongLong(plain.ptr()) : -1;
        if (times < 0) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "count out of range");
            return nullptr;
        }
    }
    const bool countable = static_cast<std::uint64_t>(times) <= most_tokens;
    if (countable && variable.kind == VariableKind::bag &&
        add_number(self->session, variable.field, given[0], static_cast<std::uint32_t>(times)))
        Py_RETURN_NONE;
    Id id = 0;
    if (!self->session->domains.intern(variable.domain, given[0], id)) return nullptr;
    if (!countable) {
        raise(self->session->domains.words.crowded, variable.name.ptr());
        return nullptr;
    }
    Recording& run = *self->session->run;
    if (variable.kind == VariableKind::set) {
        if (given[1]) {
            PyErr_SetString(PyExc_TypeError, "a set holds an element once");
            return nullptr;
        }
        run.settle(variable.field, id, true);
        Py_RETURN_NONE;
    }
    run.add(variable.field, id, static_cast<std::uint32_t>(times));
    Py_RETURN_NONE;
}

/// Of a set: take an element out if it is there.
PyObject* discard(PyObject* object, PyObject* element) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    const PythonVariable& variable = variable_of(self);
    if (variable.kind != VariableKind::set) {
        PyErr_SetString(PyExc_AttributeError, "only sets discard");
        return nullptr;
    }
    Id id = 0;
    if (!self->session->domains.intern(taken_from(self), element, id, true)) return nullptr;
    self->session->run->settle(variable.field, id, false);
    Py_RETURN_NONE;
}

/// Any token the bag holds; nothing, with Disabled set, when it is empty.
PyObject* any_token(EditorObject* self, Id& id) {
    Session* session = self->session;
    const PythonVariable& variable = variable_of(self);
    std::optional<Id> any;
    try {
        any = session->run->any(variable.field);
    } catch (const TooManyTokens&) {  // no exception of C++ may pass through Python's frames
        raise(session->domains.words.crowded, variable.name.ptr());
        return nullptr;
    }
    if (!any) return raise_disabled(session);
    id = *any;
    return token_value(session, taken_from(self), id);
}

/// Whether a token satisfies a condition, which only reads; -1 with an error set.
int satisfies(EditorObject* self, PyObject* where, PyObject* token) {
    const Recording& run = *self->session->run;
    const auto done = [&run] { return std::tuple(run.choices(), run.ops.size(), run.touched); };
    const auto before = done();
    const nb::object answer = nb::steal(PyObject_CallFunctionObjArgs(where, token, nullptr));
    const int fits = answer.is_valid() ? PyObject_IsTrue(answer.ptr()) : -1;
    if (fits < 0 || done() == before) return fits;
    PyErr_SetString(PyExc_TypeError, "where= only reads");  // Python says so, when it runs the action once more
    return -1;
}

/// A token that satisfies a condition which has to be asked of each in turn, since it may count them, or may fail where somebody notices.
PyObject* select_from_all(EditorObject* self, PyObject* where, Id& id) {
    Session* session = self->session;
    const nb::object value = nb::steal(editor_value(reinterpret_cast<PyObject*>(self)));
    const nb::object tokens = nb::steal(value.is_valid() ? PyObject_CallMethod(value.ptr(), "distinct", nullptr) : nullptr);
    const nb::object fitting = nb::steal(PyList_New(0));
    if (!tokens.is_valid() || !fitting.is_valid()) return nullptr;
    for (Py_ssize_t i = 0; i < PyTuple_Size(tokens.ptr()); ++i) {
        PyObject* token = PyTuple_GetItem(tokens.ptr(), i);
        const int fits = satisfies(self, where, token);
        if (fits < 0 && !PyErr_ExceptionMatches(session->domains.words.disabled.ptr())) return nullptr;
        if (fits < 0) PyErr_Clear();  // as a `require` inside says
        if (fits > 0 && PyList_Append(fitting.ptr(), token) != 0) return nullptr;
    }
    const nb::object found = nb::steal(PyList_AsTuple(fitting.ptr()));
    const Py_hash_t hash = found.is_valid() ? PyObject_Hash(found.ptr()) : -1;
    if (hash == -1) return nullptr;
    const Py_ssize_t count = PyTuple_Size(found.ptr());
    if (count == 0) return raise_disabled(session);
    const std::uint32_t chosen = session->run->choose(static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(hash));
    PyObject* token = PyTuple_GetItem(found.ptr(), chosen);
    return token && session->domains.intern(taken_from(self), token, id, true) ? Py_NewRef(token) : nullptr;
}

/// A token of the bag: this one, or any (that satisfies `where`); nothing, with Disabled set, when there is none.
PyObject* select(EditorObject* self, PyObject* token, PyObject* where, Id& id) {
    Session* session = self->session;
    if (token) {
        if (!session->domains.intern(taken_from(self), token, id, true)) return nullptr;
        return session->run->has(variable_of(self).field, id) ? Py_NewRef(token) : raise_disabled(session);
    }
    const bool asks = where && where != Py_None;
    if (asks && variable_of(self).kind != VariableKind::timed) {
        const nb::object one = nb::steal(PyObject_CallFunctionObjArgs(session->domains.words.asks_one.ptr(), where, nullptr));
        if (!one.is_valid()) return nullptr;
        if (one.is(nb::handle(Py_False))) return select_from_all(self, where, id);
    }
    PyObject* chosen = any_token(self, id);
    if (!chosen || !asks) return chosen;
    const int allowed = satisfies(self, where, chosen);
    if (allowed == 1) return chosen;
    Py_DECREF(chosen);
    return allowed < 0 ? nullptr : raise_disabled(session);
}

PyObject* parse_where(PyObject* const* arguments, Py_ssize_t count, PyObject* names, bool& bad) {
    const Py_ssize_t keywords = names ? PyTuple_Size(names) : 0;
    bad = keywords > 1 || (keywords == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GetItem(names, 0), "where") != 0);
    return keywords == 1 ? arguments[count] : nullptr;
}

PyObject* take(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
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

/// How often `_has` and `_remove` are asked about a token: 1 or more, and at most one more than a bag can hold.
std::uint64_t parse_times(PyObject* const* arguments, Py_ssize_t count) {
    int overflow = 0;
    const long long given = count == 2 ? PyLong_AsLongLongAndOverflow(arguments[1], &overflow) : -1;
    if (overflow > 0 || given > static_cast<long long>(most_tokens)) return most_tokens + 1;
    if (given >= 1) return static_cast<std::uint64_t>(given);
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a token, and how often");
    return 0;
}

/// Take a token out so often at once.
PyObject* remove_several(PyObject* object, PyObject* const* arguments, Py_ssize_t count) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    const std::uint64_t times = parse_times(arguments, count);
    Id id = 0;
    if (!times || !self->session->domains.intern(taken_from(self), arguments[0], id, true)) return nullptr;
    const PythonVariable& variable = variable_of(self);
    Recording& run = *self->session->run;
    const auto several = static_cast<std::uint32_t>(times);
    if (times > most_tokens || !run.has(variable.field, id, several)) return raise_disabled(self->session);
    const bool timed = variable.kind == VariableKind::timed;  // its tokens may have different stamps
    for (std::uint32_t i = 0; timed && i < several; ++i) run.remove(variable.field, id);
    if (!timed) run.remove(variable.field, id, several);
    Py_RETURN_NONE;
}

PyObject* peek(PyObject* object, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    bool bad = false;
    PyObject* where = parse_where(arguments, count, names, bad);
    if (bad || count > 1 || (count == 1 && where)) {
        PyErr_SetString(PyExc_TypeError, "peek() or peek(where=predicate)");
        return nullptr;
    }
    Id id = 0;
    return select(self, nullptr, count == 1 ? arguments[0] : where, id);
}

// -- questions about one token: an action names it without its stamp, a predicate with it ---------------------------------

enum class Known { yes, no, failed };

/// The id of a value that is only asked about. What can be part of no state has none, and may equal a token all the same;
/// nor has a token with a stamp that a predicate asks about: then the whole bag is asked.
template <bool IsView>
Known ask_about(EditorObject* self, PyObject* token, Id& id) {
    if (!is_open(self)) return Known::failed;
    if (IsView && variable_of(self).domain.kinds) return Known::no;
    if (self->session->domains.intern(taken_from(self), token, id, true)) return Known::yes;
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return Known::failed;
    PyErr_Clear();
    return Known::no;
}

PyObject* ask_whole(PyObject* object, const char* method, PyObject* token) {
    PyObject* value = editor_value(object);
    PyObject* answer = value ? PyObject_CallMethod(value, method, "(O)", token) : nullptr;
    Py_XDECREF(value);
    return answer;
}

template <bool IsView>
PyObject* count(PyObject* object, PyObject* token) {
    auto* self = as_editor(object);
    Id id = 0;
    const Known known = ask_about<IsView>(self, token, id);
    if (known == Known::yes) return PyLong_FromLongLong(self->session->run->count(variable_of(self).field, id));
    return known == Known::no ? ask_whole(object, "count", token) : nullptr;
}

/// Whether an action's bag holds a token so often: unlike `count`, all larger numbers give one answer.
PyObject* has_several(PyObject* object, PyObject* const* arguments, Py_ssize_t given) {
    auto* self = as_editor(object);
    const std::uint64_t times = parse_times(arguments, given);
    Id id = 0;
    const Known known = times ? ask_about<false>(self, arguments[0], id) : Known::failed;
    if (known == Known::yes && times > most_tokens) Py_RETURN_FALSE;
    if (known == Known::yes)
        return PyBool_FromLong(self->session->run->has(variable_of(self).field, id, static_cast<std::uint32_t>(times)));
    const nb::object held = nb::steal(known == Known::no ? ask_whole(object, "count", arguments[0]) : nullptr);
    return held.is_valid() ? PyObject_RichCompare(held.ptr(), arguments[1], Py_GE) : nullptr;
}

template <bool IsView>
int contains(PyObject* object, PyObject* token) {
    auto* self = as_editor(object);
    Id id = 0;
    const Known known = ask_about<IsView>(self, token, id);
    if (known == Known::yes) return self->session->run->has(variable_of(self).field, id);
    PyObject* answer = known == Known::no ? ask_whole(object, "__contains__", token) : nullptr;
    const int found = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return found;
}

// -- what is computed from a bag or set: a value of its own --------------------------------------------------------------------

/// Those of some elements that are in a set, in question one by one: what else it holds does not matter.
nb::object common_elements(PyObject* set, PyObject* elements) {
    nb::object found = nb::steal(PyList_New(0)), iterator = nb::steal(PyObject_GetIter(elements));
    while (found.is_valid() && iterator.is_valid()) {
        const nb::object element = nb::steal(PyIter_Next(iterator.ptr()));
        if (!element.is_valid()) break;
        const int there = PySequence_Contains(set, element.ptr());
        if (there < 0 || (there && PyList_Append(found.ptr(), element.ptr()) != 0)) return {};
    }
    return PyErr_Occurred() ? nb::object() : found;
}

bool is_set(PyObject* object) {
    return (Py_TYPE(object) == types.bag_editor || Py_TYPE(object) == types.bag_view) &&
           variable_of(as_editor(object)).kind == VariableKind::set;
}

PyObject* intersection(PyObject* one, PyObject* other) {
    if (PyAnySet_Check(one)) std::swap(one, other);
    if (!is_set(one) || !PyAnySet_Check(other)) return on_contents<PyNumber_And>(one, other);
    const nb::object common = common_elements(one, other);
    return common.is_valid() ? PyObject_CallFunctionObjArgs(as_editor(one)->session->domains.words.set.ptr(), common.ptr(), nullptr)
                             : nullptr;
}

PyObject* is_disjoint(PyObject* object, PyObject* other) {
    if (!is_set(object)) {
        PyErr_SetString(PyExc_AttributeError, "only sets are disjoint");
        return nullptr;
    }
    const nb::object common = common_elements(object, other);
    return common.is_valid() ? PyBool_FromLong(PyList_Size(common.ptr()) == 0) : nullptr;
}

PyMethodDef editor_methods[] = {{"add", as_method(add), METH_FASTCALL | METH_KEYWORDS, "Add a token."},
                                {"take", as_method(take), METH_FASTCALL | METH_KEYWORDS, "Remove a token."},
                                {"peek", as_method(peek), METH_FASTCALL | METH_KEYWORDS, "Choose a token."},
                                {"count", count<false>, METH_O, "How often the bag holds a token."},
                                {"discard", discard, METH_O, "Remove an element of a set, if it is there."},
                                {"isdisjoint", is_disjoint, METH_O, "Whether a set has no element in common with another one."},
                                {"clear", editor_clear, METH_NOARGS, "Remove everything."},
                                {"_has", as_method(has_several), METH_FASTCALL, "Whether it holds a token so often."},
                                {"_remove", as_method(remove_several), METH_FASTCALL, "Remove a token so often."},
                                {"@part", as_method(part_of), METH_FASTCALL, "What of it matters."},
                                {nullptr, nullptr, 0, nullptr}};
PyMethodDef view_methods[] = {{"count", count<true>, METH_O, "How often the bag holds a token."},
                              {"isdisjoint", is_disjoint, METH_O, "Whether a set has no element in common with another one."},
                              {"@part", as_method(part_of), METH_FASTCALL, "What of it matters."},
                              {"__deepcopy__", editor_copy, METH_O, "The value."},
                              {nullptr, nullptr, 0, nullptr}};

Slots shared() {
    return {{Py_tp_iter, slot(editor_iterate)},
            {Py_nb_or, slot(on_contents<PyNumber_Or>)},
            {Py_nb_and, slot(intersection)},
            {Py_nb_xor, slot(on_contents<PyNumber_Xor>)}};
}

}  // namespace

PyObject* choose_token(PyObject* bag) {
    auto* self = as_editor(bag);
    Id id = 0;
    return is_open(self) ? any_token(self, id) : nullptr;
}

void ready_bags() {
    Slots editor = shared(), view = shared();
    editor.insert(editor.end(), {{Py_tp_methods, editor_methods},
                                 {Py_sq_contains, slot(contains<false>)},
                                 {Py_nb_add, slot(on_contents<PyNumber_Add>)},
                                 {Py_nb_subtract, slot(on_contents<PyNumber_Subtract>)}});
    view.insert(view.end(), {{Py_tp_methods, view_methods}, {Py_sq_contains, slot(contains<true>)}});
    types.bag_editor = make_editor_type("sweepcheck._core.BagEditor", editor);
    types.bag_view = make_view_type("sweepcheck._core.BagView", view);
}

}  // namespace sweep::python
