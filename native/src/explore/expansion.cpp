// The successors of a state: walks through the tries of all actions, and the layers that the successors belong to.
#include <algorithm>
#include <array>
#include <functional>

#include "sweep/explore/engine.hpp"

namespace sweep {

/// Room for so many more candidates.
inline void Engine::make_room(std::uint32_t more) {
    if (candidates_ + more > room_) [[unlikely]]
        more_room(more);
}

void Engine::more_room(std::uint32_t more) {
    room_ = std::max<std::uint32_t>(4096, (candidates_ + more) * 2);
    found_.resize(room_);
    words_.resize(static_cast<std::size_t>(room_) * static_cast<std::size_t>(model_.layout.words));
}

/// The successor by an outcome, as a candidate. `state` is the parent; the operations before `first` are done already.
template <int K>
[[gnu::always_inline]] inline void Engine::emit(std::uint32_t index, const Word* state, std::uint32_t first) {
    const int k = K ? K : model_.layout.words;
    Word* next = words_.data() + static_cast<std::size_t>(candidates_) * static_cast<std::size_t>(k);
    for (int i = 0; i < k; ++i) next[i] = state[i];
    const Leaf& leaf = model_.leaves[index];
    if (!model_.apply(leaf, next, first)) return;  // the layout is too small: the block will be expanded again
    const LayerId place = !leaf.moves_progress ? here_ : leaf.from == here_ ? leaf.to : no_layer;
    found_[candidates_++] = {hash_words<K>(next, k), place, index, action_, ordinal_++};
}

/// Follow a trie to all its outcomes in a state; false when it leads to something unknown.
template <int K>
bool Engine::walk(const Trie& trie, Code code, const Word* state) {
    for (;;) {
        code = trie.follow(code, state);
        if (code & 1) {
            if (code == disabled) return true;
            make_room(1);
            emit<K>(index_of(code), state);
            return true;
        }
        if (code == unknown) return false;
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask == Ask::take) return walk_take<K>(trie, node, state);
        if (node.ask == Ask::choose) {
            for (std::uint32_t i = 0; i < node.argument; ++i)
                if (!walk<K>(trie, trie.child(node, i), state)) return false;
            return true;
        }
        code = trie.child(node, model_.answer(node, state));
    }
}

/// Follow a trie for each token that can be taken.
template <int K>
bool Engine::walk_take(const Trie& trie, const Trie::Node& node, const Word* state) {
    if (K && node.direct == Trie::Node::Direct::take) return walk_slots<K>(trie, node, state);
    if (K && node.direct == Trie::Node::Direct::take_member) return walk_members<K>(trie, node, state);
    if (node.threshold || node.argument || model_.variables[node.field].form != Form::slots) {
        const std::vector<Id>& taken = trie.taken(node.threshold);
        TokenCounts held;
        model_.available(node.field, state, held);
        for (std::size_t i = 0; i < held.size(); ++i) {
            const Id token = held.token(i);
            if (held.count(i) <= static_cast<Id>(std::count(taken.begin(), taken.end(), token))) continue;
            if (!walk<K>(trie, trie.child(node, token), state)) return false;
        }
        return true;
    }
    const Field& field = model_.layout.fields[node.field];  // in two pieces, or a wide state
    Id last = 0;
    for (Word rest = field.load(state); rest; rest >>= field.bits()) {
        const Id token = static_cast<Id>(rest & low_bits(field.bits()));
        if (token != last && !walk<K>(trie, trie.child(node, token), state)) return false;
        last = token;
    }
    return true;
}

template <int K>
inline bool Engine::walk_slots(const Trie& trie, const Trie::Node& node, const Word* state) {
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
            if (!reach<K>(trie, code, state, without.data(), node.field, token)) return false;
        }
        below |= slot << at;
    }
    return true;
}

template <int K>
inline bool Engine::walk_members(const Trie& trie, const Trie::Node& node, const Word* state) {
    std::array<Word, K ? K : 1> without;
    for (int i = 0; i < K; ++i) without[static_cast<std::size_t>(i)] = state[i];
    for (Word rest = (state[node.word] >> node.shift) & node.mask; rest;) {
        const Id token = highest_member(rest);  // in the same order as from slots: edges have numbers
        rest ^= member(token);
        const Code code = trie.follow(trie.child(node, token), state);
        without[node.word] = state[node.word] & ~(member(token) << node.shift);
        if (!reach<K>(trie, code, state, without.data(), node.field, token)) return false;
    }
    return true;
}

/// Go on after a token was taken. Most outcomes take it out first: `without` is the state with that done.
template <int K>
inline bool Engine::reach(const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token) {
    if (is_leaf(code)) {
        const std::uint32_t index = index_of(code);
        make_room(1);
        const Leaf& leaf = model_.leaves[index];
        const bool removed = leaf.removed_from == bag && leaf.removed == token;
        emit<K>(index, removed ? without : state, removed);
        return true;
    }
    if (code == disabled) return true;
    return reach_further<K>(trie, code, state, without, bag, token);
}

