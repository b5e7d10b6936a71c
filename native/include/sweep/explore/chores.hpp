#pragma once
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

namespace sweep {

/// Jobs that one worker has done in the middle of something else, by itself and by whoever has time for them meanwhile.
class Chores {
public:
    using Job = std::function<void(std::uint32_t job)>;

    /// Do so many jobs, in any order; `wait` waits for a condition. If one fails, that is thrown when all are done.
    template <class Wait>
    void share(std::uint32_t jobs, const Job& job, Wait&& wait) {
        job_ = &job;
        left_.store(jobs, std::memory_order_relaxed);
        turn_ = (turn_ + 1) & count_mask;
        offer_.store(std::uint64_t{turn_} << 40 | std::uint64_t{jobs} << 20, std::memory_order_release);
        help();
        wait([&] { return left_.load(std::memory_order_acquire) == 0; });
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }
    /// Do jobs that nobody has taken, as long as there are some; whether there were any.
    bool help() {
        bool any = false;
        for (std::uint64_t offer = offer_.load(std::memory_order_acquire); is_open(offer);) {
            if (!offer_.compare_exchange_weak(offer, offer + 1, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
            any = true;
            try {
                (*job_)(static_cast<std::uint32_t>(offer & count_mask));
            } catch (...) {
                const std::lock_guard lock(failing_);
                failure_ = std::current_exception();
            }
            left_.fetch_sub(1, std::memory_order_acq_rel);
            offer = offer_.load(std::memory_order_acquire);
        }
        return any;
    }

    bool is_open() const { return is_open(offer_.load(std::memory_order_relaxed)); }

private:
    static constexpr std::uint32_t count_mask = (1 << 20) - 1;
    static bool is_open(std::uint64_t offer) { return (offer & count_mask) < (offer >> 20 & count_mask); }

    const Job* job_ = nullptr;                         // stays until all are done: to be read by whoever has taken one
    std::uint32_t turn_ = 0;                           // so that none is taken for one of another time
    alignas(64) std::atomic<std::uint64_t> offer_{0};  // the turn, how many jobs, and which one is next
    alignas(64) std::atomic<std::uint32_t> left_{0};
    std::mutex failing_;
    std::exception_ptr failure_;
};

}  // namespace sweep
