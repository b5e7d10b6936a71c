// Counters that only go up, eight bits each; progress is their sum.
#include "exploration.hpp"

struct Grid {
    using Word = bench::Word;
    static constexpr unsigned counters = COUNTERS, top = TOP;
    static constexpr std::size_t layers = counters * top + 1;
    static constexpr Word never_zero = Word{1} << 63;
    static_assert(counters <= 7 && top < 256);

    static Word initial() { return never_zero; }

    static std::size_t layer(Word state) {
        std::size_t sum = 0;
        for (unsigned i = 0; i < counters; ++i) sum += state >> (8 * i) & 255;
        return sum;
    }

    static void successors(Word state, auto&& offer) {
        for (unsigned i = 0; i < counters; ++i)
            if ((state >> (8 * i) & 255) < top) offer(state + (Word{1} << (8 * i)));
    }
};

int main(int count, char** arguments) { return bench::run<Grid>(count, arguments); }
