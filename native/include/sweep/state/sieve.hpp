#pragma once
#include <cstdint>
#include <vector>

#include "sweep/state/contents.hpp"

namespace sweep {

/// A way to look at a part of a bag or queue. Every token belongs to a class, which somebody has to say once, or does not matter. What
/// is looked at are the classes of the tokens that are there, and how often where that counts.
struct Sieve {
    static constexpr Id unasked = 0, passed_over = 1, unfit = 2;  // unfit: of such a token nothing can be said
    static constexpr Id first_class = 3;
    static constexpr std::uint32_t absent_key = 0, present_key = 1;    // the answers where only one of its classes is asked for
    static constexpr std::uint32_t unfit_key = ~std::uint32_t{0} - 1;  // the answer where one of them is there

    std::uint32_t field = 0;
    bool counts = true;
    bool in_order = false;    // of a queue: each class in the place of its token, and not put together
    bool membership = false;  // of a queue: whether any token that matters is there, and nothing else
    std::vector<Id> classes;  // by token
    Contents met;             // what was there: pairs of class and count, classes descending unless in order

    Id class_of(Id token) const { return token < classes.size() ? classes[token] : unasked; }
    bool passes(Id token) const { return class_of(token) >= first_class; }
    void set_class(Id token, Id its) {
        if (token >= classes.size()) classes.resize(token + std::size_t{1}, unasked);
        classes[token] = its;
    }
};

}  // namespace sweep
