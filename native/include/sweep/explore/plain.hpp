#pragma once
#include <cstdint>
#include <vector>

#include "sweep/state/schema.hpp"

namespace sweep {

/// Where a variable lies that is a scalar in one piece, as nearly all are: what is done to every field of very many states goes the short
/// way then. Of others it is where their bits lie, those of all cells, or of one of two pieces. Good until the layout changes.
struct Plain {
    std::uint16_t word = 0;
    std::uint8_t shift = 0;
    bool is_plain = false;
    Word mask = 0;

    Plain() = default;
    Plain(const Schema& schema, std::uint32_t variable) {
        const Field& field = schema.layout.fields[variable];
        word = field.low.word;
        shift = field.low.shift;
        is_plain = schema.variables[variable].kind == Kind::scalar && field.high.width == 0;
        mask = low_bits(field.low.width * field.slots);
    }
    static Plain high_piece(const Field& field) {
        Plain place;
        place.word = field.high.word;
        place.shift = field.high.shift;
        place.mask = low_bits(field.high.width * field.slots);
        return place;
    }
    static std::vector<Plain> all(const Schema& schema);

    [[gnu::always_inline]] Word load(const Word* state) const { return (state[word] >> shift) & mask; }
};

}  // namespace sweep
