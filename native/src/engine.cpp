#include "sweep/engine.hpp"

#include <algorithm>
#include <array>

#include "sweep/memory.hpp"

namespace sweep {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t block_size = 64;         // parents expanded before their successors are looked up
constexpr std::uint32_t ahead = 16;              // look-ups started before they are needed
constexpr std::uint64_t judge_every = 4096;      // runs of an action after which its table is judged
constexpr std::uint64_t group_first = 1024;      // states after which actions are grouped, when their tries have formed
constexpr std::size_t profile_rows = 4096;       // as in the reference engine: more rows are merged two by two
constexpr std::uint32_t verify_every = 16;       // one state in so many is compared when actions are verified
constexpr double tick_seconds = 0.05;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Engine::Engine(Model& model, Oracle& oracle, Settings settings)
    : model_(model), oracle_(oracle), settings_(std::move(settings)), run_(model), interval_(settings_.interval) {
    if (settings_.parent_file) parents_ = std::make_unique<ParentWriter>(*settings_.parent_file);
    if (!settings_.by_progress) add_layer();
    model_.watched.assign(model_.variables.size(), 0);
    // Grouped actions give the same edges in another order. Where that shows in the numbers they are not grouped: with
    // collections at intervals the peak depends on the order within a layer.
    groups_allowed_ = !settings_.by_progress || settings_.collect == Settings::Collect::layer;
}

// -- layers -------------------------------------------------------------------------------------------------------------

LayerId Engine::add_layer(std::optional<LayerId> below) {
    constexpr std::uint64_t step = std::uint64_t{1} << 32;
    const LayerId id = static_cast<LayerId>(layers_.size());
    layers_.push_back(std::make_unique<Layer>());
    if (!settings_.total_order) {
        waiting_.push_back(id);
        return id;
    }
    const auto neighbours = [&] {
        const auto next = below && layers_[*below]->live ? by_rank_.upper_bound(layers_[*below]->rank) : by_rank_.begin();
        const std::uint64_t low = next == by_rank_.begin() ? 0 : std::prev(next)->first;
        return std::pair{low, next == by_rank_.end() ? low + 2 * step : next->first};
    };
    auto [low, high] = neighbours();
    if (high - low < 2) {  // no rank left between them: number all anew
        std::map<std::uint64_t, LayerId> renumbered;
        for (const auto& [rank, layer] : by_rank_) {
            layers_[layer]->rank = step * (renumbered.size() + 1);
            renumbered.emplace(layers_[layer]->rank, layer);
        }
        by_rank_.swap(renumbered);
        std::tie(low, high) = neighbours();
    }
    layers_[id]->rank = low + (high - low) / 2;
    by_rank_.emplace(layers_[id]->rank, id);
    return id;
}

std::vector<LayerId> Engine::live_layers() const {
    std::vector<LayerId> result;
    for (const auto& [rank, layer] : by_rank_) result.push_back(layer);
    return result;
}

bool Engine::layer_leq(LayerId one, LayerId other) {
    if (one == other) return true;
    if (settings_.total_order) return layers_[one]->rank <= layers_[other]->rank;
    const std::uint64_t key = std::uint64_t{one} << 32 | other;
    const auto found = known_leq_.find(key);
    if (found != known_leq_.end()) return found->second;
    return known_leq_[key] = oracle_.leq(one, other);
}

LayerId Engine::next_layer() {
    if (settings_.total_order) {
        for (const auto& [rank, layer] : by_rank_)
            if (layers_[layer]->unprocessed.size()) return layer;
        return no_layer;
    }
    std::vector<LayerId> candidates;
    for (const LayerId layer : waiting_)
        if (layers_[layer]->unprocessed.size()) candidates.push_back(layer);
    return candidates.empty() ? no_layer : candidates.size() == 1 ? candidates[0] : oracle_.minimal(candidates);
}

void Engine::drop(LayerId id) {
    complete_layer(id);
    Layer& layer = *layers_[id];
    counters.stored -= layer.visited.size();
    layer.visited.clear();
    layer.live = false;
    layer.rank = 0;  // below every live layer: a step to it goes back
    if (linear) linear_order_.erase(linear_values_[id]);
}

void Engine::collect(LayerId current, bool current_done) {
    since_collection_ = 0;
    if (counters.stored == counters.peak) count_bytes();
    const std::uint64_t before = counters.stored;
    if (settings_.total_order) {
        const LayerId least = current_done ? next_layer() : current;
        while (!by_rank_.empty() && by_rank_.begin()->second != least) {
            drop(by_rank_.begin()->second);
            by_rank_.erase(by_rank_.begin());
        }
    } else {
        std::vector<LayerId> open, doomed;
        for (const LayerId layer : waiting_)
            if (layers_[layer]->unprocessed.size() && !(layer == current && current_done)) open.push_back(layer);
        for (const LayerId layer : waiting_)
            if (std::none_of(open.begin(), open.end(), [&](LayerId u) { return layer_leq(u, layer); })) doomed.push_back(layer);
        for (const LayerId layer : doomed) drop(layer);
        std::erase_if(waiting_, [&](LayerId layer) { return !layers_[layer]->live; });
    }
    if (settings_.collect == Settings::Collect::adaptive) {  // the rule of strategies/collection.py
        const std::uint64_t reclaimed = before - counters.stored;
        const bool scarce = settings_.most_memory && 4 * resident_bytes() > 3 * *settings_.most_memory;
        if (scarce) interval_ = std::max<std::uint64_t>(256, interval_ / 2);
        else if (4 * reclaimed < before) interval_ = std::min<std::uint64_t>(1 << 20, interval_ * 2);
    }
}

void Engine::leave_layer(LayerId layer) {
    const LayerRow row{layer, layers_[layer]->states, counters.stored};
    if (counters.layers % merged_layers_) {
        LayerRow& last = profile.back();
        last = {layer, last.states + row.states, std::max(last.stored, row.stored)};
    } else {
        profile.push_back(row);
    }
    ++counters.layers;
    if (profile.size() == 2 * profile_rows) {
        for (std::size_t i = 0; i < profile_rows; ++i) {
            const LayerRow &a = profile[2 * i], &b = profile[2 * i + 1];
            profile[i] = {b.layer, a.states + b.states, std::max(a.stored, b.stored)};
        }
        profile.resize(profile_rows);
        merged_layers_ *= 2;
    }
}

// -- what functions do, from tables or from the oracle --------------------------------------------------------------------

/// The next choices, in order, that lead to something unknown. All choices up to `after`, if given, are known.
bool Engine::find_unknown(const Trie& trie, Code code, const Word* state, std::vector<std::uint32_t>& script,
                          const std::vector<std::uint32_t>* after) {
    for (;;) {
        if (code == unknown) return true;
        if (code & 1) return false;
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask == Ask::take || node.ask == Ask::choose) {
            std::vector<Id> keys;
            if (node.ask == Ask::choose) {
                for (Id i = 0; i < node.argument; ++i) keys.push_back(i);
            } else {
                std::vector<Id> held;
                model_.contents_of(node.field, state, held);
                const std::vector<Id>& taken = trie.taken(node.threshold);
                for (std::size_t i = 0; i < held.size(); i += 2)
                    if (held[i + 1] > static_cast<Id>(std::count(taken.begin(), taken.end(), held[i]))) keys.push_back(held[i]);
            }
            const std::size_t depth = script.size();
            auto next = keys.begin();
            if (after && depth < after->size()) next = std::find(keys.begin(), keys.end(), (*after)[depth]);
            else after = nullptr;
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
    trie.refresh(model_.layout, model_.interned(), false);
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
        measure.refresh(model_.layout, model_.interned(), false);
        bool watches_more = false;
        for (const Event& event : run_.path)
            if (!model_.watched[event.field]) model_.watched[event.field] = watches_more = true;
        if (watches_more) model_.compile_leaves();
        counters.oracle_seconds += since(start);
        return layer;
    }
    return index_of(code);
}

bool Engine::satisfies(std::uint32_t predicate, const Word* state) {
    Trie& trie = predicates[predicate];
    const Code code = look_up(trie, state);
    if (code != unknown) return index_of(code) != 0;
    const auto start = Clock::now();
    run_.begin(state, trie, {});
    const bool result = oracle_.run_predicate(predicate, run_);
    if (!trie.insert(run_.path, leaf_code(result))) oracle_.impure("predicate", predicate, state);
    trie.refresh(model_.layout, model_.interned(), false);
    counters.oracle_seconds += since(start);
    return result;
}

void Engine::show(const Word* state, std::uint64_t number, bool dead) {
    for (Watch& watch : watches) {
        if (watch.decided || dead != (watch.on == Watch::On::deadlock)) continue;
        if (watch.on == Watch::On::always_possible || watch.on == Watch::On::always_eventually) continue;
        if (watch.on == Watch::On::target) {
            if (model_.unpack(state) == watch.witness) decide(watch, number, state);
        } else {
            const bool holds = watch.predicate >= 0 && satisfies(static_cast<std::uint32_t>(watch.predicate), state);
            if (holds == (watch.on == Watch::On::reachable)) decide(watch, number, state);
        }
        if (stop_ != Stop::none) return;
    }
}

void Engine::decide(Watch& watch, std::uint64_t number, const Word* state) {
    watch.decided = true;
    watch.number = number;
    watch.witness = model_.unpack(state);
    const bool violated = watch.on != Watch::On::reachable && watch.on != Watch::On::target;
    if (violated && !settings_.keep_going) stop_ = Stop::violation;
    else if (std::all_of(watches.begin(), watches.end(), [](const Watch& one) { return one.decided; })) stop_ = Stop::decided;
}

void Engine::refresh() {
    room_ = 0;
    model_.compile_leaves();
    for (Trie& trie : actions) trie.refresh(model_.layout, model_.interned(), true);
    for (Trie& trie : predicates) trie.refresh(model_.layout, model_.interned(), true);
    measure.refresh(model_.layout, model_.interned(), true);
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
    model_.forget_leaves();
    ungroup_actions();
    ++counters.forgotten_tables;
}

// -- expanding states -----------------------------------------------------------------------------------------------------

/// Room for so many more candidates.
inline void Engine::make_room(std::uint32_t more) {
    if (candidates_ + more > room_) [[unlikely]] more_room(more);
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

template <int K>
bool Engine::walk_take(const Trie& trie, const Trie::Node& node, const Word* state) {
    if (node.threshold || model_.variables[node.field].interned) {
        const std::vector<Id>& taken = trie.taken(node.threshold);
        std::vector<Id> held;
        model_.contents_of(node.field, state, held);
        for (std::size_t i = 0; i < held.size(); i += 2) {
            if (held[i + 1] <= static_cast<Id>(std::count(taken.begin(), taken.end(), held[i]))) continue;
            if (!walk<K>(trie, trie.child(node, held[i]), state)) return false;
        }
        return true;
    }
    if (node.direct != Trie::Node::Direct::take || K == 0) {  // in two pieces, or a wide state
        const Field& field = model_.layout.fields[node.field];
        Id last = 0;
        for (Word rest = field.load(state); rest; rest >>= field.bits()) {
            const Id token = static_cast<Id>(rest & low_bits(field.bits()));
            if (token != last && !walk<K>(trie, trie.child(node, token), state)) return false;
            last = token;
        }
        return true;
    }
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

template <int K>
bool Engine::walk_action(std::uint32_t parent, std::uint32_t action, Code from, const Word* state) {
    action_ = action;
    ordinal_ = 0;
    if (walk<K>(actions[action], from, state)) return true;
    misses_.push_back({parent, action});
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
            if (action_counters[a].tabulated) complete &= walk_action<K>(parent, a, actions[a].root, state);
            else complete = false;
        }
    } else {
        for (std::uint32_t a = 0; a < actions.size(); ++a) {
            if (action_counters[a].tabulated) {
                walk_action<K>(parent, a, actions[a].root, state);
                continue;
            }
            const std::size_t leaves = model_.leaves.size();
            const auto begin = Clock::now();
            resolve(a, state);
            action_counters[a].seconds += since(begin);
            counters.oracle_seconds += since(begin);
            walk_action<K>(parent, a, actions[a].root, state);
            actions[a].clear();
            model_.forget_leaves_from(leaves);
        }
    }
    block_[parent].end = candidates_;
    return complete;
}

void Engine::resolve_misses(const Word* parents) {
    const std::size_t stride = static_cast<std::size_t>(this->stride());
    const auto start = Clock::now();
    for (const Miss& miss : misses_) {
        resolve(miss.action, parents + stride * miss.parent);
        judge(miss.action);
    }
    // The clock is read once per batch: shares go by the number of misses.
    const double seconds = since(start);
    for (const Miss& miss : misses_) action_counters[miss.action].seconds += seconds / static_cast<double>(misses_.size());
    counters.oracle_seconds += seconds;
}

/// A table is not worth its memory when every other state misses it. It gets another chance when eight times as many
/// states are explored: a table may only have been young.
void Engine::judge(std::uint32_t index) {
    Window& window = windows_[index];
    if (++window.misses < judge_every) return;
    if (counters.explored - window.since < 2 * window.misses) {
        action_counters[index].tabulated = false;
        window.again = std::max(8 * counters.explored, 8 * judge_every);
        next_chance_ = std::min(next_chance_, window.again);
        actions[index].clear();
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

/// Expand the oldest states of a layer into candidates; false when the layout changed and it must be done again.
template <int K>
bool Engine::expand_block(LayerId current) {
    if (counters.explored >= next_chance_) reconsider();
    if (grouped_width_ != model_.width) ungroup_actions();
    if (counters.explored >= next_grouping_) group_actions();
    here_ = current;
    const std::size_t stride = static_cast<std::size_t>(this->stride());
    const auto [parents, count] = layers_[current]->unprocessed.front(block_size, static_cast<int>(stride));
    block_.resize(count);
    misses_.clear();
    late_.clear();
    candidates_ = 0;
    for (std::uint32_t p = 0; p < count; ++p) {
        const std::uint32_t before = candidates_;
        if (!expand<K>(p, parents + stride * p, false)) {
            candidates_ = before;
            late_.push_back(p);
        }
    }
    if (!late_.empty()) {
        resolve_misses(parents);
        if (!model_.fits()) return false;
        for (const std::uint32_t p : late_) expand<K>(p, parents + stride * p, true);
    }
    if (!model_.fits()) return false;
    place_candidates();
    return model_.fits();
}

void Engine::report_regress(std::uint32_t candidate) {
    const std::size_t k = static_cast<std::size_t>(model_.layout.words), stride = static_cast<std::size_t>(this->stride());
    std::size_t p = 0;
    while (candidate < block_[p].begin || candidate >= block_[p].end) ++p;
    const Word* parents = layers_[here_]->unprocessed.front(block_size, static_cast<int>(stride)).first;
    oracle_.regress(parents + stride * p, here_, words_.data() + k * candidate, found_[candidate].place);
}

/// Find the layers of the candidates; a step that goes back ends the run.
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
        if (!layer_leq(here_, found.place)) report_regress(c);
        leaf = found.leaf < model_.leaves.size() ? &model_.leaves[found.leaf] : nullptr;
        if (leaf && leaf->moves_evenly) {
            leaf->from = here_;
            leaf->to = found.place;
        }
    }
}

template <int K>
void Engine::admit(const Word* state, LayerId place, std::uint64_t parent, std::uint64_t edge) {
    const std::uint64_t number = counters.states++;
    ++layers_[place]->states;
    counters.peak = std::max(counters.peak, ++counters.stored);
    ++since_collection_;
    layers_[place]->unprocessed.push<K>(state, number, model_.layout.words, stride());
    if (parents_) parents_->append(parent == no_parent ? number : parent, edge);
}

/// Look the candidates up, parent by parent, in order; store and queue those that are new.
template <int K>
void Engine::insert_candidates(LayerId current, const Word* parents, std::uint32_t count) {
    const int k = K ? K : model_.layout.words;
    const std::size_t width = static_cast<std::size_t>(k), stride = static_cast<std::size_t>(this->stride());
    const bool one_layer = !settings_.by_progress;
    const bool at_intervals = settings_.by_progress && settings_.collect != Settings::Collect::layer;
    const std::uint64_t most_states = settings_.most_states.value_or(~std::uint64_t{0});
    const Candidate* const found = found_.data();
    const std::uint32_t candidates = candidates_;
    std::uint64_t* const edge_counts = edge_counts_.data();
    Layer& here = *layers_[current];
    const auto place = [&](std::uint32_t c) -> Layer& {
        return one_layer || found[c].place == current ? here : *layers_[found[c].place];
    };
    fresh_.clear();
    dead_.clear();
    for (std::uint32_t c = 0; c < std::min(ahead, candidates); ++c) place(c).visited.template prefetch<K>(found[c].hash, k);
    for (std::uint32_t p = 0; p < count; ++p) {
        const Parent range = block_[p];
        const Word* parent = parents + stride * p;
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
            if (c + ahead < candidates) place(c + ahead).visited.template prefetch<K>(found[c + ahead].hash, k);
            const Word* state = words_.data() + width * c;
            ++edge_counts[found[c].action];
            Layer& layer = place(c);
            if (!layer.visited.template insert<K>(state, found[c].hash, k)) continue;
            if (counters.states == most_states) {
                stop_ = Stop::states;
                return;
            }
            if (layer.visited.size() == 1) layer.visited.template reserve<K>(here.visited.size() / 4, k);
            if (watching_) fresh_.push_back({c, counters.states});
            const std::uint64_t edge = found[c].action + std::uint64_t{found[c].ordinal} * actions.size();
            admit<K>(state, one_layer ? current : found[c].place, numbered_ ? parent[k] : 0, edge);
        }
        ++counters.explored;
        counters.edges += range.end - range.begin;
        if (range.begin == range.end) dead_.push_back(p);
        if (at_intervals && since_collection_ >= interval_) collect(current, here.unprocessed.size() == p + 1);
    }
}

