#include "sweep/state/contents.hpp"

#include "sweep/state/keeping.hpp"
#include "sweep/state/memory.hpp"

namespace sweep {

std::optional<Id> Contents::find(Sequence sequence) const { return find(sequence, hash_of(sequence)); }

std::optional<Id> Contents::find(Sequence sequence, Word hash) const {
    if (slots_.empty()) return std::nullopt;
    const std::uint32_t high = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t at = high & (slots_.size() - 1); slots_[at] != free_slot; at = (at + 1) & (slots_.size() - 1)) {
        const Id id = slots_[at];
        if (entries_[id].hash == high && std::ranges::equal((*this)[id], sequence)) return id;
    }
    return std::nullopt;
}

Id Contents::intern(Sequence sequence) {
    const Word hash = hash_of(sequence);
    if (const std::optional<Id> known = find(sequence, hash)) return *known;
    if (2 * (live_ + 1) > slots_.size()) rebuild(std::max<std::size_t>(16, 2 * slots_.size()));
    ask_for_room(pool_, sequence.size());
    ask_for_room(entries_, 1);
    Id id = static_cast<Id>(entries_.size());
    if (spare_.empty()) {
        entries_.emplace_back();
    } else {
        id = spare_.back();
        spare_.pop_back();
    }
    entries_[id] = {pool_.size(), static_cast<std::uint32_t>(sequence.size()), static_cast<std::uint32_t>(hash >> 32), true};
    pool_.insert(pool_.end(), sequence.begin(), sequence.end());
    place(id);
    ++live_;
    return id;
}

void Contents::place(Id id) {
    std::size_t at = entries_[id].hash & (slots_.size() - 1);
    while (slots_[at] != free_slot) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = id;
}

void Contents::rebuild(std::size_t slots) {
    slots_.assign(slots, free_slot);
    for (Id id = 0; id < entries_.size(); ++id)
        if (entries_[id].live) place(id);
}

/// Make the table anew from the entries, which may come from a file.
void Contents::find_places() {
    std::size_t slots = 16;
    while (slots < 2 * (live_ + 1)) slots *= 2;
    for (const Entry& entry : entries_)
        if (entry.live && entry.begin + entry.size > pool_.size()) throw Damaged("contents are missing");
    rebuild(slots);
}

void Contents::retain(const std::vector<bool>& marked) {
    std::vector<Id> pool;
    spare_.clear();
    live_ = 0;
    for (Id id = static_cast<Id>(entries_.size()); id-- > 0;) {  // downwards, so that the lowest numbers are given out first
        Entry& entry = entries_[id];
        entry.live = entry.live && id < marked.size() && marked[id];
        if (!entry.live) {
            spare_.push_back(id);
            continue;
        }
        const Sequence kept = (*this)[id];
        const std::uint64_t begin = pool.size();
        pool.insert(pool.end(), kept.begin(), kept.end());
        entry.begin = begin;
        ++live_;
    }
    pool.shrink_to_fit();
    pool_.swap(pool);
    crowd_ = std::max(least_crowd, 2 * live_);
    find_places();
    std::fill(steps_.begin(), steps_.end(), Step{});
}

std::size_t Contents::bytes() const {
    return (pool_.capacity() + slots_.capacity() + spare_.capacity()) * sizeof(Id) + entries_.capacity() * sizeof(Entry) +
           steps_.capacity() * sizeof(Step);
}

}  // namespace sweep
