#include "sweep/explore/classes.hpp"

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
    const Program& program = resolver_.program();
    const std::size_t predicates = program.functions[static_cast<std::size_t>(Role::predicate)].size();
    for (std::uint32_t i = 0; i < predicates; ++i)
        if (resolver_.satisfies(i, known) != resolver_.satisfies(i, met))
            throw Disagreement({Role::predicate, i}, schema_.unpack(known), schema_.unpack(met));
    const std::size_t tallies = program.functions[static_cast<std::size_t>(Role::tally)].size();
    for (std::uint32_t i = 0; i < tallies; ++i)
        if (resolver_.evaluate({Role::tally, i}, known) != resolver_.evaluate({Role::tally, i}, met))
            throw Disagreement({Role::tally, i}, schema_.unpack(known), schema_.unpack(met));
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