template <int K>
void Engine::process_block(LayerId current) {
    if (!expand_block<K>(current)) {
        grow_layout();
        return;  // the same states are still unprocessed: they come again
    }
    Layer& layer = *layers_[current];
    const int k = model_.layout.words;
    const std::size_t stride = static_cast<std::size_t>(this->stride());
    const auto [parents, size] = layer.unprocessed.front(block_size, static_cast<int>(stride));
    const std::uint32_t count = static_cast<std::uint32_t>(size);
    for (std::uint32_t p = 0; settings_.verify && p < count; p += verify_every) {
        std::vector<const Word*> successors;
        for (std::uint32_t c = block_[p].begin; c < block_[p].end; ++c) successors.push_back(words_.data() + static_cast<std::size_t>(k) * c);
        oracle_.verify(parents + stride * p, successors);
    }
    insert_candidates<K>(current, parents, count);
    for (const Shown& shown : fresh_) {
        show(words_.data() + static_cast<std::size_t>(k) * shown.candidate, shown.number, false);
        if (stop_ == Stop::violation || stop_ == Stop::decided) break;
    }
    counters.dead += dead_.size();
    for (const std::uint32_t p : dead_) {
        const Word* state = parents + stride * p;
        show(state, numbered_ ? state[k] : 0, true);
        if (stop_ == Stop::violation || stop_ == Stop::decided) break;
    }
    if (stop_ == Stop::states) return;
    layer.unprocessed.pop(count);
    if (layer.unprocessed.size() == 0) {
        count_bytes();
        leave_layer(current);
        if (settings_.by_progress && settings_.collect == Settings::Collect::layer) collect(current, true);
    }
}

