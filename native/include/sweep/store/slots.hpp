#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sweep/state/hash.hpp"
#include "sweep/state/width.hpp"
#include "sweep/store/memory.hpp"

namespace sweep {

constexpr std::uint64_t many_slots = 1 << 17;  // then it is worth that others move some of the states
constexpr std::uint32_t moving_jobs = 8;       // at once

/// Slots that have states, some at a time: which are free nobody could foretell, so that there is no jump for each.
class Occupied {
public:
    /// Whether they have to be taken before the next one.
    [[gnu::always_inline]] bool add(const Word* slot) {
        all_[count_] = slot;
        count_ += slot[0] != 0;
        return count_ == all_.size();
    }
    template <class Visit>
    [[gnu::always_inline]] void take(Visit&& visit) {
        for (std::size_t i = 0; i < count_; ++i) visit(all_[i]);
        count_ = 0;
    }

private:
    std::array<const Word*, 64> all_;
    std::size_t count_ = 0;
};

/// The states of a table that has become larger where it lies, on the way to where they belong now. Positions go by the high bits of
/// hashes: states lie in the same order as before, further apart. So they move up, from the last to the first; the few for which there is
/// no way are left over.
template <int K>
class MovingUp {
public:
    MovingUp(Word* slots, Word* last, std::uint64_t capacity, Width width)
        : slots_(slots), last_(last), capacity_(capacity), width_(width) {}

    std::vector<Word> left;  // states

    /// Move those of the first slots.
    void move(std::uint64_t end) { move(0, end, slots_, last_, left); }
    /// Move those of the last of so many slots, part by part, as long as these are many. Each part goes behind all that were there before:
    /// where nothing lies, and several can move a piece of it each, to where no other piece goes. How many slots are left.
    std::uint64_t move_together(std::uint64_t capacity_before, std::uint64_t end, const Together& together) {
        const auto moved = [&](std::uint64_t slot) -> std::uint64_t {  // where states from this slot on go
            return scaled(std::min(slot, capacity_before), capacity_, capacity_before);
        };
        const Word* behind = last_;
        std::vector<std::vector<Word>> over(moving_jobs);
        while (end > many_slots) {
            std::uint64_t begin = scaled(end, capacity_before, capacity_) + 1;
            while (moved(begin) < end) ++begin;
            if (end - begin < many_slots / 4) break;
            const auto slot = [&](std::uint32_t job) { return begin + (end - begin) * job / moving_jobs; };
            together(moving_jobs, [&](std::uint32_t job) {
                const Word* const next = job + 1 == moving_jobs ? behind : slots_ + moved(slot(job + 1)) * apart();
                move(slot(job), slot(job + 1), slots_ + moved(slot(job)) * apart(), next, over[job]);
            });
            behind = slots_ + moved(begin) * apart();
            end = begin;
        }
        for (const std::vector<Word>& some : over) left.insert(left.end(), some.begin(), some.end());
        return end;
    }

private:
    [[gnu::always_inline]] std::uint64_t apart() const { return static_cast<std::uint64_t>(K ? K : width_.words); }
    static std::uint64_t scaled(std::uint64_t slot, std::uint64_t by, std::uint64_t from) {
        return static_cast<std::uint64_t>(static_cast<unsigned __int128>(slot) * by / from);
    }
    /// To homes from one slot on, and before another one; there is nothing any more that has to move.
    void move(std::uint64_t begin, std::uint64_t end, const Word* lowest, const Word* behind, std::vector<Word>& over) {
        const auto move_one = [&](const Word* state) {
            Word* const from = const_cast<Word*>(state);
            Word* to = slots_ + position(hash_words<K>(from, width_), capacity_) * apart();
            const bool ahead = to > from && to >= lowest;
            while (ahead && to < behind && to[0] != 0) to += apart();
            if (ahead && to < behind)
                for (std::uint64_t i = 0; i < apart(); ++i) to[i] = from[i];
            else
                over.insert(over.end(), from, from + apart());
            from[0] = 0;
        };
        Occupied states;  // each goes behind all that are left: those found before it moves need not be looked at again
        for (Word *from = slots_ + end * apart(), *const first = slots_ + begin * apart(); from != first;) {
            from -= apart();
            if (states.add(from)) states.take(move_one);
        }
        states.take(move_one);
    }

    Word *slots_, *last_;
    std::uint64_t capacity_;
    Width width_;
};

}  // namespace sweep
