#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include "sweep/hash.hpp"

namespace sweep {

/// The unprocessed states of one layer, first in first out, each with its number. Chunks are freed as they are used up.
class StateQueue {
public:
    std::uint64_t size() const { return size_; }
    std::uint64_t bytes(int k) const { return slots_ * static_cast<std::uint64_t>(k + 1) * sizeof(Word); }

    void push(const Word* state, std::uint64_t number, int k) {
        if (chunks_.empty() || chunks_.back().end == chunks_.back().room) add_chunk(k);
        Chunk& chunk = chunks_.back();
        Word* entry = chunk.entries.get() + chunk.end * static_cast<std::uint64_t>(k + 1);
        for (int i = 0; i < k; ++i) entry[i] = state[i];
        entry[k] = number;
        ++chunk.end;
        ++size_;
    }

    /// The oldest states, as one run of at most `most` entries of k words and a number each.
    std::pair<const Word*, std::uint64_t> front(std::uint64_t most, int k) const {
        if (chunks_.empty()) return {nullptr, 0};
        const Chunk& chunk = chunks_.front();
        const std::uint64_t count = chunk.end - chunk.begin;
        return {chunk.entries.get() + chunk.begin * static_cast<std::uint64_t>(k + 1), count < most ? count : most};
    }

    void pop(std::uint64_t count) {
        Chunk& chunk = chunks_.front();
        chunk.begin += count;
        size_ -= count;
        if (chunk.begin == chunk.end) {
            slots_ -= chunk.room;
            chunks_.pop_front();
        }
    }

    /// Visit every entry, oldest first.
    template <class Visit>
    void each(int k, Visit&& visit) const {
        for (const Chunk& chunk : chunks_)
            for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) visit(chunk.entries.get() + i * static_cast<std::uint64_t>(k + 1));
    }

private:
    struct Chunk {
        std::unique_ptr<Word[]> entries;
        std::uint64_t begin = 0, end = 0, room = 0;
    };

    void add_chunk(int k) {
        // Layers may be many and small, or few and large: chunks start small and double.
        const std::uint64_t room = chunks_.empty() ? 32 : (chunks_.back().room < 4096 ? chunks_.back().room * 2 : 4096);
        chunks_.push_back({std::unique_ptr<Word[]>(new Word[room * static_cast<std::uint64_t>(k + 1)]), 0, 0, room});
        slots_ += room;
    }

    std::deque<Chunk> chunks_;
    std::uint64_t size_ = 0, slots_ = 0;
};

}  // namespace sweep
