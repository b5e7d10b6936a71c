#pragma once
#include <cstdint>

#include "sweep/state/width.hpp"

namespace sweep {

using Word = std::uint64_t;

/// Both halves of the 128-bit product, folded: one multiplication mixes every bit of both words into every bit.
inline Word fold(Word a, Word b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<Word>(product) ^ static_cast<Word>(product >> 64);
}

/// Hash of a packed state, by the words that tell states apart. K is their number when it is known at compile time, else 0.
template <int K>
inline Word hash_words(const Word* words, Width width) {
    constexpr Word first = 0x9E3779B97F4A7C15ull, second = 0xD1B54A32D192ED03ull;
    const int count = K ? K : width.compared;
    Word hash = fold(words[0] ^ first, second);
    for (int i = 1; i < count; ++i) hash = fold(words[i] ^ hash, second ^ first * static_cast<Word>(i));
    return hash;
}

/// Position in a table of `capacity` slots, by the high bits of the hash: capacities need not be powers of two, and
/// rebuilding a table visits both the old and the new one in order.
inline std::uint64_t position(Word hash, std::uint64_t capacity) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash) * capacity) >> 64);
}

/// The table where states will be looked up. What lies there is fetched as soon as they are made: until all are made, it has come.
struct Aim {
    const Word* slots = nullptr;  // none: nothing is fetched
    std::uint64_t capacity = 0;

    [[gnu::always_inline]] void fetch(Word hash, int words) const {
        if (slots) __builtin_prefetch(slots + position(hash, capacity) * static_cast<std::uint64_t>(words));
    }
};

}  // namespace sweep
