#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sweep/program/trie.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// A masked assignment to one word of a state.
struct WordSet {
    std::uint32_t word = 0;
    Word keep = ~Word{0}, bits = 0;
};

/// An operation on a bag or queue, with the place of what it changes where that lies in one word of the state.
struct Change {
    enum class How : std::uint8_t {
        general,  // in pieces, in several words, or interned
        slots,    // one token or element comes or goes
        members,  // tokens that are bits: those in `removed` go, then those in `mask` come
        count     // tokens that are counted: `removed` is subtracted, then one cell grows if there is a `mask`
    };
    Op op;
    std::uint16_t word = 0;
    How how = How::general;
    std::uint8_t shift = 0, bits = 0;
    std::uint8_t last = 0;  // where the last slot begins: it is free unless the bag is full
    Word mask = 0;          // of all slots together, or of one cell
    Word removed = 0;
};

/// 1 in the lowest bit of every slot of a word, by the width of slots.
constexpr auto slot_ones = [] {
    std::array<Word, 65> table{};
    for (int width = 1; width <= 64; ++width)
        for (int at = 0; at + width <= 64; at += width) table[static_cast<std::size_t>(width)] |= Word{1} << at;
    return table;
}();

/// One token that comes to a bag whose slots lie side by side in one word.
struct Arrival {
    Id token = 0;
    std::uint16_t word = 0;
    std::uint8_t shift = 0, bits = 0;  // 0 bits: none comes
    std::uint8_t last = 0;             // where the last slot begins: it is free unless the bag is full

    /// Put it where slots stay descending: before the first that is not larger, found by comparing all of them at once. False when
    /// the bag is full.
    [[gnu::always_inline]] bool put(Word& word) const {
        const Word mask = (Word{1} << (last + bits)) - 1;
        const Word raw = (word >> shift) & mask;
        if (raw >> last) return false;
        const Word ones = slot_ones[bits], tops = ones << (bits - 1), tokens = ones * token;
        const Word lower = (tokens | tops) - (raw & ~tops);  // its top bits: where the rest of a slot is not larger
        const Word not_larger = ((tokens & ~raw) | (~(tokens ^ raw) & lower)) & tops;
        const int at = __builtin_ctzll(not_larger) - (bits - 1) + shift;
        const Word behind = word & (mask << shift) & ~((Word{1} << at) - 1);
        word = (word ^ behind) | (Word{token} << at) | (behind << bits);
        return true;
    }
};

/// How the progress measure looks at a variable, which says whether a change of it moves all states of a layer alike: not at all; at
/// its number, which it adds; at a function of its value alone; at its size, which it adds; or in another way.
enum class Watch : std::uint8_t { none, number, value, size, closely };

/// The outcome of an action: operations, and what they come to in the present layout.
struct alignas(64) Outcome {                        // one line of the cache
    WordSet set;                                    // scalars: most outcomes touch one word
    std::uint32_t removed_from = ~0u, removed = 0;  // the first thing it does to a bag, if that is taking a token out
    std::uint32_t first_set = 0, sets = 0;          // scalars in further words
    std::uint32_t first_change = 0, changes = 0;    // bags and queues
    bool moves_progress : 1 = true;                 // whether it changes a variable that the measure has ever looked at
    bool moves_evenly : 1 = false;                  // whether its progress depends on its parent's alone
    bool takes_any : 1 = false;                     // whether that token is whichever was taken: `removed` is one of them
    std::uint8_t plain_from = never_plain;          // from this change on there is nothing left but a token that comes, or not even that
    std::uint16_t kind = 0;                         // by which diamonds know it; 0: they do not
    Arrival arrival;

    static constexpr std::uint8_t never_plain = 255;

    /// Whether it assigns to scalars of one word, and does nothing else.
    [[gnu::always_inline]] bool only_sets() const { return plain_from == 0 && arrival.bits == 0; }
    /// Whether the first thing it does is to take a token out, which was taken before.
    [[gnu::always_inline]] bool takes_out(std::uint32_t bag, Id token) const {
        return removed_from == bag && (removed == token || takes_any);
    }
    /// Whether it takes a certain token out, if this one was taken.
    [[gnu::always_inline]] bool takes_out(std::uint32_t bag, Id token, Id taken) const {
        return removed_from == bag && (takes_any ? taken : removed) == token;
    }
};

static_assert(sizeof(Outcome) == 64);

/// The outcomes of all actions, as they were recorded and as they are compiled for the present layout.
class Outcomes {
public:
    explicit Outcomes(const Schema& schema) : schema_(schema) {}

    std::vector<Watch> watched;  // per variable; empty: the progress measure looks closely at all of them

