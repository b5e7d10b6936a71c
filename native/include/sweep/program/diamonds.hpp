#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
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

/// Which steps from a state close a diamond: those of some kinds, whatever they take; and of others if what they take comes before or
/// behind what was taken, when the state was found, from the same bag. But never a step that takes the token which came then.
struct Closing {
    std::uint32_t after = 0;         // what the sets of kinds are known by; 0: there are none
    const Word* kinds = nullptr;     // a bit for each that closes whatever it takes
    const Word* by_token = nullptr;  // a word of those that close with a larger token, one of those that do with a smaller, and so on
    Token came;
    Id taken = 0;

    /// `token`: what was taken last, if anything was.
    [[gnu::always_inline]] bool covers(const Outcome& outcome, Id token) const {
        if (!kinds) return false;
        const auto has = [&](Word word) { return word >> (outcome.kind % 64) & 1; };
        if (has(kinds[outcome.kind / 64])) return !outcome.takes_out(came.bag, came.id, token);
        if (!by_token) return false;
        const Id removed = outcome.takes_any ? token : outcome.removed;
        return has(by_token[outcome.kind / 64 * 2 + (removed < taken)]) && removed != taken && !outcome.takes_out(came.bag, came.id, token);
    }
};

/// Two steps of which neither touches what the other looks at can be taken in any order, and both orders lead to the same state: a
/// diamond. Say `found` was found by a, from `below`, and b leads from `below` to `beside`. If `beside` is expanded before `found`, then
/// the state where b leads from `found` is known by the time when that is expanded: a leads there from `beside`. So b, which closes the
/// diamond, need not be looked up. It may be that a was not looked up from `beside` either; but then for the same reason, by states that
/// were expanded earlier still.
///
/// `beside` is expanded before `found` where its progress is not higher, and it was known before. It was if b comes before a in the order
/// of edges, since states are found in that order: by action, then by what is chosen first, of tokens the largest; and also if `found` was
/// the last state that was found from `below`, unless a and b lead to the same state. Where progress is a key of several parts it is if the
/// parts that b may change all come behind one that a changes for sure.
///
/// What a step does to a bag is known of all tokens together where it takes any of them or brings one, since then its finder knows which;
/// else of each token, so that steps are of one kind only if it is the same.
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
    /// Whether it is told by parts instead, which are known by bits: the first number has those that it may change; the second, those that
    /// it changes for sure. A higher bit stands for a part that comes before others when states are put in order.
    bool climbs_by_parts = false;

    /// Learn from now on.
    void begin(std::size_t variables);
    bool used() const { return used_; }
    /// An action had an outcome after it was told this. What it is known by goes into the outcome.
    void learn(Outcomes& outcomes, std::uint32_t outcome, std::uint32_t action, const std::vector<Event>& path, const Trie& table);
    /// The same for a transition that counts.
    void learn(Outcomes& outcomes, std::uint32_t outcome, const CountTransition& transition);
    /// An outcome may be that of all steps which differ in nothing but the token that they took, and take out first: unless what is known
    /// of it is known of that token.
    bool take_any(const Outcomes& outcomes, std::uint32_t outcome);
    /// One of them took this token.
    void learn(std::uint32_t outcome, Id taken);
    /// Nothing is to be known of an outcome, which will be forgotten again.
    void pass_over(std::uint32_t outcome) {
        if (outcome < finder_of_.size()) finder_of_[outcome] = no_finder;
    }
    /// Tables are others: what their questions about sums and folds are known by may be something else now.
    void forget_lessons() { lessons_.clear(); }
    /// The measure looks at more than before: outcomes may take progress further.
    void reconsider(Outcomes& outcomes);

    /// `taken`: the token, if one was; `last`: of the states that are found from one.
    [[gnu::always_inline]] Finder finder(std::uint32_t outcome, Id taken, bool last) const {
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
        const std::uint32_t after = 2u * found.kind + (finder & as_last ? 1 : 0);
        const Brief& kind = briefs_[found.kind];
        if (!kind.any[after % 2]) return {};
        const Word* const by_token = found.taken && kind.by_token[after % 2] ? kinds_[found.kind].by_token[after % 2].data() : nullptr;
        return {after, closing_.data() + after * stride_, by_token, {kind.came, found.came}, found.taken};
    }
    /// Whether steps of a kind are in a set, by what that is known by, whatever they take.
    bool closes(std::uint32_t after, std::uint16_t step) const { return closing_[after * stride_ + step / 64] >> (step % 64) & 1; }
    std::size_t bytes() const;

