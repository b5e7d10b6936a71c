#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "sweep/state/layout.hpp"

namespace sweep {

/// Many elements of an array taken together: their sum, the most or the least of them, whether any or all of them are something.
/// Each value counts as a number, which somebody has to say once.
struct Fold {
    enum class By : std::uint8_t { sum, most, least, any, all };
    static constexpr std::int64_t unasked = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t unfit = unasked + 1;  // such a value counts as no number
    static constexpr std::int64_t most_number = std::int64_t{1} << 30;

    By by = By::sum;
    std::uint32_t first = 0, stride = 1, count = 0;  // the variables
    std::vector<std::int64_t> numbers;               // by id

    std::int64_t number(std::uint64_t id) const { return id < numbers.size() ? numbers[id] : unasked; }
    std::uint32_t field(std::uint32_t i) const { return first + i * stride; }
    bool covers(std::uint32_t variable) const {
        return variable >= first && (variable - first) % stride == 0 && (variable - first) / stride < count;
    }
    void set_number(std::uint64_t id, std::int64_t number) {
        if (id >= numbers.size()) numbers.resize(id + 1, unasked);
        const bool fits = number <= most_number && number >= -most_number;
        numbers[id] = fits ? number : unfit;
    }

    /// What the elements come to; `unasked` or `unfit` when one of them, or all together, is that.
    std::int64_t total(const Layout& layout, const Word* state) const {
        std::int64_t total = by == By::sum || by == By::any ? 0 : by == By::most ? -most_number : by == By::least ? most_number : 1;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::int64_t one = number(layout.fields[field(i)].load(state));
            if (one <= unfit) return one;
            if (by == By::sum) total += one;
            if (by == By::most ? one > total : by == By::least && one < total) total = one;
            if (by == By::any && one) return 1;
            if (by == By::all && !one) return 0;
        }
        return total <= most_number && total >= -most_number ? total : unfit;
    }

    /// The number of an answer, and back; no node has a child for the number that is left.
    static constexpr std::uint32_t unfit_key = ~std::uint32_t{0} - 1;
    static constexpr std::uint32_t key_of(std::int64_t total) { return static_cast<std::uint32_t>(total + 2 * most_number); }
    static constexpr std::int64_t total_of(std::uint32_t key) { return static_cast<std::int64_t>(key) - 2 * most_number; }
};

}  // namespace sweep
