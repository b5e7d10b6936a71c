// The successors of states, by what groups and the agenda know of all actions at once.
#include "sweep/program/expander.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sweep {

namespace {

constexpr std::uint64_t group_first = 1024;    // states after which actions are grouped, when their tables have formed
constexpr std::uint64_t most_walks = 1 << 16;  // through tables, of all states before: many actions are grouped after fewer states

/// Put the last candidates into the order of actions: those of groups come in runs, each in that order.
template <int K>
void put_in_order(Block& block, std::uint32_t first, std::size_t width) {
    const auto is_before = [](const Block::Candidate& one, const Block::Candidate& other) {
        return one.action != other.action ? one.action < other.action : one.ordinal < other.ordinal;
    };
    const auto begin = block.found.begin() + first, end = block.found.begin() + block.candidates;
    const auto sorted = static_cast<std::uint32_t>(std::is_sorted_until(begin, end, is_before) - begin);
    if (first + sorted == block.candidates) return;
    thread_local std::vector<Word> state;
    state.resize(width);
    for (std::uint32_t c = first + sorted; c < block.candidates; ++c) {
        const Block::Candidate one = block.found[c];
        const auto at = std::upper_bound(begin, block.found.begin() + c, one, is_before);
        const auto to = static_cast<std::uint32_t>(at - block.found.begin());
        if (to == c) continue;
        std::move_backward(at, block.found.begin() + c, block.found.begin() + c + 1);
        block.found[to] = one;
        std::copy_n(block.state<K>(c), width, state.begin());
        std::move_backward(block.state<K>(to), block.state<K>(c), block.state<K>(c + 1));
        std::copy_n(state.begin(), width, block.state<K>(to));
    }
}

}  // namespace

/// What is left of a group's actions in a state of which that is not known yet.
[[gnu::noinline]] Rests Expander::find_rests(Group& group, std::uint32_t key, const Word* state) {
    const std::size_t kinds = group.kinds().size();
    const Rests found = group.resolve(key, state, program_);
    if (group.kinds().size() != kinds) closed_kinds_.forget();
    return found;
}

inline Rests Expander::rests_of(Group& group, const Word* state) {
    const std::uint32_t key = group.key<0>(state, fast_gather_);
    const Rests known = group.find(key);
    return known ? known : find_rests(group, key, state);
}

/// Writes the successors of a parent by actions that do nothing but assign to one word, as most do: where the next one goes stays in
/// registers meanwhile. There is room for them.
template <int K>
class Expander::Pen {
public:
    Pen(const Outcomes& outcomes, const Word* state, Block& block) : outcomes_(outcomes), block_(block), place_(block.place) {
        for (std::size_t i = 0; i < K; ++i) state_[i] = state[i];
    }
    /// Go on behind what is there, unless it does so already: so many more at most.
    [[gnu::always_inline]] void put_down(std::uint32_t most) {
        if (found_) return;
        block_.make_room(most);
        closer_ = block_.make_room_to_close(most);
        next_ = block_.state<K>(block_.candidates);
        found_ = block_.found.data() + block_.candidates;
    }
    /// The first actions, as long as they are like that; the first of the others.
    [[gnu::always_inline]] const Rest* assignments(const Rest* rest, const Rest* end) {
        for (; rest != end && assigns(*rest); ++rest) assign(*rest, outcomes_[index_of(rest->code)]);
        return rest;
    }
    [[gnu::always_inline]] bool assigns(const Rest& rest) const { return is_leaf(rest.code) && outcomes_[index_of(rest.code)].only_sets(); }
    /// Those that have bits, but for the ones that close diamonds: nobody could foretell which, so that there is no jump for each.
    [[gnu::always_inline]] void open(Rests rests, Word closed) {
        const Rest* const all = rests.begin();
        for (Word open = closed ^ (~Word{0} >> (64 - rests.with_bits())); open; open &= open - 1) {
            const Rest& rest = all[__builtin_ctzll(open)];
            assign(rest, outcomes_[index_of(rest.code)]);
        }
        for (; closed; closed &= closed - 1) *closer_++ = all[__builtin_ctzll(closed)].action;
    }
    /// What was written is there.
    [[gnu::always_inline]] void lift() {
        if (!found_) return;
        block_.candidates = static_cast<std::uint32_t>(found_ - block_.found.data());
        block_.closed = static_cast<std::uint32_t>(closer_ - block_.closers.data());
        found_ = nullptr;
    }

private:
    [[gnu::always_inline]] void assign(const Rest& rest, const Outcome& outcome) {
        for (std::size_t i = 0; i < K; ++i) next_[i] = state_[i];
        Word& assigned = next_[K == 1 ? 0 : outcome.set.word];
        assigned = (assigned & outcome.set.keep) | outcome.set.bits;
        const Word hash = hash_words<K>(next_, K);
        if (!outcome.moves_progress) block_.aim.fetch(hash, K);
        *found_++ = {hash, outcome.moves_progress ? no_place : place_, index_of(rest.code), rest.action, 0};
        next_ += K;
    }

