#pragma once
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

/// What is left of an action after the scalars of its group are known: a leaf, or a node that asks something else.
struct Rest {
    std::uint32_t action;
    Code code;
};

/// The values of a few variables side by side, as one number.
class BitKey {
public:
    /// Take the bits that the variables' values need now; more values than that make it void.
    void lay_out(const std::vector<std::uint32_t>& fields, const Schema& schema);
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

/// Actions that look at the same few scalars, answered together: one table, keyed by all these scalars at once, says
/// which of the actions are not disabled and where each goes on.
class Group {
public:
    std::vector<std::uint32_t> actions, fields;

    /// For the values that the scalars have now; more of them make the group void.
    void lay_out(const Schema& schema);

    std::uint32_t key(const Word* state, bool fast) const { return static_cast<std::uint32_t>(key_(state, fast)); }

    /// The rests for a key: a count (in `action`) and that many entries behind it. Null when not resolved yet.
    const Rest* find(std::uint32_t key) const { return starts_[key] ? rests_.data() + (starts_[key] - 1) : nullptr; }

    /// Work out the entry of a state from the tries. False when one of them does not know yet.
    bool resolve(std::uint32_t key, const Word* state, const std::vector<Function>& functions, const Schema& schema);

    std::size_t bytes() const { return starts_.capacity() * sizeof(std::uint32_t) + rests_.capacity() * sizeof(Rest); }

private:
    BitKey key_;
    std::vector<std::uint32_t> starts_;
    std::vector<Rest> rests_;
};

/// Groups for all actions whose tries ask for scalars first; the others are left over.
struct Grouping {
    std::vector<Group> groups;
    std::vector<std::uint32_t> others;

    static Grouping of(const Program& program);
    /// No groups: every action by itself.
    static Grouping none(std::uint32_t actions);
};

}  // namespace sweep
