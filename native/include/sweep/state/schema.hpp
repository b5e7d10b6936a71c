#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sweep/state/cells.hpp"
#include "sweep/state/contents.hpp"
#include "sweep/state/keeping.hpp"
#include "sweep/state/layout.hpp"
#include "sweep/state/numbers.hpp"
#include "sweep/state/operation.hpp"
#include "sweep/state/requests.hpp"
#include "sweep/state/sieve.hpp"
#include "sweep/state/stamps.hpp"
#include "sweep/state/sum.hpp"
#include "sweep/state/tokens.hpp"

namespace sweep {

/// A bag counts its tokens in 32 bits, all of them together.
constexpr std::uint64_t most_tokens = 0xFFFFFFFF;
struct TooManyTokens : std::length_error {
    explicit TooManyTokens(std::uint32_t bag) : std::length_error("too many tokens in a bag"), field(bag) {}
    std::uint32_t field;
};

enum class Kind : std::uint8_t { scalar, bag, queue };

/// One variable (or array element) as the core knows it, and how large it has grown.
struct Variable {
    Kind kind = Kind::scalar;
    std::uint64_t values = 1;    // ids handed out; for bags and queues "no token" counts
    std::uint64_t slots = 1;     // bags and queues: tokens to hold inside the state
    std::uint64_t capacity = 0;  // bags and queues: never more tokens than this; 0 when that is not known
    Form form = Form::slots;     // bags and queues
    Id most = 1;                 // bags: so often some token has been there at once
    Cells cells;                 // bags: of the tokens that were ever held
    bool lent = false;           // bags: there is a cell, though its token has not been held: for as long as there is room for it
    bool is_set = false;         // bags: a token is there once at most
    bool timed = false;          // bags: tokens have stamps; actions take kinds of tokens that are ready
    bool tight = false;          // scalars: the field is no wider than its values need
    Stamps stamps;
    std::int32_t numbers = -1;  // scalars and bags: where in `Schema::numbers` those are that its values may be; -1: nowhere
    bool text = false;          // scalars: these are numbers of texts, as the first value was one; of other values there are none

    template <class File>
    void keep(File& file) {  // what it has become; what it is, the model says
        file(values, slots, form, most, cells, lent);
    }
};

/// Visit the tokens of a bag that lies in a field as counts, later cells first: token, count, cell.
template <class Visit>
[[gnu::always_inline]] inline void each_count(const Cells& cells, const Field& field, const Word* state, Visit&& visit) {
    const int bits = field.bits();
    if (field.high.width) {  // of one word, in two pieces
        for (std::uint32_t cell = field.slots; cell-- > 0;)
            if (const Word count = field.cell(state, cell)) visit(cells.token(cell), static_cast<Id>(count), cell);
        return;
    }
    for (std::size_t i = field.words(); i-- > 0;) {
        Word rest = state[field.low.word + i] & field.mask_of(i);
        while (rest) {
            const int within =
                (63 - __builtin_clzll(rest) - field.low.shift) * static_cast<int>(reciprocals[static_cast<std::size_t>(bits)]) >> 16;
            const int at = field.low.shift + within * bits;
            const std::uint32_t cell = static_cast<std::uint32_t>(i * field.per_word) + static_cast<std::uint32_t>(within);
            visit(cells.token(cell), static_cast<Id>(rest >> at), cell);
            rest &= low_bits(at);
        }
    }
}

/// A state taken apart: scalars as one id, bags as pairs of token and count (descending), queues as their elements.
using Unpacked = std::vector<std::vector<Id>>;

/// What making a state may add to: contents that were never met before, and requests for more room.
struct Additions {
    std::vector<Contents>& interned;  // per variable
    Requests& requests;
    std::vector<Id> scratch = {};
    bool reads_only = false;  // one of several workers: contents that are not there yet are left to somebody else,
    bool unmet = false;       // who is told here that there were some
};

class Schema;

/// From an earlier layout to the present one.
class Transfer {
public:
    /// `dealt`: the cells of bags that have been dealt out anew since, as they were.
    Transfer(Schema& schema, Layout from, std::vector<Form> were, std::map<std::size_t, Cells> dealt);
    int from_words() const { return from_.words; }
    int words() const { return width().words; }
    Width width() const;
    /// Rewrite a state.
    void operator()(const Word* old, Word* now);
    /// Whether several workers may do it at once, each with a copy of this: not where contents get numbers.
    bool may_share() const;

private:
    /// Bits of a word that go to another place together, all by the same distance.
    struct Move {
        std::size_t from, to;
        int distance;  // to the left, around the end of the word
        Word mask;
    };
    void reform(std::size_t variable, const Word* old, Word* now);