    const Outcomes& outcomes_;
    Block& block_;
    const Place place_;
    std::array<Word, K> state_;
    Word* next_;
    Block::Candidate* found_ = nullptr;  // it does not go on behind anything
    std::uint32_t* closer_;
};

/// The successors by all actions, group by group.
template <int K>
[[gnu::always_inline]] inline bool Expander::expand_groups(std::uint32_t parent, const Word* state, Block& block) {
    if constexpr (K == 0) {
        bool complete = true;
        for (Group& group : grouping_.groups) {
            const Rests rests = rests_of(group, state);
            complete &= expand_rests<K>(parent, rests.begin(), rests.end(), state, block);
        }
        return complete;
    } else {
        bool complete = true;
        const std::uint32_t after = block.closing.after;
        const Word* closed = after ? closed_kinds_.row(after, grouping_.groups, program_.diamonds) : nullptr;
        Pen<K> pen(program_.outcomes, state, block);
        std::size_t at = 0;
        for (Group& group : grouping_.groups) {
            const std::uint32_t key = group.key<K>(state, fast_gather_);
            Rests rests = group.find(key);
            if (!rests) [[unlikely]] {
                rests = find_rests(group, key, state);
                if (after) closed = closed_kinds_.row(after, grouping_.groups, program_.diamonds);
            }
            const Rest *rest = rests.begin(), *const end = rests.end();
            if (after)
                if (const Word these = gather_bits(closed[at++], rests.kinds(), fast_gather_)) {
                    pen.put_down(grouped_);
                    pen.open(rests, these);
                    rest += rests.with_bits();
                }
            if (rest != end && pen.assigns(*rest)) {
                pen.put_down(grouped_);
                rest = pen.assignments(rest, end);
            }
            if (rest == end) continue;
            pen.lift();
            complete &= expand_rests<K>(parent, rest, end, state, block);
        }
        pen.lift();
        return complete;
    }
}

/// The successors by what is left of some actions.
template <int K>
[[gnu::noinline]] bool Expander::expand_rests(std::uint32_t parent, const Rest* rest, const Rest* end, const Word* state, Block& block) {
    bool complete = true;
    for (; rest != end; ++rest) {
        if (is_leaf(rest->code)) {
            block.make_room(1);
            Walk walk{block, rest->action};
            emit<K>(walk, index_of(rest->code), state);
        } else {
            complete &= expand_one<K>(parent, rest->action, rest->code, state, block);
        }
    }
    return complete;
}

/// What all actions have to do in a state; null when that is not known.
const Agenda::Entry* Expander::entry_of(const Word* state) {
    if (const Agenda::Entry* known = agenda_.look(state, fast_gather_)) return known;
    rests_.clear();
    for (Group& group : grouping_.groups) {
        const Rests rests = rests_of(group, state);
        rests_.insert(rests_.end(), rests.begin(), rests.end());
    }
    for (const std::uint32_t a : grouping_.others) rests_.push_back({a, program_.actions()[a].trie.root});
    return agenda_.add(rests_, state, program_, takes_);
}

