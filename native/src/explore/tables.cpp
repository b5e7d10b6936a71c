// What functions do, from their tables where these know, else from the oracle; and which actions are worth a table.
#include <algorithm>

#include "sweep/explore/engine.hpp"

namespace sweep {

namespace {

constexpr std::uint64_t judge_every = 4096;  // misses of an action after which its table is judged
constexpr std::uint64_t group_first = 1024;  // states after which actions are grouped, when their tries have formed

}  // namespace

/// The next choices, in order, that lead to something unknown. All choices up to `after`, if given, are known.
bool Engine::find_unknown(const Trie& trie, Code code, const Word* state, std::vector<std::uint32_t>& script,
                          const std::vector<std::uint32_t>* after) {
    for (;;) {
        if (code == unknown) return true;
        if (code & 1) return false;
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask == Ask::take || node.ask == Ask::choose) {
            const std::size_t depth = script.size();
            if (node.ask == Ask::choose) {  // from where it was left: a choice may have very many alternatives
                const bool resumes = after && depth < after->size();
                if (!resumes) after = nullptr;
                for (Id key = resumes ? (*after)[depth] : 0; key < node.argument; ++key, after = nullptr) {
                    script.push_back(key);
                    if (find_unknown(trie, trie.child(node, key), state, script, after)) return true;
                    script.pop_back();
                }
                return false;
            }
            std::vector<Id> keys;
            TokenCounts held;
            model_.available(node.field, state, held);
            const std::vector<Id>& taken = trie.taken(node.threshold);
            for (std::size_t i = 0; i < held.size(); ++i)
                if (held.count(i) > static_cast<Id>(std::count(taken.begin(), taken.end(), held.token(i)))) keys.push_back(held.token(i));
            auto next = keys.begin();
            if (after && depth < after->size())
                next = std::find(keys.begin(), keys.end(), (*after)[depth]);
            else
                after = nullptr;
            for (; next != keys.end(); ++next, after = nullptr) {
                script.push_back(*next);
                if (find_unknown(trie, trie.child(node, *next), state, script, after)) return true;
                script.pop_back();
            }
            return false;
        }
        code = trie.child(node, model_.answer(node, state));
    }
}

void Engine::resolve(std::uint32_t action, const Word* state) {
    Trie& trie = actions[action];
    std::vector<std::uint32_t> script, done;
    while (script.clear(), find_unknown(trie, trie.root, state, script, &done)) {
        run_.begin(state, trie, script);
        ++action_counters[action].runs;
        const bool enabled = oracle_.run_action(action, run_) && run_.touched;
        std::vector<std::uint8_t>& observed = action_counters[action].observed;
        observed.resize(model_.variables.size());
        for (const Event& event : run_.path)
            if (event.ask != Ask::choose) observed[event.field] = 1;
        if (!trie.insert(run_.path, enabled ? leaf_code(model_.add_leaf(run_.ops, run_.path)) : disabled))
            oracle_.impure("action", action, state);
        done.clear();
        for (const Event& event : run_.path)
            if ((event.ask == Ask::take || event.ask == Ask::choose) && event.answered) done.push_back(event.key);
    }
    trie.refresh(model_.layout, model_.forms(), false);
}

Code Engine::look_up(const Trie& trie, const Word* state) {
    Code code = trie.follow(trie.root, state);
    while (code != unknown && !(code & 1)) {
        const Trie::Node& node = trie.nodes[index_of(code)];
        code = trie.follow(trie.child(node, model_.answer(node, state)), state);
    }
    return code;
}

