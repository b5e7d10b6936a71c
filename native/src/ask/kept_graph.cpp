#include "sweep/ask/kept_graph.hpp"

#include <algorithm>
#include <bit>

#include "sweep/state/hash.hpp"

namespace sweep {

/// States are processed in the order found. Of a batch that is broken off some are shown that are not processed after all.
void KeptGraph::processed(const Batch& batch, const Block& block) {
    if (forgotten_ != program_.forgotten) {
        forgotten_ = program_.forgotten;
        for (const std::uint32_t run : runs_)
            if (run != no_outcome) first_run_ = std::max(first_run_, run + 1);
    }
    for (std::uint32_t p = 0; p < batch.count; ++p, ++seen_) {
        if (block.is_outside(p)) unexplored.push_back(seen_);
        for (std::uint32_t c = block.parents[p].begin; c < block.parents[p].end; ++c) {
            const std::uint32_t outcome = block.found[c].outcome;
            runs_.push_back(outcome < no_outcome - first_run_ ? first_run_ + outcome : no_outcome);
        }
    }
}

void KeptGraph::take(const CompleteLayer& layer) {
    size_ = static_cast<std::uint32_t>(ledger_.counters.states);
    width_ = static_cast<std::size_t>(schema_.layout.words);
    states_.assign(size_ * width_, 0);
    layer.each([&](std::uint32_t number, const Word* state) {
        if (number < size_) std::copy_n(state, width_, states_.begin() + static_cast<std::ptrdiff_t>(number * width_));
    });
    take_edges(layer.graph);
    index();
}

void KeptGraph::take_edges(const LayerGraph& graph) {
    const std::uint32_t processed = std::min(graph.size(), size_);
    first.assign(1, 0);
    first.reserve(std::size_t{size_} + 1);
    for (std::uint32_t state = 0; state < processed; ++state) {
        const auto all = graph.targets(state);
        const auto by = graph.actions(state);
        targets.insert(targets.end(), all.begin(), all.end());
        actions.insert(actions.end(), by.begin(), by.end());
        first.push_back(static_cast<std::uint32_t>(targets.size()));
    }
    first.resize(std::size_t{size_} + 1, first.back());
    runs_.resize(targets.size(), no_outcome);
    std::erase_if(unexplored, [&](std::uint32_t state) { return state >= processed; });
    for (std::uint32_t state = processed; state < size_; ++state) unexplored.push_back(state);
}

void KeptGraph::index() {
    slots_.assign(std::bit_ceil(std::size_t{size_} * 2 + 2), 0);
    for (std::uint32_t number = 0; number < size_; ++number) slots_[slot(state(number))] = number + 1;
}

std::size_t KeptGraph::slot(const Word* wanted) const {
    const Width width = schema_.layout.width();
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash_words<0>(wanted, width) & mask;; at = (at + 1) & mask)
        if (slots_[at] == 0 || std::equal(wanted, wanted + width.compared, state(slots_[at] - 1))) return at;
}

std::optional<std::uint32_t> KeptGraph::number(const Word* wanted) const {
    const std::uint32_t found = slots_.empty() ? 0 : slots_[slot(wanted)];
    return found ? std::optional(found - 1) : std::nullopt;
}

std::pair<std::uint32_t, std::uint32_t> KeptGraph::twins(std::uint32_t source, std::uint32_t edge) const {
    std::pair<std::uint32_t, std::uint32_t> found;
    for (std::uint32_t other = first[source]; other < first[source + 1]; ++other)
        if (other != edge && targets[other] == targets[edge] && actions[other] == actions[edge])
            ++(other < edge ? found.first : found.second);
    return found;
}

KeptGraph::Kinds KeptGraph::kinds(const std::vector<std::vector<std::uint32_t>>& touched) const {
    std::vector<std::vector<Word>> masks;
    for (const auto& fields : touched) masks.push_back(schema_.layout.mask_of(fields));
    const std::size_t length = 2 * width_ + 2;  // of what tells kinds apart: action and run, or repetition and both states
    std::vector<Word> known, key(length);
    std::vector<std::uint32_t> slots(1024);
    Kinds found;
    found.of.reserve(targets.size());
    const auto find = [&](const Word* one) {
        const std::size_t mask = slots.size() - 1;
        std::size_t at = hash_words<0>(one, static_cast<int>(length)) & mask;
        while (slots[at] && !std::equal(one, one + length, known.data() + (slots[at] - 1) * length)) at = (at + 1) & mask;
        return at;
    };
    for (std::uint32_t source = 0; source < size_; ++source)
        for (std::uint32_t edge = first[source]; edge < first[source + 1]; ++edge) {
            const std::vector<Word>& mask = masks[actions[edge]];
            const auto [before, after] = twins(source, edge);
            const bool by_run = runs_[edge] != no_outcome && !before && !after;  // which of several twins a run made, nobody knows
            key[0] = by_run ? Word{runs_[edge]} + 1 : 0;
            key[1] = Word{before} << 32 | actions[edge];
            for (std::size_t i = 0; i < width_; ++i) {
                key[2 + i] = by_run ? 0 : state(source)[i] & mask[i];
                key[2 + width_ + i] = by_run ? 0 : state(targets[edge])[i] & mask[i];
            }
            std::size_t at = find(key.data());
            if (!slots[at]) {
                known.insert(known.end(), key.begin(), key.end());
                found.sources.push_back(source);
                found.edges.push_back(edge);
                slots[at] = static_cast<std::uint32_t>(found.edges.size());
            }
            found.of.push_back(slots[at] - 1);
            if (2 * found.edges.size() < slots.size()) continue;
            slots.assign(4 * slots.size(), 0);
            for (std::uint32_t kind = 0; kind < found.edges.size(); ++kind) slots[find(known.data() + kind * length)] = kind + 1;
        }
    return found;
}

}  // namespace sweep
