#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/program/resolver.hpp"
#include "sweep/store/ledger.hpp"

namespace sweep {

/// Which states are explored: those that satisfy all constraints and, where that is asked for, lie fewer than so many steps from an
/// initial state. The others are found and judged like all; when their turn comes, they are passed over.
class Bound {
public:
    Bound(Resolver& resolver, const Ledger& ledger) : resolver_(resolver), ledger_(ledger) {}

    std::vector<std::uint32_t> predicates;  // that a state has to satisfy
    std::optional<std::uint64_t> depth;     // steps; only where the oldest state is next

    template <class File>
    void keep(File& file) {
        file(level_, level_end_);
    }
    bool any() const { return depth || !predicates.empty(); }
    bool is_inside(const Word* state) const {
        return std::all_of(predicates.begin(), predicates.end(), [&](std::uint32_t one) { return resolver_.satisfies(one, state); });
    }
    /// The same if no function has to be asked for it.
    std::optional<bool> is_known_inside(const Word* state) const;

    /// A batch is next, and so many states wait with it: let it end where the states end that are as many steps from an initial one as
    /// its first. That is known of all that are waiting when the first of them comes.
    void begin(Batch& batch, std::uint64_t waiting);
    /// Note which states of a batch are passed over.
    void look(const Batch& batch, Block& block) const;
    /// The same by one of several workers; false when a function has to be asked for it.
    bool look_known(const Batch& batch, Block& block) const;
    /// From now on all states are expanded.
    void lift() {
        predicates.clear();
        depth.reset();
    }

private:
    Resolver& resolver_;
    const Ledger& ledger_;
    std::uint64_t level_ = 0;      // steps from an initial state to those at work, and one more
    std::uint64_t level_end_ = 0;  // so many states have had their turn when they all have
};

}  // namespace sweep
