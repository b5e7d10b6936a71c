#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/program/agenda.hpp"
#include "sweep/program/block.hpp"
#include "sweep/program/filing.hpp"
#include "sweep/program/groups.hpp"
#include "sweep/program/members.hpp"
#include "sweep/program/program.hpp"
#include "sweep/program/resolver.hpp"
#include "sweep/program/takes.hpp"
#include "sweep/program/triggers.hpp"

namespace sweep {

constexpr std::uint64_t tidy_from = 1 << 14;  // states explored: from then on only variables that have changed have room

/// The successors of states, by walks through the tables of all actions. It only reads the program: what no table knows is a miss, unless
/// there is a resolver at hand that knows a pattern.
/// What it may add to are contents that nobody has met, and requests for more room.
class Expander {
public:
    Expander(const Program& program, Additions additions)
        : program_(program),
          additions_(additions),
          takes_(program.schema, program.actions().size()),
          members_(program.actions().size()),
          direct_(program.actions().size()) {}
    /// Grouped actions give the same edges in another order. Where that shows, they are to come in the order of actions all the same.
    bool in_order = false;
    Resolver* resolver = nullptr;  // where nobody else reads the program meanwhile
    bool aims = true;              // successors are looked up as they are made: what lies there is fetched at once

    /// All successors of a batch; parents with misses are late, and have none yet.
    template <int K>
    void expand(const Batch& batch, Block& block, std::uint64_t explored);
    /// The same before it is their turn: nothing is added to. False when something would have to be.
    template <int K>
    bool expand_ahead(const Batch& batch, Block& block, std::uint64_t explored) {
        const bool read_only = std::exchange(additions_.reads_only, true);
        expand<K>(batch, block, explored);
        additions_.reads_only = read_only;
        if (additions_.requests.empty() && block.late.empty()) return true;
        additions_.requests = {};  // who expands them in their turn will ask again
        take_back(block);
        return false;
    }
    /// What was expanded ahead is expanded again in its turn.
    void take_back(const Block& block) { closed_edges_ -= block.closed; }
    /// The same for the late ones among them, of whom more may be known by now.
    template <int K>
    void expand_again(const Batch& batch, Block& block, std::uint64_t explored);
    /// The successors of the late parents, whose misses have been answered. `prepare` comes before the answers, where somebody else
    /// has expanded the others.
    void prepare(const Batch& batch, std::uint64_t explored) { regroup(batch, explored); }
    template <int K>
    void expand_late(const Batch& batch, Block& block);
    /// The successors of a state by one action; false, with no successor, when its table does not know them.
    template <int K>
    bool expand_action(std::uint32_t action, const Trie& table, const Word* state, Block& block);

    int words() const { return program_.schema.layout.words; }
    std::uint64_t bytes() const;

    /// How many ways through tables ended at `disabled`. What groups and triggers knew at once is not counted.
    std::uint64_t vain_walks() const { return vain_walks_; }
    /// How many edges closed diamonds.
    std::uint64_t closed_edges() const { return closed_edges_; }

private:
    struct Walk {
        Block& block;
        std::uint32_t action;
        bool own = false;  // through the action's own table
        std::uint32_t ordinal = 0;
        Id taken = 0;  // the last token
    };
    template <int K>
    class Pen;
    struct Offer {
        const Id* targets;
        std::uint32_t count, taken;
    };

    template <int K, class Parent>
    void expand_some(const Batch& batch, Block& block, std::uint32_t count, Parent&& parent);
    template <int K>
    void emit(Walk& walk, std::uint32_t outcome, const Word* state, std::uint32_t first = 0);
    template <int K>
    void write(Walk& walk, const Outcome& outcome, std::uint32_t index, const Word* state, std::uint32_t first);
    template <int K>
    bool follow(Walk& walk, const Trie& trie, Code code, const Word* state);
    template <int K>
    bool follow_take(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state);
    template <int K>
    bool follow_slots(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state);
    template <int K>
    bool follow_counts(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state);
    template <int K>
    bool follow_members(Walk& walk, const Trie& trie, const Trie::Node& node, const Members::Set& set, const Word* state);
    template <int K>
    bool expand_others(std::uint32_t parent, const Word* state, Block& block);
    template <int K>
    bool reach(Walk& walk, const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token);
    template <int K>
    void emit_all(Walk& walk, const Code* list, const Word* state, const Word* without, std::uint32_t bag, Id token);
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
    bool expand_parent(std::uint32_t parent, const Word* state, Block& block);
    template <int K>
    void expand_counts(const Word* state, Block& block);
    template <int K>
    void fire(const Counting::Firing& firing, const Word* state, Block& block);
    template <int K>
    bool expand_rests(std::uint32_t parent, const Rest* rest, const Rest* end, const Word* state, Block& block);
    template <int K>
    bool expand_awake(std::uint32_t parent, const Word* state, Block& block);
    template <int K>
    bool expand_agenda(std::uint32_t parent, const Agenda::Entry& entry, const Word* state, Block& block);
    template <int K>
    bool take_all(Walk& walk, const Task& task, const Word* state);
    template <int K>
    bool take_closely(Walk& walk, const Task& task, Code code, const Word* state, const Word* without, Id token);
    Code learn(Block& block, const Task& task, Id token, const Word* state);
    const Agenda::Entry* entry_of(const Word* state);
    Rests find_rests(Group& group, std::uint32_t key, const Word* state);
    Rests rests_of(Group& group, const Word* state);
    void collect_rests(const Word* state, bool in_order);
    void regroup(const Batch& batch, std::uint64_t explored);
    void begin_groups();

