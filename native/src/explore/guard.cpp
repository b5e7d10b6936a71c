#include "sweep/explore/guard.hpp"

#include "sweep/store/memory.hpp"

namespace sweep {

namespace {

constexpr double tick_seconds = 0.05;

}  // namespace

/// Whether a tick has come round; stops when time is up.
bool Guard::tick_is_due() {
    const auto now = SteadyClock::now();
    seconds = std::chrono::duration<double>(now - started_).count();
    if (limits_.seconds && seconds >= *limits_.seconds) {
        stop_ = Stop::seconds;
        return false;
    }
    if (ledger_.counters.explored && std::chrono::duration<double>(now - looked_).count() < tick_seconds) return false;
    looked_ = now;
    return true;
}

void Guard::look_now() {
    if (!tick_is_due()) return;
    const std::uint64_t memory = resident_bytes();
    ledger_.bytes.peak_memory = std::max(ledger_.bytes.peak_memory, memory);
    if (limits_.memory && memory > *limits_.memory) stop_ = Stop::memory;
    weigh();
    if (limits_.table_memory && ledger_.bytes.tables > *limits_.table_memory) {
        program_.forget();
        ++forgotten_tables;
    }
    if (watcher_.tick()) stop_ = Stop::interrupted;
}

bool Guard::go_on() {
    if (stop_ == Stop::none && tick_is_due() && watcher_.tick()) stop_ = Stop::interrupted;
    return stop_ == Stop::none;
}

void Guard::weigh() {
    ledger_.weigh();
    ledger_.bytes.tables = count_table_bytes();
}

void Guard::finish() {
    weigh();
    seconds = seconds_since(started_);
    ledger_.bytes.peak_memory = std::max(ledger_.bytes.peak_memory, resident_bytes());
}

}  // namespace sweep
