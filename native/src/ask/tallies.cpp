#include "sweep/ask/tallies.hpp"

namespace sweep {

std::uint32_t Tally::number_of(std::int64_t value) {
    if (last < values.size() && values[last] == value) return last;
    const auto [found, fresh] = numbers.try_emplace(value, static_cast<std::uint32_t>(values.size()));
    if (fresh) values.push_back(value);
    return last = found->second;
}

bool Tallies::asks_found() const {
    return std::any_of(tallies_.begin(), tallies_.end(), [](const Tally& one) { return !one.dead; });
}

void Tallies::add_functions(std::vector<FunctionId>& functions) const {
    for (std::uint32_t i = 0; i < tallies_.size(); ++i) {
        if (tallies_[i].dead) continue;
        if (tallies_[i].predicate >= 0)
            resolver_.program().add_functions(static_cast<std::uint32_t>(tallies_[i].predicate), functions);
        else if (!resolver_.program().token_number(i))
            functions.push_back({Role::tally, i});
    }
}

Stop Tallies::count(const Word* state, Place place, bool dead) {
    for (std::uint32_t i = 0; i < tallies_.size(); ++i) {
        Tally& tally = tallies_[i];
        if (tally.dead != dead || (tally.predicate >= 0 && !satisfies(tally.predicate, state))) continue;
        const TokenNumber* const tokens = resolver_.program().token_number(i);
        const std::uint32_t value =
            tokens ? tally.number_of(tokens->in(state, resolver_.program().schema)) : resolver_.evaluate({Role::tally, i}, state);
        if (value >= tally.counts.size()) tally.counts.resize(value + 1);
        ++tally.counts[value];
        if (tally.store < 0 || !satisfies(tally.store, state)) continue;
        tally.stored.push_back(resolver_.program().schema.unpack(state));
        for (const std::vector<Id>& variable : tally.stored.back())
            ledger_.bytes.kept += sizeof(variable) + variable.capacity() * sizeof(Id);
        keep(state, place);
    }
    return Stop::none;
}

}  // namespace sweep
