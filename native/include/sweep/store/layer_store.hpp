#pragma once
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "sweep/progress/layer_progress.hpp"
#include "sweep/store/class_index.hpp"
#include "sweep/store/collector.hpp"
#include "sweep/store/layer_table.hpp"
#include "sweep/store/ledger.hpp"
#include "sweep/store/queue.hpp"
#include "sweep/store/visited.hpp"

namespace sweep {

/// The states of one layer.
struct Layer {
    Layer(Account& account, bool with_finders) : visited(&account), unprocessed(&account), persistent(&account), roots(&account) {
        unprocessed.with_finders = with_finders;
    }

    LayerTable visited;
    StateQueue unprocessed;
    VisitedTable persistent;   // states that steps back led to: kept when the layer is dropped
    StateQueue roots;          // those of them that the next sweep begins with
    VisitedTable kept;         // stored states that a fold keeps: they stay when they are deleted here
    std::uint64_t states = 0;  // found since it was last left

    /// All states but those of the table, which has most of them once more.
    template <class Visit>
    void each_beside(int words, int stride, Visit&& visit) const {
        for (const VisitedTable* table : {&persistent, &kept}) table->each(words, visit);
        for (const StateQueue* queue : {&unprocessed, &roots}) queue->each(stride, visit);
    }
};

/// States by layers, each with tables of its own, which are dropped whole (algorithms A, B and C). Full exploration has one layer.
class LayerStore {
public:
    /// `forgets`: by progress, so that layers that are done are deleted. `regresses`: in several sweeps, from the states that
    /// steps back led to.
    LayerStore(const Schema& schema, LayerProgress& progress, Ledger& ledger, Collector& collector, bool forgets, bool regresses);

    std::uint32_t batch_size = block_size;
    std::uint32_t parts = 1;  // of the tables of large layers, where several workers fill them

    /// States are equivalent: those of one class must be in one layer.
    void index_classes() { index_ = std::make_unique<ClassIndex>(account_); }
    /// They need not be: a state of a class that is stored or remembered is not found. Steps may go back.
    void cut_off(std::function<bool(const Word*)> remembers) { index_->remembers = std::move(remembers); }

    /// States wait with how they were found, so that edges which close diamonds are not looked up. To be said before there are any.
    void keep_finders(const Diamonds& diamonds);

    static constexpr bool enters_late = false;
    static constexpr bool takes_rounds = true;
    static constexpr std::uint64_t blocks_per_look = 1;  // at the clock

    /// The oldest states of a least layer that has unprocessed ones; empty when none has.
    template <int K>
    Batch next();
    /// The batches that `next` would give one after the other, if nothing came between; at most so many.
    void next_ones(std::size_t most, std::vector<Batch>& batches) const;
    std::uint64_t waiting() const { return here_->unprocessed.size(); }
    /// Whether there is another sweep, from the states that steps back led to in the last one.
    bool again();
    /// The same in two steps: whether there are such states here, and beginning with them.
    bool ends_sweep();
    void begin_sweep();
    /// New layers may have been found.
    void placed() {
        while (layers_.size() < progress_.order.size()) layers_.push_back(std::make_unique<Layer>(account_, diamonds_ != nullptr));
    }

    /// A new initial state; or the one that is stored already. If it is new, it gets its number.
    bool holds_root(const Word* state);
    const Word* insert_root(const Word* state);
    Place admit_root(const Word* state, std::uint64_t number);

