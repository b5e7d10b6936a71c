// The successors of a state: walks through the tables of all actions.
#include "sweep/program/expander.hpp"

#include <algorithm>
#include <array>

namespace sweep {

namespace {

constexpr std::uint64_t group_first = 1024;  // states after which actions are grouped, when their tables have formed

}  // namespace

/// The successor by an outcome, as a candidate. `state` is the parent; the operations before `first` are done already.
template <int K>
[[gnu::always_inline]] inline void Expander::emit(Walk& walk, std::uint32_t index, const Word* state, std::uint32_t first) {
    Block& block = walk.block;
    const int k = K ? K : program_.schema.layout.words;
    Word* next = block.state<K>(block.candidates);
    for (int i = 0; i < k; ++i) next[i] = state[i];
    const Outcome& outcome = program_.outcomes[index];
    if (!program_.outcomes.apply(outcome, next, additions_, first)) return;  // the layout is too small: the block will be expanded again
    block.found[block.candidates++] = {hash_words<K>(next, k), outcome.moves_progress ? no_place : block.place, index, walk.action,
                                       walk.ordinal++};
}

/// Follow a table to all its outcomes in a state; false when it leads to something unknown.
template <int K>
bool Expander::follow(Walk& walk, const Trie& trie, Code code, const Word* state) {
    for (;;) {
        code = trie.follow(code, state);
        if (code & 1) {
            if (code == disabled) return true;
            walk.block.make_room(1);
            emit<K>(walk, index_of(code), state);
            return true;
        }
        if (code == unknown) return false;
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask == Ask::take) return follow_take<K>(walk, trie, node, state);
        if (node.ask == Ask::choose) {
            for (std::uint32_t i = 0; i < node.argument; ++i)
                if (!follow<K>(walk, trie, trie.child(node, i), state)) return false;
            return true;
        }
        code = trie.child(node, answer(program_.schema, trie, node, state));
    }
}

/// Follow a table for each token that can be taken.
template <int K>
bool Expander::follow_take(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state) {
    if (K && node.direct == Trie::Node::Direct::take) return follow_slots<K>(walk, trie, node, state);
    if (K && node.direct == Trie::Node::Direct::take_member) return follow_members<K>(walk, trie, node, state);
    if (node.threshold || node.argument || program_.schema.variables[node.field].form != Form::slots) {
        const std::vector<Id>& taken = trie.taken(node.threshold);
        TokenCounts held;
        program_.schema.available(node.field, state, held);
        for (std::size_t i = 0; i < held.size(); ++i) {
            const Id token = held.token(i);
            if (held.count(i) <= static_cast<Id>(std::count(taken.begin(), taken.end(), token))) continue;
            if (!follow<K>(walk, trie, trie.child(node, token), state)) return false;
        }
        return true;
    }
    const Field& field = program_.schema.layout.fields[node.field];  // in two pieces, or a wide state
    Id last = 0;
    for (Word rest = field.load(state); rest; rest >>= field.bits()) {
        const Id token = static_cast<Id>(rest & low_bits(field.bits()));
        if (token != last && !follow<K>(walk, trie, trie.child(node, token), state)) return false;
        last = token;
    }
    return true;
}

template <int K>
inline bool Expander::follow_slots(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state) {
    std::array<Word, K ? K : 1> without;  // the state with the token taken out
    for (int i = 0; i < K; ++i) without[static_cast<std::size_t>(i)] = state[i];
    const Word others = state[node.word] & ~(node.mask << node.shift), one = (Word{1} << node.bits) - 1;
    Word below = 0;  // the slots before the one at hand, which is the lowest of `rest`
    Word rest = (state[node.word] >> node.shift) & node.mask;
    Id last = 0;
    for (int at = 0; rest; at += node.bits) {
        const Word slot = rest & one;
        rest >>= node.bits;
        const Id token = static_cast<Id>(slot);
        if (token != last) {  // equal tokens lie side by side
            last = token;
            const Code code = trie.follow(trie.child(node, token), state);
            without[node.word] = others | ((below | (rest << at)) << node.shift);
            if (!reach<K>(walk, trie, code, state, without.data(), node.field, token)) return false;
        }
        below |= slot << at;
    }
    return true;
}

