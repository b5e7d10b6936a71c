#include "calls.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "drafts.hpp"
#include "values.hpp"

namespace sweep::python {

namespace {

Failure::Of role_of(FunctionId function) {
    switch (function.role) {
        case Role::action: return Failure::Of::action;
        case Role::predicate: return Failure::Of::predicate;
        case Role::tally: return Failure::Of::function;
        case Role::key: return Failure::Of::key;
        case Role::check: return Failure::Of::check;
        default: return Failure::Of::measure;
    }
}

/// Whether a list, tuple or set has truth values in it and nothing else: it is true whatever they are, and an all() or any() is missing.
bool holds_truths(nb::handle value) {
    if (!PyList_CheckExact(value.ptr()) && !PyTuple_CheckExact(value.ptr()) && !PyAnySet_CheckExact(value.ptr())) return false;
    bool found = false;
    for (const nb::handle one : value) {
        if (!PyBool_Check(one.ptr())) return false;
        found = true;
    }
    return found;
}

bool is_no_truth(nb::handle value) {
    return value.is_none() || PyCallable_Check(value.ptr()) || PyIter_Check(value.ptr()) || holds_truths(value);
}

}  // namespace

PythonFunctions::PythonFunctions(Session& session, Description& description, nb::handle answers)
    : session_(session),
      description_(description),
      draft_(new_draft(&session)),
      view_(new_view(&session)),
      chooser_(new_chooser(&session)),
      old_(new_view(&session)),
      next_(new_view(&session)),
      place_(answers.attr("place")),
      leq_(answers.attr("leq")),
      minimal_(answers.attr("minimal")),
      disorder_(answers.attr("disorder")),
      number_(answers.attr("number")),
      key_(answers.attr("key")),
      tick_(answers.attr("tick")),
      verify_(answers.attr("verify")),
      collected_(answers.attr("collected")),
      save_(answers.attr("save")),
      resumed_(answers.attr("resumed")) {
    for (const ActionFunction& action : description.actions) {
        std::vector<PyObject*>& arguments = arguments_.emplace_back(2);
        for (const nb::object& argument : action.arguments) arguments.push_back(argument.ptr());
    }
}

void PythonFunctions::close() {
    for (nb::object* object : {&place_, &leq_, &minimal_, &disorder_, &number_, &key_, &tick_, &verify_, &collected_, &save_, &resumed_})
        *object = nb::none();
    failure_ = {};
}

// -- functions of the model ---------------------------------------------------------------------------------------------

bool PythonFunctions::act(std::uint32_t index, Recording& run) {
    const ActionFunction& action = description_.actions[index];
    const nb::gil_scoped_acquire lock;
    if (const Rehearsed* made = take_over({Role::action, index}, run)) {
        session_.domains.check_countable();
        return made->enabled;
    }
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
    give_up_comparing({Role::action, index}, run);
    Py_XDECREF(result);  // an action that returns a value is as wrong as one that raises
    fail(Failure::Of::action, index, run.state());
}

void PythonFunctions::rehearse_with(const Sharing& sharing) {
    rehearsals_.reset();
    if (sharing.workers < 2 || std::isinf(sharing.rehearse_from)) return;
    const auto broken_off = [this](const Cue& at) {
        const Failure::Of of = role_of(at.function);
        fail(of, of == Failure::Of::measure ? 0 : at.function.index, at.state);
    };
    rehearsals_ = std::make_unique<PythonRehearsals>(session_, description_, sharing, broken_off);
}

/// Predicates are numbered after the actions.
bool PythonFunctions::may_notice(std::uint32_t index) {
    const nb::gil_scoped_acquire lock;
    const auto actions = static_cast<std::uint32_t>(description_.actions.size());
    const nb::object& function =
        index < actions ? description_.actions[index].function : description_.reader({Role::predicate, index - actions}, session_.domains);
    return function.is_valid() && nb::cast<bool>(session_.domains.words.may_notice(function));
}

bool PythonFunctions::may_catch(std::uint32_t action) {
    const nb::gil_scoped_acquire lock;
    return nb::cast<bool>(session_.domains.words.may_catch(description_.actions[action].function));
}

Functions::Parts PythonFunctions::divide(std::uint32_t predicate) {
    const nb::gil_scoped_acquire lock;
    if (description_.divide.is_none()) return {};
    const nb::object divided = description_.divide(predicate);
    if (divided.is_none()) return {};
    const auto first = static_cast<std::uint32_t>(description_.predicates.size());
    Parts made;
    made.formula = std::make_unique<Formula>();
    using Given = std::tuple<Formula::Node::Is, std::uint32_t, std::uint32_t>;
    for (const auto& [is, size, part] : nb::cast<std::vector<Given>>(divided.attr("nodes")))
        made.formula->nodes.push_back({is, size, first + part, {}, {}, 0, {}});
    for (const nb::handle part : divided.attr("parts")) {
        description_.predicates.push_back({nb::borrow(part), nullptr});
        ++made.count;
    }
    return made;
}

std::uint32_t PythonFunctions::evaluate(FunctionId function, Recording& run) {
    if (function.role == Role::predicate) return holds(function.index, run);
    if (function.role == Role::tally) return tallied(function.index, run);
    if (function.role == Role::measure) return measured(function, run);
    if (function.role == Role::summand) return added_up(function.index, run);
    if (function.role == Role::key) return classed(function.index, run);
    if (function.role == Role::check) return checked(function.index, run);
    const MeasurePart& part = description_.parts[function.index];
    return part.table ? part.table->values[run.read(part.table->field)] : measured(function, run);
}

bool PythonFunctions::holds(std::uint32_t index, Recording& run) {
    const nb::gil_scoped_acquire lock;
    const nb::object value = value_of({Role::predicate, index}, run);
    const int truth = is_no_truth(value) ? -1 : PyObject_IsTrue(value.ptr());
    end_run();
    if (truth < 0) give_up_comparing({Role::predicate, index}, run);
    if (truth < 0) fail(Failure::Of::predicate, index, run.state());
    return truth != 0;
}

std::uint32_t PythonFunctions::tallied(std::uint32_t tally, Recording& run) {
    const nb::gil_scoped_acquire lock;
    const nb::object value = value_of({Role::tally, tally}, run);
    end_run();
    return nb::cast<std::uint32_t>(number_(tally, value));
}

std::uint32_t PythonFunctions::measured(FunctionId id, Recording& run) {
    const nb::gil_scoped_acquire lock;
    const nb::object value = value_of(id, run);
    const nb::int_ index(id.index);
    const nb::object number = nb::steal(PyObject_CallFunctionObjArgs(place_.ptr(), index.ptr(), value.ptr(), nullptr));
    end_run();
    if (!number.is_valid()) fail(Failure::Of::measure, 0, run.state());
    return nb::cast<std::uint32_t>(number);
}

/// The number of what a summand comes to. One that has no number ends the run: the measure itself has to be asked then.
std::uint32_t PythonFunctions::added_up(std::uint32_t index, Recording& run) {
    const nb::gil_scoped_acquire lock;
    PyObject* arguments[2] = {};
    const Rehearsed* const made = take_over({Role::summand, index}, run);
    const nb::object& function = session_.domains.summands[index].function;
    const nb::object value = made ? made->value : nb::steal(invoke(function, view_, arguments, nullptr, run));
    end_run();
    if (!value.is_valid()) throw nb::python_error();
    return session_.domains.count(index, value);
}

std::uint32_t PythonFunctions::classed(std::uint32_t part, Recording& run) {
    const nb::gil_scoped_acquire lock;
    const nb::object value = value_of({Role::key, part}, run);
    const nb::int_ index(part);
    const nb::object number = nb::steal(PyObject_CallFunctionObjArgs(key_.ptr(), index.ptr(), value.ptr(), nullptr));
    end_run();
    if (!number.is_valid()) fail(Failure::Of::key, part, run.state());
    return nb::cast<std::uint32_t>(number);
}

std::uint32_t PythonFunctions::checked(std::uint32_t check, Recording& run) {
    const nb::gil_scoped_acquire lock;
    const nb::object number = value_of({Role::check, check}, run);
    end_run();
    return nb::cast<std::uint32_t>(number);
}

bool PythonFunctions::holds_in_step(std::uint32_t predicate, std::uint32_t action, Recording& old, Recording& next) {
    const nb::gil_scoped_acquire lock;
    int truth = -1;
    if (PyErr_CheckSignals() == 0) {
        session_.generation = ++session_.runs;
        session_.domains.settled = false;
        show(old_, old);
        show(next_, next);
        const nb::int_ number(action);
        const nb::object value =
            nb::steal(PyObject_CallFunctionObjArgs(description_.steps[predicate].ptr(), old_.ptr(), next_.ptr(), number.ptr(), nullptr));
        if (value.is_valid() && !is_no_truth(value)) truth = PyObject_IsTrue(value.ptr());
    }
    end_run();
    if (truth >= 0) return truth != 0;
    try {
        fail(Failure::Of::step, predicate, old.state());
    } catch (const BrokenOff&) {
        failure_.successor = python(next.state());
        throw;
    }
}

/// Let a view be one of this run's state, in the present generation.
void PythonFunctions::show(nb::object& view, Recording& run) {
    session_.run = &run;
    if (Py_REFCNT(view.ptr()) > 1)
        view = new_view(&session_);
    else
        renew(view);
}

nb::object PythonFunctions::value_of(FunctionId id, Recording& run) {
    if (const Rehearsed* made = take_over(id, run)) return made->value;
    PyObject* arguments[2] = {};
    const nb::object result = nb::steal(invoke(description_.reader(id, session_.domains), view_, arguments, nullptr, run));
    nb::object value = nb::steal(result.is_valid() ? materialised(result.ptr()) : nullptr);
    if (!value.is_valid() && id.role == Role::predicate) give_up_comparing(id, run);
    const Failure::Of of = role_of(id);
    if (!value.is_valid()) fail(of, of == Failure::Of::measure ? 0 : id.index, run.state());
    return value;
}

/// What was kept of this run, if it was made before its turn. Values that were new then become those of variables now; where that fails
/// the function is run once more, and says why.
const Rehearsed* PythonFunctions::take_over(FunctionId id, Recording& run) {
    const Rehearsed* const made = rehearsals_ && !run.comparing() ? rehearsals_->find(id, run.state(), run.script()) : nullptr;
    if (!made) return nullptr;
    std::vector<Id> ids;
    for (const NewValue& one : made->values)
        if (!session_.domains.intern_kept(*one.domain, one.value.ptr(), ids.emplace_back())) {
            PyErr_Clear();
            return nullptr;
        }
    std::vector<Op> ops = made->ops;
    for (Op& op : ops)
        if (NewValue::is(op.id)) op.id = ids[op.id - NewValue::first];
    run.take_over(made->path, std::move(ops), made->touched);
    return made;
}

/// Call a function on a draft or view of the run's state, for which `arguments` has a place after the one that calls need.
PyObject* PythonFunctions::invoke(const nb::object& function, nb::object& state, PyObject** arguments, PyObject* names, Recording& run) {
    if (PyErr_CheckSignals() != 0) return nullptr;  // what came while the engine was at work is not the function's
    session_.run = &run;
    session_.generation = ++session_.runs;
    session_.domains.settled = run.comparing();
    const bool acts = &state == &draft_;
    if (Py_REFCNT(state.ptr()) > 1)
        state = acts ? new_draft(&session_) : new_view(&session_);
    else
        renew(state);
    if (acts) renew(chooser_);
    arguments[1] = state.ptr();
    return PyObject_Vectorcall(function.ptr(), arguments + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, names);
}

void PythonFunctions::give_up_comparing(FunctionId id, const Recording& run) {
    if (!run.comparing() || (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception))) return;
    end_run();
    PyErr_Clear();
    throw Incomparable(id);
}

