#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sweep/program/diamonds.hpp"
#include "sweep/state/layout.hpp"
#include "sweep/state/memory.hpp"

namespace sweep {

/// Many queues of entries of the same width that share their room: it lies in small chunks, and what one queue leaves another takes. So
/// they need hardly more than their entries do, however these move from one to another. Where that is asked for, how each state was found
/// lies behind the entries of a chunk.
class Chunks {
public:
    struct Queue {
        Word *first = nullptr, *last = nullptr;  // chunks
        std::uint32_t begin = 0, end = 0;        // entries: the oldest in the first chunk, and behind the newest in the last

        bool empty() const { return first == nullptr; }
        bool has_one() const { return first == last && end - begin == 1; }
    };

    explicit Chunks(std::size_t stride = 1, bool with_finders = false) : stride_(stride), with_finders_(with_finders) {}
    Chunks(Chunks&&) = default;
    Chunks& operator=(Chunks&&) = default;

    std::uint64_t bytes() const { return chunks_ * chunk_words() * sizeof(Word); }

    /// Whether so much lies unused that the queues had better move to others: half as much as they would move, so that two entries move
    /// for each that was taken out. Room is only taken where none is free, so that there is no more of it at the peak.
    bool is_much_free() const { return unused_ > chunks_ / 3 + 2 * least_taken; }

    /// Room for another entry at a queue's end.
    Word* append(Queue& queue, Finder finder) { return append(queue, finder, std::clamp(chunks_ / 16, least_taken, most_taken)); }
    /// An entry from elsewhere, where that is given up for it: so little room is taken at once that no limit is in the way.
    void copy(const Word* moved, Finder finder, Queue& to) {
        Word* place = append(to, finder, least_taken);
#pragma GCC unroll 1  // few words, and how many is not known: unrolled it is slower
        for (std::size_t i = 0; i < stride_; ++i) place[i] = moved[i];
    }
    /// The oldest entry of a queue goes to the end of another.
    void move(Queue& from, Queue& to) {
        copy(front(from), finder(from.first, from.begin), to);
        pop(from);
    }
    Word* front(const Queue& queue) const { return entry(queue.first, queue.begin); }
    void pop(Queue& queue) {
        ++queue.begin;
        const bool last = queue.first == queue.last;
        if (queue.begin < (last ? queue.end : entries)) return;
        Word* chunk = queue.first;
        queue = last ? Queue{} : Queue{next(chunk), queue.last, 0, queue.end};
        if (!last && queue.first != queue.last) __builtin_prefetch(next(queue.first));
        give(chunk);
    }
    /// How many entries a queue has; so many or more are not told apart.
    std::size_t count(const Queue& queue, std::size_t most) const {
        std::size_t total = 0;
        for (const Word* chunk = queue.first; chunk && total < most; chunk = chunk == queue.last ? nullptr : next(chunk))
            total += (chunk == queue.last ? queue.end : entries) - (chunk == queue.first ? queue.begin : 0);
        return std::min(total, most);
    }
    /// Visit the entries of a queue, oldest first, and how each was found.
    template <class Visit>
    void each(const Queue& queue, Visit&& visit) const {
        each_while(queue, [&](const Word* entry, Finder finder) {
            visit(entry, finder);
            return true;
        });
    }
    /// The same as long as it says to go on; whether it always did.
    template <class Visit>
    bool each_while(const Queue& queue, Visit&& visit) const {
        std::uint32_t at = queue.begin;
        for (Word* chunk = queue.first; chunk; at = 0) {
            const bool last = chunk == queue.last;
            if (!last) __builtin_prefetch(next(chunk));
            for (; at < (last ? queue.end : entries); ++at)
                if (!visit(static_cast<const Word*>(entry(chunk, at)), finder(chunk, at))) return false;
            chunk = last ? nullptr : next(chunk);
        }
        return true;
    }

private:
    static constexpr std::uint32_t entries = 16;                          // of a chunk
    static constexpr std::size_t least_taken = 16, most_taken = 1 << 13;  // chunks at once

    /// A chunk begins with the address of the next one of its queue, or of the next free one.
    static Word* next(const Word* chunk) { return reinterpret_cast<Word*>(chunk[0]); }
    static void link(Word* chunk, Word* next) { chunk[0] = reinterpret_cast<std::uintptr_t>(next); }
    Word* entry(Word* chunk, std::uint32_t index) const { return chunk + 1 + index * stride_; }
    Finder* finders(Word* chunk) const { return reinterpret_cast<Finder*>(entry(chunk, entries)); }
    Finder finder(Word* chunk, std::uint32_t index) const { return with_finders_ ? finders(chunk)[index] : no_finder; }
    std::size_t chunk_words() const { return 1 + entries * stride_ + (with_finders_ ? entries * sizeof(Finder) / sizeof(Word) : 0); }

    Word* append(Queue& queue, Finder finder, std::size_t together) {
        if (queue.empty() || queue.end == entries) add_chunk(queue, together);
        if (with_finders_) finders(queue.last)[queue.end] = finder;
        return entry(queue.last, queue.end++);
    }
    /// To a queue; where none is free, so many are taken together.
    void add_chunk(Queue& queue, std::size_t together) {
        if (!free_) take(together);
        Word* chunk = free_;
        free_ = next(chunk);
        --unused_;
        if (queue.empty())
            queue.first = chunk;
        else
            link(queue.last, chunk);
        queue.last = chunk;
        queue.end = 0;
    }
    void give(Word* chunk) {
        link(chunk, free_);
        free_ = chunk;
        ++unused_;
    }
    void take(std::size_t count) {
        ask_for_memory(count * chunk_words() * sizeof(Word));
        blocks_.emplace_back(new Word[count * chunk_words()]);
        chunks_ += count;
        for (std::size_t i = count; i-- > 0;) give(blocks_.back().get() + i * chunk_words());
    }

    std::size_t stride_;
    bool with_finders_;
    std::vector<std::unique_ptr<Word[]>> blocks_;
    Word* free_ = nullptr;
    std::size_t chunks_ = 0, unused_ = 0;
};

}  // namespace sweep
