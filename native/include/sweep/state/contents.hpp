#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sweep/state/layout.hpp"

namespace sweep {

/// Distinct tokens of a bag with their counts; those that fit into a state need no memory of their own.
class TokenCounts {
public:
    std::size_t size() const { return size_; }
    Id token(std::size_t i) const { return i < room ? near_[2 * i] : far_[2 * (i - room)]; }
    Id count(std::size_t i) const { return i < room ? near_[2 * i + 1] : far_[2 * (i - room) + 1]; }
    void clear() {
        size_ = 0;
        far_.clear();
    }
    void push(Id token, Id count) {
        if (size_ < room) {
            near_[2 * size_] = token;
            near_[2 * size_ + 1] = count;
        } else {
            far_.insert(far_.end(), {token, count});
        }
        ++size_;
    }
    /// Add to the count of a token.
    void add(Id token, Id count) {
        for (std::size_t i = 0; i < size_; ++i)
            if (this->token(i) == token) {
                (i < room ? near_[2 * i + 1] : far_[2 * (i - room) + 1]) += count;
                return;
            }
        push(token, count);
    }

private:
    static constexpr std::size_t room = 16;
    std::array<Id, 2 * room> near_;
    std::vector<Id> far_;
    std::size_t size_ = 0;
};

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
    static constexpr std::size_t most_steps = 1 << 20;
    std::unordered_map<Word, Id> steps_;
    std::vector<std::vector<Id>> sequences_;
    std::unordered_multimap<Word, Id> by_hash_;
    std::size_t bytes_ = 0;
};

}  // namespace sweep