private:
    static constexpr std::size_t most_kinds = 4096;
    static constexpr std::size_t most_by_token = 1024;  // kinds, when there are so many no more are made that differ in a token
    static constexpr std::uint32_t patience = 4096;     // outcomes after which nothing more is learnt if no two kinds close anything
    static constexpr Finder as_last = 1 << 15;
    static constexpr Finder by_taken = as_last;  // of an outcome, which may be the last: its finder is that of the token taken

    /// What a step does to a variable or a token, or asks about it.
    enum How : std::uint16_t {
        reads = 1,     // in any way but by what follows
        takes = 2,     // any token of a bag, which is removed
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
        static constexpr Id any = 0;

        std::uint32_t field;
        Id token;  // of a bag; or any: all of the variable
        std::uint16_t how;
        std::int64_t tokens = 0;  // so many more than before, of a bag, where it is not written
        auto operator<=>(const Access&) const = default;

        bool meets(const Access& other) const { return token == other.token || token == any || other.token == any; }
        /// Whether all of a variable is read or written, and that is all there is to know.
        bool plain() const { return token == any && !(how & ~(reads | writes | surely)); }
    };
    /// What a step does with one token of a bag.
    struct Use {
        Token token;
        std::uint32_t needed = 0, removed = 0, added = 0;  // how many of it
        bool looks = false, settles = false;               // how many there are; whether it is there from now on

        std::uint16_t how() const;
        std::int64_t more() const { return std::int64_t{added} - std::int64_t{removed}; }
        bool only_comes() const { return added == 1 && !needed && !removed && !looks && !settles; }
        bool only_goes() const { return removed == 1 && needed == 1 && !added && !looks && !settles; }
    };
    /// What steps are alike by: they touch the same in the same way.
    struct Likeness {
        std::uint32_t action = 0;
        std::uint32_t came = Token::nowhere;   // the bag that a token comes to which the finder knows
        std::uint32_t taken = Token::nowhere;  // the bag that a token is taken from, whichever
        bool chosen_first = false;             // and nothing is chosen before it
        std::uint32_t choice = 0;              // where another choice comes first: its place in the order, from 1 on, or 0: not told apart
        bool climb_known = true;               // else it closes nothing, and what it found is as high as what it was found from, or higher
        Sums climb{};                          // nothing where that is not known
        Word fits = SizeShift::no_other();     // the differences in size after which it does the same, of the bags whose sizes it asks for
        std::vector<Access> accesses;          // in the order of variables
        auto operator<=>(const Likeness&) const = default;
    };
    struct Kind {
        Likeness like;
        /// See `Closing`: for states that this kind found; and for those that it found last. Empty where there are none.
        std::array<std::vector<Word>, 2> by_token;
        std::vector<Finder> finders;  // by the token that came, or was taken; where there is none, the first
    };
    /// What is asked most of a kind.
    struct Brief {
        std::uint32_t action = 0, choice = 0, came = Token::nowhere;
        bool sized = false;                     // it asks for sizes
        std::uint32_t sure = 0;                 // how many variables and tokens it changes for sure
        std::array<bool, 2> any{}, by_token{};  // some kinds close after it; after it was the last
    };
    struct Found {
        std::uint16_t kind;
        Id came, taken;  // 0: none, or several that were taken where the same came
    };
    /// Who has to do with a variable.
    struct Touched {
        std::vector<Word> readers, writers;  // kinds that do so plainly
        struct By {
            std::uint16_t kind;
            Access access;
        };
        std::vector<By> others;
    };
    /// What an action asked and did last, where the finder knows all tokens: most steps are like that but for these.
    struct Lesson {
        std::vector<Event> path;
        std::vector<Op> ops;
        std::uint16_t kind = 0;  // 0: nothing was learnt
    };
    /// What is known of two kinds of steps, the new one and another.
    struct Relation {
        bool new_first_matters = false, new_later_matters = false;  // the order of the two
        bool both_change = false;                                   // something
        std::uint32_t covered = 0, covers = 0;  // how often one of them, the new or the other, changes for sure what both change
        bool both_take = false;                 // tokens from one bag, and bring none there
    };

    /// An outcome of the same action that does the same where sizes are others.
    struct Twin {
        std::uint32_t outcome;
        SizeShift shift;  // from there
    };

    void begin_step(std::uint32_t action);
    void touch(std::uint32_t field, std::uint16_t how, Id token = Access::any, std::int64_t tokens = 0);
    void ask_sizes(const std::vector<Event>& path);
    bool is_changed(std::uint32_t field) const;
    void touch_by(const Op& op);
    Use& use_of(std::uint32_t bag, Id token);
    void ask(const Event& event, const Trie& table);
    void touch_tokens(const Token& taken, const Token& came);
    Token find_taken(const Outcomes& outcomes, std::uint32_t outcome, const std::vector<Event>& path) const;
    Token find_came() const;
    void note_choice(const std::vector<Event>& path);
    static std::optional<Found> repeat(const Lesson& lesson, const std::vector<Event>& path, std::span<const Op> ops);
    std::optional<Sums> climbed(std::uint32_t outcome) const { return climb ? climb(outcome) : Sums{}; }
    void find_twins(const Outcomes& outcomes, std::uint32_t outcome, const std::vector<Event>& path, const Trie& table);
    void note_twins(Outcomes& outcomes);
    void note(Outcomes& outcomes, std::uint32_t outcome, Token came, Token taken);
    void note_again(Outcomes& outcomes, std::uint32_t outcome);
    void note(Outcomes& outcomes, std::uint32_t outcome, const Found& found);
    std::uint16_t kind_at_hand();
    std::uint16_t add_kind();
    void meet_others(std::uint16_t kind, const Access& access, std::vector<Word>& blocked);
    Finder finder_of(const Found& found);
    static std::vector<std::uint32_t> sized_by(const Likeness& like);
    static SizeShift shift_for(const Likeness& asks, const Likeness& changes);
    bool fit(std::uint16_t before, std::uint16_t step) const;
    static bool interfere(const Access& step, const Access& before);
    void make_room();
    static bool climbs_less(const Likeness& step, const Likeness& before);
    static bool changes_lower_parts(const Likeness& step, const Likeness& before);
    void relate(std::uint16_t before, std::uint16_t step, bool differ, bool both_take);

    bool used_ = false;
    bool closes_some_ = false;  // after steps of some kind
    std::uint32_t learnt_ = 0;
    std::vector<Kind> kinds_;  // the first stands for all that nothing is known of
    std::vector<Brief> briefs_;
    std::vector<Word> closing_;  // two sets of kinds for each: those that close after it; and after it was the last
    std::size_t stride_ = 1;     // words of such a set
    std::map<Likeness, std::uint16_t> known_;
    std::vector<std::uint16_t> latest_;  // per action: the kind of its last step
    std::vector<Lesson> lessons_;        // per action
    std::vector<Touched> touched_;       // per variable
    std::vector<bool> sought_;           // per variable: a certain token of it was needed
    std::vector<Found> finders_;
    std::vector<Finder> finder_of_;                // per outcome
    Likeness like_;                                // of the step at hand,
    std::vector<Use> uses_;                        // and the tokens that it has to do with
    std::vector<std::uint32_t> sized_;             // the bags whose sizes it asks for, in order,
    std::vector<Twin> twins_;                      // and where its action does the same
    std::map<std::uint16_t, Relation> relations_;  // of a new kind to others that touch the same, and not plainly
};

}  // namespace sweep
