#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace sweep {

/// Letters with every bit that is needed, and none that is forbidden. A letter has a bit for each proposition that is true of a state, or
/// at a position of a run.
struct Letters {
    std::uint32_t needs, forbids;
    bool have(std::uint32_t letter) const { return (letter & needs) == needs && !(letter & forbids); }
};

/// Which loops of runs violate a property, whatever came before them.
struct Recurrence {
    using Condition = std::vector<Letters>;  // a letter is among one of them
    /// A kind of loop: all its states satisfy what it is within, and for all that it meets one of them satisfies that.
    struct Loop {
        std::vector<Condition> within, meets;

        bool admits(std::uint32_t letter) const {
            return std::all_of(within.begin(), within.end(), [&](const Condition& one) { return is_met(one, letter); });
        }
        std::uint32_t all_marks() const { return static_cast<std::uint32_t>((std::uint64_t{1} << meets.size()) - 1); }
        /// What a state of this letter meets, as bits.
        std::uint32_t marks(std::uint32_t letter) const {
            std::uint32_t made = 0;
            for (std::size_t i = 0; i < meets.size(); ++i) made |= static_cast<std::uint32_t>(is_met(meets[i], letter)) << i;
            return made;
        }
    };

    std::vector<std::uint32_t> propositions;  // predicates
    std::vector<Loop> loops;

private:
    static bool is_met(const Condition& condition, std::uint32_t letter) {
        return std::any_of(condition.begin(), condition.end(), [&](const Letters& one) { return one.have(letter); });
    }
};

}  // namespace sweep
