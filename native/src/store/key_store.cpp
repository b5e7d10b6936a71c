#include "sweep/store/key_store.hpp"

#include <algorithm>

namespace sweep {

KeyStore::KeyStore(const Schema& schema, KeyProgress& progress, Ledger& ledger, Collector& collector)
    : schema_(schema), progress_(progress), ledger_(ledger), collector_(collector), numbered_(ledger.parents ? 1 : 0) {
    processed_.lasting = true;
    empty_waiting();
}

void KeyStore::empty_waiting() {
    waiting_.shape(progress_.product().key_words(), static_cast<std::size_t>(words()), static_cast<std::size_t>(numbered_));
}

void KeyStore::keep_finders(const Diamonds& diamonds) {
    diamonds_ = &diamonds;
    waiting_.with_finders = true;
    empty_waiting();
}

void KeyStore::push(const Word* state, std::uint64_t number) {
    const Word* key = progress_.key_of(state);
    if (placed()) key = progress_.key_of(state);  // a value of one of its parts was new
    waiting_.push(key, state, number);
}

const Word* KeyStore::agreeing(const Word* known, const Word* met) {
    if (std::equal(known, known + words(), met) || progress_.same(known, met)) return known;
    throw Disagreement({Role::measure}, schema_.unpack(known), schema_.unpack(met));
}

bool KeyStore::placed() {
    if (!progress_.changed()) return false;
    progress_.renew();
    at_work_->cut(0);
    ++renewals_;
    KeyQueue before;
    std::swap(before, waiting_);
    waiting_.with_finders = before.with_finders;
    empty_waiting();
    if (layer_open_) waiting_.begin(progress_.current().data());
    const auto number = [&](const Word* state) { return numbered_ ? state[words()] : 0; };
    before.each([&](const Word* state) { waiting_.push(progress_.key_of(state), state, number(state)); });
    before.each_later([&](const Word* state) { waiting_.put_off(progress_.key_of(state), state, number(state)); });
    return true;
}

/// Fetch where states lie that will soon be erased. Where all edges are looked up, some have been there of late; else it is looked at,
/// everywhere at once: mere hints were mostly passed over.
template <int K>
void KeyStore::fetch(const Batch& batch) const {
    Word seen = 0;
    for (std::uint32_t i = 0; i < batch.count; ++i) {
        const Word hash = hash_words<K>(batch.state(i), width());
        states_.prefetch<K>(hash, width());
        if (!diamonds_) continue;
        const Word* const start = states_.start<K>(hash, width());
        seen |= start[0] | start[7];  // there are so many slots behind the last
    }
    asm volatile("" ::"r"(seen));  // it is of no use else
}

template <int K>
Batch KeyStore::next() {
    if (!begin_next<K>(false)) return {};
    const Word* const present = waiting_.key();
    // A column has another sweep before the next one, where a step has gone back.
    soon_.gather(waiting_, static_cast<std::size_t>(stride()),
                 [&](const Word* key) { return looks_ahead && progress_.product().same_column(present, key); });
    at_work_ = &soon_;
    Batch batch = view(soon_);
    batch.aim = states_.aim();
    fetch<K>(batch);
    return batch;
}

template <int K>
bool KeyStore::next_key() {
    // What was pushed meanwhile may come before the next ones.
    if (!at_work_->is_done() && begin_next<K>(true) && at_work_->next(waiting_)) return true;
    if (at_work_ == &soon_) soon_.learn();
    return false;
}

template <int K>
bool KeyStore::begin_next(bool same_column) {
    if (layer_open_ && !goes_on()) leave_last_layer<K>(same_column);
    if (waiting_.empty()) return false;
    waiting_.advance();
    if (!layer_open_) {
        if (!progress_.at_work()) {  // a new column
            ledger_.counters.columns += progress_.has_columns();
            ++ledger_.counters.sweeps;
        }
        progress_.begin(waiting_.key());
        layer_open_ = true;
    }
    return true;
}

template <int K>
void KeyStore::leave_last_layer(bool same_column) {
    layer_open_ = false;
    progress_.leave_layer();
    ledger_.leave({0, processed_here_, ledger_.counters.stored}, progress_.product().parts.size(),
                  [&]() -> const auto& { return progress_.values(); });
    processed_here_ = 0;
    processed_done_ = processed_.size();
    if (collector_.at_layers() || collector_.due()) collect<K>();
    if (same_column) return;
    if (waiting_.empty() || !progress_.product().same_column(progress_.current().data(), waiting_.least())) end_sweep<K>();
}

/// Begin another sweep through the column with the states that steps back led to; without any the column is done.
template <int K>
void KeyStore::end_sweep() {
    collect<K>();
    if (waiting_.has_later()) {
        ++ledger_.counters.sweeps;
        waiting_.resume();
        return;
    }
    ledger_.counters.stored -= persistent_.size();
    if (kept_.size())
        persistent_.each(
            words(), [&](const Word* state) { ledger_.counters.kept += kept_.erase<0>(state, hash_words<0>(state, width()), width()); });
    persistent_.empty(width());
    progress_.leave();
}

/// Delete the processed states whose layer is left.
template <int K>
void KeyStore::collect() {
    collector_.begin();
    if (processed_done_) ledger_.weigh_peak();
    while (processed_done_) {
        const auto [states, count, finders] = processed_.front(processed_done_, stride());
        for (std::uint64_t i = 0; i < count; ++i) {
            const Word* state = states + i * static_cast<std::uint64_t>(stride());
            const Word hash = hash_words<K>(state, width());
            if (!states_.erase<K>(state, hash, width())) continue;
            --ledger_.counters.stored;
            if (kept_.size()) ledger_.counters.kept += kept_.erase<K>(state, hash, width());
        }
        processed_.pop(count);
        processed_done_ -= count;
    }
    collector_.end(0);
}

void KeyStore::keep(const Word* state, Place) {
    const Word hash = hash_words<0>(state, width());
    if (states_.find(state, hash, width()) || persistent_.find(state, hash, width()))
        kept_.insert<0>(state, hash, width());
    else
        ledger_.keep();
}

void KeyStore::rewrite(Transfer& transfer) {
    for (VisitedTable* table : {&states_, &persistent_, &kept_}) table->rewrite(transfer);
    processed_.rewrite(transfer, numbered_);
    waiting_.rewrite(transfer);
}

std::uint64_t KeyStore::bytes() const {
    return states_.bytes() + soon_.bytes() + processed_.bytes() + persistent_.bytes() + waiting_.bytes();
}

template Batch KeyStore::next<0>();
template bool KeyStore::next_key<0>();
template bool KeyStore::begin_next<0>(bool);
template void KeyStore::fetch<0>(const Batch&) const;
template void KeyStore::collect<0>();
template Batch KeyStore::next<1>();
template bool KeyStore::next_key<1>();
template bool KeyStore::begin_next<1>(bool);
template void KeyStore::fetch<1>(const Batch&) const;
template void KeyStore::collect<1>();
template Batch KeyStore::next<2>();
template bool KeyStore::next_key<2>();
template bool KeyStore::begin_next<2>(bool);
template void KeyStore::fetch<2>(const Batch&) const;
template void KeyStore::collect<2>();
template Batch KeyStore::next<3>();
template bool KeyStore::next_key<3>();
template bool KeyStore::begin_next<3>(bool);
template void KeyStore::fetch<3>(const Batch&) const;
template void KeyStore::collect<3>();
template Batch KeyStore::next<4>();
template bool KeyStore::next_key<4>();
template bool KeyStore::begin_next<4>(bool);
template void KeyStore::fetch<4>(const Batch&) const;
template void KeyStore::collect<4>();

}  // namespace sweep
