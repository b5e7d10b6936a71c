#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/state/hash.hpp"

namespace sweep {

using Id = std::uint32_t;  // an interned value: of a scalar from 0, of a token or element from 1 (0 is "no token")

constexpr Word low_bits(int count) { return count >= 64 ? ~Word{0} : (Word{1} << count) - 1; }
constexpr int bits_for(std::uint64_t values) { return values <= 1 ? 0 : 64 - __builtin_clzll(values - 1); }

/// 65536 divided by every width, rounded up: dividing bit positions by a width is then one multiplication.
constexpr auto reciprocals = [] {
    std::array<std::uint32_t, 65> table{};
    for (std::uint32_t width = 1; width < table.size(); ++width) table[width] = (65536 + width - 1) / width;
    return table;
}();

/// The number of occupied slots of a packed bag or queue: they are filled from the lowest.
inline int occupied(Word raw, int bits) {
    if (raw == 0) return 0;
    const std::uint32_t highest = 63u - static_cast<std::uint32_t>(__builtin_clzll(raw));
    return static_cast<int>((highest * reciprocals[static_cast<std::size_t>(bits)]) >> 16) + 1;
}

/// A run of bits in one word of a packed state, `width` bits for each of a field's slots.
struct Piece {
    std::uint16_t word = 0;
    std::uint8_t shift = 0, width = 0;

    template <class File>
    void keep(File& file) {
        file(word, shift, width);
    }
};

/// Where one variable lives: `slots` equal cells side by side. A scalar has one slot; a bag or queue has one per token it
/// may hold, or one per token that there is. What does not fit into one word goes on in the words behind, `per_word` whole
/// cells in each. A domain that outgrows `low` may get its further bits in `high`: bits that were free before are 0 in every
/// stored state, so those states stay right as they are.
struct Field {
    Piece low, high;
    std::uint16_t slots = 1;
    std::uint16_t per_word = 64;

    template <class File>
    void keep(File& file) {
        file(low, high, slots, per_word);
    }
    int bits() const { return low.width + high.width; }
    bool spans() const { return slots > per_word; }
    std::size_t words() const { return (slots + std::size_t{per_word} - 1) / per_word; }

    /// Of a field that is not in two pieces: where one of its cells lies.
    std::size_t word_of(std::uint32_t cell) const { return low.word + (spans() ? cell / per_word : 0); }
    int shift_of(std::uint32_t cell) const { return low.shift + static_cast<int>(spans() ? cell % per_word : cell) * low.width; }

    /// Where one bit of a cell lies: the word, and its place there.
    std::pair<std::size_t, int> place_of(std::uint32_t cell, int bit) const {
        if (bit < low.width) return {word_of(cell), shift_of(cell) + bit};
        return {high.word, high.shift + static_cast<int>(cell) * high.width + bit - low.width};
    }
    /// The bits of its cells in its words, one by one.
    Word mask_of(std::size_t word) const {
        const int cells = spans() ? std::min<int>(per_word, slots - static_cast<int>(word) * per_word) : slots;
        return low_bits(cells * low.width) << low.shift;
    }

    Word cell(const Word* state, std::uint32_t index) const {
        const Word below = (state[word_of(index)] >> shift_of(index)) & low_bits(low.width);
        if (high.width == 0) return below;
        return below | ((state[high.word] >> (high.shift + static_cast<int>(index) * high.width)) & low_bits(high.width)) << low.width;
    }
    void set_cell(Word* state, std::uint32_t index, Word value) const {
        const auto put = [state](std::size_t word, int shift, int width, Word bits) {
            state[word] = (state[word] & ~(low_bits(width) << shift)) | ((bits & low_bits(width)) << shift);
        };
        put(word_of(index), shift_of(index), low.width, value);
        if (high.width) put(high.word, high.shift + static_cast<int>(index) * high.width, high.width, value >> low.width);
    }

    // All cells at once, where they do not span several words.

    [[gnu::always_inline]] Word load(const Word* state) const {
        const Word raw = (state[low.word] >> low.shift) & low_bits(low.width * slots);
        return high.width == 0 ? raw : merge(raw, (state[high.word] >> high.shift) & low_bits(high.width * slots));
    }

