#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace sweep {

/// Batches in order, of which one worker looks up the successors while all expand the next ones ahead of it, as far as there are blocks
/// for them. Who has taken a batch expands it, whatever happens meanwhile, unless all is over.
class Ahead {
public:
    static constexpr std::uint32_t depth = 16;  // blocks: batch i has number i modulo this

    void begin(std::uint32_t batches) {
        batches_ = batches_now_ = batches;
        next_.store(0, std::memory_order_relaxed);
        done_.store(0, std::memory_order_relaxed);
        for (Slot& slot : slots_) {
            slot.ready.store(0, std::memory_order_relaxed);
            slot.failure = nullptr;
        }
    }
    /// The next batch that nobody has taken, if it may be expanded now.
    std::optional<std::uint32_t> take() {
        std::uint32_t next = next_.load(std::memory_order_relaxed);
        while (next < batches_ && next < done_.load(std::memory_order_acquire) + depth)
            if (next_.compare_exchange_weak(next, next + 1, std::memory_order_acq_rel)) return next;
        return std::nullopt;
    }
    /// Whether there may be one.
    bool is_open() const {
        const std::uint32_t next = next_.load(std::memory_order_relaxed);
        return next < batches_ && next < done_.load(std::memory_order_acquire) + depth;
    }
    void expanded(std::uint32_t i, std::exception_ptr failure) {
        slots_[i % depth].failure = std::move(failure);
        slots_[i % depth].ready.store(i + 1, std::memory_order_release);
    }
    bool is_ready(std::uint32_t i) const { return slots_[i % depth].ready.load(std::memory_order_acquire) == i + 1; }
    /// Why a batch that is ready could not be expanded, if so.
    const std::exception_ptr& failure(std::uint32_t i) const { return slots_[i % depth].failure; }
    /// A batch is looked up: there is room for another one.
    void done(std::uint32_t i) { done_.store(i + 1, std::memory_order_release); }

    /// Whether there is none left that somebody could take, now or later.
    bool over() const { return next_.load(std::memory_order_relaxed) >= batches_; }
    /// Nobody takes another one: how many there are in all, from now on. Those that were taken are expanded when this ends.
    template <class Wait>
    void halt(Wait&& wait) {
        const std::uint32_t taken = next_.fetch_or(halted, std::memory_order_acq_rel);
        if (taken < batches_) batches_now_ = taken;
        for (std::uint32_t i = done_.load(std::memory_order_relaxed); i < batches_now_; ++i) wait([&] { return is_ready(i); });
    }
    /// How many will be expanded, as far as is known; for who looks up.
    std::uint32_t batches() const { return batches_now_; }

private:
    static constexpr std::uint32_t halted = 1u << 31;  // no batch has so high a number
    struct alignas(64) Slot {
        std::atomic<std::uint32_t> ready{0};  // the last batch that is, and one more
        std::exception_ptr failure;
    };

    std::uint32_t batches_ = 0;
    std::uint32_t batches_now_ = 0;  // for who looks up, and halts
    alignas(64) std::atomic<std::uint32_t> next_{0};
    alignas(64) std::atomic<std::uint32_t> done_{0};
    std::array<Slot, depth> slots_;
};

}  // namespace sweep
