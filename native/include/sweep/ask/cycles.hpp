#pragma once
#include <cstdint>
#include <vector>

#include "sweep/ask/graph.hpp"
#include "sweep/ask/runs.hpp"

namespace sweep {

using Marks = std::vector<std::uint8_t>;  // one per state of a layer

/// Whether a run may stay in a state for ever: nothing is possible there or, where the model stutters, nothing that runs are fair to.
bool may_end(const LayerGraph& graph, const Runs& runs, std::uint32_t state);

/// A state from which no state that is settled (satisfying, or with a way out of the layer) can be reached: the one found
/// first, and so nearest, of all SCCs that lead to none and nowhere else; `nothing` when there is none.
std::uint32_t stuck_state(const LayerGraph& graph, Marks settled);

struct Lasso {
    struct Step {
        std::uint32_t target, action;
    };
    std::uint32_t start = nothing;
    std::vector<Step> cycle;  // from the start back to it; no step where a run may end
};

/// What a cycle has to meet: a state with each of the marks.
struct Acceptance {
    const std::vector<std::uint32_t>& marks;  // per state
    std::uint32_t all = 0;
    bool ends = true;  // whether a run that stays in one state for ever is one
};

/// A cycle of states that are not settled, of a run that counts and accepted as is asked; of all SCCs with one, through the state found
/// first.
Lasso avoiding_cycle(const LayerGraph& graph, const Marks& settled, const Runs& runs, const Acceptance& acceptance = {{}, 0});

/// The states of all cycles of that kind, without acceptance.
Marks on_fair_cycles(const LayerGraph& graph, const Marks& settled, const Runs& runs);

}  // namespace sweep
