#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sweep/explore/crew.hpp"
#include "sweep/explore/foreseen.hpp"
#include "sweep/explore/halting.hpp"
#include "sweep/explore/loops.hpp"
#include "sweep/store/key_store.hpp"

namespace sweep {

/// States by keys, one after the other as one worker alone would have them, while the other workers expand those that are next, as far
/// ahead as they are known. A state that was expanded before its turn has the successors that it will have then, whatever comes in
/// between. Where functions would have to run for that, all this ends, and one worker goes on alone for a while.
template <int K>
class KeysAhead {
public:
    KeysAhead(Crew& crew, KeyStore& store) : crew_(crew), store_(store), foreseen_(*crew.foreseen) {}

    /// So many batches, and what comes before them. `look_up` gets the successors of one, from the states on that are at hand.
    template <class LookUp>
    Ended run(std::uint32_t batches, LookUp&& look_up) {
        crew_.resolver.reconsider(crew_.ledger.counters.explored);
        explored_ = crew_.ledger.counters.explored;
        Ended ended = Ended::finished;
        foreseen_.begin();
        // Making successors is less than half of the work: one keeps up, mostly. More who look for something to do are in the way.
        crew_.workers.each_of_few([&](std::uint32_t who) {
            if (who == 0) {
                const Halting halting(crew_.resolver, [this] { halt(); });
                ended = go_through(batches, look_up);
                return;
            }
            while (!foreseen_.over())
                if (!expand_next(who)) crew_.workers.wait_until([&] { return foreseen_.is_open() || foreseen_.over(); });
        });
        foreseen_.clear([&](const Block& block) { crew_.hands[0]->expander.take_back(block); });
        const std::uint64_t now = crew_.ledger.counters.explored;
        crew_.guard.skip(now - explored_);
        crew_.alone.learn(cut_short_ || now - explored_ < std::min(least_together, crew_.sharing.batch_size) * gathers_, now);
        return ended;
    }

private:
    void halt() {
        foreseen_.halt([&](auto&& done) { crew_.workers.wait_until(done); });
    }
    template <class LookUp>
    Ended go_through(std::uint32_t batches, LookUp&& look_up) {
        const std::uint64_t renewals = store_.renewals();
        const std::uint64_t most = explored_ + std::uint64_t{longest} * batches * crew_.sharing.batch_size;
        while (store_.template begin_next<K>(false)) {
            if (foreseen_.empty() || !store_.go_on_with(foreseen_.front().states)) {
                const std::uint64_t now = crew_.ledger.counters.explored;
                if (!foreseen_.empty() && foreseen_.front().states.is_done()) pop();
                if (foreseen_.over() || (foreseen_.empty() && now != explored_) || now >= most) break;
                gather(foreseen_.empty() ? batches : between_);
                if (!store_.go_on_with(foreseen_.front().states)) break;
            }
            Foreseen::Entry& entry = foreseen_.front();
            if (!wait_for(entry)) break;
            if (!entry.whole) {
                cut_short_ = true;
                break;
            }
            if (crew_.verifier.is_due(crew_.ledger.counters.explored) && crew_.verifier.runs_functions()) halt();
            fetch(entry);
            if (Foreseen::Entry* const second = foreseen_.second()) fetch(*second);
            const Ended ended = look_up(store_.view(entry.states), *entry.block);
            if (ended != Ended::finished) return ended;
            if (store_.renewals() != renewals) break;
            if (entry.states.is_done()) pop();
        }
        return Ended::finished;
    }

    /// What comes before all that is foreseen, or whatever is next, in so many batches at most.
    void gather(std::uint32_t batches) {
        foreseen_.make_room(batches);
        gathered_.clear();
        const KeyBatch* const until = foreseen_.empty() ? nullptr : &foreseen_.front().states;
        const std::uint32_t size = std::min(crew_.sharing.batch_size, block_size);
        std::uint32_t key_begins = 0;  // in the last batch
        store_.each_next(std::size_t{batches} * size, until, [&](const Word* key, const Word* state, Finder finder) {
            KeyBatch* last = gathered_.empty() ? nullptr : &gathered_.back()->states;
            const bool other = last && !store_.is_same_key(key, last->key_at(last->count() - 1));
            if (other) key_begins = last->count();
            if (!last || last->count() == block_size || (other && last->count() >= size)) {
                Foreseen::Entry* const entry = gathered_.size() < batches ? foreseen_.spare() : nullptr;
                if (entry) store_.begin(entry->states);
                // A key has all of its states in one batch, unless these are too many.
                if (last && !other && key_begins) {
                    if (entry)
                        last->move(key_begins, entry->states);
                    else
                        last->cut(key_begins);
                }
                if (!entry) return false;
                gathered_.push_back(entry);
                last = &entry->states;
                key_begins = 0;
            }
            last->add(key, state, finder);
            return true;
        });
        foreseen_.add(gathered_);
        ++gathers_;
        const bool full = gathered_.size() == batches && gathered_.back()->states.count() >= size;
        if (until) between_ = full ? std::min(2 * batches, most_between) : 1;
    }
    void pop() {
        crew_.workers.wait_until([&] { return foreseen_.front().is != Foreseen::Is::taken; });
        foreseen_.pop();
    }
    void fetch(Foreseen::Entry& entry) {
        if (!std::exchange(entry.fetched, true)) store_.template fetch<K>(store_.view(entry.states));
    }

    /// Whether a batch is expanded, by now.
    bool wait_for(Foreseen::Entry& entry) {
        while (!foreseen_.is_expanded(entry)) {
            if (foreseen_.over() && entry.is == Foreseen::Is::waiting) return false;
            if (foreseen_.take_front())
                expand(entry, 0);
            else if (!expand_next(0))
                crew_.workers.wait_until([&] { return entry.is != Foreseen::Is::taken; });
        }
        return true;
    }
    bool expand_next(std::uint32_t who) {
        Foreseen::Entry* const entry = foreseen_.take();
        if (entry) expand(*entry, who);
        return entry != nullptr;
    }
    void expand(Foreseen::Entry& entry, std::uint32_t who) {
        bool whole = false;
        try {
            whole = crew_.hands[who]->expander.template expand_ahead<K>(store_.view(entry.states), *entry.block, explored_);
        } catch (...) {  // who expands it in its turn will meet the same
        }
        Foreseen::expanded(entry, whole);
    }

    static constexpr std::uint32_t most_between = 16;   // batches that come before others
    static constexpr std::uint32_t longest = 2;         // times as many states at most as were foreseen first
    static constexpr std::uint32_t least_together = 8;  // states that are gathered at once, on average: else it does not pay

    Crew& crew_;
    KeyStore& store_;
    Foreseen& foreseen_;
    std::uint64_t explored_ = 0;  // when it began
    bool cut_short_ = false;      // something was missing
    std::uint64_t gathers_ = 0;
    std::uint32_t between_ = 1;  // batches that may come before others, this time: few mostly do, and all that might are put in order
    std::vector<Foreseen::Entry*> gathered_;
};

}  // namespace sweep
