#include <algorithm>
#include <optional>

#include "sweep/explore/pass.hpp"

namespace sweep {

/// Every successor goes on with its parent's stage: by the letter that it is, into as many successors as there are stages to go on to,
/// be it none. Nothing is changed before all letters are known.
template <class Ask>
bool ReaderPass::go_on(Block& block, Ask&& ask) const {
    const Layout& layout = program_.schema.layout;
    // Kept from block to block, by each worker for itself.
    thread_local std::vector<std::uint32_t> letters;
    thread_local std::vector<Word> words;
    thread_local std::vector<Block::Candidate> made;
    letters.resize(block.candidates);
    words.clear();
    made.clear();
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        const std::optional<std::uint32_t> letter = reader_.letter(block.state(c), block.found[c].action, ask);
        if (!letter) return false;
        letters[c] = *letter;
    }
    const Field& stage = layout.fields[reader_.field];
    const std::size_t width = static_cast<std::size_t>(layout.words);
    block.cut_short.assign(block.parents.size(), 0);
    for (std::uint32_t p = 0; p < block.parents.size(); ++p) {
        const Block::Parent range = block.parents[p];
        const std::uint32_t begin = static_cast<std::uint32_t>(made.size());
        for (std::uint32_t c = range.begin; c < range.end; ++c)
            reader_.each_next(reader_.stage(block.state(c), layout), letters[c], [&](std::uint32_t edge, std::uint32_t next) {
                words.insert(words.end(), block.state(c), block.state(c) + width);
                Word* const state = words.data() + words.size() - width;
                stage.store(state, next);
                made.push_back(block.found[c]);
                made.back().ordinal = made.back().ordinal * spread_ + edge;
                made.back().hash = hash_words<0>(state, layout.width());
            });
        block.cut_short[p] = range.begin != range.end && begin == made.size();
        block.parents[p] = {begin, static_cast<std::uint32_t>(made.size())};
    }
    block.candidates = 0;
    block.make_room(static_cast<std::uint32_t>(made.size()));
    block.candidates = static_cast<std::uint32_t>(made.size());
    std::copy(made.begin(), made.end(), block.found.begin());
    std::copy(words.begin(), words.end(), block.state(0));
    return true;
}

void ReaderPass::run(const Batch&, Block& block) {
    go_on(block, [&](std::uint32_t predicate, const Word* state) { return std::optional(resolver_.satisfies(predicate, state)); });
}

bool ReaderPass::run_known(const Batch&, Block& block) const {
    return go_on(block, [&](std::uint32_t predicate, const Word* state) { return program_.known(predicate, state); });
}

}  // namespace sweep
