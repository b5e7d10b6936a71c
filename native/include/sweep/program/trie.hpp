#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sweep/state/fold.hpp"
#include "sweep/state/schema.hpp"
#include "sweep/state/sum.hpp"

namespace sweep {

/// What an inner node of a decision trie asks of the state.
enum class Ask : std::uint8_t {
    value,     // the value of a scalar                      key: its id
    size,      // how many tokens a bag or queue holds       key: that number
    count,     // how often a bag holds a token              key: that number
    at_least,  // whether a bag holds a token so many times  key: 0 or 1
    not_less,  // whether a sum of numbers is this or more  key: 0 or 1
    equal,     // whether a sum of numbers is this           key: 0 or 1
    fold,      // what many elements of an array come to      key: see Fold::key_of
    element,   // the element of a queue at a position       key: its id, 0 when the queue is shorter
    whole,     // all of a bag or queue                      key: its number among the contents met
    part,      // what a sieve keeps of a bag                key: its number among what was met there, or Sieve::unfit_key
    take,      // any token of a bag: branches over all      key: the token; of a timed bag its kind (argument 1)
    choose     // any of a fixed number of alternatives      key: its position
};

/// One question and, in a path, the answer it got.
struct Event {
    Ask ask;
    std::uint32_t field = 0;      // the variable asked about; of a sum its first
    std::uint32_t argument = 0;   // token, position, sieve, number of alternatives; of a sum or fold: see Trie::sum, Trie::fold
    std::uint32_t threshold = 0;  // at_least: how many; of a sum: a signed number; take: see Trie::taken; choose: a digest
    std::uint32_t key = 0;
    bool answered = true;  // a take from an empty bag has no answer: the path ends there

    bool same_question(const Event& other) const {
        return ask == other.ask && field == other.field && argument == other.argument && threshold == other.threshold;
    }
};

/// Where a path leads: not known yet, nowhere (disabled), to a node, or to a leaf with its number.
using Code = std::uint32_t;
constexpr Code unknown = 0, disabled = 1;
constexpr Code node_code(std::uint32_t node) { return (node + 1) << 1; }
constexpr Code leaf_code(std::uint32_t leaf) { return ((leaf + 1) << 1) | 1; }
constexpr bool is_leaf(Code code) { return (code & 1) && code != disabled; }
constexpr std::uint32_t index_of(Code code) { return (code >> 1) - 1; }

/// What a function did for each combination of the answers it got. Inner nodes ask, leaves hold what to do.
class Trie {
public:
    struct Node {
        Ask ask;
        bool sparse = false;  // children in `sparse_` instead of the pool
        // Questions that bits of one word answer: where to look, copied from the layout. Those from `value` on have one answer.
        enum class Direct : std::uint8_t { no, take, take_count, value, size, at_least, equal } direct = Direct::no;
        std::uint8_t shift = 0, bits = 0;
        std::uint16_t word = 0;
        std::uint32_t field = 0, argument = 0, threshold = 0;
        std::uint32_t first = 0, base = 0, room = 0;  // children for keys base .. base + room - 1, at pool_[first]
        std::uint32_t children = 0;
        Id wanted = 0;  // equal: the value that is the number asked for
        Word mask = 0;  // before it is shifted; 0 where more than one word would have to be looked at

        /// The answer that bits of the state give.
        [[gnu::always_inline]] std::uint32_t key(Word raw) const {
            if (direct == Direct::value) return static_cast<std::uint32_t>(raw);
            if (direct == Direct::equal) return raw == wanted;
            return direct == Direct::size ? static_cast<std::uint32_t>(occupied(raw, bits)) : raw >= threshold;
        }
    };

    Code root = unknown;
    std::vector<Node> nodes;

    [[gnu::always_inline]] Code child(const Node& node, std::uint32_t key) const {
        if (node.sparse) {
            const auto found = sparse_.find((Word{static_cast<std::uint32_t>(&node - nodes.data())} << 32) | key);
            return found == sparse_.end() ? unknown : found->second;
        }
        const std::uint32_t at = key - node.base;
        return at < node.room ? pool_[node.first + at] : unknown;
    }

