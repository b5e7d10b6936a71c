#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "editor.hpp"
#include "number.hpp"

namespace sweep::python {

namespace {

/// A number, or one in question.
bool is_index(PyObject* index) { return PyLong_Check(index) || Py_TYPE(index) == types.number; }

bool position_of(EditorObject* self, PyObject* index, std::uint32_t& position) {
    const Py_ssize_t length = variable_of(self).length;
    if (!is_index(index)) {
        PyErr_SetString(PyExc_TypeError, "array indices are integers");
        return false;
    }
    Py_ssize_t at = PyNumber_AsSsize_t(index, PyExc_OverflowError);
    if (at == -1 && PyErr_Occurred()) return false;
    if (at < 0) at += length;
    if (at < 0 || at >= length) {
        PyErr_SetString(PyExc_IndexError, "array index out of range");
        return false;
    }
    position = static_cast<std::uint32_t>(at);
    return true;
}

PyObject* element(EditorObject* self, std::uint32_t position) {
    const PythonVariable& variable = variable_of(self);
    return scalar_value(self->session, variable.domain, variable.field + position);
}

PyObject* item(PyObject* object, Py_ssize_t index) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    if (index >= 0 && index < static_cast<Py_ssize_t>(variable_of(self).length)) return element(self, static_cast<std::uint32_t>(index));
    PyErr_SetString(PyExc_IndexError, "array index out of range");
    return nullptr;
}

/// Some elements as a tuple: only these are looked at.
PyObject* slice(EditorObject* self, PyObject* index) {
    Py_ssize_t start = 0, stop = 0, step = 0;
    if (PySlice_Unpack(index, &start, &stop, &step) != 0) return nullptr;
    const Py_ssize_t count = PySlice_AdjustIndices(static_cast<Py_ssize_t>(variable_of(self).length), &start, &stop, step);
    nb::object result = nb::steal(PyTuple_New(count));
    for (Py_ssize_t i = 0; result.is_valid() && i < count; ++i) {
        PyObject* one = element(self, static_cast<std::uint32_t>(start + i * step));
        if (!one || PyTuple_SetItem(result.ptr(), i, one) != 0) return nullptr;
    }
    return result.release().ptr();
}

PyObject* subscript(PyObject* object, PyObject* index) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    std::uint32_t position = 0;
    if (is_index(index)) return position_of(self, index, position) ? element(self, position) : nullptr;
    if (PySlice_Check(index)) return slice(self, index);
    PyObject* value = editor_value(object);  // whatever else a tuple takes, or its error
    PyObject* result = value ? PyObject_GetItem(value, index) : nullptr;
    Py_XDECREF(value);
    return result;
}

int assign(PyObject* object, PyObject* index, PyObject* value) {
    auto* self = as_editor(object);
    std::uint32_t position = 0;
    if (!is_open(self) || !position_of(self, index, position)) return -1;
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "array elements cannot be deleted");
        return -1;
    }
    PythonVariable& variable = variable_of(self);
    return set_scalar(self->session, variable.domain, variable.field + position, value);
}

/// Which fold this is: by what tells it from others, or a new one.
std::shared_ptr<Fold> fold_of(EditorObject* self, PyObject* const* arguments) {
    Session* session = self->session;
    const nb::object told = nb::steal(Py_BuildValue("(IO)", static_cast<unsigned int>(self->variable), arguments[1]));
    if (!told.is_valid()) return nullptr;
    if (PyObject* known = PyDict_GetItemWithError(session->fold_numbers.ptr(), told.ptr())) return session->folds[PyLong_AsSize_t(known)];
    long given[4] = {};  // how, and which elements: the first, the distance, how many
    for (int i = 0; i < 4; ++i) given[i] = PyLong_AsLong(arguments[i == 0 ? 0 : i + 2]);
    const nb::object number = nb::steal(PyLong_FromSize_t(session->folds.size()));
    if (PyErr_Occurred() || PyDict_SetItem(session->fold_numbers.ptr(), told.ptr(), number.ptr()) != 0) return nullptr;
    auto fold = std::make_shared<Fold>();
    fold->by = static_cast<Fold::By>(given[0]);
    fold->first = variable_of(self).field + static_cast<std::uint32_t>(given[1]);
    fold->stride = static_cast<std::uint32_t>(given[2]);
    fold->count = static_cast<std::uint32_t>(given[3]);
    session->folds.push_back(fold);
    return fold;
}

