#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

#include "sweep/ask/step_questions.hpp"
#include "sweep/explore/canonical.hpp"
#include "sweep/explore/crew.hpp"
#include "sweep/explore/roots.hpp"
#include "sweep/explore/walks.hpp"

namespace sweep {

/// A random walk through all states, not those alone that stand for their classes: each is compared with the one that stands for it, and
/// with some that have other names, in what is asked, and in what both can do: by which family of actions into which class, and what is
/// said of such a step.
class Comparison {
public:
    struct Settings {
        std::uint64_t states = 1, edges = 1, seed = 0;  // of the walk, at most
    };
    Comparison(Crew& crew, Canonical& canonical, StepQuestions& steps, std::size_t predicates)
        : crew_(crew), canonical_(canonical), step_questions_(steps), predicates_(predicates), renamings_(canonical.generators()) {}

    std::function<void()> grow;                                // gives the room that was asked for
    std::function<void(const Word*, const Word*)> same_asked;  // both answer alike what is asked; else it throws

    /// How many states were compared with another one.
    std::uint64_t run(const Roots& roots, const Settings& settings);

private:
    using Step = std::vector<Word>;  // family, what is said, the state that stands for the target

    std::vector<Word> packed(const Unpacked& state);
    /// The edges of a state, one of which leads to where the walk goes on; the layout may be another one then.
    std::vector<Step> steps_of(const Unpacked& state);
    void compare(const Unpacked& state);
    void compare(const Unpacked& state, const Unpacked& other);
    template <class Change>
    Unpacked changed(const Unpacked& state, Change&& change);
    static std::uint64_t digest(const Unpacked& state);

    Crew& crew_;
    Canonical& canonical_;
    StepQuestions& step_questions_;
    std::size_t predicates_;  // about steps
    std::vector<Numbering> renamings_;
    std::uint64_t layouts_ = 0, edges_ = 0, compared_ = 0;
    std::uint64_t walked_ = 0;      // edges of the state that was looked at last
    std::uint64_t chance_ = 0;      // a random number
    std::optional<Unpacked> next_;  // a successor of the state that was looked at last, if there is one
    std::unordered_set<std::uint64_t> known_;
};

}  // namespace sweep
