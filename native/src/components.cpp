// Strongly connected components of a complete layer (algorithm G; paper 0, section 5, and paper 4): with a monotone measure
// every cycle lies inside one layer, so what is asked about cycles is decided layer by layer, before it is deleted.
#include <algorithm>

#include "sweep/engine.hpp"

namespace sweep {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

}  // namespace

/// The graph that the states of a layer span; successors are computed again from the tables when they are asked for.
class LayerGraph {
public:
    LayerGraph(Engine& engine, LayerId layer) : engine_(engine), layer_(layer) {
        const int k = engine.model_.layout.words;
        const VisitedTable& visited = engine.layers_[layer]->visited;
        index_.assign(visited.slots(), none);
        visited.each(k, [&](const Word* state) {
            index_[visited.slot_of(state, k)] = static_cast<std::uint32_t>(states_.size());
            states_.push_back(state);
        });
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(states_.size()); }
    const Word* state(std::uint32_t index) const { return states_[index]; }

    struct Successors {
        bool any = false, outside = false;  // whether there are any, and whether one lies in another layer
    };

    /// Compute the successors of a state.
    Successors expand(std::uint32_t index) {
        engine_.here_ = layer_;
        engine_.block_.resize(1);
        switch (engine_.model_.layout.words) {
            case 1: expand_as<1>(states_[index]); break;
            case 2: expand_as<2>(states_[index]); break;
            case 3: expand_as<3>(states_[index]); break;
            case 4: expand_as<4>(states_[index]); break;
            default: expand_as<0>(states_[index]); break;
        }
        engine_.place_candidates();
        Successors result{engine_.candidates_ != 0, false};
        for (std::uint32_t c = 0; engine_.settings_.by_progress && c < engine_.candidates_; ++c)
            result.outside |= engine_.found_[c].place != layer_;
        return result;
    }

    /// Append those successors just computed that lie inside the layer.
    void inside(std::vector<std::uint32_t>& targets) const {
        const int k = engine_.model_.layout.words;
        const VisitedTable& visited = engine_.layers_[layer_]->visited;
        for (std::uint32_t c = 0; c < engine_.candidates_; ++c) {
            if (engine_.settings_.by_progress && engine_.found_[c].place != layer_) continue;
            const Word* successor = engine_.words_.data() + static_cast<std::size_t>(c) * static_cast<std::size_t>(k);
            const Word* slot = visited.find(successor, engine_.found_[c].hash, k);
            if (slot) targets.push_back(index_[visited.slot_of(slot, k)]);
        }
    }

private:
    /// From the tables; whatever they have forgotten since the layer was explored is resolved again.
    template <int K>
    void expand_as(const Word* state) {
        engine_.candidates_ = 0;
        engine_.misses_.clear();
        if (engine_.expand<K>(0, state, false)) return;
        engine_.candidates_ = 0;
        for (std::uint32_t a = 0; a < engine_.actions.size(); ++a)
            if (engine_.action_counters[a].tabulated) engine_.resolve(a, state);
        engine_.expand<K>(0, state, true);
    }

    Engine& engine_;
    LayerId layer_;
    std::vector<const Word*> states_;
    std::vector<std::uint32_t> index_;  // by slot of the table
};

