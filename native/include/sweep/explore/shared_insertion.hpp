#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "sweep/explore/crew.hpp"

namespace sweep {

/// Copy the candidates of a block to where the workers who look them up find them side by side, in the order of parents: those of late
/// ones lie behind all others.
template <int K>
void sort_by_owner(Block& block, const LayerStore& store, std::uint32_t workers) {
    if (!block.placed || block.sorted.done) return;
    const std::uint32_t owners = std::min(workers, LayerTable::parts);
    const std::size_t k = static_cast<std::size_t>(K ? K : store.words());
    std::vector<std::uint32_t>& starts = block.sorted.starts;
    starts.assign(owners + 2, 0);
    block.is_new.resize(block.candidates);
    block.found_by.resize(block.candidates);
    block.sorted.entries.resize(block.candidates * (k + 2));
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        const std::uint32_t owner = store.owner(block.found[c], owners);
        block.is_new[c] = static_cast<std::uint8_t>(owner);  // for the time being
        ++starts[owner + 2];
    }
    for (std::uint32_t owner = 0; owner < owners; ++owner) starts[owner + 2] += starts[owner + 1];
    for (const Block::Parent& parent : block.parents)
        for (std::uint32_t c = parent.begin; c < parent.end; ++c) {
            Word* const entry = block.sorted.entries.data() + starts[block.is_new[c] + 1u]++ * (k + 2);
            const Word* const state = block.template state<K>(c);
            for (std::size_t i = 0; i < k; ++i) entry[i] = state[i];
            entry[k] = block.found[c].hash;
            entry[k + 1] = Word{store.place_of(block.found[c])} << 32 | c;
        }
    block.sorted.done = true;
}

/// Several workers look the candidates of a round up together, and what comes of it is what one of them alone would have found: of
/// several edges to a new state the first counts, states are numbered in the order of parents and edges, and shown in that order.
///
/// Every table has one worker, who takes its candidates block by block. Then each block knows its new states, a sum over the blocks
/// gives them their numbers, and they are written to the queues where one worker would have put them.
template <int K, class Progress>
class SharedInsertion {
public:
    SharedInsertion(Crew& crew, LayerStore& store, Progress& progress)
        : crew_(crew), store_(store), progress_(progress), round_(crew.round), workers_(crew.workers) {}

    /// False when the layout is too small: nothing has happened then.
    bool run(Stop& stop) {
        if (!place()) return false;
        try {
            look_up();
        } catch (const OutOfMemory&) {
            stop = Stop::memory;
            return true;
        }
        each_own_block([&](std::uint32_t i, Worker&) { collect(i); });
        const std::uint32_t done = number(stop);
        write(done);
        for (std::uint32_t i = 0; i < done; ++i) store_.done(round_.batches[i]);
        return true;
    }

private:
    /// Where the new states of a block are written: their numbers, and per share of them the place in a queue.
    struct Room {
        std::uint64_t first_number;
        std::uint32_t parents;  // whose edges count
        std::vector<StateQueue::Cursor> cursors;
    };

    /// Every worker goes on with the blocks that it has expanded, and has at hand.
    template <class Do>
    void each_own_block(Do&& job) {
        workers_.each([&](std::uint32_t who) {
            Worker& worker = *crew_.hands[who];
            for (const std::uint32_t i : worker.batches)
                if (i < round_.size()) job(i, worker);
        });
    }

    bool place() {
        std::uint64_t explored = crew_.ledger.counters.explored;
        bool sorted = true;
        for (std::uint32_t i = 0; i < round_.size(); ++i) {
            Block& block = round_.block(i);
            if (!block.placed) progress_.place(round_.batches[i], block);
            block.placed = true;
            sorted &= block.sorted.done;
            if (!crew_.schema().fits()) return false;
            crew_.verifier.look(round_.batches[i], block, explored, crew_.guard.seconds);
            explored += round_.batches[i].count;
        }
        store_.placed();
        if (!sorted) each_own_block([&](std::uint32_t i, Worker&) { sort_by_owner<K>(round_.block(i), store_, workers_.count()); });
        return true;
    }

    /// Every candidate by the worker who has its table.
    void look_up() {
        owners_ = std::min(workers_.count(), LayerTable::parts);
        new_.resize(std::size_t{owners_} * round_.size());
        workers_.each([&](std::uint32_t owner) {
            if (owner < owners_)
                for (std::uint32_t i = 0; i < round_.size(); ++i) look_up(i, owner);
        });
    }
    void look_up(std::uint32_t i, std::uint32_t owner) {
        Block& block = round_.block(i);
        const int words = store_.words();
        const std::size_t k = static_cast<std::size_t>(K ? K : words), stride = k + 2;
        const std::uint32_t begin = block.sorted.starts[owner], end = block.sorted.starts[owner + 1];
        const Word* entry = block.sorted.entries.data() + begin * stride;
        const Word* const last = block.sorted.entries.data() + end * stride;
        const auto table = [&](const Word* one) -> LayerTable& { return store_.table(static_cast<Place>(one[k + 1] >> 32)); };
        const auto prefetch = [&](const Word* one) {
            if (one < last) table(one).template prefetch<K>(one[k], words);
        };
        std::uint32_t* const first = block.found_by.data() + begin;
        std::uint32_t* found = first;
        for (std::uint32_t ahead = 0; ahead < look_ups_ahead; ++ahead) prefetch(entry + ahead * stride);
        for (; entry != last; entry += stride) {
            prefetch(entry + look_ups_ahead * stride);
            Word* slot;
            if (table(entry).template insert<K>(entry, entry[k], words, slot)) *found++ = static_cast<std::uint32_t>(entry[k + 1]);
        }
        new_[std::size_t{owner} * round_.size() + i] = static_cast<std::uint32_t>(found - first);
    }

