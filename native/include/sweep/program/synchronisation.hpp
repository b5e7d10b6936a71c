#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/program/recording.hpp"
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
    explicit Synchronisation(std::vector<Participant> all)
        : participants(std::move(all)), untabulated(combinations() > most_combinations) {}

    std::vector<Participant> participants;
    bool untabulated;  // a table would be too large: it is done participant by participant, for each state anew

    /// How many outcomes a table of all participants would hold: combinations of their steps.
    std::uint64_t combinations() const;
    /// Record what it does: first whether all can, then where each goes. False when it is disabled.
    bool record(Recording& recording) const;

    static constexpr std::uint64_t most_combinations = 1024;
};

}  // namespace sweep
