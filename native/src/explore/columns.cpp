// Sweeps by a product measure (algorithms B, C and D; paper 2, figure 5). Processes that progress independently give nearly
// every state a progress value of its own, so there are no layers with tables of their own here: all states lie in one
// table, from which they are erased, and the unprocessed ones in a heap. The generalised sweep is a column sweep without
// monotone components: the one column is everything.
#include <algorithm>

#include "sweep/explore/engine.hpp"

namespace sweep {

namespace {

constexpr std::uint64_t all_parts = ~std::uint64_t{0};
constexpr std::uint32_t ahead = 16;  // look-ups started before they are needed

}  // namespace

std::uint32_t Engine::part_value(std::uint32_t index, const Word* state) {
    const Code code = look_up(product.parts[index].trie, state);
    if (code != unknown) return index_of(code);
    const auto start = Clock::now();
    Part& part = product.parts[index];
    run_.begin(state, part.trie, {});
    const std::uint32_t value = oracle_.run_part(index, run_);
    if (!part.trie.insert(run_.path, leaf_code(value))) oracle_.impure("measure", 0, state);
    part.trie.refresh(model_.layout, model_.forms(), false);
    part.watched.resize(model_.variables.size());
    for (const Event& event : run_.path) {
        if (part.watched[event.field]) continue;
        part.watched[event.field] = 1;
        touched_.clear();
    }
    counters.oracle_seconds += seconds_since(start);
    return value;
}

bool Engine::part_leq(std::uint32_t index, std::uint32_t one, std::uint32_t other) {
    Part& part = product.parts[index];
    if (part.total) return part.labels[one] <= part.labels[other];
    if (one < Part::side && other < Part::side) {
        if (part.few_leq.empty()) part.few_leq.assign(Part::side * Part::side, -1);
        std::int8_t& known = part.few_leq[one * Part::side + other];
        if (known < 0) known = oracle_.part_leq(index, one, other);
        return known != 0;
    }
    const auto [known, is_new] = part.known_leq.try_emplace(std::uint64_t{one} << 32 | other);
    if (is_new) known->second = oracle_.part_leq(index, one, other);
    return known->second;
}

/// The key of any state, in `key_`.
void Engine::key_of(const Word* state) {
    scratch_values_.resize(product.parts.size());
    for (std::uint32_t i = 0; i < product.parts.size(); ++i) scratch_values_[i] = part_value(i, state);
    if (product.changed) renew_keys();
    key_.resize(product.key_words());
    product.key(scratch_values_.data(), key_.data());
}

/// New values took a place among the others: all keys are made again. All values in question are known by now.
void Engine::renew_keys() {
    product.changed = false;
    Heap before;
    std::swap(before, frontier_);
    frontier_.shape(product.key_words(), static_cast<std::size_t>(model_.layout.words));
    std::vector<std::uint32_t> values(product.parts.size());
    std::vector<Word> key(product.key_words());
    before.each([&](std::uint64_t number, const Word* state) {
        for (std::uint32_t i = 0; i < values.size(); ++i) values[i] = part_value(i, state);
        product.key(values.data(), key.data());
        frontier_.push(key.data(), number, state);
    });
    current_key_.resize(product.key_words());
    if (!part_values.empty()) product.key(part_values.data(), current_key_.data());
}

/// Where each candidate lies as seen from the states at work, all of which have the same progress.
void Engine::turn_candidates() {
    const std::size_t k = static_cast<std::size_t>(model_.layout.words), parts = product.parts.size();
    turns_.assign(candidates_, Turn::ahead);
    for (std::uint32_t c = 0; c < candidates_; ++c) {
        const Word* state = words_.data() + k * c;
        const std::uint32_t leaf = found_[c].leaf;
        std::uint64_t touched = all_parts;
        if (leaf < model_.leaves.size() && parts <= 64) {
            if (touched_.size() < model_.leaves.size()) touched_.resize(model_.leaves.size(), all_parts);
            touched = touched_[leaf];
            if (touched == all_parts && parts < 64) {  // not known yet
                touched = 0;
                model_.each_changed(leaf, [&](std::uint32_t field) {
                    for (std::size_t i = 0; i < parts; ++i)
                        if (field < product.parts[i].watched.size() && product.parts[i].watched[field]) touched |= std::uint64_t{1} << i;
                });
                touched_[leaf] = touched;
            }
        }
        bool elsewhere = false, back = false;
        for (std::uint32_t i = 0; i < parts; ++i) {
            if (i < 64 && !(touched >> i & 1)) continue;
            const std::uint32_t value = part_value(i, state);
            if (value == part_values[i]) continue;
            const bool below = part_leq(i, part_values[i], value);
            if (product.parts[i].monotone) {
                elsewhere = true;
                if (!below) report_regress(c);
            } else {
                back |= !below;
            }
        }
        if (back && !elsewhere && !settings_.again) report_regress(c);
        turns_[c] = elsewhere ? Turn::elsewhere : back ? Turn::back : Turn::ahead;
    }
}

/// Delete the processed states whose layer is left.
template <int K>
void Engine::collect_columns(bool current_done) {
    since_collection_ = 0;
    const int k = K ? K : model_.layout.words;
    const std::uint64_t before = counters.stored;
    StateQueue& processed = layers_[1]->unprocessed;
    if (current_done) processed_done_ = processed.size();
    if (counters.at_peak() && processed_done_) count_state_bytes();
    while (processed_done_) {
        const auto [states, count] = processed.front(processed_done_, stride());
        for (std::uint64_t i = 0; i < count; ++i) {
            const Word* state = states + i * static_cast<std::uint64_t>(stride());
            const Word hash = hash_words<K>(state, k);
            if (!layers_[0]->visited.template erase<K>(state, hash, k)) continue;
            --counters.stored;
            if (layers_[0]->kept.size()) counters.kept += layers_[0]->kept.template erase<K>(state, hash, k);
        }
        processed.pop(count);
        processed_done_ -= count;
    }
    if (settings_.report_collections && before) oracle_.collected(0, before);
    adapt_interval(before);
}

/// The progress of the layer that was just left belongs to the last row of the profile.
void Engine::leave_values() {
    const std::size_t parts = product.parts.size(), rows = profile_values.size() / parts;
    if (profile.size() > rows) {
        profile_values.insert(profile_values.end(), part_values.begin(), part_values.end());
        return;
    }
    if (profile.size() < rows) {  // rows were merged two by two: the second one gives the name; this one was the last
        for (std::size_t i = 0; i < profile.size(); ++i)
            for (std::size_t part = 0; part < parts && 2 * i + 1 < rows; ++part)
                profile_values[i * parts + part] = profile_values[(2 * i + 1) * parts + part];
        profile_values.resize(profile.size() * parts);
    }
    std::copy(part_values.begin(), part_values.end(), profile_values.end() - static_cast<std::ptrdiff_t>(parts));
}

/// Put the next states of least progress to work; false when everything is done.
template <int K>
bool Engine::next_in_columns() {
    const bool at_layers = settings_.collect == Settings::Collect::layer;
    if (layer_open_ && (frontier_.empty() || !std::equal(current_key_.begin(), current_key_.end(), frontier_.key()))) {
        layer_open_ = false;
        leave_layer(0);
        leave_values();
        processed_done_ = layers_[1]->unprocessed.size();
        if (at_layers) collect_columns<K>(true);
        if (frontier_.empty() || !product.same_column(current_key_.data(), frontier_.key())) {  // the end of a sweep
            collect_columns<K>(true);
            Layer& column = *layers_[0];
            if (column.roots.size()) {
                ++counters.sweeps;
                std::uint64_t order = 0;  // where states have no numbers
                column.roots.each(stride(), [&](const Word* root) {
                    key_of(root);
                    frontier_.push(key_.data(), numbered_ ? root[model_.layout.words] : order++, root);
                });
                column.roots = {};
            } else {  // and of the column
                counters.stored -= column.persistent.size();
                if (column.kept.size())
                    column.persistent.each(model_.layout.words, [&](const Word* state) {
                        counters.kept +=
                            column.kept.template erase<K>(state, hash_words<K>(state, model_.layout.words), model_.layout.words);
                    });
                column.persistent.clear();
                keeping_.clear();
                part_values.clear();
            }
            rooted_.clear();
        }
    }
    if (frontier_.empty()) return false;
    if (!layer_open_) {
        if (part_values.empty()) {
            counters.columns += std::any_of(product.parts.begin(), product.parts.end(), [](const Part& part) { return part.monotone; });
            ++counters.sweeps;
        }
        part_values.resize(product.parts.size());
        product.values(frontier_.key(), part_values.data());
        current_key_.assign(frontier_.key(), frontier_.key() + product.key_words());
        layer_open_ = true;
    }
    Layer& work = *layers_[0];
    for (std::uint32_t i = 0; i < block_size && !frontier_.empty(); ++i) {
        if (!std::equal(current_key_.begin(), current_key_.end(), frontier_.key())) break;
        work.unprocessed.push<K>(frontier_.state(), frontier_.number(), model_.layout.words, stride());
        frontier_.pop();
    }
    return true;
}

template <int K>
void Engine::insert_into_columns(const Word* parents, std::uint32_t count) {
    const int k = K ? K : model_.layout.words;
    const std::size_t width = static_cast<std::size_t>(k), stride = static_cast<std::size_t>(this->stride());
    Layer& here = *layers_[0];
    const std::uint64_t most_states = settings_.most_states.value_or(~std::uint64_t{0});
    fresh_.clear();
    dead_.clear();
    for (std::uint32_t c = 0; c < std::min(ahead, candidates_); ++c) here.visited.template prefetch<K>(found_[c].hash, k);
    for (std::uint32_t p = 0; p < count; ++p) {
        const Parent range = block_[p];
        const Word* parent = parents + stride * p;
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
            if (c + ahead < candidates_) here.visited.template prefetch<K>(found_[c + ahead].hash, k);
            const Word* state = words_.data() + width * c;
            const Candidate& found = found_[c];
            ++edge_counts_[found.action];
            const std::uint64_t edge = found.action + std::uint64_t{found.ordinal} * actions.size();
            const bool back = turns_[c] == Turn::back;
            action_counters[found.action].regress_edges += back;
            if (back || here.persistent.size()) {
                if (here.persistent.find(state, found.hash, k)) continue;
            }
            if (back ? here.visited.find(state, found.hash, k) != nullptr : !here.visited.template insert<K>(state, found.hash, k))
                continue;
            if (counters.states == most_states) {
                stop_ = Stop::states;
                return;
            }
            if (watching_) fresh_.push_back({c, counters.states});
            if (back) {
                persist<K>(state, found.hash, 0, numbered_ ? parent[k] : 0, edge);
                continue;
            }
            const std::uint64_t number = number_found(numbered_ ? parent[k] : 0, edge);
            key_ = current_key_;
            const std::uint64_t touched = found.leaf < touched_.size() ? touched_[found.leaf] : all_parts;
            for (std::uint32_t i = 0; i < product.parts.size(); ++i)
                if (i >= 64 || (touched >> i & 1)) product.change(key_.data(), i, part_value(i, state));
            frontier_.push(key_.data(), number, state);
        }
        ++counters.explored;
        ++here.states;
        counters.edges += range.end - range.begin;
        if (range.begin == range.end) dead_.push_back(p);
        layers_[1]->unprocessed.push<K>(parent, numbered_ ? parent[k] : 0, k, static_cast<int>(stride));
        if (settings_.collect != Settings::Collect::layer && since_collection_ >= interval_) {
            const bool same = !frontier_.empty() && std::equal(current_key_.begin(), current_key_.end(), frontier_.key());
            collect_columns<K>(!same && here.unprocessed.size() == p + 1);
        }
    }
}

