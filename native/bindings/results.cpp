#include "results.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "calls.hpp"
#include "values.hpp"

namespace sweep::python {

namespace {

bool has_parts(const Engine& engine) { return !engine.product.parts.empty(); }

BoundsResult bounds_of(const Domains& domains, const PythonVariable& variable, const FieldBounds& field, std::uint64_t states) {
    BoundsResult result;
    const Domain& domain = variable.domain.kinds ? *variable.domain.kinds : variable.domain;
    const auto value = [&](std::size_t id) { return nb::borrow(domains.value(domain, static_cast<Id>(id))); };
    if (variable.is_scalar() || variable.kind == VariableKind::array) {
        for (std::size_t id = 0; id < field.values.size(); ++id)
            if (field.values[id]) result.values.append(value(id));
        return result;
    }
    result.least = field.least;
    result.most = field.most;
    for (std::size_t id = 0; id < field.tokens.size(); ++id) {
        const FieldBounds::Token& token = field.tokens[id];
        if (token.states) result.tokens.push_back({value(id), token.states == states ? token.least : 0, token.most});
    }
    return result;
}

nb::tuple names_of(const Domains& domains, const std::vector<std::uint8_t>& seen) {
    nb::list names;
    for (const PythonVariable& variable : domains.variables)
        for (const std::uint32_t field : variable.domain.fields)
            if (field < seen.size() && seen[field]) {
                names.append(variable.name);
                break;
            }
    return nb::tuple(names);
}

}  // namespace

std::vector<ActionResult> action_results(const Engine& engine, const Domains& domains) {
    std::vector<ActionResult> results;
    for (const ActionCounters& counted : engine.action_counters) results.push_back({counted, names_of(domains, counted.observed)});
    return results;
}

std::vector<std::uint32_t> progress(const Engine& engine) {
    if (has_parts(engine)) return engine.part_values;
    if (engine.counters.layer == no_layer) return {};
    return {engine.counters.layer};
}

std::vector<LayerResult> profile(const Engine& engine) {
    std::vector<LayerResult> results;
    const auto width = static_cast<std::ptrdiff_t>(engine.product.parts.size());
    auto values = engine.profile_values.begin();
    for (const LayerRow& row : engine.profile) {
        LayerResult& result = results.emplace_back(LayerResult{{row.layer}, row.states, row.stored});
        if (!has_parts(engine)) continue;
        result.progress.assign(values, values + width);
        values += width;
    }
    return results;
}

std::vector<std::optional<DecisionResult>> decisions(const Engine& engine, const Domains& domains) {
    std::vector<std::optional<DecisionResult>> results;
    for (const Watch& watch : engine.watches) {
        if (!watch.decided) {
            results.emplace_back();
            continue;
        }
        const auto number = watch.number == no_parent ? std::nullopt : std::optional(watch.number);
        results.push_back(DecisionResult{number, python_state(domains, watch.witness), python_states(domains, watch.cycle), watch.actions});
    }
    return results;
}

std::vector<TallyResult> tallies(const Engine& engine, const Domains& domains) {
    std::vector<TallyResult> results;
    for (const Tally& tally : engine.tallies) results.push_back({tally.counts, python_states(domains, tally.stored)});
    return results;
}

SurveyResult survey(const Engine& engine, const Domains& domains) {
    const Survey& found = *engine.survey;
    SurveyResult result{found.components, found.terminal, found.edges_inside, found.home_states, found.cycles, nb::none(), {}, {}, {}};
    if (engine.home) result.home = python_state(domains, *engine.home);
    result.dead = python_states(domains, engine.dead_states);
    for (const PythonVariable& variable : domains.variables)
        for (const std::uint32_t field : variable.domain.fields) {
            std::optional<BoundsResult>& bounds = result.bounds.emplace_back();
            if (field < found.bounds.size()) bounds = bounds_of(domains, variable, found.bounds[field], found.states);
        }
    result.actions = found.behaviour;
    return result;
}

namespace {

void bind_counters(nb::module_& m) {
    nb::class_<Counters>(m, "Counters", "The numbers of a run; the glossary says what each means.")
        .def_ro("states", &Counters::states, "Found; one that was forgotten and is found again counts again.")
        .def_ro("edges", &Counters::edges)
        .def_ro("explored", &Counters::explored)
        .def_ro("stored", &Counters::stored)
        .def_ro("peak", &Counters::peak)
        .def_ro("layers", &Counters::layers)
        .def_ro("dead_states", &Counters::dead)
        .def_ro("sweeps", &Counters::sweeps)
        .def_ro("columns", &Counters::columns)
        .def_ro("persistent", &Counters::persistent)
        .def_ro("evicted", &Counters::evicted)
        .def_ro("seconds", &Counters::seconds)
        .def_ro("model_seconds", &Counters::oracle_seconds, "In functions of the model.")
        .def_ro("memory_bytes", &Counters::peak_memory, "Resident at most.")
        .def_ro("state_bytes", &Counters::peak_state_bytes)
        .def_ro("table_bytes", &Counters::table_bytes);
    nb::class_<ActionResult>(m, "ActionResult", "What one action did.")
        .def_prop_ro(
            "evaluations", [](const ActionResult& a) { return a.counted.runs; }, "Runs of its function.")
        .def_prop_ro("edges", [](const ActionResult& a) { return a.counted.edges; })
        .def_prop_ro("regress_edges", [](const ActionResult& a) { return a.counted.regress_edges; })
        .def_prop_ro(
            "seconds", [](const ActionResult& a) { return a.counted.seconds; }, "In its function.")
        .def_prop_ro("tabulated", [](const ActionResult& a) { return a.counted.tabulated; })
        .def_ro("observes", &ActionResult::observes, "The variables it ever looked at.");
    nb::class_<LayerResult>(m, "LayerResult", "A layer as it was left behind.")
        .def_ro("progress", &LayerResult::progress, "The numbers of its progress values: one for each part of the measure.")
        .def_ro("states", &LayerResult::states)
        .def_ro("stored", &LayerResult::stored);
}

// The exception of a failure has a traceback, whose frames have the failure: the garbage collector must see that.
int traverse_failure(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (!nb::inst_ready(self)) return 0;
    const auto* failure = nb::inst_ptr<Failure>(self);
    for (const nb::object* object : {&failure->state, &failure->error, &failure->successor, &failure->bag}) Py_VISIT(object->ptr());
    return 0;
}
int clear_failure(PyObject* self) {
    auto* failure = nb::inst_ptr<Failure>(self);
    for (nb::object* object : {&failure->state, &failure->error, &failure->successor, &failure->bag}) object->reset();
    return 0;
}
PyType_Slot failure_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse_failure)}, {Py_tp_clear, reinterpret_cast<void*>(clear_failure)}, {0, nullptr}};

