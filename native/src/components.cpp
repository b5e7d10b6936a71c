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

    /// Append the successors inside the layer.
    Successors successors(std::uint32_t index, std::vector<std::uint32_t>& inside) {
        const int k = engine_.model_.layout.words;
        const VisitedTable& visited = engine_.layers_[layer_]->visited;
        engine_.here_ = layer_;
        engine_.candidates_ = 0;
        engine_.misses_.clear();
        engine_.block_.resize(1);
        engine_.expand<0>(0, states_[index], true);
        engine_.place_candidates();
        Successors result;
        for (std::uint32_t c = 0; c < engine_.candidates_; ++c) {
            result.any = true;
            if (engine_.settings_.by_progress && engine_.found_[c].place != layer_) {
                result.outside = true;
                continue;
            }
            const Word* slot = visited.find(engine_.words_.data() + static_cast<std::size_t>(c) * static_cast<std::size_t>(k),
                                            engine_.found_[c].hash, k);
            if (slot) inside.push_back(index_[visited.slot_of(slot, k)]);
        }
        return result;
    }

private:
    Engine& engine_;
    LayerId layer_;
    std::vector<const Word*> states_;
    std::vector<std::uint32_t> index_;  // by slot of the table
};

namespace {

struct Component {
    const std::uint32_t* begin;
    const std::uint32_t* end;
    bool terminal;  // nothing leads out of it
    bool cyclic;    // more than one state, a loop, or a state without successors, which stutters
};

/// Tarjan's algorithm, without recursion, on the states for which `included` holds. `visit` gets every component and
/// says whether to go on.
template <class Included, class Visit>
void each_component(LayerGraph& graph, Included&& included, Visit&& visit) {
    struct Frame {
        std::uint32_t state, next, end;  // successors still to look at: pending[next .. end)
    };
    std::vector<std::uint32_t> order(graph.size(), none), low(graph.size(), none), stack, pending;
    std::vector<std::uint8_t> leaves(graph.size(), 0), loops(graph.size(), 0);
    std::vector<Frame> path;
    std::uint32_t count = 0;
    const auto enter = [&](std::uint32_t state) {
        order[state] = low[state] = count++;
        stack.push_back(state);
        const std::uint32_t first = static_cast<std::uint32_t>(pending.size());
        const LayerGraph::Successors found = graph.successors(state, pending);
        leaves[state] = found.outside;
        loops[state] = !found.any;
        path.push_back({state, first, static_cast<std::uint32_t>(pending.size())});
    };
    for (std::uint32_t root = 0; root < graph.size(); ++root) {
        if (order[root] != none || !included(root)) continue;
        enter(root);
        while (!path.empty()) {
            Frame& frame = path.back();
            const std::uint32_t state = frame.state;
            if (frame.next != frame.end) {
                const std::uint32_t target = pending[frame.next++];
                if (target == state) loops[state] = 1;
                if (!included(target)) leaves[state] = 1;
                else if (order[target] == none) enter(target);
                else if (low[target] != none) low[state] = std::min(low[state], order[target]);
                else leaves[state] = 1;  // its component is finished, so it is another one
                continue;
            }
            const std::uint32_t first = path.size() > 1 ? path[path.size() - 2].end : 0;
            pending.resize(first);
            path.pop_back();
            if (!path.empty()) {
                const std::uint32_t parent = path.back().state;
                low[parent] = std::min(low[parent], low[state]);
            }
            if (low[state] != order[state]) continue;
            std::size_t at = stack.size();
            bool terminal = true, cyclic = stack.back() != state;
            do {
                --at;
                terminal &= !leaves[stack[at]];
                cyclic |= loops[stack[at]] != 0;
                low[stack[at]] = none;
            } while (stack[at] != state);
            if (!path.empty()) leaves[path.back().state] = 1;
            if (!visit(Component{stack.data() + at, stack.data() + stack.size(), terminal, cyclic})) return;
            stack.resize(at);
        }
    }
}

/// A shortest way from a state of a component back to it, without leaving the component; empty when the state stutters.
std::vector<std::uint32_t> cycle_through(LayerGraph& graph, const Component& component) {
    const std::uint32_t start = *component.begin;
    std::vector<std::uint8_t> inside(graph.size(), 0);
    for (const std::uint32_t* state = component.begin; state != component.end; ++state) inside[*state] = 1;
    std::vector<std::uint32_t> from(graph.size(), none), queue{start}, targets;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        targets.clear();
        graph.successors(queue[head], targets);
        for (const std::uint32_t target : targets) {
            if (!inside[target] || from[target] != none) continue;
            from[target] = queue[head];
            if (target != start) {
                queue.push_back(target);
                continue;
            }
            std::vector<std::uint32_t> cycle{start};
            for (std::uint32_t at = from[start]; at != start; at = from[at]) cycle.push_back(at);
            std::reverse(cycle.begin(), cycle.end());
            return cycle;
        }
    }
    return {};
}

}  // namespace

/// All states of the layer are processed, and it is about to be deleted or the run is over.
void Engine::complete_layer(LayerId id) {
    const bool asked = std::any_of(watches.begin(), watches.end(), [](const Watch& watch) {
        return !watch.decided && (watch.on == Watch::On::always_possible || watch.on == Watch::On::always_eventually);
    });
    if (!asked || stop_ != Stop::none || layers_[id]->visited.size() == 0) return;
    // A block may be at work: its candidates are put aside.
    Buffers aside;
    std::swap(aside, static_cast<Buffers&>(*this));
    LayerGraph graph(*this, id);
    for (Watch& watch : watches) {
        if (watch.decided || stop_ != Stop::none) continue;
        std::vector<std::uint8_t> satisfied(graph.size());
        const bool possible = watch.on == Watch::On::always_possible;
        if (!possible && watch.on != Watch::On::always_eventually) continue;
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            satisfied[i] = satisfies(static_cast<std::uint32_t>(watch.predicate), graph.state(i));
        each_component(
            graph, [&](std::uint32_t state) { return possible || !satisfied[state]; },
            [&](const Component& component) {
                const bool bad = possible ? component.terminal && std::none_of(component.begin, component.end,
                                                                               [&](std::uint32_t s) { return satisfied[s]; })
                                          : component.cyclic;
                if (!bad) return true;
                if (!possible) {
                    // A loop may be that of one state only: start where there is one.
                    watch.cycle.clear();
                    std::uint32_t start = *component.begin;
                    const std::vector<std::uint32_t> cycle = cycle_through(graph, component);
                    if (!cycle.empty()) start = cycle.back();
                    for (const std::uint32_t state : cycle) watch.cycle.push_back(model_.unpack(graph.state(state)));
                    decide(watch, no_parent, graph.state(start));
                } else {
                    decide(watch, no_parent, graph.state(*component.begin));
                }
                return false;
            });
    }
    std::swap(aside, static_cast<Buffers&>(*this));
}

}  // namespace sweep
