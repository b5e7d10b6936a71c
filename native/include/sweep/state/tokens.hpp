#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "sweep/state/layout.hpp"

namespace sweep {

/// Distinct tokens of a bag with their counts; those that fit into a state need no memory of their own.
class TokenCounts {
public:
    std::size_t size() const { return size_; }
    Id token(std::size_t i) const { return i < room ? near_[2 * i] : far_[2 * (i - room)]; }
    Id count(std::size_t i) const { return i < room ? near_[2 * i + 1] : far_[2 * (i - room) + 1]; }
    void clear() {
        size_ = 0;
        far_.clear();
    }
    void push(Id token, Id count) {
        if (size_ < room) {
            near_[2 * size_] = token;
            near_[2 * size_ + 1] = count;
        } else {
            far_.insert(far_.end(), {token, count});
        }
        ++size_;
    }
    /// Add to the count of a token.
    void add(Id token, Id count) {
        for (std::size_t i = 0; i < size_; ++i)
            if (this->token(i) == token) {
                (i < room ? near_[2 * i + 1] : far_[2 * (i - room) + 1]) += count;
                return;
            }
        push(token, count);
    }
    /// Tokens descending.
    void sort() {
        std::vector<std::pair<Id, Id>> all;
        for (std::size_t i = 0; i < size_; ++i) all.emplace_back(token(i), count(i));
        std::sort(all.begin(), all.end(), std::greater<>());
        clear();
        for (const auto& [token, count] : all) push(token, count);
    }

private:
    static constexpr std::size_t room = 16;
    std::array<Id, 2 * room> near_;
    std::vector<Id> far_;
    std::size_t size_ = 0;
};

}  // namespace sweep