    const Program& program_;
    Additions additions_;
    bool fast_gather_ = gathers_fast();
    std::uint64_t vain_walks_ = 0, closed_edges_ = 0;
    Grouping grouping_;
    std::uint32_t grouped_ = 0;  // actions in groups
    ClosedKinds closed_kinds_;   // of these
    Triggers triggers_;
    Filing filing_;
    Takes takes_;
    Members members_;
    Agenda agenda_;
    std::vector<Rest> rests_;          // of a state
    std::vector<const Trie*> direct_;  // per action: its answer in a late parent, where its table grows no more
    std::uint64_t next_grouping_ = 0, grouped_width_ = 0;
    std::uint64_t next_gathering_ = tidy_from;         // of bags that lie in two pieces
    std::uint64_t grouped_epoch_ = ~std::uint64_t{0};  // not grouped yet
    std::vector<Offer> offers_;                        // of each participant of the event being walked
};

/// The successor by an outcome, as a candidate. `state` is the parent; the operations before `first` are done already.
template <int K>
[[gnu::always_inline]] inline void Expander::emit(Walk& walk, std::uint32_t index, const Word* state, std::uint32_t first) {
    Block& block = walk.block;
    const Outcome& outcome = program_.outcomes[index];
    if (block.closing.covers(outcome, walk.taken)) {
        block.close(walk.action);
        ++walk.ordinal;
        return;
    }
    write<K>(walk, outcome, index, state, first);
}

/// The same for one that closes no diamond.
template <int K>
[[gnu::always_inline]] inline void Expander::write(Walk& walk, const Outcome& outcome, std::uint32_t index, const Word* state,
                                                   std::uint32_t first) {
    Block& block = walk.block;
    const int k = K ? K : program_.schema.layout.words;
    Word* next = block.state<K>(block.candidates);
    for (int i = 0; i < k; ++i) next[i] = state[i];
    if (outcome.takes_any && first == 0) [[unlikely]] {
        if (!program_.outcomes.take_out(outcome, walk.taken, next, additions_)) return;
        first = 1;
    }
    if (!program_.outcomes.apply<K>(outcome, next, additions_, first)) return;  // the layout is too small: the block will be expanded again
    const Word hash = hash_words<K>(next, k);
    if (!outcome.moves_progress) block.aim.fetch(hash, k);
    block.found[block.candidates++] = {hash,      outcome.moves_progress ? no_place : block.place, index, walk.action, walk.ordinal++,
                                       walk.taken};
}

/// The successor by a transition that counts and is enabled.
template <int K>
[[gnu::always_inline]] inline void Expander::fire(const Counting::Firing& firing, const Word* state, Block& block) {
    const Outcome& outcome = program_.outcomes[firing.outcome];
    if (block.closing.covers(outcome, 0)) return block.close(firing.action);
    block.make_room(1);
    const int k = K ? K : program_.schema.layout.words;
    Word* next = block.state<K>(block.candidates);
    for (int i = 0; i < k; ++i) next[i] = state[i];
    if (!program_.counting.fire(firing, next)) [[unlikely]] {  // by its outcome, which asks for what does not fit
        for (int i = 0; i < k; ++i) next[i] = state[i];
        if (!program_.outcomes.apply<K>(outcome, next, additions_)) return;
    }
    const Word hash = hash_words<K>(next, k);
    if (!outcome.moves_progress) block.aim.fetch(hash, k);
    block.found[block.candidates++] = {hash, outcome.moves_progress ? no_place : block.place, firing.outcome, firing.action, 0};
}

/// The successors by all outcomes of a choice that follows when a token was taken.
template <int K>
[[gnu::always_inline]] inline void Expander::emit_all(Walk& walk, const Code* list, const Word* state, const Word* without,
                                                      std::uint32_t bag, Id token) {
    walk.block.make_room(*list);
    for (const Code* end = list + *list; list++ != end;) {
        const std::uint32_t index = index_of(*list);
        const bool removed = program_.outcomes[index].takes_out(bag, token);
        emit<K>(walk, index, removed ? without : state, removed);
    }
}

}  // namespace sweep
