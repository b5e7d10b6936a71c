#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/state/schema.hpp"
#include "sweep/store/chunks.hpp"

namespace sweep {

/// The unprocessed states of a product measure: least key first and, of equal keys, oldest first. Steps go up, so that what is
/// pushed hardly ever comes before what was taken last. Entries lie in buckets, by the highest digit in which their key differs from
/// the present one, and by what stands there; as that rises, the next bucket is dealt out to those of lower digits (a radix heap;
/// Ahuja and others, 1990). An entry is the key, the state and, if there is room, the state's number. Entries may be put off: they
/// do not wait until all of them are resumed.
class KeyQueue {
public:
    bool with_finders = false;  // states wait with how they were found; to be set before it gets its shape

    /// Whether no entry waits.
    bool empty() const { return size_ == 0; }
    std::uint64_t size() const { return size_; }
    std::uint64_t bytes() const { return pool_.bytes(); }

    /// How many words keys and states have, and what lies beside a state; whatever is in it is gone.
    void shape(std::size_t key_words, std::size_t state_words, std::size_t beside) {
        const bool finders = with_finders;
        *this = {};
        with_finders = finders;
        key_words_ = key_words;
        state_words_ = state_words;
        beside_ = beside;
        pool_ = Chunks(stride(), with_finders);
        present_.assign(key_words, 0);
        buckets_.resize(key_words * levels << digit_bits);
        occupied_.resize(key_words * levels);
    }

    /// So low a key may come; to be called while it is empty.
    void begin(const Word* key) { copy(key, present_.data(), key_words_); }
    void push(const Word* key, const Word* state, std::uint64_t number, Finder finder = no_finder) {
        if (before(key, present_.data())) [[unlikely]]
            step_back(key);
        least_ = nullptr;
        ++size_;
        fill(pool_.append(queue_of(key), finder), key, state, number);
    }
    /// An entry for later, with any key.
    void put_off(const Word* key, const Word* state, std::uint64_t number) {
        ++later_size_;
        fill(pool_.append(later_, no_finder), key, state, number);
    }
    bool has_later() const { return later_size_ != 0; }
    /// Whatever was put off waits from now on.
    void resume() {
        const Word* first = present_.data();
        pool_.each(later_, [&](const Word* entry, Finder) {
            if (before(entry, first)) first = entry;
        });
        if (first != present_.data()) step_back(first);
        least_ = nullptr;
        size_ += std::exchange(later_size_, 0);
        deal_out(std::exchange(later_, {}));
    }

    /// The least key; there must be one.
    const Word* least() {
        if (goes_on()) return present_.data();
        if (!least_)
            pool_.each(buckets_[first_occupied()], [&](const Word* entry, Finder) {
                if (!least_ || before(entry, least_)) least_ = entry;
            });
        return least_;
    }
    /// Make it the present one. To be called when nothing is pushed any more that comes before it: what does costs more.
    void advance() {
        if (goes_on()) return;
        copy(least(), present_.data(), key_words_);
        least_ = nullptr;
        Chunks::Queue first = close(first_occupied());
        if (first.has_one())
            now_ = first;
        else
            deal_out(first);
    }
    const Word* key() const { return present_.data(); }
    /// Whether a state with the present key waits, the oldest of them, and its number.
    bool goes_on() const { return !now_.empty(); }
    /// How many do; so many or more are not told apart.
    std::size_t present(std::size_t most) const { return pool_.count(now_, most); }
    const Word* state() const { return pool_.front(now_) + key_words_; }
    std::uint64_t number() const { return beside_ ? state()[state_words_] : 0; }
    void pop() {
        --size_;
        pool_.pop(now_);
        if (pool_.is_much_free()) move_together();
    }

