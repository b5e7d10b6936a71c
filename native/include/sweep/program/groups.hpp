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

    /// The rests for a key; none when not resolved yet.
    Rests find(std::uint32_t key) const { return starts_[key] ? rests_.data() + (starts_[key] - 1) : nullptr; }

    /// Work out the rests of a state from the tries; they are kept for its key when none is unknown. Valid until the next call.
    Rests resolve(std::uint32_t key, const Word* state, const Program& program);

    /// Which of the kinds that have bits close diamonds; see `Closing::after`.
    [[gnu::always_inline]] Word closed_after(std::uint32_t after, const Diamonds& diamonds) {
        if (after < closed_.size() && closed_[after].known == kinds_.size()) return closed_[after].kinds;
        return find_closed(after, diamonds);
    }

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
    Word find_closed(std::uint32_t after, const Diamonds& diamonds);
    bool advance(const std::vector<Rest>& from, std::size_t known, const Word* state, const Program& program, std::vector<Rest>& to) const;

    BitKey key_;
    std::vector<std::uint32_t> starts_;
    std::vector<Rest> rests_, narrowed_, passing_;  // the latter two are for states of which not everything is known
    std::vector<Partial> partials_;                 // the first: nothing is known
    std::vector<std::uint16_t> kinds_;              // by bit: the kinds of steps that do nothing but assign, as they were met
    struct Closed {
        std::size_t known = 0;  // of how many of them this tells
        Word kinds = 0;
    };
    std::vector<Closed> closed_;  // by `Closing::after`
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
