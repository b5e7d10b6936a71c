#pragma once
#include <cstdint>
#include <vector>

#include "sweep/layout.hpp"

namespace sweep {

/// An event of a network. Where a participant goes depends on where it is and on nothing else: each has a table of its own,
/// and no table is ever made of their combinations.
struct Joint {
    struct Participant {
        std::uint32_t field = 0;
        std::vector<std::uint32_t> first;  // per location: its targets are first[i] .. first[i + 1] - 1
        std::vector<Id> targets;

        const Id* begin(Id location) const { return targets.data() + first[location]; }
        std::uint32_t count(Id location) const { return first[location + 1] - first[location]; }
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
