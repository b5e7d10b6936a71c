#pragma once
#include <cstdint>
#include <vector>

#include "sweep/state/layout.hpp"

namespace sweep {

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