LayerId Engine::layer_of(const Word* state) {
    if (linear) {
        const LinearMeasure::Value value = linear->value(state, model_.layout);
        const LayerId known = linear_layers_.find(value);
        if (known != ValueMap::missing) return known;
        const auto above = linear_order_.lower_bound(value);
        const LayerId layer = above == linear_order_.begin() ? add_layer() : add_layer(std::prev(above)->second);
        linear_order_.emplace_hint(above, value, layer);
        linear_values_.push_back(value);
        linear_layers_.insert(value, layer);
        return layer;
    }
    Code code = look_up(measure, state);
    if (code == unknown) {
        const auto start = Clock::now();
        run_.begin(state, measure, {});
        const LayerId layer = oracle_.run_measure(run_);
        if (!measure.insert(run_.path, leaf_code(layer))) oracle_.impure("measure", 0, state);
        measure.refresh(model_.layout, model_.forms(), false);
        bool watches_more = false;
        for (const Event& event : run_.path)
            if (!model_.watched[event.field]) model_.watched[event.field] = watches_more = true;
        if (watches_more) model_.compile_leaves();
        counters.oracle_seconds += seconds_since(start);
        return layer;
    }
    return index_of(code);
}

bool Engine::satisfies(std::uint32_t predicate, const Word* state) {
    if (!formulas.empty() && formulas[predicate]) return formulas[predicate]->holds(state, model_.layout);
    Trie& trie = predicates[predicate];
    const Code code = look_up(trie, state);
    if (code != unknown) return index_of(code) != 0;
    const auto start = Clock::now();
    run_.begin(state, trie, {});
    const bool result = oracle_.run_predicate(predicate, run_);
    if (!trie.insert(run_.path, leaf_code(result))) oracle_.impure("predicate", predicate, state);
    trie.refresh(model_.layout, model_.forms(), false);
    counters.oracle_seconds += seconds_since(start);
    return result;
}

void Engine::count(std::uint32_t index, const Word* state, LayerId place) {
    Tally& tally = tallies[index];
    if (tally.predicate >= 0 && !satisfies(static_cast<std::uint32_t>(tally.predicate), state)) return;
    const Code code = look_up(tally.function, state);
    std::uint32_t value = index_of(code);
    if (code == unknown) {
        const auto start = Clock::now();
        run_.begin(state, tally.function, {});
        value = oracle_.run_function(index, run_);
        if (!tally.function.insert(run_.path, leaf_code(value))) oracle_.impure("function", index, state);
        tally.function.refresh(model_.layout, model_.forms(), false);
        counters.oracle_seconds += seconds_since(start);
    }
    if (value >= tally.counts.size()) tally.counts.resize(value + 1);
    ++tally.counts[value];
    if (tally.store >= 0 && satisfies(static_cast<std::uint32_t>(tally.store), state)) keep(tally, state, place);
}

/// Keep a state for a fold. As long as it is stored as well it counts once.
void Engine::keep(Tally& tally, const Word* state, LayerId place) {
    tally.stored.push_back(model_.unpack(state));
    for (const std::vector<Id>& variable : tally.stored.back()) counters.kept_bytes += sizeof(variable) + variable.capacity() * sizeof(Id);
    if (!settings_.by_progress && !by_parts() && !settings_.depth_first) return;  // nothing is deleted
    Layer& layer = *layers_[place];
    const int k = model_.layout.words;
    const Word hash = hash_words<0>(state, k);
    if (layer.visited.find(state, hash, k) || layer.persistent.find(state, hash, k))
        layer.kept.insert<0>(state, hash, k);
    else
        counters.peak = std::max(counters.peak, counters.stored + ++counters.kept);
}

void Engine::show(const Word* state, std::uint64_t number, bool dead, LayerId place) {
    for (std::uint32_t i = 0; i < tallies.size(); ++i)
        if (tallies[i].dead == dead) count(i, state, place);
    for (Question& watch : watches) {
        if (watch.decided || dead != (watch.on == Question::On::deadlock)) continue;
        if (watch.on == Question::On::always_possible || watch.on == Question::On::always_eventually) continue;
        if (watch.on == Question::On::target) {
            if (model_.unpack(state) == watch.witness) decide(watch, number, model_.unpack(state));
        } else {
            const bool holds = watch.predicate >= 0 && satisfies(static_cast<std::uint32_t>(watch.predicate), state);
            if (holds == (watch.on == Question::On::reachable)) decide(watch, number, model_.unpack(state));
        }
        if (stop_ != Stop::none) return;
    }
}