template <int K>
bool Engine::reach_further(const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token) {
    if (code == unknown) return false;
    const Trie::Node& node = trie.nodes[index_of(code)];
    if (node.ask != Ask::choose) return walk<K>(trie, code, state);
    for (std::uint32_t i = 0; i < node.argument; ++i)
        if (!reach<K>(trie, trie.follow(trie.child(node, i), state), state, without, bag, token)) return false;
    return true;
}

/// All successors by an event of a network, the first participant's choices outermost.
template <int K>
void Engine::walk_joint(const Synchronisation& joint, const Word* state) {
    const int k = K ? K : model_.layout.words;
    const std::size_t members = joint.participants.size();
    std::uint32_t successors = 1;
    offers_.resize(members);
    for (std::size_t i = 0; i < members; ++i) {
        const Synchronisation::Participant& participant = joint.participants[i];
        const Id location = static_cast<Id>(model_.layout.fields[participant.field].load(state));
        const Synchronisation::Targets targets = participant.targets(location);
        offers_[i] = {targets.begin, targets.count, 0};
        if (!offers_[i].count) return;
        successors *= offers_[i].count;
    }
    make_room(successors);
    for (std::uint32_t left = successors; left; --left) {
        Word* next = words_.data() + static_cast<std::size_t>(candidates_) * static_cast<std::size_t>(k);
        for (int i = 0; i < k; ++i) next[i] = state[i];
        for (std::size_t i = 0; i < members; ++i)
            model_.layout.fields[joint.participants[i].field].store(next, offers_[i].targets[offers_[i].taken]);
        found_[candidates_++] = {hash_words<K>(next, k), no_layer, ~0u, action_, ordinal_++};
        for (std::size_t i = members; i-- > 0;) {  // the next combination: the last participant's choices run fastest
            if (++offers_[i].taken < offers_[i].count) break;
            offers_[i].taken = 0;
        }
    }
}

template <int K>
bool Engine::walk_action(std::uint32_t parent, std::uint32_t action, Code from, const Word* state) {
    action_ = action;
    ordinal_ = 0;
    if (!joints.empty() && joints[action]) {
        walk_joint<K>(*joints[action], state);
        return true;
    }
    if (walk<K>(actions[action], from, state)) return true;
    misses_.push_back({parent, action});
    return false;
}

/// The outcomes of an action whose table grows no more, as far as it goes: an action that looks at everything when it is
/// enabled may well be disabled after a single look. False, with nothing found, when it does not know.
template <int K>
bool Engine::walk_known(std::uint32_t action, const Word* state) {
    const std::uint32_t before = candidates_;
    action_ = action;
    ordinal_ = 0;
    if (walk<K>(actions[action], actions[action].root, state)) return true;
    candidates_ = before;
    return false;
}

template <int K>
bool Engine::expand_groups(std::uint32_t parent, const Word* state) {
    bool complete = true;
    for (Group& group : grouping_.groups) {
        const std::uint32_t key = group.key(state, fast_gather_);
        const Rest* rest = group.find(key);
        if (!rest && !group.resolve(key, state, actions, model_.layout)) {
            for (const std::uint32_t a : group.actions) complete &= walk_action<K>(parent, a, actions[a].root, state);
            continue;
        }
        if (!rest) rest = group.find(key);
        make_room(rest->action);
        for (const Rest* end = rest + rest->action; rest++ != end;) {
            if (is_leaf(rest->code)) {
                action_ = rest->action;
                ordinal_ = 0;
                emit<K>(index_of(rest->code), state);
            } else {
                complete &= walk_action<K>(parent, rest->action, rest->code, state);
                make_room(static_cast<std::uint32_t>(end - rest));
            }
        }
    }
    return complete;
}

/// All successors of a state, or false with the misses noted. Late: what was missing has been resolved meanwhile.
template <int K>
bool Engine::expand(std::uint32_t parent, const Word* state, bool late) {
    block_[parent].begin = candidates_;
    bool complete = true;
    if (!late) {
        complete = expand_groups<K>(parent, state);
        for (const std::uint32_t a : grouping_.others) {
            if (action_counters[a].tabulated)
                complete &= walk_action<K>(parent, a, actions[a].root, state);
            else
                complete &= walk_known<K>(a, state);
        }
    } else {
        for (std::uint32_t a = 0; a < actions.size(); ++a) {
            if (action_counters[a].tabulated) {
                walk_action<K>(parent, a, actions[a].root, state);
                continue;
            }
            if (walk_known<K>(a, state)) continue;
            const std::size_t leaves = model_.leaves.size();
            Trie known;  // set aside: what is found out now is not to be kept
            std::swap(known, actions[a]);
            const auto begin = Clock::now();
            resolve(a, state);
            action_counters[a].seconds += seconds_since(begin);
            counters.oracle_seconds += seconds_since(begin);
            walk_action<K>(parent, a, actions[a].root, state);
            std::swap(known, actions[a]);
            model_.forget_leaves_from(leaves);
        }
    }
    if (complete && candidates_ == block_[parent].begin && !model_.timed.empty() && model_.fits()) expand_later<K>(state);
    block_[parent].end = candidates_;
    return complete;
}

