#pragma once
#include <cstdint>
#include <functional>
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
    WalkRandom(std::uint64_t seed, std::uint64_t walk) : start_(mixed(seed) + mixed(~walk)) {}
    /// The next draw: one of so many, each as likely as any other.
    std::uint64_t below(std::uint64_t count) { return draw(++drawn_, count); }
    /// Any draw, by its number, from 1 on.
    std::uint64_t draw(std::uint64_t number, std::uint64_t count) const {
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(mixed(start_ + number * step)) * count) >> 64);
    }

private:
    static constexpr std::uint64_t step = 0x9E3779B97F4A7C15ull;
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    std::uint64_t start_, drawn_ = 0;
};

/// Random walks from initial states, many at once and step by step, so that a violation is found by one of the shortest of those that
/// go on together. Every edge is as likely as any other. What is found depends on the seed alone: several workers take, each for some
/// of the walks, those steps that the tables know; all else is done by one, in the order of walks, as if there were no others.
class Walks {
public:
    Walks(Crew& crew, Questions& questions, StepQuestions& steps, const WalkSettings& settings);

    Stop run(const std::vector<std::vector<Word>>& roots);
    /// The layout has changed.
    void rewrite(Transfer& transfer);
    template <class Visit>
    void each(Visit&& visit) const {
        for (const std::vector<Word>* all : {&here_.states, &next_.states, &roots_})
            for (std::size_t at = 0; at < all->size(); at += width_) visit(all->data() + at);
        for (const VisitedTable& table : distinct_) table.each(static_cast<int>(width_), visit);
    }
    std::uint64_t bytes() const;

    std::function<void()> grow;                   // gives the room that was asked for
    std::uint64_t begun = 0, steps = 0;           // walks, and steps of all of them
    std::uint64_t longest = 0;                    // steps of one
    std::uint64_t dead_ends = 0, left = 0;        // walks that ended in a state without successors, and in one outside of a bound
    std::vector<std::optional<WalkWay>> decided;  // by question: the way that decided it
    std::uint64_t distinct() const;
    bool counts_all() const { return distinct() < settings_.most_distinct; }
    /// Of the walks that were to be continued when a function failed: the way to a state.
    std::optional<WalkWay> way_to(const Unpacked& state) const;

private:
    struct Walk {
        WalkRandom random;
        WalkWay way;
    };
    /// Where each of the walks is that go on together.
    struct Where {
        std::vector<Word> states, hashes;
    };
    /// What becomes of a walk in the step at hand.
    struct Taken {
        enum class End : std::uint8_t { none, dead, outside } end = End::none;
        bool quiet = false;  // the tables know that the state it comes to decides nothing
        std::uint32_t candidate = 0, edges = 0;
    };

    Stop go_together(std::uint64_t first, std::uint32_t count);
    Stop begin_walks(std::uint64_t first, std::uint32_t count);
    Stop take_steps();
    bool shares() const;
    void prepare_together();
    bool prepare(Worker& hand, std::uint32_t i);
    void expand_alone(std::uint32_t i);
    void choose(const Batch& batch, const Block& block, std::size_t first, bool ask);
    Stop conclude(const Batch& batch, const Block& block, std::size_t first);
    Stop conclude_one(const Batch& batch, const Block& block, std::uint32_t parent, std::uint32_t walk);
    Batch batch_at(std::uint32_t i) const;
    Batch gather(std::uint32_t i);
    void make_room();
    /// A state was asked about: remember the way for whatever is decided now.
    Stop note(Stop stop, std::uint32_t walk);
    void count_met();
    void count_part(std::uint32_t part);
    std::uint32_t part_of(Word hash) const { return static_cast<std::uint32_t>((hash & 0xFFFF) % distinct_.size()); }
    std::uint32_t batches() const { return static_cast<std::uint32_t>((active_.size() + block_size - 1) / block_size); }
    const Word* state(const Where& where, std::uint32_t walk) const { return where.states.data() + walk * width_; }
    Word* state(Where& where, std::uint32_t walk) { return where.states.data() + walk * width_; }

    Crew& crew_;
    Questions& questions_;
    StateQuestions state_questions_;
    StepQuestions& step_questions_;
    bool asks_steps_;
    WalkSettings settings_;
    std::size_t width_;           // words of a state
    Where here_, next_;           // before and after the step at hand
    std::vector<Word> roots_;     // one after the other
    std::vector<Word> gathered_;  // the states of those that go on, batch by batch
    std::vector<Walk> walks_;
    std::vector<Taken> taken_;                   // by walk
    std::vector<std::uint32_t> active_;          // walks that go on
    std::vector<std::uint32_t> still_;           // those of them that have taken the step at hand
    std::uint64_t step_ = 0;                     // so many steps the active ones have taken
    std::vector<std::uint8_t> prepared_;         // by batch: its steps are chosen
    std::size_t batch_from_ = 0, batch_to_ = 0;  // active ones that somebody expands alone
    std::vector<std::uint32_t> met_;             // walks whose last states are not counted yet
    const Where* met_in_ = &here_;               // where these lie
    std::vector<VisitedTable> distinct_;         // one for each worker, by hash
};

}  // namespace sweep
