// Strongly connected components of a complete layer (algorithm G; paper 0, section 5, and paper 4): with a monotone measure
// every cycle lies inside one layer, so what is asked about cycles is decided layer by layer, before it is deleted.
#include <algorithm>
#include <stdexcept>

#include "sweep/explore/engine.hpp"

namespace sweep {

namespace {

using Marks = std::vector<std::uint8_t>;  // one per state of the layer

constexpr auto every_edge = [](std::uint32_t, std::uint32_t) { return true; };

/// Mark the states whose targets settle them, in one pass against the order found and one with it: what breadth-first
/// search leaves to components afterwards is little.
template <class Settled>
void settle(const LayerGraph& graph, Marks& marks, Settled&& settled) {
    for (std::uint32_t state = graph.size(); state-- > 0;)
        if (!marks[state]) marks[state] = settled(graph.targets(state));
    for (std::uint32_t state = 0; state < graph.size(); ++state)
        if (!marks[state]) marks[state] = settled(graph.targets(state));
}

/// A state from which no state that is `fine` (satisfying, or with a way out of the layer) can be reached: the one found
/// first, and so nearest, of all components that lead to none and nowhere else. Components come after those they lead to.
std::uint32_t stuck_state(const LayerGraph& graph, Marks fine) {
    const auto leads_to_fine = [&](std::span<const std::uint32_t> targets) {
        return std::any_of(targets.begin(), targets.end(), [&](std::uint32_t target) { return target != nothing && fine[target]; });
    };
    settle(graph, fine, leads_to_fine);
    std::uint32_t found = nothing;
    each_component(
        graph, [&](std::uint32_t state) { return !fine[state]; }, every_edge,
        [&](std::span<const std::uint32_t> component) {
            const bool leads =
                std::any_of(component.begin(), component.end(), [&](std::uint32_t state) { return leads_to_fine(graph.targets(state)); });
            if (!leads) found = std::min(found, *std::min_element(component.begin(), component.end()));
            for (const std::uint32_t state : component) fine[state] = 1;
            return true;
        });
    return found;
}

/// Weak fairness: an action that is enabled in every state of a cycle must be taken on it.
class Fairness {
public:
    Fairness(const LayerGraph& graph, const std::vector<std::uint32_t>& fair, std::size_t actions)
        : graph_(graph), fair_(fair), index_(actions, nothing) {
        for (std::uint32_t f = 0; f < fair.size(); ++f) index_[fair[f]] = f;
    }

