#include "sweep/explore/sent.hpp"

#include <utility>

namespace sweep {

/// Twice the room, or the first: what is there stays, the younger of a pair before the older. Where memory has none, nothing changes.
void SentStates::grow(int words) {
    const Word* const before = slots_;
    const std::uint64_t pairs_before = before ? pairs() : 0;
    const int shift_before = shift_;
    words_ = words;
    shift_ = before ? shift_ - 1 : 64 - std::bit_width((least_bytes / bytes_of_pair()) | 2) + 1;
    added_ = 0;
    ZeroedWords memory;
    try {
        ZeroedWords(pairs() * 2 * static_cast<std::uint64_t>(words_)).swap(memory);
    } catch (const OutOfMemory&) {
        shift_ = shift_before;
        return;
    }
    memory.swap(memory_);
    slots_ = memory_.data();
    const std::vector<std::uint8_t> backwards = std::exchange(backwards_, std::vector<std::uint8_t>(pairs() * 2));
    for (std::uint64_t pair = 0; pair < pairs_before; ++pair)
        for (const std::uint64_t slot : {2 * pair + 1, 2 * pair}) {
            const Word* const state = before + slot * static_cast<std::uint64_t>(words_);
            if (state[0]) add(start<0>(hash_words<0>(state, words_)), state, backwards[slot]);
        }
    added_ = 0;
}

}  // namespace sweep
