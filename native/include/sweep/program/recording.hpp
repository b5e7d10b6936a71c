#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sweep/program/trie.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// Alternatives that are whole numbers at one distance from each other, as those of a range are.
struct Progression {
    std::int64_t first = Numbers::none, step = 0;

    std::int64_t at(std::uint32_t position) const { return first == Numbers::none ? first : first + step * std::int64_t{position}; }
};

/// What a run did with numbers that all were in question, beside what every run records. A term of a sum is about a scalar as it was
/// before the run, by its variable, or about a token that was taken or an alternative that was chosen: see `Doings::Token`.
struct Doings {
    struct Comparison {
        Sum sum;
        std::int64_t other;
        bool equals;  // whether it was asked for equality, else whether the sum is no less;
        bool holds;   // and what was said
    };
    struct Token {
        Id id;
        std::int64_t number;  // `Numbers::none`: it is given as it is
        bool looked_at;
        std::uint32_t bag = no_bag;  // an alternative comes from none,
        Progression progression{};   // but has a number for each position
    };
    static constexpr std::uint32_t no_bag = ~0u;
    std::vector<Comparison> comparisons;
    std::vector<std::optional<Sum>> given;  // per operation: the number that is given, or taken out, where it is in question
    std::vector<Token> tokens;              // in the order in which they were taken or chosen

    static constexpr std::uint32_t first_token = 1u << 31;
    static bool is_token(std::uint32_t term) { return term >= first_token; }

    void clear() {
        comparisons.clear();
        given.clear();
        tokens.clear();
    }
};

/// One run of a function on a state, as it is recorded: the questions it asked and what it did. Reads see earlier writes;
/// questions are always about the state before the run.
class Recording {
public:
    explicit Recording(Schema& schema) : schema_(schema) {}

    /// Start on a state; `script` holds the answers of the choices that are settled already.
    void begin(const Word* state, Trie& trie, const std::vector<std::uint32_t>& script);

    /// The same with all numbers in question, those of tokens too: what it does with them is written down as well.
    void begin_generally(const Word* state, Trie& trie, const std::vector<std::uint32_t>& script, bool texts = false);

    Id read(std::uint32_t field);
    void write(std::uint32_t field, Id id);

    /// Whether scalars may be numbers in question in this run, and whether this one is now: then nothing is known of its value but
    /// what comparisons have told.
    bool comparing() const { return general_ || !trie_->compared.empty(); }
    bool in_question(std::uint32_t field) const { return comparing() && is_in_question(field); }
    /// The same of a text: it is told from others by number, where these are in question as well.
    bool text_in_question(std::uint32_t field) const {
        return texts_ && scalars_[field].run != run_ && schema_.variables[field].text && schema_.has_numbers(field);
    }
    Sum number(std::uint32_t field) const;
    /// The number of the token or alternative that was taken last, if that is in question.
    std::optional<Sum> taken_number() const;
    bool not_less(const Sum& sum, std::int64_t other);
    bool equal(const Sum& sum, std::int64_t other);
    /// What a sum comes to, which looks at the values of all its variables.
    std::int64_t value(const Sum& sum);
    /// Give a variable a number made from its own. False when the sum is not that: then its value has to be written.
    bool shift(std::uint32_t field, const Sum& sum);
    /// Add a token that is a number in question. False when it has to be looked at.
    bool add(std::uint32_t bag, const Sum& sum, std::uint32_t count);

    /// Whether elements can be taken together: none of them has been changed by this run, or is in question.
    bool can_fold(const Fold& fold) const;
    /// What they come to, as the key of an answer. Every one that is there must count as something: see `unasked`.
    std::uint32_t fold(const std::shared_ptr<const Fold>& fold);
    /// The value of an element of which nobody has said what it counts as.
    std::optional<Id> unasked(const Fold& fold) const;

    std::int64_t size(std::uint32_t field);
    std::int64_t count(std::uint32_t bag, Id token);
    bool has(std::uint32_t bag, Id token, std::uint32_t count = 1);
    /// Any token the bag holds now, one run for each; nothing when it is empty: then the run is disabled.
    std::optional<Id> any(std::uint32_t bag);
    void add(std::uint32_t bag, Id token, std::uint32_t count);
    /// Take a token out so many times; somebody has asked whether it is there. Of a timed bag one at a time.
    void remove(std::uint32_t bag, Id token, std::uint32_t count = 1);
    /// An element of a set is there from now on, or not, whatever was before.
    void settle(std::uint32_t set, Id element, bool there);
    /// All the bag or queue holds now, as in `Unpacked`.
    std::vector<Id> whole(std::uint32_t field);
    void clear(std::uint32_t field);

