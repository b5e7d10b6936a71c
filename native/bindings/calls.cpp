#include "calls.hpp"

#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "drafts.hpp"
#include "values.hpp"

namespace sweep::python {

namespace {

/// Record what a synchronisation does: first whether all can, then where each goes.
bool run_joint(const Joint& joint, Run& run) {
    for (const Joint::Participant& participant : joint.participants)
        if (!participant.targets(run.read(participant.field)).count) return false;
    for (const Joint::Participant& participant : joint.participants) {
        const auto [begin, count] = participant.targets(run.read(participant.field));
        run.write(participant.field, begin[count > 1 ? run.choose(count) : 0]);
    }
    return true;
}

Failure::Of function_called(std::string_view what) {
    using Of = Failure::Of;
    return what == "action" ? Of::action : what == "predicate" ? Of::predicate : what == "function" ? Of::function : Of::measure;
}

}  // namespace

PythonFunctions::PythonFunctions(Session& session, const Description& description, nb::handle answers)
    : session_(session),
      description_(description),
      draft_(new_draft(&session)),
      view_(new_view(&session)),
      chooser_(new_chooser(&session)),
      place_(answers.attr("place")),
      leq_(answers.attr("leq")),
      minimal_(answers.attr("minimal")),
      disorder_(answers.attr("disorder")),
      number_(answers.attr("number")),
      tick_(answers.attr("tick")),
      verify_(answers.attr("verify")),
      collected_(answers.attr("collected")) {
    for (const ActionFunction& action : description.actions) {
        std::vector<PyObject*>& arguments = arguments_.emplace_back(2);
        for (const nb::object& argument : action.arguments) arguments.push_back(argument.ptr());
    }
}

void PythonFunctions::close() {
    for (nb::object* object : {&place_, &leq_, &minimal_, &disorder_, &number_, &tick_, &verify_, &collected_}) *object = nb::none();
    failure_ = {};
}

// -- functions of the model ---------------------------------------------------------------------------------------------

bool PythonFunctions::run_action(std::uint32_t index, Run& run) {
    const ActionFunction& action = description_.actions[index];
    if (action.joint) return run_joint(*action.joint, run);
    const nb::gil_scoped_acquire lock;
    PyObject* result = invoke(action.function, draft_, arguments_[index].data(), action.names.ptr(), run);
    end_run();
    if (session_.domains.uncountable) Py_CLEAR(result);
    session_.domains.check_countable();
    if (result == Py_None) {
        Py_DECREF(result);
        return true;
    }
    if (!result && PyErr_ExceptionMatches(session_.domains.words.disabled.ptr())) {
        PyErr_Clear();
        return false;
    }
    Py_XDECREF(result);  // an action that returns a value is as wrong as one that raises
    fail(Failure::Of::action, index, run);
}

bool PythonFunctions::run_predicate(std::uint32_t index, Run& run) {
    const nb::gil_scoped_acquire lock;
    const nb::object value = evaluate(description_.predicates[index].function, Failure::Of::predicate, index, run);
    const int truth = PyObject_IsTrue(value.ptr());
    end_run();
    const bool no_truth_value = value.is_none() || PyCallable_Check(value.ptr()) || PyIter_Check(value.ptr());
    if (truth < 0 || no_truth_value) fail(Failure::Of::predicate, index, run);
    return truth != 0;
}

std::uint32_t PythonFunctions::run_function(std::uint32_t tally, Run& run) {
    const nb::gil_scoped_acquire lock;
    const nb::object value = evaluate(description_.tally_functions[tally], Failure::Of::function, tally, run);
    end_run();
    return nb::cast<std::uint32_t>(number_(tally, value));
}

LayerId PythonFunctions::run_measure(Run& run) { return measured(0, description_.measure, run); }

std::uint32_t PythonFunctions::run_part(std::uint32_t part, Run& run) {
    const MeasurePart& asked = description_.parts[part];
    return asked.table ? asked.table->values[run.read(asked.table->field)] : measured(part, asked.function, run);
}

std::uint32_t PythonFunctions::measured(std::uint32_t part, const nb::object& function, Run& run) {
    const nb::gil_scoped_acquire lock;
    const nb::object value = evaluate(function, Failure::Of::measure, 0, run);
    const nb::int_ index(part);
    const nb::object number = nb::steal(PyObject_CallFunctionObjArgs(place_.ptr(), index.ptr(), value.ptr(), nullptr));
    end_run();
    if (!number.is_valid()) fail(Failure::Of::measure, 0, run);
    return nb::cast<std::uint32_t>(number);
}

nb::object PythonFunctions::evaluate(const nb::object& function, Failure::Of of, std::uint32_t index, Run& run) {
    PyObject* arguments[2] = {};
    const nb::object result = nb::steal(invoke(function, view_, arguments, nullptr, run));
    nb::object value = nb::steal(result.is_valid() ? materialised(result.ptr()) : nullptr);
    if (!value.is_valid()) fail(of, index, run);
    return value;
}

/// Call a function on a draft or view of the run's state, for which `arguments` has a place after the one that calls need.
PyObject* PythonFunctions::invoke(const nb::object& function, nb::object& state, PyObject** arguments, PyObject* names, Run& run) {
    if (PyErr_CheckSignals() != 0) return nullptr;  // what came while the engine was at work is not the function's
    session_.run = &run;
    session_.generation = ++session_.runs;
    const bool acts = &state == &draft_;
    if (Py_REFCNT(state.ptr()) > 1)
        state = acts ? new_draft(&session_) : new_view(&session_);
    else
        renew(state);
    if (acts) renew(chooser_);
    arguments[1] = state.ptr();
    return PyObject_Vectorcall(function.ptr(), arguments + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, names);
}

/// Break off: remember where, and let the error (if any) go its way.
void PythonFunctions::fail(Failure::Of of, std::uint32_t index, const Run& run) {
    end_run();
    failure_ = {};
    if (PyErr_Occurred()) failure_.error = nb::borrow(nb::python_error().value());
    failure_.of = of;
    failure_.index = index;
    failure_.state = python(run.state());
    throw BrokenOff();
}

nb::object PythonFunctions::python(const Word* state) const { return python_state(session_.domains, session_.domains.model.unpack(state)); }

// -- time and order -------------------------------------------------------------------------------------------------------

Id PythonFunctions::stamped(std::uint32_t bag, Id kind, std::int64_t wait) {
    const nb::gil_scoped_acquire lock;
    return session_.domains.stamped(bag, kind, wait);
}

Id PythonFunctions::later(Id clock, std::int64_t passed) {
    const auto known = later_.find({clock, passed});
    if (known != later_.end()) return known->second;
    const nb::gil_scoped_acquire lock;
    const Id id = session_.domains.later(clock, passed);
    session_.domains.check_countable();
    later_[{clock, passed}] = id;
    return id;
}

bool PythonFunctions::part_leq(std::uint32_t part, std::uint32_t one, std::uint32_t other) {
    if (const auto& table = description_.parts[part].table) return table->above[one][other / 8] >> (other % 8) & 1;
    const nb::gil_scoped_acquire lock;
    return nb::cast<bool>(leq_(part, one, other));
}

bool PythonFunctions::leq(LayerId one, LayerId other) {
    const nb::gil_scoped_acquire lock;
    return nb::cast<bool>(leq_(0, one, other));
}

LayerId PythonFunctions::minimal(const std::vector<LayerId>& layers) {
    const nb::gil_scoped_acquire lock;
    return nb::cast<LayerId>(minimal_(layers));
}

void PythonFunctions::disorder(LayerId layer) {
    const nb::gil_scoped_acquire lock;
    disorder_(layer);
    throw std::logic_error("disorder() raises the error to show");
}

// -- what is going on -----------------------------------------------------------------------------------------------------

bool PythonFunctions::tick() {
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) {
        if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
        PyErr_Clear();
        return true;
    }
    tick_();
    return false;
}

void PythonFunctions::collected(LayerId, std::uint64_t before) {
    const nb::gil_scoped_acquire lock;
    collected_(before);
}

void PythonFunctions::verify(const Word* state, const std::vector<const Word*>& successors) {
    const nb::gil_scoped_acquire lock;
    nb::list found;
    for (const Word* successor : successors) found.append(python(successor));
    verify_(python(state), found);
}

void PythonFunctions::regress(const Word* state, LayerId, const Word* successor, LayerId) {
    const nb::gil_scoped_acquire lock;
    failure_ = {};
    failure_.kind = Failure::Kind::regress;
    failure_.state = python(state);
    failure_.successor = python(successor);
    throw BrokenOff();
}

void PythonFunctions::impure(const char* what, std::uint32_t index, const Word* state) {
    const nb::gil_scoped_acquire lock;
    failure_ = {};
    failure_.kind = Failure::Kind::impure;
    failure_.of = function_called(what);
    failure_.index = index;
    failure_.state = python(state);
    throw BrokenOff();
}

}  // namespace sweep::python