// -- the loop ---------------------------------------------------------------------------------------------------------------

void Engine::add_initial(const std::vector<Unpacked>& states) {
    roots_ = states;
    started_ = looked_ = Clock::now();
    windows_.assign(actions.size(), {});
    watching_ = std::any_of(watches.begin(), watches.end(), [](const Watch& watch) {
        return watch.on == Watch::On::invariant || watch.on == Watch::On::reachable || watch.on == Watch::On::target;
    });
    numbered_ = parents_ ? 1 : 0;
    edge_counts_.assign(actions.size(), 0);
    model_.even_measure = linear != nullptr;
    if (linear)
        for (const auto& component : linear->components)
            for (const auto& term : component.terms) model_.watched[term.field] = 1;
    std::vector<Word> packed;
    for (bool again = true; again;) {  // until the layout has room for all of them
        model_.lay_out();
        again = false;
        for (const Unpacked& state : states) {
            packed.assign(static_cast<std::size_t>(model_.layout.words), 0);
            model_.pack(state, packed.data());
        }
        if (!model_.fits()) {
            model_.grow(false);
            again = true;
        }
    }
    refresh();
    for (std::size_t i = 0; i < states.size(); ++i) {
        for (;;) {
            packed.assign(static_cast<std::size_t>(model_.layout.words), 0);
            model_.pack(states[i], packed.data());
            if (model_.fits()) break;
            grow_layout();
        }
        const LayerId place = settings_.by_progress ? layer_of(packed.data()) : 0;
        const Word hash = hash_words<0>(packed.data(), model_.layout.words);
        if (!layers_[place]->visited.insert<0>(packed.data(), hash, model_.layout.words)) continue;
        if (settings_.most_states && counters.states == *settings_.most_states) {
            stop_ = Stop::states;
            return;
        }
        const std::uint64_t number = counters.states;
        admit<0>(packed.data(), place, no_parent, i);
        show(packed.data(), number, false);
        if (stop_ != Stop::none) return;
    }
}