    /// Whether this run has changed a bag or queue.
    bool changed(std::uint32_t field);
    /// A token of the bag or queue, as it was or is now, of which nobody has said to the sieve where it belongs. All have to be known
    /// before parts are asked for.
    std::optional<Id> unasked(const Sieve& sieve);
    /// Whether a queue holds what a sieve for membership is after.
    bool holds(std::uint32_t sieve);
    /// What a sieve keeps of its bag as it was before this run; nothing where that cannot be said.
    std::optional<std::vector<Id>> part(std::uint32_t sieve);
    /// The same of the bag as it is now, where every class is `Sieve::first_class` and its token: as in `Unpacked`.
    std::optional<std::vector<Id>> tokens(std::uint32_t sieve);

    /// What a run has done to a queue up to some moment: with this, the queue can be asked later for what it held then.
    struct Moment {
        bool cleared = false;
        std::uint32_t gets = 0;  // elements of the state before that are gone
        std::vector<Id> puts{};  // elements appended
    };
    Moment moment(std::uint32_t queue) { return container(queue); }
    /// The element at a position of the queue, now or at a moment of this run; 0 when it is shorter.
    Id element(std::uint32_t queue, std::uint32_t position) { return element(queue, container(queue), position); }
    Id element(std::uint32_t queue, const Moment& then, std::uint32_t position);
    void put(std::uint32_t queue, Id id);
    void get(std::uint32_t queue);

    /// One of so many alternatives; `digest` tells one list of alternatives from another.
    std::uint32_t choose(std::uint32_t alternatives, std::uint32_t digest = 0, const Progression& progression = {});
    void touch() { touched = true; }

    /// The run was made before, by somebody else: that is what it asked and did.
    void take_over(const std::vector<Event>& asked, std::vector<Op> done, bool by_touch) {
        path = asked;
        ops = std::move(done);
        touched = by_touch;
    }

    const Word* state() const { return state_; }
    const std::vector<std::uint32_t>& script() const { return script_; }
    std::size_t choices() const { return choices_; }

    std::vector<Event> path;
    std::vector<Op> ops;
    Doings doings;
    bool touched = false;

private:
    struct Scalar {
        std::uint64_t run = 0;
        Id id = 0;
        bool shifted = false;     // it is a number in question still,
        std::int64_t offset = 0;  // this much more than before the run; or what `given` says
        std::uint32_t given = 0;  // in general: by which operation
    };
    struct Range {  // what is known of a sum
        std::uint32_t sum;
        std::int64_t least = INT64_MIN, most = INT64_MAX;
    };
    struct Container : Moment {  // what this run has done to a bag or queue so far
        std::uint64_t run = 0;
        bool added = false;
        std::vector<Id> taken;                                // bags: tokens removed, in order
        std::vector<std::pair<Id, std::int64_t>> difference;  // bags: per token, added minus removed
        std::vector<std::pair<Id, bool>> settled;             // sets: elements that are there now, or are not
        std::int64_t size = 0;                                // bags: added minus removed
    };

    bool is_in_question(std::uint32_t field) const;
    std::uint32_t ask(Event event);
    std::uint32_t next_choice(std::uint32_t otherwise);
    Container& container(std::uint32_t field);
    std::optional<std::int64_t> known_value(const Sum& sum) const;
    Range& range_of(std::uint32_t sum);
    bool compare(Ask ask, const Sum& terms, std::int64_t other);
    void overwrite(std::uint32_t field);
    std::int64_t total(const Sum& sum) const;
    Id find_number(std::uint32_t field, const Sum& sum) const;
    static std::int64_t& difference(Container& container, Id token);
    static const bool* settled(const Container& container, Id element);
    void note_settled(Container& container, Id element, bool there);
    template <class Matters>
    static void change(std::uint32_t field, const Container& container, std::vector<Id>& held, Matters&& matters);

    Schema& schema_;
    Trie* trie_ = nullptr;
    const Word* state_ = nullptr;
    bool general_ = false, texts_ = false;
    std::uint64_t run_ = 0;
    std::vector<std::uint32_t> script_;
    std::size_t choices_ = 0;
    std::vector<Scalar> scalars_;
    std::vector<Container> containers_;
    std::vector<Range> ranges_;
};

}  // namespace sweep
