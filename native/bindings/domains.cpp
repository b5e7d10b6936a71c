#include "domains.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "number.hpp"

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
    const nb::object iterator = nb::steal(PyObject_GetIter(set));
    while (iterator.is_valid()) {
        const nb::object element = nb::steal(PyIter_Next(iterator.ptr()));
        if (!element.is_valid()) return !PyErr_Occurred();
        if (!PyLong_CheckExact(element.ptr()) && !PyUnicode_CheckExact(element.ptr())) return false;
    }
    return false;
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

/// How many elements a queue may have; -1 as many as there are.
std::int64_t capacity_of(nb::handle given) {
    if (given.is_none()) return -1;
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(given.ptr(), &overflow);
    if (number == -1 && PyErr_Occurred()) throw nb::python_error();
    return overflow ? static_cast<std::int64_t>(most_tokens) : std::min<std::int64_t>(number, most_tokens);
}

}  // namespace

Vocabulary::Vocabulary(nb::handle given)
    : bag(given.attr("bag")),
      set(given.attr("set")),
      queue(given.attr("queue")),
      array(given.attr("array")),
      bag_of(bag.attr("_of")),
      set_of(set.attr("_of")),
      sort_key(given.attr("sort_key")),
      disabled(given.attr("disabled")),
      nonlinear(given.attr("nonlinear")),
      unfit(given.attr("unfit")),
      settled(given.attr("settled")),
      alike(given.attr("alike")),
      may_notice(given.attr("may_notice")),
      may_catch(given.attr("may_catch")),
      asks_one(given.attr("asks_one")),
      state_text(given.attr("state_text")),
      context(given.attr("context")),
      look(given.attr("look")),
      outsides(given.attr("outsides")),
      closed(given.attr("closed")),
      missing(given.attr("missing")),
      unlike(given.attr("unlike")),
      crowded(given.attr("crowded")) {}

