#include "sweep/progress/layer_progress.hpp"

#include <algorithm>
#include <utility>

namespace sweep {

namespace {

/// Find the layers of candidates by what their outcomes did last, from one of them on. The first one that has to be looked at; or behind
/// all of them.
std::uint32_t place_remembered(Block& block, std::uint32_t from, Place here, const LayerProgress::Moves& moves) {
    const LayerProgress::Moves::Move* const of = moves.of.data();
    Block::Candidate* const found = block.found.data();
    const std::uint32_t end = block.candidates;
    for (std::uint32_t c = from; c < end; ++c) {
        if (found[c].place != no_place) continue;  // that of its parent
        if (found[c].outcome == no_outcome || of[found[c].outcome].from != here) return c;
        found[c].place = of[found[c].outcome].to;
    }
    return std::max(from, end);
}

bool moves_evenly(const Block::Candidate& found, const Outcomes& outcomes) {
    return found.outcome != no_outcome && outcomes[found.outcome].moves_evenly;
}

}  // namespace

LayerProgress::LayerProgress(Resolver& resolver, Orders& orders, bool total, const LinearMeasure* linear, bool may_regress)
    : order(orders, total), resolver_(resolver), linear_(linear), may_regress_(may_regress) {
    resolver.program().outcomes.watched = watch();
    if (linear) find_one_function();
}

/// Forget moves that were found from other outcomes, or when the measure had looked at less; have an entry for every outcome.
void LayerProgress::renew(Moves& moves) const {
    const Program& program = resolver_.program();
    const std::uint64_t version = program.epoch + resolver_.widened();  // both only rise
    if (std::exchange(moves.version, version) != version) moves.of.clear();
    moves.of.resize(program.outcomes.size());
}

void LayerProgress::place(const Batch& batch, Block& block) {
    const Place here = batch.place;
    const Outcomes& outcomes = resolver_.program().outcomes;
    renew(moves_);
    begin_block();
    const Rehearsals::Use use(resolver_.rehearsals());
    if (resolver_.rehearsals()) rehearse(here, block);
    for (std::uint32_t c = place_remembered(block, 0, here, moves_); c < block.candidates;
         c = place_remembered(block, c + 1, here, moves_)) {
        Block::Candidate& found = block.found[c];
        found.place = one_.sums ? layer_by_sums(batch, block, c) : layer_of(block.state(c));
        const bool forward = order.leq(here, found.place);
        if (!forward && !may_regress_) throw regress(resolver_.program().schema, batch, block, c);
        if (forward && order.finished(found.place)) throw Disorder(found.place);
        if (moves_evenly(found, outcomes)) moves_.of[found.outcome] = {here, found.place};
    }
}

/// What the measure comes to in the states that have to be looked at may be found out before their turn.
void LayerProgress::rehearse(Place here, Block& block) {
    std::vector<FunctionId> functions;
    if (!linear_) functions.push_back({Role::measure});
    for (const LinearMeasure::Component& component : linear_ ? linear_->components : std::vector<LinearMeasure::Component>{})
        for (const LinearMeasure::Term& term : component.terms)
            if (term.of == LinearMeasure::Term::Of::function && linear_->arguments[term.index].empty())
                functions.push_back({Role::summand, term.index});
    std::vector<const Word*> states;
    for (std::uint32_t c = place_remembered(block, 0, here, moves_); c < block.candidates; c = place_remembered(block, c + 1, here, moves_))
        states.push_back(block.state(c));
    if (!functions.empty() && !states.empty()) resolver_.rehearse(functions, states);
}

bool LayerProgress::place_known(const Batch& batch, Block& block, Moves& moves) const {
    if (!order.total()) return false;  // comparing layers may need somebody to be asked
    const Place here = batch.place;
    const Outcomes& outcomes = resolver_.program().outcomes;
    bool all = true;
    renew(moves);
    for (std::uint32_t c = place_remembered(block, 0, here, moves); c < block.candidates; c = place_remembered(block, c + 1, here, moves)) {
        Block::Candidate& found = block.found[c];
        const Place place = known_layer(block.state(c));
        if (place == no_place || (place != here && !order.before(here, place))) {
            all = false;
            continue;
        }
        found.place = place;
        if (moves_evenly(found, outcomes)) moves.of[found.outcome] = {here, place};
    }
    return all;
}

/// The layer of a state, if it need not be asked for.
Place LayerProgress::known_layer(const Word* state) const {
    const Program& program = resolver_.program();
    if (!linear_) {
        const Code code = program.look_up(program[FunctionId{Role::measure}].trie, state);
        return code == unknown ? no_place : index_of(code);
    }
    const std::optional<Sums> value = linear_->known_value(state, program);
    const Place layer = value ? layers_.find(*value) : SumMap::missing;
    return layer == SumMap::missing ? no_place : layer;
}

Place LayerProgress::layer_of(const Word* state) {
    if (!linear_) {
        const Place layer = resolver_.evaluate({Role::measure}, state);
        if (widened_ != resolver_.widened()) watch_more();
        return layer;
    }
    const Sums value = linear_->value(state, resolver_);
    if (widened_ != resolver_.widened()) watch_more();
    const Place known = layers_.find(value);
    return known != SumMap::missing ? known : add(value);
}

Place LayerProgress::add(const Sums& value) {
    const auto above = live_.lower_bound(value);
    const Place layer = order.add(above == live_.begin() ? std::nullopt : std::optional(std::prev(above)->second));
    live_.emplace_hint(above, value, layer);
    values_.push_back(value);
    layers_.insert(value, layer);
    return layer;
}

// -- measures that are one function of few sums ---------------------------------------------------------------------------

void LayerProgress::find_one_function() {
    using Of = LinearMeasure::Term::Of;
    if (linear_->components.size() != 1 || linear_->components[0].terms.size() != 1) return;
    const LinearMeasure::Term& only = linear_->components[0].terms[0];
    if (only.of != Of::function || linear_->arguments[only.index].empty()) return;
    for (const LinearMeasure::Component& sum : linear_->arguments[only.index])
        for (const LinearMeasure::Term& term : sum.terms)
            if (term.of == Of::function) return;
    one_.sums = &linear_->arguments[only.index];
}

/// Nobody's sums are at hand; what is known of outcomes may be about others.
void LayerProgress::begin_block() {
    if (!one_.sums) return;
    const Program& program = resolver_.program();
    if (std::exchange(one_.epoch, program.epoch) != program.epoch) one_.changes.clear();
    one_.changes.resize(program.outcomes.size());
    one_.parent = one_.end = 0;
}

/// The layer of a candidate from the sums of its parent; with a combination of sums that is new, or was in a layer that is gone, from its
/// state.
Place LayerProgress::layer_by_sums(const Batch& batch, const Block& block, std::uint32_t candidate) {
    const std::uint32_t outcome = block.found[candidate].outcome;
    if (outcome == no_outcome || !change_by(outcome).known) return layer_of(block.state(candidate));
    const auto has = [&](std::uint32_t parent) {
        return parent < batch.count && candidate >= block.parents[parent].begin && candidate < block.parents[parent].end;
    };
    if (one_.end == 0 || !has(one_.parent)) {
        one_.parent = has(one_.parent + 1) ? one_.parent + 1 : block.parent_of(candidate);
        one_.end = block.parents[one_.parent].end;
        one_.of_parent = sums_of(batch.state(one_.parent));
    }
    Sums sums = one_.of_parent;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += one_.changes[outcome].by[i];
    const Place known = one_.layers.find(sums);
    const bool missing = known == SumMap::missing;
    if (!missing && (known >= removed_.size() || !removed_[known])) return known;
    const Place layer = layer_of(block.state(candidate));
    if (!missing) one_.layers.erase(sums);
    one_.layers.insert(sums, layer);
    return layer;
}

const LayerProgress::OneFunction::Change& LayerProgress::change_by(std::uint32_t index) {
    OneFunction::Change& change = one_.changes[index];
    if (std::exchange(change.sought, true)) return change;
    change.known = true;
    std::vector<std::uint32_t> assigned;
    resolver_.program().outcomes.each_op(index, [&](const Op& op) {
        change.known = change.known && std::find(assigned.begin(), assigned.end(), op.field) == assigned.end() && add_change(op, change.by);
        if (op.what == Op::Do::set || op.what == Op::Do::shift) assigned.push_back(op.field);
    });
    return change;
}

/// Add what an operation does to the sums; false where that is not the same in all states.
bool LayerProgress::add_change(const Op& op, Sums& change) const {
    for (std::size_t i = 0; i < one_.sums->size(); ++i)
        for (const LinearMeasure::Term& term : (*one_.sums)[i].terms) {
            if (term.index != op.field) continue;
            std::int64_t by = 0;
            if (term.of == LinearMeasure::Term::Of::size) {
                const bool comes = op.what == Op::Do::add || op.what == Op::Do::put,
                           goes = op.what == Op::Do::remove || op.what == Op::Do::get;
                if (!comes && !goes) return false;
                by = comes ? std::int64_t{op.count} : -std::int64_t{op.count};
            } else if (op.what == Op::Do::shift) {
                by = static_cast<std::int32_t>(op.id);
            } else {
                const std::vector<std::int64_t>& numbers = linear_->numbers[term.numbers];
                if (!op.observed || op.id >= numbers.size() || op.before >= numbers.size()) return false;
                by = numbers[op.id] - numbers[op.before];
            }
            change[i] += term.coefficient * by;
        }
    return true;
}

Sums LayerProgress::sums_of(const Word* state) const {
    const Schema& schema = resolver_.program().schema;
    Sums sums{};
    for (std::size_t i = 0; i < one_.sums->size(); ++i) {
        sums[i] = (*one_.sums)[i].constant;
        for (const LinearMeasure::Term& term : (*one_.sums)[i].terms)
            sums[i] += term.coefficient * (term.of == LinearMeasure::Term::Of::size
                                               ? std::int64_t{schema.size_of(term.index, state)}
                                               : linear_->numbers[term.numbers][schema.layout.fields[term.index].load(state)]);
    }
    return sums;
}

std::optional<Sums> LayerProgress::climb(std::uint32_t index) const {
    const Outcomes& outcomes = resolver_.program().outcomes;
    if (!outcomes[index].moves_progress) return Sums{};
    if (!linear_ || !outcomes[index].moves_evenly) return std::nullopt;
    Sums climb{};
    bool known = true;
    std::vector<std::uint32_t> assigned;
    outcomes.each_op(index, [&](const Op& op) {
        known &= std::find(assigned.begin(), assigned.end(), op.field) == assigned.end() && add_climb(op, climb);
        if (op.what == Op::Do::set || op.what == Op::Do::shift) assigned.push_back(op.field);
    });
    return known ? std::optional(climb) : std::nullopt;
}

/// Add what an operation does to the sums; false when that is not known.
bool LayerProgress::add_climb(const Op& op, Sums& climb) const {
    const Watch watch = resolver_.program().outcomes.watched[op.field];
    if (watch == Watch::none) return true;
    if (watch != Watch::number && watch != Watch::size) return false;
    for (std::size_t i = 0; i < linear_->components.size(); ++i)
        for (const LinearMeasure::Term& term : linear_->components[i].terms) {
            if (term.of == LinearMeasure::Term::Of::function || term.index != op.field) continue;
            std::int64_t change = 0;
            if (watch == Watch::size) {
                const bool comes = op.what == Op::Do::add || op.what == Op::Do::put;
                change = comes ? std::int64_t{op.count} : -std::int64_t{op.count};
            } else if (op.what == Op::Do::shift) {
                change = static_cast<std::int32_t>(op.id);
            } else {
                const std::vector<std::int64_t>& numbers = linear_->numbers[term.numbers];
                if (op.id >= numbers.size() || op.before >= numbers.size()) return false;
                change = numbers[op.id] - numbers[op.before];
            }
            climb[i] += term.coefficient * change;
        }
    return true;
}

/// Some function has looked at more than before: if it was the measure, other outcomes may move progress.
void LayerProgress::watch_more() {
    widened_ = resolver_.widened();
    Program& program = resolver_.program();
    std::vector<Watch> watched = watch();
    if (program.outcomes.watched == watched) return;
    program.outcomes.watched = std::move(watched);
    program.outcomes.compile();
    if (program.diamonds.used()) {
        program.diamonds.reconsider(program.outcomes);
        ++program.epoch;  // groups know outcomes by their kinds
    }
    moves_.of.assign(program.outcomes.size(), {});
}

/// How the measure has looked at each variable so far.
std::vector<Watch> LayerProgress::watch() const {
    const Program& program = resolver_.program();
    std::vector<Watch> watched(program.schema.variables.size(), Watch::none);
    const auto look = [&](std::uint32_t field, Watch as) {
        watched[field] = watched[field] == Watch::none || watched[field] == as ? as : Watch::closely;
    };
    const auto look_by = [&](const Function& function) {
        const bool alone = linear_ && std::count(function.observed.begin(), function.observed.end(), 1) == 1;
        for (std::uint32_t field = 0; field < function.observed.size(); ++field)
            if (function.observed[field])
                look(field, alone && program.schema.variables[field].kind == Kind::scalar ? Watch::value : Watch::closely);
    };
    if (!linear_)
        for (const Function& measure : program.functions[static_cast<std::size_t>(Role::measure)]) look_by(measure);
    else
        for (const auto& component : linear_->components)
            for (const auto& term : component.terms)
                if (term.of == LinearMeasure::Term::Of::function) {
                    look_by(program[FunctionId{Role::summand, term.index}]);
                    for (const auto& sum : linear_->arguments[term.index])
                        for (const auto& argument : sum.terms) look(argument.index, Watch::closely);
                } else
                    look(term.index, term.of == LinearMeasure::Term::Of::size ? Watch::size : Watch::number);
    return watched;
}

void LayerProgress::remove(Place layer) {
    order.remove(layer);
    if (!linear_) return;
    removed_.resize(values_.size());
    removed_[layer] = true;
    live_.erase(values_[layer]);
    layers_.erase(values_[layer]);  // a state that goes back there finds a new layer below all others
}

}  // namespace sweep
