#include "session.hpp"

#include <algorithm>
#include <functional>

namespace sweep::python {

namespace {

/// Whether a value is a number, text, a truth value or None, or a tuple of such: it surely holds no set.
bool is_simple(PyObject* value) {
    if (PyLong_CheckExact(value) || PyUnicode_CheckExact(value) || PyBool_Check(value) || value == Py_None) return true;
    if (!PyTuple_CheckExact(value)) return false;
    for (Py_ssize_t i = 0; i < PyTuple_Size(value); ++i)
        if (!is_simple(PyTuple_GetItem(value, i))) return false;
    return true;
}

/// Whether a set holds nothing but numbers and text: an equal set of such elements is alike.
bool holds_plain(PyObject* set) {
    PyObject* iterator = PyObject_GetIter(set);
    bool plain = iterator != nullptr;
    while (plain) {
        PyObject* element = PyIter_Next(iterator);
        if (!element) break;
        plain = PyLong_CheckExact(element) || PyUnicode_CheckExact(element);
        Py_DECREF(element);
    }
    Py_XDECREF(iterator);
    return plain && !PyErr_Occurred();
}

/// Whether values of a type are added, multiplied and compared as whole numbers are: bool is, and a subclass of int that has
/// nothing of its own to say about that.
bool counts_as_int(PyTypeObject* type) {
    if (type == &PyLong_Type || type == &PyBool_Type) return true;
    if (!PyType_IsSubtype(type, &PyLong_Type)) return false;
    for (const int slot : {Py_nb_add, Py_nb_subtract, Py_nb_multiply, Py_nb_negative, Py_nb_positive, Py_tp_richcompare})
        if (PyType_GetSlot(type, slot) != PyType_GetSlot(&PyLong_Type, slot)) return false;
    return true;
}

}  // namespace

void Session::release() {
    if (--references > 0) return;
    for (PythonVariable& variable : variables) {
        Py_XDECREF(variable.name);
        Py_XDECREF(variable.domain.ids);
        Py_XDECREF(variable.domain.values);
        if (variable.domain.kinds) {
            Py_XDECREF(variable.domain.kinds->ids);
            Py_XDECREF(variable.domain.kinds->values);
        }
    }
    for (PyObject* object : {disabled, closed, unfit, settled, alike, unlike, crowded, missing, bag, queue, array, stamped, offered})
        Py_XDECREF(object);
    delete this;
}

void Session::raise(PyObject* error, PyObject* name, PyObject* first, PyObject* second) {
    PyObject* made = PyObject_CallFunctionObjArgs(error, name, first, second, nullptr);
    if (made) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made)), made);
    Py_XDECREF(made);
}

/// Whether two equal values are alike; false with an error set when a function of the user's raised one. The types that
/// most values have are looked at here, all others in Python.
bool Session::are_alike(PyObject* one, PyObject* other) {
    if (one == other) return true;
    if (Py_TYPE(one) != Py_TYPE(other)) return false;
    if (PyLong_CheckExact(one) || PyUnicode_CheckExact(one) || PyBytes_CheckExact(one)) return true;
    if (PyTuple_CheckExact(one)) {
        for (Py_ssize_t i = 0; i < PyTuple_Size(one); ++i)
            if (!are_alike(PyTuple_GetItem(one, i), PyTuple_GetItem(other, i))) return false;
        return true;
    }
    if (PyFrozenSet_CheckExact(one) && holds_plain(one) && holds_plain(other)) return true;
    PyObject* answer = PyObject_CallFunctionObjArgs(alike, one, other, nullptr);
    const bool yes = answer == Py_True;
    Py_XDECREF(answer);
    return yes;
}

PyObject* Session::as_kept(PyObject* value) {
    if (is_simple(value)) return Py_NewRef(value);
    return PyObject_CallFunctionObjArgs(settled, value, nullptr);
}

