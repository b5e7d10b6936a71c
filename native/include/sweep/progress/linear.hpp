#pragma once
#include <cstdint>
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

    Sums value(const Word* state, Resolver& resolver) const { return add_up(components, state, resolver); }

private:
    Sums add_up(const std::vector<Component>& sums, const Word* state, Resolver& resolver) const {
        Sums result{};
        for (std::size_t i = 0; i < sums.size(); ++i) {
            std::int64_t sum = sums[i].constant;
            for (const Term& term : sums[i].terms) sum += term.coefficient * number(term, state, resolver);
            result[i] = sum;
        }
        return result;
    }
    std::int64_t number(const Term& term, const Word* state, Resolver& resolver) const {
        const Schema& schema = resolver.program().schema;
        if (term.of == Term::Of::value) return numbers[term.numbers][schema.layout.fields[term.index].load(state)];
        if (term.of == Term::Of::size) return schema.size_of(term.index, state);
        return numbers[term.numbers][evaluate({Role::summand, term.index}, state, resolver)];
    }
    std::uint32_t evaluate(FunctionId id, const Word* state, Resolver& resolver) const {
        if (arguments[id.index].empty()) return resolver.evaluate(id, state);
        const Sums sums = add_up(arguments[id.index], state, resolver);
        const std::uint32_t known = resolver.program()[id].by_sums.find(sums);
        if (known != SumMap::missing) return known;
        const std::uint32_t value = resolver.evaluate(id, state);
        resolver.program()[id].by_sums.insert(sums, value);
        return value;
    }
};

}  // namespace sweep
