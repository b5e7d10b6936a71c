#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>

#include "sweep/store/spill.hpp"

namespace sweep {

/// Looks at the memory again and again while a run goes on, and sends out what can be before the limit is reached: a table that is copied
/// into a larger one asks nobody on the way.
class SpillWatch {
public:
    explicit SpillWatch(Spill& spill);
    SpillWatch(const SpillWatch&) = delete;
    SpillWatch& operator=(const SpillWatch&) = delete;
    ~SpillWatch();

private:
    void look();

    Spill& spill_;
    std::mutex turn_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread thread_;
};

}  // namespace sweep
