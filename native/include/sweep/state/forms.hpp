#pragma once
#include <vector>

#include "sweep/state/schema.hpp"

namespace sweep {

constexpr int most_slots = 16;  // of a bag or queue inside a state

/// The contents of a bag or queue as it lies in a state.
void packed_to_contents(const Variable& variable, const Contents& interned, Form form, Word raw, int bits, std::vector<Id>& contents);
/// A bag or queue that lies in the state, from its contents.
Word contents_to_packed(Kind kind, Form form, const std::vector<Id>& contents, int bits);
/// How many tokens or elements contents have, and whether one of them is there twice.
std::pair<std::uint64_t, bool> measured(Kind kind, const std::vector<Id>& contents);
/// How a variable with so many slots had best lie in states.
Form form_for(const Variable& variable, int slots);

}  // namespace sweep