bool Session::intern(Domain& domain, PyObject* value, Id& id, bool asked) {
    if (PyObject* found = PyDict_GetItemWithError(domain.ids, value)) {
        id = static_cast<Id>(PyLong_AsUnsignedLong(found));
        const std::size_t position = id - domain.base;
        if (asked) return true;
        if (domain.asked[position]) {  // the first to be given: from now on this is the value
            count_with(domain, value, position);
            domain.asked[position] = false;
            PyObject* kept = as_kept(value);
            return kept && PyList_SetItem(domain.values, static_cast<Py_ssize_t>(position), kept) == 0;
        }
        PyObject* known = PyList_GetItem(domain.values, static_cast<Py_ssize_t>(position));
        if (are_alike(known, value)) return true;
        if (!PyErr_Occurred()) raise(unlike, domain.name, known, value);
        return false;
    }
    if (PyErr_Occurred()) return false;
    PyObject* why = PyObject_CallFunctionObjArgs(unfit, value, nullptr);
    if (why != Py_None) {
        if (why) PyErr_SetObject(PyExc_TypeError, why);
        Py_XDECREF(why);
        return false;
    }
    Py_DECREF(why);
    const std::size_t position = domain.asked.size();
    if (!asked) count_with(domain, value, position);
    Id kind = 0;
    if (domain.kinds && !(PyTuple_Check(value) && intern(*domain.kinds, PyTuple_GetItem(value, 0), kind, asked))) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a token without a stamp");
        return false;
    }
    id = static_cast<Id>(position) + domain.base;
    PyObject* kept = as_kept(value);
    PyObject* number = PyLong_FromUnsignedLong(id);
    const bool done = kept && number && PyDict_SetItem(domain.ids, kept, number) == 0 && PyList_Append(domain.values, kept) == 0;
    Py_XDECREF(number);
    Py_XDECREF(kept);
    if (!done) return false;
    domain.asked.push_back(asked);
    if (domain.kinds) program.schema.variables[domain.fields[0]].stamps.add(kind, PyLong_AsLongLong(PyTuple_GetItem(value, 1)));
    for (const std::uint32_t field : domain.fields) program.schema.set_values(field, std::uint64_t{id} + 1);
    return true;
}

void Session::count_with(const Domain& domain, PyObject* value, std::size_t position) {
    if (domain.numbers < 0) return;
    int overflow = 1;
    const long long number = counts_as_int(Py_TYPE(value)) ? PyLong_AsLongLongAndOverflow(value, &overflow) : 0;
    const bool countable = !overflow && number <= most_number && number >= -most_number;
    uncountable = uncountable || !countable;
    std::vector<std::int64_t>& numbers = linear.numbers[static_cast<std::size_t>(domain.numbers)];
    numbers.resize(std::max(numbers.size(), position + 1));
    numbers[position] = countable ? number : 0;
}

PyObject* Session::value(const Domain& domain, Id id) const {
    return PyList_GetItem(domain.values, static_cast<Py_ssize_t>(id - domain.base));
}

bool Session::make_stamped(std::uint32_t bag, Id kind, std::int64_t wait, Id& id) {
    for (PythonVariable& variable : variables) {
        if (variable.field != bag || variable.kind != PythonVariable::Kind::bag) continue;
        PyObject* number = PyLong_FromLongLong(wait);
        PyObject* token = number ? PyObject_CallFunctionObjArgs(stamped, value(*variable.domain.kinds, kind), number, nullptr) : nullptr;
        const bool done = token && intern(variable.domain, token, id);
        Py_XDECREF(number);
        Py_XDECREF(token);
        return done;
    }
    return false;
}

bool Session::make_later(Id clock, std::int64_t passed, Id& id) {
    for (PythonVariable& variable : variables) {
        if (variable.field != program.schema.clock || variable.kind != PythonVariable::Kind::scalar) continue;
        PyObject* number = PyLong_FromLongLong(passed);
        PyObject* time = number ? PyNumber_Add(value(variable.domain, clock), number) : nullptr;
        const bool done = time && intern(variable.domain, time, id);
        Py_XDECREF(number);
        Py_XDECREF(time);
        return done;
    }
    return false;
}

namespace {

/// A Bag, Queue or Array from the ids it holds.
PyObject* build(Session& session, const PythonVariable& variable, const std::vector<Id>& held) {
    const bool is_bag = variable.kind == PythonVariable::Kind::bag;
    PyObject* content = is_bag ? PyDict_New() : PyList_New(0);
    if (!content) return nullptr;
    for (std::size_t i = 0; i < held.size(); i += is_bag ? 2 : 1) {
        PyObject* element = session.value(variable.domain, held[i]);
        PyObject* count = is_bag ? PyLong_FromUnsignedLong(held[i + 1]) : nullptr;
        const int failed = is_bag ? PyDict_SetItem(content, element, count) : PyList_Append(content, element);
        Py_XDECREF(count);
        if (failed) {
            Py_DECREF(content);
            return nullptr;
        }
    }
    PyObject* result = nullptr;
    if (is_bag) {
        result = PyObject_CallFunctionObjArgs(session.bag, content, nullptr);
    } else if (variable.kind == PythonVariable::Kind::array) {
        result = PyObject_CallFunctionObjArgs(session.array, content, nullptr);
    } else {
        PyObject* capacity = variable.capacity < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(variable.capacity);
        result = PyObject_CallFunctionObjArgs(session.queue, content, capacity, nullptr);
        Py_XDECREF(capacity);
    }
    Py_DECREF(content);
    return result;
}

}  // namespace

