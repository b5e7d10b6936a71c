#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/trie.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// Where the tokens lead that actions take from sets: on from some place in their tries if certain other tokens are there, which are bits
/// of one word, and nowhere if not. Made from the tries bit by bit, which ask for one token after another instead.
class Members {
public:
    struct Way {
        Code end = unknown;  // not found out yet
        std::uint32_t word = 0;
        Word needed = 0;

        template <int K>
        [[gnu::always_inline]] bool open(const Word* state) const {
            return !(needed & ~state[K == 1 ? 0 : word]);
        }
    };

    /// A set that lies as bits in one word, and where its tokens lead: by cell, which is their bit.
    struct Set {
        Way* ways = nullptr;
        const Id* tokens = nullptr;
        std::size_t cells = 0;
        Word mask = 0;
        std::uint32_t field = 0;
        std::uint16_t word = 0;
        std::uint8_t shift = 0;
        bool looked_for = false;
    };

    explicit Members(std::size_t actions) : ways_(actions), first_(actions) {}

    /// What an action takes from at a node, if that is such a set; else it has no ways. They stay there until they are forgotten, or there
    /// are more cells.
    Set set(std::uint32_t action, const Trie& trie, const Trie::Node& node, const Schema& schema);
    /// The same where that is the first thing that it does. To be looked at once for each state.
    [[gnu::always_inline]] const Set& first(std::uint32_t action, const Trie& trie, const Schema& schema) {
        Set& known = first_[action];
        if (known.looked_for && (!known.ways || known.cells == schema.variables[known.field].cells.size())) [[likely]]
            return known;
        return find_first(action, trie, schema);
    }
    /// The way from a place in a trie; what is never asked for may stay unknown.
    static Way find(const Trie& trie, Code from);

    /// What all was made from has changed, or more may be known.
    void forget();
    std::size_t bytes() const;

private:
    const Set& find_first(std::uint32_t action, const Trie& trie, const Schema& schema);

    std::vector<std::vector<std::vector<Way>>> ways_;  // per action and node
    std::vector<Set> first_;                           // per action
};

}  // namespace sweep