/// Break off: remember where, and let the error (if any) go its way.
void PythonFunctions::fail(Failure::Of of, std::uint32_t index, const Word* state) {
    end_run();
    failure_ = {};
    if (PyErr_Occurred()) failure_.error = nb::borrow(nb::python_error().value());
    failure_.of = of;
    failure_.index = index;
    failure_.state = python(state);
    throw BrokenOff();
}

nb::object PythonFunctions::python(const Word* state) const {
    return python_state(session_.domains, session_.domains.program.schema.unpack(state));
}

// -- time and order -------------------------------------------------------------------------------------------------------

void PythonFunctions::forget_texts(std::uint32_t variable) {
    const nb::gil_scoped_acquire lock;
    session_.domains.forget_texts(variable);
}

void PythonFunctions::meet_number(std::uint32_t variable, std::int64_t number) {
    const nb::gil_scoped_acquire lock;
    session_.domains.meet_number(variable, number);
    session_.domains.check_countable();
}

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

Id PythonFunctions::beginning() {
    if (beginning_) return *beginning_;
    const nb::gil_scoped_acquire lock;
    beginning_ = session_.domains.beginning();
    session_.domains.check_countable();
    return *beginning_;
}

// -- names of members -----------------------------------------------------------------------------------------------------

std::vector<Symmetry::Member> PythonFunctions::named(std::uint32_t naming, Id value) {
    const nb::gil_scoped_acquire lock;
    std::vector<Symmetry::Member> members;
    const nb::object found = description_.namings[naming].attr("named")(nb::handle(session_.domains.value(domain_of(naming), value)));
    for (const auto& [set, position] : nb::cast<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(found))
        members.push_back({set, position});
    return members;
}

