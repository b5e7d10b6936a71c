// Token ring. Bit i: process i waits or is critical; bit n: the holder is critical; above it, who holds the token.
#include "exploration.hpp"

struct TokenRing {
    using Word = bench::Word;
    static constexpr unsigned n = SIZE;
    static constexpr Word all = (Word{1} << n) - 1, critical = Word{1} << n;
    static constexpr unsigned token = n + 1;
    static constexpr Word never_zero = Word{1} << 63;

    static Word initial() { return never_zero; }

    static void successors(Word state, auto&& offer) {
        for (Word idle = ~state & all; idle != 0; idle &= idle - 1) offer(state | (idle & -idle));
        const Word holder = (state & ~never_zero) >> token;
        if (state & critical) {
            offer(state & ~(critical | Word{1} << holder));
            return;
        }
        offer(holder + 1 == n ? state - (Word{n - 1} << token) : state + (Word{1} << token));
        if (state >> holder & 1) offer(state | critical);
    }
};

int main(int count, char** arguments) { return bench::run<TokenRing>(count, arguments); }
