#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sweep/layout.hpp"

namespace sweep {

/// Interned sequences of ids: the contents of bags and queues that do not fit into a state, and whole contents that an
/// action looked at. A bag is written as pairs of token and count, tokens descending; a queue as its elements.
class Contents {
public:
    Id intern(const std::vector<Id>& sequence) {
        Word hash = 0x9E3779B97F4A7C15ull;
        for (const Id id : sequence) hash = fold(hash ^ id, 0xD1B54A32D192ED03ull);
        const auto [begin, end] = by_hash_.equal_range(hash);
        for (auto it = begin; it != end; ++it)
            if (sequences_[it->second] == sequence) return it->second;
        const Id id = static_cast<Id>(sequences_.size());
        sequences_.push_back(sequence);
        by_hash_.emplace(hash, id);
        bytes_ += sequence.size() * sizeof(Id) + 80;  // the sequence, its vector and its place in the map
        return id;
    }
    const std::vector<Id>& operator[](Id id) const { return sequences_[id]; }
    std::size_t size() const { return sequences_.size(); }
    std::size_t bytes() const { return bytes_; }

private:
    std::vector<std::vector<Id>> sequences_;
    std::unordered_multimap<Word, Id> by_hash_;
    std::size_t bytes_ = 0;
};

}  // namespace sweep
