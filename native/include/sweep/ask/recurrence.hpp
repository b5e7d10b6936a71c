#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace sweep {

/// What is said of a position of a run: of its state, or of the step to it.
struct Proposition {
    std::int32_t predicate = -1;        // or, where that is -1,
    std::vector<std::uint8_t> actions;  // per action: whether it is true after a step of it
};

/// Letters with every bit that is needed, and none that is forbidden. A letter has a bit for each proposition that is true of a state, or
/// at a position of a run.
struct Letters {
    std::uint32_t needs, forbids;
    bool have(std::uint32_t letter) const { return (letter & needs) == needs && !(letter & forbids); }
    /// The same, where only some bits of the letter are known.
    bool may_have(std::uint32_t letter, std::uint32_t known) const { return Letters{needs & known, forbids & known}.have(letter); }
};

/// Which loops of runs violate a property, whatever came before them.
struct Recurrence {
    using Condition = std::vector<Letters>;  // a letter is among one of them
    static constexpr std::uint32_t all_bits = ~std::uint32_t{0};

    /// A kind of loop: all its positions satisfy what it is within, and for all that it meets one of them satisfies that.
    struct Loop {
        std::vector<Condition> within, meets;

        bool admits(std::uint32_t letter, std::uint32_t known = all_bits) const {
            return std::all_of(within.begin(), within.end(), [&](const Condition& one) { return is_met(one, letter, known); });
        }
        std::uint32_t all_marks() const { return static_cast<std::uint32_t>((std::uint64_t{1} << meets.size()) - 1); }
        /// What a position with this letter meets, as bits.
        std::uint32_t marks(std::uint32_t letter) const {
            std::uint32_t made = 0;
            for (std::size_t i = 0; i < meets.size(); ++i) made |= static_cast<std::uint32_t>(is_met(meets[i], letter, all_bits)) << i;
            return made;
        }
    };

    std::vector<Proposition> propositions;
    std::vector<std::uint32_t> earlier;  // numbers of propositions: what was true one position earlier has the bits after theirs
    std::vector<Loop> loops;

    /// Whether it matters by which action a state was entered, and whether it does how it was entered at all.
    bool about_actions() const {
        return std::any_of(propositions.begin(), propositions.end(), [](const Proposition& one) { return one.predicate < 0; });
    }
    bool about_steps() const { return !earlier.empty() || about_actions(); }
    /// The bits that the state alone decides.
    std::uint32_t of_state() const {
        std::uint32_t made = 0;
        for (std::size_t i = 0; i < propositions.size(); ++i) made |= static_cast<std::uint32_t>(propositions[i].predicate >= 0) << i;
        return made;
    }
    /// How a state is entered, as far as that matters, by an action, if there was one, in a state with this letter: a number below 64.
    std::uint32_t way(std::uint32_t before, std::uint32_t action) const {
        std::uint32_t made = 0, bit = 0;
        for (const Proposition& one : propositions)
            if (one.predicate < 0) made |= static_cast<std::uint32_t>(action < one.actions.size() && one.actions[action]) << bit++;
        for (const std::uint32_t number : earlier) made |= (before >> number & 1) << bit++;
        return made;
    }
    /// The bits that the letter of a state has by the way in which it was entered.
    std::uint32_t bits(std::uint32_t way) const {
        std::uint32_t made = 0, bit = 0;
        for (std::size_t i = 0; i < propositions.size(); ++i)
            if (propositions[i].predicate < 0) made |= (way >> bit++ & 1) << i;
        for (std::size_t i = 0; i < earlier.size(); ++i) made |= (way >> bit++ & 1) << (propositions.size() + i);
        return made;
    }

private:
    static bool is_met(const Condition& condition, std::uint32_t letter, std::uint32_t known) {
        return std::any_of(condition.begin(), condition.end(), [&](const Letters& one) { return one.may_have(letter, known); });
    }
};

}  // namespace sweep
