#include "sweep/store/spill_watch.hpp"

#include <chrono>

namespace sweep {

namespace {

constexpr auto between_looks = std::chrono::milliseconds(2);

}  // namespace

SpillWatch::SpillWatch(Spill& spill) : spill_(spill), thread_([this] { look(); }) {}

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
    while (!ended_.wait_for(lock, between_looks, [this] { return end_; })) spill_.send_out_if_near();
}

}  // namespace sweep
