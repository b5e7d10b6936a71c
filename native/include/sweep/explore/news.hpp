#pragma once
#include <algorithm>
#include <cstdint>

namespace sweep {

/// Whether states are to be expected of which the tables do not know everything, as where a layer begins. What one worker has asked for
/// is known to the next batch; many workers need the same at once, and all of them wait until it is there. So one has the first batches of
/// a place for itself, until there is one in which nothing is new.
class News {
public:
    /// A place begins: as the last one did.
    void enter() {
        quiet_ = !any_;
        any_ = false;
        alone_ = 0;
    }
    /// Something was new in a batch that one worker had, or not.
    void see(bool any) {
        any_ |= any;
        quiet_ = !any;
    }
    /// Something was new in a round, and much of it, or not.
    void see_round(bool any, bool much) {
        any_ |= any;
        quiet_ = !much;
        if (quiet_) alone_ = 0;
    }
    /// Whether one worker should have the next batch, which has it then.
    bool expected() { return !quiet_ && alone_++ < most_alone; }
    /// Whether nothing was new of late, or not much.
    bool quiet() const { return quiet_; }

private:
    static constexpr std::uint32_t most_alone = 32;  // batches
    std::uint32_t alone_ = 0;                        // batches that one worker had
    bool quiet_ = false;
    bool any_ = true;  // something was new in this place
};

/// How long one worker goes on alone, where running ahead of it was of no use: twice as long each time.
class Alone {
public:
    bool is_over(std::uint64_t explored) const { return explored >= until_; }
    void learn(bool in_vain, std::uint64_t explored) {
        if (in_vain) until_ = explored + patience_;
        patience_ = in_vain ? std::min(2 * patience_, longest) : 1;
        reach_ = in_vain ? shortest_reach : std::min(2 * reach_, longest_reach);
    }
    /// How many batches are foreseen next: few, where it was of no use before.
    std::uint64_t reach() const { return reach_; }

private:
    static constexpr std::uint64_t longest = 1 << 16;  // states
    static constexpr std::uint64_t shortest_reach = 4, longest_reach = 64;
    std::uint64_t until_ = 0, patience_ = 1, reach_ = shortest_reach;
};

}  // namespace sweep
