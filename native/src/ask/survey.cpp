// The state space report: bounds, components, and what every action does in the long run.
#include "sweep/ask/survey.hpp"

#include <algorithm>

namespace sweep {

void Survey::see(const Model& model, const Word* state) {
    ++states;
    bounds.resize(model.variables.size());
    for (std::uint32_t f = 0; f < bounds.size(); ++f) {
        FieldBounds& field = bounds[f];
        if (model.variables[f].kind == Kind::scalar) {
            const std::size_t id = model.layout.fields[f].load(state);
            if (id >= field.values.size()) field.values.resize(id + 1);
            field.values[id] = 1;
            continue;
        }
        std::uint64_t size = 0;
        if (model.variables[f].kind == Kind::bag) {
            TokenCounts held;
            model.tokens_of(f, state, held);
            if (model.variables[f].timed) {  // what a token is counts, not when it is ready
                const TokenCounts stamped = held;
                held.clear();
                for (std::size_t i = 0; i < stamped.size(); ++i)
                    held.add(model.variables[f].stamps.kind(stamped.token(i)), stamped.count(i));
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
            size = model.size_of(f, state);
        }
        field.least = std::min(field.least, size);
        field.most = std::max(field.most, size);
    }
}

namespace {

constexpr auto every_state = [](std::uint32_t) { return true; };

/// Whether a component of a subgraph has a cycle: more than one state, or an edge of its only state to itself that counts.
template <class Follows>
bool is_cyclic(const LayerGraph& graph, std::span<const std::uint32_t> component, Follows&& follows) {
    if (component.size() > 1) return true;
    const auto targets = graph.targets(component.front());
    for (std::uint32_t i = 0; i < targets.size(); ++i)
        if (targets[i] == component.front() && follows(component.front(), i)) return true;
    return false;
}

}  // namespace

/// All states of a layer are processed: its graph has every edge, with its action.
void Survey::complete(const LayerGraph& graph, const std::function<bool()>& go_on) {
    States component_of(graph.size());
    std::vector<std::uint8_t> cyclic;  // per component
    std::vector<std::uint8_t> taken(behaviour.size());
    std::uint32_t count = 0;
    const auto is_step = [&](std::uint32_t state, std::uint32_t i) { return graph.actions(state)[i] != nothing; };
    each_component(graph, every_state, is_step, [&](std::span<const std::uint32_t> component) {
        for (const std::uint32_t state : component) component_of[state] = count;
        bool ends = true;
        std::fill(taken.begin(), taken.end(), 0);
        for (const std::uint32_t state : component) {
            const auto targets = graph.targets(state), actions = graph.actions(state);
            for (std::size_t i = 0; i < targets.size(); ++i) {
                if (actions[i] == nothing) continue;  // it stutters, which is no step
                taken[actions[i]] = 1;
                const bool inside = targets[i] != nothing && component_of[targets[i]] == count;
                edges_inside += inside;
                ends &= inside;
            }
        }
        cyclic.push_back(is_cyclic(graph, component, is_step));
        cycles |= cyclic.back() != 0;
        ++count;
        if (!ends) return true;
        ++terminal;
        home_states = component.size();
        home = *std::min_element(component.begin(), component.end());
        for (std::size_t a = 0; a < behaviour.size(); ++a) behaviour[a].live &= taken[a] != 0;
        return true;
    });
    components += count;
    if (std::find(cyclic.begin(), cyclic.end(), 1) == cyclic.end()) return;
    for (std::uint32_t a = 0; a < behaviour.size() && go_on(); ++a) judge(graph, component_of, cyclic, a);
}

/// Look for a run that breaks what an action promises: a cycle without it, one that meets states where it is enabled, or
/// one of such states alone. Each promise implies the next, so that most actions are settled by the last.
void Survey::judge(const LayerGraph& graph, const States& component_of, const std::vector<std::uint8_t>& cyclic, std::uint32_t action) {
    Behaviour& found = behaviour[action];
    if (!found.just) return;
    const auto enabled = [&](std::uint32_t state) {
        const auto actions = graph.actions(state);
        return std::find(actions.begin(), actions.end(), action) != actions.end();
    };
    const auto another = [&](std::uint32_t state, std::uint32_t i) {
        const std::uint32_t taken = graph.actions(state)[i], target = graph.targets(state)[i];
        return taken != action && taken != nothing && component_of[target] == component_of[state];
    };
    const auto in_cycle = [&](std::uint32_t state) { return cyclic[component_of[state]] != 0; };
    found.just = !has_cycle(graph, [&](std::uint32_t state) { return in_cycle(state) && enabled(state); }, another);
    found.fair &= found.just;
    found.impartial &= found.fair;
    if (!found.fair) return;
    each_component(graph, in_cycle, another, [&](std::span<const std::uint32_t> component) {
        if (!is_cyclic(graph, component, another)) return true;
        found.impartial = false;
        found.fair = std::none_of(component.begin(), component.end(), enabled);
        return found.fair;
    });
}

}  // namespace sweep
