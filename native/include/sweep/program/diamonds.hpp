#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "sweep/program/counting.hpp"
#include "sweep/program/outcomes.hpp"
#include "sweep/program/sum_map.hpp"

namespace sweep {

/// How a state was found: by what kind of step, with which tokens, and whether it was the last that was found from there.
using Finder = std::uint16_t;
constexpr Finder no_finder = ~Finder{0};

/// A token of a bag.
struct Token {
    static constexpr std::uint32_t nowhere = ~1u;  // other than the bag of an outcome which takes nothing out

    std::uint32_t bag = nowhere;
    Id id = 0;
    auto operator<=>(const Token&) const = default;
};

/// By how much the sizes of some bags differ, which are known by their positions: one of them has a token more, one has a token fewer,
/// or both.
class SizeShift {
public:
    static constexpr std::size_t most_bags = 7;

    SizeShift() = default;
    SizeShift(std::size_t more, std::size_t fewer) : more_(more), fewer_(fewer) {}
    void add(std::size_t bag, std::int64_t tokens) {
        if (tokens == 1 && more_ == none)
            more_ = bag;
        else if (tokens == -1 && fewer_ == none)
            fewer_ = bag;
        else
            far_ |= tokens != 0;
    }
    SizeShift back() const {
        SizeShift other(fewer_, more_);
        other.far_ = far_;
        return other;
    }
    std::int64_t of(std::size_t bag) const { return (bag == more_) - (bag == fewer_); }
    /// Its bit in a set of them.
    Word bit() const { return Word{1} << (more_ * (most_bags + 1) + fewer_); }
    bool is_in(Word set) const { return !far_ && set & bit(); }
    /// The set of none but the one that leaves all sizes as they are.
    static Word no_other() { return SizeShift().bit(); }

    static constexpr std::size_t none = most_bags;

private:
    std::size_t more_ = none, fewer_ = none;
    bool far_ = false;  // it is another, of which nothing is known
};

/// Which steps from a state close a diamond: those of these kinds, unless the first thing they do is to take one of two tokens out.
struct Closing {
    std::uint32_t after = 0;      // what the set of kinds is known by; 0: there is none
    const Word* kinds = nullptr;  // a bit for each
    Token came, taken;

    /// `token`: what was taken last, if anything was.
    [[gnu::always_inline]] bool covers(const Outcome& outcome, Id token) const {
        if (!kinds || !(kinds[outcome.kind / 64] >> (outcome.kind % 64) & 1)) return false;
        return !outcome.takes_out(came.bag, came.id, token) && !outcome.takes_out(taken.bag, taken.id, token);
    }
};

/// Two steps of which neither touches what the other looks at can be taken in any order, and both orders lead to the same state: a
/// diamond. Say `found` was found by a, from `below`, and b leads from `below` to `beside`. If `beside` is expanded before `found`, then
/// the state where b leads from `found` is known by the time when that is expanded: a leads there from `beside`. So b, which closes the
/// diamond, need not be looked up. It may be that a was not looked up from `beside` either; but then for the same reason, by states that
/// were expanded earlier still.
///
/// `beside` is expanded before `found` where its progress is not higher, and it was known before. It was if b comes before a in the order
/// of actions, since states are found in that order; and also if `found` was the last state that was found from `below`, unless a and b
/// lead to the same state.
///
/// What a step asks about the size of a bag it may be told in other words in the other order, as long as it does the same after that:
/// `len(bag) < 3` is true of all smaller bags. Which sizes these are is found in what its action is known to do.
///
/// An edge that closes a diamond is never the first to its state. It counts as all others do; numbers of states and traces are the same.
class Diamonds {
public:
    /// How far an outcome takes progress, as the difference of its sums; nothing where that is not known. Null where all states have
    /// the same progress.
    std::function<std::optional<Sums>(std::uint32_t)> climb;

    /// Learn from now on.
    void begin(std::size_t variables);
    bool used() const { return used_; }
    /// An action had an outcome after it was told this. What it is known by goes into the outcome.
    void learn(Outcomes& outcomes, std::uint32_t outcome, std::uint32_t action, const std::vector<Event>& path, const Trie& table);
    /// The same for a transition that counts.
    void learn(Outcomes& outcomes, std::uint32_t outcome, const CountTransition& transition);
    /// An outcome is that of all steps which differ in nothing but the token that they took, and take out first.
    void take_any(std::uint32_t outcome) {
        Finder& finder = finder_of_[outcome];
        if (finder == no_finder) return;
        const Likeness& like = kinds_[finders_[finder].kind].like;
        if (like.came == Token::nowhere && like.taken != Token::nowhere) finder |= by_taken;
    }
    /// One of them took this token.
    void learn(std::uint32_t outcome, Id taken) {
        const Finder finder = finder_of_[outcome];
        if (finder != no_finder && finder & by_taken) finder_of(finders_[finder & ~by_taken].kind, taken);
    }
    /// Nothing is to be known of an outcome, which will be forgotten again.
    void pass_over(std::uint32_t outcome) {
        if (outcome < finder_of_.size()) finder_of_[outcome] = no_finder;
    }
    /// The measure looks at more than before: outcomes may take progress further.
    void reconsider(Outcomes& outcomes);

