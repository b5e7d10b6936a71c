#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/program/resolver.hpp"

namespace sweep {

/// A progress measure whose value is a number, or a tuple of numbers compared lexicographically, each a sum with whole
/// coefficients: of scalars, of sizes of bags and queues, and of functions, each of which has a table of its own. What looks at few
/// variables needs a small table, however many of them are added up; and so does what looks at few sums of many variables.
class LinearMeasure {
public:
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
    std::vector<std::vector<Component>> arguments;   // per function: the sums that it is a function of; none: not known

    Sums value(const Word* state, Resolver& resolver) const {
        Program& program = resolver.program();
        return *add_up(components, state, program, [&](FunctionId id, const Sums* sums) -> std::optional<std::uint32_t> {
            const std::uint32_t known = sums ? program[id].by_sums.find(*sums) : SumMap::missing;
            if (known != SumMap::missing) return known;
            const std::uint32_t value = resolver.evaluate(id, state);
            if (sums) program[id].by_sums.insert(*sums, value);
            return value;
        });
    }
    /// The same, if no function has to be asked for it.
    std::optional<Sums> known_value(const Word* state, const Program& program) const {
        return add_up(components, state, program, [&](FunctionId id, const Sums* sums) -> std::optional<std::uint32_t> {
            const std::uint32_t known = sums ? program[id].by_sums.find(*sums) : SumMap::missing;
            if (known != SumMap::missing) return known;
            const Code code = program.look_up(program[id].trie, state);
            return code == unknown ? std::nullopt : std::optional(index_of(code));
        });
    }

private:
    /// `ask` says what a function comes to, whose sums are given where it is one of few sums; or that it does not know.
    template <class Ask>
    std::optional<Sums> add_up(const std::vector<Component>& sums, const Word* state, const Program& program, Ask&& ask) const {
        Sums result{};
        for (std::size_t i = 0; i < sums.size(); ++i) {
            std::int64_t sum = sums[i].constant;
            for (const Term& term : sums[i].terms) {
                const std::optional<std::int64_t> number = this->number(term, state, program, ask);
                if (!number) return std::nullopt;
                sum += term.coefficient * *number;
            }
            result[i] = sum;
        }
        return result;
    }
    template <class Ask>
    std::optional<std::int64_t> number(const Term& term, const Word* state, const Program& program, Ask&& ask) const {
        const Schema& schema = program.schema;
        if (term.of == Term::Of::value) return numbers[term.numbers][schema.layout.fields[term.index].load(state)];
        if (term.of == Term::Of::size) return schema.size_of(term.index, state);
        std::optional<Sums> sums;
        if (!arguments[term.index].empty()) {
            sums = add_up(arguments[term.index], state, program, ask);
            if (!sums) return std::nullopt;
        }
        const std::optional<std::uint32_t> id = ask(FunctionId{Role::summand, term.index}, sums ? &*sums : nullptr);
        return id ? std::optional(numbers[term.numbers][*id]) : std::nullopt;
    }
};

}  // namespace sweep