template <int K>
void Engine::loop() {
    const int k = model_.layout.words;
    while (stop_ == Stop::none && model_.layout.words == k) {
        if (!model_.fits()) {
            grow_layout();
            continue;
        }
        const LayerId current = next_layer();
        if (current == no_layer) return;
        do {
            counters.layer = current;
            look_at_clock();
            if (stop_ != Stop::none) return;
            process_block<K>(current);
        } while (stop_ == Stop::none && model_.fits() && model_.layout.words == k && layers_[current]->unprocessed.size());
    }
}

Stop Engine::run() {
    while (stop_ == Stop::none && next_layer() != no_layer) {
        switch (model_.layout.words) {
            case 1: loop<1>(); break;
            case 2: loop<2>(); break;
            case 3: loop<3>(); break;
            case 4: loop<4>(); break;
            default: loop<0>(); break;
        }
    }
    if (stop_ == Stop::none && settings_.by_progress) collect(no_layer, true);
    else if (stop_ == Stop::none) complete_layer(0);
    finish();
    return stop_;
}

void Engine::finish() {
    if (parents_) parents_->flush();
    for (std::size_t a = 0; a < actions.size(); ++a) action_counters[a].edges = edge_counts_[a];
    count_bytes();
    counters.seconds = since(started_);
    counters.peak_memory = std::max(counters.peak_memory, resident_bytes());
}

