#pragma once
#include <algorithm>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace sweep {

using States = std::vector<std::uint32_t>;  // by number within a layer, in the order found
constexpr std::uint32_t nothing = ~std::uint32_t{0};

/// The layer at work as a graph, put together while its states are processed: what is asked about cycles is decided on it
/// when the layer is complete. The edges of a state are kept only where some question is still open about it. With
/// labels, each edge has its action, and edges that leave the layer are kept too, with no target. As long as the layer is
/// not complete, targets from `size()` on are states that wait: whoever looks at the graph then takes them for others.
/// Of a state without edges it is known whether it is dead. In a model that stutters, runs may end in other states too.
class LayerGraph {
public:
    bool labelled = false, stutters = false;

    void clear() {
        first_.assign(1, 0);
        targets_.clear();
        actions_.clear();
        dead_.clear();
    }
    /// The next state has all its edges now.
    void end_state(bool dead) {
        if (dead) dead_.push_back(size());
        first_.push_back(static_cast<std::uint32_t>(targets_.size()));
    }
    void add(std::uint32_t target, std::uint32_t action) {
        if (targets_.size() == targets_.capacity()) [[unlikely]]
            more_room();
        targets_.push_back(target);
        if (labelled) actions_.push_back(action);
    }

    std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size() - 1); }
    std::span<const std::uint32_t> targets(std::uint32_t state) const { return part(targets_, state); }
    std::span<const std::uint32_t> actions(std::uint32_t state) const {
        return labelled ? part(actions_, state) : std::span<const std::uint32_t>();
    }
    bool is_dead(std::uint32_t state) const { return std::binary_search(dead_.begin(), dead_.end(), state); }
    std::uint64_t bytes() const {
        return (first_.capacity() + targets_.capacity() + actions_.capacity() + dead_.capacity()) * sizeof(std::uint32_t);
    }

private:
    /// By half as much again: edges take most of the memory of a check. A layer with more edges than 32 bits can number
    /// would need 16 GiB for them.
    void more_room() {
        const std::size_t size = targets_.size();
        if (size == nothing) throw std::bad_alloc();
        targets_.reserve(std::min<std::size_t>(size + size / 2 + 1024, nothing));
    }
    std::span<const std::uint32_t> part(const States& all, std::uint32_t state) const {
        return std::span(all).subspan(first_[state], first_[state + 1] - first_[state]);
    }

    States first_{0};  // per state: where its edges begin
    States targets_, actions_;
    States dead_;  // in ascending order
};

/// Tarjan's algorithm, without recursion, on the states for which `included` holds. `follows` says which edges count, by
/// state and position. `visit` gets every SCC after all SCCs it leads to, and says whether to go on.
template <class Included, class Follows, class Visit>
void each_scc(const LayerGraph& graph, Included&& included, Follows&& follows, Visit&& visit) {
    struct Frame {
        std::uint32_t state, next, low;
    };
    constexpr std::uint32_t done = nothing - 1;
    States order(graph.size(), nothing), stack;  // nothing: not met; done: its SCC is
    std::vector<Frame> path;
    std::uint32_t count = 0;
    const auto meet = [&](std::uint32_t state) {
        order[state] = count;
        stack.push_back(state);
        path.push_back({state, 0, count++});
    };
    for (std::uint32_t root = 0; root < graph.size(); ++root) {
        if (order[root] != nothing || !included(root)) continue;
        meet(root);
        while (!path.empty()) {
            Frame& frame = path.back();
            const std::uint32_t state = frame.state, position = frame.next++;
            const std::span<const std::uint32_t> targets = graph.targets(state);
            if (position < targets.size()) {
                const std::uint32_t target = targets[position];
                if (target >= graph.size() || !included(target) || !follows(state, position)) continue;
                if (order[target] == nothing)
                    meet(target);
                else
                    frame.low = std::min(frame.low, order[target]);  // `done` is larger than any
                continue;
            }
            const std::uint32_t low = frame.low;
            path.pop_back();
            if (!path.empty()) path.back().low = std::min(path.back().low, low);
            if (low != order[state]) continue;
            auto begin = stack.end();
            do order[*--begin] = done;
            while (*begin != state);
            if (!visit(std::span<const std::uint32_t>(begin, stack.end()))) return;
            stack.erase(begin, stack.end());
        }
    }
}

/// Whether the subgraph of the states and edges that count has a cycle; the search ends at the first.
template <class Included, class Follows>
bool has_cycle(const LayerGraph& graph, Included&& included, Follows&& follows) {
    enum : std::uint8_t { unmet, open, done };
    struct Frame {
        std::uint32_t state, next;
    };
    std::vector<std::uint8_t> met(graph.size(), unmet);
    std::vector<Frame> path;
    const auto meet = [&](std::uint32_t state) {
        met[state] = open;
        path.push_back({state, 0});
    };
    for (std::uint32_t root = 0; root < graph.size(); ++root) {
        if (met[root] != unmet || !included(root)) continue;
        meet(root);
        while (!path.empty()) {
            const std::uint32_t state = path.back().state, position = path.back().next++;
            const std::span<const std::uint32_t> targets = graph.targets(state);
            if (position == targets.size()) {
                met[state] = done;
                path.pop_back();
                continue;
            }
            const std::uint32_t target = targets[position];
            if (target >= graph.size() || met[target] == done || !included(target) || !follows(state, position)) continue;
            if (met[target] == open) return true;
            meet(target);
        }
    }
    return false;
}

}  // namespace sweep
