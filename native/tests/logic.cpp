// Temporal logic: the log of edges against what was put in, and on random programs automata and trees against the definitions.
#include <filesystem>
#include <map>
#include <random>
#include <string>

#include "program.hpp"
#include "sweep/ask/edge_log.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

using Stage = std::uint32_t;

// -- the log of edges ---------------------------------------------------------------------------------------------------

struct Logged {
    States numbers;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> edges;  // per state: targets and actions
};

/// Layers of states whose numbers have gaps, with edges to any state.
std::vector<Logged> draw_layers(Random& random, std::uint32_t states) {
    std::vector<Logged> layers(1 + random.below(4));
    for (std::uint32_t number = 0; number < states; ++number) layers[random.below(layers.size())].numbers.push_back(number * 3);
    for (Logged& layer : layers)
        for (std::size_t i = 0; i < layer.numbers.size(); ++i) {
            layer.edges.emplace_back();
            for (std::uint64_t left = random.below(4); left; --left)
                layer.edges.back().emplace_back(random.below(states) * 3, random.below(300));
        }
    return layers;
}

void write(EdgeLog& log, const std::vector<Logged>& layers) {
    for (const Logged& layer : layers) {
        log.begin_layer(layer.numbers);
        for (const auto& of : layer.edges) {
            for (const auto& [target, action] : of) log.add(target, action);
            log.end_state();
        }
        log.end_layer();
    }
}

void compare(const LoggedLayer& read, const Logged& layer, bool labelled) {
    check(read.numbers == layer.numbers);
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> before, expected;
    for (std::uint32_t state = 0; state < read.size(); ++state) {
        std::vector<std::uint32_t> targets, inside, actions;
        for (const auto& [target, action] : layer.edges[state]) {
            const std::uint32_t position = EdgeLog::position_in(layer.numbers, target);
            targets.push_back(target);
            if (position != nothing) expected.emplace(position, state);
            if (position != nothing || labelled) inside.push_back(position);
            if (labelled) actions.push_back(action);
        }
        check(std::ranges::equal(std::span(read.targets).subspan(read.first[state], read.first[state + 1] - read.first[state]), targets));
        check_equal(read.graph.is_dead(state), targets.empty());
        check(std::ranges::equal(read.graph.targets(state), inside));
        check(std::ranges::equal(read.graph.actions(state), actions));
        for (std::uint32_t i = read.first_before[state]; i < read.first_before[state + 1]; ++i) before.emplace(state, read.before[i]);
    }
    check(before == expected);
}