    void store(Word* state, Word raw) const {
        if (high.width == 0) {
            put(state, low, raw);
            return;
        }
        Word below = 0, above = 0;
        for (int i = 0; i < slots; ++i) {
            const Word one = (raw >> (i * bits())) & low_bits(bits());
            below |= (one & low_bits(low.width)) << (i * low.width);
            above |= (one >> low.width) << (i * high.width);
        }
        put(state, low, below);
        put(state, high, above);
    }

private:
    Word merge(Word below, Word above) const {
        Word raw = 0;
        for (int i = 0; i < slots; ++i) {
            raw |= ((below >> (i * low.width)) & low_bits(low.width)) << (i * bits());
            raw |= ((above >> (i * high.width)) & low_bits(high.width)) << (i * bits() + low.width);
        }
        return raw;
    }
    void put(Word* state, const Piece& piece, Word raw) const {
        const Word mask = low_bits(piece.width * slots);
        state[piece.word] = (state[piece.word] & ~(mask << piece.shift)) | (raw << piece.shift);
    }
};

/// How a bag or queue lies in a state: its tokens side by side, each in a slot; for every token that it ever held a cell
/// that says how often it is there (one bit, where none has been there twice); or the number of its contents, which lie
/// elsewhere.
enum class Form : std::uint8_t { slots, counts, interned };

/// How large a variable has grown.
struct Extent {
    std::uint64_t values = 1;          // distinct ids to tell apart, "no token" included
    int slots = 1;                     // tokens to hold side by side; 1 for scalars
    int wished_slots = 0;              // so many it gets where there is room; 0: no more than it needs
    bool tight = false;                // it gets no bits to grow: elements of an array that are read together are to lie evenly
    bool widening = false;             // its values have become more of late: bits for further ones come before slots
    bool settled = false;              // it has not held more tokens of late: further slots come last
    std::uint32_t steps = unforeseen;  // so many steps, or more, until it changes for the first time

    static constexpr std::uint32_t unforeseen = ~std::uint32_t{0};
};

/// Fields for all variables, packed into as few words as they need. Bit 0 of word 0 is always 1: it marks a state. The last variables may
/// be those that tell states apart: then they have the first words to themselves, so that no mask is needed to compare them.
class Layout {
public:
    int words = 1;
    std::vector<Field> fields;

    template <class File>
    void keep(File& file) {
        file(words, fields, keys_, key_words_, used_);
    }
    bool has_keys() const { return key_words_ != 0; }
    Width width() const { return {words, key_words_ ? key_words_ : words}; }
    /// The bits of a state that belong to some fields.
    std::vector<Word> mask_of(const std::vector<std::uint32_t>& some) const;

    /// A fresh layout for these extents, with room to grow: a bit for variables that have had one value so far, one or two
    /// more where there are many values already, and the slots that are wished for. No word is added for that, unless it is
    /// to last: then wide states may get a quarter more, and half of what is free stays free, for whoever asks. `keys`: so many of the
    /// last variables tell states apart; 0: all do.
    static Layout pack(const std::vector<Extent>& extents, bool lasting = false, std::size_t keys = 0);

    /// Widen one field without moving any other; false when there is no room for that.
    bool widen(std::size_t field, std::uint64_t values);

private:
    /// The size of a field: so many slots of so many bits.
    struct Size {
        int width, slots;
        int bits() const { return width * slots; }
    };
    static std::vector<Size> with_room(std::vector<Size> sizes, const std::vector<Extent>& extents, int budget);
    bool place(const std::vector<Size>& sizes, std::size_t most_words);
    bool is_key(std::size_t field) const { return field >= fields.size() - keys_; }

    std::size_t keys_ = 0;            // of the last fields: those that tell states apart,
    int key_words_ = 0;               // and the words that they have
    std::vector<std::uint8_t> used_;  // bits taken in every word, from the lowest
};

/// The most bits that slots in one word may take, and those of a field that spans several words.
constexpr int most_inline_bits = 60;
constexpr int most_spanned_bits = 4096;

}  // namespace sweep
