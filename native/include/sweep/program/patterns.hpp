#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/program/recording.hpp"

namespace sweep {

/// What an action does after it took a token, where a pattern said so: the same after it took another one from the same bag, if the
/// number that is this token compares as these limits say, and all else is the same.
struct Alike {
    struct Limit {
        std::int64_t coefficient, constant;  // the number so many times, and this
        bool equals, holds;
    };
    std::uint32_t bag = 0;
    std::vector<Event> rest;  // what was asked after the token was taken
    std::vector<Limit> limits;
    Code end = unknown;

    /// No other number compares as these limits say.
    bool is_of_one() const {
        return std::any_of(limits.begin(), limits.end(), [](const Limit& limit) { return limit.equals && limit.holds; });
    }
    bool holds(std::int64_t number) const {
        return std::all_of(limits.begin(), limits.end(), [number](const Limit& limit) {
            const std::int64_t total = limit.coefficient * number + limit.constant;
            return (limit.equals ? total == 0 : total >= 0) == limit.holds;
        });
    }
};

/// What an action asks and does for all numbers that compare alike: `if packet == s.receiver: s.receiver += 1` does the same to packet 5
/// and receiver 5 as to 6 and 6. It is read from a run with all numbers in question, and gives, for other numbers, the very path and
/// operations that a run on them would have.
class Pattern {
public:
    /// From two runs of an action on one state, of which the second had all numbers in question; nothing where they did not do the same, or
    /// no number is left that may be another.
    static std::optional<Pattern> of(const Schema& schema, const Recording& plain, const Recording& general, bool enabled);

    /// What a run asks and does.
    struct Course {
        std::vector<Event> path;
        std::vector<Op> ops;
        std::vector<Requests::NewNumber> news;  // numbers that it gives to variables which never had them: what they are is not in `ops`
    };
    /// Whether a run on a state, with these choices, would go this way; if so, its course.
    bool fits(const Schema& schema, const Word* state, const std::vector<std::uint32_t>& script, Course& course) const;

    /// What it says of other tokens than the one that was taken on such a course; nothing where something else than taking it out is done
    /// with it, or another choice is made.
    std::optional<Alike> others(const Schema& schema, const Course& course) const;

    /// Whether a run took the course that this pattern said.
    bool agrees(const Course& course, const Recording& run, bool enabled) const;

    bool enabled() const { return enabled_; }
    /// Whether a scalar is compared with nothing but constants, and given to no other variable: then comparing it does for all its values.
    bool compares_alone() const { return compares_alone_; }

    /// Whether so many runs, on other numbers, did what it says that it need not be run.
    bool certain() const { return confirmed >= enough; }

    std::uint32_t confirmed = 0;

private:
    static constexpr std::uint32_t enough = 3;

    // Terms of sums are about the numbers that answers to questions are, by their positions in the path.
    struct Question {
        Event event;
        bool open;                // any number will do; else the answer must be the same
        Progression progression;  // of a choice: the numbers of its alternatives
    };
    struct Condition {
        Sum sum;
        bool equals;  // whether it is about the sum being 0, else about being no less
        bool holds;
    };
    struct Step {
        Op op;
        std::optional<Sum> number;  // of the value that is given
    };

    bool is_general(const Schema& schema, const Recording& plain, const Recording& general);
    std::optional<Sum> in_terms_of_questions(const Sum& sum) const;
    void note_alone();

    std::vector<Question> questions_;
    std::vector<Condition> conditions_;
    std::vector<Step> steps_;
    bool enabled_ = false, compares_alone_ = false;
};

/// The patterns of an action, and whether it is worth looking for more of them.
class Patterns {
public:
    /// The pattern of an action that fits a state, with these choices; null when there is none.
    Pattern* find(const Schema& schema, const Word* state, const std::vector<std::uint32_t>& script, Pattern::Course& course);

    /// Whether there is one, whatever it says.
    bool fit(const Schema& schema, const Word* state, const std::vector<std::uint32_t>& script) const;

    void start_after(std::uint64_t runs) { next_ = runs; }
    /// Whether to look for another one after so many runs.
    bool wanted(std::uint64_t runs) const { return runs >= next_ && all_.size() < few + answered_ / worth; }
    void add(std::optional<Pattern> pattern, std::uint64_t runs);
    /// A run did not do what a pattern says.
    void give_up();
    bool any() const { return !all_.empty(); }
    /// Whether numbers are compared in such a way that tables about comparisons (see `Comparing`) may be smaller.
    bool may_compare() const;

private:
    static constexpr std::uint64_t later = 4;   // times as many runs: then another one is looked for where there was none
    static constexpr std::size_t few = 8;       // patterns that every action may have;
    static constexpr std::uint64_t worth = 16;  // further ones must have saved so many runs each
    std::vector<Pattern> all_;
    std::uint64_t next_ = 32, answered_ = 0;
};

}  // namespace sweep
