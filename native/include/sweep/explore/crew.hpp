#pragma once
#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "sweep/explore/foreseen.hpp"
#include "sweep/explore/guard.hpp"
#include "sweep/explore/inserter.hpp"
#include "sweep/explore/news.hpp"
#include "sweep/explore/pass.hpp"
#include "sweep/explore/round.hpp"
#include "sweep/explore/tempo.hpp"
#include "sweep/explore/verifier.hpp"
#include "sweep/program/resolver.hpp"
#include "sweep/state/width.hpp"
#include "sweep/store/spill.hpp"

namespace sweep {

/// The loop may not know how wide states are, as it compares other words: who expands them does.
template <int K>
void expand_all(Expander& by, const Batch& batch, Block& block, std::uint64_t explored) {
    if constexpr (K != 0)
        by.expand<K>(batch, block, explored);
    else
        with_width(by.words(), [&]<int W>() { by.expand<W>(batch, block, explored); });
}

template <int K>
void expand_again(Expander& by, const Batch& batch, Block& block, std::uint64_t explored) {
    if constexpr (K != 0)
        by.expand_again<K>(batch, block, explored);
    else
        with_width(by.words(), [&]<int W>() { by.expand_again<W>(batch, block, explored); });
}

/// Who works together in a sweep, besides the store and the progress.
struct Crew {
    Resolver& resolver;
    Expander& expander;
    std::vector<std::unique_ptr<Pass>>& passes;
    Classes& classes;
    Bound& bound;
    Verifier& verifier;
    Ledger& ledger;
    Judge& judge;
    Guard& guard;
    Round& round;
    Workers& workers;
    const Sharing& sharing;
    std::vector<std::unique_ptr<Worker>> hands = {};  // one for each worker, once they share
    Tempo tempo = {};
    News news = {};
    Alone alone = {};
    std::unique_ptr<Foreseen> foreseen = {};  // once they share states by keys
    Place last_place = no_place;              // of the batch before
    std::function<void()> save = {};          // write down how far the run is, where that is asked for
    bool torn = false;                        // a batch is looked up, and what stands in the store is a part of it
    bool near_limit = false;                  // it was written down because the next states may be too many
    bool far = false;                         // tables lie on the disk in part, for this round
    bool runs_ahead = false;                  // one worker looks up, for this round, while the others expand ahead of it
    bool backwards = false;                   // the last round that looked far did so from the last to the first
    std::uint32_t pace = 1;                   // how many batches for each worker a round may have now

    static constexpr std::uint32_t most_pace = 8;

    /// Write down how far the run is, where it can be: what is known of a part of a layer is lost.
    void save_now() {
        if (!save || torn || !judge.is_between_layers()) return;
        save();
        guard.saved();
    }
    /// The same once, when as many states as were expanded to now would be too many: they could not be written down afterwards.
    void save_before_limit() {
        std::uint64_t candidates = 0;
        for (std::uint32_t i = 0; save && i < round.size(); ++i) candidates += round.block(i).candidates;
        save_before_limit(candidates);
    }
    void save_before_limit(std::uint64_t candidates) {
        if (!save || near_limit) return;
        near_limit = ledger.room() < candidates;
        if (!near_limit) return;
        withdraw();
        save_now();
    }
    /// Slots that were claimed are free again: whoever looks at the tables finds states alone. They are claimed anew afterwards.
    void withdraw() {
        round.withdraw();
        for (const auto& hand : hands) {
            hand->begin_claims();
            hand->ready = false;
        }
    }
    const Schema& schema() const { return resolver.program().schema; }
    const Diamonds& diamonds() const { return resolver.program().diamonds; }
    /// Of the words by which states are told apart, as a constant of the loop; 0 where it is none.
    int width() const { return classes.keyed() ? 0 : schema().layout.words; }

    /// The successors of a batch. False when it has to be done again: when the layout, which is too small for them, has grown; or
    /// at once, as a function has to look at numbers that it had compared until then.
    template <int K>
    bool expand(const Batch& batch) {
        resolver.reconsider(ledger.counters.explored);
        Block& block = round.block(0);
        bound.look(batch, block);
        const std::uint64_t answered = resolver.answered();
        expand_all<K>(expander, batch, block, ledger.counters.explored);
        news.see(!block.late.empty() || resolver.answered() != answered);
        pace = news.quiet() ? most_pace : 1;
        return see_to<K>(batch, block);
    }

    /// The same where it is the turn of the first states only. The others are left out if something would have to be found out for them:
    /// functions run, and what is new gets its numbers, in the order of turns.
    template <int K>
    bool expand_ahead(Batch& batch, std::uint32_t first) {
        if (batch.count > first) {
            resolver.reconsider(ledger.counters.explored);
            if (expander.expand_ahead<K>(batch, round.block(0), ledger.counters.explored)) {
                guard.skip(batch.count - 1);
                return true;
            }
            batch.count = first;
        }
        return expand<K>(batch);
    }
    /// Find out what a block does not know, and do what is done to all successors before they are looked up. False as above.
    template <int K>
    bool see_to(const Batch& batch, Block& block) {
        try {
            if (!block.late.empty()) {
                const Resolver::Direct direct(resolver);
                if (!answer(batch, block.misses) || !resolver.answer_direct(block.misses, batch.states, batch.stride)) return false;
                expander.expand_late<K>(batch, block);
            }
            run_passes(batch, block);
            return schema().fits();
        } catch (const Incomparable& met) {
            resolver.stop_comparing(met.function);
            return false;
        }
    }
    bool answer(const Batch& batch, std::span<const Miss> misses) {
        return resolver.answer(misses, batch.states, batch.stride, ledger.counters.explored);
    }

