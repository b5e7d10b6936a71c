#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/program/resolver.hpp"
#include "sweep/store/ledger.hpp"

namespace sweep {

/// Which class a state is in (paper 3): what the parts of a key come to, by number, in variables of their own. Nobody but tables looks at
/// these: where states are compared, it is by them.
class Classes {
public:
    Classes(Resolver& resolver, Ledger& ledger) : resolver_(resolver), schema_(resolver.program().schema), ledger_(ledger) {}

    std::vector<std::uint32_t> predicates;  // that equivalent states must answer alike, besides all functions that are checks
    std::vector<std::uint32_t> families;    // per action: those of one family are one action; none where states are not equivalent

    /// Whether what is explored are classes: told apart by keys, or by the states that stand for them.
    bool any() const { return !families.empty(); }
    bool keyed() const { return schema_.keys != 0; }
    Width width() const { return schema_.layout.width(); }
    /// Write the class of a state into it. False when the layout is too small.
    bool write(Word* state);
    /// The same if no function has to be asked for it; else false.
    bool write_known(Word* state) const;

    /// A state is in the class of another: what is asked of states must not tell them apart.
    void compare(const Word* known, const Word* met) {
        for (int i = width().compared; i < width().words; ++i)
            if (known[i] != met[i]) {
                ++ledger_.counters.compared;
                return compare_answers(known, met);
            }
    }
    void compare_answers(const Word* known, const Word* met);
    bool compares_answers() const { return !predicates.empty() || checks() != 0; }
    /// Whether they agree, if no function has to be asked for it; else false.
    bool agree_known(const Word* known, const Word* met) const;
    /// The edges of some states, the first of a block: count those of one action into one class once.
    void count_edges(const Block& block, std::uint64_t parents) {
        ledger_.counters.compared += block.moved;
        for (std::uint32_t p = 0; p < parents; ++p) count_edges(block, block.parents[p]);
    }

private:
    std::uint32_t field(std::size_t part) const { return static_cast<std::uint32_t>(schema_.variables.size() - schema_.keys + part); }
    std::size_t checks() const { return resolver_.program().functions[static_cast<std::size_t>(Role::check)].size(); }
    void count_edges(const Block& block, Block::Parent range);

    Resolver& resolver_;
    Schema& schema_;
    Ledger& ledger_;
    std::vector<std::uint32_t> edges_;  // of the last state: candidates that are edges of their own
};

}  // namespace sweep
