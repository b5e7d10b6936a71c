#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/store/key_queue.hpp"

namespace sweep {

/// The states that a queue has next, to be expanded together: hardly any two have the same key, and a batch of one state costs far more
/// than a state of a larger one. They wait until their turn comes, one key after the other. What is pushed meanwhile may come before some
/// of them: then the batch ends there. Where that happens often, one key is looked at at a time.
class Upcoming {
public:
    /// Gather them: those with the present key, and of other keys as many as there is hope for, as long as `together` says that a key
    /// may be one of them. Each key has all of its states, unless these are too many for a batch.
    template <class Together>
    void gather(KeyQueue& queue, std::size_t stride, Together&& together) {
        key_words_ = queue.key_words();
        stride_ = stride;
        states_.resize(block_size * stride);
        keys_.resize(block_size * key_words_);
        finders_.resize(queue.with_finders ? block_size : 0);
        const std::uint32_t most = pause_ ? 1 : reach_;
        first_ = last_ = end_ = 0;
        std::uint32_t key_begins = 0;
        queue.each_soon(most, [&](const Word* key, const Word* state, Finder finder) {
            const bool other = end_ != 0 && !queue.same(key, key_at(end_ - 1));
            if (other) key_begins = end_;
            if (other && (end_ >= most || !together(key))) return false;
            if (end_ == block_size) {
                if (key_begins) end_ = key_begins;
                return false;
            }
            KeyQueue::copy(key, keys_.data() + end_ * key_words_, key_words_);
            KeyQueue::copy(state, states_.data() + end_ * stride_, stride_);
            if (!finders_.empty()) finders_[end_] = finder;
            ++end_;
            return true;
        });
        count_ = end_;
        turn(queue);
    }

    const Word* states() const { return states_.data(); }
    const Word* keys() const { return keys_.data(); }
    /// How each was found; null where that is not kept.
    const Finder* finders() const { return finders_.empty() ? nullptr : finders_.data(); }
    std::uint32_t count() const { return end_; }
    /// Those at hand, all with the same key.
    std::uint32_t first() const { return first_; }
    std::uint32_t last() const { return last_; }
    /// Go on to the next key; false when there is none.
    bool next(const KeyQueue& queue) {
        if (last_ == end_) {
            learn();
            return false;
        }
        first_ = last_;
        turn(queue);
        return true;
    }
    /// A state was pushed: those whose turn would come after it, or with it, are left for another batch.
    void pushed(const Word* key, const KeyQueue& queue) {
        while (end_ > last_ && !queue.before(key_at(end_ - 1), key)) --end_;
    }
    /// The batch ends with so many states, or with those at hand.
    void cut(std::uint32_t count) { end_ = std::min(end_, std::max(last_, count)); }
    void cut() { end_ = last_; }

    std::uint64_t bytes() const { return (states_.capacity() + keys_.capacity()) * sizeof(Word) + finders_.capacity() * sizeof(Finder); }

private:
    static constexpr std::uint32_t longest_pause = 64;  // batches

    const Word* key_at(std::uint32_t i) const { return keys_.data() + i * key_words_; }
    void turn(const KeyQueue& queue) {
        last_ = first_ + 1;
        while (last_ < end_ && queue.same(key_at(first_), key_at(last_))) ++last_;
    }
    /// Expanding a state in vain costs as much as is saved for some.
    void learn() {
        if (end_ < count_) {
            reach_ = std::max(2u, end_);
            pause_ = patience_ = std::min(longest_pause, patience_ * 2);
        } else if (pause_) {
            --pause_;
        } else if (count_ >= reach_) {
            reach_ = std::min(block_size, reach_ * 2);
            patience_ = 1;
        }
    }

    std::size_t key_words_ = 1, stride_ = 1;
    std::vector<Word> states_, keys_;
    std::vector<Finder> finders_;
    std::uint32_t first_ = 0, last_ = 0;  // those at hand
    std::uint32_t end_ = 0, count_ = 0;   // of those that are still next, and of all that were gathered
    std::uint32_t reach_ = 2;             // how many may be gathered, more or less
    std::uint32_t patience_ = 1, pause_ = 0;
};

}  // namespace sweep
