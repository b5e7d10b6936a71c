#pragma once
#include <cstdint>
#include <vector>

#include "sweep/store/ledger.hpp"
#include "sweep/store/queue.hpp"
#include "sweep/store/visited.hpp"

namespace sweep {

/// Depth first with a bounded cache (algorithm E; paper 2, section 6): the states on the stack and those in the cache lie in one
/// table. The cached ones are queued in the order they were left, and the oldest is replaced.
class StackStore {
public:
    StackStore(const Schema& schema, Ledger& ledger, std::uint64_t cache_size);

    static constexpr bool enters_late = true;
    static constexpr bool takes_rounds = false;
    static constexpr std::uint64_t blocks_per_look = 64;

    /// The newest state. It may have to be entered first; empty when there is none, or so much was left that somebody may want
    /// to look at the clock: then `again` is true.
    template <int K>
    Batch next();
    bool again();
    void placed() {}

    /// The state of a batch is found now, with this parent, by this edge.
    bool entering() const { return entering_; }
    std::uint64_t parent() const { return stack_.empty() ? no_parent : stack_.back().number; }
    std::uint64_t edge() const { return coming_.back(); }
    template <int K>
    Batch enter(std::uint64_t number);

    void add_root(const Word* state, std::uint64_t index) { roots_.push<0>(state, index, words(), words() + 1); }

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
    /// What is not stored is noted, with its edge, behind what was noted before.
    template <int K>
    Fate insert(const Block& block, std::uint32_t c, Word*, const Word*& slot) {
        const Word* state = block.state<K>(c);
        slot = states_.find(state, block.found[c].hash, width());
        if (slot) return Fate::known;
        ask_for_room(pending_, static_cast<std::size_t>(words()) + 1);
        pending_.insert(pending_.end(), state, state + words());
        pending_.push_back(Block::edge(block.found[c], ledger_.actions()));
        return Fate::later;
    }
    template <int K>
    void admit(const Block&, std::uint32_t, std::uint64_t, Fate, bool) {}
    template <int K>
    void processed(const Batch&, std::uint32_t) {}
    void done(const Batch& batch);
    bool layer_done() const { return false; }
    void leave_layer() {}

    void keep(const Word* state, Place place);
    template <class Visit>
    void each(Visit&& visit) const {
        const std::size_t k = static_cast<std::size_t>(words());
        for (const VisitedTable* table : {&states_, &kept_}) table->each(words(), visit);
        for (const StateQueue* queue : {&work_, &cached_}) queue->each(stride(), visit);
        roots_.each(words() + 1, visit);
        for (std::size_t at = 0; at < stack_states_.size(); at += k) visit(stack_states_.data() + at);
        for (std::size_t at = 0; at < pending_.size(); at += k + 1) visit(pending_.data() + at);
        if (entering_) visit(coming_.data());
    }
    void rewrite(Transfer& transfer);
    std::uint64_t bytes() const;
    Width width() const { return schema_.layout.width(); }

private:
    int words() const { return schema_.layout.words; }
    int stride() const { return words() + numbered_; }
    template <int K>
    bool find_next();
    template <int K>
    void leave();

    struct Frame {
        std::uint64_t number, pending;  // where its successors begin among the pending ones
    };
    const Schema& schema_;
    Ledger& ledger_;
    std::uint64_t cache_size_;
    int numbered_;  // 1 when the queues keep the states' numbers
    VisitedTable states_;
    VisitedTable kept_;  // stored states that a fold keeps: they stay when they are deleted here
    std::vector<Frame> stack_;
    std::vector<Word> stack_states_, pending_;  // `pending_`: states, each followed by the edge that leads to it
    std::vector<Word> coming_;                  // likewise, the state that comes next
    bool entering_ = false;
    StateQueue work_;  // the newest state, until it is processed
    StateQueue cached_;
    StateQueue roots_;  // initial states that have not had their turn
};

}  // namespace sweep