    /// The entries that come next, in their order: visit the key and the state of each, and how it was found, as long as that says to go
    /// on. Buckets are put in order for that, if they have less than so many entries, but are not dealt out: something may come before
    /// them.
    template <class Visit>
    void each_soon(std::size_t most, Visit&& visit) {
        const auto see = [&](const Word* entry, Finder finder) { return visit(entry, entry + key_words_, finder); };
        if (!pool_.each_while(now_, see)) return;
        for (std::size_t level = 0; level < occupied_.size(); ++level)
            for (Word digits = occupied_[level]; digits; digits &= digits - 1) {
                const Chunks::Queue& bucket = buckets_[level << digit_bits | static_cast<std::size_t>(std::countr_zero(digits))];
                if (level == 0 ? !pool_.each_while(bucket, see) : !each_in_order(bucket, most, see)) return;
            }
    }
    static void copy(const Word* from, Word* to, std::size_t words) {
#pragma GCC unroll 1  // few words, and how many is not known: unrolled it is slower
        for (std::size_t i = 0; i < words; ++i) to[i] = from[i];
    }
    bool same(const Word* one, const Word* other) const {
        Word different = 0;
#pragma GCC unroll 1
        for (std::size_t i = 0; i < key_words_; ++i) different |= one[i] ^ other[i];
        return different == 0;
    }
    bool before(const Word* one, const Word* other) const {
        for (std::size_t i = 0; i < key_words_; ++i)
            if (one[i] != other[i]) return one[i] < other[i];
        return false;
    }
    std::size_t key_words() const { return key_words_; }

    /// Every entry that waits, those of equal keys in their order: its state, and what lies beside it.
    template <class Visit>
    void each(Visit&& visit) const {
        each_entry([&](const Word* entry, Finder) { visit(entry + key_words_); });
    }
    /// And every one that was put off, in its order.
    template <class Visit>
    void each_later(Visit&& visit) const {
        pool_.each(later_, [&](const Word* entry, Finder) { visit(entry + key_words_); });
    }

    /// The layout has changed: rewrite every state; keys and numbers stay.
    void rewrite(Transfer& transfer) {
        KeyQueue before;
        std::swap(before, *this);
        with_finders = before.with_finders;
        shape(before.key_words_, static_cast<std::size_t>(transfer.words()), before.beside_);
        present_ = before.present_;
        std::vector<Word> state(state_words_);
        const auto rewritten = [&](const Word* entry) {
            transfer(entry + key_words_, state.data());
            return state.data();
        };
        const auto number = [&](const Word* entry) { return entry[before.stride() - 1]; };
        before.each_entry([&](const Word* entry, Finder finder) { push(entry, rewritten(entry), number(entry), finder); });
        before.pool_.each(before.later_, [&](const Word* entry, Finder) { put_off(entry, rewritten(entry), number(entry)); });
    }

private:
    static constexpr std::size_t digit_bits = 6;  // the digits that occur at a level are the bits of one word
    static constexpr std::size_t levels = (64 + digit_bits - 1) / digit_bits;

    std::size_t stride() const { return key_words_ + state_words_ + beside_; }
    void fill(Word* entry, const Word* key, const Word* state, std::uint64_t number) {
        copy(key, entry, key_words_);
        copy(state, entry + key_words_, state_words_);
        if (beside_) entry[key_words_ + state_words_] = number;
    }
    template <class Visit>
    void each_entry(Visit&& visit) const {
        pool_.each(now_, visit);
        for (const Chunks::Queue& bucket : buckets_) pool_.each(bucket, visit);
    }

    /// Visit the entries of a bucket in their order, as long as that says to go on. False when it did not, or there are more.
    template <class Visit>
    bool each_in_order(const Chunks::Queue& bucket, std::size_t most, Visit&& visit) {
        soon_.clear();
        const bool all = pool_.each_while(bucket, [&](const Word* entry, Finder finder) {
            if (soon_.size() < most) soon_.push_back({entry, finder});
            return soon_.size() < most;
        });
        if (!all) return false;
        const auto earlier = [&](const Soon& one, const Soon& other) { return before(one.entry, other.entry); };
        std::stable_sort(soon_.begin(), soon_.end(), earlier);
        return std::all_of(soon_.begin(), soon_.end(), [&](const Soon& one) { return visit(one.entry, one.finder); });
    }