    template <int K>
    [[gnu::always_inline]] void prefetch(const Block& block, std::uint32_t c) const {
        const Block::Candidate& found = block.found[c];
        if (const Layer* layer = of(found)) layer->visited.template prefetch<K>(found.hash, width());
    }
    /// Where a candidate will be looked up, which is fetched; null where that is not known yet. Good until tables move.
    template <int K>
    [[gnu::always_inline]] Word* seek(const Block& block, std::uint32_t c) const {
        const Block::Candidate& found = block.found[c];
        Layer* const layer = of(found);
        Word* const start = layer ? layer->visited.part(found.hash).template start<K>(found.hash, width<K>()) : nullptr;
        __builtin_prefetch(start);
        return start;
    }
    std::uint64_t moves() const { return account_.moves.load(std::memory_order_relaxed); }
    /// Others help to move large tables, as long as this lives.
    class Help {
    public:
        Help(LayerStore& store, const Together* together) : account_(store.account_) { account_.together = together; }
        Help(const Help&) = delete;
        Help& operator=(const Help&) = delete;
        ~Help() { account_.together = nullptr; }

    private:
        Account& account_;
    };
    /// Whether a candidate that lies where it is looked up is known, whatever became of those before it.
    bool sifts() const { return !regresses_ && !at_intervals_ && !index_; }
    template <int K>
    [[gnu::always_inline]] Fate insert(const Block& block, std::uint32_t c, Word* start, const Word*& slot) {
        if constexpr (K == 0)
            if (index_) return insert_class(block, c, slot);
        if (regresses_ || !start) return insert_state<K>(block, c, slot);
        const bool known = VisitedTable::search<K>(start, block.state<K>(c), width<K>());
        slot = start;
        if (known) return Fate::known;
        const Block::Candidate& found = block.found[c];
        slot = of(found)->visited.part(found.hash).template add<K>(block.state<K>(c), start, width<K>());
        return Fate::fresh;
    }
    template <int K>
    [[gnu::always_inline]] Fate insert_state(const Block& block, std::uint32_t c, const Word*& slot) {
        const Block::Candidate& found = block.found[c];
        if (regresses_) {
            const Fate fate = look_back<K>(block, c, slot);
            if (fate != Fate::fresh) return fate;
        }
        return of(found)->visited.template insert<K>(block.state<K>(c), found.hash, width(), slot) ? Fate::fresh : Fate::known;
    }
    /// `last`: no other state is found from the same one after it.
    template <int K>
    void admit(const Block& block, std::uint32_t c, std::uint64_t number, Fate fate, bool last) {
        if (fate == Fate::root) {
            admit_back(block.state<K>(c), block.found[c].place, number);
            return;
        }
        const Place place = forgets_ ? block.found[c].place : place_;
        Layer& layer = *layers_[place];
        if (layer.states == 0) [[unlikely]]
            layer.visited.template foresee<K>(likely_states(), width<K>());
        ++layer.states;
        const Block::Candidate& found = block.found[c];
        layer.unprocessed.template push<K>(block.state<K>(c), number, width<K>().words, width<K>().words + numbered_,
                                           diamonds_ ? diamonds_->finder(found.outcome, found.taken, last) : no_finder);
        if (layer.unprocessed.size() == 1) open(place);
        if constexpr (K == 0)
            if (index_ && index_->cuts_off()) admit_class(block.state(c), place);
    }
    // -- one site of several, each in a process of its own; only where the order is total ---------------------------------

    /// The least layer that is entered and not left; `no_place` where there is none. It may wait for states of other sites.
    Place least_open();
    /// The least layer with unprocessed states; `no_place` where there is none.
    Place least_waiting() const {
        for (const Place place : open_by_rank_)
            if (waiting_in(place)) return place;
        return no_place;
    }
    std::uint64_t waiting_in(Place place) const { return layers_[place]->unprocessed.size(); }
    /// A state of another site, which a step forward or back led to: what becomes of it.
    Fate arrive(const Word* state, Word hash, Place place, bool back);
    void admit_arrival(const Word* state, Place place, std::uint64_t number, Fate fate);
    /// Visit all states that are needed to go on, those first that steps back led to: state, whether it is one of these, whether its
    /// turn is still to come. One may be visited several times; `restore` gets all that in the same order.
    template <class Visit>
    void each_kept(Visit&& visit) const {
        for (const auto& layer : layers_) {
            if (!layer) continue;
            layer->persistent.each(words(), [&](const Word* state) { visit(state, true, false); });
            layer->roots.each(stride(), [&](const Word* state) { visit(state, true, true); });
            if (layer->visited.size() != layer->unprocessed.size())
                layer->visited.each(words(), [&](const Word* state) { visit(state, false, false); });
            layer->unprocessed.each(stride(), [&](const Word* state) { visit(state, false, true); });
        }
    }
    void restore(const Word* state, bool persists, bool waits);
    bool goes_back(const Block::Candidate& found) const {
        return regresses_ && !is_here(found) && !progress_.order.leq(place_, found.place);
    }
    std::uint64_t states_in(Place place) const { return layers_[place]->states; }
    void count_back(const Block::Candidate& found) { ++ledger_.regress_edges[found.action]; }

