#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace sweep {

/// A constant and scalars with whole coefficients, ordered by variable: what a function makes of numbers before it compares them.
struct Sum {
    struct Term {
        std::uint32_t field = 0;
        std::int32_t coefficient = 0;
        bool operator==(const Term&) const = default;
    };
    static constexpr std::size_t most_terms = 8;
    static constexpr std::int32_t most_coefficient = 1 << 15;
    static constexpr std::int64_t most_constant = std::int64_t{1} << 60;

    std::array<Term, most_terms> terms{};
    std::uint32_t size = 0;
    std::int64_t constant = 0;

    static Sum of(std::uint32_t field, std::int64_t constant = 0) {
        Sum sum;
        sum.terms[sum.size++] = {field, 1};
        sum.constant = constant;
        return sum;
    }
    const Term* begin() const { return terms.data(); }
    const Term* end() const { return terms.data() + size; }
    bool same_terms(const Sum& other) const { return size == other.size && terms == other.terms; }

    /// The sum of this and a multiple of another; nothing when it is too large to be kept.
    std::optional<Sum> plus(const Sum& other, std::int64_t times) const {
        Sum result;
        if (times > most_coefficient || times < -most_coefficient) return std::nullopt;
        if (__builtin_mul_overflow(other.constant, times, &result.constant)) return std::nullopt;
        if (__builtin_add_overflow(result.constant, constant, &result.constant)) return std::nullopt;
        if (result.constant > most_constant || result.constant < -most_constant) return std::nullopt;
        for (std::size_t i = 0, j = 0; i < size || j < other.size;) {
            const bool mine = i < size && (j == other.size || terms[i].field <= other.terms[j].field);
            const bool theirs = j < other.size && (i == size || other.terms[j].field <= terms[i].field);
            const std::uint32_t field = mine ? terms[i].field : other.terms[j].field;
            std::int64_t coefficient = 0;
            if (mine) coefficient += terms[i++].coefficient;
            if (theirs) coefficient += other.terms[j++].coefficient * times;
            if (coefficient == 0) continue;
            if (result.size == most_terms || coefficient > most_coefficient || coefficient < -most_coefficient) return std::nullopt;
            result.terms[result.size++] = {field, static_cast<std::int32_t>(coefficient)};
        }
        return result;
    }
    std::optional<Sum> times(std::int64_t factor) const { return Sum{}.plus(*this, factor); }
};

}  // namespace sweep
