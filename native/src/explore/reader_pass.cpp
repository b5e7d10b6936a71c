#include <algorithm>
#include <optional>

#include "sweep/explore/pass.hpp"

namespace sweep {

namespace {

constexpr std::size_t most_ways = 1 << 16;  // of all stages and letters

}  // namespace

ReaderPass::ReaderPass(Resolver& resolver, const Reader& reader)
    : resolver_(resolver), program_(resolver.program()), reader_(reader), spread_(reader.spread()) {
    const std::size_t propositions = reader.propositions.size();
    for (std::uint32_t stage = 0; stage < reader.edges.size(); ++stage) heeded_.push_back(reader.heeded(stage));
    if (propositions > 16 || reader.edges.size() << propositions > most_ways) return;
    for (std::uint32_t stage = 0; stage < reader.edges.size(); ++stage)
        for (std::uint32_t letter = 0; letter < 1u << propositions; ++letter) {
            std::uint32_t count = 0;
            only_.push_back({0, several});
            reader.each_next(stage, letter,
                             [&](std::uint32_t edge, std::uint32_t next) { only_.back() = count++ ? Way{0, several} : Way{edge, next}; });
        }
}

/// Every successor goes on with its parent's stage, by the letter that it is. Nothing is changed before all letters are known. Mostly
/// there is one way to go on, and it leads to the same stage.
template <class Ask>
bool ReaderPass::go_on(Block& block, Ask&& ask) const {
    const Layout& layout = program_.schema.layout;
    const Field& field = layout.fields[reader_.field];
    thread_local std::vector<std::uint32_t> kept;  // from block to block, by each worker for itself
    std::vector<std::uint32_t>& letters = kept;
    letters.resize(block.candidates);
    bool one_way = true;
    for (const Block::Parent range : block.parents) {
        if (range.begin == range.end) continue;
        const std::uint32_t stage = reader_.stage(block.state(range.begin), layout), heeded = heeded_[stage];
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
            const std::optional<std::uint32_t> letter = reader_.letter(block.state(c), block.found[c].action, heeded, ask);
            if (!letter) return false;
            letters[c] = *letter;
            one_way &= only_way(stage, *letter).target != several;
        }
    }
    if (!one_way) {
        go_ways(block, letters);
        return true;
    }
    for (const Block::Parent range : block.parents) {
        const std::uint32_t stage = range.begin == range.end ? 0 : reader_.stage(block.state(range.begin), layout);
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
            const Way way = only_way(stage, letters[c]);
            block.found[c].ordinal = block.found[c].ordinal * spread_ + way.edge;
            if (way.target == stage) continue;
            field.store(block.state(c), way.target);
            block.found[c].hash = hash_words<0>(block.state(c), layout.width());
        }
    }
    return true;
}

/// The same with as many successors of each as there are stages to go on to, be it none.
void ReaderPass::go_ways(Block& block, const std::vector<std::uint32_t>& letters) const {
    const Layout& layout = program_.schema.layout;
    const Field& field = layout.fields[reader_.field];
    thread_local Block kept;
    Block& made = kept;
    made.clear(layout.words);
    if (block.cut_short.empty()) block.cut_short.assign(block.parents.size(), 0);
    for (std::uint32_t p = 0; p < block.parents.size(); ++p) {
        const Block::Parent range = block.parents[p];
        const std::uint32_t begin = made.candidates;
        const std::uint32_t stage = range.begin == range.end ? 0 : reader_.stage(block.state(range.begin), layout);
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
            const auto add = [&](std::uint32_t edge, std::uint32_t next) {
                made.make_room(1);
                Word* const state = made.state(made.candidates);
                Block::Candidate& found = made.found[made.candidates++];
                std::copy_n(block.state(c), layout.words, state);
                if (!block.made.empty()) made.made.insert(made.made.end(), block.made_state(c), block.made_state(c) + layout.words);
                found = block.found[c];
                found.ordinal = found.ordinal * spread_ + edge;
                if (next == stage) return;
                field.store(state, next);
                found.hash = hash_words<0>(state, layout.width());
            };
            const Way way = only_way(stage, letters[c]);
            way.target != several ? add(way.edge, way.target) : reader_.each_next(stage, letters[c], add);
        }
        block.cut_short[p] |= range.begin != range.end && begin == made.candidates;
        block.parents[p] = {begin, made.candidates};
    }
    block.exchange_candidates(made);
}

void ReaderPass::run(const Batch&, Block& block) {
    go_on(block, [&](std::uint32_t predicate, const Word* state) { return std::optional(resolver_.satisfies(predicate, state)); });
}

bool ReaderPass::run_known(const Batch&, Block& block) const {
    return go_on(block, [&](std::uint32_t predicate, const Word* state) { return program_.known(predicate, state); });
}

}  // namespace sweep
