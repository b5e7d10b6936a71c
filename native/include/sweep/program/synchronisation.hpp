#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/state/layout.hpp"

namespace sweep {

/// An event of a network. Where a participant goes depends on where it is and on nothing else: each has a table of its own,
/// and no table is ever made of their combinations.
struct Synchronisation {
    /// The locations a participant may go to, side by side.
    struct Targets {
        const Id* begin = nullptr;
        std::uint32_t count = 0;
    };
    class Participant {
    public:
        std::uint32_t field = 0;

        /// Its steps by the event, by location; the steps of one location keep their order.
        Participant(std::uint32_t field, std::vector<std::pair<Id, Id>> steps);

        Targets targets(Id location) const {
            if (location < least_ || location > most_) return {};
            std::size_t at = location - least_;
            if (!sources_.empty()) {
                at = static_cast<std::size_t>(std::lower_bound(sources_.begin(), sources_.end(), location) - sources_.begin());
                if (sources_[at] != location) return {};
            }
            return {targets_.data() + first_[at], first_[at + 1] - first_[at]};
        }
        std::uint64_t steps() const { return targets_.size(); }

    private:
        Id least_ = 1, most_ = 0;           // locations that can do it lie between these
        std::vector<Id> sources_;           // they themselves, where they are few among many; else every location between has its entry
        std::vector<std::uint32_t> first_;  // per entry: where its targets begin
        std::vector<Id> targets_;
    };
    std::vector<Participant> participants;

    /// How many outcomes a table of all participants would hold: combinations of their steps.
    std::uint64_t combinations() const;
};

/// A condition on scalars: which values are allowed, joined by and, or, not. The parts of a node follow it, one after the
/// other, so that a node that is decided by its first parts skips the rest.
struct Formula {
    struct Node {
        enum class Is : std::uint8_t { among, negated, all, some } is;
        std::uint32_t size = 1;             // nodes, with all parts
        std::uint32_t field = 0;            // among: the scalar
        std::vector<std::uint8_t> allowed;  // among: per value
    };
    std::vector<Node> nodes;

    bool holds(const Word* state, const Layout& layout, std::uint32_t node = 0) const;
};

}  // namespace sweep