    Schema* schema_;
    Layout from_;
    std::vector<Form> were_;
    std::map<std::size_t, Cells> dealt_;
    std::vector<Move> moves_;            // of all variables that lie in states as they did
    std::vector<std::size_t> reformed_;  // the others
    std::vector<Id> scratch_;
};

/// What stored states have in use: it decides how variables that have outgrown their fields are to lie. Several workers may look at some
/// states each, and put together what they saw.
class Inspection {
public:
    explicit Inspection(const Schema& schema);
    void look(const Word* state);
    void add(const Inspection& other);

private:
    friend class Schema;
    /// Of a bag: which tokens it held, and how many at most, of all and of one.
    struct Held {
        std::size_t variable;
        std::uint64_t slots = 0;
        Id most = 0;
        Cells cells = {};
    };

    const Schema* schema_;
    std::vector<Word> all_;  // every bit that some state has
    std::vector<Held> held_;
    std::vector<Id> contents_;  // room
};

/// How a state lies in words: variables, the layout of their fields, and contents that lie elsewhere.
class Schema {
public:
    std::vector<Variable> variables;
    Layout layout;
    std::vector<Contents> interned;      // per variable: contents whose numbers stand in states
    std::vector<std::size_t> interning;  // the variables that have some
    std::vector<Contents> met;           // per variable: contents that functions looked at as a whole
    std::vector<Sieve> sieves;           // for parts of bags that functions looked at
    std::vector<Numbers> numbers;        // the fields of an array share one; of a bag those that its tokens are
    std::uint64_t numbers_lost = 0;      // so often a variable got its first value that is no number
    std::vector<std::uint32_t> timed;    // the timed bags; empty in a model without time
    std::uint32_t clock = 0;             // in a model with time: the variable that holds it
    std::size_t keys = 0;                // the last so many variables are no part of the model: they tell classes of states apart
    std::vector<std::uint32_t> steps;    // per variable: see `Extent`; empty: nothing is foreseen
    bool generous = true;                // variables that may change soon get room, whatever it costs
    std::uint64_t width = 0;             // grows with every bit that the values of some variable need
    Requests requests;

    /// How states lie in words, as in `Keeping`: what was packed before can be read again. The variables must be those of the same model,
    /// with the same values by number.
    template <class File>
    void keep(File& file) {
        std::size_t count = variables.size();
        file(count);
        if (count != variables.size()) throw Damaged("it has other variables");
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t values = variables[i].values;
            variables[i].keep(file);
            if (variables[i].values != values && !is_key(i)) throw Damaged("a variable has other values");
        }
        file(layout, interned, interning);
        if constexpr (File::reads) check_read();
    }
    std::uint32_t add(Kind kind, bool timed_bag = false);
    /// Scalars that tell classes of states apart, to be added last.
    void add_keys(std::size_t count);
    bool is_key(std::size_t variable) const { return variable >= variables.size() - keys; }
    /// Lend a bag a cell for a token that it may come to hold, if it has none and there is room for one: nobody has to ask for it then.
    void lend(std::size_t bag, Id token) {
        Variable& variable = variables[bag];
        if (variable.form != Form::counts || variable.cells.size() || !layout.fields[bag].slots || !layout.fields[bag].bits()) return;
        variable.cells.add(token);
        variable.lent = true;
    }
    /// A variable has so many values now.
    void set_values(std::size_t variable, std::uint64_t values);

