#pragma once
#include <cstdint>
#include <vector>

#include "sweep/ask/graph.hpp"

namespace sweep {

using Marks = std::vector<std::uint8_t>;  // one per state of a layer

/// A state from which no state that is settled (satisfying, or with a way out of the layer) can be reached: the one found
/// first, and so nearest, of all SCCs that lead to none and nowhere else; `nothing` when there is none.
std::uint32_t stuck_state(const LayerGraph& graph, Marks settled);

struct Lasso {
    struct Step {
        std::uint32_t target, action;
    };
    std::uint32_t start = nothing;
    std::vector<Step> cycle;  // from the start back to it
};

/// Actions that no run ignores for ever, together: while one of them or another stays enabled or, where it is `strong`, if some are
/// enabled again and again.
struct Fairness {
    std::vector<std::uint32_t> actions;
    bool strong = false;
};

/// What a cycle has to meet: a state with each of the marks.
struct Acceptance {
    const std::vector<std::uint32_t>& marks;  // per state
    std::uint32_t all = 0;
};

/// A cycle of states that are not settled, fair and accepted as is asked; of all SCCs with one, through the state found first.
Lasso avoiding_cycle(const LayerGraph& graph, const Marks& settled, const std::vector<Fairness>& fair, std::size_t actions,
                     const Acceptance& acceptance = {{}, 0});

/// The states of all cycles of that kind.
Marks on_fair_cycles(const LayerGraph& graph, const Marks& settled, const std::vector<Fairness>& fair, std::size_t actions);

}  // namespace sweep
