#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/trie.hpp"

namespace sweep {

/// Where the tokens lead that actions take from sets: on from some place in their tries if certain other tokens are there, which are bits
/// of one word, and nowhere if not. Made from the tries bit by bit, which ask for one token after another instead.
class Members {
public:
    struct Way {
        Code end = unknown;  // not found out yet
        std::uint32_t word = 0;
        Word needed = 0;

        [[gnu::always_inline]] bool open(const Word* state) const { return (state[word] & needed) == needed; }
    };

    explicit Members(std::size_t actions) : ways_(actions) {}

    /// The ways of all tokens that can be taken at a node, by their cells. They stay there until they are forgotten.
    Way* ways(std::uint32_t action, const Trie& trie, const Trie::Node& node, std::size_t cells) {
        std::vector<std::vector<Way>>& all = ways_[action];
        const std::size_t at = static_cast<std::size_t>(&node - trie.nodes.data());
        if (at >= all.size() || all[at].size() < cells) [[unlikely]]
            add(all, at, cells);
        return all[at].data();
    }
    /// The way from a place in a trie; what is never asked for may stay unknown.
    static Way find(const Trie& trie, Code from);

    /// What all was made from has changed, or more may be known.
    void forget();
    std::size_t bytes() const;

private:
    static void add(std::vector<std::vector<Way>>& all, std::size_t at, std::size_t cells);

    std::vector<std::vector<std::vector<Way>>> ways_;  // per action and node
};

}  // namespace sweep
