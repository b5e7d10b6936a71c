#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sweep/program/comparing.hpp"
#include "sweep/program/families.hpp"
#include "sweep/program/patterns.hpp"
#include "sweep/program/sum_map.hpp"
#include "sweep/program/trie.hpp"

namespace sweep {

/// What a function of the model is for.
enum class Role : std::uint8_t { action, predicate, measure, part, tally, summand, key, check };
constexpr std::size_t roles = 8;

struct FunctionId {
    Role role;
    std::uint32_t index = 0;
};

/// A function as the core knows it: what it did for all answers that it ever got.
class Function {
public:
    Trie trie;
    std::vector<std::uint8_t> observed;        // per variable: whether it has ever been looked at
    std::uint64_t runs = 0;                    // of the function itself; all else came from the table,
    std::uint64_t answered = 0;                // and into that so much by patterns
    std::uint64_t missed = 0;                  // so often a state's outcomes were in no table
    double seconds = 0;                        // in the function
    bool tabulated = true;                     // actions: whether the table still grows
    Comparing comparing;                       // whether the table is about how numbers compare
    Patterns patterns;                         // actions: what they do whatever the numbers are
    std::optional<Precondition> precondition;  // actions: what they wait for, if that was looked for
    std::unique_ptr<Trie> looked;              // while that is tried: the table about their values
    std::array<Id, 4> taken{};                 // actions: tokens that were taken last where they did something new
    SumMap by_sums;                            // summands of the measure that are functions of sums: the value for these

    double seconds_each() const { return runs ? seconds / static_cast<double>(runs) : 0; }
    std::size_t bytes() const { return trie.bytes() + by_sums.bytes() + (looked ? looked->bytes() : 0); }
    /// Empty all tables.
    void forget() {
        trie.clear();
        looked.reset();
        by_sums = {};
    }

    /// Where the table asks whether a scalar is the number that the action waits for: say so in the path of a run, instead of what its
    /// value was. Whether what is waited for was there, if anything is.
    bool put_as_asked(std::vector<Event>& path, Trie& table, const Schema& schema) const {
        if (!precondition || !precondition->known || &table != &trie || !trie.compared.empty()) return true;
        if (path.empty() || path[0].ask != Ask::value || path[0].field != precondition->field) return true;
        const bool met = schema.numbers_of(precondition->field)[path[0].key] == precondition->number;
        path[0] = table.equality(precondition->field, precondition->number);
        path[0].key = met;
        return met;
    }

    /// Note what a run looked at; whether that was more than ever before.
    bool observe(const std::vector<Event>& path, std::size_t variables) {
        observed.resize(variables);
        bool more = false;
        for (const Event& event : path)
            trie.each_field(event, [&](std::uint32_t field) {
                more |= !observed[field];
                observed[field] = 1;
            });
        return more;
    }

    /// Begin to compare the numbers in these variables, or go back to looking at them.
    void compare(std::vector<std::uint8_t> variables, std::uint64_t explored) {
        looked = std::make_unique<Trie>(std::move(trie));
        trie = {};
        trie.compared = std::move(variables);
        looked_grew_ = std::exchange(tabulated, true);
        comparing.begin(Comparing::Stage::trying, missed, explored);
    }
    void look(std::uint64_t explored) {
        const bool grows = !looked || looked_grew_;
        trie = looked ? std::move(*looked) : Trie{};
        looked.reset();
        comparing.begin(Comparing::Stage::looking, missed, explored);
        if (grows) try_again(explored);
        tabulated = grows;
    }

    /// A state missed the table. A table is not worth more memory when every other state misses it: then it grows no more, and
    /// this is false. It gets another chance when eight times as many states are explored: it may only have been young.
    bool pays(std::uint64_t explored) {
        if (++misses_ < judge_every) return true;
        const bool worth = explored - since_ >= 2 * misses_;
        if (!worth) {
            tabulated = false;
            again_ = std::max(8 * explored, 8 * judge_every);
        }
        misses_ = 0;
        since_ = explored;
        return worth;
    }
    /// When, in states explored, the next chance comes.
    std::uint64_t next_chance() const { return tabulated ? ~std::uint64_t{0} : again_; }
    void try_again(std::uint64_t explored) {
        tabulated = true;
        misses_ = 0;
        since_ = explored;
    }

private:
    static constexpr std::uint64_t judge_every = 4096;  // misses
    std::uint64_t misses_ = 0, since_ = 0, again_ = 0;
    bool looked_grew_ = true;
};

}  // namespace sweep
