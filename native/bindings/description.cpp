#include "description.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "values.hpp"

namespace sweep::python {

namespace {

using Moves = std::vector<std::pair<Id, Id>>;  // from a value to a value

/// The actions that count: arcs of four numbers between transitions and places, which are bags of the black token.
void count(nb::handle given, Domains& domains, std::vector<ActionFunction>& actions) {
    using Arcs = std::vector<CountTransition::Arc>;
    static constexpr Arcs CountTransition::* lists[] = {&CountTransition::takes, &CountTransition::puts, &CountTransition::inhibits,
                                                        &CountTransition::resets};
    std::vector<CountTransition*> transitions;
    for (const std::size_t index : nb::cast<std::vector<std::size_t>>(given.attr("actions"))) {
        actions.at(index).transition = std::make_unique<CountTransition>();
        transitions.push_back(actions[index].transition.get());
    }
    std::vector<CountTransition::Arc> places;  // each with its token, as an arc has it
    for (const std::size_t index : nb::cast<std::vector<std::size_t>>(given.attr("variables"))) {
        PythonVariable& place = domains.variables.at(index);
        Id token = 0;
        if (!domains.intern(place.domain, nb::tuple().ptr(), token)) throw nb::python_error();
        places.push_back({place.field, token, 0});
    }
    const auto arcs = nb::borrow<nb::bytes>(given.attr("arcs"));
    for (std::size_t at = 0; at + 4 * sizeof(std::uint32_t) <= arcs.size(); at += 4 * sizeof(std::uint32_t)) {
        std::uint32_t row[4];
        std::memcpy(row, arcs.c_str() + at, sizeof row);
        CountTransition::Arc arc = places.at(row[2]);
        arc.count = row[3];
        (transitions.at(row[0])->*lists[row[1] % 4]).push_back(arc);
    }
}

ActionFunction action(nb::handle given, const Domains& domains) {
    ActionFunction made;
    if (given.is_none()) return made;
    if (nb::hasattr(given, "participants")) {
        std::vector<Synchronisation::Participant> participants;
        for (const auto& [variable, moves] : nb::cast<std::vector<std::pair<std::size_t, Moves>>>(given.attr("participants")))
            participants.emplace_back(domains.variables.at(variable).field, moves);
        made.synchronisation = std::make_unique<Synchronisation>(std::move(participants));
        return made;
    }
    made.function = given.attr("function");
    const auto arguments = nb::borrow<nb::dict>(given.attr("arguments"));
    if (arguments.size()) made.names = nb::tuple(arguments.keys());
    for (const auto [name, value] : arguments) made.arguments.push_back(nb::borrow(value));
    return made;
}

using Terms = std::vector<std::pair<std::size_t, std::int64_t>>;  // variables, each counted so often

TokenNumber token_number(const Terms& given, std::int64_t constant, bool most, const Domains& domains) {
    std::vector<TokenNumber::Term> terms;
    for (const auto& [variable, coefficient] : given) terms.push_back({domains.variables.at(variable).field, coefficient});
    return {std::move(terms), constant, most};
}

Predicate predicate(nb::handle given, const Domains& domains) {
    Predicate made;
    if (PyCallable_Check(given.ptr())) {
        made.function = nb::borrow(given);
        return made;
    }
    using Is = Formula::Node::Is;
    made.formula = std::make_unique<Formula>();
    using Given = std::tuple<Is, std::uint32_t, std::size_t, std::vector<Id>, Terms, std::int64_t, std::vector<std::uint32_t>>;
    for (const auto& [is, size, variable, ids, terms, least, actions] : nb::cast<std::vector<Given>>(given)) {
        Formula::Node node{is, size, 0, {}, token_number(terms, 0, false, domains), least, actions};
        if (is == Is::among) node.field = domains.variables.at(variable).field;
        for (const Id id : ids) {
            node.allowed.resize(std::max<std::size_t>(node.allowed.size(), id + 1));
            node.allowed[id] = 1;
        }
        made.formula->nodes.push_back(std::move(node));
    }
    return made;
}

MeasurePart part(nb::handle given, const Domains& domains) {
    MeasurePart made;
    made.monotone = nb::cast<bool>(given.attr("monotone"));
    made.total = nb::cast<bool>(given.attr("total"));
    if (!nb::hasattr(given, "table")) {
        made.function = given.attr("function");
        return made;
    }
    const std::uint32_t field = domains.variables.at(nb::cast<std::size_t>(given.attr("variable"))).field;
    made.table = std::make_unique<MeasurePart::Table>();
    made.table->field = field;
    made.table->values = nb::cast<std::vector<std::uint32_t>>(given.attr("table"));
    for (const nb::bytes& row : nb::cast<std::vector<nb::bytes>>(given.attr("above")))
        made.table->above.emplace_back(row.c_str(), row.size());
    return made;
}

Question question(Question::On on, std::int32_t predicate) {
    Question made;
    made.on = on;
    made.predicate = predicate;
    return made;
}

Tally tally(nb::handle given) {
    Tally made;
    made.predicate = nb::cast<std::int32_t>(given.attr("predicate"));
    made.store = nb::cast<std::int32_t>(given.attr("store"));
    made.dead = nb::cast<bool>(given.attr("dead"));
    return made;
}

/// As both that follow have them.
std::vector<Proposition> propositions(nb::handle given) {
    std::vector<Proposition> made;
    using Truth = std::pair<std::int32_t, std::vector<std::uint8_t>>;
    for (auto& [predicate, actions] : nb::cast<std::vector<Truth>>(given)) made.push_back({predicate, std::move(actions)});
    return made;
}

/// An automaton that reads along, as `sweepcheck.engines.native.description.ReaderDescription` says it.
Reader reader(nb::handle given, const Domains& domains) {
    Reader made;
    made.field = domains.variables.at(nb::cast<std::size_t>(given.attr("variable"))).field;
    made.propositions = propositions(given.attr("propositions"));
    using Edges = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;
    for (const Edges& of : nb::cast<std::vector<Edges>>(given.attr("edges"))) {
        made.edges.emplace_back();
        for (const auto& [needs, forbids, target] : of) made.edges.back().push_back({{needs, forbids}, target});
    }
    made.marked = nb::cast<std::vector<std::uint32_t>>(given.attr("marked"));
    made.all_marks = nb::cast<std::uint32_t>(given.attr("all_marks"));
    made.otherwise = nb::cast<std::int32_t>(given.attr("otherwise"));
    return made;
}

Tape tape(nb::handle given, const Domains& domains) {
    Tape made;
    made.position = domains.variables.at(nb::cast<std::size_t>(given.attr("position"))).field;
    using Columns = std::vector<std::pair<std::size_t, std::vector<Id>>>;
    for (auto& [variable, values] : nb::cast<Columns>(given.attr("columns")))
        made.columns.push_back({domains.variables.at(variable).field, std::move(values)});
    return made;
}

/// What loops violate, as `sweepcheck.engines.native.description.RecurrenceDescription` says it.
Recurrence recurrence(nb::handle given) {
    Recurrence made;
    made.propositions = propositions(given.attr("propositions"));
    made.earlier = nb::cast<std::vector<std::uint32_t>>(given.attr("earlier"));
    using Conditions = std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>;
    const auto conditions = [](const Conditions& of) {
        std::vector<Recurrence::Condition> all;
        for (const auto& one : of) {
            all.emplace_back();
            for (const auto& [needs, forbids] : one) all.back().push_back({needs, forbids});
        }
        return all;
    };
    for (const auto& [within, meets] : nb::cast<std::vector<std::pair<Conditions, Conditions>>>(given.attr("loops")))
        made.loops.push_back({conditions(within), conditions(meets)});
    return made;
}

Tree tree(nb::handle given) {
    Tree made;
    made.claim = nb::cast<std::uint32_t>(given.attr("claim"));
    made.everywhere = nb::cast<bool>(given.attr("everywhere"));
    using Given = std::tuple<Tree::Node::Is, std::uint32_t, std::uint32_t, std::int32_t>;
    for (const auto& [is, left, right, predicate] : nb::cast<std::vector<Given>>(given.attr("nodes")))
        made.nodes.push_back({is, left, right, predicate});
    return made;
}

/// The sets, the parts of a state that their members have to do with, and the ways in which values name some.
void describe_symmetry(nb::handle given, const Domains& domains, Description& made) {
    for (const auto& [size, rotation] : nb::cast<std::vector<std::pair<std::uint32_t, bool>>>(given.attr("sets")))
        made.symmetry.sets.push_back({size, rotation});
    made.symmetry.relative = nb::cast<bool>(given.attr("relative"));
    for (nb::handle one : given.attr("parts")) {
        using Cell = std::pair<std::size_t, std::size_t>;
        const auto field = [&](const Cell& cell) { return domains.variables.at(cell.first).domain.fields.at(cell.second); };
        const auto home = nb::cast<Cell>(one.attr("home"));
        Symmetry::Part& part = made.symmetry.parts.emplace_back();
        for (const Cell& cell : nb::cast<std::vector<Cell>>(one.attr("cells"))) {
            part.fields.push_back(field(cell));
            part.foreign |= cell.first != home.first;
        }
        part.sets = nb::cast<std::vector<std::uint32_t>>(one.attr("sets"));
        part.naming = nb::cast<std::int32_t>(one.attr("naming"));
        part.home = field(home);
    }
    for (nb::handle one : given.attr("namings")) {
        made.namings.push_back(one[0]);
        made.named_values.push_back(domains.variables.at(nb::cast<std::size_t>(one[1])).field);
    }
    made.symmetry.namings = static_cast<std::uint32_t>(made.namings.size());
}

}  // namespace

Description describe(nb::handle given, Domains& domains) {
    Description made;
    for (nb::handle one : given.attr("variables")) {
        const auto kind = nb::cast<VariableKind>(one.attr("kind"));
        if (nb::hasattr(one, "variable"))
            domains.add(one.attr("variable"), kind);
        else
            for (nb::handle name : one.attr("names")) domains.add_named(name, kind);
    }
    for (nb::handle one : given.attr("actions")) made.actions.push_back(action(one, domains));
    if (const nb::object counted = given.attr("counted"); !counted.is_none()) count(counted, domains, made.actions);
    for (nb::handle one : given.attr("predicates")) made.predicates.push_back(predicate(one, domains));
    made.divide = given.attr("divide");
    for (const auto& [on, index] : nb::cast<std::vector<std::pair<Question::On, std::int32_t>>>(given.attr("properties")))
        made.questions.push_back(question(on, index));
    for (nb::handle one : given.attr("tallies")) {
        const nb::object function = one.attr("function");
        made.tally_functions.push_back(function);
        made.token_numbers.push_back(nullptr);
        if (nb::hasattr(function, "terms"))
            made.token_numbers.back() = std::make_unique<TokenNumber>(token_number(nb::cast<Terms>(function.attr("terms")),
                                                                                   nb::cast<std::int64_t>(function.attr("constant")),
                                                                                   nb::cast<bool>(function.attr("most")), domains));
        made.tallies.push_back(tally(one));
    }
    made.measure = given.attr("measure");
    for (nb::handle one : given.attr("parts")) made.parts.push_back(part(one, domains));
    if (const nb::object linear = given.attr("linear"); !linear.is_none()) domains.set_linear(linear);
    made.summands = domains.summands.size();
    for (nb::handle one : given.attr("keys")) made.keys.push_back(nb::borrow(one));
    for (nb::handle one : given.attr("checks")) made.checks.push_back(nb::borrow(one));
    made.compared = nb::cast<std::vector<std::uint32_t>>(given.attr("compared"));
    made.families = nb::cast<std::vector<std::uint32_t>>(given.attr("families"));
    made.priorities = nb::cast<std::vector<std::int32_t>>(given.attr("priorities"));
    made.when = nb::cast<std::int32_t>(given.attr("when"));
    if (const nb::object symmetry = given.attr("symmetry"); !symmetry.is_none()) describe_symmetry(symmetry, domains, made);
    made.constraints = nb::cast<std::vector<std::uint32_t>>(given.attr("constraints"));
    made.depth = nb::cast<std::optional<std::uint64_t>>(given.attr("depth"));
    for (nb::handle one : given.attr("steps")) {
        made.steps.push_back(one.attr("function"));
        made.by_action.push_back(nb::cast<bool>(one.attr("by_action")));
    }
    for (const nb::handle one : given.attr("tapes")) made.tapes.push_back(tape(one, domains));
    using Given = std::tuple<std::size_t, std::uint32_t, std::uint32_t>;
    for (const auto& [variable, since, until] : nb::cast<std::vector<Given>>(given.attr("awaited")))
        made.awaited.push_back({domains.variables.at(variable).field, since, until});
    for (nb::handle one : given.attr("trees")) made.trees.push_back(tree(one));
    for (nb::handle one : given.attr("recurrences")) made.recurrences.push_back(recurrence(one));
    for (nb::handle one : given.attr("readers")) made.readers.push_back(reader(one, domains));
    domains.program.schema.add_keys(made.keys.size());
    if (const nb::object target = given.attr("target"); !target.is_none()) {
        made.questions.push_back(question(Question::On::target, -1));
        made.questions.back().witness = unpacked_state(domains, target);
    }
    made.initial = given.attr("initial");
    return made;
}

void Description::hand_over(Program& program) {
    program.set_functions(Role::action, actions.size());
    program.set_functions(Role::predicate, predicates.size());
    program.set_functions(Role::tally, tallies.size());
    program.set_functions(Role::part, parts.size());
    program.set_functions(Role::measure, 1);
    program.set_functions(Role::summand, summands);
    program.set_functions(Role::key, keys.size());
    program.set_functions(Role::check, checks.size());
    std::map<PyObject*, std::uint32_t> first_with;
    std::vector<std::uint32_t> firsts;
    for (const ActionFunction& action : actions)
        firsts.push_back(first_with.try_emplace(action.function.ptr(), static_cast<std::uint32_t>(firsts.size())).first->second);
    program.families.set(firsts);
    for (std::uint32_t i = 0; i < actions.size(); ++i) {
        program.synchronisations.push_back(std::move(actions[i].synchronisation));
        if (!actions[i].transition) continue;
        actions[i].transition->action = i;
        program.counting.add(std::move(*actions[i].transition), actions.size());
    }
    for (Predicate& predicate : predicates) program.formulas.push_back(std::move(predicate.formula));
    program.token_numbers = std::move(token_numbers);
}

void Description::hand_over(Exploration& exploration, const Domains& domains) const {
    exploration.questions.all = questions;
    exploration.tallies = tallies;
    exploration.classes().predicates = compared;
    exploration.classes().families = families;
    exploration.symmetry = symmetry;
    exploration.priorities = priorities;
    exploration.awaited = awaited;
    exploration.tapes = tapes;
    exploration.recurrences = recurrences;
    exploration.readers = readers;
    exploration.trees = trees;
    exploration.steps = by_action;
    exploration.bound().predicates = constraints;
    exploration.bound().depth = depth;
    for (std::size_t index = 0; index < parts.size(); ++index) {
        Part& part = exploration.product.parts.emplace_back();
        part.monotone = parts[index].monotone;
        part.total = parts[index].total;
        if (!parts[index].table) continue;
        const std::vector<std::uint32_t>& values = parts[index].table->values;
        part.field = parts[index].table->field;
        part.by_id = values;
        const std::uint32_t last = *std::max_element(values.begin(), values.end());
        for (std::uint32_t value = 0; value <= last; ++value)
            exploration.product.add_value(index, value ? std::optional(value - 1) : std::nullopt);
    }
    if (!domains.linear.components.empty()) exploration.linear = &domains.linear;
}

nb::list Description::functions() const {
    nb::list all;
    const auto add = [&](const nb::object& function) {
        if (function.is_valid()) all.append(function);
    };
    for (const ActionFunction& action : actions) {
        add(action.function);
        for (const nb::object& argument : action.arguments) all.append(argument);
    }
    for (const Predicate& predicate : predicates) add(predicate.function);
    for (const nb::object& function : tally_functions) add(function);
    add(measure);
    return all;
}

const nb::object& Description::reader(FunctionId id, const Domains& domains) const {
    switch (id.role) {
        case Role::predicate: return predicates[id.index].function;
        case Role::tally: return tally_functions[id.index];
        case Role::part: return parts[id.index].function;
        case Role::summand: return domains.summands[id.index].function;
        case Role::key: return keys[id.index];
        case Role::check: return checks[id.index];
        default: return measure;
    }
}

void Description::close() {
    for (ActionFunction& action : actions) {
        action.function.reset();
        action.arguments.clear();
    }
    for (Predicate& predicate : predicates) predicate.function.reset();
    for (std::vector<nb::object>* functions : {&tally_functions, &keys, &checks, &steps, &namings})
        for (nb::object& function : *functions) function.reset();
    for (MeasurePart& part : parts) part.function.reset();
    measure = initial = divide = nb::none();
}

void bind_description(nb::module_& m) {
    m.attr("MOST_TOKENS") = most_tokens;  // of one bag
    nb::enum_<VariableKind>(m, "VariableKind", "What a variable holds.")
        .value("SCALAR", VariableKind::scalar)
        .value("CLOCK", VariableKind::clock)
        .value("BAG", VariableKind::bag)
        .value("SET", VariableKind::set)
        .value("TIMED", VariableKind::timed)
        .value("QUEUE", VariableKind::queue)
        .value("ARRAY", VariableKind::array);
    nb::enum_<Question::On>(m, "PropertyKind", "The questions that can be asked; TARGET looks for one state.")
        .value("INVARIANT", Question::On::invariant)
        .value("REACHABLE", Question::On::reachable)
        .value("DEADLOCK", Question::On::deadlock)
        .value("TARGET", Question::On::target)
        .value("STEP", Question::On::step)
        .value("ALWAYS_POSSIBLE", Question::On::always_possible)
        .value("ALWAYS_EVENTUALLY", Question::On::always_eventually)
        .value("RECURRENCE", Question::On::recurrence)
        .value("LTL", Question::On::ltl)
        .value("CTL", Question::On::ctl);
    nb::enum_<LinearMeasure::Term::Of>(m, "TermKind", "What a measure that is a sum adds up: variables, sizes, functions with tables.")
        .value("VALUE", LinearMeasure::Term::Of::value)
        .value("SIZE", LinearMeasure::Term::Of::size)
        .value("FUNCTION", LinearMeasure::Term::Of::function);
    nb::enum_<Formula::Node::Is>(m, "FormulaNode", "What a node of a formula is.")
        .value("AMONG", Formula::Node::Is::among)
        .value("NOT", Formula::Node::Is::negated)
        .value("ALL", Formula::Node::Is::all)
        .value("SOME", Formula::Node::Is::some)
        .value("AT_LEAST", Formula::Node::Is::at_least)
        .value("ENABLED", Formula::Node::Is::enabled)
        .value("PREDICATE", Formula::Node::Is::predicate);
    nb::enum_<Tree::Node::Is>(m, "TreeNode", "What a node of a formula of CTL is: the last three are about some run.")
        .value("TRUE", Tree::Node::Is::truth)
        .value("PREDICATE", Tree::Node::Is::predicate)
        .value("NOT", Tree::Node::Is::negated)
        .value("OR", Tree::Node::Is::either)
        .value("NEXT", Tree::Node::Is::next)
        .value("UNTIL", Tree::Node::Is::until)
        .value("ALWAYS", Tree::Node::Is::always);
    nb::enum_<Collector::Policy>(m, "CollectionPolicy", "When a sweep deletes the states behind it.")
        .value("LAYER", Collector::Policy::layer)
        .value("INTERVAL", Collector::Policy::interval)
        .value("AUTO", Collector::Policy::adaptive);
    nb::enum_<Settings::Order>(m, "Order", "Which state is next: the oldest, one of a least layer, one with the least key, or the newest.")
        .value("FOUND", Settings::Order::found)
        .value("LAYERS", Settings::Order::layers)
        .value("KEYS", Settings::Order::keys)
        .value("DEPTH", Settings::Order::depth);
    nb::enum_<Settings::OnRegress>(m, "OnRegress", "A step that goes back ends the run, or its target is explored in another sweep.")
        .value("FAIL", Settings::OnRegress::fail)
        .value("PERSIST", Settings::OnRegress::persist);
    nb::class_<Limits>(m, "Limits", "When to stop.")
        .def(nb::init<>())
        .def_rw("states", &Limits::states)
        .def_rw("memory", &Limits::memory, "Bytes resident.")
        .def_rw("table_memory", &Limits::table_memory, "Bytes.")
        .def_rw("seconds", &Limits::seconds)
        .def_rw("save_every", &Limits::save_every, "Seconds between two checkpoints; None: there are none.")
        .def_rw("tick", &Limits::tick, "Seconds between two looks at all of this but the memory.");
    nb::class_<Fairness>(m, "Fairness", "Actions that no run ignores for ever, together, by their positions.")
        .def(nb::init<std::vector<std::uint32_t>, bool, std::vector<std::uint32_t>>(), nb::arg("actions"), nb::arg("strong"), nb::arg("of"))
        .def_ro("actions", &Fairness::actions)
        .def_ro("strong", &Fairness::strong)
        .def_ro("of", &Fairness::of, "The fields of which a step has to change one to be one of theirs; none: any step is.");
    nb::class_<Sharing>(m, "Sharing", "How work is shared among several workers.")
        .def(nb::init<>())
        .def_rw("workers", &Sharing::workers, "How many threads may share the work.")
        .def_rw("after", &Sharing::after, "States explored before they do.")
        .def_rw("least", &Sharing::least, "Unprocessed states of a layer, divided by the workers.")
        .def_rw("batch_size", &Sharing::batch_size, "States that one of them expands at a time.")
        .def_rw("rehearse_from", &Sharing::rehearse_from,
                "Seconds that functions have to take for several threads to run them, before it is their turn.");
    nb::class_<WalkSettings>(m, "WalkSettings", "How many random walks, of how many steps at most.")
        .def(nb::init<>())
        .def_rw("walks", &WalkSettings::walks)
        .def_rw("depth", &WalkSettings::depth, "Steps of one at most.")
        .def_rw("seed", &WalkSettings::seed)
        .def_rw("together", &WalkSettings::together, "Walks that go on at once.")
        .def_rw("most_distinct", &WalkSettings::most_distinct, "States that are told apart.");
    nb::class_<Comparison::Settings>(m, "ComparisonSettings", "How far a walk goes on which states are compared.")
        .def(nb::init<>())
        .def_rw("states", &Comparison::Settings::states)
        .def_rw("edges", &Comparison::Settings::edges, "Of different states; then it ends.")
        .def_rw("seed", &Comparison::Settings::seed);
    nb::class_<Settings>(m, "Settings", "How to explore.")
        .def(nb::init<>())
        .def_rw("order", &Settings::order)
        .def_rw("total_order", &Settings::total_order, "Any two layers are comparable.")
        .def_rw("on_regress", &Settings::on_regress)
        .def_rw("collection", &Settings::collect)
        .def_rw("interval", &Settings::interval, "New states between two collections.")
        .def_rw("cache_size", &Settings::cache_size, "States; depth first.")
        .def_rw("cuts_off", &Settings::cuts_off, "A state whose class is stored or remembered is not explored.")
        .def_rw("limits", &Settings::limits)
        .def_rw("keep_going", &Settings::keep_going, "A violation does not end the run.")
        .def_rw("survey", &Settings::survey, "A state space report is asked for.")
        .def_rw("graph", &Settings::graph, "The state space is kept as a graph.")
        .def_rw("verify", &Settings::verify, "Have the successors of all states compared with what the functions say now.")
        .def_rw("compare_always", &Settings::compare_always, "Compare numbers in all functions, be it the better or not.")
        .def_rw("closes_diamonds", &Settings::closes_diamonds, "Edges that close diamonds are not looked up.")
        .def_rw("divides_after", &Settings::divides_after, "Runs of a predicate before it may be divided into parts.")
        .def_rw("patterns_after", &Settings::patterns_after, "Runs of an action before patterns are looked for in what it does.")
        .def_rw("report_collections", &Settings::report_collections)
        .def_rw("spill", &Settings::spill, "The folder where states lie that memory has no room for; empty: nowhere.")
        .def_rw("spill_at_once", &Settings::spill_at_once, "As if memory were scarce from the beginning: for tests.")
        .def_rw("resumed_file", &Settings::resumed_file, "A run to go on with: the file that says how far it was; empty: none.")
        .def_rw("resumed_at", &Settings::resumed_at, "Where in the file that begins.")
        .def_rw("edge_file", &Settings::edge_file, "Where all edges are written down, for CTL; empty: they are kept in memory.")
        .def_rw("most_edge_bytes", &Settings::most_edge_bytes)
        .def_rw("fair", &Settings::fair, "What runs are fair to.")
        .def_rw("stuttering", &Settings::stuttering, "Runs may end in any state.")
        .def_rw("parent_file", &Settings::parent_file)
        .def_rw("nameless_parent_file", &Settings::nameless_parent_file, "Its name is taken away once it is open.")
        .def_rw("sharing", &Settings::sharing)
        .def_rw("rewrite_below", &Settings::rewrite_below, "Stored states: so few are always rewritten when a variable outgrows its bits.");
}

}  // namespace sweep::python