/// Process some of the states at work; false when the layout changed and it must be done again.
template <int K>
bool Engine::process_columns() {
    if (!expand_block<K>(0)) return false;
    turn_candidates();
    if (!model_.fits()) return false;
    if (product.changed) renew_keys();
    const auto [parents, size] = layers_[0]->unprocessed.front(block_size, stride());
    const std::uint32_t count = static_cast<std::uint32_t>(size);
    verify_block(parents, count);
    insert_into_columns<K>(parents, count);
    show_block(parents);
    if (stop_ != Stop::states) layers_[0]->unprocessed.pop(count);
    return true;
}

template <int K>
void Engine::sweep_columns() {
    const int k = model_.layout.words;
    for (std::uint64_t blocks = 0; stop_ == Stop::none && model_.layout.words == k; ++blocks) {
        if (!model_.fits()) {
            grow_layout();
            continue;
        }
        if (blocks % 64 == 0) look_at_clock();
        if (stop_ != Stop::none) return;
        finished_ = layers_[0]->unprocessed.size() == 0 && !next_in_columns<K>();
        if (finished_) return;
        if (!process_columns<K>()) grow_layout();
    }
}

template void Engine::sweep_columns<0>();
template void Engine::sweep_columns<1>();
template void Engine::sweep_columns<2>();
template void Engine::sweep_columns<3>();
template void Engine::sweep_columns<4>();

}  // namespace sweep
