#include "sweep/store/layer_table.hpp"

#include <algorithm>
#include <utility>

namespace sweep {

void LayerTable::split(std::uint64_t room, int k) {
    const std::uint64_t each = (std::max(room, one_.size()) / parts) * 5 / 4 + 16;  // parts are not filled alike
    many_.reserve(parts);
    for (std::uint32_t i = 0; i < parts; ++i) many_.emplace_back(account_).reserve<0>(each, k);
    one_.each(k, [&](const Word* state) {
        const Word hash = hash_words<0>(state, k);
        many_[part_of(hash)].insert<0>(state, hash, k);
    });
    one_.clear();
    first_ = many_.data();
    mask_ = parts - 1;
}

/// The hash of a state goes by its layout: it may belong to another part afterwards.
void LayerTable::rewrite(Transfer& transfer) {
    if (!is_split()) {
        one_.rewrite(transfer);
        return;
    }
    const int k = transfer.words();
    const std::uint64_t states = size();
    std::vector<VisitedTable> before;
    std::swap(before, many_);
    std::vector<Word> now(static_cast<std::size_t>(k));
    first_ = &one_;
    mask_ = 0;
    split(states, k);
    for (VisitedTable& part : before) {
        part.each(transfer.from_words(), [&](const Word* state) {
            transfer(state, now.data());
            const Word hash = hash_words<0>(now.data(), k);
            insert<0>(now.data(), hash, k);
        });
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
