#include "sweep/explore/classes.hpp"

#include <algorithm>

#include "sweep/explore/pass.hpp"

namespace sweep {

bool Classes::write(Word* state) {
    for (std::uint32_t part = 0; part < schema_.keys; ++part) {
        const std::uint32_t value = resolver_.evaluate({Role::key, part}, state);
        const std::uint32_t variable = field(part);
        if (value >= schema_.variables[variable].values) schema_.set_values(variable, std::uint64_t{value} + 1);
        const Field& place = schema_.layout.fields[variable];
        if (value <= low_bits(place.bits())) place.store(state, value);
    }
    return schema_.fits();
}

bool Classes::write_known(Word* state) const {
    const Program& program = resolver_.program();
    for (std::uint32_t part = 0; part < schema_.keys; ++part) {
        const Code code = program.look_up(program[FunctionId{Role::key, part}].trie, state);
        const Field& place = schema_.layout.fields[field(part)];
        if (code == unknown || index_of(code) > low_bits(place.bits())) return false;
        place.store(state, index_of(code));
    }
    return true;
}

void Classes::compare_answers(const Word* known, const Word* met) {
    ++ledger_.counters.compared;
    const auto differ = [&](FunctionId id) { throw Disagreement(id, schema_.unpack(known), schema_.unpack(met)); };
    for (const std::uint32_t i : predicates)
        if (resolver_.satisfies(i, known) != resolver_.satisfies(i, met)) differ({Role::predicate, i});
    const std::size_t checks = resolver_.program().functions[static_cast<std::size_t>(Role::check)].size();
    for (std::uint32_t i = 0; i < checks; ++i)
        if (resolver_.evaluate({Role::check, i}, known) != resolver_.evaluate({Role::check, i}, met)) differ({Role::check, i});
}

void Classes::count_edges(const Block& block, Block::Parent range) {
    edges_.clear();
    for (std::uint32_t c = range.begin; c < range.end; ++c) edges_.emplace_back(families[block.found[c].action], block.state(c));
    const int key = width().compared;
    const auto compare = [&](const auto& one, const auto& other) {
        if (one.first != other.first) return one.first < other.first ? -1 : 1;
        for (int i = 0; i < key; ++i)
            if (one.second[i] != other.second[i]) return one.second[i] < other.second[i] ? -1 : 1;
        return 0;
    };
    std::sort(edges_.begin(), edges_.end(), [&](const auto& one, const auto& other) { return compare(one, other) < 0; });
    const auto end =
        std::unique(edges_.begin(), edges_.end(), [&](const auto& one, const auto& other) { return compare(one, other) == 0; });
    ledger_.counters.reduced_edges += static_cast<std::uint64_t>(end - edges_.begin());
}

void ClassPass::run(const Batch&, Block& block) {
    const Width width = classes_.width();
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        if (!classes_.write(block.state(c))) return;
        block.found[c].hash = hash_words<0>(block.state(c), width);
    }
}

bool ClassPass::run_known(const Batch&, Block& block) const {
    const Width width = classes_.width();
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        if (!classes_.write_known(block.state(c))) return false;
        block.found[c].hash = hash_words<0>(block.state(c), width);
    }
    return true;
}

}  // namespace sweep
