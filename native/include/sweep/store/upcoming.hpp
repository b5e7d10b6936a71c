#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/store/key_queue.hpp"

namespace sweep {

/// States that a queue has next, in their order, to be expanded together: hardly any two have the same key, and a batch of one state costs
/// far more than a state of a larger one. They wait in the queue until their turn comes, one key after the other.
class KeyBatch {
public:
    /// Without any, for states of this queue.
    void begin(const KeyQueue& queue, std::size_t stride) {
        key_words_ = queue.key_words();
        stride_ = stride;
        states_.resize(block_size * stride);
        keys_.resize(block_size * key_words_);
        finders_.resize(queue.with_finders ? block_size : 0);
        first_ = last_ = end_ = 0;
    }
    void add(const Word* key, const Word* state, Finder finder) {
        KeyQueue::copy(key, keys_.data() + end_ * key_words_, key_words_);
        KeyQueue::copy(state, states_.data() + end_ * stride_, stride_);
        if (!finders_.empty()) finders_[end_] = finder;
        ++end_;
    }

    const Word* states() const { return states_.data(); }
    const Word* keys() const { return keys_.data(); }
    const Word* key_at(std::uint32_t i) const { return keys_.data() + i * key_words_; }
    /// How each was found; null where that is not kept.
    const Finder* finders() const { return finders_.empty() ? nullptr : finders_.data(); }
    std::uint32_t count() const { return end_; }
    /// Those at hand, all with the same key; before the first turn none.
    std::uint32_t first() const { return first_; }
    std::uint32_t last() const { return last_; }
    /// Whether none comes after those at hand; else the key of those that do.
    bool is_done() const { return last_ == end_; }
    const Word* next_key() const { return key_at(last_); }
    /// Go on to them, if they are next in the queue: they are all that have this key, or as many as go into a batch.
    bool next(const KeyQueue& queue) {
        if (is_done() || !queue.same(queue.key(), next_key())) return false;
        const std::uint32_t behind = end_of_key(queue);
        if (behind - last_ != queue.present(block_size)) return false;
        first_ = std::exchange(last_, behind);
        return true;
    }
    /// Leave them out.
    void skip(const KeyQueue& queue) { last_ = end_of_key(queue); }
    /// The states from one on go to another batch.
    void move(std::uint32_t from, KeyBatch& to) {
        for (std::uint32_t i = from; i < end_; ++i)
            to.add(key_at(i), states_.data() + i * stride_, finders_.empty() ? no_finder : finders_[i]);
        end_ = from;
    }
    /// The batch ends with so many states, or with those at hand.
    void cut(std::uint32_t count) { end_ = std::min(end_, std::max(last_, count)); }

    std::uint64_t bytes() const { return (states_.capacity() + keys_.capacity()) * sizeof(Word) + finders_.capacity() * sizeof(Finder); }

private:
    std::uint32_t end_of_key(const KeyQueue& queue) const {
        std::uint32_t end = last_;
        while (end < end_ && queue.same(key_at(end), key_at(last_))) ++end;
        return end;
    }

    std::size_t key_words_ = 1, stride_ = 1;
    std::vector<Word> states_, keys_;
    std::vector<Finder> finders_;
    std::uint32_t first_ = 0, last_ = 0;  // those at hand
    std::uint32_t end_ = 0;
};

/// Such a batch for one worker alone. What is pushed meanwhile may come before some of its states: then it ends there, and they were
/// expanded in vain. Where that happens often, one key is looked at at a time.
class Upcoming : public KeyBatch {
public:
    /// Gather them: those with the present key, and of other keys as many as there is hope for, as long as `together` says that a key
    /// may be one of them. Each key has all of its states, unless these are too many for a batch.
    template <class Together>
    void gather(KeyQueue& queue, std::size_t stride, Together&& together) {
        begin(queue, stride);
        const std::uint32_t most = pause_ ? 1 : reach_;
        std::uint32_t key_begins = 0;
        queue.each_soon(most, [&](const Word* key, const Word* state, Finder finder) {
            const bool other = count() != 0 && !queue.same(key, key_at(count() - 1));
            if (other) key_begins = count();
            if (other && (count() >= most || !together(key))) return false;
            if (count() == block_size) {
                if (key_begins) cut(key_begins);
                return false;
            }
            add(key, state, finder);
            return true;
        });
        gathered_ = count();
        next(queue);
    }
    /// The batch has come to its end, early or not. Expanding a state in vain costs as much as is saved for some.
    void learn() {
        if (last() < gathered_) {
            reach_ = std::max(2u, last());
            pause_ = patience_ = std::min(longest_pause, patience_ * 2);
        } else if (pause_) {
            --pause_;
        } else if (gathered_ >= reach_) {
            reach_ = std::min(block_size, reach_ * 2);
            patience_ = 1;
        }
    }

private:
    static constexpr std::uint32_t longest_pause = 64;  // batches

    std::uint32_t gathered_ = 0;
    std::uint32_t reach_ = 2;  // how many may be gathered, more or less
    std::uint32_t patience_ = 1, pause_ = 0;
};

}  // namespace sweep
