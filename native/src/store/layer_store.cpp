#include "sweep/store/layer_store.hpp"

#include <algorithm>

namespace sweep {

LayerStore::LayerStore(const Schema& schema, LayerProgress& progress, Ledger& ledger, Collector& collector, bool forgets, bool regresses)
    : schema_(schema),
      progress_(progress),
      ledger_(ledger),
      collector_(collector),
      forgets_(forgets),
      regresses_(regresses),
      at_intervals_(forgets && !collector.at_layers()),
      numbered_(ledger.parents ? 1 : 0),
      open_by_rank_(ByRank{&progress.order}) {
    if (!forgets) progress.order.add(std::nullopt);
    placed();
}

void LayerStore::open(Place layer) {
    if (progress_.order.total())
        open_by_rank_.insert(layer);
    else
        open_.push_back(layer);
}

void LayerStore::close(Place layer) {
    if (progress_.order.total())
        open_by_rank_.erase(layer);
    else
        std::erase(open_, layer);
}

Place LayerStore::least_open() {
    if (progress_.order.total()) return open_by_rank_.empty() ? no_place : *open_by_rank_.begin();
    return open_.empty() ? no_place : progress_.order.minimal(open_);
}

Batch LayerStore::batch(const StateQueue::Run& run, const Aim& aim) const {
    // Once a step has gone back, a state may wait for the next sweep that would close a diamond in this one.
    const Finder* const finders = ledger_.counters.persistent == 0 ? run.finders : nullptr;
    return {run.states, static_cast<std::uint32_t>(run.count), static_cast<std::size_t>(stride()), place_, numbered_ != 0, aim, finders};
}

void LayerStore::keep_finders(const Diamonds& diamonds) {
    diamonds_ = &diamonds;
    for (const auto& layer : layers_) layer->unprocessed.with_finders = true;
}

template <int K>
Batch LayerStore::next() {
    if (!here_ || here_->unprocessed.size() == 0 || breaks_off_) {
        breaks_off_ = false;
        const Place least = least_open();
        if (least == no_place) return {};
        place_ = ledger_.counters.layer = least;
        here_ = layers_[place_].get();
        if (index_ && index_->cuts_off() && (highest_ == no_place || !progress_.order.leq(place_, highest_))) {
            highest_ = place_;
            ledger_.counters.raised_at = ledger_.counters.explored;
        }
    }
    return batch(here_->unprocessed.front(batch_size, stride()), here_->visited.aim());
}

void LayerStore::next_ones(std::size_t most, std::vector<Batch>& batches) const {
    here_->unprocessed.each_run(batch_size, stride(), [&](const StateQueue::Run& run) {
        batches.push_back(batch(run, {}));
        return batches.size() < most;
    });
}

StateQueue::Cursor LayerStore::extend(Place place, std::uint64_t count) {
    Layer& layer = *layers_[place];
    if (layer.unprocessed.size() == 0) open(place);
    layer.states += count;
    if (parts > 1 && !layer.visited.is_split() && layer.visited.size() >= (here_->visited.is_split() ? split_from / 16 : split_from))
        layer.visited.split(parts, &layer == here_ ? 0 : likely_states(), width());
    return layer.unprocessed.extend(count, stride());
}

void LayerStore::expect(std::uint64_t parents) {
    if (!forgets_) return;
    int layers = 4;
    for (auto place = open_by_rank_.upper_bound(place_); place != open_by_rank_.end() && layers-- > 0; ++place)
        layers_[*place]->visited.reserve<0>(layers_[*place]->visited.size() + parents / 2, width());
}

bool LayerStore::again() {
    if (!ends_sweep()) return false;
    begin_sweep();
    return true;
}

bool LayerStore::ends_sweep() {
    if (forgets_) collect(place_, true);
    return !rooted_.empty();
}

void LayerStore::begin_sweep() {
    here_ = nullptr;  // it may have roots, and another layer come before it
    ++ledger_.counters.sweeps;
    progress_.order.begin_sweep();
    for (const Place place : rooted_) {
        Layer& layer = *layers_[place];
        layer.unprocessed = std::move(layer.roots);
        layer.roots = {};
        layer.states = layer.unprocessed.size();
        open(place);
    }
    rooted_.clear();
}

bool LayerStore::holds_root(const Word* state) {
    const Place place = forgets_ ? progress_.layer_of(state) : 0;
    const Word hash = hash_words<0>(state, width());
    placed();
    const bool anywhere = index_ && index_->cuts_off() && index_->stored.find(state, hash, width());
    return anywhere || layers_[place]->visited.find(state, hash, width());
}

const Word* LayerStore::insert_root(const Word* state) {
    const Place place = forgets_ ? progress_.layer_of(state) : 0;
    const Word hash = hash_words<0>(state, width());
    placed();
    const Word* slot = index_ && index_->cuts_off() ? index_->stored.find(state, hash, width()) : nullptr;
    if (slot || !layers_[place]->visited.insert<0>(state, hash, width(), slot)) return slot;
    if (index_) add_class(state, hash);
    return nullptr;
}

/// A class is stored from now on. Without a cut-off, one that is stored already is so in another layer.
void LayerStore::add_class(const Word* state, Word hash) {
    const Word* slot;
    if (!index_->stored.insert<0>(state, hash, width(), slot))
        throw Disagreement({Role::measure}, schema_.unpack(slot), schema_.unpack(state));
}

Fate LayerStore::insert_class(const Block& block, std::uint32_t c, const Word*& slot) {
    const Fate fate = index_->cuts_off() ? cut_off(block, c, slot) : insert_state<0>(block, c, slot);
    if (fate != Fate::known) add_class(block.state(c), block.found[c].hash);
    return fate;
}

Fate LayerStore::cut_off(const Block& block, std::uint32_t c, const Word*& slot) {
    const Block::Candidate& found = block.found[c];
    const Word* state = block.state(c);
    if (!progress_.order.leq(place_, found.place)) ++ledger_.regress_edges[found.action];
    slot = index_->stored.find(state, found.hash, width());
    if (slot) return Fate::known;
    slot = index_->remembered.find(state, found.hash, width());
    ledger_.counters.skipped += slot != nullptr;
    if (slot) return Fate::known;
    if (!layers_[found.place]) layers_[found.place] = std::make_unique<Layer>(account_, diamonds_ != nullptr);
    std::erase(done_, found.place);  // it is entered again
    layers_[found.place]->visited.insert<0>(state, found.hash, width());
    return Fate::fresh;
}

void LayerStore::admit_class(const Word* state, Place place) {
    breaks_off_ |= here_ && place != place_ && progress_.order.before(place, place_);
    if (!index_->remembers(state)) return;
    index_->remembered.insert<0>(state, hash_words<0>(state, width()), width());
    ledger_.counters.remembered = index_->remembered.size();
}

Place LayerStore::admit_root(const Word* state, std::uint64_t number) {
    const Place place = forgets_ ? progress_.layer_of(state) : 0;
    Layer& layer = *layers_[place];
    ++layer.states;
    layer.unprocessed.push<0>(state, number, words(), stride());
    if (layer.unprocessed.size() == 1) open(place);
    if (index_ && index_->cuts_off()) admit_class(state, place);
    return place;
}

void LayerStore::admit_back(const Word* state, Place place, std::uint64_t number) {
    Layer& layer = *layers_[place];
    if (layer.roots.size() == 0) rooted_.push_back(place);
    ++ledger_.counters.persistent;
    layer.roots.push<0>(state, number, words(), stride());
}

Fate LayerStore::arrive(const Word* state, Word hash, Place place, bool back) {
    if (!layers_[place]) layers_[place] = std::make_unique<Layer>(account_, diamonds_ != nullptr);
    Layer& layer = *layers_[place];
    if (layer.persistent.size() && layer.persistent.find(state, hash, width())) return Fate::known;
    const Word* slot = nullptr;
    if (!back) return layer.visited.insert<0>(state, hash, width(), slot) ? Fate::fresh : Fate::known;
    if (layer.visited.find(state, hash, width())) return Fate::known;
    layer.persistent.insert<0>(state, hash, width(), slot);
    return Fate::root;
}

void LayerStore::admit_arrival(const Word* state, Place place, std::uint64_t number, Fate fate) {
    if (fate == Fate::root) {
        admit_back(state, place, number);
        return;
    }
    Layer& layer = *layers_[place];
    ++layer.states;
    layer.unprocessed.push<0>(state, number, words(), stride());
    if (layer.unprocessed.size() == 1) open(place);
}

void LayerStore::restore(const Word* state, bool persists, bool waits) {
    const Place place = forgets_ ? progress_.layer_of(state) : 0;
    placed();
    if (!layers_[place]) layers_[place] = std::make_unique<Layer>(account_, diamonds_ != nullptr);
    Layer& layer = *layers_[place];
    const Word hash = hash_words<0>(state, width());
    const bool persistent = layer.persistent.size() && layer.persistent.find(state, hash, width());
    bool fresh = false;
    if (persists && !persistent) fresh = layer.persistent.insert<0>(state, hash, width());
    if (!persists && !persistent) fresh = layer.visited.insert<0>(state, hash, width());
    ledger_.counters.stored += fresh;
    ledger_.counters.peak = std::max(ledger_.counters.peak, ledger_.counters.stored);
    if (persists && waits) {
        if (layer.roots.size() == 0) rooted_.push_back(place);
        layer.roots.push<0>(state, 0, words(), stride());
    } else if (!persists) {
        layer.states += fresh || (waits && persistent);
        if (!waits) return;
        layer.unprocessed.push<0>(state, 0, words(), stride());
        if (layer.unprocessed.size() == 1) open(place);
    }
}

void LayerStore::leave_layer() {
    close(place_);
    progress_.order.finish(place_);
    done_.push_back(place_);
    const std::uint64_t states = std::exchange(here_->states, 0);
    left_ = here_->visited.size();
    ledger_.leave({place_, states, ledger_.counters.stored});
    if (std::exchange(collect_at_end_, false) || (forgets_ && collector_.at_layers())) collect(place_, true);
}

/// A collection that comes with the last state of a layer waits until the layer is left.
void LayerStore::collect_between(bool layer_done, Place place) {
    if (layer_done)
        collect_at_end_ = true;
    else
        collect(place, false);
}

/// Delete the layers that are done. Each of them was a minimal one when it was processed, and what is found later lies at or
/// above what was unprocessed then: so nothing leads back to it but steps that go back.
void LayerStore::collect(Place current, bool current_done) {
    ledger_.weigh_peak();
    collector_.begin();
    for (const Place layer : done_) drop(layer);
    done_.clear();
    if (current_done && current != no_place) drop(current);
    collector_.end(current);
}

void LayerStore::drop(Place place) {
    if (!layers_[place]) return;
    Layer& layer = *layers_[place];
    ledger_.counters.stored -= layer.visited.size();
    if (index_) forget_classes(layer.visited);
    layer.visited.clear();
    if (layer.kept.size()) {
        VisitedTable still;
        still.allocate_like(layer.kept, words());
        layer.kept.each(words(), [&](const Word* state) {
            const Word hash = hash_words<0>(state, width());
            if (layer.persistent.find(state, hash, width()))
                still.insert<0>(state, hash, width());
            else
                ++ledger_.counters.kept;
        });
        layer.kept = std::move(still);
    }
    if (layer.persistent.size()) return;
    if (here_ == &layer) here_ = nullptr;
    layers_[place].reset();
    if (!regresses_ && !(index_ && index_->cuts_off())) progress_.remove(place);
}

/// Their states are deleted. Those that are remembered count on their own from now on.
void LayerStore::forget_classes(const LayerTable& states) {
    states.each(words(), [&](const Word* state) {
        const Word hash = hash_words<0>(state, width());
        index_->stored.erase<0>(state, hash, width());
        ledger_.counters.kept += index_->remembered.find(state, hash, width()) != nullptr;
    });
}

void LayerStore::keep(const Word* state, Place place) {
    if (!forgets_) return;  // nothing is deleted
    Layer* layer = layers_[place].get();
    const Word hash = hash_words<0>(state, width());
    if (layer && (layer->visited.find(state, hash, width()) || layer->persistent.find(state, hash, width())))
        layer->kept.insert<0>(state, hash, width());
    else
        ledger_.keep();
}

void LayerStore::inspect(Inspection& seen, const Together& together) const {
    const auto look = [&](const Word* state) { seen.look(state); };
    if (index_) index_->remembered.each(words(), look);
    for (const auto& layer : layers_) {
        if (!layer) continue;
        layer->visited.inspect(seen, words(), together);
        layer->each_beside(words(), stride(), look);
    }
}

void LayerStore::rewrite(Transfer& transfer, const Together& together) {
    const Help help(*this, together ? &together : nullptr);
    if (index_) index_->rewrite(transfer);
    for (const auto& layer : layers_) {
        if (!layer) continue;
        layer->visited.rewrite(transfer, together);
        for (VisitedTable* table : {&layer->persistent, &layer->kept}) table->rewrite(transfer);
        for (StateQueue* queue : {&layer->unprocessed, &layer->roots}) queue->rewrite(transfer, numbered_);
    }
}

template <class File>
void LayerStore::keep(File& file) {
    bool working = here_ != nullptr;
    std::vector<Place> open(open_by_rank_.begin(), open_by_rank_.end());
    if (!progress_.order.total()) open = open_;
    file(working, place_, highest_, breaks_off_, collect_at_end_, open, done_, rooted_);
    std::vector<Place> stored;
    for (Place place = 0; place < layers_.size(); ++place)
        if (layers_[place]) stored.push_back(place);
    file(stored);
    if constexpr (File::reads) {
        placed();
        for (auto& layer : layers_) layer.reset();
    }
    for (const Place place : stored) {
        if (place >= layers_.size()) throw Damaged("it has other layers");
        if (!layers_[place]) layers_[place] = std::make_unique<Layer>(account_, diamonds_ != nullptr);
        Layer& layer = *layers_[place];
        file(layer.states);
        for (StateQueue* queue : {&layer.unprocessed, &layer.roots}) queue->keep(file, stride());
        layer.visited.keep(file, width());
        for (VisitedTable* table : {&layer.persistent, &layer.kept}) table->keep(file, width());
        if constexpr (File::reads)
            if (index_) layer.visited.each(words(), [&](const Word* state) { add_class(state, hash_words<0>(state, width())); });
    }
    if (index_) index_->remembered.keep(file, width());
    if constexpr (File::reads) {
        open_ = open;
        check_read();
        if (progress_.order.total()) open_by_rank_.insert(open.begin(), open.end());
        if (working) here_ = layers_[place_].get();
    }
}

void LayerStore::check_read() const {
    for (const std::vector<Place>* places : {&open_, &rooted_})
        for (const Place place : *places)
            if (place >= layers_.size() || !layers_[place]) throw Damaged("a layer is missing");
    for (const Place place : {place_, highest_})
        if (place != no_place && place >= layers_.size()) throw Damaged("a layer is missing");
    for (const Place place : done_)
        if (place >= layers_.size()) throw Damaged("a layer is missing");
}

template void LayerStore::keep(Saver& file);
template void LayerStore::keep(Loader& file);
template Batch LayerStore::next<0>();
template Batch LayerStore::next<1>();
template Batch LayerStore::next<2>();
template Batch LayerStore::next<3>();
template Batch LayerStore::next<4>();

}  // namespace sweep
