#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "sweep/ask/graph.hpp"
#include "sweep/program/block.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// Actions that no run ignores for ever, together: while one of them or another stays enabled or, where it is `strong`, if some are
/// enabled again and again. A step that changes none of the variables `of` is no step of theirs; without such variables any is.
struct Fairness {
    std::vector<std::uint32_t> actions;
    bool strong = false;
    std::vector<std::uint32_t> of = {};
};

/// Which runs count: those that are fair and, where the model stutters, also those that end in a state: they stay there for ever.
/// Steps have labels, by which it is known to what they are fair: the number of the action and, where it matters which variables they
/// change, which ones they leave alone.
class Runs {
public:
    Runs() = default;
    Runs(std::vector<Fairness> fair, std::size_t actions, bool stutter);

    const std::vector<Fairness>& fair() const { return fair_; }
    bool stutter() const { return stutter_; }

    /// Before steps get labels: the layout may be another one.
    void begin(const Schema& schema);
    std::uint32_t label(std::uint32_t action, const Word* before, const Word* after) {
        return looks_.empty() || !looks_[action] ? action : with_unchanged(action, before, after);
    }
    std::uint32_t action(std::uint32_t label) const { return label == nothing ? nothing : label % static_cast<std::uint32_t>(actions_); }
    /// What a step with this label is fair to.
    const States& taken(std::uint32_t label) const { return taken_[label]; }
    /// Whether a run may end in a parent of a batch, though it is not dead.
    bool may_end(const Batch& batch, const Block& block, std::uint32_t parent);

private:
    std::uint32_t with_unchanged(std::uint32_t action, const Word* before, const Word* after);
    std::uint32_t number_of(const std::vector<bool>& unchanged);

    std::vector<Fairness> fair_;
    std::size_t actions_ = 1;
    bool stutter_ = false;
    std::vector<std::uint8_t> looks_;                     // per action: whether it matters what its steps change
    std::vector<std::vector<std::uint32_t>> groups_;      // of variables that it matters of
    std::vector<std::uint32_t> group_;                    // per fairness: the number of its group, or `nothing`
    std::vector<std::vector<Word>> masks_;                // per group: where they lie in a state
    std::map<std::vector<bool>, std::uint32_t> numbers_;  // by which groups are left alone
    std::vector<States> taken_;                           // per label
};

}  // namespace sweep