/// What elements come to of which this run has changed a few: those between them are folded, and these are read.
class FoldAround {
public:
    FoldAround(EditorObject* self, PyObject* const* arguments, const Fold& fold) : self_(self), arguments_(arguments), fold_(fold) {
        for (const Op& op : self->session->run->ops)
            if (fold.covers(op.field)) changed_.insert((op.field - fold.first) / fold.stride);
    }

    /// A new reference, or nothing after an error.
    PyObject* total() {
        if (changed_.empty() || changed_.size() > most_changed) Py_RETURN_NOTIMPLEMENTED;
        std::uint32_t begin = 0;
        for (const std::uint32_t one : changed_) {
            if (!between(begin, one)) return ended();
            const nb::object value = nb::steal(element(self_, fold_.field(one) - variable_of(self_).field));
            if (!value.is_valid() || !add(nb::steal(PyObject_CallFunctionObjArgs(arguments_[2], value.ptr(), nullptr)))) return ended();
            begin = one + 1;
        }
        return between(begin, fold_.count) ? PyLong_FromLongLong(*total_) : ended();
    }

private:
    static constexpr std::size_t most_changed = 3;  // each makes another fold

    bool between(std::uint32_t begin, std::uint32_t end) {
        if (begin == end) return true;
        const long first = fold_.field(begin) - variable_of(self_).field, stride = fold_.stride, count = end - begin;
        const nb::object key = nb::make_tuple("around", nb::borrow(arguments_[1]), first, count);
        PyObject* self = reinterpret_cast<PyObject*>(self_);
        const int by = static_cast<int>(fold_.by);
        return add(nb::steal(PyObject_CallMethod(self, "_fold", "iOOlll", by, key.ptr(), arguments_[2], first, stride, count)));
    }
    bool add(nb::object number) {
        if (!number.is_valid() || !PyLong_Check(number.ptr())) return false;
        const std::int64_t one = PyLong_AsLongLong(number.ptr());
        if (!total_) {
            total_ = one;
            return !PyErr_Occurred();
        }
        switch (fold_.by) {
            case Fold::By::sum: *total_ += one; break;
            case Fold::By::most: total_ = std::max(*total_, one); break;
            case Fold::By::least: total_ = std::min(*total_, one); break;
            case Fold::By::any: total_ = *total_ || one; break;
            case Fold::By::all: total_ = *total_ && one; break;
        }
        return !PyErr_Occurred();
    }
    static PyObject* ended() {
        if (PyErr_Occurred()) return nullptr;
        Py_RETURN_NOTIMPLEMENTED;
    }

    EditorObject* self_;
    PyObject* const* arguments_;
    const Fold& fold_;
    std::set<std::uint32_t> changed_;  // as elements are counted
    std::optional<std::int64_t> total_;
};

/// `_fold(by, key, counted, first, stride, count)`: what elements come to, as a number; NotImplemented where they have to be looked at one
/// by one. `key` tells this fold from others of the array; `counted` says what a value counts as, or None.
PyObject* fold_elements(PyObject* object, PyObject* const* arguments, Py_ssize_t count) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    if (count != 6) {
        PyErr_SetString(PyExc_TypeError, "wrong arguments");
        return nullptr;
    }
    const std::shared_ptr<Fold> fold = fold_of(self, arguments);
    if (!fold) return nullptr;
    Session* session = self->session;
    if (!session->run->can_fold(*fold)) return FoldAround(self, arguments, *fold).total();
    while (const std::optional<Id> id = session->run->unasked(*fold)) {
        PyObject* value = session->domains.value(variable_of(self).domain, *id);
        const nb::object number = nb::steal(PyObject_CallFunctionObjArgs(arguments[2], value, nullptr));
        if (!number.is_valid()) return nullptr;
        fold->set_number(*id, number.is_none() ? Fold::unfit : PyLong_AsLongLong(number.ptr()));
        if (PyErr_Occurred()) return nullptr;
    }
    const std::uint32_t key = session->run->fold(fold);
    if (key == Fold::unfit_key) Py_RETURN_NOTIMPLEMENTED;
    return PyLong_FromLongLong(Fold::total_of(key));
}

constexpr std::uint32_t fewest = 9;  // elements that are folded, as in engines/native/folds.py

/// Which elements: the first, how far they are apart, how many.
struct Span {
    long first = 0, stride = 1, length = 0;
};