    /// The new states of a block, in the order of parents and edges, and its dead parents.
    void collect(std::uint32_t i) {
        Block& block = round_.block(i);
        block.fresh.clear();
        block.dead.clear();
        block.shares.clear();
        block.quiet = true;
        std::fill(block.is_new.begin(), block.is_new.begin() + block.candidates, 0);
        for (std::uint32_t owner = 0; owner < owners_; ++owner) {
            const std::uint32_t* const found = block.found_by.data() + block.sorted.starts[owner];
            for (std::uint32_t n = new_[std::size_t{owner} * round_.size() + i]; n-- > 0;) block.is_new[found[n]] = 1;
        }
        NewStates<K> news(block);
        for (std::uint32_t p = 0; p < round_.batches[i].count; ++p) {
            const Block::Parent range = block.parents[p];
            if (range.begin == range.end) block.dead.push_back(p);
            std::uint32_t c = range.begin;
            while (c < range.end && !block.is_new[c]) ++c;
            for (; c < range.end; ++c)
                if (block.is_new[c])
                    news.add(c, Fate::fresh);
                else
                    news.meet_again(c);
            news.take([&](std::uint32_t one, Fate) {
                add(block, one, p);
                return true;
            });
        }
    }
    void add(Block& block, std::uint32_t c, std::uint32_t parent) {
        const Judge& judge = crew_.judge;
        const bool passed = !judge.asks_found() || judge.passes(block.template state<K>(c));
        block.quiet &= passed;
        block.fresh.push_back({c, 0, parent, passed});
        const Place place = store_.place_of(block.found[c]);
        const auto share = share_of(block, place);
        if (share == block.shares.size())
            block.shares.push_back({place, 1});
        else
            ++block.shares[share].count;
    }
    /// Among the shares of a block, that of a layer: there are few.
    static std::size_t share_of(const Block& block, Place place) {
        std::size_t share = 0;
        while (share < block.shares.size() && block.shares[share].place != place) ++share;
        return share;
    }

    /// Number the new states, and show them; how many blocks were processed until it has to stop.
    std::uint32_t number(Stop& stop) {
        Ledger& ledger = crew_.ledger;
        for (std::uint32_t i = 0; i < round_.size(); ++i) {
            Block& block = round_.block(i);
            const Batch& batch = round_.batches[i];
            std::uint32_t parents = batch.count, edges = block.candidates;
            if (ledger.room() < block.fresh.size()) {
                parents = cut(block, ledger.room());
                edges = 0;
                for (std::uint32_t p = 0; p < parents; ++p) edges += block.parents[p].end - block.parents[p].begin;
            }
            rooms_.push_back({ledger.counters.states, std::min(parents + 1, batch.count), {}});
            for (const Block::Share& share : block.shares) rooms_[i].cursors.push_back(store_.extend(share.place, share.count));
            ledger.found_many(block.fresh.size());
            ledger.counters.explored += parents;
            ledger.counters.edges += edges;
            stop = show(batch, block, rooms_[i].first_number);
            if (parents < batch.count && stop == Stop::none) stop = Stop::states;
            if (stop != Stop::none) return i + 1;
        }
        return round_.size();
    }
    /// Only so many states may be found: leave the others out. How many parents are processed then.
    std::uint32_t cut(Block& block, std::uint64_t room) {
        const std::uint32_t parents = block.fresh[room].parent;
        for (auto one = block.fresh.begin() + static_cast<std::ptrdiff_t>(room); one != block.fresh.end(); ++one)
            --block.shares[share_of(block, store_.place_of(block.found[one->candidate]))].count;
        block.fresh.resize(room);
        std::erase_if(block.dead, [&](std::uint32_t p) { return p >= parents; });
        return parents;
    }
    Stop show(const Batch& batch, Block& block, std::uint64_t number) {
        if (block.quiet) return crew_.judge.see_processed(batch, block);
        for (Block::Fresh& one : block.fresh) one.number = number++;
        return crew_.judge.see(batch, block);
    }

    /// Write the new states to the queues, and what is known of their parents to its file.
    void write(std::uint32_t blocks) {
        each_own_block([&](std::uint32_t i, Worker& worker) {
            if (i < blocks) write_block(i, worker.edges);
        });
        if (ParentWriter* const parents = crew_.ledger.parents.get())
            for (std::uint32_t i = 0; i < blocks; ++i)
                for (const Block::Fresh& one : round_.block(i).fresh)
                    parents->append(round_.batches[i].number(one.parent),
                                    Block::edge(round_.block(i).found[one.candidate], crew_.ledger.actions()));
    }
    void write_block(std::uint32_t i, std::vector<std::uint64_t>& edges) {
        const Block& block = round_.block(i);
        std::uint64_t number = rooms_[i].first_number;
        for (const Block::Fresh& one : block.fresh) {
            const std::size_t share = share_of(block, store_.place_of(block.found[one.candidate]));
            store_.template write<K>(rooms_[i].cursors[share], block.template state<K>(one.candidate), number++);
        }
        for (std::uint32_t p = 0; p < rooms_[i].parents; ++p)
            for (std::uint32_t c = block.parents[p].begin; c < block.parents[p].end; ++c) ++edges[block.found[c].action];
    }

    Crew& crew_;
    LayerStore& store_;
    Progress& progress_;
    Round& round_;
    Workers& workers_;
    std::uint32_t owners_ = 1;
    std::vector<std::uint32_t> new_;  // per owner and block: how many states it found to be new
    std::vector<Room> rooms_;         // per block
};

}  // namespace sweep
