#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sweep/state/layout.hpp"

namespace sweep {

/// The whole numbers that the values of a variable are, by id, and back.
class Numbers {
public:
    static constexpr std::int64_t most = std::int64_t{1} << 40;  // a larger one counts as none: sums stay within 64 bits
    static constexpr std::int64_t none = INT64_MIN;
    static constexpr Id no_id = ~Id{0};

    /// Whether every value so far is one.
    bool all() const { return all_; }
    /// The value with an id is this number, or `none`.
    void set(Id id, std::int64_t number) {
        if (id >= by_id_.size()) by_id_.resize(std::size_t{id} + 1, none);
        by_id_[id] = number;
        all_ &= number != none;
        if (number == none) return;
        if (!is_near(number)) {
            far_[number] = id;
            return;
        }
        const auto at = static_cast<std::size_t>(number);
        if (at >= near_.size()) near_.resize(at + 1, no_id);
        near_[at] = id;
    }
    Id size() const { return static_cast<Id>(by_id_.size()); }  // values with a greater id are none
    std::int64_t operator[](Id id) const { return id < by_id_.size() ? by_id_[id] : none; }
    Id find(std::int64_t number) const {
        if (is_near(number)) return static_cast<std::size_t>(number) < near_.size() ? near_[static_cast<std::size_t>(number)] : no_id;
        const auto found = far_.find(number);
        return found == far_.end() ? no_id : found->second;
    }

private:
    /// Counters start at 0: their numbers are found without hashing.
    static bool is_near(std::int64_t number) { return number >= 0 && number < (1 << 16); }

    bool all_ = true;
    std::vector<std::int64_t> by_id_;
    std::vector<Id> near_;
    std::unordered_map<std::int64_t, Id> far_;
};

}  // namespace sweep