    /// Whether a run that stays in a component for ever can be fair to every action. A larger component only offers
    /// more, so that maximal ones are enough.
    bool admits(std::span<const std::uint32_t> component, const Marks& inside) const {
        States enabled(fair_.size(), 0), last(fair_.size(), nothing);
        Marks taken(fair_.size(), 0);
        for (const std::uint32_t state : component) {
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
            if (!taken[f] && enabled[f] == component.size()) return false;
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

struct Step {
    std::uint32_t target, action;
};

/// A shortest way inside a component, of one step at least, whose last edge is the first that reaches the goal.
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

struct Lasso {
    std::uint32_t start = nothing;
    std::vector<Step> cycle;  // from the start back to it
};

/// A cycle through a component that is fair: it meets, action by action, a state where the action is disabled or an
/// edge that takes it, and then returns.
Lasso lasso_in(const LayerGraph& graph, std::span<const std::uint32_t> component, const Marks& inside, const Fairness& fairness) {
    Lasso lasso{*std::min_element(component.begin(), component.end()), {}};
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

/// A fair cycle of states that do not satisfy the predicate; of all components with one, through the state found first.
Lasso avoiding_cycle(const LayerGraph& graph, const Marks& satisfied, const Fairness& fairness) {
    Marks safe = satisfied;  // no cycle of states that do not satisfy it begins here
    settle(graph, safe, [&](std::span<const std::uint32_t> targets) {
        return std::all_of(targets.begin(), targets.end(), [&](std::uint32_t target) { return target == nothing || safe[target]; });
    });
    Lasso found;
    Marks inside(graph.size(), 0);
    each_component(
        graph, [&](std::uint32_t state) { return !safe[state]; }, every_edge,
        [&](std::span<const std::uint32_t> component) {
            const std::uint32_t first = component.front();
            const auto targets = graph.targets(first);
            if (component.size() == 1 && std::find(targets.begin(), targets.end(), first) == targets.end()) return true;
            if (*std::min_element(component.begin(), component.end()) > found.start) return true;
            for (const std::uint32_t state : component) inside[state] = 1;
            if (fairness.admits(component, inside)) found = lasso_in(graph, component, inside, fairness);
            for (const std::uint32_t state : component) inside[state] = 0;
            return true;
        });
    return found;
}

bool asks_about_cycles(const Question& watch) {
    return !watch.decided && (watch.on == Question::On::always_possible || watch.on == Question::On::always_eventually);
}

}  // namespace

/// A layer's turn has come: its states get their numbers, those that are to come as they are found.
void Engine::begin_graph(LayerId id) {
    graph_layer_ = id;
    graph_.clear();
    graph_.labelled = survey || !settings_.fair.empty();
    for (Question& watch : watches) watch.fine.clear();
    Layer& layer = *layers_[id];
    const int k = model_.layout.words;
    // Only an order that is not transitive lets a layer be entered again; its cycles could not be trusted then.
    if (layer.visited.size() != layer.unprocessed.size())
        throw std::runtime_error("a layer was entered again: the measure's order is none");
    layer.visited.keep_numbers();
    std::uint32_t number = 0;
    layer.unprocessed.each(
        stride(), [&](const Word* state) { layer.visited.number<0>(layer.visited.find(state, hash_words<0>(state, k), k), k) = number++; });
}

/// What is asked about the states of a block, and so whether their edges have to be kept.
void Engine::judge_parents(LayerId current, const Word* parents, std::uint32_t count) {
    kept_.assign(count, survey != nullptr);
    for (Question& watch : watches) {
        if (!asks_about_cycles(watch)) continue;
        for (std::uint32_t p = 0; p < count; ++p) {
            bool fine = false;
            if (watch.on == Question::On::always_possible && settings_.by_progress)
                for (std::uint32_t c = block_[p].begin; c < block_[p].end && !fine; ++c) fine = found_[c].place != current;
            fine = fine || satisfies(static_cast<std::uint32_t>(watch.predicate), parents + static_cast<std::size_t>(stride()) * p);
            watch.fine.push_back(fine);
            kept_[p] |= !fine;
        }
    }
}

/// The states of the layer at work with these numbers.
std::vector<Unpacked> Engine::numbered_states(const std::vector<std::uint32_t>& numbers) {
    VisitedTable& visited = layers_[graph_layer_]->visited;
    const int k = model_.layout.words;
    std::vector<const Word*> states(graph_.size());
    visited.each(k, [&](const Word* state) { states[visited.number<0>(state, k)] = state; });
    std::vector<Unpacked> result;
    for (const std::uint32_t number : numbers) result.push_back(model_.unpack(states[number]));
    return result;
}

/// Between two questions about a large layer: whether there is time, and nobody has pressed Ctrl-C.
bool Engine::may_go_on() {
    if (stop_ == Stop::none && tick_is_due() && oracle_.tick()) stop_ = Stop::interrupted;
    return stop_ == Stop::none;
}

/// All states of the layer are processed.
void Engine::complete_layer() {
    const Fairness fairness(graph_, settings_.fair, actions.size());
    for (Question& watch : watches) {
        if (!asks_about_cycles(watch) || !may_go_on()) continue;
        if (watch.on == Question::On::always_possible) {
            const std::uint32_t stuck = stuck_state(graph_, watch.fine);
            if (stuck != nothing) decide(watch, no_parent, numbered_states({stuck}).front());
            continue;
        }
        const Lasso lasso = avoiding_cycle(graph_, watch.fine, fairness);
        if (lasso.start == nothing) continue;
        States numbers{lasso.start};
        for (const Step& step : lasso.cycle) {
            numbers.push_back(step.target);
            if (graph_.labelled) watch.actions.push_back(step.action);
        }
        watch.cycle = numbered_states(numbers);
        decide(watch, no_parent, watch.cycle.front());
        watch.cycle.erase(watch.cycle.begin());
    }
    if (survey && stop_ == Stop::none) {
        survey->home = nothing;
        survey->complete(graph_, [&] { return may_go_on(); });
        if (survey->home != nothing) home = numbered_states({survey->home}).front();
    }
    layers_[graph_layer_]->visited.drop_numbers();
    graph_layer_ = no_layer;
}

}  // namespace sweep
