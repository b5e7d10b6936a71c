#pragma once
#include <functional>

#include "sweep/ask/question.hpp"
#include "sweep/explore/settings.hpp"
#include "sweep/explore/watcher.hpp"
#include "sweep/store/ledger.hpp"

namespace sweep {

/// Looks at the clock and at the memory, and tells the watcher that time passes.
class Guard {
public:
    Guard(const Limits& limits, Program& program, Ledger& ledger, Watcher& watcher)
        : limits_(limits), program_(program), ledger_(ledger), watcher_(watcher) {}
    std::function<std::uint64_t()> count_table_bytes;

    void start() { started_ = looked_ = SteadyClock::now(); }
    /// Why to stop now, if at all; looked at once for so many blocks.
    Stop look(std::uint64_t blocks_per_look) {
        if (blocks_++ % blocks_per_look == 0) look_now();
        return stop_;
    }
    /// Between two questions about a large layer: whether there is time, and nobody has pressed Ctrl-C.
    bool go_on();
    Stop stop() const { return stop_; }

    void weigh();
    void finish();

    double seconds = 0;                  // since the start
    std::uint64_t forgotten_tables = 0;  // so often there was no room for them

private:
    bool tick_is_due();
    void look_now();

    const Limits& limits_;
    Program& program_;
    Ledger& ledger_;
    Watcher& watcher_;
    Stop stop_ = Stop::none;
    std::uint64_t blocks_ = 0;
    SteadyClock::time_point started_ = SteadyClock::now(), looked_ = started_;
};

}  // namespace sweep
