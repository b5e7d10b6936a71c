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

bool KeyProgress::same(const Word* one, const Word* other) {
    for (std::uint32_t i = 0; i < functions_.size(); ++i)
        if (value(i, one) != value(i, other)) return false;
    return true;
}

void KeyProgress::begin(const Word* key) {
    if (current_version_ != product_.version || !at_work_) {
        at_work_ = false;
        renew();
        at_work_ = true;
    }
#pragma GCC unroll 1  // mostly one
    for (std::size_t i = 0; i < current_.size(); ++i) current_[i] = key[i];
}

void KeyProgress::renew() {
    if (current_version_ == product_.version) return;
    current_version_ = product_.version;
    current_.resize(product_.key_words());
    key_.resize(product_.key_words());
    if (at_work_)
        product_.key(values_.data(), current_.data());  // they were read before the version rose
    else
        values_.clear();
    valued_ = current_;
}

const std::vector<std::uint32_t>& KeyProgress::values() const {
    if (current_version_ != product_.version) return values_;  // the key says nothing any more: they were read before it was out of date
    if (values_.empty()) {
        values_.resize(product_.parts.size());
        product_.values(current_.data(), values_.data());
    } else {
        product_.values(current_.data(), valued_.data(), values_.data());
    }
    valued_ = current_;
    return values_;
}

const std::vector<std::uint32_t>& KeyProgress::left_values() {
    if (!left_read_) {
        left_values_.resize(product_.parts.size());
        product_.values(left_.data(), left_values_.data());
        left_read_ = true;
    }
    return left_values_;
}

/// Keys that stand for something will be out of date.
void KeyProgress::read_keys() {
    if (at_work_ && current_version_ == product_.version) values();
    left_values();
}

void KeyProgress::forget_steps() {
    known_ = knowledge();
    renew();
    touches_.clear();
    for (std::uint32_t i = 0; i < functions_.size(); ++i) touches_.push_back({i, Touch::varies});
    steps_.assign(1, {0, static_cast<std::uint32_t>(touches_.size()), true});
    event_steps_.clear();
}

bool KeyProgress::looks_at(std::uint32_t part, const std::vector<std::uint32_t>& fields) const {
    const std::vector<std::uint8_t>& observed = functions_[part].observed;
    return std::any_of(fields.begin(), fields.end(), [&](std::uint32_t field) { return field < observed.size() && observed[field]; });
}

/// Which parts an event changes: its participants are known, and where they go is not.
void KeyProgress::find_touches(Step& step, const Synchronisation& event) {
    std::vector<std::uint32_t> changed;
    for (const Synchronisation::Participant& participant : event.participants) changed.push_back(participant.field);
    step.first = static_cast<std::uint32_t>(touches_.size());
    for (std::uint32_t i = 0; i < functions_.size(); ++i)
        if (looks_at(i, changed)) touches_.push_back({i, Touch::varies});
    step.end = static_cast<std::uint32_t>(touches_.size());
    step.known = true;
}

/// Which parts an outcome changes, found out in a state that it leads to.
void KeyProgress::find_touches(Step& step, std::uint32_t outcome, const Word* state) {
    enum Change : std::uint8_t { none, set, other };
    const Program& program = resolver_.program();
    std::vector<Change> changes(program.schema.variables.size(), none);
    std::vector<std::uint32_t> changed;
    program.outcomes.each_op(outcome, [&](const Op& op) {
        if (changes[op.field] == none) changed.push_back(op.field);
        changes[op.field] = std::max(changes[op.field], op.what == Op::Do::set ? set : other);
    });
    step.first = static_cast<std::uint32_t>(touches_.size());
    for (std::uint32_t i = 0; i < functions_.size(); ++i) {
        const std::vector<std::uint8_t>& observed = functions_[i].observed;
        if (!looks_at(i, changed)) continue;
        const std::uint32_t value = this->value(i, state);  // before it is said what the part looks at
        bool fixed = true;
        for (std::uint32_t field = 0; field < observed.size() && fixed; ++field) fixed = !observed[field] || changes[field] == set;
        touches_.push_back({i, fixed ? value : Touch::varies});
    }
    step.end = static_cast<std::uint32_t>(touches_.size());
    step.known = true;
}

inline KeyProgress::Step& KeyProgress::step_by(const Block::Candidate& found, const Word* state) {
    if (known_ != knowledge() || steps_.empty()) [[unlikely]]
        forget_steps();
    const Program& program = resolver_.program();
    if (found.outcome == no_outcome)
        if (const Synchronisation* const event = program.synchronisation(found.action); event && event->untabulated) {
            if (event_steps_.empty()) event_steps_.resize(program.actions().size());
            if (!event_steps_[found.action].known) find_touches(event_steps_[found.action], *event);
            return event_steps_[found.action];
        }
    const std::uint32_t index = found.outcome + 1;  // 0 for `no_outcome`
    if (index >= steps_.size()) steps_.resize(program.outcomes.size() + 1);
    if (!steps_[index].known) find_touches(steps_[index], found.outcome, state);
    return steps_[index];
}

