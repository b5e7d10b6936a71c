#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sweep {

/// Layers in a total order: each has a rank, with room between neighbours for those that are found later.
class Ranks {
public:
    /// The number of a new layer, right after `below`, or first.
    std::uint32_t add(std::optional<std::uint32_t> below);
    std::size_t size() const { return ranks_.size(); }
    /// No state may come to a layer any more: it is below all others now.
    void remove(std::uint32_t layer);
    std::uint64_t operator[](std::uint32_t layer) const { return ranks_[layer]; }

private:
    using ByRank = std::map<std::uint64_t, std::uint32_t>;
    ByRank::iterator after(std::optional<std::uint32_t> below);
    void make_room(ByRank::iterator next);
    void spread(ByRank::iterator first, ByRank::iterator last, std::uint64_t low, std::uint64_t apart);

    std::vector<std::uint64_t> ranks_;  // 0: removed
    ByRank by_rank_;                    // the others
};

}  // namespace sweep
