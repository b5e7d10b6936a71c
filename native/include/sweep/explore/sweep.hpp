#pragma once
#include <type_traits>

#include "sweep/explore/key_insertion.hpp"
#include "sweep/explore/keys_ahead.hpp"
#include "sweep/explore/loops.hpp"
#include "sweep/explore/rounds.hpp"
#include "sweep/explore/running_ahead.hpp"
#include "sweep/explore/shared_expansion.hpp"
#include "sweep/explore/shared_insertion.hpp"
#include "sweep/store/key_store.hpp"

namespace sweep {

/// All states of a layer may be processed: if so, decide what they decide, and leave it. If not, what is there may decide already.
template <class Store>
void leave_layer(Crew& crew, Store& store, Stop& stop) {
    if (!store.layer_done()) {
        if constexpr (std::is_same_v<Store, LayerStore>)
            if (stop == Stop::none && crew.judge.looks_early())
                stop = crew.judge.layer_so_far(store.here(), [&] { return crew.guard.go_on(); });
        return;
    }
    crew.ledger.weigh();
    if constexpr (std::is_same_v<Store, LayerStore>)
        if (stop == Stop::none) stop = crew.judge.layer_done(store.here(), [&] { return crew.guard.go_on(); });
    if (stop == Stop::none) stop = crew.guard.stop();
    crew.torn |= stop != Stop::none && crew.judge.asks_cycles();  // what it decides may not be decided
    store.leave_layer();
}

/// The successors of a batch are there: look them up, and show what is new. False when the layout is too small, or has to stop.
template <int K, class Store, class Progress>
Ended process(Crew& crew, Store& store, Progress& progress, Batch& batch, Block& block, Stop& stop) {
    if (!block.placed) progress.place(batch, block);
    if (!crew.schema().fits()) return Ended::outgrown;
    store.placed();
    if (Crew::looks_far()) Spill::at_work()->make_room(block.candidates);
    crew.verifier.look(batch, block, crew.ledger.counters.explored, crew.guard.seconds);
    crew.torn = true;
    const Stop full = crew.template insert<K>(batch, block, store);
    stop = crew.see(batch, block);
    if (full != Stop::none) {
        if (stop == Stop::none) stop = full;
        return Ended::stopped;
    }
    store.done(batch);
    crew.torn = false;
    leave_layer(crew, store, stop);
    return stop != Stop::none ? Ended::stopped : Ended::finished;
}

inline bool looks_up_together(const Crew& crew, const LayerStore& store) {
    return store.may_share() && !crew.judge.asks_cycles() && !crew.judge.asks_steps();
}

/// The same for all batches of a round. Where those who shared it may look them up together they do, else one after the other.
template <int K, class Store, class Progress>
Ended process_round(Crew& crew, Store& store, Progress& progress, bool shared, Stop& stop) {
    Round& round = crew.round;
    if constexpr (std::is_same_v<Store, LayerStore>)
        if (shared && looks_up_together(crew, store)) {
            SharedInsertion<K, Progress> together(crew, store, progress);
            if (!together.place()) return Ended::outgrown;
            if (together.begin(stop)) {
                crew.torn = true;
                if (stop == Stop::none) together.run(stop);
                crew.torn = stop == Stop::states || stop == Stop::memory;
                if (!crew.torn) leave_layer(crew, store, stop);
                return stop != Stop::none ? Ended::stopped : Ended::finished;
            }
        }
    for (std::uint32_t i = 0; i < round.size(); ++i) {
        const Ended ended = process<K>(crew, store, progress, round.batches[i], round.block(i), stop);
        if (ended != Ended::finished) return ended;
        if constexpr (std::is_same_v<Store, LayerStore>)
            if (store.breaks_off()) {  // what the others lead to is looked at when their turn comes
                round.failure = nullptr;
                break;
            }
    }
    return Ended::finished;
}

/// The same for a batch whose states come key by key, as long as they do: nothing that was found meanwhile may come before them. Hardly any
/// two have the same key, so that what is done for each key is done for each state.
template <int K>
Ended process_keys(Crew& crew, KeyStore& store, KeyProgress& progress, Batch batch, Block& block, Stop& stop) {
    if (Crew::looks_far()) Spill::at_work()->make_room(block.candidates);
    Batch first = batch;
    first.count = store.at_hand().last;
    crew.verifier.look(first, block, crew.ledger.counters.explored, crew.guard.seconds);
    const bool by_keys = store.looks_ahead && block.late.empty();
    KeyInsertion<K> insertion(crew, store, progress, batch, block);
    do {
        if (by_keys ? !insertion.place() : !insertion.place_at_hand()) return Ended::outgrown;
        const Stop full = by_keys ? insertion.insert() : crew.template insert<K>(batch, block, store);
        if (!by_keys || !block.fresh.empty() || !block.dead.empty()) stop = crew.judge.see(batch, block);
        if (stop == Stop::none) stop = full;
        if (stop != Stop::none) return Ended::stopped;
    } while (store.template next_key<K>());
    return Ended::finished;
}

/// The batches of a round, looked up by one worker while others expand ahead of it.
template <int K, class Progress>
Ended look_up_behind(Crew& crew, LayerStore& store, Progress& progress, Stop& stop) {
    Ended ended = Ended::finished;
    const auto look_up = [&](std::uint32_t i, Block& block) {
        ended = process<K>(crew, store, progress, crew.round.batches[i], block, stop);
        return ended == Ended::finished && !store.breaks_off();
    };
    return RunningAhead(crew, store).run<K>(look_up) ? ended : Ended::outgrown;
}

/// What a round has claimed is withdrawn when it ends, whatever ends it; mostly all of it is settled then.
struct Withdrawal {
    Round& round;
    ~Withdrawal() { round.withdraw(); }
};

/// The loop of every algorithm: take some states, expand them, look their successors up, show what is new, go on. It ends as well when
/// the layout is too small, and is to be called again when it has grown.
template <int K, class Store, class Progress>
Ended sweep(Crew& crew, Store& store, Progress& progress, Stop& stop) {
    for (;;) {
        stop = crew.guard.look(Store::blocks_per_look);
        if (stop != Stop::none) return Ended::stopped;
        if (crew.guard.save_is_due()) [[unlikely]]
            crew.save_now();
        if constexpr (std::is_same_v<Store, KeyStore>)
            if (const std::uint32_t batches = Rounds(crew).foreseen(store)) {
                const auto look_up = [&](const Batch& batch, Block& block) {
                    return process_keys<K>(crew, store, progress, batch, block, stop);
                };
                const Ended ended = KeysAhead<K>(crew, store).run(batches, look_up);
                if (ended != Ended::finished) return ended;
                continue;
            }
        Batch batch = store.template next<K>();
        if (batch.empty()) {
            if (store.again()) continue;
            return Ended::finished;
        }
        if constexpr (Store::enters_late) {
            if (store.entering()) {
                if (crew.judge.has_to_end()) {
                    stop = Stop::violation;
                    return Ended::stopped;
                }
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
        if constexpr (std::is_same_v<Store, LayerStore>) crew.bound.begin(batch, store.waiting());
        crew.round.begin(batch);
        const Withdrawal withdrawal{crew.round};
        bool shared = false;
        if constexpr (Store::takes_rounds) {
            const bool together = looks_up_together(crew, store);
            shared = Rounds(crew).shares(store, together);
            if (shared && crew.runs_ahead) {
                const Ended ended = look_up_behind<K>(crew, store, progress, stop);
                if (ended != Ended::finished) return ended;
                continue;
            }
            if (shared) store.placed();  // layers may be known that the store has not heard of, where it ended before
            if (shared && together && !crew.far) store.expect(crew.round.states());
            const auto then = [&](std::uint32_t i, Worker& worker) {
                if (!together || !crew.round.block(i).placed) return false;
                return crew.far ? count_all(crew.round.block(i), worker) : claim_slots<K>(crew.round, i, store, worker);
            };
            if (shared && !SharedExpansion(crew).run<K>(progress, then)) return Ended::outgrown;
        }
        Ended ended;
        if constexpr (std::is_same_v<Store, KeyStore>) {
            if (!crew.template expand_ahead<K>(batch, store.at_hand().last)) return Ended::outgrown;
            store.cut(batch.count);
            ended = process_keys<K>(crew, store, progress, batch, crew.round.block(0), stop);
        } else {
            if (!shared && !crew.template expand<K>(batch)) return Ended::outgrown;
            crew.save_before_limit();
            ended = process_round<K>(crew, store, progress, shared, stop);
        }
        if (crew.round.failure && stop == Stop::none) std::rethrow_exception(crew.round.failure);
        if (ended != Ended::finished) return ended;
    }
}

}  // namespace sweep
