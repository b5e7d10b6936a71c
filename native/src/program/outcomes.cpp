#include "sweep/program/outcomes.hpp"

#include <algorithm>
#include <utility>

namespace sweep {

namespace {

/// Whether an operation changes a sum by the same amount wherever it is done.
bool is_even(const Op& op, Watch watch) {
    if (watch == Watch::number) return op.observed;
    if (watch == Watch::value) return op.observed && op.what == Op::Do::set;
    return watch == Watch::size &&
           (op.what == Op::Do::add || op.what == Op::Do::remove || op.what == Op::Do::put || op.what == Op::Do::get);
}

}  // namespace

std::uint32_t Outcomes::add(const std::vector<Op>& ops, const std::vector<Event>& path) {
    recorded_.push_back({static_cast<std::uint32_t>(ops_.size()), static_cast<std::uint32_t>(ops.size())});
    for (Op op : ops) {
        const auto looked =
            std::find_if(path.begin(), path.end(), [&](const Event& event) { return event.ask == Ask::value && event.field == op.field; });
        op.observed = op.what == Op::Do::shift || looked != path.end();
        op.before = looked != path.end() ? looked->key : 0;
        ops_.push_back(op);
    }
    all_.emplace_back();
    compile(size() - 1);
    return size() - 1;
}

bool Outcomes::recorded_as(std::uint32_t outcome, const std::vector<Op>& ops) const {
    const Recorded recorded = recorded_[outcome];
    const auto first = ops_.begin() + recorded.first_op;
    bool any = takes_any(outcome);
    return std::equal(first, first + recorded.ops, ops.begin(), ops.end(), [&](const Op& one, const Op& other) {
        const bool is_token = one.what != Op::Do::set && one.what != Op::Do::shift && std::exchange(any, false);
        return one.what == other.what && one.field == other.field && (is_token || one.id == other.id) && one.count == other.count;
    });
}

const Event* Outcomes::taken_first(const std::vector<Op>& ops, const std::vector<Event>& path) {
    const auto takes = [](const Event& event) { return event.ask == Ask::take; };
    const auto taken = std::find_if(path.begin(), path.end(), takes);
    if (taken == path.end() || taken->argument || taken->threshold || std::any_of(taken + 1, path.end(), takes)) return nullptr;
    const auto first =
        std::find_if(ops.begin(), ops.end(), [](const Op& op) { return op.what != Op::Do::set && op.what != Op::Do::shift; });
    const bool goes = first != ops.end() && first->what == Op::Do::remove && first->count == 1;
    return goes && first->field == taken->field && first->id == taken->key ? &*taken : nullptr;
}

bool Outcomes::same_ops(std::uint32_t one, std::uint32_t other) const {
    const auto first = ops_.begin() + recorded_[one].first_op, second = ops_.begin() + recorded_[other].first_op;
    return std::equal(first, first + recorded_[one].ops, second, second + recorded_[other].ops);
}

void Outcomes::compile() {
    sets_.clear();
    changes_.clear();
    for (std::uint32_t outcome = 0; outcome < size(); ++outcome) compile(outcome);
}

void Outcomes::compile(std::uint32_t index) {
    Outcome& outcome = all_[index];
    const Recorded recorded = recorded_[index];
    outcome.first_set = static_cast<std::uint32_t>(sets_.size());
    outcome.first_change = static_cast<std::uint32_t>(changes_.size());
    outcome.moves_progress = false;
    outcome.moves_evenly = true;
    outcome.set = {};
    for (std::uint32_t i = 0; i < recorded.ops; ++i) {
        const Op op = ops_[recorded.first_op + i];
        const Watch watch = watched.empty() ? Watch::closely : watched[op.field];
        if (watch != Watch::none) {
            outcome.moves_progress = true;
            outcome.moves_evenly &= is_even(op, watch);
        }
        if (op.what == Op::Do::set) {
            const Field& field = schema_.layout.fields[op.field];
            set_bits(outcome, field.low, op.id & low_bits(field.low.width));
            set_bits(outcome, field.high, field.high.width ? Word{op.id} >> field.low.width : 0);
        } else if (op.what == Op::Do::include || op.what == Op::Do::exclude) {
            compile_settled(outcome, op);
        } else if (op.what != Op::Do::shift) {
            compile_change(outcome, op);
        }
    }
    for (std::uint32_t i = 0; i < recorded.ops; ++i)  // after the others, the first of which may be done by who took the token
        if (const Op& op = ops_[recorded.first_op + i]; op.what == Op::Do::shift) changes_.push_back({op});
    outcome.sets = static_cast<std::uint32_t>(sets_.size()) - outcome.first_set;
    outcome.changes = static_cast<std::uint32_t>(changes_.size()) - outcome.first_change;
    outcome.removed_from = ~0u;
    const Op* first = outcome.changes ? &changes_[outcome.first_change].op : nullptr;
    if (first && first->what == Op::Do::remove && first->count == 1) {
        outcome.removed_from = first->field;
        outcome.removed = first->id;
    }
    note_plain(outcome);
}

/// Most outcomes do little: set scalars in one word, take a token out, which is done when they are applied, and add one.
void Outcomes::note_plain(Outcome& outcome) const {
    const std::uint32_t taken = outcome.removed_from != ~0u;
    outcome.arrival = {};
    outcome.plain_from = Outcome::never_plain;
    if (outcome.sets || outcome.changes > taken + 1) return;
    if (outcome.changes > taken) {
        const Change& change = changes_[outcome.first_change + taken];
        if (change.how != Change::How::slots || change.op.what != Op::Do::add || change.op.count != 1) return;
        outcome.arrival = {change.op.id, change.word, change.shift, change.bits, change.last};
    }
    outcome.plain_from = static_cast<std::uint8_t>(taken);
}

void Outcomes::set_bits(Outcome& outcome, const Piece& piece, Word value) {
    if (piece.width == 0) return;
    const Word mask = low_bits(piece.width) << piece.shift;
    if (outcome.set.word == piece.word || outcome.set.keep == ~Word{0}) {
        outcome.set = {piece.word, outcome.set.keep & ~mask, (outcome.set.bits & ~mask) | (value << piece.shift)};
        return;
    }
    for (std::size_t i = outcome.first_set; i < sets_.size(); ++i)
        if (sets_[i].word == piece.word) {
            sets_[i].keep &= ~mask;
            sets_[i].bits = (sets_[i].bits & ~mask) | (value << piece.shift);
            return;
        }
    sets_.push_back({piece.word, ~mask, value << piece.shift});
}

/// A token of a bag of counts comes or goes; false where that is not one cell in one word. One change does it together with those
/// before it, but for the token taken first, which others take out.
bool Outcomes::compile_count(Outcome& outcome, const Op& op) {
    const Field& field = schema_.layout.fields[op.field];
    const std::uint32_t cell = schema_.variables[op.field].cells.of(op.id);
    const Word most = low_bits(field.bits());
    if (cell >= field.slots || field.high.width || op.what == Op::Do::clear || op.count > most || most * field.slots > most_tokens)
        return false;
    const bool adds = op.what == Op::Do::add, one = field.bits() == 1;
    const int shift = field.shift_of(cell);
    const Word amount = Word{op.count} << shift;
    const std::uint16_t word = static_cast<std::uint16_t>(field.word_of(cell));
    const Change::How how = one ? Change::How::members : Change::How::count;
    Change* before = changes_.size() > outcome.first_change ? &changes_.back() : nullptr;
    const bool taken = changes_.size() == outcome.first_change + 1u && before && before->removed;
    const bool joins = before && !taken && before->how == how && before->word == word && (one ? !(before->mask & amount) : !before->mask);
    Change& change = joins ? *before : changes_.emplace_back(Change{op});
    change.how = how;
    change.word = word;
    if (!adds) {
        change.removed = one ? change.removed | amount : change.removed + amount;
    } else if (one) {
        change.mask |= amount;
    } else {
        change.op = op;
        change.shift = static_cast<std::uint8_t>(shift);
        change.mask = most;
    }
    return true;
}

/// An element of a set is there from now on, or not: a masked assignment, where elements are bits and nothing was done to the set before
/// that has to come first.
void Outcomes::compile_settled(Outcome& outcome, const Op& op) {
    const Field& field = schema_.layout.fields[op.field];
    const std::uint32_t cell = schema_.variables[op.field].cells.of(op.id);
    const bool is_bit = schema_.variables[op.field].form == Form::counts && field.bits() == 1 && !field.high.width && cell < field.slots;
    if (!is_bit) {
        changes_.push_back({op});
        return;
    }
    const Piece place{static_cast<std::uint16_t>(field.word_of(cell)), static_cast<std::uint8_t>(field.shift_of(cell)), 1};
    const bool there = op.what == Op::Do::include;
    const auto comes_first = [&](const Change& change) {  // one change may be several, of all that lies in its word
        return change.op.field == op.field || (change.how == Change::How::members && change.word == place.word);
    };
    if (std::none_of(changes_.begin() + outcome.first_change, changes_.end(), comes_first)) {
        set_bits(outcome, place, there);
        return;
    }
    Change change{op};
    change.how = Change::How::members;
    change.word = place.word;
    change.removed = Word{1} << place.shift;  // first, so that it does not come twice
    change.mask = there ? change.removed : 0;
    changes_.push_back(change);
}

/// An operation on a bag or queue.
void Outcomes::compile_change(Outcome& outcome, const Op& op) {
    const Variable& variable = schema_.variables[op.field];
    const Field& field = schema_.layout.fields[op.field];
    if (variable.form == Form::counts && compile_count(outcome, op)) return;
    Change change{op};
    const bool several = op.what == Op::Do::remove && (variable.timed || op.count > 1);  // or one that has to be found
    if (variable.form == Form::slots && field.high.width == 0 && field.low.width && !field.spans() && !several) {
        change.how = Change::How::slots;
        change.word = field.low.word;
        change.shift = field.low.shift;
        change.bits = field.low.width;
        change.last = static_cast<std::uint8_t>(field.low.width * (field.slots - 1));
        change.mask = low_bits(field.low.width * field.slots);
    }
    changes_.push_back(change);
}

void Outcomes::forget_from(std::uint32_t first) {
    if (first >= size()) return;
    ops_.resize(recorded_[first].first_op);
    recorded_.resize(first);
    sets_.resize(all_[first].first_set);
    changes_.resize(all_[first].first_change);
    all_.resize(first);
}

std::size_t Outcomes::bytes() const {
    return all_.capacity() * sizeof(Outcome) + ops_.capacity() * sizeof(Op) + changes_.capacity() * sizeof(Change) +
           sets_.capacity() * sizeof(WordSet);
}

}  // namespace sweep
