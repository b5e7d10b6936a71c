// Dining philosophers. Bit i says that philosopher i holds the left fork, bit n + i the right one; every step flips one
// bit, so the steps of all philosophers are found at once with masks.
#include "exploration.hpp"

struct Philosophers {
    using Word = bench::Word;
    static constexpr unsigned n = SIZE;
    static constexpr Word all = (Word{1} << n) - 1, never_zero = Word{1} << (2 * n);

    static Word initial() { return never_zero; }

    static void successors(Word state, auto&& offer) {
        const Word left = state & all, right = state >> n & all;
        const Word taken = left | ((right << 1 | right >> (n - 1)) & all);  // fork i: left of i, right of i - 1
        const Word next_taken = taken >> 1 | (taken << (n - 1) & all);
        const Word flip_left = (~left & ~right & ~taken & all) | (left & right);
        const Word flip_right = (left & ~right & ~next_taken) | (right & ~left);
        for (Word flips = flip_left | flip_right << n; flips != 0; flips &= flips - 1) offer(state ^ (flips & -flips));
    }
};

int main(int count, char** arguments) { return bench::run<Philosophers>(count, arguments); }
