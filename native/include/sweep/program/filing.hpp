#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/counting.hpp"

namespace sweep {

struct Batch;

/// Finds the transitions that may be enabled in a state. Each is filed under one of the places that it takes tokens from, the one that
/// fewest states have tokens on, and only places that have some are looked up.
class Filing {
public:
    /// See which places have tokens in the states of a batch.
    void look(const Counting& counting, const Schema& schema, const Batch& batch);
    /// For the layout that the transitions are compiled for.
    void file(const Counting& counting, const Schema& schema);

    /// Visit the transitions that may be enabled and whose first test holds.
    template <int K, class Visit>
    [[gnu::always_inline]] void each(const Word* state, Visit&& visit) const {
        for (const Filed& one : always_)
            if (one.holds(state)) visit(one.transition);
        for (const Watched& watched : watched_)
            for (Word rest = state[K == 1 ? 0 : watched.word] & watched.mask; rest;) {
                const Head& head = heads_[watched.first + static_cast<std::uint32_t>(__builtin_ctzll(rest))];
                rest &= ~head.mask;
                for (const Filed *one = filed_.data() + head.first, *end = one + head.count; one != end; ++one)
                    if (one->holds(state)) visit(one->transition);
            }
    }
    std::size_t bytes() const { return filed_.capacity() * sizeof(Filed) + heads_.capacity() * sizeof(Head); }

private:
    /// A transition, with a copy of its first test.
    struct Filed : Counting::Test {
        std::uint32_t transition = 0;
    };
    /// The place that has a bit of the state, and what is filed under it.
    struct Head {
        Word mask = 0;
        std::uint32_t first = 0, count = 0;
    };
    struct Watched {
        std::uint32_t word = 0, first = 0;  // of its heads, one for each bit
        Word mask = 0;
    };

    static Filed filed(const Counting& counting, std::uint32_t transition);

    std::vector<std::uint32_t> marked_;  // per place: so many of the states looked at had tokens there
    std::vector<Filed> always_, filed_;
    std::vector<Watched> watched_;
    std::vector<Head> heads_;
};

}  // namespace sweep
