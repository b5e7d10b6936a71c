#pragma once
#include <vector>

#include "sweep/state/schema.hpp"

namespace sweep {

/// How and where a bag or queue lies in states.
struct Lying {
    Kind kind;
    Form form;
    const Field& field;
    const Cells& cells;
    const Contents& interned;
};
void read_contents(const Lying& lying, const Word* state, std::vector<Id>& contents);
/// Put contents into a field of slots or counts, which must have room for them.
void write_contents(const Variable& variable, const Field& field, const std::vector<Id>& contents, Word* state);
/// How many tokens or elements contents have, and how often the most frequent of them is there.
struct Measured {
    std::uint64_t size = 0;
    Id most = 0;
};
Measured measured(Kind kind, const std::vector<Id>& contents);
/// How a bag or queue with so many slots had best lie in states, of which so many bits may be taken by fields that span words. `expected`
/// are the slots that it will soon need.
Form form_for(const Variable& variable, std::uint64_t slots, std::uint64_t expected, std::uint64_t spanned_bits);
/// The bits that it takes then, without room to grow.
std::uint64_t bits_in(Form form, const Variable& variable, std::uint64_t slots);

/// The number of occupied slots of a field that spans several words.
std::uint32_t occupied(const Field& field, const Word* state);

}  // namespace sweep