    /// Of the contents whose numbers stand in states.
    std::uint64_t interned_bytes() const {
        std::uint64_t total = 0;
        for (const std::size_t variable : interning) total += interned[variable].bytes();
        return total;
    }

    Additions additions() { return {interned, requests}; }
    /// So many states have been found: what has grown since there were half as many, or fewer, is likely to go on.
    void mark_growth(std::uint64_t states);
    /// Whether a bag or queue lies in two pieces, which makes everything about it slow.
    bool has_bags_in_pieces() const;
    /// Whether the layout still has room for every value, and for bags of the slots asked for.
    bool fits() const { return requests.empty(); }
    /// Make a layout for the variables as they are now.
    void lay_out() { layout = Layout::pack(extents(), false, keys); }
    /// Give what was asked for. Nothing when that was possible in place, so that stored states stay right as they are; else
    /// there is a new layout, into which every stored state has to be transferred. `each` visits all of them, and may know a
    /// quicker way to inspect them. Where rewriting
    /// them is dear, that is done in place if it can be, and else so much room is left that it is not soon done again.
    template <class Each>
    std::optional<Transfer> grow(bool dear, Each&& each) {
        if (requests.crowded) forget_contents(each);
        note_held();
        if (widen(dear)) return std::nullopt;
        Inspection seen(*this);
        if constexpr (requires { each.inspect(seen); })
            each.inspect(seen);
        else
            each([&](const Word* state) { seen.look(state); });
        note_seen(seen);
        std::vector<Form> were = forms();
        choose_forms();
        if (forms() != were) each([&](const Word* state) { absorb(were, state); });
        std::map<std::size_t, Cells> dealt = deal_cells();
        requests.clear();
        Layout before = Layout::pack(extents(), dear, keys);
        std::swap(before, layout);
        return Transfer(*this, std::move(before), std::move(were), std::move(dealt));
    }

    /// Give a bag or queue these contents. False when the layout has no room for them: it is asked for then.
    bool hold(std::size_t variable, const std::vector<Id>& contents, Word* state);
    /// Keys are left out.
    void pack(const Unpacked& unpacked, Word* state);
    Unpacked unpack(const Word* state) const;
    std::vector<Form> forms() const;

    /// The value of a variable with an id is this number; or `Numbers::none`.
    void set_number(std::uint32_t field, Id id, std::int64_t number) {
        numbers_lost += number == Numbers::none && has_numbers(field);
        numbers[static_cast<std::size_t>(variables[field].numbers)].set(id, number);
    }
    /// Whether all values of a scalar are whole numbers, so far; or have numbers, as texts may have, too.
    bool is_number(std::uint32_t field) const { return !variables[field].text && has_numbers(field); }
    bool has_numbers(std::uint32_t field) const {
        const std::int32_t index = variables[field].numbers;
        return index >= 0 && variables[field].kind == Kind::scalar && numbers[static_cast<std::size_t>(index)].all();
    }
    /// Those of a variable that has some.
    const Numbers& numbers_of(std::uint32_t field) const { return numbers[static_cast<std::size_t>(variables[field].numbers)]; }
    std::int64_t number_of(std::uint32_t field, const Word* state) const {
        return numbers_of(field)[static_cast<Id>(layout.fields[field].load(state))];
    }
    /// What the terms of a sum come to; `Numbers::none` when one of them is no number.
    std::int64_t total_of(const Sum& sum, const Word* state) const {
        std::int64_t total = 0;
        for (const Sum::Term& term : sum) {
            const std::int64_t number = number_of(term.field, state);
            if (number == Numbers::none) return number;
            total += term.coefficient * number;
        }
        return total;
    }
    std::uint32_t size_of(std::uint32_t field, const Word* state) const;
    std::uint32_t count_of(std::uint32_t field, Id token, const Word* state) const;
    std::uint32_t element_of(std::uint32_t field, std::uint32_t position, const Word* state) const;
    void contents_of(std::uint32_t field, const Word* state, std::vector<Id>& sequence) const;
    /// The number of all that a bag or queue holds; if nobody has met that before, nothing.
    std::optional<Id> whole_of(std::uint32_t field, const Word* state) const;
    /// What of a bag a sieve keeps, as a sequence of its `met`: `Sieve::unasked` when nobody has said where some token belongs,
    /// `Sieve::unfit` when that cannot be said; else `Sieve::passed_over`.
    Id part_of(const Sieve& sieve, const Word* state, std::vector<Id>& part) const;
    Id part_of_queue(const Sieve& sieve, const Word* state, std::vector<Id>& part) const;
    /// Whether a queue holds a token that matters to a sieve; nothing when nobody has said where some token belongs.
    std::optional<bool> holds(const Sieve& sieve, const Word* state) const;
    /// The tokens of a bag; and what can be taken from it: the same, or the kinds of token of a timed bag that are ready.
    void tokens_of(std::uint32_t bag, const Word* state, TokenCounts& held) const;
    void available(std::uint32_t bag, const Word* state, TokenCounts& held) const;
    /// How long until the next token of a timed bag becomes ready.
    std::optional<std::int64_t> next_ready(const Word* state) const;