    /// `taken`: the token, if one was; `last`: of the states that are found from one.
    Finder finder(std::uint32_t outcome, Id taken, bool last) const {
        Finder found = outcome < finder_of_.size() ? finder_of_[outcome] : no_finder;
        if (found & by_taken && found != no_finder) {
            const std::vector<Finder>& finders = kinds_[finders_[found & ~by_taken].kind].finders;
            found = taken < finders.size() ? finders[taken] : no_finder;
        }
        return found == no_finder || !last ? found : found | as_last;
    }
    /// Valid until more is learnt.
    Closing after(Finder finder) const {
        if (finder == no_finder) return {};
        const Found& found = finders_[finder & ~as_last];
        const bool last = finder & as_last;
        const Kind& kind = kinds_[found.kind];
        if (!kind.any[last]) return {};
        return {2u * found.kind + last,
                kind.closing[last].data(),
                {kind.like.came, found.token},
                {last ? kind.like.taken : Token::nowhere, found.token}};
    }
    /// Whether steps of a kind are in a set, by what that is known by.
    bool closes(std::uint32_t after, std::uint16_t step) const {
        return kinds_[after / 2].closing[after % 2][step / 64] >> (step % 64) & 1;
    }
    std::size_t bytes() const;

private:
    static constexpr std::size_t most_kinds = 4096;
    static constexpr Finder as_last = 1 << 15;
    static constexpr Finder by_taken = as_last;  // of an outcome, which may be the last: its finder is that of the token taken

    /// What a step does to a variable, or asks about it.
    enum How : std::uint16_t {
        reads = 1,     // in any way but by what follows
        takes = 2,     // a token of a bag, which is removed
        counts = 4,    // that there are so many tokens, all alike, which are removed
        holds = 8,     // likewise, which are not removed, or not all of them
        adds = 16,     // to a number or a bag, whatever is there
        removes = 32,  // from a bag
        writes = 64,   // in any way but by the two before
        surely = 128,  // and then it is another than before
        sizes = 256,   // asks how many tokens there are
        changes = adds | removes | writes
    };
    struct Access {
        std::uint32_t field;
        std::uint16_t how;
        std::int64_t tokens = 0;  // so many more than before, of a bag where that is known
        auto operator<=>(const Access&) const = default;
    };
    /// What steps are alike by: they touch the same in the same way.
    struct Likeness {
        std::uint32_t action = 0;
        std::uint32_t came = Token::nowhere;   // the bag that a token comes to, if it is one token
        std::uint32_t taken = Token::nowhere;  // the bag that a token is taken from, if nothing else is changed for sure
        bool climb_known = true;               // else it closes nothing, and what it found is as high as what it was found from, or higher
        Sums climb{};
        Word fits = SizeShift::no_other();  // the differences in size after which it does the same, of the bags whose sizes it asks for
        std::vector<Access> accesses;       // in the order of variables
        auto operator<=>(const Likeness&) const = default;
    };
    struct Kind {
        Likeness like;
        /// A bit for each kind: its steps close diamonds, from states that this one found; and from those that it found last.
        std::array<std::vector<Word>, 2> closing;
        std::array<bool, 2> any{};    // some bit is set
        std::vector<Finder> finders;  // by the token that came, or was taken; where there is none, the first
    };
    struct Found {
        std::uint16_t kind;
        Id token;  // that came, or was taken
    };
    struct Toucher {
        std::uint16_t kind;
        Access access;
    };
    /// What is known of two kinds of steps, the new one and another.
    struct Relation {
        bool new_first_matters = false, new_later_matters = false;  // the order of the two
        bool both_change = false;                                   // some variable
        std::uint32_t covered = 0, covers = 0;  // variables that one of them changes for sure, the new or the other, and both change
        bool both_take = false;                 // tokens from one bag, and bring none there
        SizeShift by_new, by_other;             // what one of them does to sizes that the other asks for
    };
    /// An outcome of the same action that does the same where sizes are others.
    struct Twin {
        std::uint32_t outcome;
        SizeShift shift;  // from there
    };

    void begin_step(std::uint32_t action);
    void touch(std::uint32_t field, std::uint16_t how, std::int64_t tokens = 0);
    void ask_sizes(const std::vector<Event>& path);
    bool is_changed(std::uint32_t field) const;
    void touch_by(const Op& op, const Token& taken, bool several);
    void find_twins(const Outcomes& outcomes, std::uint32_t outcome, const std::vector<Event>& path, const Trie& table);
    void note_twins(Outcomes& outcomes);
    void note(Outcomes& outcomes, std::uint32_t outcome, Token came, Token taken);
    void note_again(Outcomes& outcomes, std::uint32_t outcome);
    std::uint16_t kind_at_hand();
    std::uint16_t add_kind();
    Finder finder_of(std::uint16_t kind, Id token);
    static bool interfere(std::uint16_t step, std::uint16_t before);
    static std::vector<std::uint32_t> sized_by(const Likeness& like);
    static std::size_t position(const Likeness& like, std::uint32_t bag);
    static std::size_t count_sure(const Likeness& like);
    void relate(std::uint16_t before, std::uint16_t step, bool differ);

    bool used_ = false;
    std::vector<Kind> kinds_;  // the first stands for all that nothing is known of
    std::map<Likeness, std::uint16_t> known_;
    std::vector<std::uint16_t> latest_;           // per action: the kind of its last step
    std::vector<std::vector<Toucher>> touchers_;  // per variable
    std::vector<Found> finders_;
    std::vector<Finder> finder_of_;     // per outcome
    Likeness like_;                     // of the step at hand
    std::vector<std::uint32_t> sized_;  // the bags whose sizes it asks for, in order
    std::vector<Twin> twins_;           // and where its action does the same
};

}  // namespace sweep
