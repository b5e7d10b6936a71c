#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/program/oracle.hpp"
#include "sweep/progress/orders.hpp"

namespace sweep {

/// Whoever watches an exploration.
class Watcher {
public:
    virtual ~Watcher() = default;
    /// Called a few times a second; true interrupts the run.
    virtual bool tick() = 0;
    /// States were deleted: so many were stored before, and the counters say how many are now.
    virtual void collected(Place /*current*/, std::uint64_t /*before*/) {}
    /// The run can be written down now: it lies between two batches.
    virtual void save() {}
    /// A run is gone on with: whatever gave numbers to progress values has to give them again.
    virtual void resumed() {}
    /// Compare the successors of a state with what the functions say now; it throws when they differ.
    virtual void verify(const Word* /*state*/, const std::vector<const Word*>& /*successors*/) {}
};

/// All that an exploration does not know itself.
class Oracle : public Functions, public Orders, public Time, public Names, public Watcher {};

}  // namespace sweep
