#include "results.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "calls.hpp"
#include "values.hpp"

namespace sweep::python {

namespace {

bool has_parts(const Exploration& exploration) { return !exploration.product.parts.empty(); }

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

nb::bytes bytes_of(const std::vector<std::uint32_t>& all) {
    return nb::bytes(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(std::uint32_t));
}

nb::tuple names_of(const Domains& domains, const std::vector<std::uint8_t>& seen) {
    nb::list names;
    const PythonVariable* last = nullptr;
    const std::uint8_t* const end = seen.data() + seen.size();
    const auto next = [&](const std::uint8_t* from) {
        return from == end ? nullptr : static_cast<const std::uint8_t*>(std::memchr(from, 1, static_cast<std::size_t>(end - from)));
    };
    for (const std::uint8_t* at = next(seen.data()); at; at = next(at + 1)) {  // most actions look at few of many variables
        const PythonVariable& variable = domains.holding(static_cast<std::uint32_t>(at - seen.data()));
        if (&variable != last) names.append(variable.name);
        last = &variable;
    }
    return nb::tuple(names);
}

/// Per variable: whether an action looks at it, and if so compares its number.
std::vector<std::uint8_t> compared_by(const Function& action) {
    std::vector<std::uint8_t> compared = action.observed;
    for (std::uint32_t field = 0; field < compared.size(); ++field) compared[field] &= action.trie.compares(field);
    return compared;
}

}  // namespace

CountersResult counters(const Exploration& exploration) {
    const Workers& workers = exploration.workers();
    return {exploration.ledger().counters,
            exploration.ledger().bytes,
            exploration.seconds(),
            exploration.model_seconds(),
            exploration.rewrite_seconds(),
            exploration.start_seconds(),
            exploration.rewrites(),
            exploration.vain_walks(),
            exploration.closed_edges(),
            exploration.shared() ? workers.count() : 1,
            workers.seconds(),
            workers.shared_seconds(),
            exploration.rehearsed_seconds(),
            exploration.scratch_bytes()};
}

std::vector<ActionResult> action_results(const Exploration& exploration, const Domains& domains) {
    std::vector<ActionResult> results;
    const Ledger& ledger = exploration.ledger();
    for (std::size_t a = 0; a < ledger.actions(); ++a) {
        const Function& action = domains.program.actions()[a];
        results.push_back({action.runs, ledger.edges[a], ledger.regress_edges[a], action.seconds, action.tabulated,
                           names_of(domains, action.observed), names_of(domains, compared_by(action))});
    }
    return results;
}

std::vector<ContentsResult> contents(const Domains& domains) {
    std::vector<ContentsResult> results;
    const Schema& schema = domains.program.schema;
    for (const PythonVariable& variable : domains.variables) {
        if (variable.kind == VariableKind::array) continue;  // of scalars, or of nothing: then it has no field
        for (const bool in_states : {true, false}) {
            const Contents& held = (in_states ? schema.interned : schema.met)[variable.field];
            if (held.size()) results.push_back({variable.name, held.size(), held.bytes(), in_states});
        }
    }
    return results;
}

std::vector<TableResult> measure_results(const Domains& domains) {
    std::vector<TableResult> results;
    for (const Role role : {Role::measure, Role::part, Role::summand})
        for (const Function& function : domains.program.functions[static_cast<std::size_t>(role)])
            if (function.runs) results.push_back({function.runs, function.trie.bytes(), names_of(domains, function.observed)});
    return results;
}

std::vector<std::uint32_t> progress(const Exploration& exploration) {
    if (has_parts(exploration)) return exploration.part_values();
    const Place layer = exploration.ledger().counters.layer;
    return layer == no_place ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{layer};
}

std::vector<LayerResult> profile(const Exploration& exploration) {
    std::vector<LayerResult> results;
    const auto width = static_cast<std::ptrdiff_t>(exploration.product.parts.size());
    auto values = exploration.ledger().profile.values.begin();
    for (const Profile::Row& row : exploration.ledger().profile.rows) {
        LayerResult& result = results.emplace_back(LayerResult{{row.layer}, row.states, row.stored});
        if (!has_parts(exploration)) continue;
        result.progress.assign(values, values + width);
        values += width;
    }
    return results;
}

std::vector<std::optional<DecisionResult>> decisions(const Exploration& exploration, const Domains& domains) {
    std::vector<std::optional<DecisionResult>> results;
    for (const Question& question : exploration.questions.all) {
        if (!question.decided) {
            results.emplace_back();
            continue;
        }
        const auto number = question.number == no_parent ? std::nullopt : std::optional(question.number);
        const nb::object state = question.witness.empty() ? nb::none() : nb::object(python_state(domains, question.witness));
        results.push_back(DecisionResult{number, state, python_states(domains, question.cycle), question.actions});
    }
    return results;
}

std::vector<TallyResult> tallies(const Exploration& exploration, const Domains& domains) {
    std::vector<TallyResult> results;
    for (const Tally& tally : exploration.tallies) results.push_back({tally.counts, tally.values, python_states(domains, tally.stored)});
    return results;
}

WalkResult walked(const Exploration& exploration) {
    const Walks& walks = *exploration.walks();
    return {walks.begun, walks.steps, walks.longest, walks.dead_ends, walks.left, walks.distinct(), walks.counts_all(), walks.decided};
}

GraphResult graph_edges(const Exploration& exploration) {
    if (!exploration.graph()) return {bytes_of(std::vector<std::uint32_t>{0}), nb::bytes(""), nb::bytes(""), {}};  // it never began
    const KeptGraph& graph = *exploration.graph();
    return {bytes_of(graph.first), bytes_of(graph.targets), bytes_of(graph.actions), graph.unexplored};
}

KindsResult graph_kinds(const Exploration& exploration, const Domains& domains, const std::vector<std::vector<std::uint32_t>>& touched) {
    std::vector<std::vector<std::uint32_t>> fields(touched.size());
    for (std::size_t action = 0; action < touched.size(); ++action)
        for (const std::uint32_t variable : touched[action]) {
            const std::vector<std::uint32_t>& all = domains.variables.at(variable).domain.fields;
            fields[action].insert(fields[action].end(), all.begin(), all.end());
        }
    KeptGraph::Kinds kinds = exploration.graph()->kinds(fields);
    return {bytes_of(kinds.of), std::move(kinds.sources), std::move(kinds.edges)};
}

nb::list graph_states(const Exploration& exploration, const Domains& domains, std::uint32_t first, std::uint32_t count) {
    nb::list states;
    if (!exploration.graph()) return states;
    const KeptGraph& graph = *exploration.graph();
    for (std::uint64_t i = first; i < std::min<std::uint64_t>(std::uint64_t{first} + count, graph.size()); ++i)
        states.append(python_state(domains, graph.state(static_cast<std::uint32_t>(i))));
    return states;
}

SurveyResult survey(const Exploration& exploration, const Domains& domains) {
    const Survey nothing(domains.program.schema, domains.program.actions().size());  // of a run that was over before it began
    const Survey& found = exploration.survey() ? *exploration.survey() : nothing;
    SurveyResult result{found.components, found.terminal, found.edges_inside, found.home_states, found.cycles, nb::none(), {}, {}, {}};
    if (found.home) result.home = python_state(domains, *found.home);
    result.dead = python_states(domains, found.dead_states);
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
    nb::class_<CountersResult>(m, "Counters", "The numbers of a run; the glossary says what each means.")
        .def_prop_ro(
            "states", [](const CountersResult& c) { return c.counted.states; },
            "Found; one that was forgotten and is found again counts again.")
        .def_prop_ro("edges", [](const CountersResult& c) { return c.counted.edges; })
        .def_prop_ro("explored", [](const CountersResult& c) { return c.counted.explored; })
        .def_prop_ro("stored", [](const CountersResult& c) { return c.counted.stored; })
        .def_prop_ro("peak", [](const CountersResult& c) { return c.counted.peak; })
        .def_prop_ro("layers", [](const CountersResult& c) { return c.counted.layers; })
        .def_prop_ro("dead_states", [](const CountersResult& c) { return c.counted.dead; })
        .def_prop_ro("sweeps", [](const CountersResult& c) { return c.counted.sweeps; })
        .def_prop_ro("columns", [](const CountersResult& c) { return c.counted.columns; })
        .def_prop_ro("persistent", [](const CountersResult& c) { return c.counted.persistent; })
        .def_prop_ro("evicted", [](const CountersResult& c) { return c.counted.evicted; })
        .def_prop_ro(
            "reduced_edges", [](const CountersResult& c) { return c.counted.reduced_edges; },
            "Where states are equivalent: those of one action between two classes are one.")
        .def_prop_ro(
            "compared", [](const CountersResult& c) { return c.counted.compared; }, "States met, with another one of their class.")
        .def_prop_ro("remembered", [](const CountersResult& c) { return c.counted.remembered; })
        .def_prop_ro(
            "beyond", [](const CountersResult& c) { return c.counted.beyond; }, "States that a bound left unexplored.")
        .def_prop_ro("outside_edges", [](const CountersResult& c) { return c.counted.outside_edges; })
        .def_prop_ro("skipped", [](const CountersResult& c) { return c.counted.skipped; })
        .def_prop_ro(
            "raised_at", [](const CountersResult& c) { return c.counted.raised_at; },
            "Under a cut-off: so many states were explored when progress was highest for the first time.")
        .def_prop_ro(
            "memory_bytes", [](const CountersResult& c) { return c.bytes.peak_memory; }, "Resident at most.")
        .def_prop_ro("state_bytes", [](const CountersResult& c) { return c.bytes.peak_states; })
        .def_prop_ro("table_bytes", [](const CountersResult& c) { return c.bytes.tables; })
        .def_ro("seconds", &CountersResult::seconds)
        .def_ro("model_seconds", &CountersResult::model_seconds, "In functions of the model.")
        .def_ro("rewrites", &CountersResult::rewrites, "How often all stored states were given another layout.")
        .def_ro("rewrite_seconds", &CountersResult::rewrite_seconds, "In making room for variables that had outgrown theirs.")
        .def_ro("start_seconds", &CountersResult::start_seconds, "Of these, in what makes initial states.")
        .def_ro("vain_walks", &CountersResult::vain_walks, "How often an action was looked for in its table and found disabled.")
        .def_ro("closed_edges", &CountersResult::closed_edges, "Edges that led where another order of the same steps had led.")
        .def_ro("workers", &CountersResult::workers, "How many threads have worked.")
        .def_ro("worker_seconds", &CountersResult::worker_seconds, "Of all of them together, in work that they shared.")
        .def_ro("shared_seconds", &CountersResult::shared_seconds, "In which there was work to share.")
        .def_ro("rehearsed_seconds", &CountersResult::rehearsed_seconds, "Of those in functions: what threads ran beside others.")
        .def_ro("scratch_bytes", &CountersResult::scratch_bytes, "Of what each of them has for itself.");
    nb::class_<ActionResult>(m, "ActionResult", "What one action did.")
        .def_ro("evaluations", &ActionResult::evaluations, "Runs of its function.")
        .def_ro("edges", &ActionResult::edges)
        .def_ro("regress_edges", &ActionResult::regress_edges)
        .def_ro("seconds", &ActionResult::seconds, "In its function.")
        .def_ro("tabulated", &ActionResult::tabulated)
        .def_ro("observes", &ActionResult::observes, "The variables it ever looked at.")
        .def_ro("compares", &ActionResult::compares, "Those whose numbers it compares, instead of looking at their values.");
    nb::class_<ContentsResult>(m, "ContentsResult", "What a bag or queue held, written down outside of states.")
        .def_ro("variable", &ContentsResult::variable)
        .def_ro("contents", &ContentsResult::contents, "Different ones.")
        .def_ro("bytes", &ContentsResult::bytes)
        .def_ro("in_states", &ContentsResult::in_states, "Their numbers stand in states; else functions looked at all that it held.");
    nb::class_<TableResult>(m, "TableResult", "What the measure cost, or a part of it, or a summand.")
        .def_ro("evaluations", &TableResult::evaluations, "Runs of its function.")
        .def_ro("bytes", &TableResult::bytes, "Of its table, at the end.")
        .def_ro("observes", &TableResult::observes, "The variables it ever looked at.");
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
        .def_ro("number", &DecisionResult::number, "None when a cycle decided it: its states have no numbers.")
        .def_ro("state", &DecisionResult::state, "None when it is stored no more: CTL.")
        .def_ro("cycle", &DecisionResult::cycle, "Always eventually: the states from it back to it. Step: where it leads.")
        .def_ro("actions", &DecisionResult::actions, "With fairness: the actions between them. Step: its action.");
    nb::class_<TallyResult>(m, "TallyResult", "How often a function had each value.")
        .def_ro("counts", &TallyResult::counts)
        .def_ro("values", &TallyResult::values, "Of a number of tokens.")
        .def_ro("stored", &TallyResult::stored, "The states that were asked for.");
    nb::class_<Failure> failure(m, "Failure", "Why a run broke off.", nb::type_slots(failure_slots));
    nb::enum_<Failure::Kind>(failure, "Kind", "What happened.")
        .value("RAISED", Failure::Kind::raised)
        .value("IMPURE", Failure::Kind::impure)
        .value("REGRESS", Failure::Kind::regress)
        .value("CROWDED", Failure::Kind::crowded)
        .value("DISAGREEMENT", Failure::Kind::disagreement)
        .value("DAMAGED", Failure::Kind::damaged)
        .value("UNWRITTEN", Failure::Kind::unwritten);
    nb::enum_<Failure::Of>(failure, "Of", "In which function.")
        .value("ACTION", Failure::Of::action)
        .value("PREDICATE", Failure::Of::predicate)
        .value("FUNCTION", Failure::Of::function)
        .value("MEASURE", Failure::Of::measure)
        .value("KEY", Failure::Of::key)
        .value("CHECK", Failure::Of::check)
        .value("STEP", Failure::Of::step);
    failure.def_ro("kind", &Failure::kind)
        .def_ro("of", &Failure::of, "RAISED and IMPURE: which function it was.")
        .def_ro("index", &Failure::index, "And which of these.")
        .def_ro("state", &Failure::state, "Where it was run, or where the step began.")
        .def_ro("error", &Failure::error, "RAISED: the exception, or None when the function returned what it may not.")
        .def_ro("successor", &Failure::successor, "REGRESS, and RAISED in STEP: where the step led. DISAGREEMENT: the other state.")
        .def_ro("bag", &Failure::bag, "CROWDED: its name.")
        .def_ro("why", &Failure::why, "DAMAGED, UNWRITTEN: what is wrong with the file, or with the disk.");
}

void bind_survey(nb::module_& m) {
    nb::class_<TreeWay>(m, "TreeWay", "A run that shows why E of something is true in a state, as numbers of states.")
        .def_ro("path", &TreeWay::path, "After that state.")
        .def_ro("cycle", &TreeWay::cycle, "From the last of these back to it; empty where the run ends there.")
        .def_ro("lasts", &TreeWay::lasts, "Whether it comes to such a cycle.")
        .def_ro("actions", &TreeWay::actions, "Of the cycle, where fairness asks for them.")
        .def_ro("is_known", &TreeWay::is_known, "False where edges could not be read again.");
    nb::class_<WalkWay>(m, "Way", "A way through the model: the position of an initial state, and the numbers of edges.")
        .def_ro("root", &WalkWay::root)
        .def_ro("edges", &WalkWay::edges);
    nb::class_<WalkResult>(m, "WalkResult", "What random walks came to.")
        .def_ro("walks", &WalkResult::walks)
        .def_ro("steps", &WalkResult::steps)
        .def_ro("longest", &WalkResult::longest)
        .def_ro("dead_ends", &WalkResult::dead_ends, "Walks that ended in a state without successors.")
        .def_ro("left", &WalkResult::left, "Walks that ended outside of a bound.")
        .def_ro("distinct", &WalkResult::distinct, "States.")
        .def_ro("counts_all", &WalkResult::counts_all, "Whether there are no more of them.")
        .def_ro("decided", &WalkResult::decided, "By property: the way that decided it.");
    nb::class_<KindsResult>(m, "KindsResult", "Which edges of the graph are alike, and one of each kind.")
        .def_ro("of", &KindsResult::of, "By edge, as bytes of 32-bit numbers.")
        .def_ro("sources", &KindsResult::sources, "By kind: a state that has such an edge,")
        .def_ro("edges", &KindsResult::edges, "and which edge that is.");
    nb::class_<GraphResult>(m, "GraphResult", "The edges of the graph that was kept, as bytes of 32-bit numbers.")
        .def_ro("first", &GraphResult::first, "Where the edges of each state begin; one more than there are states.")
        .def_ro("targets", &GraphResult::targets)
        .def_ro("actions", &GraphResult::actions)
        .def_ro("unexplored", &GraphResult::unexplored, "States whose edges were not followed.");
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
        .value("INTERRUPTED", Stop::interrupted)
        .value("DISK", Stop::disk);
    bind_counters(m);
    bind_answers(m);
    bind_survey(m);
}

}  // namespace sweep::python
