#pragma once
#include <cstddef>
#include <vector>

#include "sweep/state/schema.hpp"

namespace sweep {

/// The initial states, one after the other in one piece: there may be millions of them, and a state taken apart is many times as large.
class Roots {
public:
    Roots() = default;
    Roots(const std::vector<Unpacked>& states) {  // implicit, since a list of states is meant where these are asked for
        for (const Unpacked& state : states) add(state);
    }

    std::size_t size() const { return starts_.size(); }

    void add(const Unpacked& state) {
        starts_.push_back(numbers_.size());
        for (const std::vector<Id>& variable : state) {
            numbers_.push_back(static_cast<Id>(variable.size()));
            numbers_.insert(numbers_.end(), variable.begin(), variable.end());
        }
    }

    Unpacked operator[](std::size_t root) const {
        Unpacked state;
        const std::size_t end = root + 1 < size() ? starts_[root + 1] : numbers_.size();
        for (std::size_t at = starts_.at(root); at < end; at += numbers_[at] + 1) {
            const auto first = numbers_.begin() + static_cast<std::ptrdiff_t>(at) + 1;
            state.emplace_back(first, first + static_cast<std::ptrdiff_t>(numbers_[at]));
        }
        return state;
    }

private:
    std::vector<std::size_t> starts_;
    std::vector<Id> numbers_;  // per variable of a state: how many follow, and these
};

}  // namespace sweep
