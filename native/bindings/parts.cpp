// Parts of bags and queues, and what is asked for one element of a queue: see engines/native/parts.py.
#include <optional>
#include <utility>

#include "editor.hpp"
#include "values.hpp"

namespace sweep::python {

namespace {

enum Parts : long { tokens_themselves, classes, counted_classes, membership };
constexpr std::size_t most_sieves = 1 << 14;
constexpr std::int64_t few_elements = 4;  // of a queue that cannot hold more: looking at each is faster than a part

/// Which sieve this is: by what tells it from others, or a new one; nothing where there are too many, or with an error set.
std::optional<std::uint32_t> sieve_of(EditorObject* self, PyObject* key, long by) {
    Session* session = self->session;
    std::vector<Sieve>& sieves = session->domains.program.schema.sieves;
    const nb::object told = nb::steal(Py_BuildValue("(IlO)", static_cast<unsigned int>(self->variable), by, key));
    if (!told.is_valid()) return std::nullopt;
    PyObject* known = PyDict_GetItemWithError(session->sieve_numbers.ptr(), told.ptr());
    if (known) return static_cast<std::uint32_t>(PyLong_AsUnsignedLong(known));
    if (PyErr_Occurred() || sieves.size() >= most_sieves) return std::nullopt;
    const nb::object number = nb::steal(PyLong_FromSize_t(sieves.size()));
    if (!number.is_valid() || PyDict_SetItem(session->sieve_numbers.ptr(), told.ptr(), number.ptr()) != 0) return std::nullopt;
    const PythonVariable& variable = variable_of(self);
    const bool in_order = variable.kind == VariableKind::queue && by == tokens_themselves;
    sieves.push_back(
        {.field = variable.field, .counts = by != classes, .in_order = in_order, .membership = by == membership, .classes = {}, .met = {}});
    return static_cast<std::uint32_t>(sieves.size() - 1);
}

/// Ask where a token belongs. Nothing of the state can be looked at meanwhile: the answer is to hold in all states.
bool sort_out(EditorObject* self, std::uint32_t sieve, long by, PyObject* belongs, Id id) {
    Session* session = self->session;
    const nb::object token = nb::steal(owned_value(session, variable_of(self).domain, id));
    if (!token.is_valid()) return false;
    const std::uint64_t generation = std::exchange(session->generation, 0);
    const nb::object found = nb::steal(PyObject_CallFunctionObjArgs(belongs, token.ptr(), nullptr));
    session->generation = generation;
    if (!found.is_valid()) return false;
    Id its = found.is_none() ? Sieve::passed_over : found.ptr() == Py_NotImplemented ? Sieve::unfit : Sieve::first_class + id;
    if (by != tokens_themselves && its >= Sieve::first_class) {
        its = Sieve::first_class + static_cast<Id>(PyLong_AsUnsignedLong(found.ptr()));
        if (PyErr_Occurred()) return false;
    }
    session->domains.program.schema.sieves[sieve].set_class(id, its);
    return true;
}

/// The numbers of classes, each as often as it is there.
PyObject* listed(const std::vector<Id>& part) {
    nb::object list = nb::steal(PyList_New(0));
    for (std::size_t i = 0; list.is_valid() && i < part.size(); i += 2) {
        const nb::object number = nb::steal(PyLong_FromUnsignedLong(part[i] - Sieve::first_class));
        for (Id n = 0; n < part[i + 1]; ++n)
            if (!number.is_valid() || PyList_Append(list.ptr(), number.ptr()) != 0) return nullptr;
    }
    return list.release().ptr();
}

}  // namespace

/// `@part(key, by, belongs)`, a name that nobody else can have: the tokens that matter, as a bag, set or queue, or the classes that are
/// there; NotImplemented where all has to be looked at. `key` tells this way to look from others; `belongs` says of a token its class, None
/// where it does not matter, or NotImplemented.
PyObject* part_of(PyObject* object, PyObject* const* arguments, Py_ssize_t count) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    const long by = count == 3 ? PyLong_AsLong(arguments[1]) : -1;
    if (by < tokens_themselves || by > counted_classes) {
        PyErr_SetString(PyExc_TypeError, "wrong arguments");
        return nullptr;
    }
    Session* session = self->session;
    const PythonVariable& variable = variable_of(self);
    const bool is_queue = variable.kind == VariableKind::queue;
    if (is_queue && variable.capacity >= 0 && variable.capacity <= few_elements) Py_RETURN_NOTIMPLEMENTED;
    if (variable.kind == VariableKind::timed || ((by != tokens_themselves || is_queue) && session->run->changed(variable.field)))
        Py_RETURN_NOTIMPLEMENTED;
    const std::optional<std::uint32_t> sieve = sieve_of(self, arguments[0], by);
    if (!sieve) return PyErr_Occurred() ? nullptr : Py_NewRef(Py_NotImplemented);
    while (const std::optional<Id> id = session->run->unasked(session->domains.program.schema.sieves[*sieve]))
        if (!sort_out(self, *sieve, by, arguments[2], *id)) return nullptr;
    try {
        std::optional<std::vector<Id>> held = by == tokens_themselves ? session->run->tokens(*sieve) : session->run->part(*sieve);
        if (!held) Py_RETURN_NOTIMPLEMENTED;
        if (is_queue && by == tokens_themselves) {  // each stands once, and in its place
            for (std::size_t i = 0; 2 * i < held->size(); ++i) (*held)[i] = (*held)[2 * i];
            held->resize(held->size() / 2);
        }
        return by == tokens_themselves ? build(session->domains, variable, *held).release().ptr() : listed(*held);
    } catch (const TooManyTokens&) {  // no exception of C++ may pass through Python's frames
        raise(session->domains.words.crowded, variable.name.ptr());
        return nullptr;
    }
}

/// Whether a queue that this run has left alone holds an element: one question, and not one for each place in the queue.
int queue_contains(PyObject* object, PyObject* wanted) {
    auto* self = as_editor(object);
    if (!is_open(self)) return -1;
    Session* session = self->session;
    const PythonVariable& variable = variable_of(self);
    if (session->run->changed(variable.field)) return sequence_contains(object, wanted);
    const nb::object key = nb::steal(Py_BuildValue("(O)", wanted));
    const std::optional<std::uint32_t> sieve = key.is_valid() ? sieve_of(self, key.ptr(), membership) : std::nullopt;
    if (!sieve) {
        PyErr_Clear();  // what cannot be hashed may equal an element all the same
        return sequence_contains(object, wanted);
    }
    while (const std::optional<Id> id = session->run->unasked(session->domains.program.schema.sieves[*sieve])) {
        const int equal = PyObject_RichCompareBool(session->domains.value(variable.domain, *id), wanted, Py_EQ);
        if (equal < 0) return -1;
        session->domains.program.schema.sieves[*sieve].set_class(*id, equal ? Sieve::first_class : Sieve::passed_over);
    }
    return session->run->holds(*sieve);
}

}  // namespace sweep::python
