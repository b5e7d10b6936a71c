#pragma once
#include <cstdint>
#include <numeric>

#include "sweep/progress/key_progress.hpp"
#include "sweep/store/collector.hpp"
#include "sweep/store/key_queue.hpp"
#include "sweep/store/ledger.hpp"
#include "sweep/store/queue.hpp"
#include "sweep/store/upcoming.hpp"
#include "sweep/store/visited.hpp"

namespace sweep {

/// States by keys of a product measure (algorithms B, C and D; paper 2, figure 5): all in one table, from which they are erased, and
/// the unprocessed ones in buckets. The generalised sweep is a column sweep without monotone parts: the one column is everything.
class KeyStore {
public:
    KeyStore(const Schema& schema, KeyProgress& progress, Ledger& ledger, Collector& collector);
    KeyStore(const KeyStore&) = delete;
    KeyStore& operator=(const KeyStore&) = delete;

    static constexpr bool enters_late = false;
    static constexpr bool takes_rounds = false;  // hardly any two states have the same key
    static constexpr std::uint64_t blocks_per_look = 64;

    bool looks_ahead = false;  // batches may have states with several keys
    /// States wait with how they were found, so that edges which close diamonds are not looked up. To be said before there are any.
    void keep_finders(const Diamonds& diamonds);

    /// States of least progress, and some that are next to it, key by key; empty when everything is done. They wait until they are
    /// processed.
    template <int K>
    Batch next();
    /// Of the batch: the states at hand, with the same key; and those with the next one. False when there are none, or others come before
    /// them.
    Parents at_hand() const { return {at_work_->first(), at_work_->last()}; }
    const Word* keys() const { return at_work_->keys(); }
    std::uint32_t batch_size() const { return at_work_->count(); }
    template <int K>
    bool next_key();
    /// The batch has so many states only, or those at hand.
    void cut(std::uint32_t count) { at_work_->cut(count); }

    /// Begin with the states of least progress, which may be known to be in the same column, or go on with them. False when there are none.
    template <int K>
    bool begin_next(bool same_column);
    /// How many states wait; and those that come next, in their order, as long as `visit` says to go on: in the column at work, and before
    /// those of a batch, if there is one. That batch has the first ones of its keys.
    std::uint64_t waiting() const { return waiting_.size(); }
    template <class Visit>
    void each_next(std::size_t most, const KeyBatch* until, Visit&& visit) {
        const Word* const present = waiting_.key();
        waiting_.each_soon(most, [&](const Word* key, const Word* state, Finder finder) {
            if (until ? !waiting_.before(key, until->next_key()) : !progress_.product().same_column(present, key)) return false;
            return visit(key, state, finder);
        });
    }
    /// A batch of such states: empty; and go on with it, if its next ones come now. Else it has nothing with the present key.
    void begin(KeyBatch& batch) const { batch.begin(waiting_, static_cast<std::size_t>(stride())); }
    bool is_same_key(const Word* one, const Word* other) const { return waiting_.same(one, other); }
    bool go_on_with(KeyBatch& batch) {
        at_work_ = &batch;
        if (batch.next(waiting_)) return true;
        if (is_same_key(waiting_.key(), batch.next_key())) batch.skip(waiting_);
        return false;
    }
    Batch view(const KeyBatch& batch) const {
        return {batch.states(), batch.count(), static_cast<std::size_t>(stride()), 0, numbered_ != 0, {}, batch.finders()};
    }
    /// Fetch where the states of a batch lie, which will soon be erased.
    template <int K>
    void fetch(const Batch& batch) const;
    /// So often all keys were made again: no batch of before can be gone on with.
    std::uint64_t renewals() const { return renewals_; }
    bool again() const { return false; }  // sweeps are begun by `next`, column by column
    /// New values may have taken a place among the others: all keys are made again then, and this is true.
    bool placed();

    bool holds_root(const Word* state) const { return states_.find(state, hash_words<0>(state, width()), width()) != nullptr; }
    const Word* insert_root(const Word* state) {
        const Word* slot;
        return states_.insert<0>(state, hash_words<0>(state, width()), width(), slot) ? nullptr : agreeing(slot, state);
    }
    Place admit_root(const Word* state, std::uint64_t number) {
        push(state, number);
        return 0;
    }

