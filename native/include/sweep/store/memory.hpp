#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "sweep/state/memory.hpp"

namespace sweep {

struct Account;

/// Have so many jobs done by whoever is there; empty where that is nobody else.
using Together = std::function<void(std::uint32_t jobs, const std::function<void(std::uint32_t)>& job)>;

/// Blocks of memory that tables have left, for those to come. What was used before is at hand, where the system would have to find and
/// clear pages; and it would stop all workers for a moment whenever one of them gives a block back. Kept is what does not take more
/// memory, with what tables hold, than they have held before; and a little in any case.
class Leftovers {
public:
    explicit Leftovers(const Account& account) : account_(account) {}
    Leftovers(const Leftovers&) = delete;
    Leftovers& operator=(const Leftovers&) = delete;
    ~Leftovers();

    /// Whether blocks of so many bytes are worth it.
    static bool fit(std::uint64_t bytes) { return bytes >= least && bytes < most; }
    /// The bytes of a block for so many: there are few sizes, so that one fits where another was.
    static std::uint64_t rounded(std::uint64_t bytes);
    /// A block of a size that `rounded` gave, with anything in it; null when there is no memory.
    void* take(std::uint64_t bytes);
    void give(void* block, std::uint64_t bytes);
    std::uint64_t bytes() const { return kept_bytes_; }

private:
    static constexpr std::uint64_t least = 1 << 14, most = 1 << 21;  // bytes
    static constexpr std::uint64_t little = 8 << 20;                 // bytes, of all blocks

    struct Block {
        void* start;
        std::uint64_t bytes;
    };
    const Account& account_;
    std::mutex using_;
    std::vector<Block> kept_;  // those left last come last: they are at hand
    std::uint64_t kept_bytes_ = 0;
};

/// The bytes that several tables and queues hold together; several workers may enter theirs.
struct Account {
    std::atomic<std::uint64_t> bytes = 0;
    std::atomic<std::uint64_t> most = 0;   // they have held so far
    std::atomic<std::uint64_t> moves = 0;  // so often one has come to lie elsewhere, or otherwise
    Leftovers leftovers{*this};            // of the tables
    const Together* together = nullptr;    // who moves large tables, if there are others beside the one who fills them

    /// They hold so many more, or fewer.
    void add(std::uint64_t more) {
        const std::uint64_t now = bytes.fetch_add(more, std::memory_order_relaxed) + more;
        if (now > most.load(std::memory_order_relaxed)) most.store(now, std::memory_order_relaxed);
    }
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
    Leftovers* leftovers() const { return account_ ? &account_->leftovers : nullptr; }
    const Together* together() const { return account_ ? account_->together : nullptr; }
    void set(std::uint64_t bytes) {
        if (account_) account_->add(bytes - bytes_);
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
    explicit ZeroedWords(std::uint64_t count, Leftovers* leftovers = nullptr, const Together* together = nullptr);
    ZeroedWords(const ZeroedWords&) = delete;
    ZeroedWords& operator=(const ZeroedWords&) = delete;
    ~ZeroedWords();

    std::uint64_t* data() const { return data_; }
    /// Become so many, without a second block beside this one; those that are there keep their values, and may move. False, with nothing
    /// done, where that cannot be.
    bool extend(std::uint64_t count, const Together* together = nullptr);
    void swap(ZeroedWords& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
        std::swap(mapped_, other.mapped_);
        std::swap(spill_, other.spill_);
        std::swap(leftovers_, other.leftovers_);
    }

private:
    void touch_pages(std::uint64_t first, const Together* together);
    bool remap(std::uint64_t bytes);

    std::uint64_t* data_ = nullptr;
    std::uint64_t count_ = 0;
    bool mapped_ = false;             // it came straight from the system
    Spill* spill_ = nullptr;          // or lies there
    Leftovers* leftovers_ = nullptr;  // or came from there, and goes there
};

}  // namespace sweep
