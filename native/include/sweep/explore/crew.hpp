#pragma once
#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "sweep/explore/ahead.hpp"
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
    Ahead ahead = {};
    Tempo tempo = {};
    News news = {};
    Place last_place = no_place;      // of the batch before
    std::function<void()> save = {};  // write down how far the run is, where that is asked for
    bool torn = false;                // a batch is looked up, and what stands in the store is a part of it
    bool near_limit = false;          // it was written down because the next states may be too many
    bool far = false;                 // tables lie on the disk in part, for this round
    bool runs_ahead = false;          // one worker looks up, for this round, while the others expand ahead of it
    bool backwards = false;           // the last round that looked far did so from the last to the first
    std::uint32_t pace = 1;           // how many batches for each worker a round may have now

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
    /// Whether more than the states that are next may be expanded: nobody looks at blocks as a whole.
    bool may_expand_ahead() const {
        return passes.empty() && !bound.any() && !classes.any() && !judge.asks_steps() && !judge.asks_processed() && !judge.log &&
               !verifier.compares_all() && !Spill::at_work();
    }

    /// Tables lie on the disk in part: one worker alone has rounds too, so long that what lies there is fetched once for many look-ups.
    static bool looks_far() { return Spill::at_work() && Spill::at_work()->sends(); }

    /// Whether there is so much to do that several workers share it; then the round has the batches to expand. `together`: whether they
    /// may be looked up together.
    template <class Store>
    bool shares(const Store& store, bool together) {
        far = looks_far();
        if (far ? !together : workers.count() < 2) return false;
        if (ledger.counters.explored < sharing.after || bound.depth) return false;
        if (!far && sharing.after != 0 && !tempo.shares(ledger.counters.explored)) return false;
        if (!far && store.waiting() < std::max<std::uint64_t>(2 * sharing.batch_size, sharing.least / workers.count())) return false;
        if (std::exchange(last_place, round.batches[0].place) != round.batches[0].place) news.enter();
        runs_ahead = !far && may_run_ahead(together);
        if (!far && !runs_ahead && sharing.after != 0 && news.expected()) return false;
        const std::uint64_t most =
            far ? most_far_batches() : std::min<std::uint64_t>(runs_ahead ? most_ahead() : most_batches(), guard.blocks_ahead());
        if (runs_ahead && most < 2) return false;
        round.batches.clear();
        store.next_ones(std::max<std::size_t>(1, most), round.batches);
        if (round.size() < 2 && !far) return false;
        if (far) fetch_parents(*Spill::at_work());
        make_hands();
        guard.skip(round.size() - 1);
        round.make_blocks(runs_ahead ? Ahead::depth : round.size(), far ? Block::little_room : Block::usual_room);
        return true;
    }

    /// Each worker has what it needs for itself.
    void make_hands() {
        resolver.fills_rows = true;
        while (hands.size() < workers.count()) {
            hands.push_back(std::make_unique<Worker>(resolver.program()));
            hands.back()->expander.in_order = expander.in_order;
            hands.back()->expander.aims = expander.aims;
        }
    }

    /// The successors of all batches of a round; each worker goes on with `then`, which says whether a block is ready. What the tables do
    /// not know is asked for when all are done, batch by batch. False as with one batch.
    template <int K, class Progress, class Then>
    bool expand_round(Progress& progress, Then&& then) {
        const std::uint64_t explored = ledger.counters.explored;
        resolver.forget_direct();
        resolver.reconsider(explored);
        for (std::uint32_t i = 0; bound.any() && i < round.size(); ++i) {
            const auto look = [&] {
                bound.look(round.batches[i], round.block(i));
                return true;
            };
            if (!attempt(i, look)) return false;
        }
        for (const auto& hand : hands) hand->begin();
        round.claims = true;
        workers.deal(round.size(), [&](std::uint32_t who, std::uint32_t i) {
            if (who == 0) note_origins();  // where the states of the last round are from
            Worker& hand = *hands[who];
            Block& block = round.block(i);
            hand.batches.push_back(i);
            expand_all<K>(hand.expander, round.batches[i], block, explored);
            hand.late += block.late.size();
            place_known(progress, who, i);
            hand.ready &= then(i, hand);
        });
        note_origins();
        if (!take_requests()) return false;
        std::uint64_t late = count_late();
        const bool much = late > round.size();
        news.see_round(late != 0, much);
        if (much && !look_again<K>(progress, then, late)) return false;
        adapt(late);
        if (late && !expand_late_ones<K>(progress)) return false;
        return all_are_ready() || run_passes();
    }
    /// The batches of a round one after the other, as one worker alone would have them: `look_up` gets the successors of each, and says
    /// whether to go on. Meanwhile the other workers expand those that are next. They only read the program: before it changes they end,
    /// and what they have expanded by then is the rest of the round. False as above.
    template <int K, class LookUp>
    bool run_ahead(LookUp&& look_up) {
        resolver.forget_direct();
        resolver.reconsider(ledger.counters.explored);
        for (const auto& hand : hands) hand->begin();
        ahead.begin(round.size());
        const std::uint64_t explored = ledger.counters.explored;
        const Halting halting(*this);
        std::uint64_t late = 0;
        bool fits = true;
        workers.each([&](std::uint32_t who) {
            if (who == 0) {
                const AtEnd end{*this};
                fits = look_up_in_order<K>(look_up, explored, late);
                return;
            }
            while (!ahead.over()) {
                workers.wait_until([&] { return expand_next<K>(who, explored) || ahead.over(); });
            }
        });
        news.see_round(late != 0, late > round.size());
        return fits;
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

    /// The counters that workers kept for themselves go to the books.
    void settle() {
        note_origins();
        for (const auto& worker : hands)
            for (std::size_t a = 0; a < worker->edges.size(); ++a) ledger.edges[a] += std::exchange(worker->edges[a], 0);
    }
    std::uint64_t scratch_bytes() const {
        std::uint64_t total = round.bytes();
        for (const auto& worker : hands) total += worker->expander.bytes() + worker->moves.of.capacity() * sizeof(worker->moves.of[0]);
        return total;
    }
    std::uint64_t vain_walks() const { return total(&Expander::vain_walks); }
    std::uint64_t closed_edges() const { return total(&Expander::closed_edges); }

private:
    /// While others read the program, whoever is about to change it has them end.
    struct Halting {
        explicit Halting(Crew& crew) : resolver(crew.resolver) {
            resolver.before_change = [&crew] { crew.halt(); };
        }
        Halting(const Halting&) = delete;
        ~Halting() { resolver.before_change = nullptr; }
        Resolver& resolver;
    };
    /// Whatever ends the looking up, nobody expands further.
    struct AtEnd {
        Crew& crew;
        ~AtEnd() { crew.halt(); }
    };
    void halt() {
        ahead.halt([&](auto&& done) { workers.wait_until(done); });
    }
    /// Several workers are few, or cannot look up together: one of them does. What is asked of whole states or edges may change the
    /// program.
    bool may_run_ahead(bool together) const {
        return (workers.count() == 2 || !together) && passes.empty() && !bound.any() && !classes.any() && !judge.asks_steps();
    }
    template <int K>
    bool expand_next(std::uint32_t who, std::uint64_t explored) {
        const std::optional<std::uint32_t> i = ahead.take();
        if (!i) return false;
        Worker& hand = *hands[who];
        std::exception_ptr failure;
        try {
            expand_all<K>(hand.expander, round.batches[*i], round.block(*i % Ahead::depth), explored);
            round.block(*i % Ahead::depth).outgrown = !hand.requests.empty();
        } catch (...) {
            failure = std::current_exception();
        }
        ahead.expanded(*i, std::move(failure));
        return true;
    }
    template <int K, class LookUp>
    bool look_up_in_order(LookUp&& look_up, std::uint64_t explored, std::uint64_t& late) {
        for (std::uint32_t i = 0; i < ahead.batches(); ++i) {
            while (!ahead.is_ready(i))
                if (!expand_next<K>(0, explored)) workers.wait_until([&] { return ahead.is_ready(i); });
            if (ahead.failure(i)) std::rethrow_exception(ahead.failure(i));
            Block& block = round.block(i % Ahead::depth);
            late += block.late.size();
            if (block.outgrown || !block.late.empty()) {
                halt();
                if (!take_requests() || !expand_late_one<K>(round.batches[i], block)) return false;
            }
            save_before_limit(block.candidates);
            if (!look_up(i, block)) return true;
            ahead.done(i);
        }
        return true;
    }
    /// Of what the batch did not know more may be known by now; the rest is asked for.
    template <int K>
    bool expand_late_one(const Batch& batch, Block& block) {
        expander.prepare(batch, ledger.counters.explored);
        if (can_look_again(block)) expand_again<K>(expander, batch, block, ledger.counters.explored);
        return see_to<K>(batch, block);
    }

    std::uint64_t total(std::uint64_t (Expander::*count)() const) const {
        std::uint64_t sum = (expander.*count)();
        for (const auto& worker : hands) sum += (worker->expander.*count)();
        return sum;
    }
    /// Write down where the states of the last round were found from: they are in their order.
    void note_origins() {
        for (const Round::Origin& one : round.origins) ledger.parents->append(one.parent, one.edge);
        round.origins.clear();
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

    /// The loop may not know how wide states are, as it compares other words: who expands them does.
    template <int K>
    static void expand_all(Expander& by, const Batch& batch, Block& block, std::uint64_t explored) {
        if constexpr (K != 0)
            by.expand<K>(batch, block, explored);
        else
            with_width(by.words(), [&]<int W>() { by.expand<W>(batch, block, explored); });
    }

    template <int K>
    static void expand_again(Expander& by, const Batch& batch, Block& block, std::uint64_t explored) {
        if constexpr (K != 0)
            by.expand_again<K>(batch, block, explored);
        else
            with_width(by.words(), [&]<int W>() { by.expand_again<W>(batch, block, explored); });
    }

    /// Find out what a block does not know, and do what is done to all successors before they are looked up. False as above.
    template <int K>
    bool see_to(const Batch& batch, Block& block) {
        try {
            if (!block.late.empty()) {
                resolver.forget_direct();
                if (!answer(batch, block.misses) || !resolver.answer_direct(block.misses, batch.states, batch.stride)) return false;
                expander.expand_late<K>(batch, block);
                resolver.forget_direct();
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
    std::uint64_t count_late() const {
        std::uint64_t late = 0;
        for (const auto& hand : hands) late += hand->late;
        return late;
    }

    /// Mostly many states need the same that nobody knows. So what the first of them need is asked for, and all look again, together; then
    /// what the next ones still need, and so on. Functions run in the order in which one worker would run them. False as above.
    template <int K, class Progress, class Then>
    bool look_again(Progress& progress, Then&& then, std::uint64_t& late) {
        for (std::size_t asked = 32; late > round.size() && all_can_look_again(); asked *= 8) {
            const std::uint32_t blocks = round.size();
            std::size_t left = asked;
            for (std::uint32_t i = 0; i < round.size() && left > 0; ++i) {
                const std::span<const Miss> misses(round.block(i).misses);
                const std::span<const Miss> some = misses.first(std::min(left, misses.size()));
                if (some.empty()) continue;
                left -= some.size();
                if (!attempt(i, [&] { return answer(round.batches[i], some); })) return false;
            }
            if (round.size() != blocks) break;
            workers.each([&](std::uint32_t who) {
                Worker& hand = *hands[who];
                hand.late = 0;
                hand.ready = true;
                for (const std::uint32_t i : hand.batches) {
                    Block& block = round.block(i);
                    if (!block.late.empty()) {
                        expand_again<K>(hand.expander, round.batches[i], block, ledger.counters.explored);
                        place_known(progress, who, i);
                        then(i, hand);
                    }
                    hand.late += block.late.size();
                    hand.ready &= block.counted;
                }
            });
            if (!take_requests()) return false;
            late = count_late();
        }
        return true;
    }
    /// What is not in tables, because it is kept nowhere or because a content was not met before, is not there the next time either.
    static bool can_look_again(const Block& block) {
        return !block.unmet &&
               std::none_of(block.misses.begin(), block.misses.end(), [](const Miss& miss) { return miss.direct != nullptr; });
    }

    bool all_can_look_again() {
        for (std::uint32_t i = 0; i < round.size(); ++i)
            if (!can_look_again(round.block(i))) return false;
        return true;
    }

    template <class Progress>
    void place_known(Progress& progress, std::uint32_t who, std::uint32_t i) {
        Block& block = round.block(i);
        if (!block.late.empty()) return;
        while (block.passes < passes.size() && passes[block.passes]->run_known(round.batches[i], block)) ++block.passes;
        if (block.passes == passes.size()) block.placed = progress.place_known(round.batches[i], block, hands[who]->moves);
    }

    /// Answer all misses of a round, those that go into tables first; then the successors of the late parents. Those that lead to
    /// contents which nobody has met are left for last, and for one worker.
    template <int K, class Progress>
    bool expand_late_ones(Progress& progress) {
        expander.prepare(round.batches[0], ledger.counters.explored);
        const auto each_late = [&](auto&& see) {
            for (std::uint32_t i = 0; i < round.size(); ++i) {
                Block& block = round.block(i);
                if (!block.late.empty() && !attempt(i, [&] { return see(round.batches[i], block); })) return false;
            }
            return true;
        };
        if (!each_late([&](const Batch& batch, Block& block) { return answer(batch, block.misses); })) return false;
        if (!each_late([&](const Batch& batch, Block& block) { return resolver.answer_direct(block.misses, batch.states, batch.stride); }))
            return false;
        workers.share(round.size(), [&](std::uint32_t who, std::uint32_t i) {
            Block& block = round.block(i);
            if (block.late.empty() || block.unmet) return;
            Expander& hand = hands[who]->expander;
            const std::uint32_t before = block.candidates;
            hand.prepare(round.batches[i], ledger.counters.explored);
            hand.template expand_late<K>(round.batches[i], block);
            if (block.unmet) {
                block.candidates = before;
                return;
            }
            block.late.clear();
            place_known(progress, who, i);
        });
        const bool fits = take_requests() && each_late([&](const Batch& batch, Block& block) {
                              expander.expand_late<K>(batch, block);
                              return schema().fits();
                          });
        resolver.forget_direct();
        return fits;
    }
    void run_passes(const Batch& batch, Block& block) {
        for (; block.passes < passes.size() && schema().fits(); ++block.passes) passes[block.passes]->run(batch, block);
    }
    bool run_passes() {
        for (std::uint32_t i = 0; i < round.size(); ++i) {
            const auto run_all = [&] {
                run_passes(round.batches[i], round.block(i));
                return true;
            };
            if (!attempt(i, run_all)) return false;
        }
        return schema().fits();
    }

    /// The states to expand lie in runs: each comes at once.
    void fetch_parents(Spill& spill) const {
        const Word *from = nullptr, *to = nullptr;
        for (const Batch& batch : round.batches) {
            if (batch.states != to) {
                if (from) spill.fetch(from, to);
                from = batch.states;
            }
            to = batch.state(batch.count);
        }
        if (from) spill.fetch(from, to);
    }
    std::uint64_t per_parent() const { return ledger.counters.edges / std::max<std::uint64_t>(1, ledger.counters.explored) + 1; }
    /// Batches of a round that looks far: as many as there is room for, unless much has to be asked for. Candidates lie in blocks that
    /// may be more than half empty, each with its mark, and once more where they are sorted.
    std::uint64_t most_far_batches() const {
        const std::uint64_t each = 3 * (sizeof(Block::Candidate) + static_cast<std::uint64_t>(schema().layout.words) * sizeof(Word)) + 64;
        const std::uint64_t with_room = Spill::at_work()->limit() / 6 / (each * per_parent() * sharing.batch_size);
        return std::clamp<std::uint64_t>(with_room, 2, std::uint64_t{pace} << 13);
    }
    /// Batches of a round: several for each worker, so that none waits long for another, and not more than their successors have room.
    std::uint64_t most_batches() const {
        const std::uint64_t with_room = most_candidates / (per_parent() * sharing.batch_size) * workers.count();
        return std::clamp<std::uint64_t>(with_room, workers.count(), std::uint64_t{pace} * workers.count());
    }
    /// Batches of a round in which one looks up: none of their states is one of those for which functions are run again.
    std::uint64_t most_ahead() const {
        constexpr std::uint64_t most = 256;
        return std::min(most, verifier.states_left(ledger.counters.explored) / sharing.batch_size);
    }
    /// Where much has to be asked for, rounds are short: what was learnt in one is known in the next.
    void adapt(std::uint64_t late) {
        const bool much = late * 32 > round.states();
        pace = much ? std::max(1u, pace / 2) : std::min(most_pace, pace * 2);
    }
    static constexpr std::uint32_t most_pace = 8;              // batches for each worker
    static constexpr std::uint64_t most_candidates = 1 << 16;  // likewise
};

}  // namespace sweep
