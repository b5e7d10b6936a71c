#include <algorithm>
#include <limits>
#include <vector>

#include "sweep/explore/pass.hpp"

namespace sweep {

bool PriorityPass::run_known(const Batch& batch, Block& block) const {
    std::vector<std::uint32_t> parents;  // in the order of their successors, which late ones have at the end
    for (std::uint32_t p = 0; p < batch.count; ++p)
        if (block.parents[p].begin != block.parents[p].end) parents.push_back(p);
    std::ranges::sort(parents, {}, [&](std::uint32_t p) { return block.parents[p].begin; });
    std::uint32_t kept = 0;
    for (const std::uint32_t p : parents) {
        const Block::Parent all = block.parents[p];
        std::int32_t first = std::numeric_limits<std::int32_t>::max();
        for (std::uint32_t c = all.begin; c < all.end; ++c) first = std::min(first, priorities_[block.found[c].action]);
        block.parents[p].begin = kept;
        for (std::uint32_t c = all.begin; c < all.end; ++c)
            if (priorities_[block.found[c].action] == first) block.move_candidate(c, kept++);
        block.parents[p].end = kept;
    }
    block.candidates = kept;
    return true;
}

}  // namespace sweep