void raise(const nb::object& error, PyObject* name, PyObject* first, PyObject* second) {
    const nb::object made = nb::steal(PyObject_CallFunctionObjArgs(error.ptr(), name, first, second, nullptr));
    if (made.is_valid()) PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

void Domains::add(nb::handle given, VariableKind kind) {
    PythonVariable variable;
    variable.name = given.attr("name");
    variable.kind = kind;
    variable.length = nb::cast<std::uint32_t>(given.attr("length"));
    variable.capacity = capacity_of(given.attr("capacity"));
    variable.stamped = given.attr("stamped");
    add(std::move(variable));
    Id id = 0;
    for (nb::handle known : given.attr("values"))
        if (!intern(variables.back().domain, known.ptr(), id)) throw nb::python_error();
}

void Domains::add_named(nb::handle name, VariableKind kind) {
    PythonVariable variable;
    variable.name = nb::borrow(name);
    variable.kind = kind;
    variable.stamped = nb::none();
    add(std::move(variable));
}

void Domains::add(PythonVariable variable) {
    const VariableKind kind = variable.kind;
    PyObject* interned = variable.name.release().ptr();
    PyUnicode_InternInPlace(&interned);
    variable.name = nb::steal(interned);
    variable.field = static_cast<std::uint32_t>(program.schema.variables.size());
    variable.domain.name = variable.name;
    const bool timed = kind == VariableKind::timed, queue = kind == VariableKind::queue;
    variable.domain.base = variable.is_bag() || queue ? 1 : 0;
    if (timed) {
        variable.domain.kinds = std::make_unique<Domain>();
        variable.domain.kinds->base = 1;
        variable.domain.kinds->name = variable.name;
    }
    if (kind == VariableKind::clock) program.schema.clock = variable.field;
    const std::uint32_t fields = kind == VariableKind::array ? variable.length : 1;
    for (std::uint32_t i = 0; i < fields; ++i) {
        variable.domain.fields.push_back(program.schema.add(variable.is_bag() ? Kind::bag : queue ? Kind::queue : Kind::scalar, timed));
        program.schema.variables.back().is_set = kind == VariableKind::set;
        // Zero means none there; a variable that never holds anything needs no room either.
        program.schema.variables.back().capacity = static_cast<std::uint64_t>(std::max<std::int64_t>(variable.capacity, 0));
    }
    positions[variable.name] = variables.size();
    if (kind == VariableKind::scalar || kind == VariableKind::array) give_numbers(variable.domain);
    variables.push_back(std::move(variable));
}

const PythonVariable& Domains::holding(std::uint32_t field) const {
    const auto after = [](std::uint32_t asked, const PythonVariable& variable) { return asked < variable.field; };
    return *std::prev(std::upper_bound(variables.begin(), variables.end(), field, after));
}

void Domains::give_numbers(Domain& domain) {
    domain.whole = static_cast<std::int32_t>(program.schema.numbers.size());
    program.schema.numbers.emplace_back();
    for (const std::uint32_t field : domain.fields) program.schema.variables[field].numbers = domain.whole;
}

std::uint32_t Domains::add_numbers() {
    linear.numbers.emplace_back();
    return static_cast<std::uint32_t>(linear.numbers.size() - 1);
}

void Domains::add_term(LinearMeasure::Component& component, nb::handle given) {
    using Of = LinearMeasure::Term::Of;
    const Of of = nb::cast<Of>(given.attr("kind"));
    const auto coefficient = nb::cast<std::int64_t>(given.attr("coefficient"));
    const auto index = nb::cast<std::uint32_t>(given.attr("index"));
    if (of == Of::function) {
        component.terms.push_back({of, index, static_cast<std::uint32_t>(summands.at(index).numbers), coefficient});
        return;
    }
    const PythonVariable& variable = variables.at(index);
    Domain& domain = variables.at(index).domain;
    if (of == Of::value && domain.numbers < 0) {
        domain.numbers = static_cast<std::int32_t>(add_numbers());
        std::size_t position = 0;
        for (nb::handle known : domain.values) count_with(domain, known.ptr(), position++);
    }
    const std::uint32_t numbers = of == Of::value ? static_cast<std::uint32_t>(domain.numbers) : 0;
    component.terms.push_back({of, variable.field + nb::cast<std::uint32_t>(given.attr("element")), numbers, coefficient});
}

void Domains::set_linear(nb::handle measure) {
    most_number_ = nb::cast<std::int64_t>(measure.attr("most_number"));
    for (nb::handle function : measure.attr("summands")) summands.push_back({nb::borrow(function), {}, {}, add_numbers()});
    linear.components = sums(measure.attr("terms"));
    for (nb::handle given : measure.attr("arguments")) linear.arguments.push_back(sums(given));
}

std::vector<LinearMeasure::Component> Domains::sums(nb::handle given) {
    std::vector<LinearMeasure::Component> result;
    for (nb::handle one : given) {
        result.push_back({nb::cast<std::int64_t>(one[0]), {}});
        for (nb::handle term : one[1]) add_term(result.back(), term);
    }
    return result;
}

std::uint32_t Domains::count(std::uint32_t index, nb::handle value) {
    Summand& summand = summands[index];
    const std::int64_t counts = counted(value.ptr());
    check_countable();
    if (const nb::object known = summand.ids.get(value, nb::none()); !known.is_none()) return nb::cast<std::uint32_t>(known);
    const auto number = static_cast<std::uint32_t>(nb::len(summand.values));
    linear.numbers[summand.numbers].push_back(counts);
    summand.ids[value] = nb::int_(number);
    summand.values.append(value);
    return number;
}

/// The types that most values have are looked at here, all others in Python.
bool Domains::are_alike(PyObject* one, PyObject* other) const {
    if (one == other) return true;
    if (Py_TYPE(one) != Py_TYPE(other)) return false;
    if (PyLong_CheckExact(one) || PyUnicode_CheckExact(one) || PyBytes_CheckExact(one)) return true;
    if (PyTuple_CheckExact(one)) {
        for (Py_ssize_t i = 0; i < PyTuple_Size(one); ++i)
            if (!are_alike(PyTuple_GetItem(one, i), PyTuple_GetItem(other, i))) return false;
        return true;
    }
    if (PyFrozenSet_CheckExact(one) && holds_plain(one) && holds_plain(other)) return true;
    return nb::steal(PyObject_CallFunctionObjArgs(words.alike.ptr(), one, other, nullptr)).is(nb::handle(Py_True));
}

PyObject* Domains::as_kept(PyObject* value) const {
    if (is_simple(value)) return Py_NewRef(value);
    return PyObject_CallFunctionObjArgs(words.settled.ptr(), value, nullptr);
}

PyObject* Domains::sort_key(const Domain& domain, Id id) const {
    const auto position = static_cast<Py_ssize_t>(id - domain.base);
    if (!domain.sort_keys.is_valid()) domain.sort_keys = nb::list();
    while (PyList_Size(domain.sort_keys.ptr()) <= position)
        if (PyList_Append(domain.sort_keys.ptr(), Py_None) != 0) return nullptr;
    PyObject* known = PyList_GetItem(domain.sort_keys.ptr(), position);
    if (known != Py_None) return known;
    PyObject* key = PyObject_CallFunctionObjArgs(words.sort_key.ptr(), value(domain, id), nullptr);
    return key && PyList_SetItem(domain.sort_keys.ptr(), position, key) == 0 ? key : nullptr;
}

bool Domains::intern(Domain& domain, PyObject* given, Id& id, bool asked, bool is_kept) {
    const nb::object plain = nb::steal(settled ? without_questions(given) : Py_NewRef(given));
    PyObject* const value = plain.ptr();
    if (!value) return false;
    PyObject* found = PyDict_GetItemWithError(domain.ids.ptr(), value);
    if (!found) return !PyErr_Occurred() && admit(domain, value, id, asked, is_kept);
    id = static_cast<Id>(PyLong_AsUnsignedLong(found));
    if (asked) return true;
    const std::size_t position = id - domain.base;
    if (domain.asked[position]) {  // the first to be given: from now on this is the value
        note_number(domain, value, position);
        domain.asked[position] = false;
        if (domain.sort_keys.is_valid() && position < nb::len(domain.sort_keys)) domain.sort_keys[position] = nb::none();
        PyObject* kept = as_kept(value);
        return kept && PyList_SetItem(domain.values.ptr(), static_cast<Py_ssize_t>(position), kept) == 0;
    }
    PyObject* known = PyList_GetItem(domain.values.ptr(), static_cast<Py_ssize_t>(position));
    if (are_alike(known, value)) return true;
    if (!PyErr_Occurred()) raise(words.unlike, domain.name.ptr(), known, value);
    return false;
}

/// Whether a value can be part of a state; else an error is set.
bool Domains::is_fit(PyObject* value) const {
    const bool black = PyTuple_CheckExact(value) && PyTuple_Size(value) == 0;  // of which nets have thousands
    const nb::object why =
        black || PyLong_CheckExact(value) ? nb::none() : nb::steal(PyObject_CallFunctionObjArgs(words.unfit.ptr(), value, nullptr));
    if (why.is_valid() && !why.is_none()) PyErr_SetObject(PyExc_TypeError, why.ptr());
    return why.is_none();
}

PyObject* Domains::fit(PyObject* value) const { return is_fit(value) ? as_kept(value) : nullptr; }

/// A value that nobody has given to the variable or asked about before.
bool Domains::admit(Domain& domain, PyObject* value, Id& id, bool asked, bool is_kept) {
    if (settled) {
        PyErr_SetString(PyExc_RuntimeError, "with plain numbers this value did not turn up");
        return false;
    }
    if (!is_kept && !is_fit(value)) return false;
    const std::size_t position = domain.asked.size();
    if (!asked) note_number(domain, value, position);
    Id kind = 0;
    if (domain.kinds && !(PyTuple_Check(value) && intern(*domain.kinds, PyTuple_GetItem(value, 0), kind, asked))) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a token without a stamp");
        return false;
    }
    id = static_cast<Id>(position) + domain.base;
    const nb::object kept = nb::steal(is_kept ? Py_NewRef(value) : as_kept(value));
    const nb::object number = nb::steal(PyLong_FromUnsignedLong(id));
    if (!kept.is_valid() || !number.is_valid()) return false;
    if (PyDict_SetItem(domain.ids.ptr(), kept.ptr(), number.ptr()) != 0) return false;
    if (PyList_Append(domain.values.ptr(), kept.ptr()) != 0) return false;
    domain.asked.push_back(asked);
    if (domain.kinds) program.schema.variables[domain.fields[0]].stamps.add(kind, PyLong_AsLongLong(PyTuple_GetItem(value, 1)));
    for (const std::uint32_t field : domain.fields) program.schema.set_values(field, std::uint64_t{id} + 1);
    return true;
}

