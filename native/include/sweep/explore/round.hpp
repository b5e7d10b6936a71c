#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "sweep/explore/workers.hpp"
#include "sweep/program/expander.hpp"
#include "sweep/progress/layer_progress.hpp"
#include "sweep/store/queue.hpp"
#include "sweep/store/visited.hpp"

namespace sweep {

/// What a block comes to. Those of a round lie side by side: whoever adds them up reads nothing else that others have written.
struct alignas(128) Yield {
    /// What it adds to a layer, and where these states are written.
    struct Portion {
        Place place = no_place;
        std::uint32_t count = 0;
        StateQueue::Cursor cursor = {};
    };

    std::uint64_t first_number = 0;
    std::uint32_t states = 0, edges = 0;
    bool quiet = true;  // nobody has to be shown anything

    void begin() {
        states = edges = portions_ = 0;
        quiet = true;
        more_.clear();
    }
    /// The portion of a layer: there are few.
    Portion& of(Place place) {
        for (std::uint32_t i = 0; i < portions_; ++i)
            if (few_[i].place == place) return few_[i];
        for (Portion& one : more_)
            if (one.place == place) return one;
        return portions_ < few_.size() ? few_[portions_++] = {place} : more_.emplace_back(Portion{place});
    }
    template <class Visit>
    void each_portion(Visit&& visit) {
        for (std::uint32_t i = 0; i < portions_; ++i) visit(few_[i]);
        for (Portion& one : more_) visit(one);
    }

private:
    std::uint32_t portions_ = 0;  // of the first few
    std::array<Portion, 2> few_;
    std::vector<Portion> more_;
};

/// Batches that are expanded together, all of one place, in the order of their states, and the blocks of their successors.
class Round {
public:
    std::vector<Batch> batches;
    /// Where a state was found from: the number of its parent, and that of the edge.
    struct Origin {
        std::uint64_t parent, edge;
    };
    std::vector<Origin> origins;  // of the states that were found last, where that is asked for and not yet written down
    std::vector<Yield> yields;    // per block, where several workers share the round
    std::exception_ptr failure;   // of the batch behind the last one, which was left out for that
    bool claims = false;          // blocks may have claimed slots

    std::uint32_t size() const { return static_cast<std::uint32_t>(batches.size()); }
    Block& block(std::size_t i) {
        while (blocks_.size() <= i) blocks_.push_back(std::make_unique<Block>());
        return *blocks_[i];
    }
    void begin(const Batch& first) {
        batches.assign(1, first);
        failure = nullptr;
    }
    /// A long round has many blocks: they are to begin small. Those that are there are left alone, as others have them at hand.
    void make_blocks(std::uint32_t count, std::uint32_t least_room) {
        const std::size_t before = std::exchange(least_room_, least_room) == least_room ? blocks_.size() : 0;
        block(count - 1);
        for (std::size_t i = before; i < blocks_.size(); ++i) blocks_[i]->least_room = least_room;
        if (yields.size() < count) yields.resize(count);
    }
    /// Nothing is claimed any more: slots are free again that are not settled.
    void withdraw() {
        if (!std::exchange(claims, false)) return;
        for (const auto& block : blocks_) block->withdraw();
    }
    std::uint64_t states() const {
        std::uint64_t total = 0;
        for (const Batch& batch : batches) total += batch.count;
        return total;
    }
    /// Leave out the batches from this one on.
    void cut(std::size_t from) { batches.resize(from); }
    std::uint64_t bytes() const {
        std::uint64_t total = yields.capacity() * sizeof(Yield) + origins.capacity() * sizeof(Origin);
        for (const auto& block : blocks_) total += block->bytes();
        return total;
    }

private:
    std::vector<std::unique_ptr<Block>> blocks_;
    std::uint32_t least_room_ = Block::usual_room;
};

/// How many states a worker has put into which table, until it says so to the tables: all of them write there.
class Settled {
public:
    void add(VisitedTable& table) {
        Entry& entry = entries_[(reinterpret_cast<std::uintptr_t>(&table) / sizeof(VisitedTable)) % entries_.size()];
        if (entry.table != &table) {
            entry.settle();
            entry.table = &table;
        }
        ++entry.states;
    }
    void settle() {
        for (Entry& entry : entries_) entry.settle();
    }

private:
    struct Entry {
        VisitedTable* table = nullptr;
        std::uint64_t states = 0;

        void settle() {
            if (states) table->put_many(std::exchange(states, 0));
        }
    };
    std::array<Entry, 128> entries_;  // the parts of a layer's table lie side by side
};

/// What one of several workers has for itself. It reads the program; what it asks for, or does not know, is seen to when all are done.
struct alignas(128) Worker {
    explicit Worker(Program& program)
        : expander(program, {program.schema.interned, requests, {}, true}), edges(program.actions().size()), edges_of_round(edges.size()) {}

    Requests requests;
    Expander expander;
    LayerProgress::Moves moves;
    std::vector<std::uint32_t> batches;                         // of the round: those that it has expanded
    std::uint64_t late = 0;                                     // of their states: those with misses
    bool ready = true;                                          // all their successors have places, and are looked up
    std::vector<std::uint64_t> edges, edges_of_round;           // per action; the latter do not count yet
    std::vector<std::pair<VisitedTable*, std::uint64_t>> full;  // tables that had no room for so many states
    Settled settled;

    void begin() {
        batches.clear();
        late = 0;
        ready = true;
        begin_claims();
    }
    void begin_claims() {
        full.clear();
        std::fill(edges_of_round.begin(), edges_of_round.end(), 0);
    }
    void note_full(VisitedTable* table) {
        for (auto& [one, states] : full)
            if (one == table) {
                ++states;
                return;
            }
        full.emplace_back(table, 1);
    }
    /// The round counts.
    void settle() {
        for (std::size_t a = 0; a < edges.size(); ++a) edges[a] += edges_of_round[a];
    }
    /// Write down how many edges of a block each action has.
    void count_by_action(Block& block) {
        block.action_edges.clear();
        edges_of_block_.resize(edges.size());
        const auto count = [&](std::uint32_t action) {
            if (edges_of_block_[action]++ == 0) block.action_edges.push_back({action, 0});
        };
        for (std::uint32_t p = 0; p < block.parents.size(); ++p) block.each_action(p, count);
        for (Block::ActionEdges& one : block.action_edges) one.edges = std::exchange(edges_of_block_[one.action], 0);
        block.counted_by_action = true;
    }
    /// Count the edges of some parents, so often.
    void count_edges(const Block& block, std::uint32_t from, std::uint32_t to, std::uint64_t often) {
        for (std::uint32_t p = from; p < to; ++p) block.each_action(p, [&](std::uint32_t action) { edges[action] += often; });
    }

private:
    std::vector<std::uint32_t> edges_of_block_;  // per action; 0 but while one is counted
};

}  // namespace sweep