void Engine::look_at_clock() {
    const auto now = Clock::now();
    counters.seconds = std::chrono::duration<double>(now - started_).count();
    if (settings_.most_seconds && counters.seconds >= *settings_.most_seconds) {
        stop_ = Stop::seconds;
        return;
    }
    if (counters.explored && std::chrono::duration<double>(now - looked_).count() < tick_seconds) return;
    looked_ = now;
    const std::uint64_t memory = resident_bytes();
    counters.peak_memory = std::max(counters.peak_memory, memory);
    if (settings_.most_memory && memory > *settings_.most_memory) stop_ = Stop::memory;
    count_bytes();
    if (settings_.most_table_memory && counters.table_bytes > *settings_.most_table_memory) forget_tables();
    if (oracle_.tick()) stop_ = Stop::interrupted;
}

void Engine::count_bytes() {
    const int k = model_.layout.words;
    std::uint64_t bytes = 0;
    const auto add = [&](LayerId id) { bytes += layers_[id]->visited.bytes(k) + layers_[id]->unprocessed.bytes(stride()); };
    if (settings_.total_order)
        for (const auto& [rank, id] : by_rank_) add(id);
    else
        for (const LayerId id : waiting_) add(id);
    counters.state_bytes = bytes;
    if (counters.stored == counters.peak) counters.peak_state_bytes = bytes;
    counters.table_bytes = model_.bytes() + measure.bytes();
    for (const Trie& trie : actions) counters.table_bytes += trie.bytes();
    for (const Trie& trie : predicates) counters.table_bytes += trie.bytes();
    for (const Group& group : grouping_.groups) counters.table_bytes += group.bytes();
}

