#include "sweep/explore/bound.hpp"

#include "sweep/explore/pass.hpp"

namespace sweep {

std::optional<bool> Bound::is_known_inside(const Word* state) const {
    for (const std::uint32_t one : predicates) {
        const std::optional<bool> holds = resolver_.program().known(one, state);
        if (!holds || !*holds) return holds;
    }
    return true;
}

void Bound::begin(Batch& batch, std::uint64_t waiting) {
    if (!depth) return;
    const std::uint64_t had_their_turn = ledger_.counters.explored + ledger_.counters.beyond;
    if (had_their_turn == level_end_) {
        level_end_ += waiting;
        ++level_;
    }
    batch.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(batch.count, level_end_ - had_their_turn));
}

void Bound::look(const Batch& batch, Block& block) const {
    block.outside.clear();
    if (!any()) return;
    block.outside.resize(batch.count);
    const bool too_deep = depth && level_ > *depth;
    for (std::uint32_t p = 0; p < batch.count; ++p) block.outside[p] = too_deep || !is_inside(batch.state(p));
}

bool Bound::look_known(const Batch& batch, Block& block) const {
    block.outside.clear();
    if (predicates.empty()) return !depth;
    block.outside.resize(batch.count);
    for (std::uint32_t p = 0; p < batch.count; ++p) {
        const std::optional<bool> inside = is_known_inside(batch.state(p));
        if (!inside) return false;
        block.outside[p] = !*inside;
    }
    return true;
}

void BoundPass::run(const Batch&, Block& block) {
    block.led_outside.resize(block.candidates);
    for (std::uint32_t c = 0; c < block.candidates; ++c) block.led_outside[c] = !bound_.is_inside(block.state(c));
}

bool BoundPass::run_known(const Batch&, Block& block) const {
    block.led_outside.resize(block.candidates);
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        const std::optional<bool> inside = bound_.is_known_inside(block.state(c));
        if (!inside) return false;
        block.led_outside[c] = !*inside;
    }
    return true;
}

}  // namespace sweep
