#pragma once
#include <algorithm>
#include <cstdint>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "sweep/program/diamonds.hpp"
#include "sweep/state/schema.hpp"
#include "sweep/store/memory.hpp"
#include "sweep/store/spill.hpp"

namespace sweep {

/// The unprocessed states of one layer, first in first out, in entries of `stride` words: the state and, if there is room,
/// its number. Chunks are freed as they are used up. Where that is asked for, how each state was found lies behind the entries of a chunk.
class StateQueue {
    struct Chunk {
        Chunk(std::uint64_t most, int stride, bool with_finders) : room(most) {
            const std::uint64_t in_entries = most * static_cast<std::uint64_t>(stride);
            const std::uint64_t words = in_entries + (with_finders ? (most * sizeof(Finder) + sizeof(Word) - 1) / sizeof(Word) : 0);
            bytes = words * sizeof(Word);
            take(words);
            if (with_finders) finders = reinterpret_cast<Finder*>(entries + in_entries);
        }
        /// Room for so many words; what was there is given up. In a file it is zeroed, elsewhere it is not.
        void take(std::uint64_t words) {
            own.reset();
            if (Spill::at_work() && words * sizeof(Word) >= Spill::least)
                ZeroedWords(words).swap(elsewhere);
            else
                own.reset(new Word[words]);
            entries = own ? own.get() : elsewhere.data();
        }
        Word* entries = nullptr;
        Finder* finders = nullptr;
        std::uint64_t begin = 0, end = 0, room, bytes = 0;
        std::unique_ptr<Word[]> own;
        ZeroedWords elsewhere;
    };

public:
    bool lasting = false;       // filled and emptied over and over: the last chunk is not given back
    bool with_finders = false;  // to be set while it is empty

    StateQueue() : StateQueue(nullptr) {}
    explicit StateQueue(Account* account) : share_(account) {}

    std::uint64_t size() const { return size_; }
    std::uint64_t bytes() const { return share_.bytes(); }

    template <int K>
    void push(const Word* state, std::uint64_t number, int words, int stride, Finder finder = no_finder) {
        const int k = K ? K : words;
        if (chunks_.empty() || chunks_.back().end == chunks_.back().room) add_chunk(stride);
        Chunk& chunk = chunks_.back();
        Word* entry = chunk.entries + chunk.end * static_cast<std::uint64_t>(stride);
        for (int i = 0; i < k; ++i) entry[i] = state[i];
        if (stride > k) entry[k] = number;
        if (chunk.finders) chunk.finders[chunk.end] = finder;
        ++chunk.end;
        ++size_;
    }

    /// Entries side by side.
    struct Run {
        const Word* states;
        std::uint64_t count;
        const Finder* finders;  // of each, where that is kept
    };
    /// The oldest states, as one run of at most `most` entries.
    Run front(std::uint64_t most, int stride) const {
        if (chunks_.empty()) return {nullptr, 0, nullptr};
        const Chunk& chunk = chunks_.front();
        return run(chunk, chunk.begin, std::min(most, chunk.end - chunk.begin), stride);
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
                if (!visit(run(chunk, begin, count, stride))) return;
            }
    }

    /// Where entries are written that were made room for.
    class Cursor {
    public:
        template <int K>
        void write(const Word* state, std::uint64_t number, int words, int stride, Finder finder) {
            const int k = K ? K : words;
            if (at_ == chunk_->room) {
                ++chunk_;
                at_ = 0;
            }
            Word* entry = chunk_->entries + at_ * static_cast<std::uint64_t>(stride);
            for (int i = 0; i < k; ++i) entry[i] = state[i];
            if (stride > k) entry[k] = number;
            if (chunk_->finders) chunk_->finders[at_] = finder;
            ++at_;
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
            for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) visit(chunk.entries + i * static_cast<std::uint64_t>(stride));
    }

    /// The layout has changed: rewrite every state. So many words beside each stay as they are.
    void rewrite(Transfer& transfer, int beside) {
        const std::uint64_t before = static_cast<std::uint64_t>(transfer.from_words()), k = static_cast<std::uint64_t>(transfer.words());
        const std::uint64_t old_stride = before + static_cast<std::uint64_t>(beside), stride = k + static_cast<std::uint64_t>(beside);
        for (Chunk& chunk : chunks_) {  // also an empty one, whose room was made for states of another width
            Chunk rewritten(chunk.room, static_cast<int>(stride), with_finders);
            for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) {
                const Word* old = chunk.entries + i * old_stride;
                Word* now = rewritten.entries + i * stride;
                transfer(old, now);
                std::copy(old + before, old + old_stride, now + k);
            }
            if (with_finders) std::copy(chunk.finders + chunk.begin, chunk.finders + chunk.end, rewritten.finders + chunk.begin);
            std::swap(chunk.entries, rewritten.entries);
            std::swap(chunk.finders, rewritten.finders);
            chunk.own.swap(rewritten.own);
            chunk.elsewhere.swap(rewritten.elsewhere);
        }
    }

    /// As in `Keeping`: entries of so many words, into an empty queue. Chunks stay as they are, since batches end with them. How states
    /// were found is not kept: kinds of steps get their numbers anew.
    template <class File>
    void keep(File& file, int stride) {
        const std::size_t words = static_cast<std::size_t>(stride);
        std::uint64_t count = chunks_.size();
        file(count);
        auto chunk = chunks_.begin();
        for (; count; --count) {
            std::uint64_t room = 0, begin = 0, end = 0;
            if constexpr (!File::reads) room = chunk->room, begin = chunk->begin, end = chunk->end;
            file(room, begin, end);
            if constexpr (File::reads) {
                if (begin > end || end > room || room > largest_spilled) throw Damaged("a queue has no such room");
                chunk = chunks_.emplace(chunks_.end(), room, stride, with_finders);
                chunk->begin = begin, chunk->end = end;
                if (with_finders) std::fill(chunk->finders, chunk->finders + end, no_finder);
                size_ += end - begin;
                share_.set(share_.bytes() + chunk->bytes);
            }
            for (std::uint64_t i = begin; i < end; ++i)
                if constexpr (File::reads)
                    file.get(chunk->entries + i * words, words);
                else
                    file.put(chunk->entries + i * words, words);
            ++chunk;
        }
    }

private:
    static Run run(const Chunk& chunk, std::uint64_t begin, std::uint64_t count, int stride) {
        return {chunk.entries + begin * static_cast<std::uint64_t>(stride), count, chunk.finders ? chunk.finders + begin : nullptr};
    }
    static constexpr std::uint64_t largest = 4096, largest_spilled = 1 << 16;  // entries of a chunk

    void add_chunk(int stride) {
        // Layers may be many and small, or few and large: chunks start small and double.
        const std::uint64_t most = Spill::at_work() ? largest_spilled : largest;
        const std::uint64_t room = chunks_.empty() ? 32 : std::min(chunks_.back().room * 2, most);
        chunks_.emplace_back(room, stride, with_finders);
        share_.set(share_.bytes() + chunks_.back().bytes);
    }

    std::list<Chunk> chunks_;  // takes nothing while empty: a long sweep leaves many layers behind
    std::uint64_t size_ = 0;
    Share share_;
};

}  // namespace sweep