void Engine::grow_layout() {
    const Layout old = model_.layout;
    const std::vector<std::uint8_t> was_interned = model_.interned();
    if (model_.grow(counters.stored > settings_.rewrite_below)) {
        refresh();
        return;
    }
    ++counters.rewrites;
    std::vector<Layer*> live;
    for (const auto& layer : layers_)
        if (layer->live) live.push_back(layer.get());
    if (model_.interned() != was_interned)
        for (Layer* layer : live) layer->visited.each(old.words, [&](const Word* state) { model_.absorb(old, was_interned, state); });
    model_.lay_out();
    const int k = model_.layout.words;
    std::vector<Word> state(static_cast<std::size_t>(k));
    for (Layer* layer : live) {
        VisitedTable visited;
        if (layer->visited.size()) visited.allocate_like(layer->visited, k);
        layer->visited.each(old.words, [&](const Word* before) {
            model_.transfer(old, was_interned, before, state.data());
            visited.insert<0>(state.data(), hash_words<0>(state.data(), k), k);
        });
        layer->visited = std::move(visited);
        StateQueue unprocessed;
        layer->unprocessed.each(old.words + numbered_, [&](const Word* before) {
            model_.transfer(old, was_interned, before, state.data());
            unprocessed.push<0>(state.data(), numbered_ ? before[old.words] : 0, k, k + numbered_);
        });
        layer->unprocessed = std::move(unprocessed);
    }
    refresh();
}