    /// Where a key lies as seen from another one: the highest digit in which they differ, and what stands there in the first. Nowhere when
    /// they are equal.
    static constexpr std::size_t nowhere = ~std::size_t{0};
    std::size_t bucket_of(const Word* key, const Word* seen_from) const {
        for (std::size_t i = 0; i < key_words_; ++i)
            if (const Word different = key[i] ^ seen_from[i]) {
                const std::size_t level = static_cast<std::size_t>(std::bit_width(different) - 1) / digit_bits;
                const Word digit = (key[i] >> (level * digit_bits)) & low_bits(digit_bits);
                return ((key_words_ - 1 - i) * levels + level) << digit_bits | digit;
            }
        return nowhere;
    }
    /// The bucket with the least keys, but for the present one.
    std::size_t first_occupied() const {
        std::size_t level = 0;
        while (occupied_[level] == 0) ++level;
        return first_at(level);
    }
    std::size_t first_at(std::size_t level) const {
        return level << digit_bits | static_cast<std::size_t>(std::countr_zero(occupied_[level]));
    }

    /// Where an entry with this key belongs.
    Chunks::Queue& queue_of(const Word* key) {
        const std::size_t bucket = bucket_of(key, present_.data());
        return bucket == nowhere ? now_ : open(bucket);
    }
    Chunks::Queue& open(std::size_t bucket) {
        occupied_[bucket >> digit_bits] |= Word{1} << (bucket & low_bits(digit_bits));
        return buckets_[bucket];
    }
    Chunks::Queue close(std::size_t bucket) {
        occupied_[bucket >> digit_bits] &= ~(Word{1} << (bucket & low_bits(digit_bits)));
        return std::exchange(buckets_[bucket], {});
    }
    void deal_out(Chunks::Queue dealt) {
        while (!dealt.empty()) pool_.move(dealt, queue_of(pool_.front(dealt)));
    }
    /// Give room back that nobody needs.
    void move_together() {
        Chunks smaller(stride(), with_finders);
        const auto move = [&](Chunks::Queue& queue) {
            Chunks::Queue moved;
            pool_.each(queue, [&](const Word* entry, Finder finder) { smaller.copy(entry, finder, moved); });
            queue = moved;
        };
        move(now_);
        move(later_);
        for (Chunks::Queue& bucket : buckets_) move(bucket);
        pool_ = std::move(smaller);
        least_ = nullptr;
    }
    /// A key comes before the present one, and becomes it. All entries in buckets of lower digits than the one in which the two differ
    /// have there what the present one has: as seen from the new one they are all in one bucket, which is empty yet. Others stay
    /// where they are.
    void step_back(const Word* key) {
        const std::size_t bucket = bucket_of(present_.data(), key);
        const auto move = [&](Chunks::Queue moved) {
            while (!moved.empty()) pool_.move(moved, open(bucket));
        };
        move(std::exchange(now_, {}));
        for (std::size_t level = 0; level < bucket >> digit_bits; ++level)
            while (occupied_[level]) move(close(first_at(level)));
        copy(key, present_.data(), key_words_);
    }

    std::size_t key_words_ = 1, state_words_ = 1, beside_ = 0;
    Chunks pool_;
    std::vector<Word> present_;
    Chunks::Queue now_;                   // entries with the present key
    std::vector<Chunks::Queue> buckets_;  // of all others, per level and digit
    std::vector<Word> occupied_;          // per level: which digits occur
    const Word* least_ = nullptr;         // the entry with the least key, where that has been looked for
    std::uint64_t size_ = 0;
    struct Soon {
        const Word* entry;
        Finder finder;
    };
    std::vector<Soon> soon_;  // room for entries that are put in order
    Chunks::Queue later_;     // entries that were put off
    std::uint64_t later_size_ = 0;
};

}  // namespace sweep
