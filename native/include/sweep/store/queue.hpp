#pragma once
#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "sweep/state/schema.hpp"
#include "sweep/store/memory.hpp"

namespace sweep {

/// The unprocessed states of one layer, first in first out, in entries of `stride` words: the state and, if there is room,
/// its number. Chunks are freed as they are used up.
class StateQueue {
    struct Chunk {
        std::unique_ptr<Word[]> entries;
        std::uint64_t begin = 0, end = 0, room = 0, bytes = 0;
    };

public:
    bool lasting = false;  // filled and emptied over and over: the last chunk is not given back

    StateQueue() : StateQueue(nullptr) {}
    explicit StateQueue(Account* account) : share_(account) {}

    std::uint64_t size() const { return size_; }
    std::uint64_t bytes() const { return share_.bytes(); }

    template <int K>
    void push(const Word* state, std::uint64_t number, int words, int stride) {
        const int k = K ? K : words;
        if (chunks_.empty() || chunks_.back().end == chunks_.back().room) add_chunk(stride);
        Chunk& chunk = chunks_.back();
        Word* entry = chunk.entries.get() + chunk.end * static_cast<std::uint64_t>(stride);
        for (int i = 0; i < k; ++i) entry[i] = state[i];
        if (stride > k) entry[k] = number;
        ++chunk.end;
        ++size_;
    }

    /// The oldest states, as one run of at most `most` entries.
    std::pair<const Word*, std::uint64_t> front(std::uint64_t most, int stride) const {
        if (chunks_.empty()) return {nullptr, 0};
        const Chunk& chunk = chunks_.front();
        const std::uint64_t count = chunk.end - chunk.begin;
        return {chunk.entries.get() + chunk.begin * static_cast<std::uint64_t>(stride), count < most ? count : most};
    }

    /// Visit the oldest states run by run, each of at most `most` entries, as they will come to the front one after the other: a run
    /// that could still become longer is left out, unless it is the first.
    template <class Visit>
    void each_run(std::uint64_t most, int stride, Visit&& visit) const {
        bool first = true;
        for (const Chunk& chunk : chunks_)
            for (std::uint64_t begin = chunk.begin; begin < chunk.end; begin += most) {
                const std::uint64_t count = std::min(most, chunk.end - begin);
                if (!first && count < most && chunk.end < chunk.room) return;
                first = false;
                if (!visit(chunk.entries.get() + begin * static_cast<std::uint64_t>(stride), count)) return;
            }
    }

    /// Where entries are written that were made room for.
    class Cursor {
    public:
        template <int K>
        void write(const Word* state, std::uint64_t number, int words, int stride) {
            const int k = K ? K : words;
            if (at_ == chunk_->room) {
                ++chunk_;
                at_ = 0;
            }
            Word* entry = chunk_->entries.get() + at_++ * static_cast<std::uint64_t>(stride);
            for (int i = 0; i < k; ++i) entry[i] = state[i];
            if (stride > k) entry[k] = number;
        }

    private:
        friend class StateQueue;
        std::list<Chunk>::iterator chunk_;
        std::uint64_t at_ = 0;
    };
    /// So many more entries, to be written where the cursor is.
    Cursor extend(std::uint64_t count, int stride) {
        if (chunks_.empty() || chunks_.back().end == chunks_.back().room) add_chunk(stride);
        Cursor cursor;
        cursor.chunk_ = std::prev(chunks_.end());
        cursor.at_ = cursor.chunk_->end;
        size_ += count;
        for (;;) {
            Chunk& chunk = chunks_.back();
            const std::uint64_t here = std::min(count, chunk.room - chunk.end);
            chunk.end += here;
            count -= here;
            if (count == 0) return cursor;
            add_chunk(stride);
        }
    }

    void pop(std::uint64_t count) {
        Chunk& chunk = chunks_.front();
        chunk.begin += count;
        size_ -= count;
        if (chunk.begin != chunk.end) return;
        if (lasting && chunks_.size() == 1) {
            chunk.begin = chunk.end = 0;
            return;
        }
        share_.set(share_.bytes() - chunk.bytes);
        chunks_.pop_front();
    }

    /// Visit every entry, oldest first.
    template <class Visit>
    void each(int stride, Visit&& visit) const {
        for (const Chunk& chunk : chunks_)
            for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) visit(chunk.entries.get() + i * static_cast<std::uint64_t>(stride));
    }

    /// The layout has changed: rewrite every state. So many words beside each stay as they are.
    void rewrite(Transfer& transfer, int beside) {
        const std::uint64_t before = static_cast<std::uint64_t>(transfer.from_words()), k = static_cast<std::uint64_t>(transfer.words());
        const std::uint64_t old_stride = before + static_cast<std::uint64_t>(beside), stride = k + static_cast<std::uint64_t>(beside);
        for (Chunk& chunk : chunks_) {  // also an empty one, whose room was made for states of another width
            std::unique_ptr<Word[]> entries(new Word[chunk.room * stride]);
            for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) {
                const Word* old = chunk.entries.get() + i * old_stride;
                Word* now = entries.get() + i * stride;
                transfer(old, now);
                std::copy(old + before, old + old_stride, now + k);
            }
            chunk.entries.swap(entries);
        }
    }

private:
    void add_chunk(int stride) {
        // Layers may be many and small, or few and large: chunks start small and double.
        const std::uint64_t room = chunks_.empty() ? 32 : (chunks_.back().room < 4096 ? chunks_.back().room * 2 : 4096);
        const std::uint64_t words = room * static_cast<std::uint64_t>(stride);
        chunks_.push_back({std::unique_ptr<Word[]>(new Word[words]), 0, 0, room, words * sizeof(Word)});
        share_.set(share_.bytes() + chunks_.back().bytes);
    }

    std::list<Chunk> chunks_;  // takes nothing while empty: a long sweep leaves many layers behind
    std::uint64_t size_ = 0;
    Share share_;
};

}  // namespace sweep
