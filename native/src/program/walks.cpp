// Walks through the table of one action, which asks one question after another.
#include <algorithm>
#include <array>
#include <utility>

#include "sweep/program/expander.hpp"

namespace sweep {

namespace {

constexpr int most_copied = 80;  // words of a state that is copied for each token taken from it

}  // namespace

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
            const Id taken = walk.taken;  // before this choice; some alternatives may take another
            for (std::uint32_t i = 0; i < node.argument; ++i) {
                if (!follow<K>(walk, trie, trie.child(node, i), state)) return false;
                walk.taken = taken;
            }
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
            walk.taken = token;
            if (!follow<K>(walk, trie, trie.child(node, token), state)) return false;
        }
        return true;
    }
    Id last = 0;  // in two pieces, or a wide state
    for (Word rest = field.load(state); rest; rest >>= field.bits()) {
        const Id token = static_cast<Id>(rest & low_bits(field.bits()));
        walk.taken = token;
        if (token != last && !follow<K>(walk, trie, trie.child(node, token), state)) return false;
        last = token;
    }
    return true;
}

template <int K>
inline bool Expander::follow_slots(Walk& walk, const Trie& trie, const Trie::Node& node, const Word* state) {
    const Code* row = walk.own ? takes_.row(walk.action, trie, node, state) : nullptr;
    std::array<Word, K ? K : 1> without;  // the state with the token taken out
    for (int i = 0; i < K; ++i) without[static_cast<std::size_t>(i)] = state[i];
    const std::size_t word = K == 1 ? 0 : node.word;
    const Word others = state[word] & ~(node.mask << node.shift), one = (Word{1} << node.bits) - 1;
    Word below = 0;  // the slots before the one at hand, which is the lowest of `rest`
    Word rest = (state[word] >> node.shift) & node.mask;
    Id last = 0;
    for (int at = 0; rest; at += node.bits) {
        const Word slot = rest & one;
        rest >>= node.bits;
        const Id token = static_cast<Id>(slot);
        if (token != last) {  // equal tokens lie side by side
            last = token;
            Code code = row ? row[token] : trie.follow(trie.child(node, token), state);
            if (code == unknown && row) {
                code = takes_.find_out(walk.action, trie, node, token, state);
                row = takes_.row(walk.action, trie, node, state);
            }
            without[word] = others | ((below | (rest << at)) << node.shift);
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
        const Members::Set set = walk.own ? members_.set(walk.action, trie, node, program_.schema) : Members::Set{};
        if (set.ways) return follow_members<K>(walk, trie, node, set, state);
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

/// The same for a set whose tokens are bits of one word. Most of them lead nowhere, or close diamonds: nothing is prepared for those.
template <int K>
[[gnu::always_inline]] inline bool Expander::follow_members(Walk& walk, const Trie& trie, const Trie::Node& node, const Members::Set& set,
                                                            const Word* state) {
    const int k = K ? K : program_.schema.layout.words;
    Block& block = walk.block;
    const std::size_t word = K == 1 ? 0 : set.word;
    const int first = set.shift;
    Members::Way* const ways = set.ways;
    const std::uint32_t field = set.field;
    std::array<Word, K ? K : most_copied> without;
    for (int i = 0; i < k; ++i) without[static_cast<std::size_t>(i)] = state[i];
    const Word here = state[word];
    for (Word rest = here & set.mask; rest;) {
        const int shift = 63 - __builtin_clzll(rest);
        const Word bit = Word{1} << shift;
        rest ^= bit;
        const int cell = shift - first;
        Members::Way& way = ways[cell];
        if (!way.open<K>(state)) continue;
        const Id token = set.tokens[cell];
        if (way.end == unknown) [[unlikely]] {
            way = Members::find(trie, trie.child(node, token));
            if (!way.open<K>(state)) continue;
        }
        if (is_leaf(way.end)) [[likely]] {
            const Outcome& outcome = program_.outcomes[index_of(way.end)];
            if (block.closing.covers(outcome, token)) {
                block.close(walk.action);
                ++walk.ordinal;
                continue;
            }
            walk.taken = token;
            block.make_room(1);
            const bool removed = outcome.takes_out(field, token);
            without[word] = removed ? here ^ bit : here;
            write<K>(walk, outcome, index_of(way.end), without.data(), removed);
        } else if (way.end != disabled) {
            without[word] = here ^ bit;
            if (!reach<K>(walk, trie, trie.follow(trie.child(node, token), state), state, without.data(), field, token)) return false;
        }
    }
    return true;
}

/// The successors by all actions that are in no group. Transitions of nets mostly take a token from a set first, without a detour.
template <int K>
bool Expander::expand_others(std::uint32_t parent, const Word* state, Block& block) {
    bool complete = true;
    for (const std::uint32_t action : grouping_.others) {
        const Trie& trie = program_.actions()[action].trie;
        if constexpr (K != 0) {
            const Members::Set& set = members_.first(action, trie, program_.schema);
            const bool asks = trie.root != unknown && !(trie.root & 1);
            if (asks && set.ways && !program_.synchronisation(action)) {
                const std::uint32_t before = block.candidates, closed = block.closed;
                Walk walk{block, action, true};
                if (follow_members<K>(walk, trie, trie.nodes[index_of(trie.root)], set, state)) continue;
                block.candidates = before;
                block.closed = closed;
            }
        }
        complete &= expand_one<K>(parent, action, trie.root, state, block);
    }
    return complete;
}

/// Go on after a token was taken. Most outcomes take it out first: `without` is the state with that done.
template <int K>
bool Expander::reach(Walk& walk, const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token) {
    walk.taken = token;
    if (code & Takes::listed) {
        emit_all<K>(walk, takes_.list(walk.action, code), state, without, bag, token);
        return true;
    }
    if (is_leaf(code)) {
        const std::uint32_t index = index_of(code);
        walk.block.make_room(1);
        const bool removed = program_.outcomes[index].takes_out(bag, token);
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
    if (node.ask != Ask::choose) {
        const bool own = std::exchange(walk.own, false);  // the row at hand is not to move: a second token is found by the trie
        const bool known = follow<K>(walk, trie, code, state);
        walk.own = own;
        return known;
    }
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
    Walk walk{block, action, true};
    const Function& function = program_.actions()[action];
    if (const Synchronisation* event = program_.synchronisation(action); event && event->untabulated) {
        synchronise<K>(walk, *event, state);
        return true;
    }
    const std::uint32_t before = block.candidates, closed = block.closed;
    const auto follow_from = [&](Code code) {  // transitions of nets mostly take a token from a set first, without a detour
        code = function.trie.follow(code, state);
        if (K && code != unknown && !(code & 1))
            if (const Trie::Node& node = function.trie.nodes[index_of(code)]; node.direct == Trie::Node::Direct::take_count)
                return follow_counts<K>(walk, function.trie, node, state);
        return follow<K>(walk, function.trie, code, state);
    };
    if (follow_from(from)) return true;
    if (resolver && !additions_.reads_only) {
        const bool known = resolver->resolve_by_patterns(action, state, block.misses.empty());
        block.closing = program_.diamonds.after(block.finder);  // there may be new kinds of steps
        if (known) {
            block.candidates = before;
            block.closed = closed;
            walk.ordinal = 0;
            if (follow_from(function.trie.root)) return true;
        }
    }
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
    if (program_.counting.counts(action)) {
        const Counting::Firing& firing = program_.counting.firing(program_.counting.index_of(action));
        if (firing.possible && program_.counting.enabled(firing, state)) fire<K>(firing, state, block);
        return true;
    }
    Walk walk{block, action, &table == &program_.actions()[action].trie};
    if (const Synchronisation* event = program_.synchronisation(action); event && event->untabulated) {
        synchronise<K>(walk, *event, state);
        return true;
    }
    const std::uint32_t before = block.candidates;
    if (follow<K>(walk, table, from, state)) return true;
    block.candidates = before;
    return false;
}

template bool Expander::expand_action<0>(std::uint32_t, const Trie&, const Word*, Block&);
template bool Expander::expand_from<0>(std::uint32_t, const Trie&, Code, const Word*, Block&);
template bool Expander::expand_one<0>(std::uint32_t, std::uint32_t, Code, const Word*, Block&);
template bool Expander::expand_others<0>(std::uint32_t, const Word*, Block&);
template bool Expander::reach<0>(Walk&, const Trie&, Code, const Word*, const Word*, std::uint32_t, Id);
template bool Expander::expand_action<1>(std::uint32_t, const Trie&, const Word*, Block&);
template bool Expander::expand_from<1>(std::uint32_t, const Trie&, Code, const Word*, Block&);
template bool Expander::expand_one<1>(std::uint32_t, std::uint32_t, Code, const Word*, Block&);
template bool Expander::expand_others<1>(std::uint32_t, const Word*, Block&);
template bool Expander::reach<1>(Walk&, const Trie&, Code, const Word*, const Word*, std::uint32_t, Id);
template bool Expander::expand_action<2>(std::uint32_t, const Trie&, const Word*, Block&);
template bool Expander::expand_from<2>(std::uint32_t, const Trie&, Code, const Word*, Block&);
template bool Expander::expand_one<2>(std::uint32_t, std::uint32_t, Code, const Word*, Block&);
template bool Expander::expand_others<2>(std::uint32_t, const Word*, Block&);
template bool Expander::reach<2>(Walk&, const Trie&, Code, const Word*, const Word*, std::uint32_t, Id);
template bool Expander::expand_action<3>(std::uint32_t, const Trie&, const Word*, Block&);
template bool Expander::expand_from<3>(std::uint32_t, const Trie&, Code, const Word*, Block&);
template bool Expander::expand_one<3>(std::uint32_t, std::uint32_t, Code, const Word*, Block&);
template bool Expander::expand_others<3>(std::uint32_t, const Word*, Block&);
template bool Expander::reach<3>(Walk&, const Trie&, Code, const Word*, const Word*, std::uint32_t, Id);
template bool Expander::expand_action<4>(std::uint32_t, const Trie&, const Word*, Block&);
template bool Expander::expand_from<4>(std::uint32_t, const Trie&, Code, const Word*, Block&);
template bool Expander::expand_one<4>(std::uint32_t, std::uint32_t, Code, const Word*, Block&);
template bool Expander::expand_others<4>(std::uint32_t, const Word*, Block&);
template bool Expander::reach<4>(Walk&, const Trie&, Code, const Word*, const Word*, std::uint32_t, Id);

}  // namespace sweep
