#pragma once
#include <memory>
#include <type_traits>
#include <vector>

#include "sweep/explore/guard.hpp"
#include "sweep/explore/inserter.hpp"
#include "sweep/explore/pass.hpp"
#include "sweep/explore/verifier.hpp"
#include "sweep/program/expander.hpp"
#include "sweep/program/resolver.hpp"
#include "sweep/store/key_store.hpp"

namespace sweep {

/// Who works together in a sweep, besides the store and the progress.
struct Crew {
    Resolver& resolver;
    Expander& expander;
    std::vector<std::unique_ptr<Pass>>& passes;
    Verifier& verifier;
    Ledger& ledger;
    Judge& judge;
    Guard& guard;
    Block& block;

    const Schema& schema() const { return resolver.program().schema; }

    /// The successors of a batch. False when it has to be done again: when the layout, which is too small for them, has grown; or
    /// at once, as a function has to look at numbers that it had compared until then.
    template <int K>
    bool expand(const Batch& batch) {
        try {
            return try_to_expand<K>(batch);
        } catch (const Incomparable& met) {
            resolver.stop_comparing(met.function);
            return false;
        }
    }

    /// Look the successors up. Why no more can be stored, if so: those that are stored already are shown all the same.
    template <int K, class Store>
    Stop insert(const Batch& batch, Store& store) {
        try {
            if constexpr (std::is_same_v<Store, LayerStore>)
                if (judge.asks_cycles()) {
                    judge.begin(batch, block, store.here());
                    return sweep::insert<K, true>(batch, block, store, ledger, judge) ? Stop::none : Stop::states;
                }
            return sweep::insert<K, false>(batch, block, store, ledger, judge) ? Stop::none : Stop::states;
        } catch (const OutOfMemory&) {
            return Stop::memory;
        }
    }

private:
    template <int K>
    bool try_to_expand(const Batch& batch) {
        resolver.reconsider(ledger.counters.explored);
        expander.expand<K>(batch, block, ledger.counters.explored);
        if (!block.misses.empty()) {
            if (!resolver.answer(block.misses, batch.states, batch.stride, ledger.counters.explored)) return false;
            expander.expand_late<K>(batch, block);
            resolver.forget_direct();
        }
        for (const auto& pass : passes)
            if (schema().fits()) pass->run(batch, block);
        return schema().fits();
    }
};

/// Where all states are in one place.
struct OneLayer {
    void place(const Batch&, Block&) {}
};

enum class Ended { finished, stopped, outgrown };

/// The loop of every algorithm: take some states, expand them, look their successors up, show what is new, go on. It ends as well when
/// the layout is too small, and is to be called again when it has grown.
template <int K, class Store, class Progress>
Ended sweep(Crew& crew, Store& store, Progress& progress, Stop& stop) {
    Block& block = crew.block;
    for (;;) {
        stop = crew.guard.look(Store::blocks_per_look);
        if (stop != Stop::none) return Ended::stopped;
        Batch batch = store.template next<K>();
        if (batch.empty()) {
            if (store.again()) continue;
            return Ended::finished;
        }
        if constexpr (Store::enters_late) {
            if (store.entering()) {
                if (crew.ledger.full()) {
                    stop = Stop::states;
                    return Ended::stopped;
                }
                const std::uint64_t number = crew.ledger.found(store.parent(), store.edge());
                batch = store.template enter<K>(number);
                if (crew.judge.asks_found()) stop = crew.judge.found(batch.states, number, batch.place);
                if (stop != Stop::none) return Ended::stopped;
            }
        }
        if (!crew.expand<K>(batch)) return Ended::outgrown;
        if constexpr (std::is_same_v<Store, KeyStore>)  // its blocks are small: looking up would wait for each of them
            for (std::uint32_t c = 0; c < std::min(look_ups_ahead, block.candidates); ++c) store.template prefetch<K>(block, c);
        progress.place(batch, block);
        if (!crew.schema().fits()) return Ended::outgrown;
        store.placed();
        crew.verifier.look(batch, block, crew.ledger.counters.explored, crew.guard.seconds);
        const Stop full = crew.template insert<K>(batch, store);
        stop = crew.judge.see(batch, block);
        if (full != Stop::none) {
            if (stop == Stop::none) stop = full;
            return Ended::stopped;
        }
        store.done(batch);
        if (store.layer_done()) {
            crew.ledger.weigh();
            if constexpr (std::is_same_v<Store, LayerStore>)
                if (stop == Stop::none) stop = crew.judge.layer_done(store.here(), [&] { return crew.guard.go_on(); });
            if (stop == Stop::none) stop = crew.guard.stop();
            store.leave_layer();
        }
        if (stop != Stop::none) return Ended::stopped;
    }
}

}  // namespace sweep