void bind_answers(nb::module_& m) {
    nb::class_<DecisionResult>(m, "DecisionResult", "The state that decided a property.")
        .def_ro("number", &DecisionResult::number, "None when components decided it, which keep no numbers.")
        .def_ro("state", &DecisionResult::state)
        .def_ro("cycle", &DecisionResult::cycle, "Always eventually: the states from it back to it.")
        .def_ro("actions", &DecisionResult::actions, "With fairness: the actions between them.");
    nb::class_<TallyResult>(m, "TallyResult", "How often a function had each value.")
        .def_ro("counts", &TallyResult::counts)
        .def_ro("stored", &TallyResult::stored, "The states that were asked for.");
    nb::class_<Failure> failure(m, "Failure", "Why a run broke off.", nb::type_slots(failure_slots));
    nb::enum_<Failure::Kind>(failure, "Kind", "What happened.")
        .value("RAISED", Failure::Kind::raised)
        .value("IMPURE", Failure::Kind::impure)
        .value("REGRESS", Failure::Kind::regress)
        .value("CROWDED", Failure::Kind::crowded);
    nb::enum_<Failure::Of>(failure, "Of", "In which function.")
        .value("ACTION", Failure::Of::action)
        .value("PREDICATE", Failure::Of::predicate)
        .value("FUNCTION", Failure::Of::function)
        .value("MEASURE", Failure::Of::measure);
    failure.def_ro("kind", &Failure::kind)
        .def_ro("of", &Failure::of, "RAISED and IMPURE: which function it was.")
        .def_ro("index", &Failure::index, "And which of these.")
        .def_ro("state", &Failure::state, "Where it was run, or where the step began.")
        .def_ro("error", &Failure::error, "RAISED: the exception, or None when the function returned what it may not.")
        .def_ro("successor", &Failure::successor, "REGRESS: where the step led.")
        .def_ro("bag", &Failure::bag, "CROWDED: its name.");
}

void bind_survey(nb::module_& m) {
    nb::class_<Behaviour>(m, "Behaviour", "What one action does in the long run.")
        .def_ro("live", &Behaviour::live)
        .def_ro("impartial", &Behaviour::impartial)
        .def_ro("fair", &Behaviour::fair)
        .def_ro("just", &Behaviour::just);
    nb::class_<TokenBounds>(m, "TokenBounds", "How often a bag held a token.")
        .def_ro("token", &TokenBounds::token)
        .def_ro("least", &TokenBounds::least)
        .def_ro("most", &TokenBounds::most);
    nb::class_<BoundsResult>(m, "BoundsResult", "What a variable, or an element of an array, held.")
        .def_ro("values", &BoundsResult::values, "Of a scalar: those seen.")
        .def_ro("least", &BoundsResult::least, "Of a bag or queue: its size.")
        .def_ro("most", &BoundsResult::most)
        .def_ro("tokens", &BoundsResult::tokens, "Of a bag.");
    nb::class_<SurveyResult>(m, "SurveyResult", "What a state space report says.")
        .def_ro("components", &SurveyResult::components)
        .def_ro("terminal", &SurveyResult::terminal)
        .def_ro("edges_inside", &SurveyResult::edges_inside)
        .def_ro("home_states", &SurveyResult::home_states)
        .def_ro("infinite_runs", &SurveyResult::infinite_runs)
        .def_ro("home", &SurveyResult::home)
        .def_ro("dead", &SurveyResult::dead)
        .def_ro("bounds", &SurveyResult::bounds, "By variable and element; None when no state was processed.")
        .def_ro("actions", &SurveyResult::actions);
}

}  // namespace

void bind_results(nb::module_& m) {
    nb::enum_<Stop>(m, "Stop", "Why a run ended; NONE when every reachable state was processed.")
        .value("NONE", Stop::none)
        .value("DECIDED", Stop::decided)
        .value("VIOLATION", Stop::violation)
        .value("STATES", Stop::states)
        .value("SECONDS", Stop::seconds)
        .value("MEMORY", Stop::memory)
        .value("INTERRUPTED", Stop::interrupted);
    bind_counters(m);
    bind_answers(m);
    bind_survey(m);
}

}  // namespace sweep::python
