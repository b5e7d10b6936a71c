#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/program/groups.hpp"
#include "sweep/program/program.hpp"
#include "sweep/program/triggers.hpp"

namespace sweep {

/// The successors of states, by walks through the tables of all actions. It only reads the program: what no table knows is a miss.
/// What it may add to are contents that nobody has met, and requests for more room.
class Expander {
public:
    /// Grouped actions give the same edges in another order. Where that shows in the numbers, `in_order` has them in the order of
    /// actions all the same.
    Expander(const Program& program, Additions additions, bool in_order)
        : program_(program), additions_(additions), in_order_(in_order), direct_(program.actions().size()) {}

    /// All successors of a batch; parents with misses are late, and have none yet.
    template <int K>
    void expand(const Batch& batch, Block& block, std::uint64_t explored);
    /// The successors of the late parents, whose misses have been answered.
    template <int K>
    void expand_late(const Batch& batch, Block& block);
    /// The successors of a state by one action; false, with no successor, when its table does not know them.
    template <int K>
    bool expand_action(std::uint32_t action, const Trie& table, const Word* state, Block& block);

    std::uint64_t bytes() const;

    /// How many ways through tables ended at `disabled`. What groups and triggers knew at once is not counted.
    std::uint64_t vain_walks() const { return vain_walks_; }

private:
    struct Walk {
        Block& block;
        std::uint32_t action, ordinal = 0;
    };
    struct Offer {
        const Id* targets;
        std::uint32_t count, taken;
    };

    template <int K>
    void emit(Walk& walk, std::uint32_t outcome, const Word* state, std::uint32_t first = 0);
    template <int K>
    bool follow(Walk& walk, const Trie& trie, Code code, const Word* state);
    template <int K>
    bool follow_take(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state);
    template <int K>
    bool follow_slots(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state);
    template <int K>
    bool follow_counts(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state);
    template <int K>
    bool reach(Walk& walk, const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token);
    template <int K>
    bool reach_further(Walk& walk, const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token);
    template <int K>
    void synchronise(Walk& walk, const Synchronisation& event, const Word* state);
    template <int K>
    bool expand_from(std::uint32_t action, const Trie& table, Code from, const Word* state, Block& block);
    template <int K>
    bool expand_one(std::uint32_t parent, std::uint32_t action, Code from, const Word* state, Block& block);
    template <int K>
    bool expand_groups(std::uint32_t parent, const Word* state, Block& block);
    template <int K>
    bool expand_rests(std::uint32_t parent, const Word* state, Block& block);
    /// The rests of a group's actions in a state, a count before them.
    const Rest* rests_of(Group& group, const Word* state);
    void collect_rests(const Word* state, bool in_order);
    void regroup(const Batch& batch, std::uint64_t explored);

    const Program& program_;
    Additions additions_;
    bool in_order_, early_ = false, fast_gather_ = gathers_fast();
    std::uint64_t vain_walks_ = 0;
    Grouping grouping_;
    Triggers triggers_;
    std::vector<Rest> rests_;          // of a state
    std::vector<const Trie*> direct_;  // per action: its answer in a late parent, where its table grows no more
    std::uint64_t next_grouping_ = 0, grouped_width_ = 0;
    std::uint64_t grouped_epoch_ = ~std::uint64_t{0};  // not grouped yet
    std::vector<Offer> offers_;                        // of each participant of the event being walked
};

}  // namespace sweep