/// How many elements equal a value, or whether any does; NotImplemented where they have to be looked at.
PyObject* fold_equal(PyObject* object, PyObject* wanted, Fold::By by, Span span) {
    const bool plain = !types.is_editor_or_view(Py_TYPE(wanted)) && !types.is_in_question(Py_TYPE(wanted));
    if (span.length < fewest || !plain || PyObject_Hash(wanted) == -1) {
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    const nb::object equal = nb::module_::import_("operator").attr("eq");
    const nb::object counted = nb::module_::import_("functools").attr("partial")(equal, nb::borrow(wanted));
    const nb::object key = nb::make_tuple("equal", static_cast<int>(by), nb::borrow(wanted), span.first, span.stride, span.length);
    return PyObject_CallMethod(object, "_fold", "iOOlll", static_cast<int>(by), key.ptr(), counted.ptr(), span.first, span.stride,
                               span.length);
}

Span all_of(PyObject* object) { return {0, 1, static_cast<long>(variable_of(as_editor(object)).length)}; }

/// `_equal(wanted, counting, first, stride, length)`: the same of some elements, for arrays that are parts of structures.
PyObject* equal_among(PyObject* object, PyObject* const* arguments, Py_ssize_t count) {
    if (!is_open(as_editor(object))) return nullptr;
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError, "wrong arguments");
        return nullptr;
    }
    const Span span = {PyLong_AsLong(arguments[2]), PyLong_AsLong(arguments[3]), PyLong_AsLong(arguments[4])};
    if (PyErr_Occurred()) return nullptr;
    return fold_equal(object, arguments[0], arguments[1] == Py_True ? Fold::By::sum : Fold::By::any, span);
}

int contains(PyObject* object, PyObject* wanted) {
    if (!is_open(as_editor(object))) return -1;
    const nb::object found = nb::steal(fold_equal(object, wanted, Fold::By::any, all_of(object)));
    if (!found.is_valid()) return -1;
    return found.ptr() == Py_NotImplemented ? sequence_contains(object, wanted) : PyObject_IsTrue(found.ptr());
}

PyObject* count(PyObject* object, PyObject* wanted) {
    if (!is_open(as_editor(object))) return nullptr;
    nb::object found = nb::steal(fold_equal(object, wanted, Fold::By::sum, all_of(object)));
    if (!found.is_valid() || found.ptr() != Py_NotImplemented) return found.release().ptr();
    const nb::object value = nb::steal(editor_value(object));
    return value.is_valid() ? PyObject_CallMethod(value.ptr(), "count", "(O)", wanted) : nullptr;
}

/// The first position of a value: no element after it is looked at.
PyObject* index_of(PyObject* object, PyObject* wanted) {
    auto* self = as_editor(object);
    if (!is_open(self)) return nullptr;
    for (std::uint32_t i = 0; i < variable_of(self).length; ++i) {
        const nb::object one = nb::steal(element(self, i));
        const int equal = one.is_valid() ? PyObject_RichCompareBool(one.ptr(), wanted, Py_EQ) : -1;
        if (equal < 0) return nullptr;
        if (equal) return PyLong_FromUnsignedLong(i);
    }
    PyErr_SetString(PyExc_ValueError, "no element equals this");
    return nullptr;
}

// An editor has all but the first of them.
PyMethodDef view_methods[] = {
    {"__deepcopy__", editor_copy, METH_O, "The value."},
    {"_fold", as_method(fold_elements), METH_FASTCALL, "What some elements come to together."},
    {"_equal", as_method(equal_among), METH_FASTCALL, "How many of some elements equal a value, or whether any does."},
    {"count", count, METH_O, "How many elements equal this."},
    {"index", index_of, METH_O, "The first index of an element that equals this."},
    {nullptr, nullptr, 0, nullptr}};
PyMethodDef* const editor_methods = view_methods + 1;

Slots shared() {
    return {
        {Py_sq_item, slot(item)}, {Py_mp_subscript, slot(subscript)}, {Py_tp_iter, slot(PySeqIter_New)}, {Py_sq_contains, slot(contains)}};
}

}  // namespace

void ready_arrays() {
    Slots editor = shared(), view = shared();
    editor.insert(editor.end(), {{Py_tp_methods, editor_methods}, {Py_mp_ass_subscript, slot(assign)}});
    view.push_back({Py_tp_methods, view_methods});
    types.array_editor = make_editor_type("sweepcheck._core.ArrayEditor", editor);
    types.array_view = make_view_type("sweepcheck._core.ArrayView", view);
}

}  // namespace sweep::python
