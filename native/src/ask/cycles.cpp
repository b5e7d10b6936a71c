// Strongly connected components (SCCs) of a complete layer (algorithm G; paper 0, section 5, and paper 4): with a monotone measure
// every cycle lies inside one layer, so what is asked about cycles is decided layer by layer, before it is deleted.
#include <algorithm>

#include "sweep/ask/cycles.hpp"

namespace sweep {

namespace {

using Step = Lasso::Step;

constexpr auto every_edge = [](std::uint32_t, std::uint32_t) { return true; };

/// Mark the states whose targets settle them, in one pass against the order found and one with it: what breadth-first
/// search leaves to SCCs afterwards is little.
template <class Settled>
void settle(const LayerGraph& graph, Marks& marks, Settled&& settled) {
    for (std::uint32_t state = graph.size(); state-- > 0;)
        if (!marks[state]) marks[state] = settled(graph.targets(state));
    for (std::uint32_t state = 0; state < graph.size(); ++state)
        if (!marks[state]) marks[state] = settled(graph.targets(state));
}

/// Weak fairness: an action that is enabled in every state of a cycle must be taken on it.
class Fairness {
public:
    Fairness(const LayerGraph& graph, const std::vector<std::uint32_t>& fair, std::size_t actions)
        : graph_(graph), fair_(fair), index_(actions, nothing) {
        for (std::uint32_t f = 0; f < fair.size(); ++f) index_[fair[f]] = f;
    }

    /// Whether a run that stays in an SCC for ever can be fair to every action. A larger SCC only offers
    /// more, so that maximal ones are enough.
    bool admits(std::span<const std::uint32_t> scc, const Marks& inside) const {
        States enabled(fair_.size(), 0), last(fair_.size(), nothing);
        Marks taken(fair_.size(), 0);
        for (const std::uint32_t state : scc) {
            const auto targets = graph_.targets(state), actions = graph_.actions(state);
            for (std::size_t i = 0; i < actions.size(); ++i) {
                const std::uint32_t f = actions[i] == nothing ? nothing : index_[actions[i]];
                if (f == nothing) continue;
                enabled[f] += last[f] != state;
                last[f] = state;
                taken[f] |= targets[i] != nothing && inside[targets[i]];
            }
        }
        for (std::size_t f = 0; f < fair_.size(); ++f)
            if (!taken[f] && enabled[f] == scc.size()) return false;
        return true;
    }

    bool enabled(std::uint32_t state, std::uint32_t action) const {
        const auto actions = graph_.actions(state);
        return std::find(actions.begin(), actions.end(), action) != actions.end();
    }
    const std::vector<std::uint32_t>& actions() const { return fair_; }

private:
    const LayerGraph& graph_;
    const std::vector<std::uint32_t>& fair_;
    std::vector<std::uint32_t> index_;  // of an action among the fair ones
};

/// A shortest way inside an SCC, of one step at least, whose last edge is the first that reaches the goal.
template <class Goal>
std::vector<Step> way(const LayerGraph& graph, const Marks& inside, std::uint32_t start, Goal&& goal) {
    struct From {
        std::uint32_t state = nothing, action = nothing;
    };
    std::vector<From> from(graph.size());
    States queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const std::uint32_t state = queue[head];
        const auto targets = graph.targets(state), actions = graph.actions(state);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const std::uint32_t target = targets[i], action = actions.empty() ? nothing : actions[i];
            if (target == nothing || !inside[target]) continue;
            if (goal(target, action)) {
                std::vector<Step> steps{{target, action}};
                for (std::uint32_t at = state; at != start; at = from[at].state) steps.push_back({at, from[at].action});
                std::reverse(steps.begin(), steps.end());
                return steps;
            }
            if (target == start || from[target].state != nothing) continue;
            from[target] = {state, action};
            queue.push_back(target);
        }
    }
    return {};
}

/// A cycle through an SCC that is fair: it meets, action by action, a state where the action is disabled or an
/// edge that takes it, and then returns.
Lasso lasso_in(const LayerGraph& graph, std::span<const std::uint32_t> scc, const Marks& inside, const Fairness& fairness) {
    Lasso lasso{*std::min_element(scc.begin(), scc.end()), {}};
    std::uint32_t at = lasso.start;
    const auto go = [&](auto&& goal) {
        const std::vector<Step> steps = way(graph, inside, at, goal);
        lasso.cycle.insert(lasso.cycle.end(), steps.begin(), steps.end());
        if (!steps.empty()) at = steps.back().target;
    };
    for (const std::uint32_t fair : fairness.actions()) {
        const auto done = [&](const Step& step) { return step.action == fair || !fairness.enabled(step.target, fair); };
        if (!fairness.enabled(lasso.start, fair) || std::any_of(lasso.cycle.begin(), lasso.cycle.end(), done)) continue;
        go([&](std::uint32_t target, std::uint32_t action) { return action == fair || !fairness.enabled(target, fair); });
    }
    if (lasso.cycle.empty() || at != lasso.start) go([&](std::uint32_t target, std::uint32_t) { return target == lasso.start; });
    return lasso;
}

}  // namespace

std::uint32_t stuck_state(const LayerGraph& graph, Marks settled) {
    const auto leads_to_settled = [&](std::span<const std::uint32_t> targets) {
        return std::any_of(targets.begin(), targets.end(), [&](std::uint32_t target) { return target != nothing && settled[target]; });
    };
    settle(graph, settled, leads_to_settled);
    std::uint32_t found = nothing;
    each_scc(
        graph, [&](std::uint32_t state) { return !settled[state]; }, every_edge,
        [&](std::span<const std::uint32_t> scc) {
            const bool leads =
                std::any_of(scc.begin(), scc.end(), [&](std::uint32_t state) { return leads_to_settled(graph.targets(state)); });
            if (!leads) found = std::min(found, *std::min_element(scc.begin(), scc.end()));
            for (const std::uint32_t state : scc) settled[state] = 1;
            return true;
        });
    return found;
}

Lasso avoiding_cycle(const LayerGraph& graph, const Marks& settled, const std::vector<std::uint32_t>& fair, std::size_t actions) {
    const Fairness fairness(graph, fair, actions);
    Marks safe = settled;  // no cycle of states that do not satisfy it begins here
    settle(graph, safe, [&](std::span<const std::uint32_t> targets) {
        return std::all_of(targets.begin(), targets.end(), [&](std::uint32_t target) { return target == nothing || safe[target]; });
    });
    Lasso found;
    Marks inside(graph.size(), 0);
    each_scc(
        graph, [&](std::uint32_t state) { return !safe[state]; }, every_edge,
        [&](std::span<const std::uint32_t> scc) {
            const std::uint32_t first = scc.front();
            const auto targets = graph.targets(first);
            if (scc.size() == 1 && std::find(targets.begin(), targets.end(), first) == targets.end()) return true;
            if (*std::min_element(scc.begin(), scc.end()) > found.start) return true;
            for (const std::uint32_t state : scc) inside[state] = 1;
            if (fairness.admits(scc, inside)) found = lasso_in(graph, scc, inside, fairness);
            for (const std::uint32_t state : scc) inside[state] = 0;
            return true;
        });
    return found;
}

}  // namespace sweep
