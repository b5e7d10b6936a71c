// The graph of a layer: its components against mutual reachability, and a survey against the definitions behind it.
#include <set>

#include "sweep/ask/survey.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

struct Arrow {
    std::uint32_t source, target, action;  // no target: it leaves the layer
};

struct Drawn {
    std::uint32_t size;
    std::vector<Arrow> arrows;
    LayerGraph graph;
};

constexpr std::uint32_t actions = 3;

/// A random graph with labels, self loops, parallel edges, edges out of the layer and dead states.
Drawn draw(Random& random) {
    Drawn drawn{1 + static_cast<std::uint32_t>(random.below(9)), {}, {}};
    drawn.graph.labelled = true;
    drawn.graph.clear();
    for (std::uint32_t state = 0; state < drawn.size; ++state) {
        const std::uint64_t edges = random.below(4);
        for (std::uint64_t i = 0; i < edges; ++i) {
            const std::uint32_t target = random.one_in(6) ? nothing : static_cast<std::uint32_t>(random.below(drawn.size));
            drawn.arrows.push_back({state, target, static_cast<std::uint32_t>(random.below(actions))});
            drawn.graph.add(target, drawn.arrows.back().action);
        }
        drawn.graph.end_state(edges == 0);
    }
    return drawn;
}

using Pairs = std::vector<std::vector<std::uint8_t>>;

/// Which states reach which by one step or more, over arrows that count and inside states that count.
template <class Counts, class Inside>
Pairs reach(const Drawn& drawn, Counts&& counts, Inside&& inside) {
    Pairs pairs(drawn.size, std::vector<std::uint8_t>(drawn.size, 0));
    for (const Arrow& arrow : drawn.arrows)
        if (arrow.target != nothing && counts(arrow) && inside(arrow.source) && inside(arrow.target)) pairs[arrow.source][arrow.target] = 1;
    for (std::uint32_t k = 0; k < drawn.size; ++k)
        for (std::uint32_t i = 0; i < drawn.size; ++i)
            for (std::uint32_t j = 0; j < drawn.size; ++j) pairs[i][j] |= pairs[i][k] & pairs[k][j];
    return pairs;
}

constexpr auto every_arrow = [](const Arrow&) { return true; };
constexpr auto everywhere = [](std::uint32_t) { return true; };

void components_are_mutually_reachable() {
    Random random(1);
    for (int round = 0; round < 20'000; ++round) {
        const Drawn drawn = draw(random);
        const std::uint32_t left_out = random.one_in(2) ? static_cast<std::uint32_t>(random.below(drawn.size)) : nothing;
        const std::uint32_t ignored = random.one_in(2) ? static_cast<std::uint32_t>(random.below(actions)) : nothing;
        const auto included = [&](std::uint32_t state) { return state != left_out; };
        const Pairs pairs = reach(drawn, [&](const Arrow& arrow) { return arrow.action != ignored; }, included);
        std::vector<std::uint8_t> done(drawn.size, 0);
        each_scc(
            drawn.graph, included,
            [&](std::uint32_t state, std::uint32_t i) { return ignored == nothing || drawn.graph.actions(state)[i] != ignored; },
            [&](std::span<const std::uint32_t> component) {
                const std::set<std::uint32_t> members(component.begin(), component.end());
                for (const std::uint32_t state : component) {
                    check(included(state) && !done[state]);
                    done[state] = 1;
                    for (std::uint32_t other = 0; other < drawn.size; ++other) {
                        const bool together = other == state || (pairs[state][other] && pairs[other][state]);
                        check_equal(members.count(other) != 0, together);
                        check(!pairs[state][other] || done[other] || members.count(other));  // it comes after what it leads to
                    }
                }
                return true;
            });
        for (std::uint32_t state = 0; state < drawn.size; ++state) check_equal(done[state] != 0, included(state));
    }
}

void surveys_say_what_the_definitions_say() {
    Random random(2);
    for (int round = 0; round < 20'000; ++round) {
        const Drawn drawn = draw(random);
        const Schema schema;
        Survey survey(schema, actions);
        survey.layer_done({drawn.graph, [](const States&) { return std::vector<Unpacked>(1); }, [] { return true; }, nullptr});
        const Pairs pairs = reach(drawn, every_arrow, everywhere);
        std::set<std::set<std::uint32_t>> components, terminal;
        for (std::uint32_t state = 0; state < drawn.size; ++state) {
            std::set<std::uint32_t> component{state};
            for (std::uint32_t other = 0; other < drawn.size; ++other)
                if (pairs[state][other] && pairs[other][state]) component.insert(other);
            bool ends = true;
            for (const Arrow& arrow : drawn.arrows)
                ends &= !component.count(arrow.source) || (arrow.target != nothing && component.count(arrow.target));
            components.insert(component);
            if (ends) terminal.insert(component);
        }
        std::uint64_t inside = 0;
        for (const Arrow& arrow : drawn.arrows)
            inside += arrow.target != nothing && (arrow.source == arrow.target || pairs[arrow.target][arrow.source]);
        check_equal(survey.components, components.size());
        check_equal(survey.terminal, terminal.size());
        check_equal(survey.edges_inside, inside);
        for (std::uint32_t a = 0; a < actions; ++a) {
            std::set<std::uint32_t> enabled;
            for (const Arrow& arrow : drawn.arrows)
                if (arrow.action == a) enabled.insert(arrow.source);
            const auto others = [&](const Arrow& arrow) { return arrow.action != a; };
            const Pairs without = reach(drawn, others, everywhere);
            const Pairs among = reach(drawn, others, [&](std::uint32_t state) { return enabled.count(state) != 0; });
            bool live = true, impartial = true, fair = true, just = true;
            for (const auto& one : terminal)
                live &= std::any_of(one.begin(), one.end(), [&](std::uint32_t state) { return enabled.count(state); });
            for (std::uint32_t state = 0; state < drawn.size; ++state) {
                impartial &= !without[state][state];
                fair &= !(without[state][state] && enabled.count(state));
                just &= !among[state][state];
            }
            const Behaviour& found = survey.behaviour[a];
            check_equal(found.live, live);
            check_equal(found.just, just);
            check_equal(found.fair, fair);
            check_equal(found.impartial, impartial);
        }
    }
}

}  // namespace

int main() { return run_all({{"components", components_are_mutually_reachable}, {"surveys", surveys_say_what_the_definitions_say}}); }
