#include "sweep/explore/symmetry_pass.hpp"

#include <algorithm>

namespace sweep {

void SymmetryPass::run(const Batch& batch, Block& block) {
    const Width width = classes_.width();
    keep_made(block);
    if (canonical_.only_columns()) {
        with_width(width.words, [&]<int K>() { arrange_all<K>(batch, block); });
        return;
    }
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        Word* const state = block.state(c);
        met_.assign(state, state + width.words);
        const bool changed = canonical_.settle(state);
        if (!schema_.fits()) return;
        if (changed) {
            compare(state, met_.data());
            move<0>(block, c, width);
        }
        batch.aim.fetch(block.found[c].hash, width.words);
    }
}

/// The same where columns are all there is: nothing is asked for, and nothing outgrows its field.
template <int K>
void SymmetryPass::arrange_all(const Batch& batch, Block& block) {
    const Width width = classes_.width();
    const bool compares = same_progress_ || classes_.compares_answers();
    met_.resize(static_cast<std::size_t>(width.words));
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        Word* const state = block.state<K>(c);
        if (compares) std::copy_n(state, K ? K : width.words, met_.data());
        if (canonical_.arrange(state, room_)) {
            if (compares) compare(state, met_.data());
            move<K>(block, c, width);
        }
        batch.aim.fetch(block.found[c].hash, width.words);
    }
}

bool SymmetryPass::run_known(const Batch&, Block& block) const {
    if (!canonical_.only_columns()) return false;
    const Width width = classes_.width();
    keep_made(block);
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
        move<0>(block, c, width);
    }
    return true;
}

/// Once: whoever does it again finds candidates that have been replaced.
void SymmetryPass::keep_made(Block& block) const {
    if (keeps_made && block.made.empty()) block.made.assign(block.state(0), block.state(block.candidates));
}

void SymmetryPass::compare(const Word* state, const Word* met) const {
    classes_.compare_answers(state, met);
    if (same_progress_ && !same_progress_(state, met)) throw Disagreement({Role::measure}, schema_.unpack(state), schema_.unpack(met));
}

template <int K>
void SymmetryPass::move(Block& block, std::uint32_t c, Width width) {
    block.found[c].hash = hash_words<K>(block.state<K>(c), width);
    block.found[c].place = no_place;
    block.found[c].outcome = no_outcome;
    ++block.moved;
}

}  // namespace sweep
