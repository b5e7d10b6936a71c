#include "values.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace sweep::python {

namespace {

nb::object elements_of(const Domains& domains, const PythonVariable& variable, const std::vector<Id>& held) {
    nb::list elements;
    for (const Id id : held)
        if (PyList_Append(elements.ptr(), domains.value(variable.domain, id)) != 0) return {};
    return elements;
}

/// Positions of tokens among `held`, in the fixed order of values. Keys are kept: to make them takes longer than all the rest.
nb::object in_order(const Domains& domains, const PythonVariable& variable, const std::vector<Id>& held) {
    nb::list places;
    for (std::size_t i = 0; i < held.size(); i += 2) {
        PyObject* key = domains.sort_key(variable.domain, held[i]);
        const nb::object place = nb::steal(key ? Py_BuildValue("(On)", key, static_cast<Py_ssize_t>(i)) : nullptr);
        if (!place.is_valid() || PyList_Append(places.ptr(), place.ptr()) != 0) return {};
    }
    return PyList_Sort(places.ptr()) == 0 ? nb::object(places) : nb::object();
}

/// The tokens of a bag with their counts.
nb::object items_of(const Domains& domains, const PythonVariable& variable, const std::vector<Id>& held) {
    const nb::object places = in_order(domains, variable, held);
    const Py_ssize_t size = places.is_valid() ? PyList_Size(places.ptr()) : 0;
    nb::object items = places.is_valid() ? nb::steal(PyTuple_New(size)) : nb::object();
    for (Py_ssize_t i = 0; items.is_valid() && i < size; ++i) {
        const auto at = static_cast<std::size_t>(PyLong_AsSsize_t(PyTuple_GetItem(PyList_GetItem(places.ptr(), i), 1)));
        PyObject* item = Py_BuildValue("(OI)", domains.value(variable.domain, held[at]), static_cast<unsigned int>(held[at + 1]));
        if (!item || PyTuple_SetItem(items.ptr(), i, item) != 0) return {};
    }
    return items;
}

/// What a variable holds in a state, as the ids in `Unpacked`: an array has a field for each element.
std::vector<Id> held_by(const PythonVariable& variable, const Unpacked& state) {
    if (variable.kind != VariableKind::array) return state[variable.field];
    std::vector<Id> held;
    for (std::uint32_t i = 0; i < variable.length; ++i) held.push_back(state[variable.field + i][0]);
    return held;
}

/// The tokens of a bag with their counts, the largest id first.
std::vector<Id> tokens_of(Domains& domains, PythonVariable& variable, nb::handle bag) {
    std::vector<std::pair<Id, Id>> held;
    unsigned long long tokens = 0;
    for (nb::handle item : nb::tuple(bag.attr("items")())) {
        Id id = 0;
        if (!domains.intern(variable.domain, nb::object(item[0]).ptr(), id)) throw nb::python_error();
        const unsigned long long count = PyLong_AsUnsignedLongLong(nb::object(item[1]).ptr());
        tokens += count;
        if (count > most_tokens || tokens > most_tokens) {
            PyErr_Clear();
            raise(domains.words.crowded, variable.name.ptr());
            throw nb::python_error();
        }
        held.emplace_back(id, static_cast<Id>(count));
    }
    std::sort(held.begin(), held.end(), std::greater<>());
    std::vector<Id> ids;
    for (const auto& [id, count] : held) ids.insert(ids.end(), {id, count});
    return ids;
}

std::vector<Id> ids_of(Domains& domains, PythonVariable& variable, nb::handle sequence) {
    std::vector<Id> ids;
    for (nb::handle element : nb::tuple(nb::borrow(sequence)))
        if (!domains.intern(variable.domain, element.ptr(), ids.emplace_back())) throw nb::python_error();
    return ids;
}

}  // namespace

nb::object build(const Domains& domains, const PythonVariable& variable, const std::vector<Id>& held) {
    const Vocabulary& words = domains.words;
    const nb::object content = variable.is_bag() ? items_of(domains, variable, held) : elements_of(domains, variable, held);
    if (!content.is_valid()) return {};
    const auto made = [&](const nb::object& type, PyObject* capacity = nullptr) {
        return nb::steal(PyObject_CallFunctionObjArgs(type.ptr(), content.ptr(), capacity, nullptr));
    };
    if (variable.is_bag()) return made(variable.kind == VariableKind::set ? words.set_of : words.bag_of);
    if (variable.kind == VariableKind::array) return made(words.array);
    if (variable.capacity < 0) return made(words.queue, Py_None);
    const nb::object capacity = nb::steal(PyLong_FromLongLong(variable.capacity));
    return capacity.is_valid() ? made(words.queue, capacity.ptr()) : nb::object();
}

nb::object python_state(const Domains& domains, const Unpacked& state) {
    nb::object result = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(domains.variables.size())));
    if (!result.is_valid()) throw nb::python_error();
    Py_ssize_t position = 0;
    for (const PythonVariable& variable : domains.variables) {
        nb::object item = variable.is_scalar() ? nb::borrow(domains.value(variable.domain, state[variable.field][0]))
                                               : build(domains, variable, held_by(variable, state));
        if (!item.is_valid()) throw nb::python_error();
        PyTuple_SetItem(result.ptr(), position++, item.release().ptr());
    }
    return result;
}

nb::object python_state(const Domains& domains, const Word* state) {
    const Schema& schema = domains.program.schema;
    nb::object result = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(domains.variables.size())));
    if (!result.is_valid()) throw nb::python_error();
    const auto load = [&](std::size_t field) { return static_cast<Id>(schema.layout.fields[field].load(state)); };
    std::vector<Id> held;
    Py_ssize_t position = 0;
    for (const PythonVariable& variable : domains.variables) {
        nb::object item;
        if (variable.is_scalar()) {
            item = nb::borrow(domains.value(variable.domain, load(variable.field)));
        } else {
            held.clear();
            if (variable.kind != VariableKind::array)
                schema.contents_of(variable.field, state, held);
            else
                for (std::uint32_t i = 0; i < variable.length; ++i) held.push_back(load(variable.field + i));
            item = build(domains, variable, held);
        }
        if (!item.is_valid()) throw nb::python_error();
        PyTuple_SetItem(result.ptr(), position++, item.release().ptr());
    }
    return result;
}

nb::list python_states(const Domains& domains, const std::vector<Unpacked>& states) {
    nb::list result;
    for (const Unpacked& state : states) result.append(python_state(domains, state));
    return result;
}

Unpacked unpacked_state(Domains& domains, nb::handle state) {
    Unpacked unpacked(domains.program.schema.variables.size());
    Py_ssize_t position = 0;
    for (PythonVariable& variable : domains.variables) {
        const nb::handle item = PyTuple_GetItem(state.ptr(), position++);
        if (!item.is_valid()) throw nb::python_error();
        if (variable.is_scalar()) {
            Id id = 0;
            if (!domains.intern(variable.domain, item.ptr(), id)) throw nb::python_error();
            unpacked[variable.field] = {id};
        } else if (variable.is_bag()) {
            unpacked[variable.field] = tokens_of(domains, variable, item);
        } else if (variable.kind == VariableKind::queue) {
            unpacked[variable.field] = ids_of(domains, variable, item);
        } else {
            std::size_t field = variable.field;
            for (const Id id : ids_of(domains, variable, item)) unpacked[field++] = {id};
        }
    }
    return unpacked;
}

}  // namespace sweep::python
