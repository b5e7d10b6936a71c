#include "sweep/program/counting.hpp"

#include <algorithm>

namespace sweep {

namespace {

using Arc = CountTransition::Arc;

const Arc* find(const std::vector<Arc>& arcs, std::uint32_t place) {
    const auto found = std::find_if(arcs.begin(), arcs.end(), [&](const Arc& arc) { return arc.place == place; });
    return found == arcs.end() ? nullptr : &*found;
}

/// What a transition does to each place that it changes: the tokens that it has more afterwards, of a place that is reset than none.
template <class Visit>
void each_change(const CountTransition& transition, Visit&& visit) {
    const auto change_of = [&](const Arc& arc) {
        const Arc *taken = find(transition.takes, arc.place), *put = find(transition.puts, arc.place);
        return std::int64_t{put ? put->count : 0} - std::int64_t{taken ? taken->count : 0};
    };
    for (const Arc& arc : transition.resets) {
        const Arc* put = find(transition.puts, arc.place);
        visit(arc, std::int64_t{put ? put->count : 0}, true);
    }
    for (const Arc& arc : transition.takes)
        if (!find(transition.resets, arc.place)) visit(arc, change_of(arc), false);
    for (const Arc& arc : transition.puts)
        if (!find(transition.resets, arc.place) && !find(transition.takes, arc.place)) visit(arc, change_of(arc), false);
}

/// Where the count of a token lies. A place that has never held it has no bits.
struct Cell {
    std::uint32_t index = Cells::none;
    std::uint32_t word = 0;
    int shift = 0, bits = 0;
    bool scattered = false;  // in two pieces, or so wide that it could become too large to be counted

    Cell(const Arc& arc, const Schema& schema) {
        const Field& field = schema.layout.fields[arc.place];
        const std::uint32_t at = schema.variables[arc.place].cells.of(arc.token);
        if (schema.variables[arc.place].form != Form::counts || at >= field.slots) return;
        index = at;
        bits = field.bits();
        scattered = field.high.width || low_bits(bits) * field.slots > most_tokens;
        word = static_cast<std::uint32_t>(field.word_of(at));
        shift = field.shift_of(at);
    }
};

/// The entry for a word among the last ones, those of one transition.
template <class Entry>
Entry& entry_of(std::vector<Entry>& all, std::uint32_t first, std::uint32_t word) {
    for (std::size_t i = first; i < all.size(); ++i)
        if (all[i].word == word) return all[i];
    all.emplace_back().word = word;
    return all.back();
}

}  // namespace

void Thresholds::add(int shift, int bits, Word least) {
    const Word top = Word{1} << (bits - 1);
    tops |= top << shift;
    lower |= (least & ~top) << shift;
    if (!(least & top)) below |= top << shift;
}

void Counting::add(CountTransition transition, std::size_t actions) {
    by_action_.resize(actions, none);
    by_action_[transition.action] = static_cast<std::uint32_t>(all_.size());
    all_.push_back(std::move(transition));
}

void Counting::record(Outcomes& outcomes) const {
    std::vector<Op> ops;
    for (std::size_t i = outcomes.size(); i < all_.size(); ++i) {
        ops.clear();
        each_change(all_[i], [&](const Arc& arc, std::int64_t change, bool resets) {
            if (resets) ops.push_back({Op::Do::clear, arc.place});
            if (change < 0) ops.push_back({Op::Do::remove, arc.place, arc.token, static_cast<std::uint32_t>(-change)});
            if (change > 0) ops.push_back({Op::Do::add, arc.place, arc.token, static_cast<std::uint32_t>(change)});
        });
        outcomes.add(ops, {});
    }
}

void Counting::compile(const Schema& schema) {
    firings_.clear();
    tests_.clear();
    steps_.clear();
    scattered_.clear();
    scattered_steps_.clear();
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
        const CountTransition& transition = all_[i];
        Firing firing{transition.action, i};
        firing.first_test = static_cast<std::uint32_t>(tests_.size());
        firing.first_step = static_cast<std::uint32_t>(steps_.size());
        firing.first_scattered = static_cast<std::uint32_t>(scattered_.size());
        firing.first_scattered_step = static_cast<std::uint32_t>(scattered_steps_.size());
        for (const Arc& arc : transition.takes) compile_test(firing, arc, false, schema);
        for (const Arc& arc : transition.inhibits) compile_test(firing, arc, true, schema);
        each_change(transition, [&](const Arc& arc, std::int64_t change, bool resets) {
            if (change || resets) compile_step(firing, arc, change, resets, schema);
        });
        firing.tests = static_cast<std::uint32_t>(tests_.size()) - firing.first_test;
        firing.steps = static_cast<std::uint32_t>(steps_.size()) - firing.first_step;
        firing.scattered = static_cast<std::uint32_t>(scattered_.size()) - firing.first_scattered;
        firing.scattered_steps = static_cast<std::uint32_t>(scattered_steps_.size()) - firing.first_scattered_step;
        firings_.push_back(firing);
    }
}