void Engine::decide(Question& watch, std::uint64_t number, const Unpacked& state) {
    watch.decided = true;
    watch.number = number;
    watch.witness = state;
    const bool violated = watch.on != Question::On::reachable && watch.on != Question::On::target;
    if (violated && !settings_.keep_going)
        stop_ = Stop::violation;
    else if (tallies.empty() && std::all_of(watches.begin(), watches.end(), [](const Question& one) { return one.decided; }))
        stop_ = Stop::decided;
}

void Engine::refresh() {
    room_ = 0;
    model_.compile_leaves();
    for (Trie& trie : actions) trie.refresh(model_.layout, model_.forms(), true);
    for (Trie& trie : predicates) trie.refresh(model_.layout, model_.forms(), true);
    measure.refresh(model_.layout, model_.forms(), true);
    for (Tally& tally : tallies) tally.function.refresh(model_.layout, model_.forms(), true);
    for (Part& part : product.parts) part.trie.refresh(model_.layout, model_.forms(), true);
    ungroup_actions();
}

void Engine::group_actions() {
    std::vector<std::uint8_t> tabulated;
    for (const ActionCounters& action : action_counters) tabulated.push_back(action.tabulated);
    grouping_ = Grouping::of(actions, tabulated, model_);
    next_grouping_ = std::max(counters.explored * 4, group_first);
}

void Engine::ungroup_actions() {
    grouped_width_ = model_.width;
    grouping_ = {};
    for (std::uint32_t a = 0; a < actions.size(); ++a) grouping_.others.push_back(a);
    next_grouping_ = groups_allowed_ ? std::max(counters.explored, group_first) : ~std::uint64_t{0};
}

void Engine::forget_tables() {
    for (Trie& trie : actions) trie.clear();
    for (Trie& trie : predicates) trie.clear();
    measure.clear();
    for (Tally& tally : tallies) tally.function.clear();
    for (Part& part : product.parts) part.trie.clear();
    touched_.clear();
    model_.forget_leaves();
    ungroup_actions();
    ++counters.forgotten_tables;
}

void Engine::resolve_misses(const Word* parents) {
    const std::size_t stride = static_cast<std::size_t>(this->stride());
    const auto start = Clock::now();
    for (const Miss& miss : misses_) {
        resolve(miss.action, parents + stride * miss.parent);
        judge(miss.action);
    }
    // The clock is read once per batch: shares go by the number of misses.
    const double seconds = seconds_since(start);
    for (const Miss& miss : misses_) action_counters[miss.action].seconds += seconds / static_cast<double>(misses_.size());
    counters.oracle_seconds += seconds;
}

/// A table is not worth more memory when every other state misses it: it grows no more. It gets another chance when eight
/// times as many states are explored: a table may only have been young.
void Engine::judge(std::uint32_t index) {
    Window& window = windows_[index];
    if (++window.misses < judge_every) return;
    if (counters.explored - window.since < 2 * window.misses) {
        action_counters[index].tabulated = false;
        window.again = std::max(8 * counters.explored, 8 * judge_every);
        next_chance_ = std::min(next_chance_, window.again);
        ungroup_actions();
    }
    window.misses = 0;
    window.since = counters.explored;
}

void Engine::reconsider() {
    next_chance_ = ~std::uint64_t{0};
    for (std::uint32_t a = 0; a < actions.size(); ++a) {
        if (action_counters[a].tabulated) continue;
        if (counters.explored >= windows_[a].again) {
            action_counters[a].tabulated = true;
            windows_[a].misses = 0;
            windows_[a].since = counters.explored;
        } else {
            next_chance_ = std::min(next_chance_, windows_[a].again);
        }
    }
}

}  // namespace sweep
