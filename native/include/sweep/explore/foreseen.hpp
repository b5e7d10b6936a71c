#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/store/upcoming.hpp"

namespace sweep {

/// Batches of states by keys, in the order of their turns, which some workers expand ahead of the one who looks their successors up. What
/// is found meanwhile may come before them: its batches go in front, and the others wait until it is their turn again. Who looks up is
/// the only one who changes the order. Any of them may be dropped, since its states are still in the queue.
class Foreseen {
public:
    enum class Is : std::uint8_t { waiting, taken, expanded };
    struct Entry {
        KeyBatch states;
        Block* block = nullptr;  // their successors, once somebody has begun to make them,
        bool whole = false;      // and whether these are all of them
        bool fetched = false;    // where the states lie
        std::atomic<Is> is{Is::waiting};
    };
    static constexpr std::uint32_t most = 64;   // batches,
    static constexpr std::uint32_t depth = 16;  // of which the first so many may be expanded

    Foreseen() {
        for (auto& entry : entries_) spare_.push_back((entry = std::make_unique<Entry>()).get());
        for (auto& block : blocks_) free_.push_back((block = std::make_unique<Block>()).get());
    }

    // For all workers.

    /// The first batch that nobody has taken, if it may be expanded now. Who has taken it expands it, whatever happens meanwhile.
    Entry* take() {
        if (open_.load(std::memory_order_relaxed) == 0) return nullptr;
        const std::lock_guard lock(changing_);
        Entry* const entry = halted_ || free_.empty() ? nullptr : first_waiting();
        if (entry) hand_out(*entry);
        return entry;
    }
    /// Whether there may be one.
    bool is_open() const { return open_.load(std::memory_order_relaxed); }
    static void expanded(Entry& entry, bool whole) {
        entry.whole = whole;
        entry.is.store(Is::expanded, std::memory_order_release);
    }
    /// Whether nobody may take another one, now or later.
    bool over() const { return halted_; }

    // For who looks up.

    void begin() { halted_ = false; }
    /// Nobody takes another one. Those that were taken are expanded when this ends.
    template <class Wait>
    void halt(Wait&& wait) {
        {
            const std::lock_guard lock(changing_);
            halted_ = true;
            open_ = 0;
        }
        for (Entry* entry : line_) wait([&] { return entry->is.load(std::memory_order_acquire) != Is::taken; });
    }
    bool empty() const { return line_.empty(); }
    Entry& front() { return *line_.back(); }
    /// The one behind it, if there is one.
    Entry* second() { return line_.size() > 1 ? line_[line_.size() - 2] : nullptr; }
    bool is_expanded(const Entry& entry) const { return entry.is.load(std::memory_order_acquire) == Is::expanded; }
    /// Take the front, if nobody has: there is a block for it, be it that of the last one that has any.
    bool take_front() {
        const std::lock_guard lock(changing_);
        if (front().is.load(std::memory_order_relaxed) != Is::waiting) return false;
        for (auto last = line_.begin(); free_.empty() && last + 1 != line_.end(); ++last)
            if ((*last)->is.load(std::memory_order_acquire) == Is::expanded) give_block(**last);
        if (free_.empty()) return false;
        hand_out(front());
        return true;
    }
    /// An empty batch to be filled; null when there is none left.
    Entry* spare() {
        if (spare_.empty()) return nullptr;
        Entry* const entry = spare_.back();
        spare_.pop_back();
        entry->whole = entry->fetched = false;
        entry->is.store(Is::waiting, std::memory_order_relaxed);
        return entry;
    }
    /// See to it that there are so many, be it that the last ones are dropped.
    void make_room(std::size_t spares) {
        const std::lock_guard lock(changing_);
        for (std::size_t i = 0; spare_.size() < spares && i < line_.size();) {
            if (line_[i]->is.load(std::memory_order_acquire) == Is::taken) {
                ++i;
            } else {
                drop(*line_[i]);
                line_.erase(line_.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        count_open();
    }
    /// Batches go in front, in their order.
    void add(const std::vector<Entry*>& batches) {
        const std::lock_guard lock(changing_);
        line_.insert(line_.end(), batches.rbegin(), batches.rend());
        count_open();
    }
    /// The front is done.
    void pop() {
        const std::lock_guard lock(changing_);
        drop(front());
        line_.pop_back();
        count_open();
    }
    /// All are over, when nobody is at work; `visit` sees the blocks of those that were expanded and are not done.
    template <class Visit>
    void clear(Visit&& visit) {
        for (Entry* entry : line_) {
            if (entry->is.load(std::memory_order_acquire) == Is::expanded && entry->whole) visit(*entry->block);
            drop(*entry);
        }
        line_.clear();
    }

    std::uint64_t bytes() const {
        std::uint64_t total = 0;
        for (const auto& entry : entries_) total += entry->states.bytes();
        for (const auto& block : blocks_) total += block->bytes();
        return total;
    }

private:
    Entry* first_waiting() {
        const std::size_t last = line_.size() - std::min<std::size_t>(line_.size(), depth);
        for (std::size_t i = line_.size(); i-- > last;)
            if (line_[i]->is.load(std::memory_order_relaxed) == Is::waiting) return line_[i];
        return nullptr;
    }
    void hand_out(Entry& entry) {
        entry.block = free_.back();
        free_.pop_back();
        entry.is.store(Is::taken, std::memory_order_relaxed);
        count_open();
    }
    void give_block(Entry& entry) {
        free_.push_back(entry.block);
        entry.block = nullptr;
        entry.is.store(Is::waiting, std::memory_order_relaxed);
    }
    void drop(Entry& entry) {
        if (entry.block) give_block(entry);
        spare_.push_back(&entry);
    }
    void count_open() { open_.store(!halted_ && !free_.empty() && first_waiting() != nullptr, std::memory_order_relaxed); }

    std::array<std::unique_ptr<Entry>, most> entries_;
    std::array<std::unique_ptr<Block>, 2 * depth> blocks_;
    std::vector<Entry*> line_;   // the next one last
    std::vector<Entry*> spare_;  // those that are not in it
    std::vector<Block*> free_;
    alignas(64) std::mutex changing_;
    std::atomic<bool> halted_{false};
    alignas(64) std::atomic<bool> open_{false};  // somebody may take one
};

}  // namespace sweep
