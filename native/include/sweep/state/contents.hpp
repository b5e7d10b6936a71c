#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sweep/state/layout.hpp"
#include "sweep/state/memory.hpp"

namespace sweep {

/// Interned sequences of ids: the contents of bags and queues that do not fit into a state, and whole contents that a function
/// looked at. A bag is written as pairs of token and count, tokens descending; a queue as its elements.
class Contents {
public:
    using Sequence = std::span<const Id>;

    /// The number of a sequence, if it was met before.
    std::optional<Id> find(Sequence sequence) const;
    Id intern(Sequence sequence);
    Sequence operator[](Id id) const { return {pool_.data() + entries_[id].begin, entries_[id].size}; }
    /// Numbers are below this one.
    std::size_t size() const { return entries_.size(); }
    std::size_t bytes() const;

    /// The contents that an operation on others leads to, if it was done lately; operations are told apart by a number.
    std::optional<Id> step(Id from, std::uint32_t operation) const {
        if (steps_.empty()) return std::nullopt;
        const Step& step = steps_[place_of(from, operation)];
        return step.from == from && step.operation == operation ? std::optional{step.to} : std::nullopt;
    }
    void remember(Id from, std::uint32_t operation, Id to) {
        if (steps_.empty()) steps_.resize(remembered_steps);
        steps_[place_of(from, operation)] = {from, operation, to};
    }

    /// Whether it is time to look which contents are still needed: so many have come since that was last looked at.
    bool crowded() const { return live_ >= crowd_; }
    /// Forget all contents but those marked; their numbers are given to others.
    void retain(const std::vector<bool>& marked);

    template <class File>
    void keep(File& file) {
        file(pool_, entries_, spare_, live_, crowd_);
        if constexpr (File::reads) find_places();
    }

private:
    struct Entry {
        std::uint64_t begin = 0;
        std::uint32_t size = 0, hash = 0;
        bool live = false;

        template <class File>
        void keep(File& file) {
            file(begin, size, hash, live);
        }
    };
    struct Step {
        Id from = ~Id{0};
        std::uint32_t operation = 0;
        Id to = 0;
    };
    static constexpr std::size_t remembered_steps = 1 << 16;
    static constexpr std::size_t least_crowd = 4096;
    static constexpr Id free_slot = ~Id{0};

    static Word hash_of(Sequence sequence) {
        Word hash = 0x9E3779B97F4A7C15ull ^ sequence.size();
        for (const Id id : sequence) hash = fold(hash ^ id, 0xD1B54A32D192ED03ull);
        return hash;
    }
    static std::size_t place_of(Id from, std::uint32_t operation) {
        return static_cast<std::size_t>(fold(Word{from} << 32 | operation, 0x9E3779B97F4A7C15ull)) % remembered_steps;
    }
    std::optional<Id> find(Sequence sequence, Word hash) const;
    void rebuild(std::size_t slots);
    void find_places();
    void place(Id id);

    std::vector<Id> pool_;        // all sequences, one behind the other
    std::vector<Entry> entries_;  // by number
    std::vector<Id> spare_;       // numbers of contents that were forgotten
    std::vector<Id> slots_;       // numbers by hash, open addressing; a power of two
    std::vector<Step> steps_;
    std::size_t live_ = 0, crowd_ = least_crowd;
};

}  // namespace sweep
