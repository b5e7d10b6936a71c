#pragma once
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "sweep/explore/ahead.hpp"
#include "sweep/explore/chores.hpp"
#include "sweep/explore/crew.hpp"
#include "sweep/explore/halting.hpp"

namespace sweep {

/// The batches of a round one after the other, as one worker alone would have them. Meanwhile the other workers expand those that are
/// next. They only read the program: before it changes they end, and what they have expanded by then is the rest of the round.
class RunningAhead {
public:
    RunningAhead(Crew& crew, LayerStore& store) : crew_(crew), store_(store), round_(crew.round), workers_(crew.workers) {}

    /// `look_up` gets the successors of each batch, and says whether to go on. False when the round has to be done again.
    template <int K, class LookUp>
    bool run(LookUp&& look_up) {
        crew_.resolver.reconsider(crew_.ledger.counters.explored);
        for (const auto& hand : crew_.hands) hand->begin();
        ahead_.begin(round_.size());
        const std::uint64_t explored = crew_.ledger.counters.explored;
        std::uint64_t late = 0;
        bool fits = true;
        workers_.each([&](std::uint32_t who) {
            if (who == 0) {
                const LayerStore::Help help(store_, &together_);
                const Halting halting(crew_.resolver, [this] { halt(); });
                fits = look_up_in_order<K>(look_up, explored, late);
                return;
            }
            while (!ahead_.over())
                if (!chores_.help() && !expand_next<K>(who, explored))
                    workers_.wait_until([&] { return chores_.is_open() || ahead_.is_open() || ahead_.over(); });
        });
        crew_.news.see_round(late != 0, late > round_.size());
        return fits;
    }

private:
    void halt() {
        ahead_.halt([&](auto&& done) { workers_.wait_until(done); });
    }
    template <int K>
    bool expand_next(std::uint32_t who, std::uint64_t explored) {
        const std::optional<std::uint32_t> i = ahead_.take();
        if (!i) return false;
        Worker& hand = *crew_.hands[who];
        std::exception_ptr failure;
        try {
            expand_all<K>(hand.expander, round_.batches[*i], round_.block(*i % Ahead::depth), explored);
            Block& block = round_.block(*i % Ahead::depth);
            block.outgrown = !hand.requests.empty();
            if (who != 0 && !block.outgrown && block.late.empty()) hand.count_by_action(block);
        } catch (...) {
            failure = std::current_exception();
        }
        ahead_.expanded(*i, std::move(failure));
        return true;
    }
    template <int K, class LookUp>
    bool look_up_in_order(LookUp&& look_up, std::uint64_t explored, std::uint64_t& late) {
        for (std::uint32_t i = 0; i < ahead_.batches(); ++i) {
            while (!ahead_.is_ready(i))
                if (!expand_next<K>(0, explored)) workers_.wait_until([&] { return ahead_.is_ready(i); });
            if (ahead_.failure(i)) std::rethrow_exception(ahead_.failure(i));
            Block& block = round_.block(i % Ahead::depth);
            late += block.late.size();
            if (block.outgrown || !block.late.empty()) {
                halt();
                if (!crew_.take_requests() || !expand_late_one<K>(round_.batches[i], block)) return false;
            }
            crew_.save_before_limit(block.candidates);
            if (!look_up(i, block)) return true;
            ahead_.done(i);
        }
        return true;
    }
    /// Of what the batch did not know more may be known by now; the rest is asked for.
    template <int K>
    bool expand_late_one(const Batch& batch, Block& block) {
        crew_.expander.prepare(batch, crew_.ledger.counters.explored);
        if (block.may_be_known()) expand_again<K>(crew_.expander, batch, block, crew_.ledger.counters.explored);
        return crew_.see_to<K>(batch, block);
    }

    Crew& crew_;
    LayerStore& store_;
    Round& round_;
    Workers& workers_;
    Ahead ahead_;
    Chores chores_;  // of who looks up, when tables grow
    const Together together_ = [this](std::uint32_t jobs, const Chores::Job& job) {
        chores_.share(jobs, job, [this](auto&& done) { workers_.wait_until(done); });
    };
};

}  // namespace sweep
