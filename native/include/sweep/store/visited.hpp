#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/state/hash.hpp"
#include "sweep/state/schema.hpp"
#include "sweep/store/memory.hpp"
#include "sweep/store/slots.hpp"
#include "sweep/store/spill.hpp"

namespace sweep {

/// A set of packed states, inline in one array, probed linearly; usually dropped whole with its layer. A slot is free when its first word
/// is 0: every packed state has its lowest bit set. Where only the first words tell states apart, it holds the first of several that
/// agree in these.
///
/// Several workers may look states up at once, and claim slots for new ones. A claimed slot holds a ticket, a word whose lowest bit is not
/// set, until whoever has claimed it writes the state there, or withdraws; nothing else is done to the table before.
class VisitedTable {
public:
    enum class Claim { known, mine, taken, full };

    explicit VisitedTable(Account* account = nullptr) : share_(account) {}
    VisitedTable(const VisitedTable&) = delete;
    VisitedTable& operator=(const VisitedTable&) = delete;
    VisitedTable(VisitedTable&& other) noexcept { swap(other); }
    VisitedTable& operator=(VisitedTable&& other) noexcept {
        swap(other);
        return *this;
    }

    std::uint64_t size() const { return size_; }
    std::uint64_t bytes() const { return share_.bytes(); }

    template <int K>
    [[gnu::always_inline]] void prefetch(Word hash, Width width) const {
        if (capacity_) __builtin_prefetch(slots_ + position(hash, capacity_) * stride<K>(width));
    }
    /// Where a search begins, until the table grows; null as long as it has no room.
    template <int K>
    [[gnu::always_inline]] Word* start(Word hash, Width width) const {
        return slots_ + position(hash, capacity_) * stride<K>(width);
    }

    /// Insert a state; false when it was there already.
    template <int K>
    [[gnu::always_inline]] bool insert(const Word* state, Word hash, Width width) {
        const Word* slot;
        return insert<K>(state, hash, width, slot);
    }
    /// The same, with the slot it is in now.
    template <int K>
    [[gnu::always_inline]] bool insert(const Word* state, Word hash, Width width, const Word*& slot) {
        if (capacity_ == 0) grow<K>(width);
        Word* at = start<K>(hash, width);
        const bool found = search<K>(at, state, width);
        slot = found ? at : add<K>(state, at, width);
        return !found;
    }
    /// Search from where that begins: whether a state is there; else where it belongs.
    template <int K>
    [[gnu::always_inline]] static bool search(Word*& at, const Word* state, Width width) {
        for (; at[0] != 0; at += stride<K>(width))
            if (same<K>(at, state, width)) return true;
        return false;
    }
    /// Whether a state is in one of the first slots that a search would look at, which nearly all are that are stored: all of them are
    /// compared, since a jump for each would often go where nobody had expected.
    template <int K>
    [[gnu::always_inline]] static bool lies_near(const Word* at, const Word* state, Width width) {
        if constexpr (K == 0)
            return same<K>(at, state, width);
        else
            return same<K>(at, state, width) | same<K>(at + K, state, width);
    }
    /// Add a state where a search has ended; where it is now.
    template <int K>
    [[gnu::always_inline]] Word* add(const Word* state, Word* slot, Width width) {
        const int k = K ? K : width.words;
        while (size_ >= room_ || slot == last_) [[unlikely]] {  // the last slot stays free: it ends every search
            grow<K>(width);
            slot = free_slot(hash_words<K>(state, width), k);
        }
        for (int i = 0; i < k; ++i) slot[i] = state[i];
        ++size_;
        return slot;
    }