void Domains::note_number(Domain& domain, PyObject* value, std::size_t position) {
    count_with(domain, value, position);
    const bool holds_tokens = domain.base != 0 && !domain.kinds;
    if (domain.fields.empty() || (domain.whole < 0 && !holds_tokens)) return;
    const std::int64_t number = number_of(domain, value);
    if (domain.whole < 0 && number == Numbers::none) return;
    if (domain.whole < 0) {  // the first of a bag: nets have thousands of bags that hold none
        give_numbers(domain);
        if (position > 0) program.schema.set_number(domain.fields[0], domain.base, Numbers::none);
    }
    program.schema.set_number(domain.fields[0], static_cast<Id>(position) + domain.base, number);
}

/// The whole number that a value is; where the first value of a scalar was a text, that by which texts are told apart.
std::int64_t Domains::number_of(const Domain& domain, PyObject* value) {
    Schema& schema = program.schema;
    const bool is_text = PyUnicode_CheckExact(value), is_scalar = domain.base == 0;
    if (is_text && is_scalar && schema.numbers_of(domain.fields[0]).size() == 0)
        for (const std::uint32_t field : domain.fields) schema.variables[field].text = true;
    if (is_scalar && schema.variables[domain.fields[0]].text) return is_text ? text_number(value) : Numbers::none;
    int overflow = 1;
    const long long number = PyLong_CheckExact(value) ? PyLong_AsLongLongAndOverflow(value, &overflow) : 0;
    return !overflow && number <= Numbers::most && number >= -Numbers::most ? number : Numbers::none;
}

