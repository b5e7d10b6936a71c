#pragma once
#include <functional>
#include <map>

#include "sweep/ask/asker.hpp"

namespace sweep {

/// How often a function has each of its values, over all states (or dead states) that satisfy a predicate.
struct Tally {
    std::int32_t predicate = -1, store = -1;  // -1 none
    bool dead = false;
    std::vector<std::uint64_t> counts;  // by value
    std::vector<Unpacked> stored;       // states that satisfy the predicate `store`

    // Of a number of tokens, its values in the order they were met.
    std::vector<std::int64_t> values;
    std::map<std::int64_t, std::uint32_t> numbers;
    std::uint32_t last = 0;
    std::uint32_t number_of(std::int64_t value);

    template <class File>
    void keep(File& file) {
        file(counts, stored, values);
        if constexpr (File::reads)
            for (std::uint32_t i = 0; i < values.size(); ++i) numbers[values[i]] = i;
    }
};

class Tallies final : public Asker {
public:
    Tallies(Resolver& resolver, Ledger& ledger, std::vector<Tally>& tallies) : resolver_(resolver), ledger_(ledger), tallies_(tallies) {}
    std::function<void(const Word*, Place)> keep;  // tells the store that a state is kept

    bool asks_found() const override;
    Stop found(const Word* state, std::uint64_t, Place place) override { return count(state, place, false); }
    Stop dead(const Word* state, std::uint64_t, Place place) override { return count(state, place, true); }
    void add_functions(std::vector<FunctionId>& functions) const override;

private:
    Stop count(const Word* state, Place place, bool dead);
    bool satisfies(std::int32_t predicate, const Word* state) { return resolver_.satisfies(static_cast<std::uint32_t>(predicate), state); }

    Resolver& resolver_;
    Ledger& ledger_;
    std::vector<Tally>& tallies_;
};

}  // namespace sweep
