#pragma once
#include <cstdint>

#include "sweep/program/recording.hpp"

namespace sweep {

/// Whether a function had better be asked how numbers compare than what they are. With `require(s.tokens >= 2)` all large numbers are
/// alike, and one run does for all of them; with `if s.step == 0: ... elif s.step == 1: ...` one look at the value is better. So
/// a function whose table many states miss is tried, and stays with whatever fewer miss. States are counted, not runs: an action may
/// have run for each of a hundred thousand alternatives in one state, and would have to for all of them again.
class Comparing {
public:
    enum class Stage : std::uint8_t { looking, trying, settled, always, never } stage = Stage::looking;

    /// Start counting anew; `before` a trial, what looking costs is what it is compared with.
    void begin(Stage next, std::uint64_t misses, std::uint64_t explored) {
        if (next == Stage::trying) looking_cost_ = cost(misses, explored);
        if (next == Stage::looking) next_trial_ = later * misses;
        stage = next;
        misses_ = misses;
        explored_ = explored;
        useful_ = useless_ = 0;
    }
    /// A run that compared did some good if it compared, or moved, a number that it never looked at; one that met none counts for nothing.
    void note(const Recording& run, const Trie& table);

    /// Whether so many states miss the table that comparing should be tried.
    bool should_try(std::uint64_t misses, std::uint64_t explored) {
        if (stage != Stage::looking || misses < next_trial_) return false;
        if (cost(misses, explored) >= costly) return true;
        begin(Stage::looking, misses, explored);
        return false;
    }
    /// Whether comparing, which runs twice, costs as many runs as looking did, or nearly.
    bool should_stop(std::uint64_t misses, std::uint64_t explored) {
        if (stage != Stage::trying && stage != Stage::settled) return false;
        if (stage == Stage::trying && useful_ == 0 && useless_ >= enough) return true;
        if (misses - misses_ < (stage == Stage::trying ? trial : settled_for)) return false;
        if (cost(misses, explored) > looking_cost_ / 4) return true;
        begin(Stage::settled, misses, explored);
        return false;
    }

private:
    /// Misses per state explored.
    double cost(std::uint64_t misses, std::uint64_t explored) const {
        return static_cast<double>(misses - misses_) / static_cast<double>(explored - explored_ + 1);
    }

    static constexpr std::uint64_t first_trial = 2048, later = 4;   // misses; a trial that failed is repeated after this many times as many
    static constexpr std::uint64_t trial = 64, settled_for = 1024;  // misses of a trial, and after it until it is judged again
    static constexpr std::uint64_t enough = 8;                      // so many useless runs end a trial
    static constexpr double costly = 1.0 / 16;                      // misses per state: with fewer they are not what takes the time
    std::uint64_t misses_ = 0, explored_ = 0, next_trial_ = first_trial;
    std::uint64_t useful_ = 0, useless_ = 0;
    double looking_cost_ = 0;
};

/// Whether two runs on one state did the same, of which one looked at numbers and the other compared them. It must have asked about
/// all that the first looked at: else it noticed that it got something else than a number.
bool did_the_same(const Schema& schema, const Recording& looked, const Recording& compared, const Trie& table);

}  // namespace sweep