    /// What the workers asked for; false when the layout is too small for that.
    bool take_requests() {
        Requests& requests = resolver.program().schema.requests;
        for (const auto& hand : hands) requests.take(hand->requests);
        return schema().fits();
    }

    /// Show what is new to the judge. The functions that are asked about it may run before their turn.
    Stop see(const Batch& batch, const Block& block) {
        const Rehearsals::Use use(resolver.rehearsals());
        if (resolver.rehearsals()) rehearse(block);
        return judge.see(batch, block);
    }

    void run_passes(const Batch& batch, Block& block) {
        for (; block.passes < passes.size() && schema().fits(); ++block.passes) passes[block.passes]->run(batch, block);
    }

    /// Whether more than the states that are next may be expanded: nobody looks at blocks as a whole.
    bool may_expand_ahead() const {
        return passes.empty() && !bound.any() && !classes.any() && !judge.asks_steps() && !judge.asks_processed() && !judge.log &&
               !verifier.compares_all() && !Spill::at_work();
    }

    /// Tables lie on the disk in part: one worker alone has rounds too, so long that what lies there is fetched once for many look-ups.
    static bool looks_far() { return Spill::at_work() && Spill::at_work()->sends(); }

    /// Each worker has what it needs for itself.
    void make_hands() {
        resolver.fills_rows = true;
        while (hands.size() < workers.count()) {
            hands.push_back(std::make_unique<Worker>(resolver.program()));
            hands.back()->expander.in_order = expander.in_order;
            hands.back()->expander.aims = expander.aims;
        }
    }

    /// Whether nothing of the round is left to do but to collect what is new.
    bool all_are_ready() const {
        return std::all_of(hands.begin(), hands.end(), [](const auto& hand) { return hand->ready; });
    }

    /// Do something for a batch of the round. Where that fails the batch is left out, with those behind it: what is before it is seen
    /// first. False when it says so, or when the round has to be done again.
    template <class Do>
    bool attempt(std::uint32_t i, Do&& job) {
        try {
            return job();
        } catch (const Incomparable& met) {
            resolver.stop_comparing(met.function);
            return false;
        } catch (...) {
            if (i == 0) throw;
            round.failure = std::current_exception();
            round.cut(i);
            return true;
        }
    }

    /// Look the successors up. Why no more can be stored, if so: those that are stored already are shown all the same.
    template <int K, class Store>
    Stop insert(Batch& batch, Block& block, Store& store) {
        note_origins();
        const Counters& counted = ledger.counters;
        const auto looked_at = [&] { return counted.explored + counted.beyond; };  // states outside of a bound lie among the others
        const std::uint64_t before = looked_at();
        const Stop stop = look_up<K>(batch, block, store);
        if (classes.any()) classes.count_edges(block, looked_at() - before);
        return stop;
    }

    /// Write down where the states of the last round were found from: they are in their order.
    void note_origins() {
        for (const Round::Origin& one : round.origins) ledger.parents->append(one.parent, one.edge);
        round.origins.clear();
    }
    /// The counters that workers kept for themselves go to the books.
    void settle() {
        note_origins();
        for (const auto& worker : hands)
            for (std::size_t a = 0; a < worker->edges.size(); ++a) ledger.edges[a] += std::exchange(worker->edges[a], 0);
    }
    std::uint64_t scratch_bytes() const {
        std::uint64_t total = round.bytes() + (foreseen ? foreseen->bytes() : 0);
        for (const auto& worker : hands) total += worker->expander.bytes() + worker->moves.of.capacity() * sizeof(worker->moves.of[0]);
        return total;
    }
    std::uint64_t vain_walks() const { return total(&Expander::vain_walks); }
    std::uint64_t closed_edges() const { return total(&Expander::closed_edges); }

private:
    void rehearse(const Block& block) {
        std::vector<const Word*> states;
        for (const Block::Fresh& one : block.fresh)
            if (!one.passed) states.push_back(block.state(one.candidate));
        if (!states.empty()) resolver.rehearse(judge.functions(), states);
    }
    std::uint64_t total(std::uint64_t (Expander::*count)() const) const {
        std::uint64_t sum = (expander.*count)();
        for (const auto& worker : hands) sum += (worker->expander.*count)();
        return sum;
    }
    template <int K, class Store>
    Stop look_up(Batch& batch, Block& block, Store& store) {
        try {
            if constexpr (std::is_same_v<Store, LayerStore>)
                if (judge.asks_cycles()) {
                    judge.begin(batch, block, store.here());
                    return sweep::insert<K, true>(batch, block, store, ledger, judge, classes) ? Stop::none : Stop::states;
                }
            return sweep::insert<K, false>(batch, block, store, ledger, judge, classes) ? Stop::none : Stop::states;
        } catch (const OutOfMemory&) {
            return Stop::memory;
        }
    }
};

}  // namespace sweep
