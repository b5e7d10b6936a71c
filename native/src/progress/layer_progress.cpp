#include "sweep/progress/layer_progress.hpp"

namespace sweep {

LayerProgress::LayerProgress(Resolver& resolver, Orders& orders, bool total, const LinearMeasure* linear, bool may_regress)
    : order(orders, total), resolver_(resolver), linear_(linear), may_regress_(may_regress) {
    Outcomes& outcomes = resolver.program().outcomes;
    outcomes.even_measure = linear != nullptr;
    if (!linear) return;
    for (const auto& component : linear->components)
        for (const auto& term : component.terms) outcomes.watched[term.field] = 1;
}

void LayerProgress::place(const Batch& batch, Block& block) {
    const Place here = batch.place;
    const Outcomes& outcomes = resolver_.program().outcomes;
    if (epoch_ != resolver_.program().epoch) moves_.clear();
    epoch_ = resolver_.program().epoch;
    moves_.resize(outcomes.size());
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        Block::Candidate& found = block.found[c];
        if (found.place != no_place) continue;  // that of its parent
        const bool known = found.outcome != no_outcome;
        if (known && moves_[found.outcome].from == here) {
            found.place = moves_[found.outcome].to;
            continue;
        }
        found.place = layer_of(block.state(c));
        const bool forward = order.leq(here, found.place);
        if (!forward && !may_regress_) throw regress(resolver_.program().schema, batch, block, c);
        if (forward && order.finished(found.place)) throw Disorder(found.place);
        if (known && outcomes[found.outcome].moves_evenly) moves_[found.outcome] = {here, found.place};
    }
}

Place LayerProgress::layer_of(const Word* state) {
    if (!linear_) {
        const Place layer = resolver_.evaluate({Role::measure}, state);
        if (widened_ != resolver_.widened()) watch_more();
        return layer;
    }
    const LinearMeasure::Value value = linear_->value(state, resolver_.program().schema.layout);
    const Place known = layers_.find(value);
    if (known != ValueMap::missing) return known;
    const auto above = live_.lower_bound(value);
    const Place layer = order.add(above == live_.begin() ? std::nullopt : std::optional(std::prev(above)->second));
    live_.emplace_hint(above, value, layer);
    values_.push_back(value);
    layers_.insert(value, layer);
    return layer;
}

/// Some function has looked at more than before: if it was the measure, other outcomes may move progress.
void LayerProgress::watch_more() {
    widened_ = resolver_.widened();
    Program& program = resolver_.program();
    const std::vector<std::uint8_t>& observed = program[FunctionId{Role::measure}].observed;
    if (program.outcomes.watched == observed) return;
    program.outcomes.watched = observed;
    program.outcomes.compile();
    moves_.assign(program.outcomes.size(), {});
}

void LayerProgress::remove(Place layer) {
    order.remove(layer);
    if (!linear_) return;
    live_.erase(values_[layer]);
    layers_.erase(values_[layer]);  // a state that goes back there finds a new layer below all others
}

}  // namespace sweep
