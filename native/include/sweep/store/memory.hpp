#pragma once
#include <atomic>
#include <cstdint>
#include <utility>

#include "sweep/state/memory.hpp"

namespace sweep {

/// The bytes that several tables and queues hold together; several workers may enter theirs.
struct Account {
    std::atomic<std::uint64_t> bytes = 0;
    std::atomic<std::uint64_t> moves = 0;  // so often one has come to lie elsewhere, or otherwise
};

/// What one of them holds, entered in an account if it has one. Bytes that move in from elsewhere are entered here.
class Share {
public:
    explicit Share(Account* account = nullptr) : account_(account) {}
    Share(const Share&) = delete;
    Share(Share&& other) noexcept : Share() { swap(other); }
    Share& operator=(Share&& other) noexcept {
        set(0);
        swap(other);
        return *this;
    }
    ~Share() { set(0); }

    std::uint64_t bytes() const { return bytes_; }
    void set(std::uint64_t bytes) {
        if (account_) account_->bytes.fetch_add(bytes - bytes_, std::memory_order_relaxed);
        bytes_ = bytes;
    }
    void move() {
        if (account_) account_->moves.fetch_add(1, std::memory_order_relaxed);
    }
    void swap(Share& other) noexcept {
        move();
        const std::uint64_t bytes = bytes_;
        set(other.bytes_);
        other.set(bytes);
    }

private:
    Account* account_;
    std::uint64_t bytes_ = 0;
};

class Spill;

/// Zeroed words. Large blocks lie on large pages where there are any, because look-ups at random addresses spend their
/// time on address translation, and come straight from the system, which has zeroed them already; or from a `Spill`, if one is at work.
class ZeroedWords {
public:
    ZeroedWords() = default;
    explicit ZeroedWords(std::uint64_t count);
    ZeroedWords(const ZeroedWords&) = delete;
    ZeroedWords& operator=(const ZeroedWords&) = delete;
    ~ZeroedWords();

    std::uint64_t* data() const { return data_; }
    /// Become so many, without a second block beside this one; those that are there keep their values, and may move. False, with nothing
    /// done, where that cannot be.
    bool extend(std::uint64_t count);
    void swap(ZeroedWords& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
        std::swap(mapped_, other.mapped_);
        std::swap(spill_, other.spill_);
    }

private:
    void touch_pages(std::uint64_t first);
    bool remap(std::uint64_t bytes);

    std::uint64_t* data_ = nullptr;
    std::uint64_t count_ = 0;
    bool mapped_ = false;     // it came straight from the system
    Spill* spill_ = nullptr;  // or lies there
};

}  // namespace sweep
