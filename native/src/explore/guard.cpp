#include "sweep/explore/guard.hpp"

#include <algorithm>
#include <utility>

namespace sweep {

namespace {

constexpr std::uint64_t most_per_block = std::uint64_t{1} << 18;  // bytes that a block may add, apart from what is asked for
constexpr std::uint64_t most_blocks = 1024;                       // between two looks at the memory
constexpr std::uint64_t asked_between = std::uint64_t{1} << 14;   // values, between two looks at the tables
constexpr std::uint64_t scarce_from = 45;                         // percent of the memory: a table that outgrows it has not been tried yet
constexpr std::size_t least_tables = std::size_t{8} << 20;        // bytes that are not worth a look

}  // namespace

/// Whether a tick has come round; stops when time is up.
bool Guard::tick_is_due() {
    const auto now = SteadyClock::now();
    seconds = earlier_ + std::chrono::duration<double>(now - started_).count();
    save_due_ |= limits_.save_every && seconds >= next_save_;
    // The limit on states is met within a batch, where nothing can be saved: that is done while there is some room.
    if (limits_.save_every && limits_.states && ledger_.counters.states > *limits_.states / 10 * 9 && !std::exchange(scarce_, true))
        save_due_ = true;
    if (limits_.seconds && seconds - earlier_ >= *limits_.seconds) {
        stop_ = Stop::seconds;
        return false;
    }
    if (std::exchange(ticked_, true) && std::chrono::duration<double>(now - looked_).count() < limits_.tick) return false;
    looked_ = now;
    return true;
}

void Guard::look_now() {
    if (!tick_is_due()) return;
    ledger_.bytes.peak_memory = std::max(ledger_.bytes.peak_memory, resident_bytes());
    weigh();
    if (limits_.table_memory && ledger_.bytes.tables > *limits_.table_memory) {
        resolver_.program().forget();
        ++forgotten_tables;
    }
    if (watcher_.tick()) stop_ = Stop::interrupted;
}

/// The less is left of the memory, the sooner it is looked at again.
void Guard::look_at_memory(std::uint64_t blocks_per_look) {
    const std::uint64_t most = *limits_.memory;
    std::uint64_t memory = resident_bytes();
    if (memory > most / 16 * 15 && MemoryLimit::relieve()) memory = resident_bytes();
    if (memory > most) stop_ = Stop::memory;
    if (limits_.save_every && memory > most / 100 * scarce_from && !std::exchange(scarce_, true)) save_due_ = true;
    const std::uint64_t left = memory < most ? most - memory : 0;
    next_memory_look_ = blocks_ + std::clamp<std::uint64_t>(left / most_per_block, 1, most_blocks) * blocks_per_look;
}

/// Tables of what functions said about states, the measure first of all, are of little use once these are forgotten: they are to
/// weigh no more than the stored states. What is still needed is asked for again, and that is less than what was asked since.
void Guard::trim_tables() {
    next_trim_ = resolver_.asked() + asked_between;
    Program& program = resolver_.program();
    const std::size_t bytes = program.value_bytes();
    if (bytes > least_tables && bytes > ledger_.count_state_bytes()) program.forget_values(least_tables / 8);
}

bool Guard::go_on() {
    if (stop_ == Stop::none && tick_is_due() && watcher_.tick()) stop_ = Stop::interrupted;
    return stop_ == Stop::none;
}

void Guard::saved() {
    seconds = earlier_ + seconds_since(started_);
    next_save_ = seconds + limits_.save_every.value_or(0);
    save_due_ = limits_.save_every && *limits_.save_every <= 0;
}

void Guard::weigh() {
    ledger_.weigh();
    ledger_.bytes.tables = count_table_bytes();
}

void Guard::finish() {
    weigh();
    seconds = earlier_ + seconds_since(started_);
    if (memory_) ledger_.bytes.peak_memory = std::max(ledger_.bytes.peak_memory, memory_->most());
    memory_.reset();
}

}  // namespace sweep