    std::uint32_t add(const std::vector<Op>& ops, const std::vector<Event>& path);
    /// For another layout, or when the measure looks at more.
    void compile();
    std::uint32_t size() const { return static_cast<std::uint32_t>(all_.size()); }
    const Outcome& operator[](std::uint32_t outcome) const { return all_[outcome]; }
    void set_kind(std::uint32_t outcome, std::uint16_t kind) { all_[outcome].kind = kind; }
    /// What an outcome does, in order.
    std::span<const Op> ops(std::uint32_t outcome) const { return {ops_.data() + recorded_[outcome].first_op, recorded_[outcome].ops}; }
    template <class Visit>
    void each_op(std::uint32_t outcome, Visit&& visit) const {
        const Recorded& recorded = recorded_[outcome];
        for (std::uint32_t i = 0; i < recorded.ops; ++i) visit(ops_[recorded.first_op + i]);
    }
    /// Whether these operations are those of an outcome; where that is for any token, but for the token that is taken out first.
    bool recorded_as(std::uint32_t outcome, const std::vector<Op>& ops) const;
    /// Whether two outcomes are the same.
    bool same_ops(std::uint32_t one, std::uint32_t other) const;
    /// The one token that a run took, where the first thing it did to a bag was to take that out; null where it was something else.
    static const Event* taken_first(const std::vector<Op>& ops, const std::vector<Event>& path);
    /// An outcome is from now on that of all runs which do the same, whatever token they took; it takes one out first.
    void take_any(std::uint32_t outcome) { all_[outcome].takes_any = true; }
    bool takes_any(std::uint32_t outcome) const { return all_[outcome].takes_any; }
    void forget_from(std::uint32_t first);
    std::size_t bytes() const;

    /// The successor: `next` holds a copy of the state. False when a bag or its contents outgrew the layout: that is
    /// requested then, and the state has to be expanded again when it is granted.
    /// K is the width of states when that is known at compile time, else 0.
    template <int K = 0>
    [[gnu::always_inline]] bool apply(const Outcome& outcome, Word* next, Additions& additions, std::uint32_t first_change = 0) const {
        Word& assigned = next[K == 1 ? 0 : outcome.set.word];
        assigned = (assigned & outcome.set.keep) | outcome.set.bits;
        if (first_change != outcome.plain_from) return apply_rest(outcome, next, additions, first_change);
        if (outcome.arrival.bits == 0 || outcome.arrival.put(next[K == 1 ? 0 : outcome.arrival.word])) return true;
        return schema_.change(changes_[outcome.first_change + first_change].op, next, additions);
    }

    /// Take out the token that was taken, which an outcome does first.
    bool take_out(const Outcome& outcome, Id taken, Word* next, Additions& additions) const {
        return schema_.change({Op::Do::remove, outcome.removed_from, taken}, next, additions);
    }

private:
    void compile(std::uint32_t outcome);
    void compile_change(Outcome& outcome, const Op& op);
    bool compile_count(Outcome& outcome, const Op& op);
    void compile_settled(Outcome& outcome, const Op& op);
    void note_plain(Outcome& outcome) const;
    void set_bits(Outcome& outcome, const Piece& piece, Word value);
    [[gnu::always_inline]] bool apply_rest(const Outcome& outcome, Word* next, Additions& additions, std::uint32_t first) const {
        const WordSet* set = sets_.data() + outcome.first_set;
        for (std::uint32_t i = 0; i < outcome.sets; ++i) next[set[i].word] = (next[set[i].word] & set[i].keep) | set[i].bits;
        const Change* change = changes_.data() + outcome.first_change;
        const Change* end = change + outcome.changes;
        for (change += first; change != end; ++change)
            if (!(change->how == Change::How::slots     ? change_slots(*change, next, additions)
                  : change->how == Change::How::members ? change_members(*change, next, additions)
                  : change->how == Change::How::count   ? change_count(*change, next, additions)
                                                        : schema_.change(change->op, next, additions)))
                return false;
        return true;
    }
    [[gnu::always_inline]] bool change_count(const Change& change, Word* next, Additions& additions) const {
        next[change.word] -= change.removed;
        if (!change.mask) return true;
        const Word count = (next[change.word] >> change.shift) & change.mask;
        if (count + change.op.count > change.mask) return schema_.change(change.op, next, additions);
        next[change.word] += Word{change.op.count} << change.shift;
        return true;
    }
    [[gnu::always_inline]] bool change_members(const Change& change, Word* next, Additions& additions) const {
        const Word left = next[change.word] & ~change.removed;
        if (left & change.mask) return schema_.repeat_members(change.word, left & change.mask, additions);
        next[change.word] = left | change.mask;
        return true;
    }
    [[gnu::always_inline]] bool change_slots(const Change& change, Word* next, Additions& additions) const {
        const Op& op = change.op;
        const int bits = change.bits;
        const Word one = (Word{1} << bits) - 1;
        Word raw = (next[change.word] >> change.shift) & change.mask;
        int at = 0;
        if (op.what == Op::Do::remove) {  // it is there: somebody has looked
            while (((raw >> at) & one) != op.id) at += bits;
            raw = (raw & ((Word{1} << at) - 1)) | ((raw >> (at + bits)) << at);
        } else if (op.what == Op::Do::get) {
            raw >>= bits;
        } else if (op.what == Op::Do::clear) {
            raw = 0;
        } else if (op.count != 1 || raw >> change.last) {
            return schema_.change(op, next, additions);  // full, or many at once
        } else if (op.what == Op::Do::add) {             // slots are descending: before the first that is not larger
            while (((raw >> at) & one) > op.id) at += bits;
            raw = (raw & ((Word{1} << at) - 1)) | (Word{op.id} << at) | ((raw >> at) << (at + bits));
        } else {
            while ((raw >> at) & one) at += bits;
            raw |= Word{op.id} << at;
        }
        next[change.word] = (next[change.word] & ~(change.mask << change.shift)) | (raw << change.shift);
        return true;
    }

    struct Recorded {
        std::uint32_t first_op, ops;
    };
    const Schema& schema_;
    std::vector<Outcome> all_;
    std::vector<Recorded> recorded_;  // per outcome
    std::vector<Op> ops_;
    std::vector<Change> changes_;
    std::vector<WordSet> sets_;
};

}  // namespace sweep
