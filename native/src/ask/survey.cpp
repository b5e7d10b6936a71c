// The state space report: bounds, SCCs, and what every action does in the long run.
#include "sweep/ask/survey.hpp"

#include <algorithm>

namespace sweep {

void Survey::see(const Word* state) {
    ++states;
    bounds.resize(schema_.variables.size());
    for (std::uint32_t f = 0; f < bounds.size(); ++f) {
        FieldBounds& field = bounds[f];
        if (schema_.variables[f].kind == Kind::scalar) {
            const std::size_t id = schema_.layout.fields[f].load(state);
            if (id >= field.values.size()) field.values.resize(id + 1);
            field.values[id] = 1;
            continue;
        }
        std::uint64_t size = 0;
        if (schema_.variables[f].kind == Kind::bag) {
            TokenCounts held;
            schema_.tokens_of(f, state, held);
            if (schema_.variables[f].timed) {  // what a token is counts, not when it is ready
                const TokenCounts stamped = held;
                held.clear();
                for (std::size_t i = 0; i < stamped.size(); ++i)
                    held.add(schema_.variables[f].stamps.kind(stamped.token(i)), stamped.count(i));
            }
            for (std::size_t i = 0; i < held.size(); ++i) {
                if (held.token(i) >= field.tokens.size()) field.tokens.resize(std::size_t{held.token(i)} + 1);
                FieldBounds::Token& token = field.tokens[held.token(i)];
                const std::uint64_t count = held.count(i);
                token.least = std::min(token.least, count);
                token.most = std::max(token.most, count);
                ++token.states;
                size += count;
            }
        } else {
            size = schema_.size_of(f, state);
        }
        field.least = std::min(field.least, size);
        field.most = std::max(field.most, size);
    }
}

namespace {

constexpr auto every_state = [](std::uint32_t) { return true; };

/// Whether an SCC of a subgraph has a cycle: more than one state, or an edge of its only state to itself that counts.
template <class Follows>
bool is_cyclic(const LayerGraph& graph, std::span<const std::uint32_t> scc, Follows&& follows) {
    if (scc.size() > 1) return true;
    const auto targets = graph.targets(scc.front());
    for (std::uint32_t i = 0; i < targets.size(); ++i)
        if (targets[i] == scc.front() && follows(scc.front(), i)) return true;
    return false;
}

}  // namespace

Stop Survey::layer_done(const CompleteLayer& layer) {
    if (!layer.go_on()) return Stop::none;
    States scc_of(layer.graph.size());
    std::vector<std::uint8_t> cyclic;  // per SCC
    const std::uint32_t terminal_state = find_sccs(layer.graph, scc_of, cyclic);
    components += cyclic.size();
    if (std::find(cyclic.begin(), cyclic.end(), 1) != cyclic.end())
        for (std::uint32_t a = 0; a < behaviour.size() && layer.go_on(); ++a) find_behaviour(layer.graph, scc_of, cyclic, a);
    if (terminal_state != nothing) home = layer.states({terminal_state}).front();
    return Stop::none;
}

/// The SCC of every state and whether each has a cycle; a state of the terminal one found last, or `nothing`.
std::uint32_t Survey::find_sccs(const LayerGraph& graph, States& scc_of, std::vector<std::uint8_t>& cyclic) {
    std::vector<std::uint8_t> taken(behaviour.size());
    std::uint32_t terminal_state = nothing;
    constexpr auto every_edge = [](std::uint32_t, std::uint32_t) { return true; };
    each_scc(graph, every_state, every_edge, [&](std::span<const std::uint32_t> scc) {
        const std::uint32_t number = static_cast<std::uint32_t>(cyclic.size());
        for (const std::uint32_t state : scc) scc_of[state] = number;
        bool ends = true;
        std::fill(taken.begin(), taken.end(), 0);
        for (const std::uint32_t state : scc) {
            const auto targets = graph.targets(state), actions = graph.actions(state);
            for (std::size_t i = 0; i < targets.size(); ++i) {
                taken[actions[i]] = 1;
                const bool inside = targets[i] != nothing && scc_of[targets[i]] == number;
                edges_inside += inside;
                ends &= inside;
            }
        }
        cyclic.push_back(is_cyclic(graph, scc, every_edge));
        cycles |= cyclic.back() != 0;
        if (!ends) return true;
        ++terminal;
        home_states = scc.size();
        terminal_state = *std::min_element(scc.begin(), scc.end());
        for (std::size_t a = 0; a < behaviour.size(); ++a) behaviour[a].live &= taken[a] != 0;
        return true;
    });
    return terminal_state;
}

/// Look for a run that breaks what an action promises: a cycle without it, one that meets states where it is enabled, or
/// one of such states alone. Each promise implies the next, so that most actions are settled by the last.
void Survey::find_behaviour(const LayerGraph& graph, const States& scc_of, const std::vector<std::uint8_t>& cyclic, std::uint32_t action) {
    Behaviour& found = behaviour[action];
    if (!found.just) return;
    const auto enabled = [&](std::uint32_t state) {
        const auto actions = graph.actions(state);
        return std::find(actions.begin(), actions.end(), action) != actions.end();
    };
    const auto another = [&](std::uint32_t state, std::uint32_t i) {
        const std::uint32_t target = graph.targets(state)[i];
        return graph.actions(state)[i] != action && scc_of[target] == scc_of[state];
    };
    const auto in_cycle = [&](std::uint32_t state) { return cyclic[scc_of[state]] != 0; };
    found.just = !has_cycle(graph, [&](std::uint32_t state) { return in_cycle(state) && enabled(state); }, another);
    found.fair &= found.just;
    found.impartial &= found.fair;
    if (!found.fair) return;
    each_scc(graph, in_cycle, another, [&](std::span<const std::uint32_t> scc) {
        if (!is_cyclic(graph, scc, another)) return true;
        found.impartial = false;
        found.fair = std::none_of(scc.begin(), scc.end(), enabled);
        return found.fair;
    });
}

}  // namespace sweep
