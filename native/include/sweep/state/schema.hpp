#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "sweep/program/trie.hpp"
#include "sweep/state/contents.hpp"
#include "sweep/state/layout.hpp"

namespace sweep {

/// A bag counts its tokens in 32 bits, all of them together.
constexpr std::uint64_t most_tokens = 0xFFFFFFFF;
struct TooManyTokens : std::length_error {
    explicit TooManyTokens(std::uint32_t bag) : std::length_error("too many tokens in a bag"), field(bag) {}
    std::uint32_t field;
};

enum class Kind : std::uint8_t { scalar, bag, queue };

/// The tokens of a timed bag taken apart: of what kind a token is, and how long until it is ready (0 or less: it is).
class Stamps {
public:
    void add(Id kind, std::int64_t wait) {  // of the next token
        kinds_.push_back(kind);
        waits_.push_back(wait);
        if (kind >= tokens_.size()) tokens_.resize(kind + 1);
        tokens_[kind].emplace(wait, static_cast<Id>(kinds_.size() - 1));
    }
    Id kind(Id token) const { return kinds_[token]; }
    std::int64_t wait(Id token) const { return waits_[token]; }
    /// The token of a kind with a stamp; 0 when nobody has met it.
    Id find(Id kind, std::int64_t wait) const {
        const auto found = tokens_[kind].find(wait);
        return found == tokens_[kind].end() ? 0 : found->second;
    }

private:
    std::vector<Id> kinds_{0};
    std::vector<std::int64_t> waits_{0};
    std::vector<std::unordered_map<std::int64_t, Id>> tokens_;  // by kind
};

/// One variable (or array element) as the engine knows it: how large it has grown, and the contents it interned.
struct Variable {
    Kind kind = Kind::scalar;
    std::uint64_t values = 1;  // ids handed out; for bags and queues "no token" counts
    int slots = 1;             // bags and queues: tokens to hold inside the state
    Form form = Form::slots;   // bags and queues
    bool repeated = false;     // bags: some token has been there twice
    Contents contents;         // by number: contents interned in states, or met by actions that looked at all of it
    bool timed = false;        // bags: tokens have stamps; actions take kinds of tokens that are ready
    Stamps stamps;
};

/// What an action does to a state, in order.
struct Op {
    enum class Do : std::uint8_t { set, add, remove, clear, put, get };
    Do what;
    std::uint32_t field = 0;
    Id id = 0;
    std::uint32_t count = 1;
    bool observed = false;  // set: the action had looked at the old value, so the difference is always the same
};

/// A state taken apart: scalars as one id, bags as pairs of token and count (descending), queues as their elements.
using Unpacked = std::vector<std::vector<Id>>;

/// A masked assignment to one word of a state.
struct WordSet {
    std::uint32_t word = 0;
    Word keep = ~Word{0}, bits = 0;
};

/// An operation on a bag or queue, with the place of its slots where they lie in one piece of the state.
struct Change {
    Op op;
    std::uint16_t word = 0;
    std::uint8_t shift = 0, bits = 0;  // bits 0: in pieces, a set, or interned
    bool members = false;              // of sets: the bits in `removed` go, then those in `mask` come
    std::uint8_t last = 0;             // where the last slot begins: it is free unless the bag is full
    Word mask = 0;                     // of all slots together
    Word removed = 0;
};

/// The outcome of an action: operations, and what they come to in the present layout.
struct alignas(64) Leaf {                           // one line of the cache
    WordSet set;                                    // scalars: most outcomes touch one word
    std::uint32_t removed_from = ~0u, removed = 0;  // the first thing it does to a bag, if that is taking a token out
    std::uint32_t first_set = 0, sets = 0;          // scalars in further words
    std::uint32_t first_change = 0, changes = 0;    // bags and queues
    bool moves_progress = true;                     // whether it changes a variable that the measure has ever looked at
    bool moves_evenly = false;                      // whether its progress depends on its parent's alone: then kept here
    std::uint32_t from = ~0u, to = ~0u;
};

/// Variables, their layout, and the outcomes of actions compiled for that layout.
class Model {
public:
    std::vector<Variable> variables;
    Layout layout;
    std::vector<Leaf> leaves;
    std::vector<std::uint8_t> watched;  // per variable: the progress measure looks at it
    std::vector<std::uint32_t> timed;   // the timed bags; empty in a model without time
    std::uint32_t clock = 0;            // in a model with time: the variable that holds it
    bool even_measure = false;          // the measure is a sum: equal differences move all states of a layer alike

    /// Make a layout for the variables as they are now.
    void lay_out() { layout = Layout::pack(extents()); }
    std::vector<Extent> extents() const;

    std::uint64_t width = 0;  // grows with every bit that the values of some variable need

    /// Whether the layout still has room for every value, and for bags of the slots asked for.
    bool fits() const { return pending_.empty(); }
    /// A variable has so many values now.
    void set_values(std::size_t variable, std::uint64_t values);
    /// A variable has got more values, or a bag needs more slots, than there were.
    void ask_values(std::size_t variable, std::uint64_t values);
    void ask_slots(std::size_t variable, int slots);
    /// Whether `grow` has to know what is stored: then every stored state is shown to `inspect` before.
    bool must_inspect() const;
    void inspect(const Word* state);
    /// Give what was asked for. True when that was possible in place, so that stored states stay right as they are;
    /// else a new layout has to be made and every stored state rewritten.
    bool grow(bool prefer_in_place);