namespace {

using States = std::vector<std::uint32_t>;

/// Tarjan's algorithm, without recursion, on the states for which `included` holds. `enter` is told of every state
/// when it is met and may append its successors to the list it gets; it answers whether the state is `settled`, and so is
/// everything that leads to it: then all that waits on the stack is let go. `visit` gets every component that was
/// not settled, and says whether to go on.
template <class Included, class Enter, class Visit>
void each_component(std::uint32_t size, Included&& included, Enter&& enter, Visit&& visit) {
    struct Frame {
        std::uint32_t state, next, end;  // successors still to look at: pending[next .. end)
    };
    States order(size, none), low(size, none), stack, pending;
    std::vector<std::uint8_t> settled(size, 0);
    std::vector<Frame> path;
    std::uint32_t count = 0;
    const auto settle = [&] {
        for (const std::uint32_t state : stack) {
            settled[state] = 1;
            low[state] = none;
        }
        stack.clear();
        path.clear();
        pending.clear();
    };
    const auto meet = [&](std::uint32_t state) {
        order[state] = low[state] = count++;
        stack.push_back(state);
        const std::uint32_t first = static_cast<std::uint32_t>(pending.size());
        if (enter(state, pending)) settle();
        else path.push_back({state, first, static_cast<std::uint32_t>(pending.size())});
    };
    for (std::uint32_t root = 0; root < size; ++root) {
        if (order[root] != none || !included(root)) continue;
        meet(root);
        while (!path.empty()) {
            Frame& frame = path.back();
            const std::uint32_t state = frame.state;
            if (frame.next != frame.end) {
                const std::uint32_t target = pending[frame.next++];
                if (!included(target)) continue;
                if (settled[target]) settle();
                else if (order[target] == none) meet(target);
                else if (low[target] != none) low[state] = std::min(low[state], order[target]);
                continue;
            }
            path.pop_back();
            pending.resize(path.empty() ? 0 : path.back().end);
            if (!path.empty()) low[path.back().state] = std::min(low[path.back().state], low[state]);
            if (low[state] != order[state]) continue;
            const auto begin = std::find(stack.rbegin(), stack.rend(), state).base() - 1;
            const States component(begin, stack.end());
            for (const std::uint32_t member : component) low[member] = none;
            stack.erase(begin, stack.end());
            if (!visit(component)) return;
        }
    }
}

/// A shortest way from a component's first state back to it, without leaving the component; empty when there is none.
States cycle_in(LayerGraph& graph, const States& component) {
    const std::uint32_t start = component.front();
    std::vector<std::uint8_t> inside(graph.size(), 0);
    for (const std::uint32_t state : component) inside[state] = 1;
    States from(graph.size(), none), queue{start}, targets;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        targets.clear();
        graph.expand(queue[head]);
        graph.inside(targets);
        for (const std::uint32_t target : targets) {
            if (!inside[target] || from[target] != none) continue;
            from[target] = queue[head];
            if (target != start) {
                queue.push_back(target);
                continue;
            }
            States cycle{start};
            for (std::uint32_t at = from[start]; at != start; at = from[at]) cycle.push_back(at);
            std::reverse(cycle.begin(), cycle.end());
            return cycle;
        }
    }
    return {};
}

/// A state from which neither a satisfying state nor another layer can be reached: one of the first component that
/// nothing settles. It is terminal, since all components it might lead to would have been found before.
std::uint32_t stuck_state(LayerGraph& graph, const std::vector<std::uint8_t>& satisfied) {
    std::uint32_t found = none;
    each_component(
        graph.size(), [](std::uint32_t) { return true; },
        [&](std::uint32_t state, States& targets) {
            if (satisfied[state] || graph.expand(state).outside) return true;
            graph.inside(targets);
            return false;
        },
        [&](const States& component) {
            found = component.front();
            return false;
        });
    return found;
}

struct Lasso {
    std::uint32_t start = none;
    States cycle;  // from the start back to it; empty when it stutters
};

/// A cycle of states that do not satisfy the predicate; a state without successors stutters, which is a cycle too.
Lasso avoiding_cycle(LayerGraph& graph, const std::vector<std::uint8_t>& satisfied) {
    Lasso found;
    std::vector<std::uint8_t> loops(graph.size(), 0);
    each_component(
        graph.size(), [&](std::uint32_t state) { return !satisfied[state]; },
        [&](std::uint32_t state, States& targets) {
            const std::size_t first = targets.size();
            loops[state] = !graph.expand(state).any;
            graph.inside(targets);
            loops[state] |= std::find(targets.begin() + static_cast<std::ptrdiff_t>(first), targets.end(), state) != targets.end();
            return false;
        },
        [&](const States& component) {
            if (component.size() == 1 && !loops[component.front()]) return true;
            found = {component.front(), cycle_in(graph, component)};
            return false;
        });
    return found;
}

}  // namespace

/// All states of the layer are processed, and it is about to be deleted or the run is over.
void Engine::complete_layer(LayerId id) {
    const auto asks = [](const Watch& watch) {
        return !watch.decided && (watch.on == Watch::On::always_possible || watch.on == Watch::On::always_eventually);
    };
    if (stop_ != Stop::none || layers_[id]->visited.size() == 0 || std::none_of(watches.begin(), watches.end(), asks)) return;
    Buffers aside;  // a block may be at work
    std::swap(aside, static_cast<Buffers&>(*this));
    LayerGraph graph(*this, id);
    std::vector<std::uint8_t> satisfied(graph.size());
    for (Watch& watch : watches) {
        if (!asks(watch) || stop_ != Stop::none) continue;
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            satisfied[i] = satisfies(static_cast<std::uint32_t>(watch.predicate), graph.state(i));
        if (watch.on == Watch::On::always_possible) {
            const std::uint32_t stuck = stuck_state(graph, satisfied);
            if (stuck != none) decide(watch, no_parent, graph.state(stuck));
        } else {
            const Lasso lasso = avoiding_cycle(graph, satisfied);
            if (lasso.start == none) continue;
            for (const std::uint32_t state : lasso.cycle) watch.cycle.push_back(model_.unpack(graph.state(state)));
            decide(watch, no_parent, graph.state(lasso.start));
        }
    }
    std::swap(aside, static_cast<Buffers&>(*this));
}

}  // namespace sweep