/// What a token leads to that a row does not know, if a pattern tells.
[[gnu::noinline]] Code Expander::learn(Block& block, const Task& task, Id token, const Word* state) {
    if (!resolver || additions_.reads_only) return unknown;
    const std::uint32_t take = index_of(task.code);
    const Alike* const alike = takes_.alike(task.action, task.place);
    if (alike && resolver->resolve_alike(task.action, take, *alike, token)) {
        block.closing = program_.diamonds.after(block.finder);  // there may be new kinds of steps
        takes_.enter(task.action, task.place, token, alike->end);
        return alike->end;
    }
    const bool known = resolver->resolve_by_patterns(task.action, state, block.misses.empty(), task.code, token);
    block.closing = program_.diamonds.after(block.finder);
    if (!known) return unknown;
    const std::uint64_t generation = takes_.generation();
    const Trie& trie = program_.actions()[task.action].trie;
    const Code code = takes_.find_out(task.action, trie, trie.nodes[take], token, state);
    if (generation != takes_.generation()) return unknown;  // the row at hand may be gone
    if (std::optional<Alike> others = code & Takes::listed ? std::nullopt : resolver->others(code))
        takes_.keep_alike(task.action, task.place, std::move(*others));
    return code;
}

/// The successors by one action, for each token of a bag; false when its row does not know what one of them leads to.
template <int K>
[[gnu::always_inline]] inline bool Expander::take_all(Walk& walk, const Task& task, const Word* state) {
    const Agenda::Bag& bag = agenda_.bag(task.bag);
    const Code* row = takes_.row_at(task.action, task.place);
    const std::uint32_t field = bag.field, count = bag.count;
    std::array<Word, K ? K : 1> without;
    for (int i = 0; i < K; ++i) without[static_cast<std::size_t>(i)] = state[i];
    for (std::uint32_t i = 0; i < count; ++i) {
        const Id token = bag.tokens[i];
        const Code code = row[token];
        without[K == 1 ? 0 : bag.word] = bag.without[i];
        if (code & Takes::listed) {
            walk.taken = token;
            emit_all<K>(walk, takes_.list(task.action, code), state, without.data(), field, token);
        } else if (is_leaf(code) && program_.outcomes[index_of(code)].takes_out(field, token)) {
            walk.taken = token;
            walk.block.make_room(1);
            emit<K>(walk, index_of(code), without.data(), 1);
        } else if (code != disabled) {
            if (!take_closely<K>(walk, task, code, state, without.data(), token)) return false;
            row = takes_.row_at(task.action, task.place);
        }
    }
    return true;
}

/// The same for a token which leads on in another way than most, or nobody knows where to.
template <int K>
[[gnu::noinline]] bool Expander::take_closely(Walk& walk, const Task& task, Code code, const Word* state, const Word* without, Id token) {
    walk.taken = token;
    if (code == unknown) code = learn(walk.block, task, token, state);
    return reach<K>(walk, program_.actions()[task.action].trie, code, state, without, agenda_.bag(task.bag).field, token);
}

/// The successors by all actions, from what they have to do.
template <int K>
[[gnu::always_inline]] inline bool Expander::expand_agenda(std::uint32_t parent, const Agenda::Entry& entry, const Word* state,
                                                           Block& block) {
    bool complete = true;
    const std::uint64_t generation = takes_.generation();
    const Task* task = agenda_.tasks(entry);
    for (const Task* end = task + entry.count; task != end; ++task) {
        Walk walk{block, task->action, true};
        const std::uint32_t before = block.candidates, closed = block.closed;
        if (task->kind == Task::Kind::leaf) {
            block.make_room(1);
            emit<K>(walk, index_of(task->code), state);
            continue;
        }
        if (task->kind == Task::Kind::take && generation == takes_.generation()) {
            if (take_all<K>(walk, *task, state)) continue;
            block.candidates = before;
            block.closed = closed;
        }
        complete &= expand_one<K>(parent, task->action, task->code, state, block);
    }
    return complete;
}

/// The successors by all transitions that count, in any order.
template <int K>
[[gnu::noinline]] void Expander::expand_counts(const Word* state, Block& block) {
    const Counting& counting = program_.counting;
    filing_.each<K>(state, [&](std::uint32_t transition) {
        const Counting::Firing& firing = counting.firing(transition);
        if (counting.enabled(firing, state, 1)) fire<K>(firing, state, block);
    });
}

