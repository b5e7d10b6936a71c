#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/program/diamonds.hpp"
#include "sweep/program/resolver.hpp"
#include "sweep/state/hash.hpp"

namespace sweep {

constexpr std::uint32_t block_size = 64;  // parents expanded before their successors are looked up

using Place = std::uint32_t;               // where progress puts a state: a layer
constexpr Place no_place = ~Place{0};      // not known yet
constexpr std::uint32_t no_outcome = ~0u;  // of successors that no single outcome led to
constexpr std::uint64_t no_parent = ~std::uint64_t{0};

/// States to process together: entries of `stride` words, a state and, if there is room, its number.
struct Batch {
    const Word* states = nullptr;
    std::uint32_t count = 0;
    std::size_t stride = 1;
    Place place = 0;
    bool numbered = false;
    Aim aim = {};                     // of successors that stay in their place
    const Finder* finders = nullptr;  // how each was found, where that is kept

    bool empty() const { return count == 0; }
    const Word* state(std::uint32_t parent) const { return states + stride * parent; }
    std::uint64_t number(std::uint32_t parent) const { return numbered ? state(parent)[stride - 1] : 0; }
};

/// Some states of a batch that come one after the other; the last is behind them.
struct Parents {
    std::uint32_t first, last;
};

/// Where a successor lies as seen from its parent.
enum class Turn : std::uint8_t { ahead, elsewhere, back };

/// What becomes of a state that was looked up: it is known; it is found now; it is found now, by a step back, and kept as a root of
/// the next sweep; or it will be found later, when its turn comes.
enum class Fate : std::uint8_t { known, fresh, root, later };

/// The successors of a batch, parent by parent; what did not fit or is not known yet lies beside them.
class alignas(128) Block {
public:
    struct Parent {
        std::uint32_t begin = 0, end = 0;          // its successors among the candidates
        std::uint32_t closing = 0, closed_by = 0;  // and those that close diamonds, which are none: from one on, before another

        std::uint32_t edges() const { return end - begin + closed_by - closing; }
    };
    struct Candidate {
        Word hash;
        Place place;
        std::uint32_t outcome, action, ordinal;  // which outcome led here: the how-manieth of which action
        Id taken = 0;                            // the last token that was taken for it
    };
    struct Fresh {
        std::uint32_t candidate;
        std::uint64_t number;
        std::uint32_t parent = 0;
        bool passed = false;  // nobody has to be shown it
    };
    struct New {
        std::uint32_t candidate;
        Fate fate;
    };

    Place place = 0;  // of all parents
    Aim aim;
    Finder finder = no_finder;  // how the parent at work was found,
    Closing closing;            // and so which of its edges need not be looked up
    bool placed = false;        // all candidates have their places
    std::uint32_t passes = 0;   // that are done
    std::uint32_t moved = 0;    // candidates that have become the states which stand for their classes
    bool outgrown = false;      // the layout was too small for some of what was expanded ahead
    bool unmet = false;         // some late parents lead to contents that nobody has met
    std::vector<Parent> parents;
    std::vector<Candidate> found;  // the first `candidates` of them
    std::uint32_t candidates = 0;
    static constexpr std::uint32_t usual_room = 4096, little_room = 512;  // for candidates, once there are some
    std::uint32_t least_room = usual_room;
    std::vector<std::uint32_t> closers;  // the actions of edges that close diamonds: the first `closed` of them
    std::uint32_t closed = 0;
    std::vector<Turn> turns;                // per candidate, where progress is a key
    std::vector<Miss> misses;               // in the order of parents
    std::vector<std::uint32_t> late;        // parents that have some
    std::vector<Fresh> fresh;               // candidates that were found for the first time, where somebody asks
    std::vector<std::uint32_t> dead;        // parents without successors
    std::vector<std::uint8_t> outside;      // per parent: it is not explored; empty where there is no bound
    std::vector<std::uint8_t> led_outside;  // per candidate: it does not satisfy a constraint; empty where there is none
    std::vector<std::uint8_t> cut_short;    // per parent: it has successors, none of which is followed; empty where all are
    /// Several workers: a candidate that was not stored when the round began, and may be the first that is its state. That lies behind it.
    struct Unknown {
        Word first;  // of those that are this state, where it has the slot: the least order
        Word* slot;  // null where another one has it
        Unknown* holder;
        std::uint32_t candidate, parent;
    };
    std::vector<Word> unknown;  // room for all of them; others may look at them while some are added
    std::uint32_t unknowns = 0;
    bool claims = false;  // some slots
    struct ActionEdges {
        std::uint32_t action, edges;
    };
    std::vector<ActionEdges> action_edges;  // how many edges each action has, where whoever made the successors has counted them
    bool counted_by_action = false;
    bool counted = false;             // its edges are, and its candidates looked up as far as they are before the round ends
    std::vector<std::uint8_t> marks;  // room for a mark for each candidate
    Unknown& unknown_at(std::uint32_t u) { return *reinterpret_cast<Unknown*>(unknown.data() + u * unknown_words()); }
    std::size_t unknown_words() const { return sizeof(Unknown) / sizeof(Word) + static_cast<std::size_t>(width_); }
    std::vector<Word> made;              // per candidate: the state as it was made, where another one stands for it and somebody asks
    std::vector<New> news;               // room for the new ones among the successors of a parent
    std::vector<Word*> starts;           // per candidate: where it is looked up
    std::vector<std::uint32_t> pending;  // room for candidates that are not known at first sight