template <int K>
inline bool Expander::follow_members(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state) {
    std::array<Word, K ? K : 1> without;
    for (int i = 0; i < K; ++i) without[static_cast<std::size_t>(i)] = state[i];
    for (Word rest = (state[node.word] >> node.shift) & node.mask; rest;) {
        const Id token = highest_member(rest);  // in the same order as from slots: edges have numbers
        rest ^= member(token);
        const Code code = trie.follow(trie.child(node, token), state);
        without[node.word] = state[node.word] & ~(member(token) << node.shift);
        if (!reach<K>(walk, trie, code, state, without.data(), node.field, token)) return false;
    }
    return true;
}

/// Go on after a token was taken. Most outcomes take it out first: `without` is the state with that done.
template <int K>
inline bool Expander::reach(Walk& walk, const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token) {
    if (is_leaf(code)) {
        const std::uint32_t index = index_of(code);
        walk.block.make_room(1);
        const Outcome& outcome = program_.outcomes[index];
        const bool removed = outcome.removed_from == bag && outcome.removed == token;
        emit<K>(walk, index, removed ? without : state, removed);
        return true;
    }
    if (code == disabled) return true;
    return reach_further<K>(walk, trie, code, state, without, bag, token);
}

template <int K>
bool Expander::reach_further(Walk& walk, const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token) {
    if (code == unknown) return false;
    const Trie::Node& node = trie.nodes[index_of(code)];
    if (node.ask != Ask::choose) return follow<K>(walk, trie, code, state);
    for (std::uint32_t i = 0; i < node.argument; ++i)
        if (!reach<K>(walk, trie, trie.follow(trie.child(node, i), state), state, without, bag, token)) return false;
    return true;
}

/// All successors by an event of a network, the first participant's choices outermost.
template <int K>
void Expander::synchronise(Walk& walk, const Synchronisation& event, const Word* state) {
    Block& block = walk.block;
    const Layout& layout = program_.schema.layout;
    const int k = K ? K : layout.words;
    const std::size_t members = event.participants.size();
    std::uint32_t successors = 1;
    offers_.resize(members);
    for (std::size_t i = 0; i < members; ++i) {
        const Synchronisation::Participant& participant = event.participants[i];
        const Id location = static_cast<Id>(layout.fields[participant.field].load(state));
        const Synchronisation::Targets targets = participant.targets(location);
        offers_[i] = {targets.begin, targets.count, 0};
        if (!offers_[i].count) return;
        successors *= offers_[i].count;
    }
    block.make_room(successors);
    for (std::uint32_t left = successors; left; --left) {
        Word* next = block.state<K>(block.candidates);
        for (int i = 0; i < k; ++i) next[i] = state[i];
        for (std::size_t i = 0; i < members; ++i)
            layout.fields[event.participants[i].field].store(next, offers_[i].targets[offers_[i].taken]);
        block.found[block.candidates++] = {hash_words<K>(next, k), no_place, no_outcome, walk.action, walk.ordinal++};
        for (std::size_t i = members; i-- > 0;) {  // the next combination: the last participant's choices run fastest
            if (++offers_[i].taken < offers_[i].count) break;
            offers_[i].taken = 0;
        }
    }
}

/// The successors by one action, from a place in its table; false, with the miss noted, when it does not know them.
template <int K>
bool Expander::expand_one(std::uint32_t parent, std::uint32_t action, Code from, const Word* state, Block& block) {
    Walk walk{block, action};
    const Function& function = program_.actions()[action];
    if (const Synchronisation* event = program_.synchronisation(action); event && event->untabulated) {
        synchronise<K>(walk, *event, state);
        return true;
    }
    if (follow<K>(walk, function.trie, from, state)) return true;
    // A table that grows no more may still know: an action that looks at everything when it is enabled may well be
    // disabled after a single look.
    block.misses.push_back({parent, action, function.tabulated ? nullptr : std::make_unique<Trie>()});
    return false;
}

template <int K>
bool Expander::expand_action(std::uint32_t action, const Trie& table, const Word* state, Block& block) {
    Walk walk{block, action};
    if (const Synchronisation* event = program_.synchronisation(action); event && event->untabulated) {
        synchronise<K>(walk, *event, state);
        return true;
    }
    const std::uint32_t before = block.candidates;
    if (follow<K>(walk, table, table.root, state)) return true;
    block.candidates = before;
    return false;
}

