#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/outcomes.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// A transition that counts tokens which nobody can tell apart: it is enabled if every place of `takes` has so many tokens, and every
/// place of `inhibits` fewer. It takes, then empties the places of `resets`, then puts. No place is twice in a list.
struct CountTransition {
    struct Arc {
        std::uint32_t place;  // a bag
        Id token;
        std::uint32_t count = 1;
    };
    std::uint32_t action = 0;
    std::vector<Arc> takes, puts, inhibits, resets;
};

/// Compares several numbers that lie in one word with a number each, all at once. The answers are the top bits of the numbers.
struct Thresholds {
    Word tops = 0;   // the top bit of each number
    Word lower = 0;  // what each is compared with, but for its top bit
    Word below = 0;  // the tops of those that are compared with something that has no top bit

    void add(int shift, int bits, Word least);
    /// The tops of the numbers that are as large as what they are compared with.
    [[gnu::always_inline]] Word reached(Word word) const {
        const Word rest = (word | tops) - lower;  // its tops: where the number without its top bit is as large
        return ((word & rest) | ((word | rest) & below)) & tops;
    }
};

/// The transitions that count, compiled for the present layout: what has to be in a word of the state, and what becomes of it.
class Counting {
public:
    struct Test {
        Thresholds least;
        Word expected = 0;  // the numbers that have to be as large; the others have to be less
        std::uint32_t word = 0;

        [[gnu::always_inline]] bool holds(const Word* state) const { return least.reached(state[word]) == expected; }
    };
    struct Step {
        Thresholds most;  // no number may be as large, or it outgrows its field
        Word keep = ~Word{0}, add = 0;
        std::uint32_t word = 0;
    };
    /// A count that does not lie in one piece: what it is compared with, and what is done to it.
    struct Scattered {
        Field field;
        std::uint32_t cell = 0;
        Word least = 0;
        bool inhibits = false;
    };
    struct ScatteredStep {
        Field field;
        std::uint32_t cell = 0;
        std::int64_t change = 0;
        bool resets = false;

        /// False when that outgrows the field.
        bool fire(Word* next) const {
            const std::int64_t count = (resets ? 0 : static_cast<std::int64_t>(field.cell(next, cell))) + change;
            field.set_cell(next, cell, static_cast<Word>(count));
            return count <= static_cast<std::int64_t>(std::min<Word>(low_bits(field.bits()), most_tokens));
        }
    };
    /// How a transition is fired in the present layout.
    struct Firing {
        std::uint32_t action = 0, outcome = 0;
        std::uint32_t first_test = 0, tests = 0, first_step = 0, steps = 0;
        std::uint32_t first_scattered = 0, scattered = 0, first_scattered_step = 0, scattered_steps = 0;
        bool possible = true;  // every place has as many bits as it must have tokens
        bool direct = true;    // steps are all there is to do; else it is done by its outcome
    };

    /// One more, to be added before the run.
    void add(CountTransition transition, std::size_t actions);
    std::size_t size() const { return all_.size(); }
    const CountTransition& operator[](std::size_t index) const { return all_[index]; }
    const Firing& firing(std::size_t index) const { return firings_[index]; }
    const Test* tests(const Firing& firing) const { return tests_.data() + firing.first_test; }
    /// Whether an action is one of them, and which.
    bool counts(std::uint32_t action) const { return action < by_action_.size() && by_action_[action] != none; }
    std::uint32_t index_of(std::uint32_t action) const { return by_action_[action]; }

    /// They have the first outcomes there are: for whoever asks what an edge does, and for places that do not lie in one piece.
    void record(Outcomes& outcomes) const;
    void compile(const Schema& schema);

    /// Say how soon tokens may come to places that have never had any, so that they get room first; and give them what room there is.
    void foresee(Schema& schema) const;
    void lend(Schema& schema) const;

    [[gnu::always_inline]] bool enabled(const Firing& firing, const Word* state, std::uint32_t first = 0) const {
        const Test* const test = tests_.data() + firing.first_test;
        for (std::uint32_t i = first; i < firing.tests; ++i)
            if (!test[i].holds(state)) return false;
        return firing.scattered == 0 || allowed(firing, state);
    }
    /// Fire one that is enabled: `next` holds a copy of the state. False when that outgrows the layout, or is not all there is to do.
    [[gnu::always_inline]] bool fire(const Firing& firing, Word* next) const {
        const Step* const step = steps_.data() + firing.first_step;
        Word outgrown = !firing.direct;
        for (std::uint32_t i = 0; i < firing.steps; ++i) {
            Word& word = next[step[i].word];
            outgrown |= step[i].most.reached(word);
            word = (word & step[i].keep) + step[i].add;
        }
        for (std::uint32_t i = 0; i < firing.scattered_steps; ++i)
            outgrown |= !scattered_steps_[firing.first_scattered_step + i].fire(next);
        return outgrown == 0;
    }
    std::size_t bytes() const {
        return firings_.capacity() * sizeof(Firing) + tests_.capacity() * sizeof(Test) + steps_.capacity() * sizeof(Step);
    }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    bool allowed(const Firing& firing, const Word* state) const;
    void compile_test(Firing& firing, const CountTransition::Arc& arc, bool inhibits, const Schema& schema);
    void compile_step(Firing& firing, const CountTransition::Arc& arc, std::int64_t change, bool resets, const Schema& schema);

    std::vector<CountTransition> all_;
    std::vector<std::uint32_t> by_action_;
    std::vector<Firing> firings_;
    std::vector<Test> tests_;
    std::vector<Step> steps_;
    std::vector<Scattered> scattered_;
    std::vector<ScatteredStep> scattered_steps_;
};

}  // namespace sweep