PyObject* Session::materialise(PythonVariable& variable) {
    if (variable.kind != PythonVariable::Kind::array) {
        try {
            return build(*this, variable, run->whole(variable.field));
        } catch (const TooManyTokens&) {  // no exception of C++ may pass through Python's frames
            raise(crowded, variable.name);
            return nullptr;
        }
    }
    std::vector<Id> held;
    for (std::uint32_t i = 0; i < variable.length; ++i) held.push_back(run->read(variable.field + i));
    return build(*this, variable, held);
}

PyObject* Session::unpack(const Unpacked& state) {
    PyObject* result = PyTuple_New(static_cast<Py_ssize_t>(variables.size()));
    for (std::size_t i = 0; result && i < variables.size(); ++i) {
        PythonVariable& variable = variables[i];
        PyObject* item = nullptr;
        if (variable.kind == PythonVariable::Kind::scalar) {
            item = Py_NewRef(value(variable.domain, state[variable.field][0]));
        } else if (variable.kind == PythonVariable::Kind::array) {
            std::vector<Id> held;
            for (std::uint32_t e = 0; e < variable.length; ++e) held.push_back(state[variable.field + e][0]);
            item = build(*this, variable, held);
        } else {
            item = build(*this, variable, state[variable.field]);
        }
        if (!item) {
            Py_DECREF(result);
            return nullptr;
        }
        PyTuple_SetItem(result, static_cast<Py_ssize_t>(i), item);
    }
    return result;
}

bool Session::pack(PyObject* state, Unpacked& unpacked) {
    unpacked.assign(program.schema.variables.size(), {});
    for (std::size_t i = 0; i < variables.size(); ++i) {
        PythonVariable& variable = variables[i];
        PyObject* item = PyTuple_GetItem(state, static_cast<Py_ssize_t>(i));
        if (!item) return false;
        if (variable.kind == PythonVariable::Kind::scalar) {
            Id id = 0;
            if (!intern(variable.domain, item, id)) return false;
            unpacked[variable.field] = {id};
            continue;
        }
        // A bag is iterated as pairs of token and count, the others element by element.
        const bool is_bag = variable.kind == PythonVariable::Kind::bag;
        PyObject* items = is_bag ? PyObject_CallMethod(item, "items", nullptr) : Py_NewRef(item);
        PyObject* sequence = items ? PySequence_Tuple(items) : nullptr;
        Py_XDECREF(items);
        if (!sequence) return false;
        std::vector<std::pair<Id, Id>> held;
        unsigned long long tokens = 0;
        for (Py_ssize_t j = 0; j < PyTuple_Size(sequence); ++j) {
            PyObject* element = PyTuple_GetItem(sequence, j);
            PyObject* token = is_bag ? PyTuple_GetItem(element, 0) : element;
            Id id = 0;
            if (!intern(variable.domain, token, id)) {
                Py_DECREF(sequence);
                return false;
            }
            const unsigned long long count = is_bag ? PyLong_AsUnsignedLongLong(PyTuple_GetItem(element, 1)) : 1;
            tokens += count;
            if (count > most_tokens || tokens > most_tokens) {
                PyErr_Clear();
                raise(crowded, variable.name);
                Py_DECREF(sequence);
                return false;
            }
            held.emplace_back(id, static_cast<Id>(count));
        }
        Py_DECREF(sequence);
        if (is_bag) std::sort(held.begin(), held.end(), std::greater<>());
        for (std::size_t j = 0; j < held.size(); ++j) {
            if (variable.kind == PythonVariable::Kind::array)
                unpacked[variable.field + j] = {held[j].first};
            else if (is_bag)
                unpacked[variable.field].insert(unpacked[variable.field].end(), {held[j].first, held[j].second});
            else
                unpacked[variable.field].push_back(held[j].first);
        }
    }
    return true;
}

}  // namespace sweep::python
