#pragma once
#include <cstdint>
#include <vector>

#include "sweep/state/schema.hpp"

namespace sweep {

/// A number of tokens: what some bags hold together, each counted so often, or the most of one token that one of them holds.
class TokenNumber {
public:
    struct Term {
        std::uint32_t bag;
        std::int64_t coefficient = 1;
    };

    TokenNumber() = default;
    TokenNumber(std::vector<Term> terms, std::int64_t constant, bool most) : terms_(std::move(terms)), constant_(constant), most_(most) {}

    /// For the present layout: bags that need one bit for each token are counted word by word.
    void compile(const Schema& schema);
    std::int64_t in(const Word* state, const Schema& schema) const;

private:
    struct Bits {
        std::uint32_t word;
        Word mask;
        std::int64_t coefficient;
    };

    std::int64_t most_in(const Word* state, const Schema& schema) const;

    std::vector<Term> terms_;
    std::int64_t constant_ = 0;  // added to the sum; the most is at least this
    bool most_ = false;
    std::vector<Bits> bits_;
    std::vector<Term> wide_;  // the others
};

}  // namespace sweep
