#pragma once
#include <utility>

namespace sweep {

/// How many words a state has, and by how many of them, from the first on, states are told apart: where states are equivalent these
/// hold their class.
struct Width {
    Width(int all) : words(all), compared(all) {}
    Width(int all, int first) : words(all), compared(first) {}
    int words, compared;
};

/// Call a function template with the width of states, in words, known at compile time; 0 where they are wider than most.
template <class Call>
decltype(auto) with_width(int words, Call&& call) {
    switch (words) {
        case 1: return call.template operator()<1>();
        case 2: return call.template operator()<2>();
        case 3: return call.template operator()<3>();
        case 4: return call.template operator()<4>();
        default: return call.template operator()<0>();
    }
}

}  // namespace sweep
