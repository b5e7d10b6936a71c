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
    /// Variables that members have to do with in one way: one that holds some, or an array that has a field for each of them, or for each
    /// pair, and so on.
    struct Part {
        std::vector<std::uint32_t> fields;  // those of members of the last set lie side by side
        std::vector<std::uint32_t> sets;    // whose members have fields
        std::int32_t naming = -1;           // how its values, elements or tokens name members; -1: not at all
        std::uint32_t home = 0;             // the field by whose ids all of them are compared,
        bool foreign = false;               // which are not those of all fields
    };
    /// A member of a set, by position.
    struct Member {
        std::uint32_t set, position;
    };

    std::vector<Set> sets;
    std::vector<Part> parts;
    std::uint32_t namings = 0;
    bool relative = false;  // time: states are taken as if it were the beginning, and tokens that are ready as if they were just now

    bool any() const { return relative || !parts.empty(); }
};

}  // namespace sweep