    /// A step back led to a state that comes before all others, so that the next ones at work have to wait.
    bool breaks_off() const { return breaks_off_; }

    // -- several workers at once ------------------------------------------------------------------------------------------

    /// Whether they may look candidates up together: what comes of it does not depend on what happens in between. As long as no step
    /// has gone back, several sweeps are like one. Where classes have keys, one worker compares what is asked of their states.
    bool may_share() const { return !at_intervals_ && ledger_.counters.persistent == 0 && !schema_.layout.has_keys(); }
    /// Whether a step to one of these candidates goes back.
    bool goes_back(const Block& block) const {
        for (std::uint32_t c = 0; regresses_ && c < block.candidates; ++c)
            if (!is_here(block.found[c]) && !progress_.order.leq(place_, block.found[c].place)) return true;
        return false;
    }
    /// The part of a table where a candidate is looked up; null where its layer is gone, to which only a step back leads.
    [[gnu::always_inline]] VisitedTable* part_of(const Block::Candidate& found) const {
        Layer* const layer = of(found);
        return layer ? &layer->visited.part(found.hash) : nullptr;
    }
    /// So many states are processed together: have some room in the layers that follow, which may have few states yet.
    void expect(std::uint64_t parents);
    LayerTable& table(Place place) { return layers_[place]->visited; }
    /// Room for so many states found now in a layer; they are written to the queue where the cursor is.
    StateQueue::Cursor extend(Place place, std::uint64_t count);
    Place place_of(const Block::Candidate& found) const { return forgets_ ? found.place : place_; }
    template <int K>
    void write(StateQueue::Cursor& cursor, const Word* state, std::uint64_t number, Finder finder) const {
        cursor.template write<K>(state, number, words(), stride(), finder);
    }

    /// A parent is processed.
    template <int K>
    void processed(const Batch& batch, std::uint32_t parent) {
        if (at_intervals_ && collector_.due()) collect_between(here_->unprocessed.size() == parent + 1, batch.place);
    }
    /// A batch is processed; afterwards, whether its layer is, and that layer left.
    void done(const Batch& batch) { here_->unprocessed.pop(batch.count); }
    bool layer_done() const { return here_->unprocessed.size() == 0; }
    void leave_layer();

    Layer& here() { return *here_; }
    /// Where nothing is forgotten.
    Layer& only_layer() { return *layers_.front(); }
    bool is_here(const Block::Candidate& found) const { return !forgets_ || found.place == place_; }
    /// A state is kept for a fold: as long as it is stored as well it counts once.
    void keep(const Word* state, Place place);

    template <class Visit>
    void each(Visit&& visit) const {
        if (index_) index_->remembered.each(words(), visit);
        for (const auto& layer : layers_) {
            if (!layer) continue;
            layer->visited.each(words(), visit);
            layer->each_beside(words(), stride(), visit);
        }
    }
    /// As in `Keeping`, between two batches: all stored states, and which of them wait.
    template <class File>
    void keep(File& file);
    void rewrite(Transfer& transfer, const Together& together);
    void inspect(Inspection& seen, const Together& together) const;
    std::uint64_t bytes() const { return account_.bytes; }

