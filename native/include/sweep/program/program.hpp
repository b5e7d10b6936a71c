#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sweep/program/answers.hpp"
#include "sweep/program/counting.hpp"
#include "sweep/program/diamonds.hpp"
#include "sweep/program/divisions.hpp"
#include "sweep/program/families.hpp"
#include "sweep/program/formula.hpp"
#include "sweep/program/function.hpp"
#include "sweep/program/outcomes.hpp"
#include "sweep/program/synchronisation.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// A model as the core knows it: its variables, and what its functions did so far. Exploration only reads it; whatever it does
/// not know yet is found out by the `Resolver`.
class Program {
public:
    Schema schema;
    Outcomes outcomes{schema};
    std::array<std::vector<Function>, roles> functions;
    std::vector<std::unique_ptr<Synchronisation>> synchronisations;  // per action: an event of a network, which needs no function
    std::vector<std::unique_ptr<Formula>> formulas;                  // per predicate: likewise; or what it was divided into
    Families families;                                               // which actions have one function
    Divisions divisions;                                             // which predicates were
    std::vector<std::unique_ptr<TokenNumber>> token_numbers;         // per tally: likewise
    Counting counting;                                               // actions that are transitions which count tokens: likewise
    Diamonds diamonds;                                               // which steps need not be looked up
    std::uint64_t epoch = 0;                                         // rises when what was derived from tables is out of date
    std::uint64_t forgotten = 0;                                     // how often the outcomes were: the next ones get their numbers

    std::vector<Function>& actions() { return functions[static_cast<std::size_t>(Role::action)]; }
    const std::vector<Function>& actions() const { return functions[static_cast<std::size_t>(Role::action)]; }
    Function& operator[](FunctionId id) { return functions[static_cast<std::size_t>(id.role)][id.index]; }
    const Function& operator[](FunctionId id) const { return functions[static_cast<std::size_t>(id.role)][id.index]; }

    /// So many functions of a role, with empty tables.
    void set_functions(Role role, std::size_t count) { functions[static_cast<std::size_t>(role)] = std::vector<Function>(count); }
    const Synchronisation* synchronisation(std::uint32_t action) const {
        return synchronisations.empty() ? nullptr : synchronisations[action].get();
    }
    const Formula* formula(std::uint32_t predicate) const { return predicate < formulas.size() ? formulas[predicate].get() : nullptr; }
    const TokenNumber* token_number(std::uint32_t tally) const { return token_numbers.empty() ? nullptr : token_numbers[tally].get(); }

    /// The functions by which a predicate is decided: itself, or the parts of what it was divided into.
    void add_functions(std::uint32_t predicate, std::vector<FunctionId>& functions) const;

    bool needs_no_function(FunctionId id) const {
        return (id.role == Role::predicate && formula(id.index)) || (id.role == Role::tally && token_number(id.index));
    }

    /// What a table says about a state: a leaf, `disabled`, or `unknown`.
    Code look_up(const Trie& trie, const Word* state) const {
        Code code = trie.follow(trie.root, state);
        while (code != unknown && !(code & 1)) {
            const Trie::Node& node = trie.nodes[index_of(code)];
            code = trie.follow(trie.child(node, answer(schema, trie, node, state)), state);
        }
        return code;
    }

    /// Whether an action is enabled, and a predicate holds, in a state, if no function has to be asked for it.
    std::optional<bool> enabled(std::uint32_t action, const Word* state) const {
        if (!counting.counts(action)) return enabled(actions()[action].trie, state);
        const Counting::Firing& firing = counting.firing(counting.index_of(action));
        return firing.possible && counting.enabled(firing, state);
    }
    std::optional<bool> enabled(const Trie& trie, const Word* state) const { return leads_on(trie, trie.root, state); }
    std::optional<bool> known(std::uint32_t predicate, const Word* state) const {
        if (const Formula* const one = formula(predicate))
            return one->holds(
                state, schema, [this](std::uint32_t action, const Word* here) { return enabled(action, here); },
                [this](std::uint32_t part, const Word* here) { return known(part, here); });
        const Code code = look_up((*this)[FunctionId{Role::predicate, predicate}].trie, state);
        return code == unknown ? std::nullopt : std::optional(index_of(code) != 0);
    }

    /// Make room for what was asked for: see `Schema::grow`.
    template <class Each>
    std::optional<Transfer> grow(bool dear, Each&& each) {
        counting.foresee(schema);
        return schema.grow(dear, each);
    }
    /// Find out from now on which steps need not be looked up.
    void look_for_diamonds();
    /// A predicate is a formula from now on, and the new ones that this refers to; or it is the whole again.
    void divide(std::uint32_t predicate, std::unique_ptr<Formula> formula, std::uint32_t parts, std::uint64_t explored);
    void undivide(std::uint32_t predicate);
    /// The layout has changed.
    void refresh();
    /// Empty all tables.
    void forget();
    std::size_t bytes() const;
    /// Of what functions that have values, which actions have not, said about states: the bytes of their tables; and empty those
    /// that are large.
    std::size_t value_bytes() const;
    void forget_values(std::size_t large);

private:
    std::optional<bool> leads_on(const Trie& trie, Code code, const Word* state) const;
};

}  // namespace sweep
