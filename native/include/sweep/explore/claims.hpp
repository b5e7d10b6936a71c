#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sweep/explore/inserter.hpp"
#include "sweep/explore/round.hpp"
#include "sweep/store/layer_store.hpp"

namespace sweep {

/// Which of the unknown candidates of which block of a round: those that come before others in the order of parents have lesser words.
struct Order {
    std::uint32_t block, unknown;

    Word word() const { return Word{block} << 32 | unknown; }
    static Order of(Word word) { return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)}; }
};

/// Have the lesser of two words where several workers may write.
inline void lower(Word& word, Word to) {
    Word now = __atomic_load_n(&word, __ATOMIC_RELAXED);
    while (to < now && !__atomic_compare_exchange_n(&word, &now, to, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/// Whether nobody has to know of another candidate that is the same state, by its parent in a block: the first of them is known, and is
/// not of this parent, whose edges have an order of their own. Most candidates that are not stored are such.
inline bool comes_late(const Word& first, std::uint32_t block, std::uint32_t parent, Block& own) {
    const Order known = Order::of(__atomic_load_n(&first, __ATOMIC_RELAXED));
    return known.block < block || (known.block == block && own.unknown_at(known.unknown).parent != parent);
}

/// Look the candidates of a block up, as others do those of theirs, and claim a slot for each that is not stored. Of several that are the
/// same state one has the slot, and knows the first of them when all are done. Edges are counted and states without successors noted on
/// the way, as long as the block is at hand. False where some table was full.
template <int K>
bool claim_slots(Round& round, std::uint32_t i, const LayerStore& store, Worker& worker) {
    Block& block = round.block(i);
    const Block::Candidate* const found = block.found.data();
    const std::uint32_t candidates = block.candidates;
    const Width width = store.template width<K>();
    std::uint64_t* const edges = worker.edges_of_round.data();
    const std::size_t apart = block.unknown_words();
    if (block.unknown.size() < candidates * apart)
        block.unknown.resize((candidates + candidates / 2) * apart);  // before anybody looks there
    Word* unknown = block.unknown.data();
    std::uint32_t unknowns = 0;
    block.claims = block.counted = true;
    block.dead.clear();
    std::array<Word*, look_ups_ahead> starts;
    std::uint32_t sought = 0;
    const auto seek_until = [&](std::uint32_t end) __attribute__((always_inline)) {
        for (end = std::min(end, candidates); sought < end; ++sought)
            starts[sought % look_ups_ahead] = store.template seek<K>(block, sought);
    };
    bool room = true;
    std::uint32_t next = 0;
    for (std::uint32_t p = 0; p < block.parents.size(); ++p) {
        const Block::Parent range = block.parents[p];
        if (range.edges() == 0 && !block.is_outside(p)) block.dead.push_back(p);
        for (std::uint32_t at = range.closing; at < range.closed_by; ++at) ++edges[block.closers[at]];
        if (range.begin != next) sought = range.begin;  // the successors of late parents lie behind all others
        next = range.end;
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
            seek_until(c + look_ups_ahead);
            ++edges[found[c].action];
            Word* slot = starts[c % look_ups_ahead];
            const Word* const state = block.template state<K>(c);
            Block::Unknown* const one = reinterpret_cast<Block::Unknown*>(unknown);
            const Word order = Order{i, unknowns}.word();
            Word ticket = reinterpret_cast<Word>(one);
            const int k = K ? K : width.words;
            const auto offer = [&] {
                *one = {order, nullptr, one, c, p};
                for (int w = 0; w < k; ++w) reinterpret_cast<Word*>(one + 1)[w] = state[w];
            };
            const auto same = [&](Word other) {
                return std::equal(state, state + k, reinterpret_cast<const Word*>(reinterpret_cast<const Block::Unknown*>(other) + 1));
            };
            VisitedTable* const table = store.part_of(found[c]);
            const VisitedTable::Claim claim =
                slot ? table->template claim<K>(slot, state, width, ticket, offer, same) : VisitedTable::Claim::full;
            if (claim == VisitedTable::Claim::known) continue;
            if (claim == VisitedTable::Claim::full) {
                room = false;
                worker.note_full(table);
                continue;
            }
            if (claim == VisitedTable::Claim::mine) {
                one->slot = slot;
            } else {
                Block::Unknown* const holder = reinterpret_cast<Block::Unknown*>(ticket);
                if (comes_late(holder->first, i, p, block)) continue;
                *one = {order, nullptr, holder, c, p};
                lower(holder->first, order);
            }
            ++unknowns;
            unknown += apart;
        }
    }
    block.unknowns = unknowns;
    return room;
}

}  // namespace sweep
