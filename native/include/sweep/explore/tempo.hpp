#pragma once
#include <algorithm>
#include <cstdint>

#include "sweep/program/resolver.hpp"

namespace sweep {

/// Whether several workers are worth their price: states per second when they share, and when one works alone. Where layers are small, or
/// processors busy with something else, sharing can cost more than it gains. So both are measured, in turns: as long as several are not
/// clearly slower they go on; else one goes on alone, for longer each time, before it is tried again. What is found does not depend on it.
class Tempo {
public:
    /// So many states are explored by now. Whether several may work on the next ones, if they may take so much longer than one.
    bool shares(std::uint64_t explored, double tolerated) {
        const auto now = SteadyClock::now();
        if (states_ == none) begin(explored, now);
        const std::uint64_t done = explored - states_;
        if (done < (several_ ? window : rest_)) return several_;
        const double each = std::chrono::duration<double>(now - since_).count() / static_cast<double>(done);
        if (!several_) {
            alone_ = each;
            several_ = true;
        } else if (each > alone_ * tolerated) {
            rest_ = std::min(2 * rest_, longest_rest);
            several_ = false;
        } else {
            rest_ = least_rest;
        }
        begin(explored, now);
        return several_;
    }

private:
    void begin(std::uint64_t explored, SteadyClock::time_point now) {
        states_ = explored;
        since_ = now;
    }

    static constexpr std::uint64_t window = 1 << 17, least_rest = 1 << 13, longest_rest = 1 << 19;  // states
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    bool several_ = false;
    double alone_ = 0;  // seconds for a state
    std::uint64_t rest_ = least_rest;
    std::uint64_t states_ = none;  // explored when this turn began
    SteadyClock::time_point since_;
};

}  // namespace sweep
