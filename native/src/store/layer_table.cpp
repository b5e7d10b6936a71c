#include "sweep/store/layer_table.hpp"

#include <algorithm>
#include <utility>

namespace sweep {

void LayerTable::split(std::uint32_t parts, std::uint64_t room, Width width) {
    const std::uint64_t each = std::max(room, one_.size()) / parts * 9 / 8 + 16;  // they are not filled quite alike
    many_.reserve(parts);
    for (std::uint32_t i = 0; i < parts; ++i) many_.emplace_back(account_).reserve<0>(each, width);
    first_ = many_.data();
    mask_ = parts - 1;
    one_.each(width.words, [&](const Word* state) { insert<0>(state, hash_words<0>(state, width), width); });
    one_.clear();
}

/// The hash of a state goes by its layout: it may belong to another part afterwards.
void LayerTable::rewrite(Transfer& transfer) {
    if (!is_split()) {
        one_.rewrite(transfer);
        return;
    }
    std::vector<VisitedTable> before;
    std::swap(before, many_);
    many_.reserve(before.size());
    for (const VisitedTable& part : before) many_.emplace_back(account_).allocate_for(part, transfer.words());
    first_ = many_.data();
    for (VisitedTable& part : before) {
        part.each_rewritten(transfer, [&](Word hash) -> VisitedTable& { return first_[hash & mask_]; });
        part.clear();
    }
}

void LayerTable::clear() {
    many_.clear();
    one_.clear();
    first_ = &one_;
    mask_ = 0;
}

}  // namespace sweep