/// What is left of the actions that may do something in a state.
void Expander::collect_rests(const Word* state, bool in_order) {
    const std::vector<Function>& actions = program_.actions();
    const std::size_t groups = grouping_.groups.size();
    rests_.clear();
    triggers_.each_awake(state, [&](std::uint32_t unit) {
        if (unit < groups) {
            const Rests rests = rests_of(grouping_.groups[unit], state);
            rests_.insert(rests_.end(), rests.begin(), rests.end());
        } else {
            rests_.push_back({grouping_.others[unit - groups], actions[grouping_.others[unit - groups]].trie.root});
        }
    });
    const Counting& counting = program_.counting;
    filing_.each<0>(state, [&](std::uint32_t transition) {
        const Counting::Firing& firing = counting.firing(transition);
        if (counting.enabled(firing, state, 1)) rests_.push_back({firing.action, leaf_code(firing.outcome)});
    });
    if (in_order && (groups || counting.size()))
        std::sort(rests_.begin(), rests_.end(), [](const Rest& one, const Rest& other) { return one.action < other.action; });
}

/// The same successors, by those actions alone that may do something. Not inlined: the plain loop is to stay as small as it is.
template <int K>
[[gnu::noinline]] bool Expander::expand_awake(std::uint32_t parent, const Word* state, Block& block) {
    bool complete = true;
    collect_rests(state, in_order);
    for (const Rest& rest : rests_) {
        if (program_.counting.counts(rest.action))
            fire<K>(program_.counting.firing(program_.counting.index_of(rest.action)), state, block);
        else
            complete &= expand_one<K>(parent, rest.action, rest.code, state, block);
    }
    return complete;
}

/// The successors by all actions; false when some are not known.
template <int K>
[[gnu::always_inline]] inline bool Expander::expand_parent(std::uint32_t parent, const Word* state, Block& block) {
    if constexpr (K != 0)
        if (agenda_.used() && agenda_.current(takes_))
            if (const Agenda::Entry* entry = entry_of(state)) return expand_agenda<K>(parent, *entry, state, block);
    bool complete = expand_groups<K>(parent, state, block);
    if (!grouping_.others.empty()) complete &= expand_others<K>(parent, state, block);
    return complete;
}

/// The successors of so many parents. Those of whom something is not known are late.
template <int K, class Parent>
[[gnu::always_inline]] inline void Expander::expand_some(const Batch& batch, Block& block, std::uint32_t count, Parent&& parent) {
    const bool by_rests = triggers_.sleeping() || (in_order && program_.counting.size()), counts = program_.counting.size() && !by_rests;
    if (K && !by_rests && !agenda_.current(takes_)) agenda_ = Agenda::of(program_, grouping_, takes_);
    const Finder* const finders = batch.finders;
    Block::Parent* const parents = block.parents.data();
    const bool bounded = !block.outside.empty();
    block.finder = no_finder;
    block.closing = {};
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t p = parent(i);
        const Word* state = batch.state(p);
        const std::uint32_t before = block.candidates, closed = block.closed;
        if (bounded && block.outside[p]) {
            parents[p] = {before, before, closed, closed};
            continue;
        }
        if (finders) {
            block.finder = finders[p];
            block.closing = program_.diamonds.after(block.finder);
        }
        const bool complete = by_rests ? expand_awake<K>(p, state, block) : expand_parent<K>(p, state, block);
        if (counts) expand_counts<K>(state, block);
        if (in_order && !by_rests) put_in_order<K>(block, before, K ? K : static_cast<std::size_t>(words()));
        if (!complete || additions_.unmet) [[unlikely]] {
            block.unmet |= std::exchange(additions_.unmet, false);
            block.candidates = before;
            block.closed = closed;
            block.late.push_back(p);
        }
        parents[p] = {before, block.candidates, closed, block.closed};
    }
}

template <int K>
void Expander::expand(const Batch& batch, Block& block, std::uint64_t explored) {
    regroup(batch, explored);
    block.begin(batch, program_.schema.layout.words);
    if (!aims) block.aim = {};
    expand_some<K>(batch, block, batch.count, [](std::uint32_t i) { return i; });
    closed_edges_ += block.closed;
}

template <int K>
void Expander::expand_again(const Batch& batch, Block& block, std::uint64_t explored) {
    regroup(batch, explored);
    const std::vector<std::uint32_t> late = std::exchange(block.late, {});
    block.misses.clear();
    const std::uint32_t closed = block.closed;
    expand_some<K>(batch, block, static_cast<std::uint32_t>(late.size()), [&](std::uint32_t i) { return late[i]; });
    closed_edges_ += block.closed - closed;
}

