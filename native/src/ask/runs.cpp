#include "sweep/ask/runs.hpp"

#include <algorithm>

namespace sweep {

Runs::Runs(std::vector<Fairness> fair, std::size_t actions, bool stutter)
    : fair_(std::move(fair)), actions_(std::max<std::size_t>(actions, 1)), stutter_(stutter) {
    for (const Fairness& one : fair_) {
        group_.push_back(nothing);
        if (one.of.empty()) continue;
        const auto known = std::find(groups_.begin(), groups_.end(), one.of);
        group_.back() = static_cast<std::uint32_t>(known - groups_.begin());
        if (known == groups_.end()) groups_.push_back(one.of);
        looks_.resize(actions_);
        for (const std::uint32_t action : one.actions) looks_[action] = 1;
    }
    number_of(std::vector<bool>(groups_.size()));
}

void Runs::begin(const Schema& schema) {
    masks_.clear();
    for (const auto& group : groups_) masks_.push_back(schema.layout.mask_of(group));
}

/// The labels of these steps follow those of all that are known.
std::uint32_t Runs::number_of(const std::vector<bool>& unchanged) {
    const auto [known, is_new] = numbers_.try_emplace(unchanged, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) {
        taken_.resize(taken_.size() + actions_);
        States* const of = taken_.data() + taken_.size() - actions_;
        for (std::uint32_t f = 0; f < fair_.size(); ++f)
            if (group_[f] == nothing || !unchanged[group_[f]])
                for (const std::uint32_t action : fair_[f].actions) of[action].push_back(f);
    }
    return known->second;
}

std::uint32_t Runs::with_unchanged(std::uint32_t action, const Word* before, const Word* after) {
    std::vector<bool> unchanged(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const std::vector<Word>& mask = masks_[g];
        std::size_t word = 0;
        while (word < mask.size() && !((before[word] ^ after[word]) & mask[word])) ++word;
        unchanged[g] = word == mask.size();
    }
    return action + static_cast<std::uint32_t>(actions_) * number_of(unchanged);
}

bool Runs::may_end(const Batch& batch, const Block& block, std::uint32_t parent) {
    if (!stutter_ || block.is_outside(parent)) return false;
    const Block::Parent range = block.parents[parent];
    for (std::uint32_t c = range.begin; c < range.end; ++c)
        if (!taken(label(block.found[c].action, batch.state(parent), block.state(c))).empty()) return false;
    return true;
}

}  // namespace sweep