/// Let time pass until the next token is ready; false when all are.
bool Engine::advance(Word* state) {
    const std::optional<std::int64_t> passed = model_.next_ready(state);
    if (!passed) return false;
    TokenCounts held;
    for (const std::uint32_t bag : model_.timed) {
        model_.tokens_of(bag, state, held);
        if (held.size() == 0) continue;
        aged_.clear();
        for (std::size_t i = 0; i < held.size(); ++i) {
            const Stamps& stamps = model_.variables[bag].stamps;
            const Id kind = stamps.kind(held.token(i));
            const std::int64_t wait = stamps.wait(held.token(i)) - *passed;
            const Id known = stamps.find(kind, wait);
            aged_.emplace_back(known ? known : oracle_.stamped(bag, kind, wait), held.count(i));
        }
        std::sort(aged_.begin(), aged_.end(), std::greater<>());
        if (!model_.replace(bag, aged_, state)) return true;  // it does not fit: the caller looks
    }
    const Field& clock = model_.layout.fields[model_.clock];
    const Id later = oracle_.later(static_cast<Id>(clock.load(state)), *passed);
    if (model_.fits()) clock.store(state, later);
    return true;
}

/// The successors of a state in which nothing is enabled now: those at the next time when something is.
template <int K>
void Engine::expand_later(const Word* state) {
    std::vector<Word> now(state, state + model_.layout.words);
    const std::uint32_t begin = candidates_;
    while (candidates_ == begin && advance(now.data()) && model_.fits()) {
        for (std::uint32_t a = 0; a < actions.size(); ++a) {
            const std::uint32_t before = candidates_;
            action_ = a;
            ordinal_ = 0;
            if (action_counters[a].tabulated && walk<K>(actions[a], actions[a].root, now.data())) continue;
            candidates_ = before;
            ordinal_ = 0;
            const std::size_t leaves = model_.leaves.size();
            const auto start = Clock::now();
            resolve(a, now.data());
            action_counters[a].seconds += seconds_since(start);
            counters.oracle_seconds += seconds_since(start);
            if (!model_.fits()) return;
            walk<K>(actions[a], actions[a].root, now.data());
            if (action_counters[a].tabulated) continue;
            actions[a].clear();
            model_.forget_leaves_from(leaves);
        }
    }
    for (std::uint32_t c = begin; c < candidates_; ++c) {  // time has passed: progress is not the parent's
        found_[c].place = no_layer;
        found_[c].leaf = ~0u;
    }
}

void Engine::report_regress(std::uint32_t candidate) {
    const std::size_t k = static_cast<std::size_t>(model_.layout.words), stride = static_cast<std::size_t>(this->stride());
    std::size_t p = 0;
    while (candidate < block_[p].begin || candidate >= block_[p].end) ++p;
    const Word* parents = layers_[here_]->unprocessed.front(block_size, static_cast<int>(stride)).first;
    oracle_.regress(parents + stride * p, here_, words_.data() + k * candidate, found_[candidate].place);
}

/// Find the layers of the candidates; a step that goes back ends the run, unless there are to be several sweeps.
void Engine::place_candidates() {
    if (!settings_.by_progress) return;
    const std::size_t k = static_cast<std::size_t>(model_.layout.words);
    for (std::uint32_t c = 0; c < candidates_; ++c) {
        Candidate& found = found_[c];
        if (found.place != no_layer) continue;
        Leaf* leaf = found.leaf < model_.leaves.size() ? &model_.leaves[found.leaf] : nullptr;
        if (leaf && leaf->moves_evenly && leaf->from == here_) {
            found.place = leaf->to;
            continue;
        }
        found.place = layer_of(words_.data() + c * k);
        const bool forward = layer_leq(here_, found.place);
        if (!forward && !settings_.again) report_regress(c);
        if (forward && !settings_.total_order && layers_[found.place]->done_in == counters.sweeps) oracle_.disorder(found.place);
        leaf = found.leaf < model_.leaves.size() ? &model_.leaves[found.leaf] : nullptr;
        if (leaf && leaf->moves_evenly) {
            leaf->from = here_;
            leaf->to = found.place;
        }
    }
}

template bool Engine::expand<0>(std::uint32_t, const Word*, bool);
template bool Engine::expand<1>(std::uint32_t, const Word*, bool);
template bool Engine::expand<2>(std::uint32_t, const Word*, bool);
template bool Engine::expand<3>(std::uint32_t, const Word*, bool);
template bool Engine::expand<4>(std::uint32_t, const Word*, bool);

}  // namespace sweep
