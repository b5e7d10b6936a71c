#pragma once
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/state/memory.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// The unprocessed states of a product measure: least key first and, of equal keys, oldest first. Steps go up, so that what is
/// taken out hardly ever comes before what was taken last: entries lie in buckets, by the highest bit in which their
/// key differs from the present one, and move to lower buckets as that rises (a radix heap; Ahuja and others, 1990). An
/// entry is the key, the state and, if there is room, the state's number.
class KeyQueue {
public:
    bool empty() const { return size_ == 0; }
    std::uint64_t size() const { return size_; }
    std::uint64_t bytes() const { return room_ * sizeof(Word); }

    /// How many words keys and states have, and what lies beside a state; whatever is in it is gone.
    void shape(std::size_t key_words, std::size_t state_words, std::size_t beside) {
        *this = {};
        key_words_ = key_words;
        state_words_ = state_words;
        beside_ = beside;
        present_.assign(key_words, 0);
        buckets_.resize(64 * key_words + 1);
        occupied_.resize(key_words + 1);
    }

    /// So low a key may come; to be called while it is empty.
    void begin(const Word* key) { copy(key, present_.data(), key_words_); }
    void push(const Word* key, const Word* state, std::uint64_t number) {
        std::size_t bucket = bucket_of(key);
        if (bucket && before(key, present_.data())) {
            step_back(key, bucket);
            bucket = 0;
        }
        Word* entry = append(bucket);
        copy(key, entry, key_words_);
        copy(state, entry + key_words_, state_words_);
        if (beside_) entry[key_words_ + state_words_] = number;
    }

    /// The least key; there must be one.
    const Word* least() const {
        if (goes_on()) return present_.data();
        const Bucket& bucket = buckets_[first_occupied()];
        const Word* first = bucket.words.data();
        bucket.each(stride(), [&](const Word* entry) { first = before(entry, first) ? entry : first; });
        return first;
    }
    /// Make it the present one. To be called when nothing is pushed any more that comes before it: what does costs more.
    void advance() {
        if (goes_on()) return;
        copy(least(), present_.data(), key_words_);
        empty_bucket(first_occupied(), [&](const Word* entry) { return bucket_of(entry); });
    }
    const Word* key() const { return present_.data(); }
    /// Whether a state with the present key waits, the oldest of them, and its number.
    bool goes_on() const { return buckets_[0].begin < buckets_[0].words.size(); }
    const Word* state() const { return buckets_[0].words.data() + buckets_[0].begin + key_words_; }
    std::uint64_t number() const { return beside_ ? state()[state_words_] : 0; }
    void pop() {
        Bucket& bucket = buckets_[0];
        --size_;
        bucket.begin += stride();
        if (bucket.begin < bucket.words.size()) return;
        bucket.begin = 0;
        bucket.words.clear();
    }

    /// Every entry, those of equal keys in their order: its state, and what lies beside it.
    template <class Visit>
    void each(Visit&& visit) const {
        for (const Bucket& bucket : buckets_) bucket.each(stride(), [&](const Word* entry) { visit(entry + key_words_); });
    }

    /// The layout has changed: rewrite every state; keys and numbers stay.
    void rewrite(Transfer& transfer) {
        KeyQueue before;
        std::swap(before, *this);
        shape(before.key_words_, static_cast<std::size_t>(transfer.words()), before.beside_);
        present_ = before.present_;
        std::vector<Word> state(state_words_);
        for (const Bucket& bucket : before.buckets_)
            bucket.each(before.stride(), [&](const Word* entry) {
                transfer(entry + key_words_, state.data());
                push(entry, state.data(), entry[before.stride() - 1]);
            });
    }

private:
    struct Bucket {
        std::vector<Word> words;
        std::size_t begin = 0;  // what lies before it is taken

        template <class Visit>
        void each(std::size_t stride, Visit&& visit) const {
            for (std::size_t at = begin; at < words.size(); at += stride) visit(words.data() + at);
        }
    };

    std::size_t stride() const { return key_words_ + state_words_ + beside_; }
    static void copy(const Word* from, Word* to, std::size_t words) {
        for (std::size_t i = 0; i < words; ++i) to[i] = from[i];
    }
    bool before(const Word* one, const Word* other) const {
        for (std::size_t i = 0; i < key_words_; ++i)
            if (one[i] != other[i]) return one[i] < other[i];
        return false;
    }
    /// 0 for the present key.
    std::size_t bucket_of(const Word* key) const {
        for (std::size_t i = 0; i < key_words_; ++i)
            if (const Word different = key[i] ^ present_[i])
                return (key_words_ - 1 - i) * 64 + static_cast<std::size_t>(std::bit_width(different));
        return 0;
    }
    /// The lowest of them; not that of the present key.
    std::size_t first_occupied() const {
        std::size_t word = 0;
        while (occupied_[word] == 0) ++word;
        return word * 64 + static_cast<std::size_t>(std::countr_zero(occupied_[word]));
    }

    Word* append(std::size_t index) {
        std::vector<Word>& words = buckets_[index].words;
        const std::size_t end = words.size(), room = words.capacity();
        ask_for_room(words, stride());
        words.resize(end + stride());
        room_ += words.capacity() - room;
        if (index) occupied_[index / 64] |= Word{1} << index % 64;
        ++size_;
        return words.data() + end;
    }
    /// Move all entries of a bucket to others. It keeps a little room, which it is going to need again.
    template <class Whither>
    void empty_bucket(std::size_t index, Whither&& whither) {
        constexpr std::size_t little = 256;
        Bucket moved;
        std::swap(moved, buckets_[index]);
        if (index) occupied_[index / 64] &= ~(Word{1} << index % 64);
        moved.each(stride(), [&](const Word* entry) {
            copy(entry, append(whither(entry)), stride());
            --size_;  // it was counted before
        });
        if (moved.words.capacity() > little) {
            room_ -= moved.words.capacity();
            return;
        }
        moved.words.clear();
        buckets_[index].words.swap(moved.words);
    }
    /// A key comes before the present one, and becomes it. All entries in lower buckets than that of the bit where the two differ
    /// have a 1 there, as the present one has: for the new one they are all in that bucket. Those in higher ones stay where they are.
    void step_back(const Word* key, std::size_t bucket) {
        for (std::size_t lower = 0; lower < bucket; ++lower) {
            if (lower ? !(occupied_[lower / 64] >> lower % 64 & 1) : !goes_on()) continue;
            empty_bucket(lower, [&](const Word*) { return bucket; });
        }
        copy(key, present_.data(), key_words_);
    }

    std::size_t key_words_ = 1, state_words_ = 1, beside_ = 0;
    std::vector<Word> present_;
    std::vector<Bucket> buckets_;
    std::vector<Word> occupied_;  // one bit per bucket, but for that of the present key
    std::uint64_t size_ = 0, room_ = 0;
};

}  // namespace sweep
