// The layers of a run: their order, which one is next, and when they are deleted.
#include <algorithm>

#include "sweep/explore/engine.hpp"

#include "sweep/store/memory.hpp"

namespace sweep {

namespace {

constexpr std::size_t profile_rows = 4096;  // as in the reference engine: more rows are merged two by two

}  // namespace

LayerId Engine::add_layer(std::optional<LayerId> below) {
    constexpr std::uint64_t step = std::uint64_t{1} << 32;
    const LayerId id = static_cast<LayerId>(layers_.size());
    layers_.push_back(std::make_unique<Layer>());
    if (!settings_.total_order) return id;
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
        std::map<std::uint64_t, LayerId> open;
        for (const auto& [rank, layer] : open_by_rank_) open.emplace(layers_[layer]->rank, layer);
        open_by_rank_.swap(open);
        std::tie(low, high) = neighbours();
    }
    layers_[id]->rank = low + (high - low) / 2;
    by_rank_.emplace(layers_[id]->rank, id);
    return id;
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
    if (settings_.total_order) return open_by_rank_.empty() ? no_layer : open_by_rank_.begin()->second;
    return open_.empty() ? no_layer : open_.size() == 1 ? open_[0] : oracle_.minimal(open_);
}

void Engine::open_layer(LayerId id) {
    if (settings_.total_order)
        open_by_rank_.emplace(layers_[id]->rank, id);
    else
        open_.push_back(id);
}

void Engine::close_layer(LayerId id) {
    if (settings_.total_order)
        open_by_rank_.erase(layers_[id]->rank);
    else
        std::erase(open_, id);
    layers_[id]->done_in = counters.sweeps;
    done_.push_back(id);
}

void Engine::drop(LayerId id) {
    if (id == graph_layer_) complete_layer();  // a collection at an interval may come with the last of its states
    Layer& layer = *layers_[id];
    counters.stored -= layer.visited.size();
    layer.visited.clear();
    if (layer.kept.size()) {
        const int k = model_.layout.words;
        VisitedTable still;
        still.allocate_like(layer.kept, k);
        layer.kept.each(k, [&](const Word* state) {
            const Word hash = hash_words<0>(state, k);
            if (layer.persistent.find(state, hash, k))
                still.insert<0>(state, hash, k);
            else
                ++counters.kept;
        });
        layer.kept = std::move(still);
    }
    if (settings_.again || !layer.live) return;
    // No step may lead here any more.
    layer.live = false;
    if (settings_.total_order) {
        by_rank_.erase(layer.rank);
        open_by_rank_.erase(layer.rank);
    }
    layer.rank = 0;  // below every live layer: a step to it goes back
    if (linear) linear_order_.erase(linear_values_[id]);
}

/// Delete the layers that are done. Each of them was a minimal one when it was processed, and what is found later lies at or
/// above what was unprocessed then: so nothing leads back to it but steps that go back.
void Engine::collect(LayerId current, bool current_done) {
    since_collection_ = 0;
    if (counters.at_peak()) count_bytes();
    const std::uint64_t before = counters.stored;
    for (const LayerId layer : done_) drop(layer);
    done_.clear();
    if (current_done && current != no_layer) drop(current);
    if (settings_.report_collections && before) oracle_.collected(current, before);
    adapt_interval(before);
}

/// After a collection: when the next one is due, by the rule of strategies/collection.py.
void Engine::adapt_interval(std::uint64_t before) {
    if (settings_.collect != Settings::Collect::adaptive) return;
    const std::uint64_t reclaimed = before - counters.stored;
    const bool scarce = settings_.most_memory && 4 * resident_bytes() > 3 * *settings_.most_memory;
    if (scarce)
        interval_ = std::max<std::uint64_t>(256, interval_ / 2);
    else if (4 * reclaimed < before)
        interval_ = std::min<std::uint64_t>(1 << 20, interval_ * 2);
}

/// Begin another sweep with the states that steps back led to in the last one; false when there are none.
bool Engine::next_sweep() {
    if (rooted_.empty()) return false;
    ++counters.sweeps;
    for (const LayerId id : rooted_) {
        Layer& layer = *layers_[id];
        layer.unprocessed = std::move(layer.roots);
        layer.roots = {};
        layer.states = layer.unprocessed.size();
        open_layer(id);
    }
    rooted_.clear();
    return true;
}

void Engine::leave_layer(LayerId layer) {
    const LayerRow row{layer, layers_[layer]->states, counters.stored};
    layers_[layer]->states = 0;
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

}  // namespace sweep
