#pragma once
#include <algorithm>
#include <functional>
#include <optional>

#include "sweep/ask/question.hpp"
#include "sweep/explore/settings.hpp"
#include "sweep/explore/watcher.hpp"
#include "sweep/program/resolver.hpp"
#include "sweep/state/memory.hpp"
#include "sweep/store/ledger.hpp"

namespace sweep {

/// Looks at the clock and at the memory, and tells the watcher that time passes.
class Guard {
public:
    Guard(const Limits& limits, Resolver& resolver, Ledger& ledger, Watcher& watcher)
        : limits_(limits), resolver_(resolver), ledger_(ledger), watcher_(watcher) {}
    std::function<std::uint64_t()> count_table_bytes;

    void start() {
        started_ = looked_ = SteadyClock::now();
        memory_.emplace();
    }
    /// Why to stop now, if at all; looked at once for so many blocks.
    Stop look(std::uint64_t blocks_per_look) {
        if (limits_.memory && blocks_ >= next_memory_look_) look_at_memory(blocks_per_look);
        if (resolver_.asked() >= next_trim_) trim_tables();
        if (blocks_++ >= next_look_) {
            next_look_ = blocks_ - 1 + blocks_per_look;
            look_now();
        }
        return stop_;
    }
    /// How many blocks there may be before the memory is looked at again; and so many there were besides the one looked at.
    std::uint64_t blocks_ahead() const {
        return limits_.memory ? next_memory_look_ - std::min(blocks_, next_memory_look_) : ~std::uint64_t{0};
    }
    void skip(std::uint64_t blocks) { blocks_ += blocks; }
    /// Between two questions about a large layer: whether there is time, and nobody has pressed Ctrl-C.
    bool go_on();
    Stop stop() const { return stop_; }

    void weigh();
    void finish();

    /// Whether it is time to write down how far the run is; once that is asked, it is not until the time has passed again.
    bool save_is_due() const { return save_due_; }
    void saved();
    template <class File>
    void keep(File& file) {
        file(seconds, forgotten_tables);
        if constexpr (File::reads) earlier_ = seconds;
    }

    double seconds = 0;                  // since the start, and in the runs that this one goes on with
    std::uint64_t forgotten_tables = 0;  // so often there was no room for them

private:
    bool tick_is_due();
    void look_now();
    void look_at_memory(std::uint64_t blocks_per_look);
    void trim_tables();

    const Limits& limits_;
    Resolver& resolver_;
    Ledger& ledger_;
    Watcher& watcher_;
    Stop stop_ = Stop::none;
    bool save_due_ = false, scarce_ = false, ticked_ = false;
    double earlier_ = 0, next_save_ = 0;  // seconds
    std::uint64_t blocks_ = 0, next_look_ = 0, next_memory_look_ = 0;
    std::uint64_t next_trim_ = 0;       // in functions asked for values
    std::optional<MemoryMark> memory_;  // while it runs
    SteadyClock::time_point started_ = SteadyClock::now(), looked_ = started_;
};

}  // namespace sweep
