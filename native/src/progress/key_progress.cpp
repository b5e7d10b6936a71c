#include "sweep/progress/key_progress.hpp"

#include <algorithm>
#include <bit>

namespace sweep {

namespace {

constexpr std::uint64_t all_parts = ~std::uint64_t{0};

}  // namespace

bool KeyProgress::has_columns() const {
    return std::any_of(product_.parts.begin(), product_.parts.end(), [](const Part& part) { return part.monotone; });
}

inline bool KeyProgress::leq(std::uint32_t index, std::uint32_t one, std::uint32_t other) {
    Part& part = product_.parts[index];
    if (part.total) return part.labels[one] <= part.labels[other];
    return part.known(one, other, [&](std::uint32_t a, std::uint32_t b) { return orders_.leq(index, a, b); });
}

void KeyProgress::evaluate(const Word* state) {
    scratch_.resize(product_.parts.size());
    for (std::uint32_t i = 0; i < scratch_.size(); ++i) scratch_[i] = value(i, state);
}

const Word* KeyProgress::key_of(const Word* state) {
    evaluate(state);
    key_.resize(product_.key_words());
    product_.key(scratch_.data(), key_.data());
    return key_.data();
}

void KeyProgress::begin(const Word* key) {
    values_.resize(product_.parts.size());
    product_.values(key, values_.data());
    current_.assign(key, key + product_.key_words());
}

void KeyProgress::renew() {
    current_.resize(product_.key_words());
    if (!values_.empty()) product_.key(values_.data(), current_.data());
}

/// The parts that an outcome may change; all of them where that is not known.
inline std::uint64_t KeyProgress::touched_by(std::uint32_t outcome) {
    const std::size_t parts = product_.parts.size();
    if (outcome == no_outcome) return all_parts;
    Program& program = resolver_.program();
    if (known_ != program.epoch + resolver_.widened()) {  // both only rise
        known_ = program.epoch + resolver_.widened();
        touched_.clear();
    }
    if (outcome >= touched_.size()) touched_.resize(program.outcomes.size(), all_parts);
    std::uint64_t& touched = touched_[outcome];
    if (touched != all_parts) return touched;
    touched = 0;
    program.outcomes.each_changed(outcome, [&](std::uint32_t field) {
        for (std::uint32_t i = 0; i < parts; ++i) {
            const std::vector<std::uint8_t>& observed = functions_[i].observed;
            if (field < observed.size() && observed[field]) touched |= std::uint64_t{1} << i;
        }
    });
    return touched;
}

/// Visit the parts that an outcome may change.
template <class Visit>
inline void KeyProgress::each_touched(std::uint32_t outcome, Visit&& visit) {
    const std::uint32_t parts = static_cast<std::uint32_t>(product_.parts.size());
    if (parts >= 64) {
        for (std::uint32_t i = 0; i < parts; ++i) visit(i);
        return;
    }
    for (std::uint64_t left = touched_by(outcome) & low_bits(static_cast<int>(parts)); left; left &= left - 1)
        visit(static_cast<std::uint32_t>(std::countr_zero(left)));
}

void KeyProgress::place(const Batch& batch, Block& block) {
    const std::uint32_t* const here = values_.data();
    block.turns.resize(block.candidates);
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        const Word* state = block.state(c);
        bool elsewhere = false, back = false;
        each_touched(block.found[c].outcome, [&](std::uint32_t i) {
            const std::uint32_t value = this->value(i, state);
            if (value == here[i]) return;
            const bool below = leq(i, here[i], value);
            if (product_.parts[i].monotone) {
                elsewhere = true;
                if (!below) throw regress(resolver_.program().schema, batch, block, c);
            } else {
                back |= !below;
            }
        });
        if (back && !elsewhere && !may_regress_) throw regress(resolver_.program().schema, batch, block, c);
        block.turns[c] = elsewhere ? Turn::elsewhere : back ? Turn::back : Turn::ahead;
    }
}

const Word* KeyProgress::key_of(const Block& block, std::uint32_t candidate) {
    key_ = current_;
    each_touched(block.found[candidate].outcome,
                 [&](std::uint32_t i) { product_.change(key_.data(), i, value(i, block.state(candidate))); });
    return key_.data();
}

}  // namespace sweep
