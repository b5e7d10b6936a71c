#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "sweep/explore/ahead.hpp"
#include "sweep/explore/crew.hpp"
#include "sweep/store/key_store.hpp"

namespace sweep {

/// How much of what is next the workers share at once.
class Rounds {
public:
    explicit Rounds(Crew& crew) : crew_(crew), round_(crew.round), workers_(crew.workers) {}

    /// Whether there is so much to do that several workers share it; then the round has the batches to expand. `together`: whether they
    /// may be looked up together.
    template <class Store>
    bool shares(const Store& store, bool together) {
        crew_.far = Crew::looks_far();
        if (crew_.far ? !together : workers_.count() < 2) return false;
        if (crew_.ledger.counters.explored < crew_.sharing.after || crew_.bound.depth) return false;
        if (!crew_.far && crew_.sharing.after != 0 && !crew_.tempo.shares(crew_.ledger.counters.explored, tolerated)) return false;
        if (!crew_.far && store.waiting() < std::max<std::uint64_t>(2 * crew_.sharing.batch_size, crew_.sharing.least / workers_.count()))
            return false;
        if (std::exchange(crew_.last_place, round_.batches[0].place) != round_.batches[0].place) crew_.news.enter();
        crew_.runs_ahead = !crew_.far && may_run_ahead(together);
        if (!crew_.far && !crew_.runs_ahead && crew_.sharing.after != 0 && crew_.news.expected()) return false;
        const std::uint64_t most =
            crew_.far ? most_far_batches()
                      : std::min<std::uint64_t>(crew_.runs_ahead ? most_ahead() : most_batches(), crew_.guard.blocks_ahead());
        if (crew_.runs_ahead && most < 2) return false;
        round_.batches.clear();
        store.next_ones(std::max<std::size_t>(1, most), round_.batches);
        if (round_.size() < 2 && !crew_.far) return false;
        if (crew_.far) fetch_parents(*Spill::at_work());
        crew_.make_hands();
        crew_.guard.skip(round_.size() - 1);
        round_.make_blocks(crew_.runs_ahead ? Ahead::depth : round_.size(), crew_.far ? Block::little_room : Block::usual_room);
        return true;
    }

    /// The same where states come by keys, and one worker looks them up: how many batches are to be foreseen at once; 0: it works alone.
    std::uint32_t foreseen(const KeyStore& store) {
        const std::uint64_t explored = crew_.ledger.counters.explored;
        if (workers_.count() < 2 || !store.looks_ahead || explored < crew_.sharing.after) return 0;
        if (crew_.sharing.after != 0 && !crew_.tempo.shares(explored, tolerated_by_keys)) return 0;
        if (store.waiting() < std::max<std::uint64_t>(2 * crew_.sharing.batch_size, crew_.sharing.least / workers_.count())) return 0;
        const std::uint64_t batches = std::min({most_foreseen, crew_.alone.reach(), crew_.guard.blocks_ahead() / crew_.sharing.batch_size});
        if (batches < 2 || !crew_.alone.is_over(explored)) return 0;
        crew_.make_hands();
        if (!crew_.foreseen) crew_.foreseen = std::make_unique<Foreseen>();
        return static_cast<std::uint32_t>(batches);
    }

private:
    /// Several workers are few, or cannot look up together: one of them does. What is asked of whole states or edges may change the
    /// program.
    bool may_run_ahead(bool together) const {
        return (workers_.count() == 2 || !together) && crew_.passes.empty() && !crew_.bound.any() && !crew_.classes.any() &&
               !crew_.judge.asks_steps();
    }
    /// The states to expand lie in runs: each comes at once.
    void fetch_parents(Spill& spill) const {
        const Word *from = nullptr, *to = nullptr;
        for (const Batch& batch : round_.batches) {
            if (batch.states != to) {
                if (from) spill.fetch(from, to);
                from = batch.states;
            }
            to = batch.state(batch.count);
        }
        if (from) spill.fetch(from, to);
    }
    std::uint64_t per_parent() const {
        return crew_.ledger.counters.edges / std::max<std::uint64_t>(1, crew_.ledger.counters.explored) + 1;
    }
    /// Batches of a round that looks far: as many as there is room for, unless much has to be asked for. Candidates lie in blocks that
    /// may be more than half empty, each with its mark, and once more where they are sorted.
    std::uint64_t most_far_batches() const {
        const std::uint64_t each =
            3 * (sizeof(Block::Candidate) + static_cast<std::uint64_t>(crew_.schema().layout.words) * sizeof(Word)) + 64;
        const std::uint64_t with_room = Spill::at_work()->limit() / 6 / (each * per_parent() * crew_.sharing.batch_size);
        return std::clamp<std::uint64_t>(with_room, 2, std::uint64_t{crew_.pace} << 13);
    }
    /// Batches of a round: several for each worker, so that none waits long for another, and not more than their successors have room.
    std::uint64_t most_batches() const {
        const std::uint64_t with_room = most_candidates / (per_parent() * crew_.sharing.batch_size) * workers_.count();
        return std::clamp<std::uint64_t>(with_room, workers_.count(), std::uint64_t{crew_.pace} * workers_.count());
    }
    /// Batches of a round in which one looks up: none of their states is one of those for which functions are run again.
    std::uint64_t most_ahead() const {
        constexpr std::uint64_t most = 256;
        return std::min(most, crew_.verifier.states_left(crew_.ledger.counters.explored) / crew_.sharing.batch_size);
    }

    static constexpr std::uint64_t most_candidates = 1 << 16;  // for each worker
    static constexpr double tolerated = 1.04;                  // times as long as one worker, as far as can be measured
    static constexpr double tolerated_by_keys = 1.0;           // there is little to gain
    static constexpr std::uint64_t most_foreseen = Foreseen::most - Foreseen::depth;  // batches

    Crew& crew_;
    Round& round_;
    Workers& workers_;
};

}  // namespace sweep