    std::uint32_t add_leaf(const std::vector<Op>& ops, const std::vector<Event>& path);
    void compile_leaves();
    void compile(std::uint32_t leaf);
    /// The variables that an outcome changes, with repetition.
    template <class Visit>
    void each_changed(std::uint32_t leaf, Visit&& visit) const {
        const Recorded& recorded = recorded_[leaf];
        for (std::uint32_t i = 0; i < recorded.ops; ++i) visit(ops_[recorded.first_op + i].field);
    }

    /// Whether these operations are those of an outcome.
    bool recorded_as(std::uint32_t leaf, const std::vector<Op>& ops) const;

    /// The successor: `next` holds a copy of the state. False when a bag or its contents outgrew the layout: then
    /// `fits()` is false as well, and the state has to be expanded again after `grow`.
    [[gnu::always_inline]] bool apply(const Leaf& leaf, Word* next, std::uint32_t first_change = 0) {
        next[leaf.set.word] = (next[leaf.set.word] & leaf.set.keep) | leaf.set.bits;
        return (leaf.sets | leaf.changes) == 0 || apply_rest(leaf, next, first_change);
    }

    void pack(const Unpacked& unpacked, Word* state);
    Unpacked unpack(const Word* state) const;
    /// Intern the contents of bags and queues that have just outgrown their states; before the new layout is made.
    void absorb(const Layout& from, const std::vector<Form>& were, const Word* old);
    /// Rewrite a state from another layout into the present one.
    void transfer(const Layout& from, const std::vector<Form>& were, const Word* old, Word* state);
    std::vector<Form> forms() const;

    /// The answer of a state to a question about a bag or queue.
    std::uint32_t answer(const Trie::Node& node, const Word* state);
    std::uint32_t size_of(std::uint32_t field, const Word* state) const;
    std::uint32_t count_of(std::uint32_t field, Id token, const Word* state) const;
    std::uint32_t element_of(std::uint32_t field, std::uint32_t position, const Word* state) const;
    void contents_of(std::uint32_t field, const Word* state, std::vector<Id>& sequence) const;
    Id whole_of(std::uint32_t field, const Word* state);

    /// The tokens of a bag; and what can be taken from it: the same, or the kinds of token of a timed bag that are ready.
    void tokens_of(std::uint32_t bag, const Word* state, TokenCounts& held) const;
    void available(std::uint32_t bag, const Word* state, TokenCounts& held) const;
    /// How long until the next token of a timed bag becomes ready.
    std::optional<std::int64_t> next_ready(const Word* state) const;
    /// Give a bag other contents. False when it outgrew the layout, as with `apply`.
    bool replace(std::uint32_t bag, const std::vector<std::pair<Id, Id>>& held, Word* state);

    std::size_t bytes() const;
    void forget_leaves() { forget_leaves_from(0); }
    void forget_leaves_from(std::size_t first);

private:
    [[gnu::always_inline]] bool apply_rest(const Leaf& leaf, Word* next, std::uint32_t first) {
        const WordSet* set = sets_.data() + leaf.first_set;
        for (std::uint32_t i = 0; i < leaf.sets; ++i) next[set[i].word] = (next[set[i].word] & set[i].keep) | set[i].bits;
        const Change* change = changes_.data() + leaf.first_change;
        const Change* end = change + leaf.changes;
        for (change += first; change != end; ++change)
            if (!(change->bits      ? change_slots(*change, next)
                  : change->members ? change_members(*change, next)
                                    : change_pieces(change->op, next)))
                return false;
        return true;
    }
    [[gnu::always_inline]] bool change_members(const Change& change, Word* next) {
        const Word left = next[change.word] & ~change.removed;
        if (left & change.mask) return repeat_members(change.word, left & change.mask);
        next[change.word] = left | change.mask;
        return true;
    }
    [[gnu::always_inline]] bool change_slots(const Change& change, Word* next) {
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
            return change_pieces(op, next);   // full, or many at once
        } else if (op.what == Op::Do::add) {  // slots are descending: before the first that is not larger
            while (((raw >> at) & one) > op.id) at += bits;
            raw = (raw & ((Word{1} << at) - 1)) | (Word{op.id} << at) | ((raw >> at) << (at + bits));
        } else {
            while ((raw >> at) & one) at += bits;
            raw |= Word{op.id} << at;
        }
        next[change.word] = (next[change.word] & ~(change.mask << change.shift)) | (raw << change.shift);
        return true;
    }
    bool change_pieces(const Op& op, Word* next);
    bool change_set(const Op& op, Word* next);
    bool repeat_members(std::uint16_t word, Word there);
    bool change_interned(const Op& op, Word* next);
    void ask(std::size_t variable, std::uint64_t values, int slots);
    Id youngest_ready(std::uint32_t bag, Id kind, const Word* state) const;

    struct Pending {
        std::size_t variable;
        std::uint64_t values;
        int slots;
    };
    std::vector<Pending> pending_;  // one for each variable that has outgrown its field
    struct Recorded {
        std::uint32_t first_op, ops;
    };
    std::vector<Recorded> recorded_;  // per leaf
    std::vector<Op> ops_;
    std::vector<Change> changes_;
    std::vector<WordSet> sets_;
    std::vector<Id> scratch_;
};

}  // namespace sweep