Id PythonFunctions::renamed(std::uint32_t naming, Id value, const std::vector<std::uint32_t>& to) {
    const nb::gil_scoped_acquire lock;
    Domain& domain = domain_of(naming);
    const nb::object other = description_.namings[naming].attr("renamed")(nb::handle(session_.domains.value(domain, value)), to);
    Id id = 0;
    if (!session_.domains.intern(domain, other.ptr(), id)) throw nb::python_error();
    session_.domains.check_countable();
    return id;
}

std::uint32_t PythonFunctions::masked(std::uint32_t naming, Id value, const std::vector<std::uint32_t>& marks) {
    const nb::gil_scoped_acquire lock;
    const nb::handle known(session_.domains.value(domain_of(naming), value));
    return nb::cast<std::uint32_t>(description_.namings[naming].attr("masked")(known, marks));
}

Id PythonFunctions::translated(std::uint32_t from, std::uint32_t to, Id value) {
    const nb::gil_scoped_acquire lock;
    Domains& domains = session_.domains;
    Id id = 0;
    if (!domains.intern(domains.domain(to), domains.value(domains.domain(from), value), id)) throw nb::python_error();
    domains.check_countable();
    return id;
}

Domain& PythonFunctions::domain_of(std::uint32_t naming) const { return session_.domains.domain(description_.named_values[naming]); }