    int words() const { return schema_.layout.words; }
    Width width() const { return schema_.layout.width(); }
    template <int K>
    [[gnu::always_inline]] Width width() const {
        if constexpr (K != 0)
            return K;
        else
            return width();
    }

private:
    static constexpr std::uint64_t split_from = 4096;  // states: then it is worth that several workers fill the table of a layer

    int stride() const { return words() + numbered_; }
    /// How many states a layer gets that has its first one now: a little more than the one before the layer at work had. Layers grow and
    /// shrink slowly, or come in turns; and the one at work has not got all of its own yet.
    std::uint64_t likely_states() const {
        const std::uint64_t last = std::max(left_, here_->visited.size());
        return last + last / 16;
    }
    Batch batch(const StateQueue::Run& run, const Aim& aim) const;
    /// Nothing for a layer that was left, and holds no states any more: only a step back leads there.
    [[gnu::always_inline]] Layer* of(const Block::Candidate& found) const { return is_here(found) ? here_ : layers_[found.place].get(); }
    /// Whether a candidate is known, or has become a root because a step back led to it; else it is an ordinary one.
    template <int K>
    Fate look_back(const Block& block, std::uint32_t c, const Word*& slot) {
        const Block::Candidate& found = block.found[c];
        if (!of(found)) layers_[found.place] = std::make_unique<Layer>(account_, diamonds_ != nullptr);
        Layer& layer = *of(found);
        const Word* state = block.state<K>(c);
        if (&layer == here_ || progress_.order.leq(place_, found.place)) {
            if (layer.persistent.size()) slot = layer.persistent.template find<K>(state, found.hash, width());
            return slot ? Fate::known : Fate::fresh;
        }
        ++ledger_.regress_edges[found.action];
        slot = layer.visited.template find<K>(state, found.hash, width());
        return slot || !layer.persistent.template insert<K>(state, found.hash, width(), slot) ? Fate::known : Fate::root;
    }
    Fate insert_class(const Block& block, std::uint32_t c, const Word*& slot);
    Fate cut_off(const Block& block, std::uint32_t c, const Word*& slot);
    void add_class(const Word* state, Word hash);
    void admit_class(const Word* state, Place place);
    void forget_classes(const LayerTable& states);
    void check_read() const;
    void admit_back(const Word* state, Place place, std::uint64_t number);
    void open(Place layer);
    void close(Place layer);
    void collect_between(bool layer_done, Place place);
    void collect(Place current, bool current_done);
    void drop(Place layer);

    struct ByRank {
        const LayerOrder* order;
        bool operator()(Place one, Place other) const { return order->before(one, other); }
    };
    const Schema& schema_;
    LayerProgress& progress_;
    Ledger& ledger_;
    Collector& collector_;
    bool forgets_, regresses_, at_intervals_;
    int numbered_;                                // 1 when the queues keep the states' numbers
    Account account_;                             // of all layers
    std::vector<std::unique_ptr<Layer>> layers_;  // one that is left behind costs a pointer
    std::set<Place, ByRank> open_by_rank_;        // total order: layers with unprocessed states
    std::vector<Place> open_;                     // partial order: the same, in the order found
    std::vector<Place> done_;                     // layers whose states are all processed, and stored
    std::vector<Place> rooted_;                   // layers with roots of the next sweep
    Layer* here_ = nullptr;                       // the layer at work
    Place place_ = no_place;
    std::uint64_t left_ = 0;              // the states of the layer that was left last
    std::unique_ptr<ClassIndex> index_;   // where states are equivalent, and there are several layers
    Place highest_ = no_place;            // of the layers that were at work
    const Diamonds* diamonds_ = nullptr;  // null: nobody asks how states were found
    bool breaks_off_ = false;
    bool collect_at_end_ = false;  // a collection is due, and only the end of the layer is waited for
};

}  // namespace sweep
