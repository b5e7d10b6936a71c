#include "sweep/explore/classes.hpp"

#include <algorithm>
#include <numeric>

#include "sweep/explore/pass.hpp"

namespace sweep {

namespace {

constexpr std::uint32_t few_edges = 24;  // of a state: each is compared with all before it

}  // namespace

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
    const auto differ = [&](FunctionId id) { throw Disagreement(id, schema_.unpack(known), schema_.unpack(met)); };
    for (const std::uint32_t i : predicates)
        if (resolver_.satisfies(i, known) != resolver_.satisfies(i, met)) differ({Role::predicate, i});
    for (std::uint32_t i = 0; i < checks(); ++i)
        if (resolver_.evaluate({Role::check, i}, known) != resolver_.evaluate({Role::check, i}, met)) differ({Role::check, i});
}

bool Classes::agree_known(const Word* known, const Word* met) const {
    const Program& program = resolver_.program();
    const auto agree = [&](FunctionId id) {
        const Trie& trie = program[id].trie;
        const Code code = program.look_up(trie, known);
        return code != unknown && code == program.look_up(trie, met);
    };
    for (const std::uint32_t i : predicates) {
        const std::optional<bool> here = program.known(i, known);
        if (!here || here != program.known(i, met)) return false;
    }
    for (std::uint32_t i = 0; i < checks(); ++i)
        if (!agree({Role::check, i})) return false;
    return true;
}

void Classes::count_edges(const Block& block, Block::Parent range) {
    const int words = width().compared;
    const auto family = [&](std::uint32_t c) { return families[block.found[c].action]; };
    const auto same = [&](std::uint32_t one, std::uint32_t other) {
        return block.found[one].hash == block.found[other].hash && family(one) == family(other) &&
               std::equal(block.state(one), block.state(one) + words, block.state(other));
    };
    if (range.end - range.begin <= few_edges) {
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
            std::uint32_t before = range.begin;
            while (before < c && !same(before, c)) ++before;
            ledger_.counters.reduced_edges += before == c;
        }
        return;
    }
    edges_.resize(range.end - range.begin);
    std::iota(edges_.begin(), edges_.end(), range.begin);
    std::sort(edges_.begin(), edges_.end(), [&](std::uint32_t one, std::uint32_t other) {
        if (family(one) != family(other)) return family(one) < family(other);
        if (block.found[one].hash != block.found[other].hash) return block.found[one].hash < block.found[other].hash;
        return std::lexicographical_compare(block.state(one), block.state(one) + words, block.state(other), block.state(other) + words);
    });
    ledger_.counters.reduced_edges += static_cast<std::uint64_t>(std::unique(edges_.begin(), edges_.end(), same) - edges_.begin());
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