    /// Claim a slot for a state that is not there, beginning where its search does. `offer` is called before somebody else may see the
    /// ticket. `same` tells whether another ticket stands for this state: then the slot is taken, and `ticket` is that one.
    template <int K, class Offer, class Same>
    [[gnu::always_inline]] Claim claim(Word*& at, const Word* state, Width width, Word& ticket, Offer&& offer, Same&& same) const {
        for (;; at += stride<K>(width)) {
            Word word = __atomic_load_n(at, __ATOMIC_ACQUIRE);
            if (word == 0) {
                if (at == last_) return Claim::full;
                offer();
                if (__atomic_compare_exchange_n(at, &word, ticket, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return Claim::mine;
            }
            if (word & 1) {
                if (word == state[0] && same_rest<K>(at, state, width)) return Claim::known;
            } else if (same(word)) {
                ticket = word;
                return Claim::taken;
            }
        }
    }
    /// A state is where a slot was claimed for it; it counts when `put_many` says so.
    template <int K>
    static void settle(Word* slot, const Word* state, Width width) {
        for (int i = 0; i < (K ? K : width.words); ++i) slot[i] = state[i];
    }
    /// Grow now: so many more states are to come.
    template <int K>
    void make_room(std::uint64_t more, Width width) {
        const std::uint64_t capacity = grown(width);
        grow_to<K>(size_ + more < capacity / 2 ? capacity : (size_ + more) * 2, width);
    }
    bool lacks_room(std::uint64_t more) const { return size_ + more > room_; }
    bool soon_lacks_room(std::uint64_t more) const { return lacks_room(more + room_ / 8); }

    /// The slot of a state, or null.
    template <int K = 0>
    const Word* find(const Word* state, Word hash, Width width) const {
        if (capacity_ == 0) return nullptr;
        const std::uint64_t apart = stride<K>(width);
        const Word* slot = slots_ + position(hash, capacity_) * apart;
        for (; slot[0] != 0; slot += apart)
            if (same<K>(slot, state, width)) return slot;
        return nullptr;
    }

    /// Remove a state; false when it is not there. Those behind it move up, so that no search ends too early.
    template <int K>
    bool erase(const Word* state, Word hash, Width width) {
        const std::uint64_t apart = stride<K>(width);
        Word* free = const_cast<Word*>(find<K>(state, hash, width));
        if (!free) return false;
        for (Word* slot = free + apart; slot[0] != 0; slot += apart) {
            if (slots_ + position(hash_words<K>(slot, width), capacity_) * apart > free) continue;
            for (std::uint64_t i = 0; i < apart; ++i) free[i] = slot[i];
            free = slot;
        }
        free[0] = 0;
        --size_;
        return true;
    }

    /// Numbers beside the states, for the layer at work only. Whoever inserts a state then gives it one.
    void keep_numbers() { take_numbers(std::vector<std::uint32_t>(capacity_ + spare(capacity_))); }
    void drop_numbers() { take_numbers({}); }
    bool numbered() const { return !numbers_.empty(); }
    template <int K>
    std::uint32_t number(const Word* slot, Width width) const {
        return numbers_[static_cast<std::uint64_t>(slot - slots_) / stride<K>(width)];
    }
    template <int K>
    std::uint32_t& number(const Word* slot, Width width) {
        return numbers_[static_cast<std::uint64_t>(slot - slots_) / stride<K>(width)];
    }

    /// Make room for so many states at once, instead of by and by.
    template <int K>
    void reserve(std::uint64_t states, Width width) {
        if (states > few && states > room_) grow_to<K>(capacity_for(states, width.words), width);
    }
    /// There are likely to be so many states: room for an eighth of them now, for all once they are more than that, so that they are not
    /// moved again and again. Where states are wide, free room is what they take most of: there is a step in between.
    template <int K>
    void foresee(std::uint64_t states, Width width) {
        likely_capacity_ = capacity_for(states, width.words);
        reserve<K>(states / 8, width);
    }

    std::uint64_t capacity() const { return capacity_; }
    Aim aim() const { return {slots_, capacity_}; }

    /// As large as another table. A table filled from another one in that one's order must not grow on the way: the
    /// states would come sorted by hash and crowd the front.
    void allocate_like(const VisitedTable& other, int k) { allocate(other.capacity_, k); }
    /// As large as it was, for its states in another layout: narrow ones want more slots.
    void allocate_for(const VisitedTable& before, int k) { allocate(room_for(before, k), k); }

    /// Every state, in the order of the table.
    template <class Visit>
    void each(int k, Visit&& visit) const {
        each_between(slots_, last_, k, visit);
    }
    /// The same of one of several parts of the table.
    template <class Visit>
    void each_in_part(std::uint32_t part, std::uint32_t parts, int k, Visit&& visit) const {
        const std::uint64_t slots = static_cast<std::uint64_t>(last_ - slots_) / static_cast<std::uint64_t>(k);
        const auto start = [&](std::uint64_t which) { return slots_ + slots * which / parts * static_cast<std::uint64_t>(k); };
        each_between(start(part), start(part + 1), k, visit);
    }
    template <class Visit>
    void each_between(const Word* first, const Word* last, int k, Visit&& visit) const {
        const std::ptrdiff_t together =
            std::max(1, (1 << 15) / k) * k;  // words: once for so many memory is looked at, and they are fetched
        Spill* const spill = Spill::at_work();
        for (const Word* slot = first; slot != last;) {
            const Word* const end = last - slot > together ? slot + together : last;
            if (spill) spill->go_through(slot, end);
            Occupied states;
            for (; slot != end; slot += k)
                if (states.add(slot)) states.take(visit);
            states.take(visit);
        }
    }

    /// The layout has changed: rewrite every state, keep its number.
    void rewrite(Transfer& transfer) {
        if (size_ == 0) {  // but it may have room, made for narrower states
            clear();
            return;
        }
        if (share_.together() && capacity_ >= many_slots && !numbered() && transfer.may_share() && !Spill::at_work())
            return rewrite_together(transfer);
        const int k = transfer.words();
        VisitedTable rewritten;
        rewritten.allocate_for(*this, k);
        if (numbered()) rewritten.keep_numbers();
        const Width width = transfer.width();
        each_rewritten(
            transfer, [&](Word) -> VisitedTable& { return rewritten; },
            [&](const Word* state, Word hash, const Word* before) {
                const Word* slot;
                rewritten.insert<0>(state, hash, width, slot);
                if (numbered()) rewritten.number<0>(slot, k) = number<0>(before, transfer.from_words());
            });
        *this = std::move(rewritten);
    }
    /// The same by several, a part of the slots each. Those that find no slot come last.
    void rewrite_together(const Transfer& transfer) {
        VisitedTable rewritten;
        rewritten.allocate(room_for(*this, transfer.words()), transfer.words(), share_);
        const Width width = transfer.width();
        std::vector<std::vector<Word>> left(moving_jobs);
        (*share_.together())(moving_jobs, [&](std::uint32_t job) {
            Transfer own = transfer;
            std::uint64_t count = 0;
            each_rewritten(
                own, [&](Word) -> VisitedTable& { return rewritten; },
                [&](const Word* state, Word hash, const Word*) {
                    if (rewritten.put(state, hash, width))
                        ++count;
                    else
                        left[job].insert(left[job].end(), state, state + width.words);
                },
                job, moving_jobs);
            rewritten.put_many(count);
        });
        for (const std::vector<Word>& some : left)
            for (const Word* state = some.data(); state != some.data() + some.size(); state += width.words)
                rewritten.insert<0>(state, hash_words<0>(state, width), width);
        *this = std::move(rewritten);
    }
    /// Every state, rewritten, with its new hash, and as it was. `table` is where it will be put. Or those in one of several parts.
    template <class Table, class Put>
    void each_rewritten(Transfer& transfer, Table&& table, Put&& put, std::uint32_t part = 0, std::uint32_t parts = 1) const {
        constexpr std::size_t ahead = 16;  // states whose slots are fetched together
        const int k = transfer.words();
        std::vector<Word> states(ahead * static_cast<std::size_t>(k));
        std::array<Word, ahead> hashes;
        std::array<const Word*, ahead> sources;
        std::size_t count = 0;
        Spill* const spill = Spill::at_work();
        std::uint64_t looks = 0;  // that may come before memory is looked at
        const auto put_all = [&] {
            if (spill && looks < count) looks = spill->looks_left();
            looks -= count;
            for (std::size_t i = 0; i < count; ++i) put(states.data() + i * static_cast<std::size_t>(k), hashes[i], sources[i]);
            count = 0;
        };
        each_in_part(part, parts, transfer.from_words(), [&](const Word* before) {
            Word* state = states.data() + count * static_cast<std::size_t>(k);
            transfer(before, state);
            sources[count] = before;
            hashes[count] = hash_words<0>(state, transfer.width());
            table(hashes[count]).template prefetch<0>(hashes[count], k);
            if (++count == ahead) put_all();
        });
        put_all();
    }
    /// Put a state that is not there into a slot, as others do at the same time: it counts when `put_many` says so. False when no slot
    /// is free where it belongs.
    bool put(const Word* state, Word hash, Width width) {
        const std::uint64_t apart = stride<0>(width);
        for (Word* at = start<0>(hash, width); at != last_; at += apart) {
            Word free = 0;
            if (__atomic_load_n(at, __ATOMIC_RELAXED) != 0) continue;
            if (!__atomic_compare_exchange_n(at, &free, state[0], false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) continue;
            for (std::uint64_t i = 1; i < apart; ++i) at[i] = state[i];
            return true;
        }
        return false;
    }
    void put_many(std::uint64_t states) { __atomic_fetch_add(&size_, states, __ATOMIC_RELAXED); }

    /// As in `Keeping`: the states of a table that has as much room as this one has.
    template <class File>
    void keep(File& file, Width width) {
        std::uint64_t room = capacity_, count = size_;
        file(count, room);
        if constexpr (File::reads) {
            clear();
            if (count == 0) return;
            if (room < count || room / 64 > count) throw Damaged("a table has no such room");
            allocate(room, width.words);
            read(file, count, width);
        } else {
            each(width.words, [&](const Word* state) { file.put(state, static_cast<std::size_t>(width.words)); });
        }
    }
    /// Insert so many states from a file.
    template <class File>
    void read(File& file, std::uint64_t count, Width width) {
        std::vector<Word> state(static_cast<std::size_t>(width.words));
        for (; count; --count) {
            file.get(state.data(), state.size());
            if (!(state[0] & 1)) throw Damaged("it holds no states");
            insert<0>(state.data(), hash_words<0>(state.data(), width), width);
        }
    }

    /// Forget all states, and keep the room for about as many.
    void empty(Width width) {
        if (numbered() || size_ <= capacity_ / 8) return clear();
        std::fill(slots_, last_ + width.words, 0);
        size_ = 0;
    }
    void clear() {
        ZeroedWords().swap(memory_);
        drop_numbers();
        share_.set(0);
        share_.move();
        slots_ = last_ = nullptr;
        capacity_ = size_ = room_ = 0;
    }

private:
    void swap(VisitedTable& other) noexcept {
        memory_.swap(other.memory_);
        numbers_.swap(other.numbers_);
        share_.swap(other.share_);
        std::swap(slots_, other.slots_);
        std::swap(last_, other.last_);
        std::swap(capacity_, other.capacity_);
        std::swap(size_, other.size_);
        std::swap(room_, other.room_);
    }

    template <int K>
    [[gnu::always_inline]] static bool same(const Word* slot, const Word* state, Width width) {
        Word different = slot[0] ^ state[0];
        for (int i = 1; i < (K ? K : width.compared); ++i) different |= slot[i] ^ state[i];
        return different == 0;
    }

    template <int K>
    [[gnu::always_inline]] static bool same_rest(const Word* slot, const Word* state, Width width) {
        Word different = 0;
        for (int i = 1; i < (K ? K : width.compared); ++i) different |= slot[i] ^ state[i];
        return different == 0;
    }

    void take_numbers(std::vector<std::uint32_t> numbers) {
        share_.set(share_.bytes() + (numbers.size() - numbers_.size()) * sizeof(std::uint32_t));
        numbers_.swap(numbers);
    }

    template <int K>
    static std::uint64_t stride(Width width) {
        return static_cast<std::uint64_t>(K ? K : width.words);
    }
    Word* free_slot(Word hash, int k) const {
        Word* slot = slots_ + position(hash, capacity_) * static_cast<std::uint64_t>(k);
        while (slot[0] != 0 && slot != last_) slot += k;
        return slot;
    }

    static constexpr int very_wide = 8;           // words
    static constexpr std::uint64_t few = 1 << 6;  // states: they are moved at once

    static std::uint64_t room_for(const VisitedTable& before, int k) {
        return std::max(before.capacity_, k == 1 ? before.size_ * 8 / 5 + 1 : 0);
    }
    /// Searches run on into spare slots behind the others instead of wrapping around.
    static std::uint64_t spare(std::uint64_t capacity) { return capacity / 8 < 248 ? capacity / 8 + 8 : 256; }

    void allocate(std::uint64_t capacity, int k) { allocate(capacity, k, share_); }
    /// As others share their memory, and the work of it.
    void allocate(std::uint64_t capacity, int k, const Share& share) {
        ZeroedWords((capacity + spare(capacity)) * static_cast<std::uint64_t>(k), share.leftovers(), share.together()).swap(memory_);
        lay_out(capacity, k);
    }
    static std::uint64_t capacity_for(std::uint64_t states, int k) { return (k == 1 ? states * 8 / 5 : states * 4 / 3) + 2; }
    void lay_out(std::uint64_t capacity, int k) {
        capacity_ = capacity;
        room_ = k == 1 ? capacity * 5 / 8 : capacity * 3 / 4;
        const std::uint64_t slots = capacity + spare(capacity), apart = static_cast<std::uint64_t>(k);
        share_.set(slots * apart * sizeof(Word));
        share_.move();
        slots_ = memory_.data();
        last_ = slots_ + (slots - 1) * apart;
    }

    template <int K>
    [[gnu::noinline]] void grow(Width width) {
        grow_to<K>(grown(width), width);
    }
    std::uint64_t grown(Width width) const {
        const int k = width.words;
        // Narrow states are cheap: their tables are filled to five eighths, wider ones to three quarters. Growing by
        // half or a little more keeps a state within about twice its width; by a quarter, where states are so wide that free
        // room is what they take most of, within five thirds.
        // So does it where a table has all that was foreseen, and little may be missing.
        const bool little = k >= very_wide || (likely_capacity_ <= capacity_ && capacity_ < 2 * likely_capacity_);
        const std::uint64_t more = little ? capacity_ / 4 : k == 1 ? capacity_ * 5 / 8 : capacity_ / 2;
        const std::uint64_t usual = capacity_ < 16 ? capacity_ * 2 + 12 : capacity_ + more;
        if (capacity_ < likely_capacity_ / 8 || capacity_ >= likely_capacity_) return usual;
        return std::max(usual, k == 1 || capacity_ >= likely_capacity_ / 2 ? likely_capacity_ : likely_capacity_ / 2);
    }

    /// Grow where it lies. Positions go by the high bits of hashes: in a larger table states lie in the same order, further apart. So they
    /// move up; the few for which there is no way come last. False, with nothing done, where it has to become another table.
    template <int K>
    bool spread(std::uint64_t capacity, Width width) {
        const std::uint64_t apart = stride<K>(width), slots = capacity + spare(capacity), before = capacity_;
        if (capacity_ == 0 || numbered() || !memory_.extend(slots * apart, share_.together())) return false;
        lay_out(capacity, static_cast<int>(apart));
        MovingUp<K> moving(slots_, last_, capacity_, width);
        std::uint64_t end = before + spare(before);
        if (share_.together()) end = moving.move_together(before, end, *share_.together());
        moving.move(end);
        size_ -= moving.left.size() / apart;
        for (const Word* state = moving.left.data(); state != moving.left.data() + moving.left.size(); state += apart)
            insert<K>(state, hash_words<K>(state, width), width);
        return true;
    }

    template <int K>
    void grow_to(std::uint64_t capacity, Width width) {
        if (spread<K>(capacity, width)) return;
        const int k = K ? K : width.words;
        VisitedTable larger;
        larger.allocate(capacity, k, share_);
        if (numbered()) larger.keep_numbers();
        bool fits = true;
        each(k, [&](const Word* state) {
            Word* slot = larger.free_slot(hash_words<K>(state, width), k);
            fits &= slot != larger.last_;
            for (int i = 0; i < k && fits; ++i) slot[i] = state[i];
            if (numbered()) larger.number<K>(slot, k) = number<K>(state, k);
        });
        if (!fits) return grow_to<K>(2 * capacity, width);
        larger.size_ = size_;
        swap(larger);
    }

    Word *slots_ = nullptr, *last_ = nullptr;  // the first slot and the last, which stays free
    std::uint64_t capacity_ = 0, size_ = 0, room_ = 0;
    std::uint64_t likely_capacity_ = 0;  // it may have to grow to that
    ZeroedWords memory_;
    std::vector<std::uint32_t> numbers_;  // by slot
    Share share_;
};

}  // namespace sweep
