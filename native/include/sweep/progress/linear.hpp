#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sweep/program/resolver.hpp"

namespace sweep {

/// A progress measure whose value is a number, or a tuple of numbers compared lexicographically, each a sum with whole
/// coefficients: of scalars, of sizes of bags and queues, and of functions, each of which has a table of its own. What looks at few
/// variables needs a small table, however many of them are added up.
class LinearMeasure {
public:
    static constexpr std::size_t most_components = 4;
    using Value = std::array<std::int64_t, most_components>;

    struct Term {
        enum class Of : std::uint8_t { value, size, function } of;
        std::uint32_t index;    // of the variable, or of the function among those that are summands
        std::uint32_t numbers;  // value, function: which list of numbers the ids refer to
        std::int64_t coefficient;
    };
    struct Component {
        std::int64_t constant = 0;
        std::vector<Term> terms;
    };
    std::vector<Component> components;
    std::vector<std::vector<std::int64_t>> numbers;  // lists of the numbers behind ids
    std::size_t functions = 0;                       // summands that have tables

    Value value(const Word* state, Resolver& resolver) const {
        Value result{};
        for (std::size_t i = 0; i < components.size(); ++i) {
            std::int64_t sum = components[i].constant;
            for (const Term& term : components[i].terms) sum += term.coefficient * number(term, state, resolver);
            result[i] = sum;
        }
        return result;
    }

    /// The same, if no function has to be asked for it.
    std::optional<Value> known_value(const Word* state, const Program& program) const {
        Value result{};
        for (std::size_t i = 0; i < components.size(); ++i) {
            std::int64_t sum = components[i].constant;
            for (const Term& term : components[i].terms) {
                const std::optional<std::int64_t> number = known_number(term, state, program);
                if (!number) return std::nullopt;
                sum += term.coefficient * *number;
            }
            result[i] = sum;
        }
        return result;
    }

private:
    std::optional<std::int64_t> known_number(const Term& term, const Word* state, const Program& program) const {
        const Schema& schema = program.schema;
        if (term.of == Term::Of::value) return numbers[term.numbers][schema.layout.fields[term.index].load(state)];
        if (term.of == Term::Of::size) return schema.size_of(term.index, state);
        const Code code = program.look_up(program[FunctionId{Role::summand, term.index}].trie, state);
        if (code == unknown) return std::nullopt;
        return numbers[term.numbers][index_of(code)];
    }
    std::int64_t number(const Term& term, const Word* state, Resolver& resolver) const {
        const Schema& schema = resolver.program().schema;
        if (term.of == Term::Of::value) return numbers[term.numbers][schema.layout.fields[term.index].load(state)];
        if (term.of == Term::Of::size) return schema.size_of(term.index, state);
        const std::uint32_t id = resolver.evaluate({Role::summand, term.index}, state);
        return numbers[term.numbers][id];
    }
};

/// Values to numbers, by open addressing: looked at once for every step that may change progress.
class ValueMap {
public:
    /// The number of a value, or `missing`.
    std::uint32_t find(const LinearMeasure::Value& value) const {
        if (slots_.empty()) return missing;
        for (std::size_t at = hash(value) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].number == missing || same(slots_[at].value, value)) return slots_[at].number;
        }
    }
    void insert(const LinearMeasure::Value& value, std::uint32_t number) {
        if (2 * (size_ + 1) > slots_.size()) {
            std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
            old.swap(slots_);
            for (const Slot& slot : old)
                if (slot.number != missing) put(slot);
        }
        put({value, number});
        ++size_;
    }
    /// Forget a value that is there. Those behind it move up, so that no search ends too early.
    void erase(const LinearMeasure::Value& value) {
        const std::size_t last = slots_.size() - 1;
        std::size_t free = hash(value) & last;
        while (!same(slots_[free].value, value) || slots_[free].number == missing) free = (free + 1) & last;
        for (std::size_t at = (free + 1) & last; slots_[at].number != missing; at = (at + 1) & last) {
            if (((at - hash(slots_[at].value)) & last) < ((at - free) & last)) continue;  // it starts its search behind the free slot
            slots_[free] = slots_[at];
            free = at;
        }
        slots_[free] = {};
        --size_;
    }
    static constexpr std::uint32_t missing = ~std::uint32_t{0};

private:
    struct Slot {
        LinearMeasure::Value value{};
        std::uint32_t number = missing;
    };
    static bool same(const LinearMeasure::Value& a, const LinearMeasure::Value& b) {
        return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) == 0;
    }
    static std::size_t hash(const LinearMeasure::Value& value) {
        Word result = 0x9E3779B97F4A7C15ull;
        for (const std::int64_t part : value) result = fold(result ^ static_cast<Word>(part), 0xD1B54A32D192ED03ull);
        return static_cast<std::size_t>(result);
    }
    void put(const Slot& slot) {
        std::size_t at = hash(slot.value) & (slots_.size() - 1);
        while (slots_[at].number != missing) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = slot;
    }
    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

}  // namespace sweep
