#pragma once
#include <cstdint>
#include <vector>

#include "sweep/state/memory.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// The unprocessed states of a product measure: least key first and, of equal keys, oldest first. A heap with four children to
/// a node, in one array; an entry is the key, the state's number, and the state.
class Heap {
public:
    bool empty() const { return entries_.empty(); }
    std::uint64_t size() const { return entries_.size() / stride(); }
    std::uint64_t bytes() const { return entries_.capacity() * sizeof(Word); }

    /// How many words keys and states have; whatever is in it is gone.
    void shape(std::size_t key_words, std::size_t state_words) {
        key_words_ = key_words;
        state_words_ = state_words;
        entries_.clear();
    }

    void push(const Word* key, std::uint64_t number, const Word* state) {
        const std::size_t width = stride();
        std::size_t at = entries_.size() / width;
        ask_for_room(entries_, width);
        entries_.resize(entries_.size() + width);
        Word* entries = entries_.data();
        while (at > 0) {
            const std::size_t parent = (at - 1) / 4;
            const Word* above = entries + parent * width;
            if (!before(key, number, above)) break;
            copy(above, entries + at * width, width);
            at = parent;
        }
        Word* entry = entries + at * width;
        copy(key, entry, key_words_);
        entry[key_words_] = number;
        copy(state, entry + key_words_ + 1, state_words_);
    }

    const Word* key() const { return entries_.data(); }
    std::uint64_t number() const { return entries_[key_words_]; }
    const Word* state() const { return entries_.data() + key_words_ + 1; }

    void pop() {
        const std::size_t width = stride(), last = entries_.size() / width - 1;
        Word* entries = entries_.data();
        const Word* moved = entries + last * width;
        std::size_t at = 0;
        for (;;) {
            const std::size_t first = at * 4 + 1;
            if (first >= last) break;
            std::size_t least = first;
            for (std::size_t child = first + 1; child < first + 4 && child < last; ++child)
                if (before(entries + child * width, entries[child * width + key_words_], entries + least * width)) least = child;
            if (before(moved, moved[key_words_], entries + least * width)) break;
            copy(entries + least * width, entries + at * width, width);
            at = least;
        }
        if (at != last) copy(moved, entries + at * width, width);
        entries_.resize(last * width);
    }

    /// Every entry's number and state, in no order.
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::size_t at = 0; at < entries_.size(); at += stride())
            visit(entries_[at + key_words_], entries_.data() + at + key_words_ + 1);
    }

    /// The layout has changed: rewrite every state; keys and numbers stay.
    void rewrite(Transfer& transfer) {
        std::vector<Word> before;
        before.swap(entries_);
        const std::size_t old = stride(), beside = key_words_ + 1;
        state_words_ = static_cast<std::size_t>(transfer.words());
        ask_for_room(entries_, before.size() / old * stride());
        entries_.resize(before.size() / old * stride());
        for (std::size_t i = 0; i < before.size() / old; ++i) {
            copy(before.data() + i * old, entries_.data() + i * stride(), beside);
            transfer(before.data() + i * old + beside, entries_.data() + i * stride() + beside);
        }
    }

private:
    std::size_t stride() const { return key_words_ + 1 + state_words_; }
    static void copy(const Word* from, Word* to, std::size_t words) {
        for (std::size_t i = 0; i < words; ++i) to[i] = from[i];
    }
    bool before(const Word* key, std::uint64_t number, const Word* other) const {
        for (std::size_t i = 0; i < key_words_; ++i)
            if (key[i] != other[i]) return key[i] < other[i];
        return number < other[key_words_];
    }

    std::size_t key_words_ = 1, state_words_ = 1;
    std::vector<Word> entries_;
};

}  // namespace sweep
