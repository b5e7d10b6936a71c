#pragma once
#include <algorithm>
#include <cstdint>

#include "sweep/ask/judge.hpp"
#include "sweep/store/fate.hpp"
#include "sweep/store/ledger.hpp"

namespace sweep {

constexpr std::uint32_t look_ups_ahead = 16;  // started before they are needed

/// Look the candidates up, parent by parent, in order; store and number those that are new. With a graph, the edges inside the layer
/// are kept as well. False when a state is new and no more may be found. Not inlined: two copies in one caller made the plain one
/// 6 % slower.
template <int K, bool Graph, class Store>
[[gnu::noinline]] bool insert(const Batch& batch, Block& block, Store& store, Ledger& ledger, Judge& judge) {
    const Block::Candidate* const found = block.found.data();
    const std::uint32_t candidates = block.candidates;
    std::uint64_t* const edges = ledger.edges.data();
    const std::size_t actions = ledger.actions();
    const bool asks = judge.asks_found();
    [[maybe_unused]] const std::uint8_t* const wanted = judge.wanted.data();
    block.fresh.clear();
    block.dead.clear();
    for (std::uint32_t c = 0; c < std::min(look_ups_ahead, candidates); ++c) store.template prefetch<K>(block, c);
    for (std::uint32_t p = 0; p < batch.count; ++p) {
        const Block::Parent range = block.parents[p];
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
            if (c + look_ups_ahead < candidates) store.template prefetch<K>(block, c + look_ups_ahead);
            ++edges[found[c].action];
            Word* slot = nullptr;
            const Fate fate = store.template insert<K>(block, c, slot);
            if constexpr (Graph) {
                if (store.is_here(found[c])) {
                    Layer& layer = store.here();
                    std::uint32_t& number = layer.visited.template number<K>(slot, store.words());
                    if (fate == Fate::fresh) number = static_cast<std::uint32_t>(layer.states);
                    if (wanted[p]) judge.graph.add(number, found[c].action);
                } else if (judge.graph.labelled && wanted[p]) {
                    judge.graph.add(nothing, found[c].action);
                }
            }
            if (fate == Fate::known || fate == Fate::later) continue;
            if (ledger.full()) return false;
            const std::uint64_t number = ledger.found(batch.number(p), Block::edge(found[c], actions));
            if (asks) block.fresh.push_back({c, number});
            store.template admit<K>(block, c, number, fate);
        }
        ++ledger.counters.explored;
        ledger.counters.edges += range.end - range.begin;
        if (range.begin == range.end) block.dead.push_back(p);
        if constexpr (Graph) judge.graph.end_state(range.begin == range.end && wanted[p]);
        store.template processed<K>(batch, p);
    }
    return true;
}

}  // namespace sweep
