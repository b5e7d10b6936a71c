#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sweep/state/layout.hpp"
#include "sweep/state/memory.hpp"

namespace sweep {

/// Interned sequences of ids: the contents of bags and queues that do not fit into a state, and whole contents that an
/// action looked at. A bag is written as pairs of token and count, tokens descending; a queue as its elements.
class Contents {
public:
    /// The number of a sequence, if it was met before.
    std::optional<Id> find(const std::vector<Id>& sequence) const { return find(sequence, hash_of(sequence)); }
    Id intern(const std::vector<Id>& sequence) {
        const Word hash = hash_of(sequence);
        if (const std::optional<Id> known = find(sequence, hash)) return *known;
        const Id id = static_cast<Id>(sequences_.size());
        ask_for_room(sequences_, 1);
        sequences_.push_back(sequence);
        by_hash_.emplace(hash, id);
        bytes_ += sequence.size() * sizeof(Id) + 80;  // the sequence, its vector and its place in the map
        return id;
    }
    const std::vector<Id>& operator[](Id id) const { return sequences_[id]; }
    std::size_t size() const { return sequences_.size(); }
    std::size_t bytes() const { return bytes_ + steps_.size() * 40; }

    /// The contents that an operation on others leads to, if it was done before; operations are told apart by a number.
    std::optional<Id> step(Id from, std::uint32_t operation) const {
        const auto found = steps_.find(Word{from} << 32 | operation);
        return found == steps_.end() ? std::nullopt : std::optional{found->second};
    }
    void remember(Id from, std::uint32_t operation, Id to) {
        if (steps_.size() >= most_steps) steps_.clear();
        steps_.emplace(Word{from} << 32 | operation, to);
    }

private:
    static Word hash_of(const std::vector<Id>& sequence) {
        Word hash = 0x9E3779B97F4A7C15ull;
        for (const Id id : sequence) hash = fold(hash ^ id, 0xD1B54A32D192ED03ull);
        return hash;
    }
    std::optional<Id> find(const std::vector<Id>& sequence, Word hash) const {
        const auto [begin, end] = by_hash_.equal_range(hash);
        for (auto it = begin; it != end; ++it)
            if (sequences_[it->second] == sequence) return it->second;
        return std::nullopt;
    }

    static constexpr std::size_t most_steps = 1 << 20;
    std::unordered_map<Word, Id> steps_;
    std::vector<std::vector<Id>> sequences_;
    std::unordered_multimap<Word, Id> by_hash_;
    std::size_t bytes_ = 0;
};

}  // namespace sweep
