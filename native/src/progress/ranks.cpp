#include "sweep/progress/ranks.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sweep {

namespace {

constexpr std::uint64_t end_of_ranks = std::uint64_t{1} << 63;
constexpr std::uint64_t step = std::uint64_t{1} << 32;  // to a new last layer

}  // namespace

std::uint32_t Ranks::add(std::optional<std::uint32_t> below) {
    const auto neighbours = [&] {
        const auto next = after(below);
        const std::uint64_t low = next == by_rank_.begin() ? 0 : std::prev(next)->first;
        return std::pair{low, next == by_rank_.end() ? std::min(low + 2 * step, end_of_ranks) : next->first};
    };
    auto [low, high] = neighbours();
    if (high - low < 2) {
        make_room(after(below));
        std::tie(low, high) = neighbours();
    }
    const std::uint32_t layer = static_cast<std::uint32_t>(ranks_.size());
    ranks_.push_back(low + (high - low) / 2);
    by_rank_.emplace(ranks_.back(), layer);
    return layer;
}

Ranks::ByRank::iterator Ranks::after(std::optional<std::uint32_t> below) {
    return below && ranks_[*below] ? by_rank_.upper_bound(ranks_[*below]) : by_rank_.begin();
}

/// No rank is left before a layer: number its neighbours anew, as few as lie thinly enough. The larger the stretch the thinner they
/// must lie there, so that it takes in proportion as many new layers to fill it again: a new one costs a logarithm on average
/// (order maintenance; Bender and others, 2002).
void Ranks::make_room(ByRank::iterator next) {
    auto first = next, last = next;
    const std::uint64_t around = next == by_rank_.begin() ? 0 : std::prev(next)->first;
    std::uint64_t count = 0;
    double most = 1;
    for (int bits = 1; bits <= 63; ++bits) {
        most *= 1.4;  // below 2: with every bit twice the ranks, but not twice the layers
        const std::uint64_t size = std::uint64_t{1} << bits, low = around & ~(size - 1);
        for (; first != by_rank_.begin() && std::prev(first)->first >= low; ++count) --first;
        for (; last != by_rank_.end() && last->first - low < size; ++count) ++last;
        if (static_cast<double>(count) > most && bits < 63) continue;
        const std::uint64_t apart = size / (count + 1);
        if (apart < 4) continue;
        spread(first, last, low, apart);
        return;
    }
}

void Ranks::spread(ByRank::iterator first, ByRank::iterator last, std::uint64_t low, std::uint64_t apart) {
    std::vector<ByRank::node_type> renumbered;
    while (first != last) {
        renumbered.push_back(by_rank_.extract(first++));
        ByRank::node_type& node = renumbered.back();
        ranks_[node.mapped()] = node.key() = low + renumbered.size() * apart;
    }
    for (ByRank::node_type& node : renumbered) by_rank_.insert(last, std::move(node));
}

void Ranks::remove(std::uint32_t layer) {
    by_rank_.erase(ranks_[layer]);
    ranks_[layer] = 0;
}

}  // namespace sweep
