#include "sweep/progress/key_progress.hpp"

#include <algorithm>

namespace sweep {

bool KeyProgress::has_columns() const {
    return std::any_of(product_.parts.begin(), product_.parts.end(), [](const Part& part) { return part.monotone; });
}

inline bool KeyProgress::leq(std::uint32_t index, std::uint32_t one, std::uint32_t other) {
    Part& part = product_.parts[index];
    if (part.total) return part.labels[one] <= part.labels[other];
    return part.known(one, other, [&](std::uint32_t a, std::uint32_t b) { return orders_.leq(index, a, b); });
}

const Word* KeyProgress::key_of(const Word* state) {
    scratch_.resize(product_.parts.size());
    for (std::uint32_t i = 0; i < scratch_.size(); ++i) scratch_[i] = value(i, state);  // each may take a place among the others
    key_.resize(product_.key_words());
    product_.key(scratch_.data(), key_.data());
    return key_.data();
}

void KeyProgress::begin(const Word* key) {
    values_.resize(product_.parts.size());
    product_.values(key, values_.data());
    current_.assign(key, key + product_.key_words());
    key_.resize(product_.key_words());
}

void KeyProgress::renew() {
    current_.resize(product_.key_words());
    key_.resize(product_.key_words());
    if (!values_.empty()) product_.key(values_.data(), current_.data());
}

void KeyProgress::add_touch(std::uint32_t index, Touch::How how, std::uint32_t value) {
    const Part& part = product_.parts[index];
    const Word label = how == Touch::How::varies ? 0 : product_.label(index, value);
    touches_.push_back({how, part.monotone, static_cast<std::uint16_t>(part.word), index, value, product_.mask(index), label});
}

/// Which parts an outcome changes, found out in a state that it leads to.
void KeyProgress::find_touches(std::uint32_t outcome, const Word* state) {
    enum Change : std::uint8_t { none, set, other };
    const Program& program = resolver_.program();
    std::vector<Change> changes(program.schema.variables.size(), none);
    std::vector<std::uint32_t> changed;
    program.outcomes.each_op(outcome, [&](const Op& op) {
        if (changes[op.field] == none) changed.push_back(op.field);
        changes[op.field] = std::max(changes[op.field], op.what == Op::Do::set ? set : other);
    });
    const std::uint32_t first = static_cast<std::uint32_t>(touches_.size());
    for (std::uint32_t i = 0; i < functions_.size(); ++i) {
        const std::vector<std::uint8_t>& observed = functions_[i].observed;
        const auto looks = [&](std::uint32_t field) { return field < observed.size() && observed[field]; };
        if (std::none_of(changed.begin(), changed.end(), looks)) continue;
        const std::uint32_t value = this->value(i, state);  // before it is said what the part looks at
        bool fixed = true;
        for (std::uint32_t field = 0; field < observed.size() && fixed; ++field) fixed = !observed[field] || changes[field] == set;
        add_touch(i, !fixed ? Touch::How::varies : product_.parts[i].total ? Touch::How::fixed : Touch::How::partly, value);
    }
    outcomes_[outcome] = {first, static_cast<std::uint32_t>(touches_.size()), true};
}

inline KeyProgress::Touches KeyProgress::touched_by(std::uint32_t outcome, const Word* state) {
    const std::uint32_t parts = static_cast<std::uint32_t>(functions_.size());
    if (known_ != knowledge()) [[unlikely]] {
        known_ = knowledge();
        renew();
        outcomes_.clear();
        touches_.clear();
        for (std::uint32_t i = 0; i < parts; ++i) add_touch(i, Touch::How::varies, 0);
    }
    if (outcome == no_outcome) return {0, parts, true};
    if (outcome >= outcomes_.size()) outcomes_.resize(resolver_.program().outcomes.size());
    if (!outcomes_[outcome].known) find_touches(outcome, state);
    return outcomes_[outcome];
}

/// Where a candidate lies; whether the step to it is one that must not be.
inline Turn KeyProgress::turn(const Block& block, std::uint32_t candidate, bool& regresses) {
    const Word* state = block.state(candidate);
    const Touches touched = touched_by(block.found[candidate].outcome, state);
    bool elsewhere = false, back = false, out_of_order = false;
    for (std::uint32_t i = touched.first; i < touched.end; ++i) {
        const Touch& touch = touches_[i];
        bool other, lower;
        if (touch.how == Touch::How::fixed) {
            const Word now = current_[touch.word] & touch.mask;
            other = touch.label != now;
            lower = touch.label < now;
        } else {
            const std::uint32_t value = this->value(touch, state);
            other = value != values_[touch.part];
            lower = other && !leq(touch.part, values_[touch.part], value);
        }
        elsewhere |= touch.monotone & other;
        out_of_order |= touch.monotone & lower;
        back |= !touch.monotone & lower;
    }
    regresses = out_of_order || (back && !elsewhere && !may_regress_);
    return elsewhere ? Turn::elsewhere : back ? Turn::back : Turn::ahead;
}

void KeyProgress::place(const Batch& batch, Block& block) {
    block.turns.resize(block.candidates);
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        bool regresses;
        do {  // again where a new value has changed keys
            block.turns[c] = turn(block, c, regresses);
        } while (known_ != knowledge());
        if (regresses) throw regress(resolver_.program().schema, batch, block, c);
    }
}

const Word* KeyProgress::key_of(const Block& block, std::uint32_t candidate) {
    std::copy(current_.begin(), current_.end(), key_.begin());
    const Word* state = block.state(candidate);
    const Touches touched = touched_by(block.found[candidate].outcome, state);
    for (std::uint32_t i = touched.first; i < touched.end; ++i) {
        const Touch& touch = touches_[i];
        Word& word = key_[touch.word];
        word = (word & ~touch.mask) | (touch.how == Touch::How::varies ? product_.label(touch.part, value(touch.part, state)) : touch.label);
    }
    return key_.data();
}

}  // namespace sweep
