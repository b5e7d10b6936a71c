// The layers of a run: their order, which one is next, and when they are deleted.
#include <algorithm>

#include "sweep/engine.hpp"

#include "sweep/memory.hpp"

namespace sweep {

namespace {

constexpr std::size_t profile_rows = 4096;  // as in the reference engine: more rows are merged two by two

}  // namespace

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
    if (id == graph_layer_) complete_layer();  // a collection at an interval may come with the last of its states
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
    if (settings_.report_collections && before) oracle_.collected(current, before);
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

}  // namespace sweep