void Domains::forget_texts(std::uint32_t field) {
    Domain& texts = domain(field);
    Numbers& numbers = program.schema.numbers[static_cast<std::size_t>(texts.whole)];
    numbers = {};
    numbers.set(0, Numbers::none);  // not all of them have some
    for (const std::uint32_t one : texts.fields) program.schema.variables[one].text = false;
    for (std::size_t position = 0; position < texts.asked.size(); ++position) {
        PyObject* const value = PyList_GetItem(texts.values.ptr(), static_cast<Py_ssize_t>(position));
        if (!texts.asked[position]) program.schema.set_number(field, static_cast<Id>(position), number_of(texts, value));
    }
}

std::int64_t Domains::text_number(PyObject* text) {
    if (PyObject* const known = PyDict_GetItemWithError(texts.ptr(), text)) return PyLong_AsLongLong(known);
    const auto number = static_cast<std::int64_t>(nb::len(texts));
    const nb::object kept = nb::steal(PyLong_FromLongLong(number));
    if (PyErr_Occurred() || PyDict_SetItem(texts.ptr(), text, kept.ptr()) != 0) throw nb::python_error();
    return number;
}

void Domains::count_with(const Domain& domain, PyObject* value, std::size_t position) {
    if (domain.numbers < 0) return;
    std::vector<std::int64_t>& numbers = linear.numbers[static_cast<std::size_t>(domain.numbers)];
    numbers.resize(std::max(numbers.size(), position + 1));
    numbers[position] = counted(value);
}

std::int64_t Domains::counted(PyObject* value) {
    int overflow = 1;
    const long long number = counts_as_int(Py_TYPE(value)) ? PyLong_AsLongLongAndOverflow(value, &overflow) : 0;
    const bool countable = !overflow && number <= most_number_ && number >= -most_number_;
    uncountable = uncountable || !countable;
    return countable ? number : 0;
}

Id Domains::stamped(std::uint32_t bag, Id kind, std::int64_t wait) {
    PythonVariable& variable = variables[static_cast<std::size_t>(&holding(bag) - variables.data())];
    const nb::object token = variable.stamped(nb::handle(value(*variable.domain.kinds, kind)), wait);
    Id id = 0;
    if (!intern(variable.domain, token.ptr(), id)) throw nb::python_error();
    return id;
}

Id Domains::later(Id clock, std::int64_t passed) { return time(nb::handle(value(domain(program.schema.clock), clock)) + nb::int_(passed)); }

Id Domains::beginning() { return time(nb::int_(0)); }

Id Domains::time(const nb::object& at) {
    Id id = 0;
    if (!intern(domain(program.schema.clock), at.ptr(), id)) throw nb::python_error();
    return id;
}

Domain& Domains::domain(std::uint32_t field) { return variables[static_cast<std::size_t>(&holding(field) - variables.data())].domain; }

void Domains::meet_number(std::uint32_t field, std::int64_t number) {
    Id id = 0;
    if (!intern(domain(field), nb::int_(number).ptr(), id)) throw nb::python_error();
}

void Domains::check_countable() const {
    if (!uncountable) return;
    PyErr_SetNone(words.nonlinear.ptr());
    throw nb::python_error();
}

}  // namespace sweep::python