    template <int K>
    void prefetch(const Block& block, std::uint32_t c) const {
        states_.template prefetch<K>(block.found[c].hash, width());
    }
    template <int K>
    Word* seek(const Block& block, std::uint32_t c) const {
        prefetch<K>(block, c);
        return nullptr;  // nothing is kept of it
    }
    static constexpr std::uint64_t moves() { return 0; }
    /// Which of some candidates, from one on, may be new when the turn of their parents comes, which wait in the column at work; where they
    /// end. A state that a step ahead leads to, or one elsewhere, is processed after its parent: if it is stored, it is then. What steps
    /// back have led to is stored as long as the column is at work. Anything else that such a step leads to may be gone by then.
    template <int K>
    const std::uint32_t* sift(Block& block, std::uint32_t begin, std::uint32_t end) const {
        if (block.pending.size() < block.candidates) block.pending.resize(block.candidates);
        std::uint32_t* pending = block.pending.data();
        if (!collector_.at_layers() || states_.capacity() == 0) {
            std::iota(pending, pending + (end - begin), begin);
            return pending + (end - begin);
        }
        const Aim states = states_.aim(), persistent = persistent_.aim();
        const Width width = K ? Width(K) : this->width();
        const auto lies = [&](const Aim& aim, std::uint32_t c) {
            const Word* at = aim.slots + position(block.found[c].hash, aim.capacity) * static_cast<std::uint64_t>(K ? K : width.words);
            return VisitedTable::lies_near<K>(at, block.state<K>(c), width);
        };
        const Turn* const turns = block.turns.data();
        const auto aim_at = [&](std::uint32_t c) { states.fetch(block.found[c].hash, K ? K : width.words); };
        constexpr std::uint32_t ahead = 32;  // slots that are fetched, where whoever made the successors did not
        std::uint32_t soon = block.aim.capacity ? end : begin;
        for (const std::uint32_t first = std::min(end, begin + ahead); soon < first; ++soon) aim_at(soon);
        for (std::uint32_t c = begin; c < end; ++c) {
            if (soon < end) aim_at(soon++);
            bool known = (turns[c] != Turn::back) & lies(states, c);
            if (persistent.capacity) known |= (turns[c] != Turn::elsewhere) & lies(persistent, c);
            *pending = c;
            pending += !known;
        }
        return pending;
    }
    void count_back(const Block& block, std::uint32_t c) { ledger_.regress_edges[block.found[c].action] += block.turns[c] == Turn::back; }
    template <int K>
    Fate insert(const Block& block, std::uint32_t c, Word*, const Word*& slot) {
        count_back(block, c);
        const Fate fate = insert_state<K>(block, c, slot);
        if constexpr (K == 0)
            if (fate == Fate::known && schema_.layout.has_keys()) agreeing(slot, block.state(c));
        return fate;
    }
    template <int K>
    Fate insert_state(const Block& block, std::uint32_t c, const Word*& slot) {
        const Word* state = block.state<K>(c);
        const Block::Candidate& found = block.found[c];
        const Turn turn = block.turns[c];
        const bool back = turn == Turn::back;
        // Persistent states are of the column at work: another one has none yet.
        if (turn != Turn::elsewhere && persistent_.size() && (slot = persistent_.template find<K>(state, found.hash, width())))
            return Fate::known;
        if (back && (slot = states_.template find<K>(state, found.hash, width()))) return Fate::known;
        if (back) {
            persistent_.template insert<K>(state, found.hash, width());
            return Fate::root;
        }
        return states_.template insert<K>(state, found.hash, width(), slot) ? Fate::fresh : Fate::known;
    }
    template <int K>
    void admit(const Block& block, std::uint32_t c, std::uint64_t number, Fate fate, bool last) {
        const Word* key = progress_.key_of(block, c);
        if (fate == Fate::fresh) {
            const Block::Candidate& found = block.found[c];
            waiting_.push(key, block.state<K>(c), number, diamonds_ ? diamonds_->finder(found.outcome, found.taken, last) : no_finder);
            return;
        }
        ++ledger_.counters.persistent;
        waiting_.put_off(key, block.state<K>(c), number);
    }
    template <int K>
    void processed(const Batch& batch, std::uint32_t parent) {
        waiting_.pop();
        ++processed_here_;
        processed_.template push<K>(batch.state(parent), batch.number(parent), words(), stride());
        if (!collector_.at_layers() && goes_on() && collector_.due()) collect<K>();  // with the last one, when the layer is left
    }

    void keep(const Word* state, Place place);
    template <class Visit>
    void each(Visit&& visit) const {
        for (const VisitedTable* table : {&states_, &persistent_, &kept_}) table->each(words(), visit);
        processed_.each(stride(), visit);
        waiting_.each(visit);
        waiting_.each_later(visit);
    }
    void rewrite(Transfer& transfer);
    std::uint64_t bytes() const;
    Width width() const { return schema_.layout.width(); }

private:
    int words() const { return schema_.layout.words; }
    int stride() const { return words() + numbered_; }
    /// Whether a state with the progress of those at work waits.
    bool goes_on() const { return waiting_.goes_on(); }
    /// A state of the class of another, which must have the same progress; the other one.
    const Word* agreeing(const Word* known, const Word* met);
    void push(const Word* state, std::uint64_t number);
    void empty_waiting();
    template <int K>
    void leave_last_layer(bool same_column);
    template <int K>
    void end_sweep();
    template <int K>
    void collect();

    const Schema& schema_;
    KeyProgress& progress_;
    Ledger& ledger_;
    Collector& collector_;
    const Diamonds* diamonds_ = nullptr;  // null: nobody asks how states were found
    int numbered_;                        // 1 when the queues keep the states' numbers
    VisitedTable states_;
    VisitedTable persistent_;     // states that steps back led to
    VisitedTable kept_;           // stored states that a fold keeps: they stay when they are deleted here
    KeyQueue waiting_;            // those that steps back led to are put off until the next sweep
    Upcoming soon_;               // of these, some that are next,
    KeyBatch* at_work_ = &soon_;  // or those that others have expanded
    std::uint64_t renewals_ = 0;
    StateQueue processed_;              // and still stored
    std::uint64_t processed_done_ = 0;  // of the processed ones, the first so many are of layers left
    std::uint64_t processed_here_ = 0;  // in the layer at work
    bool layer_open_ = false;           // some states of the layer at work were processed, and it is not left
};

}  // namespace sweep