    void begin(const Batch& batch, int words) {
        clear(words);
        place = batch.place;
        aim = batch.aim;
        placed = unmet = claims = counted = outgrown = counted_by_action = false;
        unknowns = 0;
        parents.resize(batch.count);
        passes = moved = 0;
        misses.clear();
        cut_short.clear();
        late.clear();
    }

    /// Slots that are claimed, and not settled, are free again.
    void withdraw() {
        for (std::uint32_t u = 0; claims && u < unknowns; ++u)
            if (unknown_at(u).slot) *unknown_at(u).slot = 0;
        claims = counted = false;
    }

    /// A candidate's state. K is its width when that is known at compile time, else 0.
    template <int K = 0>
    const Word* state(std::uint32_t candidate) const {
        return words_.data() + static_cast<std::size_t>(K ? K : width_) * candidate;
    }
    template <int K = 0>
    Word* state(std::uint32_t candidate) {
        return words_.data() + static_cast<std::size_t>(K ? K : width_) * candidate;
    }
    /// The state that a step really leads to.
    const Word* made_state(std::uint32_t candidate) const {
        return made.empty() ? state(candidate) : made.data() + static_cast<std::size_t>(width_) * candidate;
    }
    /// An edge closes a diamond.
    void close(std::uint32_t action) {
        *make_room_to_close(1) = action;
        ++closed;
    }
    /// Where so many of them may be written.
    [[gnu::always_inline]] std::uint32_t* make_room_to_close(std::uint32_t more) {
        if (closed + more > closers.size()) [[unlikely]]
            grow_closers(more);
        return closers.data() + closed;
    }
    /// Visit the actions of a parent's edges.
    template <class Visit>
    void each_action(std::uint32_t parent, Visit&& visit) const {
        const Parent& range = parents[parent];
        for (std::uint32_t c = range.begin; c < range.end; ++c) visit(found[c].action);
        for (std::uint32_t c = range.closing; c < range.closed_by; ++c) visit(closers[c]);
    }
    /// Room for so many more candidates.
    void make_room(std::uint32_t more) {
        if (candidates + more > room_) [[unlikely]]
            grow(more);
    }
    /// Put a candidate in the place of another one.
    void move_candidate(std::uint32_t from, std::uint32_t to) {
        if (from == to) return;
        found[to] = found[from];
        std::copy_n(state(from), width_, state(to));
    }
    /// Have the candidates of another block instead, which gets these.
    void exchange_candidates(Block& other) {
        std::swap(words_, other.words_);
        std::swap(found, other.found);
        std::swap(made, other.made);
        std::swap(candidates, other.candidates);
        std::swap(room_, other.room_);
    }
    /// Without candidates, for states of so many words.
    void clear(int words) {
        if (words != width_) room_ = 0;
        width_ = words;
        candidates = closed = 0;
        made.clear();
    }
    /// Whether what was missing may be in tables by now. What is kept nowhere, or was not met before, is not there the next time either.
    bool may_be_known() const {
        return !unmet && std::none_of(misses.begin(), misses.end(), [](const Miss& miss) { return miss.direct != nullptr; });
    }
    /// The number of a candidate's edge, by which traces find it again.
    static std::uint64_t edge(const Candidate& one, std::size_t actions) { return one.action + std::uint64_t{one.ordinal} * actions; }
    bool is_cut_short(std::uint32_t parent) const { return !cut_short.empty() && cut_short[parent]; }
    bool is_outside(std::uint32_t parent) const { return !outside.empty() && outside[parent]; }
    /// Of the first parents: how many are not explored, and how many of their edges lead to states that do not satisfy a constraint.
    std::uint64_t count_outside(std::uint32_t first) const { return count(outside, 0, outside.empty() ? 0 : first); }
    std::uint64_t count_led_outside(std::uint32_t from, std::uint32_t to) const {
        std::uint64_t total = 0;
        for (std::uint32_t p = from; p < to && !led_outside.empty(); ++p) total += count(led_outside, parents[p].begin, parents[p].end);
        return total;
    }
    std::uint32_t parent_of(std::uint32_t candidate) const {
        std::uint32_t p = 0;
        while (candidate < parents[p].begin || candidate >= parents[p].end) ++p;
        return p;
    }

    std::uint64_t bytes() const {
        return words_.capacity() * sizeof(Word) + found.capacity() * sizeof(Candidate) + news.capacity() * sizeof(New) +
               fresh.capacity() * sizeof(Fresh) + unknown.capacity() * sizeof(Word) + marks.capacity() + starts.capacity() * sizeof(Word*) +
               (pending.capacity() + closers.capacity()) * sizeof(std::uint32_t) + made.capacity() * sizeof(Word);
    }

private:
    static std::uint64_t count(const std::vector<std::uint8_t>& marks, std::uint32_t from, std::uint32_t to) {
        std::uint64_t total = 0;
        for (std::uint32_t i = from; i < to; ++i) total += marks[i];
        return total;
    }
    [[gnu::noinline]] void grow_closers(std::uint32_t more) { closers.resize(std::max<std::size_t>(usual_room, 2 * (closed + more))); }
    void grow(std::uint32_t more) {
        room_ = std::max<std::uint32_t>(least_room, (candidates + more) * 2);
        found.resize(room_);
        words_.resize(static_cast<std::size_t>(room_) * static_cast<std::size_t>(width_));
    }

    std::vector<Word> words_;
    int width_ = 0;
    std::uint32_t room_ = 0;
};

}  // namespace sweep
