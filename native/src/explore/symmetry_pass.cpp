#include "sweep/explore/symmetry_pass.hpp"

#include <algorithm>

namespace sweep {

void SymmetryPass::run(const Batch&, Block& block) {
    const Width width = classes_.width();
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        Word* const state = block.state(c);
        met_.assign(state, state + width.words);
        const bool changed = canonical_.settle(state);
        if (!schema_.fits()) return;
        if (!changed) continue;
        classes_.compare_answers(state, met_.data());
        if (same_progress_ && !same_progress_(state, met_.data()))
            throw Disagreement({Role::measure}, schema_.unpack(state), schema_.unpack(met_.data()));
        move(block, c, width);
    }
}

bool SymmetryPass::run_known(const Batch&, Block& block) const {
    if (!canonical_.only_columns()) return false;
    const Width width = classes_.width();
    Columns::Room room;
    std::vector<Word> met;
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        Word* const state = block.state(c);
        met.assign(state, state + width.words);
        if (!canonical_.arrange(state, room)) continue;
        if (same_progress_ || !classes_.agree_known(state, met.data())) {  // one worker compares these
            std::copy(met.begin(), met.end(), state);
            return false;
        }
        move(block, c, width);
    }
    return true;
}

/// A candidate is another state now. Where it lies may be where the other one did, but is not taken for granted.
void SymmetryPass::move(Block& block, std::uint32_t c, Width width) {
    block.found[c].hash = hash_words<0>(block.state(c), width);
    block.found[c].place = no_place;
    block.found[c].outcome = no_outcome;
    ++block.moved;
}

}  // namespace sweep
