#pragma once
#include <cstdint>

#include "sweep/state/layout.hpp"

namespace sweep {

/// One thing that an action does to a state.
struct Op {
    /// `include` and `exclude`: an element of a set is there from now on, or not, whatever was before.
    enum class Do : std::uint8_t { set, shift, add, remove, include, exclude, clear, put, get };
    Do what;
    std::uint32_t field = 0;
    Id id = 0;  // shift: what is added to the number, in two's complement
    std::uint32_t count = 1;
    bool observed = false;  // a scalar: the difference to the old value is always the same
    Id before = 0;          // that value, where it was looked at

    bool operator==(const Op&) const = default;
};

}  // namespace sweep
