#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sweep {

/// Threads that share work. The caller is one of them; the others begin when there is something to share for the first time, and
/// wait in between. Nobody waits for one that has not come: what it would have done is done by those who have.
class Workers {
public:
    /// `memory`: the limit that holds for all of them.
    Workers(std::uint32_t count, std::optional<std::uint64_t> memory);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers();

    std::uint32_t count() const { return count_; }
    bool begun() const { return !threads_.empty(); }
    /// Of all of them together, in jobs; and how long there were some.
    double seconds() const { return static_cast<double>(nanoseconds_.load()) * 1e-9; }
    double shared_seconds() const { return shared_; }

    static constexpr std::uint32_t most_dealt = 16;  // jobs for each worker
    using Job = std::function<void(std::uint32_t worker, std::uint32_t job)>;
    /// Do so many jobs, in any order, whoever is free the next one; the caller is worker 0. If some fail, the error of the first of
    /// them is thrown when all are done.
    void share(std::uint32_t jobs, const Job& job);
    /// The same, where each worker begins with jobs of its own, dealt out in turns: what it works with stays in its cache from one call to
    /// the next. Only who has none left does those of others. The first is done by the caller. Very many are not dealt out.
    void deal(std::uint32_t jobs, const Job& job);
    /// The same with as many jobs as there are workers.
    void each(const std::function<void(std::uint32_t job)>& job);
    /// The same for the caller and a few others, where more of them would be of no use: they sleep on.
    static constexpr std::uint32_t few = 2;
    void each_of_few(const std::function<void(std::uint32_t job)>& job);
    /// Within a job: wait until something is so. That counts as waiting.
    template <class Condition>
    void wait_until(Condition&& condition) {
        if (condition()) return;
        const auto start = std::chrono::steady_clock::now();
        for (std::uint32_t looks = 1; !condition(); ++looks) rest(looks);
        const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
        nanoseconds_.fetch_sub(static_cast<std::uint64_t>(spent), std::memory_order_relaxed);
    }

private:
    /// What there is to do now, in one word: the turn in which it was offered, whether jobs are dealt out, how many there are, and which
    /// one is next where they are not. So one who comes late cannot take a job of another turn for one of its own.
    struct Offer {
        std::uint32_t turn = 0, jobs = 0, next = 0;
        bool dealt = false;

        std::uint64_t word() const { return std::uint64_t{turn} << 40 | std::uint64_t{dealt} << 39 | std::uint64_t{jobs} << 20 | next; }
        static Offer of(std::uint64_t word) {
            return {static_cast<std::uint32_t>(word >> 40), static_cast<std::uint32_t>(word >> 20 & (most_jobs - 1)),
                    static_cast<std::uint32_t>(word & 0xFFFFF), (word >> 39 & 1) != 0};
        }
    };

    void begin();
    void work(std::uint32_t worker);
    void take_jobs(std::uint32_t worker, bool claimed);
    void rest(std::uint32_t looks) const;
    void run(std::uint32_t jobs, bool dealt, const Job& job, bool for_all = true);
    static bool is_of_few(std::uint32_t worker) { return worker <= few; }
    bool claim(std::uint32_t job, std::uint32_t turn);
    void try_job(std::uint32_t worker, std::uint32_t job);

    static constexpr std::uint32_t most_jobs = 1 << 19;
    static constexpr std::uint32_t turn_mask = 0xFFFFFF;  // turns are counted in 24 bits
    std::optional<std::uint64_t> memory_;
    std::uint32_t count_;
    bool crowded_;  // there are fewer processors
    std::vector<std::thread> threads_;
    /// The jobs dealt to one worker: the last turn in which each was taken.
    struct alignas(64) Hand {
        std::atomic<std::uint32_t> taken[most_dealt] = {};
    };
    std::vector<Hand> dealt_;   // per worker
    const Job* job_ = nullptr;  // to be read by whoever has taken a job: it stays until all of them are done
    // Each in a line of its own: some wait for one of them while others change another.
    alignas(64) std::atomic<std::uint64_t> offer_{0};
    alignas(64) std::atomic<std::uint32_t> turn_{0};         // changes when there is something to share,
    alignas(64) std::atomic<std::uint32_t> turn_of_all_{0};  // and this when it is for more than a few
    std::atomic<bool> over_{false};
    alignas(64) std::atomic<std::uint32_t> left_{0};  // jobs that are not done
    alignas(64) std::mutex failing_;
    std::exception_ptr failure_;
    std::uint32_t failed_ = 0;  // the first job that did
    std::atomic<std::uint64_t> nanoseconds_{0};
    double shared_ = 0;
};

}  // namespace sweep
