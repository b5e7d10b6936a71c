#pragma once
#include <cstdint>
#include <vector>

namespace sweep {

/// Sets whose members nobody can tell apart, and where members are in a state: as positions of arrays, or in values. What a value says of
/// members is known elsewhere (`Names`).
struct Symmetry {
    struct Set {
        std::uint32_t size = 0;
        bool rotation = false;  // they are moved on in a circle, not exchanged
    };
    /// A variable that members have to do with.
    struct Part {
        std::vector<std::uint32_t> fields;  // one, or those of an array
        std::int32_t set = -1;              // whose members have a field each; -1: they have none
        bool named = false;                 // its values, elements or tokens may name members
    };
    /// A member of a set, by position.
    struct Member {
        std::uint32_t set, position;
    };

    std::vector<Set> sets;
    std::vector<Part> parts;
    bool relative = false;  // time: states are taken as if it were the beginning, and tokens that are ready as if they were just now

    bool any() const { return relative || !parts.empty(); }
    /// Whether putting columns into an order is all that is to be done.
    bool only_columns() const {
        for (const Part& part : parts)
            if (part.named) return false;
        return !relative;
    }
};

}  // namespace sweep