    /// Do an operation that is no masked assignment. False when it outgrew the layout: that is requested then, and the state has to
    /// be made again when it is granted.
    bool change(const Op& op, Word* next, Additions& additions) const;
    /// Tokens that are to come to bags in a word, each a bit, are there already: more bits are needed to count them.
    bool repeat_members(std::uint16_t word, Word there, Additions& additions) const;
    /// Give a bag other contents. False as with `change`.
    bool replace(std::uint32_t bag, const std::vector<std::pair<Id, Id>>& held, Word* state, Additions& additions) const;

private:
    void check_read();
    friend class Inspection;
    friend class Transfer;
    /// How large variables were when so many states had been found.
    struct Mark {
        std::uint64_t states = 0;
        std::vector<Extent> extents = {};
        std::vector<Form> forms = {};
    };
    std::vector<Extent> extents() const;
    std::uint64_t expected_slots(std::size_t index) const;
    void compare(const Mark& earlier, std::vector<Extent>& extents) const;
    void give_ahead(std::vector<Extent>& extents) const;
    template <class Each>
    void forget_contents(Each&& each) {
        std::vector<std::vector<bool>> marked(variables.size());
        for (const std::size_t i : interning) marked[i].resize(interned[i].size());
        each([&](const Word* state) {
            for (const std::size_t i : interning) marked[i][layout.fields[i].load(state)] = true;
        });
        for (const std::size_t i : interning) interned[i].retain(marked[i]);
        requests.crowded = false;
    }
    void note_held();
    std::uint64_t values_in_cell(std::size_t variable) const;
    bool has_room(const Requests::Request& asked) const;
    bool widen(bool dear);
    void note_seen(const Inspection& seen);
    void note_used(const Word* all);
    void absorb(const std::vector<Form>& were, const Word* state);
    std::map<std::size_t, Cells> deal_cells();
    void choose_forms();
    bool fits(std::size_t variable, const std::vector<Id>& contents);
    void ask_values(std::size_t variable, std::uint64_t values, Requests& asked) const;
    bool shift(const Op& op, Word* next, Additions& additions) const;
    void ask_room(const Op& op, std::uint64_t size, std::uint64_t more, Requests& asked) const;
    bool change_count(const Op& op, Word* next, Additions& additions) const;
    bool change_spanning(const Op& op, Word* next, Additions& additions) const;
    bool change_interned(const Op& op, Word* next, Additions& additions) const;
    Id youngest_ready(std::uint32_t bag, Id kind, const Word* state) const;

    Mark earlier_, latest_;
};

inline Width Transfer::width() const { return schema_->layout.width(); }

}  // namespace sweep
