#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sweep/store/memory.hpp"
#include "sweep/store/visited.hpp"

namespace sweep {

/// States that were sent lately, and need not be sent again: pairs of slots, in which a state takes the place of the older one. It grows
/// with what is sent, as long as it is small beside what is stored.
class SentStates {
public:
    /// The pair where a state is looked up; null as long as there is none. Good until `make_room` and `forget`.
    template <int K>
    [[gnu::always_inline]] Word* start(Word hash) const {
        return slots_ ? slots_ + (hash >> shift_) * 2 * static_cast<std::uint64_t>(K ? K : words_) : nullptr;
    }
    /// Whether a state was sent. One that was sent by a step forward may be forgotten by whoever owns it when a step back leads to it.
    template <int K>
    bool holds(const Word* pair, const Word* state, bool back) const {
        const int k = K ? K : words_;
        for (int i = 0; pair && i < 2; ++i, pair += k)
            if (std::equal(state, state + k, pair)) return !back || backwards_[slot_of(pair)];
        return false;
    }
    void add(Word* pair, const Word* state, bool back) {
        if (!pair) return;
        const auto slot = slot_of(pair);
        std::copy(pair, pair + words_, pair + words_);
        std::copy(state, state + words_, pair);
        backwards_[slot + 1] = backwards_[slot];
        backwards_[slot] = back;
        ++added_;
    }
    /// Have room for what is sent, in at most so many bytes or a few MiB; `words` is the width of states now.
    void make_room(std::uint64_t most_bytes, int words) {
        if (slots_ && (added_ < pairs() || grown_bytes() > std::max(least_bytes, most_bytes))) return;
        grow(words);
    }
    /// What was sent may have been forgotten since, or lies in words of another layout.
    void forget() {
        ZeroedWords().swap(memory_);
        slots_ = nullptr;
    }
    std::uint64_t bytes() const { return slots_ ? pairs() * bytes_of_pair() : 0; }

private:
    static constexpr std::uint64_t least_bytes = 1 << 22;

    std::uint64_t pairs() const { return std::uint64_t{1} << (64 - shift_); }
    std::uint64_t bytes_of_pair() const { return 2 * (static_cast<std::uint64_t>(words_) * sizeof(Word) + 1); }
    std::uint64_t grown_bytes() const { return 2 * pairs() * bytes_of_pair(); }
    std::size_t slot_of(const Word* slot) const { return static_cast<std::size_t>(slot - slots_) / static_cast<std::size_t>(words_); }
    void grow(int words);

    ZeroedWords memory_;  // no state begins with 0
    Word* slots_ = nullptr;
    int words_ = 0, shift_ = 0;
    std::uint64_t added_ = 0;  // since it was last made larger
    std::vector<std::uint8_t> backwards_;
};

}  // namespace sweep
