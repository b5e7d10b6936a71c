// A sample of what the tables say is compared with what the functions do now: a table is right only if they always do the same.
// Which states are sampled depends on their number alone: fewer and fewer, so that the cost is that of a few calls.
#include <algorithm>

#include "sweep/explore/engine.hpp"

namespace sweep {

namespace {

constexpr std::uint64_t spacing = 64;  // of n states explored, the next to be sampled is n / spacing further on
constexpr std::uint32_t samples_at_once = 4;
constexpr double share = 0.01, floor_seconds = 0.001;  // of the time, and what may be spent at once: functions may be slow

}  // namespace

bool Engine::may_sample() const { return sample_seconds_ <= floor_seconds + share * counters.seconds; }

/// The outcome that a table has for a state, by choices that differ from sample to sample; `unknown` when it has none.
Code Engine::sampled_outcome(const Trie& trie, const Word* state, std::vector<std::uint32_t>& script) const {
    std::uint64_t draw = samples_;
    Code code = trie.root;
    while (code != unknown && !(code & 1)) {
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask == Ask::choose) {
            script.push_back(static_cast<std::uint32_t>(draw % node.argument));
        } else if (node.ask == Ask::take) {
            TokenCounts held;
            model_.available(node.field, state, held);
            const std::vector<Id>& taken = trie.taken(node.threshold);
            std::vector<Id> keys;
            for (std::size_t i = 0; i < held.size(); ++i)
                if (held.count(i) > static_cast<Id>(std::count(taken.begin(), taken.end(), held.token(i)))) keys.push_back(held.token(i));
            if (keys.empty()) return disabled;
            script.push_back(keys[draw % keys.size()]);
        } else {
            code = trie.child(node, model_.answer(node, state));
            continue;
        }
        draw = draw / 2 + 1;
        code = trie.child(node, script.back());
    }
    return code;
}

/// Whether an action does what its table says.
bool Engine::repeats(std::uint32_t action, const Word* state) {
    Trie& trie = actions[action];
    std::vector<std::uint32_t> script;
    const Code expected = sampled_outcome(trie, state, script);
    if (expected == unknown) return true;
    run_.begin(state, trie, script);
    const bool enabled = oracle_.run_action(action, run_) && run_.touched;
    if (trie.find(run_.path) != expected) return false;
    return enabled ? is_leaf(expected) && model_.recorded_as(index_of(expected), run_.ops) : expected == disabled;
}

/// The same for an action whose table grows no more: it is run twice.
bool Engine::repeats_untabulated(std::uint32_t action, const Word* state) {
    const std::size_t leaves = model_.leaves.size();
    const std::uint64_t runs = action_counters[action].runs;
    Trie known;  // set aside: what is found out now is not to be kept
    std::swap(known, actions[action]);
    resolve(action, state);
    const bool same = repeats(action, state);
    std::swap(known, actions[action]);
    model_.forget_leaves_from(leaves);
    action_counters[action].runs = runs;
    return same;
}

/// Run one of the model's functions again; which one goes by turns.
void Engine::sample(std::uint64_t turn, const Word* state) {
    const auto differs = [&](Trie& trie, auto&& evaluate) {
        const Code expected = look_up(trie, state);
        if (expected == unknown) return false;
        run_.begin(state, trie, {});
        return leaf_code(static_cast<std::uint32_t>(evaluate())) != expected;
    };
    const std::uint32_t index = static_cast<std::uint32_t>(turn);
    if (turn < actions.size()) {
        if (!joints.empty() && joints[index]) return;
        if (!(action_counters[index].tabulated ? repeats(index, state) : repeats_untabulated(index, state)))
            oracle_.impure("action", index, state);
        return;
    }
    const std::uint32_t predicate = index - static_cast<std::uint32_t>(actions.size());
    if (predicate < predicates.size()) {
        if (!formulas.empty() && formulas[predicate]) return;
        if (differs(predicates[predicate], [&] { return oracle_.run_predicate(predicate, run_); }))
            oracle_.impure("predicate", predicate, state);
        return;
    }
    const std::uint32_t tally = predicate - static_cast<std::uint32_t>(predicates.size());
    if (tally < tallies.size()) {
        if (differs(tallies[tally].function, [&] { return oracle_.run_function(tally, run_); })) oracle_.impure("function", tally, state);
        return;
    }
    const std::uint32_t part = tally - static_cast<std::uint32_t>(tallies.size());
    if (part < product.parts.size()) {
        if (differs(product.parts[part].trie, [&] { return oracle_.run_part(part, run_); })) oracle_.impure("measure", 0, state);
    } else if (differs(measure, [&] { return oracle_.run_measure(run_); })) {
        oracle_.impure("measure", 0, state);
    }
}

void Engine::sample_block(const Word* parents, std::uint32_t count) {
    next_sample_ = counters.explored + counters.explored / spacing + 1;
    const std::uint64_t turns = actions.size() + predicates.size() + tallies.size() + product.parts.size() + 1;
    const std::size_t stride = static_cast<std::size_t>(this->stride());
    const auto start = Clock::now();
    const double before = sample_seconds_;
    for (std::uint32_t i = 0; i < samples_at_once && may_sample(); ++i, ++samples_) {
        sample(samples_ % turns, parents + stride * (samples_ * 7 % count));
        sample_seconds_ = before + seconds_since(start);
    }
    counters.oracle_seconds += sample_seconds_ - before;
}

/// At the end, the initial states once more: so much has happened since that what should not matter may have changed.
void Engine::sample_roots() {
    if (stop_ == Stop::seconds || stop_ == Stop::interrupted || stop_ == Stop::memory || !model_.fits()) return;
    const auto start = Clock::now();
    const double before = sample_seconds_;
    std::vector<Word> packed;
    const std::uint64_t turns = actions.size() + predicates.size() + tallies.size() + product.parts.size() + 1;
    for (std::uint64_t turn = 0; turn < turns && may_sample(); ++turn, ++samples_) {
        packed.assign(static_cast<std::size_t>(model_.layout.words), 0);
        model_.pack(roots_[turn % roots_.size()], packed.data());
        if (!model_.fits()) return;
        sample(turn, packed.data());
        sample_seconds_ = before + seconds_since(start);
    }
    counters.oracle_seconds += sample_seconds_ - before;
}

}  // namespace sweep