template <int K>
bool Expander::expand_groups(std::uint32_t parent, const Word* state, Block& block) {
    const std::vector<Function>& actions = program_.actions();
    bool complete = true;
    for (Group& group : grouping_.groups) {
        const std::uint32_t key = group.key(state, fast_gather_);
        const Rest* rest = group.find(key);
        if (!rest && !group.resolve(key, state, actions, program_.schema.layout)) {
            for (const std::uint32_t a : group.actions) complete &= expand_one<K>(parent, a, actions[a].trie.root, state, block);
            continue;
        }
        if (!rest) rest = group.find(key);
        block.make_room(rest->action);
        for (const Rest* end = rest + rest->action; rest++ != end;) {
            if (is_leaf(rest->code)) {
                Walk walk{block, rest->action};
                emit<K>(walk, index_of(rest->code), state);
            } else {
                complete &= expand_one<K>(parent, rest->action, rest->code, state, block);
                block.make_room(static_cast<std::uint32_t>(end - rest));
            }
        }
    }
    return complete;
}

template <int K>
void Expander::expand(const Batch& batch, Block& block, std::uint64_t explored) {
    regroup(explored);
    block.begin(batch, program_.schema.layout.words);
    const std::vector<Function>& actions = program_.actions();
    for (std::uint32_t p = 0; p < batch.count; ++p) {
        const Word* state = batch.state(p);
        const std::uint32_t before = block.candidates;
        bool complete = expand_groups<K>(p, state, block);
        for (const std::uint32_t a : grouping_.others) complete &= expand_one<K>(p, a, actions[a].trie.root, state, block);
        if (!complete) {
            block.candidates = before;
            block.late.push_back(p);
        }
        block.parents[p] = {before, block.candidates};
    }
}

template <int K>
void Expander::expand_late(const Batch& batch, Block& block) {
    const std::vector<Function>& actions = program_.actions();
    std::vector<const Trie*> direct(actions.size());
    auto miss = block.misses.begin();
    for (const std::uint32_t p : block.late) {
        std::fill(direct.begin(), direct.end(), nullptr);
        for (; miss != block.misses.end() && miss->parent == p; ++miss) direct[miss->action] = miss->direct.get();
        const std::uint32_t before = block.candidates;
        for (std::uint32_t a = 0; a < actions.size(); ++a) {
            const std::uint32_t first = block.candidates;
            expand_action<K>(a, direct[a] ? *direct[a] : actions[a].trie, batch.state(p), block);
            if (direct[a])  // its outcome is forgotten again
                for (std::uint32_t c = first; c < block.candidates; ++c) block.found[c].outcome = no_outcome;
        }
        block.parents[p] = {before, block.candidates};
    }
}

/// Group the actions anew when what the groups were made from has changed, and when many more states are explored.
void Expander::regroup(std::uint64_t explored) {
    const std::uint32_t actions = static_cast<std::uint32_t>(program_.actions().size());
    if (grouped_epoch_ != program_.epoch || grouped_width_ != program_.schema.width) {
        grouped_epoch_ = program_.epoch;
        grouped_width_ = program_.schema.width;
        grouping_ = {};
        for (std::uint32_t a = 0; a < actions; ++a) grouping_.others.push_back(a);
        next_grouping_ = may_group_ ? std::max(explored, group_first) : ~std::uint64_t{0};
    }
    if (explored < next_grouping_) return;
    grouping_ = Grouping::of(program_);
    next_grouping_ = std::max(explored * 4, group_first);
}

std::uint64_t Expander::bytes() const {
    std::uint64_t total = 0;
    for (const Group& group : grouping_.groups) total += group.bytes();
    return total;
}

template void Expander::expand<0>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<0>(const Batch&, Block&);
template bool Expander::expand_action<0>(std::uint32_t, const Trie&, const Word*, Block&);
template void Expander::expand<1>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<1>(const Batch&, Block&);
template bool Expander::expand_action<1>(std::uint32_t, const Trie&, const Word*, Block&);
template void Expander::expand<2>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<2>(const Batch&, Block&);
template bool Expander::expand_action<2>(std::uint32_t, const Trie&, const Word*, Block&);
template void Expander::expand<3>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<3>(const Batch&, Block&);
template bool Expander::expand_action<3>(std::uint32_t, const Trie&, const Word*, Block&);
template void Expander::expand<4>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<4>(const Batch&, Block&);
template bool Expander::expand_action<4>(std::uint32_t, const Trie&, const Word*, Block&);

}  // namespace sweep