void Counting::compile_test(Firing& firing, const Arc& arc, bool inhibits, const Schema& schema) {
    const Cell cell(arc, schema);
    if (arc.count > low_bits(cell.bits)) {  // so many have never been there
        firing.possible &= inhibits;
        return;
    }
    if (cell.scattered) {
        scattered_.push_back({schema.layout.fields[arc.place], cell.index, arc.count, inhibits});
        return;
    }
    const Word top = Word{1} << (cell.shift + cell.bits - 1);
    std::size_t at = firing.first_test;
    while (at < tests_.size() && (tests_[at].word != cell.word || tests_[at].least.tops & top)) ++at;
    if (at == tests_.size()) tests_.emplace_back().word = cell.word;
    tests_[at].least.add(cell.shift, cell.bits, arc.count);
    if (!inhibits) tests_[at].expected |= top;
}

void Counting::compile_step(Firing& firing, const Arc& arc, std::int64_t change, bool resets, const Schema& schema) {
    const Cell cell(arc, schema);
    const Word most = low_bits(cell.bits);
    if ((change > 0 && static_cast<Word>(change) > most) || (resets && schema.variables[arc.place].cells.size() > 1)) {
        firing.direct = false;  // it never fits: the outcome asks for more bits; or other tokens have to go, too
        return;
    }
    if (cell.bits == 0) return;  // nothing to empty
    if (cell.scattered) {
        scattered_steps_.push_back({schema.layout.fields[arc.place], cell.index, change, resets});
        return;
    }
    Step& step = entry_of(steps_, firing.first_step, cell.word);
    if (resets)
        step.keep &= ~(most << cell.shift);
    else if (change > 0)
        step.most.add(cell.shift, cell.bits, most - static_cast<Word>(change) + 1);
    step.add += static_cast<Word>(change) << cell.shift;
}

void Counting::foresee(Schema& schema) const {
    if (all_.empty()) return;
    std::vector<std::uint32_t>& steps = schema.steps;
    steps.assign(schema.variables.size(), Extent::unforeseen);
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (schema.variables[i].cells.size() && !schema.variables[i].lent) steps[i] = 0;
    for (const Requests::Token& held : schema.requests.tokens) steps[held.variable] = 0;
    // Transitions in the order in which all places that they take from may have tokens.
    std::vector<std::vector<std::uint32_t>> takers(steps.size());
    std::vector<std::uint32_t> missing(all_.size()), ready, next;
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
        for (const Arc& arc : all_[i].takes)
            if (steps[arc.place]) {
                takers[arc.place].push_back(i);
                ++missing[i];
            }
        if (!missing[i]) ready.push_back(i);
    }
    for (std::uint32_t step = 1; !ready.empty(); ++step, ready.swap(next)) {
        next.clear();
        for (const std::uint32_t transition : ready)
            for (const Arc& arc : all_[transition].puts) {
                if (steps[arc.place] != Extent::unforeseen) continue;
                steps[arc.place] = step;
                for (const std::uint32_t taker : takers[arc.place])
                    if (--missing[taker] == 0) next.push_back(taker);
            }
    }
}

void Counting::lend(Schema& schema) const {
    for (const CountTransition& transition : all_)
        for (const Arc& arc : transition.puts) schema.lend(arc.place, arc.token);
}

bool Counting::allowed(const Firing& firing, const Word* state) const {
    return std::all_of(scattered_.begin() + firing.first_scattered, scattered_.begin() + firing.first_scattered + firing.scattered,
                       [&](const Scattered& one) { return (one.field.cell(state, one.cell) >= one.least) != one.inhibits; });
}

}  // namespace sweep
