#include "sweep/explore/workers.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "sweep/program/resolver.hpp"
#include "sweep/state/memory.hpp"

namespace sweep {

namespace {

constexpr int short_while = 500;                      // looks at a value that is about to change, before others may have the processor
constexpr int looks_between = 32;                     // looks, until they may again
constexpr std::uint32_t renewed_after = 1 << 21;      // turns: long before one could be taken for one that is to come
constexpr std::chrono::microseconds long_while{200};  // before the thread goes to sleep: to be woken takes longer than most turns

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

bool has_changed(const std::atomic<std::uint32_t>& value, std::uint32_t now, int looks) {
    for (; looks > 0; --looks) {
        if (value.load(std::memory_order_acquire) != now) return true;
        pause();
    }
    return false;
}

/// Wait until a value is no longer this one. Where there are more workers than processors, whoever waits is soon in the way.
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t now, bool crowded) {
    if (has_changed(value, now, short_while)) return;
    if (!crowded)
        for (const auto start = SteadyClock::now(); SteadyClock::now() - start < long_while;) {
            std::this_thread::yield();
            if (has_changed(value, now, looks_between)) return;
        }
    value.wait(now, std::memory_order_acquire);
}

}  // namespace

Workers::Workers(std::uint32_t count, std::optional<std::uint64_t> memory)
    : memory_(memory), count_(count), crowded_(count > std::thread::hardware_concurrency()), dealt_(count) {}

Workers::~Workers() {
    over_ = true;
    for (auto* turn : {&turn_, &turn_of_all_}) {
        turn->fetch_add(1, std::memory_order_release);
        turn->notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
}

void Workers::begin() {
    for (std::uint32_t worker = 1; worker < count_; ++worker) threads_.emplace_back([this, worker] { work(worker); });
}

void Workers::share(std::uint32_t jobs, const Job& job) { run(jobs, false, job); }

void Workers::deal(std::uint32_t jobs, const Job& job) { run(jobs, jobs <= most_dealt * count_, job); }

void Workers::each(const std::function<void(std::uint32_t)>& job) {
    run(count_, true, [&](std::uint32_t, std::uint32_t one) { job(one); });
}

void Workers::each_of_few(const std::function<void(std::uint32_t)>& job) {
    const auto one = [&](std::uint32_t, std::uint32_t one) { job(one); };
    run(std::min(count_, few + 1), true, one, false);
}

void Workers::run(std::uint32_t jobs, bool dealt, const Job& job, bool for_all) {
    const auto start = SteadyClock::now();
    if (threads_.empty()) begin();
    const std::uint32_t turn = (Offer::of(offer_.load(std::memory_order_relaxed)).turn + 1) & turn_mask;
    job_ = &job;
    if (turn % renewed_after == 0)
        for (Hand& hand : dealt_)
            for (auto& taken : hand.taken) taken.store((turn - 1) & turn_mask, std::memory_order_relaxed);
    const bool claimed = dealt && jobs && claim(0, turn);
    left_.store(jobs, std::memory_order_relaxed);
    offer_.store(Offer{turn, jobs, 0, dealt}.word(), std::memory_order_release);
    for (auto* now : {&turn_, &turn_of_all_}) {
        if (now == &turn_of_all_ && !for_all) continue;
        now->store(turn, std::memory_order_seq_cst);  // before it is asked whether anybody sleeps
        now->notify_all();
    }
    take_jobs(0, claimed);
    while (const std::uint32_t left = left_.load(std::memory_order_acquire)) wait_for_change(left_, left, crowded_);
    shared_ += seconds_since(start);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Workers::work(std::uint32_t worker) {
    const MemoryLimit limit(memory_);
    const std::atomic<std::uint32_t>& now = is_of_few(worker) ? turn_ : turn_of_all_;
    for (std::uint32_t turn = 0;;) {
        wait_for_change(now, turn, crowded_);
        turn = now.load(std::memory_order_acquire);
        if (over_) return;
        take_jobs(worker, false);
    }
}

void Workers::rest(std::uint32_t looks) const {
    pause();
    if (crowded_ || looks % short_while == 0) std::this_thread::yield();
}

/// A job that was dealt out is taken once in a turn, by whomever. One who comes late, when later turns have begun, takes none.
bool Workers::claim(std::uint32_t job, std::uint32_t turn) {
    std::atomic<std::uint32_t>& taken = dealt_[job % count_].taken[job / count_];
    std::uint32_t last = taken.load(std::memory_order_relaxed);
    const std::uint32_t since = (turn - last) & turn_mask;
    return since != 0 && since <= turn_mask / 2 && taken.compare_exchange_strong(last, turn, std::memory_order_acq_rel);
}

void Workers::take_jobs(std::uint32_t worker, bool claimed) {
    const auto start = SteadyClock::now();
    std::uint64_t word = offer_.load(std::memory_order_acquire);
    const Offer offered = Offer::of(word);
    std::uint32_t done = 0;
    const auto do_job = [&](std::uint32_t job) {
        try_job(worker, job);
        ++done;
    };
    if (claimed) do_job(worker);
    if (offered.dealt) {
        for (std::uint32_t i = 0; i < count_; ++i)
            for (std::uint32_t job = (worker + i) % count_; job < offered.jobs; job += count_)
                if (claim(job, offered.turn)) do_job(job);
    } else {
        for (;;) {
            const Offer offer = Offer::of(word);
            if (offer.next >= offer.jobs || offer.turn != offered.turn || offer.dealt) break;
            if (!offer_.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
            ++word;
            do_job(offer.next);
        }
    }
    const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(SteadyClock::now() - start).count();
    nanoseconds_.fetch_add(static_cast<std::uint64_t>(spent), std::memory_order_relaxed);
    if (done && left_.fetch_sub(done, std::memory_order_acq_rel) == done) left_.notify_one();
}

void Workers::try_job(std::uint32_t worker, std::uint32_t job) {
    try {
        (*job_)(worker, job);
    } catch (...) {
        const std::lock_guard lock(failing_);
        if (!failure_ || job < failed_) {
            failure_ = std::current_exception();
            failed_ = job;
        }
    }
}

}  // namespace sweep