template <int K>
void Expander::expand_late(const Batch& batch, Block& block) {
    // What goes into tables is known now, and looked up as for others: in the order of actions.
    const auto expand_known = [&](std::uint32_t p, std::uint32_t before) {
        std::vector<Miss> none;
        none.swap(block.misses);  // somebody goes through them
        const bool complete = expand_parent<K>(p, batch.state(p), block);
        none.swap(block.misses);
        if (complete) put_in_order<K>(block, before, K ? K : static_cast<std::size_t>(words()));
        if (!complete) block.candidates = before;
        return complete;
    };
    const bool together = K && !triggers_.sleeping() && !program_.counting.size();
    auto miss = block.misses.begin();
    block.finder = no_finder;
    block.closing = {};
    for (const std::uint32_t p : block.late) {
        const auto first_miss = miss;
        bool tabulated = true;
        for (; miss != block.misses.end() && miss->parent == p; ++miss) {
            direct_[miss->action] = miss->direct.get();
            tabulated &= !miss->direct;
        }
        const std::uint32_t before = block.candidates;
        if (!(together && tabulated && expand_known(p, before))) {
            collect_rests(batch.state(p), true);
            for (const Rest& rest : rests_) {
                const Trie* const direct = direct_[rest.action];
                const std::uint32_t first = block.candidates;
                expand_from<K>(rest.action, direct ? *direct : program_.actions()[rest.action].trie, direct ? direct->root : rest.code,
                               batch.state(p), block);
                for (std::uint32_t c = first; direct && c < block.candidates; ++c)
                    block.found[c].outcome = no_outcome;  // it is forgotten again
            }
        }
        block.parents[p] = {before, block.candidates, block.closed, block.closed};
        block.unmet |= std::exchange(additions_.unmet, false);
        for (auto done = first_miss; done != miss; ++done) direct_[done->action] = nullptr;
    }
}

/// Group the actions anew when what the groups were made from has changed, and when many more states are explored. Groups made
/// early are for speed alone: the order of edges is that of actions as long as they would not be grouped if they were few.
void Expander::regroup(const Batch& batch, std::uint64_t explored) {
    if (explored >= tidy_from && program_.schema.generous && program_.counting.size()) additions_.requests.tidy = true;
    if (explored >= next_gathering_ && !additions_.reads_only) {
        next_gathering_ = 2 * explored;
        additions_.requests.tidy |= program_.schema.has_bags_in_pieces();
    }
    const std::uint64_t first = std::min(group_first, most_walks / std::max<std::size_t>(program_.actions().size(), 1));
    if (grouped_epoch_ != program_.epoch || grouped_width_ != program_.schema.width) {
        grouped_epoch_ = program_.epoch;
        grouped_width_ = program_.schema.width;
        takes_.forget();
        members_.forget();
        grouping_ = Grouping::none(program_);
        begin_groups();
        filing_.file(program_.counting, program_.schema);
        triggers_ = Triggers::none(grouping_);
        agenda_ = {};
        next_grouping_ = std::max(explored, first);
    }
    if (explored < next_grouping_) return;
    members_.forget();
    grouping_ = Grouping::of(program_);
    begin_groups();
    triggers_ = Triggers::of(program_, grouping_, batch);
    filing_.look(program_.counting, program_.schema, batch);
    filing_.file(program_.counting, program_.schema);
    agenda_ = {};  // made when it is needed
    next_grouping_ = explored < group_first ? std::clamp(explored * 4, first, group_first) : explored * 4;
}

/// There are other groups.
void Expander::begin_groups() {
    grouped_ = 0;
    for (const Group& group : grouping_.groups) grouped_ += static_cast<std::uint32_t>(group.actions.size());
    closed_kinds_.begin(grouping_.groups.size());
}

std::uint64_t Expander::bytes() const {
    std::uint64_t total = closed_kinds_.bytes() + triggers_.bytes() + filing_.bytes() + takes_.bytes() + members_.bytes() + agenda_.bytes();
    for (const Group& group : grouping_.groups) total += group.bytes();
    return total;
}

template void Expander::expand<0>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_again<0>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<0>(const Batch&, Block&);
template void Expander::expand<1>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_again<1>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<1>(const Batch&, Block&);
template void Expander::expand<2>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_again<2>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<2>(const Batch&, Block&);
template void Expander::expand<3>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_again<3>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<3>(const Batch&, Block&);
template void Expander::expand<4>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_again<4>(const Batch&, Block&, std::uint64_t);
template void Expander::expand_late<4>(const Batch&, Block&);

}  // namespace sweep
