#include "sweep/ask/tallies.hpp"

namespace sweep {

bool Tallies::asks_found() const {
    return std::any_of(tallies_.begin(), tallies_.end(), [](const Tally& one) { return !one.dead; });
}

Stop Tallies::count(const Word* state, Place place, bool dead) {
    for (std::uint32_t i = 0; i < tallies_.size(); ++i) {
        Tally& tally = tallies_[i];
        if (tally.dead != dead || (tally.predicate >= 0 && !satisfies(tally.predicate, state))) continue;
        const std::uint32_t value = resolver_.evaluate({Role::tally, i}, state);
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
