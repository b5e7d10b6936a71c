#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/ask/state_questions.hpp"
#include "sweep/ask/step_questions.hpp"
#include "sweep/explore/crew.hpp"
#include "sweep/store/visited.hpp"

namespace sweep {

struct WalkSettings {
    std::uint64_t walks = 1, depth = 1, seed = 0;
    std::uint32_t together = 1024;          // walks that go on at once
    std::uint64_t most_distinct = 1 << 20;  // states that are told apart; then nobody counts them any more
};

/// A way through the model: the position of an initial state, and the numbers of edges as in `Block::edge`.
struct WalkWay {
    std::uint64_t root = 0;
    std::vector<std::uint64_t> edges;
};

/// Random numbers of one walk: they depend on the seed and on the number of the walk alone.
class WalkRandom {
public:
    WalkRandom(std::uint64_t seed, std::uint64_t walk) : state_(mixed(seed) + mixed(~walk)) {}
    /// One of so many, each as likely as any other.
    std::uint64_t below(std::uint64_t count) {
        state_ += step;
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(mixed(state_)) * count) >> 64);
    }

private:
    static constexpr std::uint64_t step = 0x9E3779B97F4A7C15ull;
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    std::uint64_t state_;
};

/// Random walks from initial states, many at once and step by step, so that a violation is found by one of the shortest of those that
/// go on together. Every edge is as likely as any other. What is found depends on the seed alone.
class Walks {
public:
    Walks(Crew& crew, Questions& questions, StepQuestions& steps, const WalkSettings& settings);

    Stop run(const std::vector<std::vector<Word>>& roots);
    /// The layout has changed.
    void rewrite(Transfer& transfer);
    template <class Visit>
    void each(Visit&& visit) const {
        for (const std::vector<Word>* all : {&states_, &roots_})
            for (std::size_t at = 0; at < all->size(); at += width_) visit(all->data() + at);
        distinct_.each(static_cast<int>(width_), visit);
    }
    std::uint64_t bytes() const { return distinct_.bytes() + (states_.capacity() + gathered_.capacity()) * sizeof(Word); }

    std::function<void()> grow;                   // gives the room that was asked for
    std::uint64_t begun = 0, steps = 0;           // walks, and steps of all of them
    std::uint64_t longest = 0;                    // steps of one
    std::uint64_t dead_ends = 0, left = 0;        // walks that ended in a state without successors, and in one outside of a bound
    std::vector<std::optional<WalkWay>> decided;  // by question: the way that decided it
    std::uint64_t distinct() const { return distinct_.size(); }
    bool counts_all() const { return distinct_.size() < settings_.most_distinct; }
    /// Of the walks that were to be continued when a function failed: the way to a state.
    std::optional<WalkWay> way_to(const Unpacked& state) const;

private:
    struct Walk {
        WalkRandom random;
        WalkWay way;
    };
    Stop go_together(std::uint64_t first, std::uint32_t count);
    Stop continue_some(std::size_t from, std::uint32_t count, std::vector<std::uint32_t>& still);
    Stop take_step(const Batch& batch, std::uint32_t parent, std::vector<std::uint32_t>& still);
    void gather(std::size_t from, std::uint32_t count);
    /// A state was asked about: remember the way for whatever is decided now.
    Stop note(Stop stop, std::uint32_t walk);
    void count_distinct(const Word* state);
    Word* state(std::uint32_t walk) { return states_.data() + walk * width_; }

    Crew& crew_;
    Questions& questions_;
    StateQuestions state_questions_;
    StepQuestions& step_questions_;
    WalkSettings settings_;
    std::size_t width_;           // words of a state
    std::vector<Word> states_;    // where each walk is
    std::vector<Word> roots_;     // one after the other
    std::vector<Word> gathered_;  // those of a batch
    std::vector<Walk> walks_;
    std::vector<std::uint32_t> active_;  // walks that go on
    std::size_t batch_from_ = 0;         // of these, the batch at work
    std::uint32_t batch_count_ = 0;
    VisitedTable distinct_;
};

}  // namespace sweep
