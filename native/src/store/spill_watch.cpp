#include "sweep/store/spill_watch.hpp"

#include <chrono>

#include "sweep/state/memory.hpp"

namespace sweep {

namespace {

constexpr auto between_looks = std::chrono::milliseconds(2);

}  // namespace

SpillWatch::SpillWatch(Spill& spill, std::uint64_t most_bytes) : spill_(spill), most_bytes_(most_bytes), thread_([this] { look(); }) {}

SpillWatch::~SpillWatch() {
    {
        const std::lock_guard lock(turn_);
        end_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

void SpillWatch::look() {
    std::unique_lock lock(turn_);
    while (!ended_.wait_for(lock, between_looks, [this] { return end_; }))
        if (resident_bytes() > most_bytes_ / 16 * 15) spill_.send_out();
}

}  // namespace sweep
