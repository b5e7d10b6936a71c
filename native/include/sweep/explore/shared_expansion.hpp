#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include "sweep/explore/crew.hpp"

namespace sweep {

/// The successors of all batches of a round, made by all workers.
class SharedExpansion {
public:
    explicit SharedExpansion(Crew& crew) : crew_(crew), round_(crew.round), workers_(crew.workers) {}

    /// The successors of all batches of a round; each worker goes on with `then`, which says whether a block is ready. What the tables do
    /// not know is asked for when all are done, batch by batch. False as with one batch (`Crew::expand`).
    template <int K, class Progress, class Then>
    bool run(Progress& progress, Then&& then) {
        const std::uint64_t explored = crew_.ledger.counters.explored;
        crew_.resolver.reconsider(explored);
        for (std::uint32_t i = 0; crew_.bound.any() && i < round_.size(); ++i) {
            const auto look = [&] {
                crew_.bound.look(round_.batches[i], round_.block(i));
                return true;
            };
            if (!crew_.attempt(i, look)) return false;
        }
        for (const auto& hand : crew_.hands) hand->begin();
        round_.claims = true;
        workers_.deal(round_.size(), [&](std::uint32_t who, std::uint32_t i) {
            if (who == 0) crew_.note_origins();  // where the states of the last round_ are from
            Worker& hand = *crew_.hands[who];
            Block& block = round_.block(i);
            hand.batches.push_back(i);
            expand_all<K>(hand.expander, round_.batches[i], block, explored);
            hand.late += block.late.size();
            place_known(progress, who, i);
            hand.ready &= then(i, hand);
        });
        crew_.note_origins();
        if (!crew_.take_requests()) return false;
        std::uint64_t late = count_late();
        const bool much = late > round_.size();
        crew_.news.see_round(late != 0, much);
        if (much && !look_again<K>(progress, then, late)) return false;
        adapt(late);
        if (late && !expand_late_ones<K>(progress)) return false;
        return crew_.all_are_ready() || run_passes();
    }

private:
    std::uint64_t count_late() const {
        std::uint64_t late = 0;
        for (const auto& hand : crew_.hands) late += hand->late;
        return late;
    }

    /// Mostly many states need the same that nobody knows. So what the first of them need is asked for, and all look again, together; then
    /// what the next ones still need, and so on. Functions run in the order in which one worker would run them. False as above.
    template <int K, class Progress, class Then>
    bool look_again(Progress& progress, Then&& then, std::uint64_t& late) {
        for (std::size_t asked = 32; late > round_.size() && all_can_look_again(); asked *= 8) {
            const std::uint32_t blocks = round_.size();
            std::size_t left = asked;
            for (std::uint32_t i = 0; i < round_.size() && left > 0; ++i) {
                const std::span<const Miss> misses(round_.block(i).misses);
                const std::span<const Miss> some = misses.first(std::min(left, misses.size()));
                if (some.empty()) continue;
                left -= some.size();
                if (!crew_.attempt(i, [&] { return crew_.answer(round_.batches[i], some); })) return false;
            }
            if (round_.size() != blocks) break;
            workers_.each([&](std::uint32_t who) {
                Worker& hand = *crew_.hands[who];
                hand.late = 0;
                hand.ready = true;
                for (const std::uint32_t i : hand.batches) {
                    Block& block = round_.block(i);
                    if (!block.late.empty()) {
                        expand_again<K>(hand.expander, round_.batches[i], block, crew_.ledger.counters.explored);
                        place_known(progress, who, i);
                        then(i, hand);
                    }
                    hand.late += block.late.size();
                    hand.ready &= block.counted;
                }
            });
            if (!crew_.take_requests()) return false;
            late = count_late();
        }
        return true;
    }
    bool all_can_look_again() {
        for (std::uint32_t i = 0; i < round_.size(); ++i)
            if (!round_.block(i).may_be_known()) return false;
        return true;
    }

    template <class Progress>
    void place_known(Progress& progress, std::uint32_t who, std::uint32_t i) {
        Block& block = round_.block(i);
        if (!block.late.empty()) return;
        while (block.passes < crew_.passes.size() && crew_.passes[block.passes]->run_known(round_.batches[i], block)) ++block.passes;
        if (block.passes == crew_.passes.size()) block.placed = progress.place_known(round_.batches[i], block, crew_.hands[who]->moves);
    }

    /// Answer all misses of a round, those that go into tables first; then the successors of the late parents. Those that lead to
    /// contents which nobody has met are left for last, and for one worker.
    template <int K, class Progress>
    bool expand_late_ones(Progress& progress) {
        crew_.expander.prepare(round_.batches[0], crew_.ledger.counters.explored);
        const Resolver::Direct direct(crew_.resolver);
        const auto each_late = [&](auto&& see) {
            for (std::uint32_t i = 0; i < round_.size(); ++i) {
                Block& block = round_.block(i);
                if (!block.late.empty() && !crew_.attempt(i, [&] { return see(round_.batches[i], block); })) return false;
            }
            return true;
        };
        if (!each_late([&](const Batch& batch, Block& block) { return crew_.answer(batch, block.misses); })) return false;
        if (!each_late(
                [&](const Batch& batch, Block& block) { return crew_.resolver.answer_direct(block.misses, batch.states, batch.stride); }))
            return false;
        workers_.share(round_.size(), [&](std::uint32_t who, std::uint32_t i) {
            Block& block = round_.block(i);
            if (block.late.empty() || block.unmet) return;
            Expander& hand = crew_.hands[who]->expander;
            const std::uint32_t before = block.candidates;
            hand.prepare(round_.batches[i], crew_.ledger.counters.explored);
            hand.expand_late<K>(round_.batches[i], block);
            if (block.unmet) {
                block.candidates = before;
                return;
            }
            block.late.clear();
            place_known(progress, who, i);
        });
        return crew_.take_requests() && each_late([&](const Batch& batch, Block& block) {
                   crew_.expander.expand_late<K>(batch, block);
                   return crew_.schema().fits();
               });
    }
    bool run_passes() {
        for (std::uint32_t i = 0; i < round_.size(); ++i) {
            const auto run_all = [&] {
                crew_.run_passes(round_.batches[i], round_.block(i));
                return true;
            };
            if (!crew_.attempt(i, run_all)) return false;
        }
        return crew_.schema().fits();
    }
    /// Where much has to be asked for, rounds are short: what was learnt in one is known in the next.
    void adapt(std::uint64_t late) {
        const bool much = late * 32 > round_.states();
        crew_.pace = much ? std::max(1u, crew_.pace / 2) : std::min(Crew::most_pace, crew_.pace * 2);
    }

    Crew& crew_;
    Round& round_;
    Workers& workers_;
};

}  // namespace sweep