/// Look at a step to a state, part by part: where it leads, and whether it is one that must not be.
Turn KeyProgress::take(Step& step, const Word* state, bool& regresses) {
    bool elsewhere = false, back = false;
    values();
    for (std::uint32_t i = step.first; i < step.end; ++i) {
        const std::uint32_t part = touches_[i].part, here = values_[part], there = value(touches_[i], state);
        if (here == there) continue;
        const bool monotone = product_.parts[part].monotone, below = leq(part, here, there);
        elsewhere |= monotone;
        back |= !monotone && !below;
        regresses |= monotone && !below;
    }
    regresses |= back && !elsewhere && !may_regress_;
    return elsewhere ? Turn::elsewhere : back ? Turn::back : Turn::ahead;
}

/// Remember a step from the states at work, if all it changes is in one word of the key and always becomes the same.
void KeyProgress::remember(Step& step, Turn turn) {
    Word mask = 0, to = 0;
    std::size_t word = product_.key_words();
    for (std::uint32_t i = step.first; i < step.end; ++i) {
        const Part& part = product_.parts[touches_[i].part];
        if (touches_[i].value == Touch::varies || (i > step.first && part.word != word)) return;
        word = part.word;
        mask |= part.mask();
        to |= part.labels[touches_[i].value] << part.shift;
    }
    if (step.first == step.end) word = 0;
    step.turn = turn;
    step.word = static_cast<std::uint16_t>(word);
    step.mask = mask;
    step.from = current_[word] & mask;
    step.to = to;
}

/// The turns of candidates from this one on, as long as their steps are remembered: a block mostly knows all of its own. The first
/// whose step is not.
inline std::uint32_t KeyProgress::place_remembered(Block& block, std::uint32_t from, std::uint32_t end, const Word* key) const {
    if (known_ != knowledge()) return from;
    const Block::Candidate* const found = block.found.data();
    Turn* const turns = block.turns.data();
    std::uint32_t c = from;
    for (; c < end; ++c) {
        const std::uint32_t index = found[c].outcome + 1;
        if (index >= steps_.size() || !steps_[index].begins_at(key)) break;
        turns[c] = steps_[index].turn;
    }
    return c;
}

std::uint32_t KeyProgress::place_remembered(Block& block, Parents parents, const Word* keys) const {
    if (block.turns.size() < block.candidates) block.turns.resize(block.candidates);
    std::uint32_t p = parents.first;
    for (; p < parents.last; ++p) {
        const std::uint32_t end = block.parents[p].end;
        if (place_remembered(block, block.parents[p].begin, end, keys + p * product_.key_words()) < end) break;
    }
    return p;
}

void KeyProgress::place(const Batch& batch, Block& block, Parents parents) {
    if (block.turns.size() < block.candidates) block.turns.resize(block.candidates);
    // The successors of late parents lie behind all others: then all parents are at work.
    const std::uint32_t begin = block.late.empty() ? block.parents[parents.first].begin : 0;
    const std::uint32_t end = block.late.empty() ? block.parents[parents.last - 1].end : block.candidates;
    const auto remembered = [&](std::uint32_t from) { return place_remembered(block, from, end, current_.data()); };
    for (std::uint32_t c = remembered(begin); c < end; c = remembered(c + 1)) {
        Step& step = step_by(block.found[c], block.state(c));
        bool regresses = false;
        block.turns[c] = take(step, block.state(c), regresses);
        if (regresses) throw regress(resolver_.program().schema, batch, block, c);
        if (known_ == knowledge()) remember(step, block.turns[c]);
    }
}

bool KeyProgress::foresees_climbs() const {
    const auto foreseen = [](const Part& part) { return !part.by_id.empty(); };
    return !may_regress_ && product_.parts.size() < 64 && std::all_of(product_.parts.begin(), product_.parts.end(), foreseen);
}

Sums KeyProgress::climb(std::uint32_t outcome) const {
    Word may = 0, surely = 0, met = 0;
    resolver_.program().outcomes.each_op(outcome, [&](const Op& op) {
        for (std::size_t i = 0; i < product_.parts.size(); ++i) {
            const Part& part = product_.parts[i];
            if (part.field != op.field) continue;
            const Word bit = Word{1} << (product_.parts.size() - 1 - product_.position(i));
            const bool told = op.what == Op::Do::set && op.observed && !(met & bit);
            met |= bit;
            if (told && part.by_id[op.before] == part.by_id[op.id]) continue;
            may |= bit;
            surely = told ? surely | bit : surely & ~bit;
        }
    });
    return {static_cast<std::int64_t>(may), static_cast<std::int64_t>(surely)};
}

const Word* KeyProgress::key_of(const Block& block, std::uint32_t candidate) {
    const Word* state = block.state(candidate);
    const Step& step = step_by(block.found[candidate], state);
    copy(current_, key_);
    if (step.begins_at(current_.data())) {
        key_[step.word] = (key_[step.word] & ~step.mask) | step.to;
        return key_.data();
    }
    for (std::uint32_t i = step.first; i < step.end; ++i) product_.change(key_.data(), touches_[i].part, value(touches_[i], state));
    return key_.data();
}

}  // namespace sweep
