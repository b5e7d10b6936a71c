#pragma once
#include <cstdint>

#include "sweep/state/layout.hpp"

namespace sweep {

/// One thing that an action does to a state.
struct Op {
    enum class Do : std::uint8_t { set, add, remove, clear, put, get };
    Do what;
    std::uint32_t field = 0;
    Id id = 0;
    std::uint32_t count = 1;
    bool observed = false;  // set: the action had looked at the old value, so the difference is always the same
};

}  // namespace sweep
