#pragma once
#include "sweep/explore/crew.hpp"
#include "sweep/progress/key_progress.hpp"
#include "sweep/store/key_store.hpp"

namespace sweep {

/// Looks the successors of a batch up whose parents come key by key. Where they lead, and which of them are known for sure, is found out
/// for many parents together; the others are looked up when the turn of their parents comes.
template <int K>
class KeyInsertion {
public:
    KeyInsertion(Crew& crew, KeyStore& store, KeyProgress& progress, const Batch& batch, Block& block)
        : crew_(crew), store_(store), progress_(progress), batch_(batch), block_(block), news_(block, store.width()) {}

    /// Find out where the parents at hand lead, if that is not known yet, and the next ones as far as nothing has to be asked for that.
    /// False when the layout is too small.
    bool place() {
        const Parents here = store_.at_hand();
        if (here.last <= placed_) return true;
        placed_ = progress_.place_remembered(block_, {here.first, store_.batch_size()}, store_.keys());
        if (placed_ < here.last) {
            if (!place_at_hand()) return false;
            placed_ = progress_.place_remembered(block_, {here.last, store_.batch_size()}, store_.keys());
        }
        none_ = store_.template sift<K>(block_, block_.parents[here.first].begin, block_.parents[placed_ - 1].end);
        pending_ = block_.pending.data();
        return true;
    }
    /// The same for those at hand alone, without finding out which are known.
    bool place_at_hand() {
        progress_.place(batch_, block_, store_.at_hand());
        store_.placed();  // also if they have to be expanded again: keys of states that wait are compared with steps
        return crew_.schema().fits();
    }

    /// Look the successors of the parents at hand up; store and number those that are new. Why no more can be stored, if so.
    Stop insert() {
        block_.fresh.clear();
        block_.dead.clear();
        const Parents here = store_.at_hand();
        try {
            for (std::uint32_t p = here.first; p < here.last; ++p)
                if (!insert(p)) return Stop::states;
        } catch (const OutOfMemory&) {
            return Stop::memory;
        }
        return Stop::none;
    }

private:
    bool insert(std::uint32_t p) {
        Ledger& ledger = crew_.ledger;
        const Block::Parent range = block_.parents[p];
        block_.each_action(p, [&](std::uint32_t action) { ++ledger.edges[action]; });
        if (progress_.may_regress())
            for (std::uint32_t c = range.begin; c < range.end; ++c) store_.count_back(block_, c);
        for (; pending_ != none_ && *pending_ < range.end; ++pending_) {
            const Word* slot;
            const Fate fate = store_.template insert_state<K>(block_, *pending_, slot);
            if (fate != Fate::known)
                news_.add(*pending_, fate);
            else if (!news_.empty())
                news_.meet_again(*pending_);
        }
        if (!news_.empty() && !news_.take([&](std::uint32_t c, Fate fate, bool last) { return admit(p, c, fate, last); })) return false;
        ++ledger.counters.explored;
        ledger.counters.edges += range.edges();
        if (range.edges() == 0) ledger.note_without_successors(block_, p);
        store_.template processed<K>(batch_, p);
        return true;
    }
    bool admit(std::uint32_t p, std::uint32_t c, Fate fate, bool last) {
        Ledger& ledger = crew_.ledger;
        if (ledger.full()) return false;
        const std::uint64_t number = ledger.found(batch_.number(p), Block::edge(block_.found[c], ledger.actions()));
        if (crew_.judge.asks_found()) block_.fresh.push_back({c, number});
        store_.template admit<K>(block_, c, number, fate, last);
        return true;
    }

    Crew& crew_;
    KeyStore& store_;
    KeyProgress& progress_;
    const Batch& batch_;
    Block& block_;
    NewStates<K> news_;
    std::uint32_t placed_ = 0;                                  // of the parents: where all of these lead is known
    const std::uint32_t *pending_ = nullptr, *none_ = nullptr;  // their successors that may be new, and that are not looked up yet
};

}  // namespace sweep
