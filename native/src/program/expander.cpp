// The successors of a state: walks through the tables of all actions.
#include "sweep/program/expander.hpp"

#include <algorithm>
#include <array>

namespace sweep {

namespace {

constexpr int most_copied = 80;                // words of a state that is copied for each token taken from it
constexpr std::uint64_t group_first = 1024;    // states after which actions are grouped, when their tables have formed
constexpr std::uint64_t most_walks = 1 << 16;  // through tables, of all states before: many actions are grouped after fewer states

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
            if (code == disabled) {
                ++vain_walks_;
                return true;
            }
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
    const bool copied = K || program_.schema.layout.words <= most_copied;
    if (copied && node.direct == Trie::Node::Direct::take_count) return follow_counts<K>(walk, trie, node, state);
    const Field& field = program_.schema.layout.fields[node.field];
    if (node.threshold || node.argument || program_.schema.variables[node.field].form != Form::slots || field.spans()) {
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
    Id last = 0;  // in two pieces, or a wide state
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

/// The same where the bag has a cell for every token: in the same order as from slots, since edges have numbers. Not inlined: that made
/// the walk over slots slower.
template <int K>
[[gnu::noinline]] bool Expander::follow_counts(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state) {
    const int k = K ? K : program_.schema.layout.words;
    const Variable& variable = program_.schema.variables[node.field];
    const Field& field = program_.schema.layout.fields[node.field];
    std::array<Word, K ? K : most_copied> without;
    for (int i = 0; i < k; ++i) without[static_cast<std::size_t>(i)] = state[i];
    const auto take = [&](Id token, std::size_t word, int shift) {
        const Code code = trie.follow(trie.child(node, token), state);
        without[word] = state[word] - (Word{1} << shift);
        const bool known = reach<K>(walk, trie, code, state, without.data(), node.field, token);
        without[word] = state[word];
        return known;
    };
    if (!variable.cells.ascending()) {
        TokenCounts held;
        program_.schema.tokens_of(node.field, state, held);
        for (std::size_t i = 0; i < held.size(); ++i) {
            const std::uint32_t cell = variable.cells.of(held.token(i));
            if (!take(held.token(i), field.word_of(cell), field.shift_of(cell))) return false;
        }
        return true;
    }
    if (field.bits() == 1 && !field.spans()) {
        for (Word rest = state[node.word] & (node.mask << node.shift); rest;) {
            const int shift = 63 - __builtin_clzll(rest);
            rest ^= Word{1} << shift;
            if (!take(variable.cells.token(static_cast<std::uint32_t>(shift - node.shift)), node.word, shift)) return false;
        }
        return true;
    }
    bool known = true;
    each_count(variable.cells, field, state,
               [&](Id token, Id, std::uint32_t cell) { known = known && take(token, field.word_of(cell), field.shift_of(cell)); });
    return known;
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
    return expand_from<K>(action, table, table.root, state, block);
}

template <int K>
bool Expander::expand_from(std::uint32_t action, const Trie& table, Code from, const Word* state, Block& block) {
    Walk walk{block, action};
    if (const Synchronisation* event = program_.synchronisation(action); event && event->untabulated) {
        synchronise<K>(walk, *event, state);
        return true;
    }
    const std::uint32_t before = block.candidates;
    if (follow<K>(walk, table, from, state)) return true;
    block.candidates = before;
    return false;
}

[[gnu::always_inline]] inline const Rest* Expander::rests_of(Group& group, const Word* state) {
    const std::uint32_t key = group.key(state, fast_gather_);
    const Rest* known = group.find(key);
    return known ? known : group.resolve(key, state, program_);
}

/// The successors by all actions, group by group.
template <int K>
bool Expander::expand_groups(std::uint32_t parent, const Word* state, Block& block) {
    bool complete = true;
    for (Group& group : grouping_.groups) {
        const Rest* rest = rests_of(group, state);
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

/// What is left of the actions that may do something in a state.
void Expander::collect_rests(const Word* state, bool in_order) {
    const std::vector<Function>& actions = program_.actions();
    const std::size_t groups = grouping_.groups.size();
    rests_.clear();
    std::size_t plain = 0;
    triggers_.each_awake(state, [&](std::uint32_t unit) {
        if (unit < groups) {
            const Rest* rest = rests_of(grouping_.groups[unit], state);
            rests_.insert(rests_.end(), rest + 1, rest + 1 + rest->action);
            if (unit < grouping_.plain) plain = rests_.size();
        } else {
            rests_.push_back({grouping_.others[unit - groups], actions[grouping_.others[unit - groups]].trie.root});
        }
    });
    if (in_order) plain = 0;
    if (in_order ? groups > 0 : groups > grouping_.plain)
        std::sort(rests_.begin() + static_cast<std::ptrdiff_t>(plain), rests_.end(),
                  [](const Rest& one, const Rest& other) { return one.action < other.action; });
}

/// The same successors, by those actions alone that may do something. Not inlined: the plain loop is to stay as small as it is.
template <int K>
[[gnu::noinline]] bool Expander::expand_rests(std::uint32_t parent, const Word* state, Block& block) {
    bool complete = true;
    collect_rests(state, in_order_ || early_);
    for (const Rest& rest : rests_) complete &= expand_one<K>(parent, rest.action, rest.code, state, block);
    return complete;
}

template <int K>
void Expander::expand(const Batch& batch, Block& block, std::uint64_t explored) {
    regroup(batch, explored);
    block.begin(batch, program_.schema.layout.words);
    const std::vector<Function>& actions = program_.actions();
    const bool by_rests = in_order_ || early_ || triggers_.sleeping() || grouping_.groups.size() > grouping_.plain;
    for (std::uint32_t p = 0; p < batch.count; ++p) {
        const Word* state = batch.state(p);
        const std::uint32_t before = block.candidates;
        bool complete = by_rests ? expand_rests<K>(p, state, block) : expand_groups<K>(p, state, block);
        if (!by_rests)
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
    auto miss = block.misses.begin();
    for (const std::uint32_t p : block.late) {
        const auto first_miss = miss;
        for (; miss != block.misses.end() && miss->parent == p; ++miss) direct_[miss->action] = miss->direct.get();
        const std::uint32_t before = block.candidates;
        collect_rests(batch.state(p), true);
        for (const Rest& rest : rests_) {
            const Trie* const direct = direct_[rest.action];
            const std::uint32_t first = block.candidates;
            expand_from<K>(rest.action, direct ? *direct : program_.actions()[rest.action].trie, direct ? direct->root : rest.code,
                           batch.state(p), block);
            for (std::uint32_t c = first; direct && c < block.candidates; ++c)
                block.found[c].outcome = no_outcome;  // it is forgotten again
        }
        block.parents[p] = {before, block.candidates};
        for (auto done = first_miss; done != miss; ++done) direct_[done->action] = nullptr;
    }
}

/// Group the actions anew when what the groups were made from has changed, and when many more states are explored. Groups made
/// early are for speed alone: the order of edges is that of actions as long as they would not be grouped if they were few.
void Expander::regroup(const Batch& batch, std::uint64_t explored) {
    const std::uint64_t first = std::min(group_first, most_walks / std::max<std::size_t>(program_.actions().size(), 1));
    if (grouped_epoch_ != program_.epoch || grouped_width_ != program_.schema.width) {
        grouped_epoch_ = program_.epoch;
        grouped_width_ = program_.schema.width;
        grouping_ = Grouping::none(static_cast<std::uint32_t>(program_.actions().size()));
        triggers_ = Triggers::none(grouping_);
        next_grouping_ = std::max(explored, first);
    }
    if (explored < next_grouping_) return;
    grouping_ = Grouping::of(program_);
    triggers_ = Triggers::of(program_, grouping_, batch);
    early_ = explored < group_first;
    next_grouping_ = early_ ? std::clamp(explored * 4, first, group_first) : explored * 4;
}

std::uint64_t Expander::bytes() const {
    std::uint64_t total = triggers_.bytes();
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