std::vector<Unpacked> Engine::follow(std::uint64_t root, const std::vector<std::uint64_t>& edges) {
    std::vector<Unpacked> states{roots_.at(root)};
    block_.resize(1);
    misses_.clear();
    for (const std::uint64_t edge : edges) {
        std::vector<Word> packed;
        for (;;) {
            packed.assign(static_cast<std::size_t>(model_.layout.words), 0);
            model_.pack(states.back(), packed.data());
            if (model_.fits()) {
                for (std::uint32_t a = 0; a < actions.size(); ++a)
                    if (action_counters[a].tabulated) resolve(a, packed.data());
            }
            candidates_ = 0;
            if (model_.fits()) expand<0>(0, packed.data(), true);
            if (model_.fits()) break;
            grow_layout();
        }
        std::uint32_t c = 0;
        while (c < candidates_ && found_[c].action + std::uint64_t{found_[c].ordinal} * actions.size() != edge) ++c;
        if (c == candidates_) break;  // the model has changed its mind
        states.push_back(model_.unpack(words_.data() + static_cast<std::size_t>(c) * static_cast<std::size_t>(model_.layout.words)));
    }
    return states;
}

// For components.cpp.
template bool Engine::expand<0>(std::uint32_t, const Word*, bool);
template bool Engine::expand<1>(std::uint32_t, const Word*, bool);
template bool Engine::expand<2>(std::uint32_t, const Word*, bool);
template bool Engine::expand<3>(std::uint32_t, const Word*, bool);
template bool Engine::expand<4>(std::uint32_t, const Word*, bool);

}  // namespace sweep