    /// Follow nodes that can be answered from one piece of the state, as far as they go.
    [[gnu::always_inline]] Code follow(Code code, const Word* state) const {
        while (!(code & 1) && code != unknown) {
            const Node& node = nodes[index_of(code)];
            if (node.direct < Node::Direct::value) break;
            code = child(node, node.key((state[node.word] >> node.shift) & node.mask));
        }
        return code;
    }

    /// Add a path of answered questions that ends in `end`. False when the path asks something else than an earlier
    /// one did after the same answers: then the function is not a function of what it observes.
    bool insert(const std::vector<Event>& path, Code end);
    /// The same for what was asked after a node had this answer. Where it leads, which may be known already; `unknown` instead of false.
    Code insert_after(std::uint32_t node, std::uint32_t key, const std::vector<Event>& rest, Code end);

    /// Where a path of answered questions leads; `unknown` also when it asks something else than an earlier one did.
    Code find(const std::vector<Event>& path) const;

    /// The root asks from now on whether a scalar is a certain number, no longer which value it has: with another one the table leads
    /// nowhere. False, and nothing is changed, where it led somewhere with other values than this.
    bool ask_whether(const Event& equal, Id value);
    /// The question whether a scalar is a certain number, as it is after that.
    Event equality(std::uint32_t field, std::int64_t number) {
        return {Ask::equal, field, sum_list(Sum::of(field)), static_cast<std::uint32_t>(number)};
    }
    /// Whether a node asks if a scalar is a certain number.
    bool asks_whether(const Node& node) const {
        return node.ask == Ask::equal && sums_[node.argument].size == 1 && sums_[node.argument].terms[0].coefficient == 1;
    }

    /// Copy the places of fields into the nodes that ask about them: into new ones, or into all after a change.
    void refresh(const Schema& schema, bool all);

    /// Lists of tokens that were taken before on the way to a take node; number 0 is the empty list.
    std::uint32_t taken_list(const std::vector<Id>& tokens);
    const std::vector<Id>& taken(std::uint32_t list) const { return taken_[list]; }

    /// Sums that questions are about; what they are compared with is in the question, not in their constants.
    std::uint32_t sum_list(const Sum& terms);
    const Sum& sum(std::uint32_t index) const { return sums_[index]; }
    std::uint32_t fold_list(const std::shared_ptr<const Fold>& fold);
    const Fold& fold(std::uint32_t index) const { return *folds_[index]; }
    bool compares(std::uint32_t field) const { return field < compared.size() && compared[field]; }

    /// The variables that a question is about.
    template <class Visit>
    void each_field(const Event& event, Visit&& visit) const {
        if (event.ask == Ask::not_less || event.ask == Ask::equal)
            for (const Sum::Term& term : sum(event.argument)) visit(term.field);
        else if (event.ask == Ask::fold)
            for (std::uint32_t i = 0; i < fold(event.argument).count; ++i) visit(fold(event.argument).field(i));
        else if (event.ask != Ask::choose)
            visit(event.field);
    }

    std::size_t bytes() const;
    /// Forget all paths, but not how variables are given.
    void clear();

private:
    struct Place {  // at the root, or where a node leads with this answer
        std::uint32_t parent = 0, key = 0;
        bool root = true;
    };
    Code insert(Place at, const std::vector<Event>& path, Code end);
    void set_child(std::uint32_t node, std::uint32_t key, Code code);
    void widen(Node& node, std::uint32_t key);

    std::vector<Code> pool_;
    std::size_t refreshed_ = 0;
    std::unordered_map<Word, Code> sparse_;
    std::vector<std::vector<Id>> taken_{{}};
    std::vector<Sum> sums_;
    std::vector<std::shared_ptr<const Fold>> folds_;

public:                                  // behind what walks through the table need
    std::vector<std::uint8_t> compared;  // per variable: it is given as a number in question, not as a value; empty: none is
};

}  // namespace sweep
