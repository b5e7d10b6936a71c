#pragma once
#include <compare>
#include <cstdint>
#include <vector>

#include "sweep/program/program.hpp"

namespace sweep {

/// The bits of a word that a mask selects, side by side.
inline Word gather_bits(Word word, Word mask, bool fast) {
#if defined(__x86_64__)
    if (fast) {
        Word result;
        __asm__("pextq %2, %1, %0" : "=r"(result) : "r"(word), "r"(mask));
        return result;
    }
#endif
    (void)fast;
    Word result = 0;
    for (int at = 0; mask; mask &= mask - 1, ++at) result |= ((word >> __builtin_ctzll(mask)) & 1) << at;
    return result;
}

/// Whether this processor gathers bits in one instruction.
inline bool gathers_fast() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

/// A number that is a part of the state: a scalar, or how often a bag holds the token of a cell.
struct Asked {
    std::uint32_t field, cell = 0;
    auto operator<=>(const Asked&) const = default;
};

/// What is left of an action after the numbers of its group are known: a leaf, a node that asks something else, or `unknown`.
struct Rest {
    std::uint32_t action;
    Code code;
};

/// Some numbers of a state side by side, as one.
class BitKey {
public:
    /// Take the bits that these numbers need now; more values than that make it void.
    void lay_out(const std::vector<Asked>& asked, const Schema& schema);
    int bits() const { return bits_; }

    /// No more than 64 of them.
    [[gnu::always_inline]] Word operator()(const Word* state, bool fast) const {
        Word key = 0;
        for (const Part& part : parts_) key |= gather_bits(state[part.word], part.mask, fast) << part.shift;
        return key;
    }

private:
    struct Part {
        std::uint16_t word;
        Word mask;
        int shift;
    };
    std::vector<Part> parts_;
    int bits_ = 0;
};

/// Actions that look at the same few numbers, answered together: one table, keyed by all of them at once, says
/// which of the actions are not disabled and where each goes on.
class Group {
public:
    std::vector<std::uint32_t> actions;
    std::vector<Asked> asked;

    /// Take the bits that these numbers need now; more values than that make the group void.
    void lay_out(const Program& program);

    std::uint32_t key(const Word* state, bool fast) const { return static_cast<std::uint32_t>(key_(state, fast)); }

    /// The rests for a key: a count (in `action`) and that many entries behind it. Null when not resolved yet.
    const Rest* find(std::uint32_t key) const { return starts_[key] ? rests_.data() + (starts_[key] - 1) : nullptr; }

    /// Work out the rests of a state from the tries; they are kept for its key when none is unknown. Valid until the next call.
    const Rest* resolve(std::uint32_t key, const Word* state, const Program& program);

    std::size_t bytes() const;

private:
    /// What is left of the actions when the first numbers are known. A group of many actions goes there one by one, and keeps
    /// what it found on the way: an entry of the table looks only at actions that its neighbours have not ruled out.
    struct Partial {
        std::vector<Rest> rests;
        std::vector<std::uint32_t> next;  // per value of the next one: with that known, too; 0 when not worked out
    };

    const std::vector<Rest>& narrow(const Word* state, const Program& program);
    bool advance(const std::vector<Rest>& from, std::size_t known, const Word* state, const Program& program, std::vector<Rest>& to) const;

    BitKey key_;
    std::vector<std::uint32_t> starts_;
    std::vector<Rest> rests_, narrowed_, passing_;  // the latter two are for states of which not everything is known
    std::vector<Partial> partials_;                 // the first: nothing is known
};

/// Groups for all actions whose tries ask for numbers first; the others are left over. Transitions that count have no tries.
struct Grouping {
    std::vector<Group> groups;
    std::vector<std::uint32_t> others;

    static Grouping of(const Program& program);
    /// No groups: every action by itself.
    static Grouping none(const Program& program);
};

}  // namespace sweep
