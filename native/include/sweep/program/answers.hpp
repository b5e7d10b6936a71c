#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/trie.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// The key of contents that nobody has met before, and of a comparison with what is no number: no node has a child for it.
constexpr std::uint32_t never_met = ~std::uint32_t{0};

/// The answer of a state to the question of a node; of one that branches there is none.
std::uint32_t answer(const Schema& schema, const Trie& trie, const Trie::Node& node, const Word* state);

/// The keys of a node that takes a token: what the bag still holds after what was taken before.
std::vector<Id> takeable(const Schema& schema, const Trie& trie, const Trie::Node& node, const Word* state);

}  // namespace sweep
