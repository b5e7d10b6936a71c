#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sweep/state/hash.hpp"

namespace sweep {

constexpr std::size_t most_sums = 4;
using Sums = std::array<std::int64_t, most_sums>;  // those that are not used are 0

/// Sums to numbers, by open addressing: looked at once for every step that may change progress.
class SumMap {
public:
    /// The number of a value, or `missing`.
    std::uint32_t find(const Sums& value) const {
        if (slots_.empty()) return missing;
        for (std::size_t at = hash(value) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].number == missing || same(slots_[at].value, value)) return slots_[at].number;
        }
    }
    void insert(const Sums& value, std::uint32_t number) {
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
    void erase(const Sums& value) {
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
    std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

private:
    struct Slot {
        Sums value{};
        std::uint32_t number = missing;
    };
    static bool same(const Sums& a, const Sums& b) { return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3])) == 0; }
    static std::size_t hash(const Sums& value) {
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
