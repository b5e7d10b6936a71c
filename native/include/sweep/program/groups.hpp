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

/// What is left of all actions of a group: first those that do nothing but assign, and whose kinds have bits, in the order of these.
class Rests {
public:
    static constexpr std::size_t head = 2;  // entries before the first

    Rests(const Rest* at) : at_(at) {}
    explicit operator bool() const { return at_ != nullptr; }
    std::uint32_t count() const { return at_->action; }
    std::uint32_t with_bits() const { return at_->code; }
    Word kinds() const { return Word{at_[1].code} << 32 | at_[1].action; }
    const Rest* begin() const { return at_ + head; }
    const Rest* end() const { return begin() + count(); }

private:
    const Rest* at_;
};

/// Some numbers of a state side by side, as one.
class BitKey {
public:
    /// Take the bits that these numbers need now; more values than that make it void.
    void lay_out(const std::vector<Asked>& asked, const Schema& schema);
    int bits() const { return bits_; }

    /// No more than 64 of them. K is the width of states when that is known, else 0: those of one word are gathered at once.
    template <int K = 0>
    [[gnu::always_inline]] Word operator()(const Word* state, bool fast) const {
        if constexpr (K == 1) return gather_bits(state[0], first_, fast);
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
    Word first_ = 0;  // which bits of the first word
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

    template <int K>
    [[gnu::always_inline]] std::uint32_t key(const Word* state, bool fast) const {
        return static_cast<std::uint32_t>(key_.template operator()<K>(state, fast));
    }

    /// The rests for a key; none when not resolved yet.
    Rests find(std::uint32_t key) const { return starts_[key] ? rests_.data() + (starts_[key] - 1) : nullptr; }

    /// Work out the rests of a state from the tries; they are kept for its key when none is unknown. Valid until the next call.
    Rests resolve(std::uint32_t key, const Word* state, const Program& program);

    /// The kinds of steps that do nothing but assign, as they were met: each has a bit.
    const std::vector<std::uint16_t>& kinds() const { return kinds_; }

    std::size_t bytes() const;

private:
    /// What is left of the actions when the first numbers are known. A group of many actions goes there one by one, and keeps
    /// what it found on the way: an entry of the table looks only at actions that its neighbours have not ruled out.
    struct Partial {
        std::vector<Rest> rests;
        std::vector<std::uint32_t> next;  // per value of the next one: with that known, too; 0 when not worked out
    };

    const std::vector<Rest>& narrow(const Word* state, const Program& program);
    void put_kinds_first(std::size_t start, const Program& program);
    bool advance(const std::vector<Rest>& from, std::size_t known, const Word* state, const Program& program, std::vector<Rest>& to) const;

    BitKey key_;
    std::vector<std::uint32_t> starts_;
    std::vector<Rest> rests_, narrowed_, passing_;  // the latter two are for states of which not everything is known
    std::vector<Partial> partials_;                 // the first: nothing is known
    std::vector<std::uint16_t> kinds_;              // by bit
};

/// Groups for all actions whose tries ask for numbers first; the others are left over. Transitions that count have no tries.
struct Grouping {
    std::vector<Group> groups;
    std::vector<std::uint32_t> others;

    static Grouping of(const Program& program);
    /// No groups: every action by itself.
    static Grouping none(const Program& program);
};

/// Which of the kinds that have bits close diamonds, group by group: a row for each `Closing::after`.
class ClosedKinds {
public:
    /// For so many other groups.
    void begin(std::size_t groups) {
        width_ = groups;
        known_.clear();
        rows_.clear();
    }
    /// There are more kinds.
    void forget() { known_.assign(known_.size(), 0); }
    [[gnu::always_inline]] const Word* row(std::uint32_t after, const std::vector<Group>& groups, const Diamonds& diamonds) {
        if (after >= known_.size() || !known_[after]) [[unlikely]]
            find(after, groups, diamonds);
        return rows_.data() + after * width_;
    }
    std::size_t bytes() const { return rows_.capacity() * sizeof(Word) + known_.capacity(); }

private:
    void find(std::uint32_t after, const std::vector<Group>& groups, const Diamonds& diamonds);

    std::vector<std::uint8_t> known_;
    std::vector<Word> rows_;
    std::size_t width_ = 0;
};

}  // namespace sweep