bool PythonFunctions::leq(std::uint32_t part, std::uint32_t one, std::uint32_t other) {
    const bool layers = part == whole_measure;
    if (!layers && description_.parts[part].table) return description_.parts[part].table->above[one][other / 8] >> (other % 8) & 1;
    const nb::gil_scoped_acquire lock;
    return nb::cast<bool>(leq_(layers ? 0 : part, one, other));
}

Place PythonFunctions::minimal(const std::vector<Place>& layers) {
    const nb::gil_scoped_acquire lock;
    return nb::cast<Place>(minimal_(layers));
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

void PythonFunctions::collected(Place, std::uint64_t before) {
    const nb::gil_scoped_acquire lock;
    collected_(before);
}

void PythonFunctions::save() {
    const nb::gil_scoped_acquire lock;
    save_();
}

void PythonFunctions::resumed() {
    const nb::gil_scoped_acquire lock;
    resumed_();
}

void PythonFunctions::verify(const Word* state, const std::vector<const Word*>& successors) {
    const nb::gil_scoped_acquire lock;
    nb::list found;
    for (const Word* successor : successors) found.append(python(successor));
    verify_(python(state), found);
}

// -- what the core found out ----------------------------------------------------------------------------------------------

Failure PythonFunctions::told(const Impure& met) const {
    Failure failure;
    failure.kind = Failure::Kind::impure;
    failure.of = role_of(met.function);
    failure.index = failure.of == Failure::Of::measure ? 0 : met.function.index;
    failure.state = python_state(session_.domains, met.state);
    return failure;
}

Failure PythonFunctions::told(const Regress& met) const {
    Failure failure;
    failure.kind = Failure::Kind::regress;
    failure.state = python_state(session_.domains, met.state);
    failure.successor = python_state(session_.domains, met.successor);
    return failure;
}

Failure PythonFunctions::told(const Disagreement& met) const {
    Failure failure;
    failure.kind = Failure::Kind::disagreement;
    failure.state = python_state(session_.domains, met.known);
    failure.successor = python_state(session_.domains, met.met);
    return failure;
}

void PythonFunctions::tell(const Disorder& met) const {
    disorder_(met.layer);
    throw std::logic_error("disorder() raises the error to show");
}

}  // namespace sweep::python
