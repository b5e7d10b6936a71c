// A number in question: what a function gets for a scalar where it is the better for not knowing its value. Comparisons are recorded
// instead of the value; a number added to it gives another one, and so does another of its kind. Whatever else is done with it looks
// at the value, which is recorded then. It is no subclass of int: nobody can get at a value that was not asked for.
// A text in question is told from other texts, and whatever else is done with it looks at it.
#include "number.hpp"

#include <optional>

#include "editor.hpp"

namespace sweep::python {

namespace {

struct NumberObject : RunObject {
    Sum sum;
};

struct TextObject : RunObject {
    std::uint32_t field;
};

NumberObject* as_number(PyObject* object) { return reinterpret_cast<NumberObject*>(object); }
TextObject* as_text(PyObject* object) { return reinterpret_cast<TextObject*>(object); }
bool is_number(PyObject* object) { return Py_TYPE(object) == types.number; }
bool is_text(PyObject* object) { return Py_TYPE(object) == types.text; }

/// The value, which is looked at.
PyObject* value_of(PyObject* object) {
    auto* self = static_cast<RunObject*>(as_number(object));
    if (!is_open(self)) return nullptr;
    Session* session = self->session;
    if (is_number(object)) return PyLong_FromLongLong(session->run->value(as_number(object)->sum));
    const std::uint32_t field = as_text(object)->field;
    return owned_value(session, session->domains.holding(field).domain, session->run->read(field));
}

/// The value of what is in question; anything else as it is. Owned.
PyObject* plain(PyObject* object) { return types.is_in_question(Py_TYPE(object)) ? value_of(object) : Py_NewRef(object); }

PyObject* compare_values(PyObject* one, PyObject* other, int operation) {
    PyObject *left = plain(one), *right = left ? plain(other) : nullptr;
    PyObject* result = right ? PyObject_RichCompare(left, right, operation) : nullptr;
    Py_XDECREF(left);
    Py_XDECREF(right);
    return result;
}

/// What can be summed up: numbers in question, and whole numbers that are not too large.
std::optional<Sum> sum_of(PyObject* object) {
    if (is_number(object)) return as_number(object)->sum;
    if (!PyLong_CheckExact(object) && !PyBool_Check(object)) return std::nullopt;
    int overflow = 0;
    Sum sum;
    sum.constant = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow || sum.constant > Sum::most_constant || sum.constant < -Sum::most_constant) return std::nullopt;
    return sum;
}

/// The session of a run that goes on, of one of the two; nothing with a Python error set.
Session* session_of(PyObject* one, PyObject* other) {
    auto* self = as_number(is_number(one) ? one : other);
    return is_open(self) ? self->session : nullptr;
}

template <PyObject* (*operate)(PyObject*, PyObject*)>
PyObject* on_values(PyObject* one, PyObject* other) {
    PyObject *a = plain(one), *b = a ? plain(other) : nullptr;
    PyObject* result = b ? operate(a, b) : nullptr;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

template <PyObject* (*operate)(PyObject*)>
PyObject* on_value(PyObject* object) {
    PyObject* value = value_of(object);
    PyObject* result = value ? operate(value) : nullptr;
    Py_XDECREF(value);
    return result;
}

template <int sign, PyObject* (*operate)(PyObject*, PyObject*)>
PyObject* add(PyObject* one, PyObject* other) {
    Session* session = session_of(one, other);
    if (!session) return nullptr;
    const std::optional<Sum> a = sum_of(one), b = sum_of(other);
    const std::optional<Sum> sum = a && b ? a->plus(*b, sign) : std::nullopt;
    return sum ? make_number(session, *sum) : on_values<operate>(one, other);
}

PyObject* multiply(PyObject* one, PyObject* other) {
    Session* session = session_of(one, other);
    if (!session) return nullptr;
    const std::optional<Sum> a = sum_of(one), b = sum_of(other);
    std::optional<Sum> product;
    if (a && b && b->size == 0)
        product = a->times(b->constant);
    else if (a && b && a->size == 0)
        product = b->times(a->constant);
    return product ? make_number(session, *product) : on_values<PyNumber_Multiply>(one, other);
}

PyObject* negate(PyObject* object) {
    auto* self = as_number(object);
    if (!is_open(self)) return nullptr;
    const std::optional<Sum> negated = self->sum.times(-1);
    return negated ? make_number(self->session, *negated) : on_value<PyNumber_Negative>(object);
}

PyObject* power(PyObject* base, PyObject* exponent, PyObject* modulus) {
    PyObject *a = plain(base), *b = a ? plain(exponent) : nullptr, *c = b ? plain(modulus) : nullptr;
    PyObject* result = c ? PyNumber_Power(a, b, c) : nullptr;
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    return result;
}

PyObject* compare(PyObject* one, PyObject* other, int operation) {
    Session* session = session_of(one, other);
    if (!session) return nullptr;
    const std::optional<Sum> a = sum_of(one), b = sum_of(other);
    const std::optional<Sum> difference = a && b ? a->plus(*b, -1) : std::nullopt;
    if (!difference) return compare_values(one, other, operation);
    Recording& run = *session->run;
    switch (operation) {
        case Py_LT: return PyBool_FromLong(!run.not_less(*difference, 0));
        case Py_LE: return PyBool_FromLong(!run.not_less(*difference, 1));
        case Py_GE: return PyBool_FromLong(run.not_less(*difference, 0));
        case Py_GT: return PyBool_FromLong(run.not_less(*difference, 1));
        case Py_EQ: return PyBool_FromLong(run.equal(*difference, 0));
        default: return PyBool_FromLong(!run.equal(*difference, 0));
    }
}

int is_true(PyObject* object) {
    auto* self = as_number(object);
    return is_open(self) ? !self->session->run->equal(self->sum, 0) : -1;
}

Py_hash_t hash(PyObject* object) {
    PyObject* value = value_of(object);
    const Py_hash_t hash = value ? PyObject_Hash(value) : -1;
    Py_XDECREF(value);
    return hash;
}

PyObject* compare_text(PyObject* object, PyObject* other, int operation) {
    auto* self = as_text(object);
    if (!is_open(self)) return nullptr;
    if (!PyUnicode_CheckExact(other) || (operation != Py_EQ && operation != Py_NE)) return compare_values(object, other, operation);
    const bool equal = self->session->run->equal(Sum::of(self->field), self->session->domains.text_number(other));
    return PyBool_FromLong(equal == (operation == Py_EQ));
}

int is_true_text(PyObject* object) {
    PyObject* value = value_of(object);
    const int result = value ? PyObject_IsTrue(value) : -1;
    Py_XDECREF(value);
    return result;
}

Py_ssize_t length(PyObject* object) {
    PyObject* value = value_of(object);
    const Py_ssize_t result = value ? PyObject_Size(value) : -1;
    Py_XDECREF(value);
    return result;
}

int contains(PyObject* object, PyObject* part) {
    PyObject* value = value_of(object);
    const int result = value ? PySequence_Contains(value, part) : -1;
    Py_XDECREF(value);
    return result;
}

PyObject* itself(PyObject* value) { return Py_NewRef(value); }

/// isinstance(s.x, int) asks for the class; all other attributes are those of the value.
PyObject* attribute(PyObject* object, PyObject* name) {
    PyTypeObject* const type = is_text(object) ? &PyUnicode_Type : &PyLong_Type;
    if (PyUnicode_CompareWithASCIIString(name, "__class__") == 0) return Py_NewRef(reinterpret_cast<PyObject*>(type));
    PyObject* value = value_of(object);
    PyObject* found = value ? PyObject_GetAttr(value, name) : nullptr;
    Py_XDECREF(value);
    return found;
}

// What Python looks for in the type, not in the object.
constexpr const char* looked_up[] = {"__format__", "__round__", "__floor__", "__ceil__", "__trunc__", "__reduce_ex__", "__copy__"};

template <int index>
PyObject* method(PyObject* object, PyObject* arguments) {
    PyObject* value = value_of(object);
    PyObject* found = value ? PyObject_GetAttrString(value, looked_up[index]) : nullptr;
    PyObject* result = found ? PyObject_CallObject(found, arguments) : nullptr;
    Py_XDECREF(found);
    Py_XDECREF(value);
    return result;
}

PyObject* copied(PyObject* object, PyObject*) { return value_of(object); }

PyMethodDef methods[] = {{looked_up[0], method<0>, METH_VARARGS, nullptr},
                         {looked_up[1], method<1>, METH_VARARGS, nullptr},
                         {looked_up[2], method<2>, METH_VARARGS, nullptr},
                         {looked_up[3], method<3>, METH_VARARGS, nullptr},
                         {looked_up[4], method<4>, METH_VARARGS, nullptr},
                         {looked_up[5], method<5>, METH_VARARGS, nullptr},
                         {"__copy__", copied, METH_VARARGS, nullptr},
                         {"__deepcopy__", copied, METH_VARARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* scalar_value(Session* session, const Domain& domain, std::uint32_t field) {
    Recording& run = *session->run;
    if (run.in_question(field)) return make_number(session, run.number(field));
    if (!run.text_in_question(field)) return owned_value(session, domain, run.read(field));
    auto* text = make<TextObject>(types.text, session);
    if (text) text->field = field;
    return reinterpret_cast<PyObject*>(text);
}

int set_scalar(Session* session, Domain& domain, std::uint32_t field, PyObject* value) {
    if (is_number(value) && is_open(as_number(value)) && session->run->shift(field, as_number(value)->sum)) return 0;
    Id id = 0;
    if (!(session->advance ? session->advance->intern(domain, value, id) : session->domains.intern(domain, value, id))) return -1;
    session->run->write(field, id);
    return 0;
}

PyObject* make_number(Session* session, const Sum& sum) {
    auto* number = make<NumberObject>(types.number, session);
    if (number) number->sum = sum;
    return reinterpret_cast<PyObject*>(number);
}

PyObject* token_value(Session* session, const Domain& domain, Id id) {
    const std::optional<Sum> number = session->run->taken_number();
    return number ? make_number(session, *number) : owned_value(session, domain, id);
}

bool add_number(Session* session, std::uint32_t bag, PyObject* token, std::uint32_t count) {
    return is_number(token) && as_number(token)->generation == session->generation && session->run->add(bag, as_number(token)->sum, count);
}

PyObject* without_questions(PyObject* value) {
    if (!PyTuple_CheckExact(value)) return plain(value);
    const Py_ssize_t size = PyTuple_Size(value);
    PyObject* result = PyTuple_New(size);
    for (Py_ssize_t i = 0; result && i < size; ++i) {
        PyObject* part = without_questions(PyTuple_GetItem(value, i));
        if (!part || PyTuple_SetItem(result, i, part) != 0) Py_CLEAR(result);
    }
    return result;
}

void ready_numbers() {
    types.text = make_type("sweepcheck._core.Text", sizeof(TextObject),
                           {{Py_tp_richcompare, slot(compare_text)},
                            {Py_tp_hash, slot(hash)},
                            {Py_tp_repr, slot(on_value<PyObject_Repr>)},
                            {Py_tp_str, slot(on_value<PyObject_Str>)},
                            {Py_tp_iter, slot(on_value<PyObject_GetIter>)},
                            {Py_tp_getattro, slot(attribute)},
                            {Py_tp_methods, methods},
                            {Py_nb_bool, slot(is_true_text)},
                            {Py_nb_add, slot(on_values<PyNumber_Add>)},
                            {Py_nb_multiply, slot(on_values<PyNumber_Multiply>)},
                            {Py_nb_remainder, slot(on_values<PyNumber_Remainder>)},
                            {Py_nb_int, slot(on_value<PyNumber_Long>)},
                            {Py_nb_float, slot(on_value<PyNumber_Float>)},
                            {Py_sq_contains, slot(contains)},
                            {Py_mp_length, slot(length)},
                            {Py_mp_subscript, slot(on_values<PyObject_GetItem>)}});
    types.number = make_type("sweepcheck._core.Number", sizeof(NumberObject),
                             {{Py_tp_richcompare, slot(compare)},
                              {Py_tp_hash, slot(hash)},
                              {Py_tp_repr, slot(on_value<PyObject_Repr>)},
                              {Py_tp_str, slot(on_value<PyObject_Str>)},
                              {Py_tp_getattro, slot(attribute)},
                              {Py_tp_methods, methods},
                              {Py_nb_bool, slot(is_true)},
                              {Py_nb_add, slot(add<1, PyNumber_Add>)},
                              {Py_nb_subtract, slot(add<-1, PyNumber_Subtract>)},
                              {Py_nb_multiply, slot(multiply)},
                              {Py_nb_negative, slot(negate)},
                              {Py_nb_positive, slot(itself)},
                              {Py_nb_absolute, slot(on_value<PyNumber_Absolute>)},
                              {Py_nb_invert, slot(on_value<PyNumber_Invert>)},
                              {Py_nb_int, slot(on_value<itself>)},
                              {Py_nb_index, slot(on_value<itself>)},
                              {Py_nb_float, slot(on_value<PyNumber_Float>)},
                              {Py_nb_power, slot(power)},
                              {Py_nb_floor_divide, slot(on_values<PyNumber_FloorDivide>)},
                              {Py_nb_true_divide, slot(on_values<PyNumber_TrueDivide>)},
                              {Py_nb_remainder, slot(on_values<PyNumber_Remainder>)},
                              {Py_nb_divmod, slot(on_values<PyNumber_Divmod>)},
                              {Py_nb_lshift, slot(on_values<PyNumber_Lshift>)},
                              {Py_nb_rshift, slot(on_values<PyNumber_Rshift>)},
                              {Py_nb_and, slot(on_values<PyNumber_And>)},
                              {Py_nb_or, slot(on_values<PyNumber_Or>)},
                              {Py_nb_xor, slot(on_values<PyNumber_Xor>)},
                              {Py_nb_matrix_multiply, slot(on_values<PyNumber_MatrixMultiply>)}});
}

}  // namespace sweep::python
