// The loop: blocks of the least layer are expanded, their successors looked up, and what is done is left behind.
#include "sweep/explore/engine.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "sweep/store/memory.hpp"

namespace sweep {

namespace {

constexpr std::uint32_t ahead = 16;  // look-ups started before they are needed
constexpr double tick_seconds = 0.05;
constexpr std::size_t dead_shown = 10;  // in a state space report

}  // namespace

Engine::Engine(Model& model, Oracle& oracle, Settings settings)
    : model_(model), oracle_(oracle), settings_(std::move(settings)), run_(model), interval_(settings_.interval) {
    if (settings_.parent_file) {
        parents_ = std::make_unique<ParentWriter>(*settings_.parent_file);
        if (settings_.nameless_parent_file) std::remove(settings_.parent_file->c_str());
    }
    if (!settings_.by_progress) add_layer();
    if (!settings_.by_progress) add_layer();  // of use to some: see columns.cpp and caching.cpp
    model_.watched.assign(model_.variables.size(), 0);
    // Grouped actions give the same edges in another order. Where that shows in the numbers they are not grouped: with
    // collections at intervals the peak depends on the order within a layer.
    groups_allowed_ = settings_.collect == Settings::Collect::layer && !settings_.depth_first;  // so does what is found again
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

/// A state was found: its number.
std::uint64_t Engine::number_found(std::uint64_t parent, std::uint64_t edge) {
    const std::uint64_t number = counters.states++;
    counters.peak = std::max(counters.peak, ++counters.stored + counters.kept);
    ++since_collection_;
    if (parents_) parents_->append(parent == no_parent ? number : parent, edge);
    return number;
}

template <int K>
void Engine::admit(const Word* state, LayerId place, std::uint64_t parent, std::uint64_t edge) {
    const std::uint64_t number = number_found(parent, edge);
    Layer& layer = *layers_[place];
    ++layer.states;
    layer.unprocessed.push<K>(state, number, model_.layout.words, stride());
    if (layer.unprocessed.size() == 1) open_layer(place);
}

/// Keep a state that a step back led to, if it is new, as a root of the next sweep; false when it is stored already.
template <int K>
bool Engine::persist(const Word* state, Word hash, LayerId place, std::uint64_t parent, std::uint64_t edge) {
    Layer& layer = *layers_[place];
    const int k = model_.layout.words;
    if (layer.visited.find(state, hash, k) || !layer.persistent.insert<K>(state, hash, k)) return false;
    if (layer.persistent.size() == 1) keeping_.push_back(place);
    if (layer.roots.size() == 0) rooted_.push_back(place);
    ++counters.persistent;
    layer.roots.push<K>(state, number_found(parent, edge), k, stride());
    return true;
}

/// Whether a candidate needs no more attention: it is a persistent state, or has become one because a step back led to it.
template <int K>
bool Engine::goes_back(std::uint32_t c, const Layer& layer, const Layer& here, const Word* parent) {
    const Candidate& found = found_[c];
    const int k = K ? K : model_.layout.words;
    const Word* state = words_.data() + static_cast<std::size_t>(k) * c;
    const bool back = &layer != &here && !(settings_.total_order ? here.rank <= layer.rank : layer_leq(here_, found.place));
    if (!back) return layer.persistent.size() && layer.persistent.find(state, found.hash, k);
    ++action_counters[found.action].regress_edges;
    if (settings_.most_states && counters.states == *settings_.most_states) {
        const bool stored = layer.visited.find(state, found.hash, k) || layer.persistent.find(state, found.hash, k);
        if (!stored) stop_ = Stop::states;
        return stored;
    }
    const std::uint64_t edge = found.action + std::uint64_t{found.ordinal} * actions.size();
    if (persist<K>(state, found.hash, found.place, numbered_ ? parent[k] : 0, edge) && watching_)
        fresh_.push_back({c, counters.states - 1});
    return true;
}

/// Look the candidates up, parent by parent, in order; store and queue those that are new. With a graph, the edges
/// inside the layer are kept as well. Not inlined: two copies in one caller made the plain one 6 % slower.
template <int K, bool Graph>
[[gnu::noinline]] void Engine::insert_candidates(LayerId current, const Word* parents, std::uint32_t count) {
    const int k = K ? K : model_.layout.words;
    const std::size_t width = static_cast<std::size_t>(k), stride = static_cast<std::size_t>(this->stride());
    const bool one_layer = !settings_.by_progress;
    const bool at_intervals = settings_.by_progress && settings_.collect != Settings::Collect::layer;
    const bool again = settings_.again;
    const std::uint64_t most_states = settings_.most_states.value_or(~std::uint64_t{0});
    const Candidate* const found = found_.data();
    const std::uint32_t candidates = candidates_;
    std::uint64_t* const edge_counts = edge_counts_.data();
    Layer& here = *layers_[current];
    const auto place = [&](std::uint32_t c) -> Layer& { return one_layer || found[c].place == current ? here : *layers_[found[c].place]; };
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
            if (again && (&layer != &here || layer.persistent.size())) {
                if (goes_back<K>(c, layer, here, parent)) continue;
                if (stop_ != Stop::none) return;
            }
            Word* slot;
            const bool is_new = layer.visited.template insert<K>(state, found[c].hash, k, slot);
            if constexpr (Graph) {
                if (&layer == &here) {
                    std::uint32_t& number = layer.visited.template number<K>(slot, k);
                    if (is_new) number = static_cast<std::uint32_t>(layer.states);
                    if (kept_[p]) graph_.add(number, found[c].action);
                } else if (graph_.labelled && kept_[p]) {
                    graph_.add(nothing, found[c].action);
                }
            }
            if (!is_new) continue;
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
        if constexpr (Graph) graph_.end_state(range.begin == range.end && kept_[p]);
        if (at_intervals && since_collection_ >= interval_) collect(current, here.unprocessed.size() == p + 1);
    }
}

/// Have the block compared with what the functions say now: all of it where that is asked for, else a sample.
void Engine::verify_block(const Word* parents, std::uint32_t count) {
    if (counters.explored >= next_sample_) sample_block(parents, count);
    const std::size_t k = static_cast<std::size_t>(model_.layout.words), stride = static_cast<std::size_t>(this->stride());
    for (std::uint32_t p = 0; settings_.verify && p < count; ++p) {
        std::vector<const Word*> successors;
        for (std::uint32_t c = block_[p].begin; c < block_[p].end; ++c) successors.push_back(words_.data() + k * c);
        oracle_.verify(parents + stride * p, successors);
    }
}

/// Show the states that the block found, and those of it that are dead, to whoever watches.
void Engine::show_block(const Word* parents) {
    const std::size_t k = static_cast<std::size_t>(model_.layout.words), stride = static_cast<std::size_t>(this->stride());
    for (const Shown& shown : fresh_) {
        show(words_.data() + k * shown.candidate, shown.number, false, settings_.by_progress ? found_[shown.candidate].place : 0);
        if (stop_ == Stop::violation || stop_ == Stop::decided) break;
    }
    counters.dead += dead_.size();
    for (const std::uint32_t p : dead_) {
        const Word* state = parents + stride * p;
        if (survey && dead_states.size() < dead_shown) dead_states.push_back(model_.unpack(state));
        show(state, numbered_ ? state[k] : 0, true, here_);
        if (stop_ == Stop::violation || stop_ == Stop::decided) break;
    }
}

template <int K>
void Engine::process_block(LayerId current) {
    if (!expand_block<K>(current)) {
        grow_layout();
        return;  // the same states are still unprocessed: they come again
    }
    Layer& layer = *layers_[current];
    const auto [parents, size] = layer.unprocessed.front(block_size, stride());
    const std::uint32_t count = static_cast<std::uint32_t>(size);
    verify_block(parents, count);
    if (graphing_) {
        if (graph_layer_ != current) begin_graph(current);
        judge_parents(current, parents, count);
        insert_candidates<K, true>(current, parents, count);
    } else {
        insert_candidates<K, false>(current, parents, count);
    }
    for (std::uint32_t p = 0; survey && p < count; ++p) survey->see(model_, parents + static_cast<std::size_t>(stride()) * p);
    show_block(parents);
    if (stop_ == Stop::states) return;
    layer.unprocessed.pop(count);
    if (layer.unprocessed.size() == 0) {
        count_bytes();
        close_layer(current);
        leave_layer(current);
        if (graph_layer_ == current && stop_ == Stop::none) complete_layer();
        if (settings_.by_progress && settings_.collect == Settings::Collect::layer) collect(current, true);
    }
}

void Engine::add_initial(const std::vector<Unpacked>& states) {
    roots_ = states;
    started_ = looked_ = Clock::now();
    windows_.assign(actions.size(), {});
    watching_ = std::any_of(watches.begin(), watches.end(), [](const Question& watch) {
        return watch.on == Question::On::invariant || watch.on == Question::On::reachable || watch.on == Question::On::target;
    });
    watching_ |= std::any_of(tallies.begin(), tallies.end(), [](const Tally& tally) { return !tally.dead; });
    graphing_ = survey || std::any_of(watches.begin(), watches.end(), [](const Question& watch) {
                    return watch.on == Question::On::always_possible || watch.on == Question::On::always_eventually;
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
    if (by_parts()) product.lay_out();
    for (const auto& layer : layers_) layer->unprocessed.lasting = by_parts() || settings_.depth_first;
    frontier_.shape(product.key_words(), static_cast<std::size_t>(model_.layout.words));
    refresh();
    for (std::size_t i = 0; i < states.size() && !settings_.depth_first; ++i) {
        for (;;) {
            packed.assign(static_cast<std::size_t>(model_.layout.words), 0);
            model_.pack(states[i], packed.data());
            if (model_.fits()) break;
            grow_layout();
        }
        if (by_parts()) key_of(packed.data());
        const LayerId place = settings_.by_progress ? layer_of(packed.data()) : 0;
        const Word hash = hash_words<0>(packed.data(), model_.layout.words);
        if (!layers_[place]->visited.insert<0>(packed.data(), hash, model_.layout.words)) continue;
        if (settings_.most_states && counters.states == *settings_.most_states) {
            stop_ = Stop::states;
            return;
        }
        const std::uint64_t number = counters.states;
        if (by_parts())
            frontier_.push(key_.data(), number_found(no_parent, i), packed.data());
        else
            admit<0>(packed.data(), place, no_parent, i);
        show(packed.data(), number, false, place);
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

template <int K>
void Engine::explore() {
    if (by_parts())
        sweep_columns<K>();
    else if (settings_.depth_first)
        search_depth_first<K>();
    else
        loop<K>();
}

Stop Engine::run() {
    counters.sweeps = settings_.by_progress;
    while (stop_ == Stop::none && !finished_) {
        switch (model_.layout.words) {  // a change of the layout ends a loop: it goes on with the new width
            case 1: explore<1>(); break;
            case 2: explore<2>(); break;
            case 3: explore<3>(); break;
            case 4: explore<4>(); break;
            default: explore<0>(); break;
        }
        if (stop_ != Stop::none || by_parts() || settings_.depth_first || next_layer() != no_layer) continue;
        if (settings_.by_progress) collect(here_, true);
        finished_ = !next_sweep();
    }
    sample_roots();
    finish();
    return stop_;
}

void Engine::finish() {
    if (parents_) parents_->flush();
    for (std::size_t a = 0; a < actions.size(); ++a) action_counters[a].edges = edge_counts_[a];
    count_bytes();
    counters.seconds = seconds_since(started_);
    counters.peak_memory = std::max(counters.peak_memory, resident_bytes());
}

/// Whether a tick has come round; stops when time is up.
bool Engine::tick_is_due() {
    const auto now = Clock::now();
    counters.seconds = std::chrono::duration<double>(now - started_).count();
    if (settings_.most_seconds && counters.seconds >= *settings_.most_seconds) {
        stop_ = Stop::seconds;
        return false;
    }
    if (counters.explored && std::chrono::duration<double>(now - looked_).count() < tick_seconds) return false;
    looked_ = now;
    return true;
}

void Engine::look_at_clock() {
    if (!tick_is_due()) return;
    const std::uint64_t memory = resident_bytes();
    counters.peak_memory = std::max(counters.peak_memory, memory);
    if (settings_.most_memory && memory > *settings_.most_memory) stop_ = Stop::memory;
    count_bytes();
    if (settings_.most_table_memory && counters.table_bytes > *settings_.most_table_memory) forget_tables();
    if (oracle_.tick()) stop_ = Stop::interrupted;
}

/// Bytes of the stored states, and of what is known about their order.
void Engine::count_state_bytes() {
    const int k = model_.layout.words;
    std::uint64_t bytes = counters.kept_bytes + graph_.bytes() + frontier_.bytes() +
                          (stack_states_.capacity() + pending_.capacity()) * sizeof(Word) + stack_.capacity() * sizeof(Frame);
    if (by_parts() || settings_.depth_first)
        for (const auto& layer : layers_) bytes += layer->visited.bytes(k) + layer->unprocessed.bytes(stride());
    const auto add = [&](LayerId id) { bytes += layers_[id]->visited.bytes(k) + layers_[id]->unprocessed.bytes(stride()); };
    for (const auto& [rank, id] : open_by_rank_) add(id);
    for (const LayerId id : open_) add(id);
    for (const LayerId id : done_) add(id);
    for (const LayerId id : keeping_) bytes += layers_[id]->persistent.bytes(k) + layers_[id]->roots.bytes(stride());
    counters.state_bytes = bytes;
    if (counters.at_peak()) counters.peak_state_bytes = bytes;
}

void Engine::count_bytes() {
    count_state_bytes();
    counters.table_bytes = model_.bytes() + measure.bytes();
    for (const Part& part : product.parts) counters.table_bytes += part.trie.bytes();
    for (const Trie& trie : actions) counters.table_bytes += trie.bytes();
    for (const Trie& trie : predicates) counters.table_bytes += trie.bytes();
    for (const Tally& tally : tallies) counters.table_bytes += tally.function.bytes();
    for (const Group& group : grouping_.groups) counters.table_bytes += group.bytes();
}

/// Every state that is kept anywhere; some are kept twice.
template <class Visit>
void Engine::each_kept(Visit&& visit) const {
    const int k = model_.layout.words;
    const std::size_t words = static_cast<std::size_t>(k);
    for (const auto& layer : layers_) {
        for (const VisitedTable* table : {&layer->visited, &layer->persistent, &layer->kept}) table->each(k, visit);
        for (const StateQueue* queue : {&layer->unprocessed, &layer->roots}) queue->each(k + numbered_, visit);
    }
    for (std::size_t at = 0; at < stack_states_.size(); at += words) visit(stack_states_.data() + at);
    for (std::size_t at = 0; at < pending_.size(); at += words + 1) visit(pending_.data() + at);
    frontier_.each([&](std::uint64_t, const Word* state) { visit(state); });
}

void Engine::grow_layout() {
    if (model_.must_inspect()) each_kept([&](const Word* state) { model_.inspect(state); });
    const Layout old = model_.layout;
    const std::vector<Form> were = model_.forms();
    if (model_.grow(counters.stored > settings_.rewrite_below)) {
        refresh();
        return;
    }
    ++counters.rewrites;
    if (model_.forms() != were) each_kept([&](const Word* state) { model_.absorb(old, were, state); });
    const std::size_t old_words = static_cast<std::size_t>(old.words);
    model_.lay_out();
    const int k = model_.layout.words;
    std::vector<Word> state(static_cast<std::size_t>(k));
    const auto rewrite_table = [&](VisitedTable& table) {
        if (table.size() == 0) {  // but it may have room, made for narrower states
            table.clear();
            return;
        }
        VisitedTable rewritten;
        rewritten.allocate_like(table, k);
        if (table.numbered()) rewritten.keep_numbers();
        table.each(old.words, [&](const Word* before) {
            model_.transfer(old, were, before, state.data());
            Word* slot;
            rewritten.insert<0>(state.data(), hash_words<0>(state.data(), k), k, slot);
            if (rewritten.numbered()) rewritten.number<0>(slot, k) = table.number<0>(before, old.words);
        });
        table = std::move(rewritten);
    };
    const auto rewrite_queue = [&](StateQueue& queue) {
        StateQueue rewritten;  // also for an empty one, whose room may have been made for narrower states
        rewritten.lasting = queue.lasting;
        queue.each(old.words + numbered_, [&](const Word* before) {
            model_.transfer(old, were, before, state.data());
            rewritten.push<0>(state.data(), numbered_ ? before[old.words] : 0, k, k + numbered_);
        });
        queue = std::move(rewritten);
    };
    for (const auto& layer : layers_) {
        rewrite_table(layer->visited);
        rewrite_table(layer->persistent);
        rewrite_table(layer->kept);
        rewrite_queue(layer->unprocessed);
        rewrite_queue(layer->roots);
    }
    const auto rewrite_states = [&](std::vector<Word>& states, std::size_t beside) {  // with so many words beside each
        std::vector<Word> rewritten;
        for (std::size_t at = 0; at < states.size(); at += old_words + beside) {
            model_.transfer(old, were, states.data() + at, state.data());
            rewritten.insert(rewritten.end(), state.begin(), state.end());
            for (std::size_t i = 0; i < beside; ++i) rewritten.push_back(states[at + old_words + i]);
        }
        states.swap(rewritten);
    };
    for (Frame& frame : stack_) frame.pending = frame.pending / (old_words + 1) * (static_cast<std::size_t>(k) + 1);
    rewrite_states(stack_states_, 0);
    rewrite_states(pending_, 1);
    refresh();
    if (!frontier_.empty()) {
        Heap before;
        std::swap(before, frontier_);
        frontier_.shape(product.key_words(), static_cast<std::size_t>(k));
        before.each([&](std::uint64_t number, const Word* entry) {
            model_.transfer(old, were, entry, state.data());
            key_of(state.data());
            frontier_.push(key_.data(), number, state.data());
        });
    } else {
        frontier_.shape(product.key_words(), static_cast<std::size_t>(k));
    }
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

// Used by the strategies that have files of their own.
template bool Engine::expand_block<0>(LayerId);
template bool Engine::expand_block<1>(LayerId);
template bool Engine::expand_block<2>(LayerId);
template bool Engine::expand_block<3>(LayerId);
template bool Engine::expand_block<4>(LayerId);
template bool Engine::persist<0>(const Word*, Word, LayerId, std::uint64_t, std::uint64_t);
template bool Engine::persist<1>(const Word*, Word, LayerId, std::uint64_t, std::uint64_t);
template bool Engine::persist<2>(const Word*, Word, LayerId, std::uint64_t, std::uint64_t);
template bool Engine::persist<3>(const Word*, Word, LayerId, std::uint64_t, std::uint64_t);
template bool Engine::persist<4>(const Word*, Word, LayerId, std::uint64_t, std::uint64_t);

}  // namespace sweep
