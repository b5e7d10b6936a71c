#include "sweep/store/stack_store.hpp"

#include <algorithm>

namespace sweep {

namespace {

constexpr std::uint32_t most_turns = 64;  // between two looks at the clock

/// Rewrite states that lie side by side, with so many words beside each.
void rewrite_states(std::vector<Word>& states, std::size_t beside, Transfer& transfer) {
    const std::size_t before = static_cast<std::size_t>(transfer.from_words()), k = static_cast<std::size_t>(transfer.words());
    std::vector<Word> rewritten(states.size() / (before + beside) * (k + beside));
    Word* now = rewritten.data();
    for (const Word* old = states.data(); old != states.data() + states.size(); old += before + beside, now += k + beside) {
        transfer(old, now);
        std::copy(old + before, old + before + beside, now + k);
    }
    states.swap(rewritten);
}

}  // namespace

StackStore::StackStore(const Schema& schema, Ledger& ledger, std::uint64_t cache_size)
    : schema_(schema), ledger_(ledger), cache_size_(cache_size), numbered_(ledger.parents ? 1 : 0) {
    work_.lasting = cached_.lasting = true;
}

template <int K>
Batch StackStore::next() {
    if (work_.size() == 0 && !entering_ && !find_next<K>()) return {};
    const std::size_t entry = static_cast<std::size_t>(stride());
    if (entering_) return {coming_.data(), 1, static_cast<std::size_t>(words()), 0, false};
    return {work_.front(1, stride()).states, 1, entry, 0, numbered_ != 0};
}

/// Look for a state that is not stored, back along the stack and then among the initial states.
template <int K>
bool StackStore::find_next() {
    const std::ptrdiff_t entry = words() + 1;
    for (std::uint32_t turn = 0; turn < most_turns; ++turn) {
        if (stack_.empty()) {
            if (roots_.size() == 0) return false;
            const Word* root = roots_.front(1, static_cast<int>(entry)).states;
            coming_.assign(root, root + entry);
            roots_.pop(1);
        } else if (pending_.size() == stack_.back().pending) {
            leave<K>();
            continue;
        } else {
            coming_.assign(pending_.end() - entry, pending_.end());
            pending_.resize(pending_.size() - static_cast<std::size_t>(entry));
        }
        entering_ = !states_.find(coming_.data(), hash_words<K>(coming_.data(), width()), width());
        if (entering_) return true;
    }
    return false;
}

bool StackStore::again() {
    if (!stack_.empty() || roots_.size()) return true;
    ledger_.leave({0, ledger_.counters.explored, ledger_.counters.stored});
    return false;
}

template <int K>
Batch StackStore::enter(std::uint64_t number) {
    entering_ = false;
    states_.insert<K>(coming_.data(), hash_words<K>(coming_.data(), width()), width());
    stack_states_.insert(stack_states_.end(), coming_.begin(), coming_.begin() + words());
    stack_.push_back({number, pending_.size()});
    work_.push<K>(coming_.data(), number, words(), stride());
    return next<K>();
}

/// The successors were noted in order; the first one is to be the next to enter.
void StackStore::done(const Batch& batch) {
    const std::size_t entry = static_cast<std::size_t>(words()) + 1;
    for (std::size_t low = stack_.back().pending, high = pending_.size(); low + entry < high; low += entry) {
        high -= entry;
        std::swap_ranges(pending_.data() + low, pending_.data() + low + entry, pending_.data() + high);
    }
    work_.pop(batch.count);
}

/// Take the newest state off the stack, into the cache.
template <int K>
void StackStore::leave() {
    const std::size_t k = static_cast<std::size_t>(words());
    cached_.push<K>(stack_states_.data() + stack_states_.size() - k, stack_.back().number, words(), stride());
    stack_states_.resize(stack_states_.size() - k);
    stack_.pop_back();
    while (cached_.size() > cache_size_) {
        ledger_.weigh_peak();
        const Word* oldest = cached_.front(1, stride()).states;
        const Word hash = hash_words<K>(oldest, width());
        states_.erase<K>(oldest, hash, width());
        if (kept_.size()) ledger_.counters.kept += kept_.erase<K>(oldest, hash, width());
        cached_.pop(1);
        --ledger_.counters.stored;
        ++ledger_.counters.evicted;
    }
}

void StackStore::keep(const Word* state, Place) {
    const Word hash = hash_words<0>(state, width());
    if (states_.find(state, hash, width()))
        kept_.insert<0>(state, hash, width());
    else
        ledger_.keep();
}

void StackStore::rewrite(Transfer& transfer) {
    const std::uint64_t before = static_cast<std::uint64_t>(transfer.from_words()), k = static_cast<std::uint64_t>(transfer.words());
    for (VisitedTable* table : {&states_, &kept_}) table->rewrite(transfer);
    for (StateQueue* queue : {&work_, &cached_}) queue->rewrite(transfer, numbered_);
    roots_.rewrite(transfer, 1);
    for (Frame& frame : stack_) frame.pending = frame.pending / (before + 1) * (k + 1);
    rewrite_states(stack_states_, 0, transfer);
    rewrite_states(pending_, 1, transfer);
    rewrite_states(coming_, 1, transfer);
}

std::uint64_t StackStore::bytes() const {
    return states_.bytes() + work_.bytes() + cached_.bytes() + roots_.bytes() +
           (stack_states_.capacity() + pending_.capacity()) * sizeof(Word) + stack_.capacity() * sizeof(Frame);
}

template Batch StackStore::next<0>();
template Batch StackStore::enter<0>(std::uint64_t);
template Batch StackStore::next<1>();
template Batch StackStore::enter<1>(std::uint64_t);
template Batch StackStore::next<2>();
template Batch StackStore::enter<2>(std::uint64_t);
template Batch StackStore::next<3>();
template Batch StackStore::enter<3>(std::uint64_t);
template Batch StackStore::next<4>();
template Batch StackStore::enter<4>(std::uint64_t);

}  // namespace sweep