void what_is_logged_is_read_back() {
    const std::string path =
        std::filesystem::temp_directory_path() / ("sweep-test-edges-" + std::to_string(Random(std::random_device{}()).any()));
    for (std::uint64_t seed = 0; seed < examples(300); ++seed) {
        Random random(seed);
        const bool labelled = random.one_in(2);
        const std::vector<Logged> layers = draw_layers(random, 1 + static_cast<std::uint32_t>(random.below(seed % 10 ? 30 : 20'000)));
        EdgeLog log(random.one_in(2) ? path : "", ~std::uint64_t{0}, labelled, false);
        write(log, layers);
        check_equal(log.layers(), layers.size());
        for (std::size_t layer = layers.size(); layer-- > 0;)
            if (!layers[layer].numbers.empty()) compare(log.read(layer, true), layers[layer], labelled);
        check_equal(log.error(), 0);
        check(!std::filesystem::exists(path));
    }
}

void a_log_keeps_its_limit() {
    Random random(1);
    const std::vector<Logged> layers = draw_layers(random, 1000);
    EdgeLog log("", 100, false, false);
    write(log, layers);
    check_equal(log.read(0, false).size(), 0u);
    check_equal(log.error(), -1);
    check(log.bytes_in_memory() < (2u << 20));
}

// -- random programs ----------------------------------------------------------------------------------------------------

bool holds(const TestProgram& program, std::size_t predicate, const Values& state) {
    std::vector<Plain::Choice> none;
    Plain view(state, none);
    return program.predicates[predicate](view);
}

/// The first question of its kind.
Question about(Question::On on) {
    Question question{};
    question.on = on;
    question.predicate = 0;
    return question;
}

/// A graph whose states are whatever they are.
template <class State>
struct Explicit {
    std::map<State, std::vector<State>> edges;

    template <class Next>
    Explicit(std::vector<State> waiting, Next&& next) {
        while (!waiting.empty()) {
            const State state = waiting.back();
            waiting.pop_back();
            const auto [at, fresh] = edges.try_emplace(state);
            if (!fresh) continue;
            at->second = next(state);
            waiting.insert(waiting.end(), at->second.begin(), at->second.end());
        }
    }
    /// The states that lead to some, in so many steps or none, through states that count.
    template <class Through>
    std::set<State> leading_to(std::set<State> found, Through&& through) const {
        for (bool more = true; more;) {
            more = false;
            for (const auto& [state, targets] : edges)
                if (!found.contains(state) && through(state) &&
                    std::any_of(targets.begin(), targets.end(), [&](const State& one) { return found.contains(one); }))
                    more = found.insert(state).second;
        }
        return found;
    }
};

std::vector<Values> successors(const TestProgram& program, const Values& state) {
    std::vector<Values> found;
    for (const Act& action : program.actions)
        for (Values& next : outcomes(action, state)) found.push_back(std::move(next));
    return found;
}

using Is = Tree::Node::Is;

Tree draw_tree(Random& random) {
    Tree tree;
    tree.everywhere = random.one_in(2);
    for (std::int32_t predicate : {0, 1}) tree.nodes.push_back({Is::predicate, 0, 0, predicate});
    tree.nodes.push_back({Is::truth, 0, 0, -1});
    for (std::uint64_t left = 1 + random.below(5); left; --left) {
        const auto any = [&] { return static_cast<std::uint32_t>(random.below(tree.nodes.size())); };
        const auto is = static_cast<Is>(random.between(static_cast<int>(Is::negated), static_cast<int>(Is::always)));
        const std::uint32_t part = any(), other = any();
        tree.nodes.push_back({is, part, other, -1});
    }
    tree.claim = static_cast<std::uint32_t>(tree.nodes.size() - 1);
    return tree;
}

/// The states in which a node is true, by the definitions.
std::set<Values> true_in(const TestProgram& program, const Explicit<Values>& graph, const Tree& tree, std::uint32_t n) {
    const Tree::Node& node = tree.nodes[n];
    std::set<Values> left, right, found;
    if (node.is >= Is::negated) left = true_in(program, graph, tree, node.left);
    if (node.is == Is::either || node.is == Is::until) right = true_in(program, graph, tree, node.right);
    if (node.is == Is::until) return graph.leading_to(right, [&](const Values& state) { return left.contains(state); });
    for (const auto& [state, targets] : graph.edges) {
        const auto leads = [&] {
            return targets.empty() ? left.contains(state)
                                   : std::any_of(targets.begin(), targets.end(), [&](const Values& one) { return left.contains(one); });
        };
        if (node.is == Is::predicate ? holds(program, static_cast<std::size_t>(node.predicate), state)
            : node.is == Is::negated ? !left.contains(state)
            : node.is == Is::either  ? left.contains(state) || right.contains(state)
            : node.is == Is::next    ? leads()
            : node.is == Is::always  ? left.contains(state)
                                     : true)
            found.insert(state);
    }
    for (bool fewer = node.is == Is::always; fewer;) {  // the largest set whose states lead to one of it, or stay where they are
        fewer = false;
        for (const auto& [state, targets] : graph.edges)
            if (found.contains(state) && !targets.empty() &&
                std::none_of(targets.begin(), targets.end(), [&](const Values& one) { return found.contains(one); }))
                fewer = found.erase(state) > 0;
    }
    return found;
}

/// Visit random programs that are small enough, some with a measure.
template <class Visit>
void each_program(std::uint64_t count, Visit&& visit) {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < examples(count); ++seed) {
        Random random(seed);
        const bool measured = random.one_in(2);
        Writer writer(random, 3);
        const TestProgram program = writer.draw(measured, true);
        const Truth truth = survey(program, 120);
        if (truth.too_large || truth.regress || program.predicates.size() < 2) continue;
        visit(program, random);
        ++compared;
    }
    check(compared > 20);
}

void trees_are_decided_as_defined() {
    int violated = 0;
    each_program(250, [&](const TestProgram& program, Random& random) {
        const Tree tree = draw_tree(random);
        Machine machine(program);
        Exploration& engine = machine.prepare({});
        engine.trees.push_back(tree);
        engine.questions.all.push_back(about(Question::On::ctl));
        const Stop stop = machine.explore();
        const Explicit<Values> graph(program.initial, [&](const Values& state) { return successors(program, state); });
        const std::set<Values> claim = true_in(program, graph, tree, tree.claim);
        bool expected = true;
        for (const auto& [state, targets] : graph.edges)
            if (tree.everywhere || std::find(program.initial.begin(), program.initial.end(), state) != program.initial.end())
                expected &= claim.contains(state);
        check_equal(engine.questions.all[0].decided, !expected);
        check(stop == (expected ? Stop::none : Stop::violation));
        violated += !expected;
    });
    check(violated > 10);
}

// -- automata -----------------------------------------------------------------------------------------------------------

Reader draw_reader(Random& random, std::uint32_t field) {
    Reader reader;
    const auto stages = static_cast<Stage>(2 + random.below(3));
    reader.field = field;
    for (const std::int32_t predicate : {0, 1}) reader.propositions.push_back({predicate, {}});
    reader.all_marks = static_cast<std::uint32_t>(random.one_in(3) ? 3 : 1);
    reader.otherwise = static_cast<std::int32_t>(stages);
    for (Stage stage = 0; stage < stages; ++stage) {
        reader.edges.emplace_back();
        for (std::uint64_t left = random.below(4); left; --left) {
            const auto needs = static_cast<std::uint32_t>(random.below(4));
            reader.edges.back().push_back(
                {{needs, static_cast<std::uint32_t>(random.below(4)) & ~needs}, static_cast<Stage>(random.below(stages))});
        }
        reader.marked.push_back(static_cast<std::uint32_t>(random.below(reader.all_marks + 1)));
    }
    reader.edges.emplace_back();  // what no edge reads
    reader.marked.push_back(0);
    return reader;
}

using Read = std::pair<Values, Stage>;

std::uint32_t letter_of(const TestProgram& program, const Values& state) {
    return static_cast<std::uint32_t>(holds(program, 0, state) | holds(program, 1, state) << 1);
}

std::vector<Read> read_on(const TestProgram& program, const Reader& reader, Stage stage, const Values& state) {
    std::set<Stage> next;
    for (const Reader::Edge& edge : reader.edges[stage])
        if (edge.have(letter_of(program, state))) next.insert(edge.target);
    if (next.empty()) next.insert(static_cast<Stage>(reader.otherwise));
    std::vector<Read> found;
    for (const Stage one : next) found.emplace_back(state, one);
    return found;
}

/// Whether a run is accepted: some state that can be reached comes back to itself past all marks; dead states stay where they are.
bool accepts(const TestProgram& program, const Reader& reader) {
    std::vector<Read> roots;
    for (const Values& state : program.initial)
        for (const Read& read : read_on(program, reader, 0, state)) roots.push_back(read);
    const Explicit<Read> graph(roots, [&](const Read& at) {
        std::vector<Read> found;
        std::vector<Values> next = successors(program, at.first);
        if (next.empty()) next.push_back(at.first);
        for (const Values& state : next)
            for (const Read& read : read_on(program, reader, at.second, state)) found.push_back(read);
        return found;
    });
    for (const auto& [start, targets] : graph.edges) {
        using Met = std::pair<Read, std::uint32_t>;  // with the marks met since the start
        const auto step = [&](const Met& at) {
            std::vector<Met> found;
            for (const Read& next : graph.edges.at(at.first)) found.emplace_back(next, at.second | reader.marked[next.second]);
            return found;
        };
        const Explicit<Met> beyond(step({start, 0}), step);
        if (beyond.edges.contains({start, reader.all_marks})) return true;
    }
    return false;
}

void automata_read_along() {
    int accepted = 0;
    each_program(250, [&](const TestProgram& drawn, Random& random) {
        TestProgram program = drawn;
        const auto field = static_cast<std::uint32_t>(program.kinds.size());
        const Reader reader = draw_reader(random, field);
        program.kinds.push_back(Kind::scalar);
        program.initial.clear();
        for (const Values& state : drawn.initial)
            for (const auto& [own, stage] : read_on(drawn, reader, 0, state)) {
                program.initial.push_back(own);
                program.initial.back().push_back({static_cast<Value>(stage)});
            }
        Machine machine(program);
        for (Stage stage = 0; stage < reader.edges.size(); ++stage) machine.id(field, static_cast<Value>(stage));
        Exploration& engine = machine.prepare({});
        engine.readers.push_back(reader);
        engine.questions.all.push_back(about(Question::On::ltl));
        machine.explore();
        const bool expected = accepts(drawn, reader);
        check_equal(engine.questions.all[0].decided, expected);
        accepted += expected;
    });
    check(accepted > 10);
}

}  // namespace

int main() {
    return run_all({{"what is logged is read back", what_is_logged_is_read_back},
                    {"a log keeps its limit", a_log_keeps_its_limit},
                    {"trees are decided as defined", trees_are_decided_as_defined},
                    {"automata read along", automata_read_along}});
}
