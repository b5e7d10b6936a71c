#include "sweep/progress/ranks.hpp"

#include <tuple>
#include <utility>

namespace sweep {

std::uint32_t Ranks::add(std::optional<std::uint32_t> below) {
    constexpr std::uint64_t step = std::uint64_t{1} << 32;
    const auto neighbours = [&] {
        const auto next = below && ranks_[*below] ? by_rank_.upper_bound(ranks_[*below]) : by_rank_.begin();
        const std::uint64_t low = next == by_rank_.begin() ? 0 : std::prev(next)->first;
        return std::pair{low, next == by_rank_.end() ? low + 2 * step : next->first};
    };
    auto [low, high] = neighbours();
    if (high - low < 2) {  // no rank left between them: number all anew
        std::map<std::uint64_t, std::uint32_t> renumbered;
        for (const auto& [rank, layer] : by_rank_) {
            ranks_[layer] = step * (renumbered.size() + 1);
            renumbered.emplace(ranks_[layer], layer);
        }
        by_rank_.swap(renumbered);
        std::tie(low, high) = neighbours();
    }
    const std::uint32_t layer = static_cast<std::uint32_t>(ranks_.size());
    ranks_.push_back(low + (high - low) / 2);
    by_rank_.emplace(ranks_.back(), layer);
    return layer;
}

void Ranks::remove(std::uint32_t layer) {
    by_rank_.erase(ranks_[layer]);
    ranks_[layer] = 0;
}

}  // namespace sweep
