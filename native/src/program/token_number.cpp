#include "sweep/program/token_number.hpp"

#include <algorithm>

namespace sweep {

void TokenNumber::compile(const Schema& schema) {
    bits_.clear();
    wide_.clear();
    for (const Term& term : terms_) {
        const Field& field = schema.layout.fields[term.bag];
        if (schema.variables[term.bag].form == Form::counts && (field.slots == 0 || field.bits() == 0)) continue;  // always empty
        if (schema.variables[term.bag].form != Form::counts || field.bits() != 1 || field.high.width) {
            wide_.push_back(term);
            continue;
        }
        for (std::size_t i = 0; i < field.words(); ++i) {
            const auto word = static_cast<std::uint32_t>(field.low.word + i);
            const auto same = [&](const Bits& one) { return one.word == word && (most_ || one.coefficient == term.coefficient); };
            const auto found = std::find_if(bits_.begin(), bits_.end(), same);
            if (found == bits_.end())
                bits_.push_back({word, field.mask_of(i), term.coefficient});
            else if (most_ || !(found->mask & field.mask_of(i)))
                found->mask |= field.mask_of(i);
            else  // the same bag once more
                bits_.push_back({word, field.mask_of(i), term.coefficient});
        }
    }
}

std::int64_t TokenNumber::in(const Word* state, const Schema& schema) const {
    if (most_) return most_in(state, schema);
    std::int64_t total = constant_;
    for (const Bits& bits : bits_) total += bits.coefficient * __builtin_popcountll(state[bits.word] & bits.mask);
    for (const Term& term : wide_) total += term.coefficient * schema.size_of(term.bag, state);
    return total;
}

std::int64_t TokenNumber::most_in(const Word* state, const Schema& schema) const {
    std::int64_t most = constant_;
    if (most < 1 && std::any_of(bits_.begin(), bits_.end(), [&](const Bits& bits) { return state[bits.word] & bits.mask; })) most = 1;
    TokenCounts held;
    for (const Term& term : wide_) {
        held.clear();
        schema.tokens_of(term.bag, state, held);
        for (std::size_t i = 0; i < held.size(); ++i) most = std::max<std::int64_t>(most, held.count(i));
    }
    return most;
}

}  // namespace sweep
