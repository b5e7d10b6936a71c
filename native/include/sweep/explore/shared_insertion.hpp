#pragma once
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sweep/explore/claims.hpp"
#include "sweep/explore/crew.hpp"
#include "sweep/store/spill.hpp"

namespace sweep {

/// Where tables lie far nothing is looked up before the whole round is there: edges are counted, and states without successors noted.
inline bool count_all(Block& block, Worker& worker) {
    block.dead.clear();
    for (std::uint32_t p = 0; p < block.parents.size(); ++p) {
        if (block.parents[p].edges() == 0 && !block.is_outside(p)) block.dead.push_back(p);
        block.each_action(p, [&](std::uint32_t action) { ++worker.edges_of_round[action]; });
    }
    if (block.marks.size() < block.candidates) block.marks.resize(block.candidates);
    block.counted = true;
    return true;
}

/// Several workers look the candidates of a round up together, and what comes of it is what one of them alone would have found: of
/// several edges to a new state the first counts, states are numbered in the order of parents and edges, and shown in that order.
///
/// Slots are claimed for those that were not stored when the round began. When all have been looked up, each block knows its new states, a
/// sum over the blocks gives them their numbers, and they are written to the queues where one worker would have put them.
///
/// Where tables lie far, one worker looks all candidates of the round up, in the order in which they lie there.
template <int K, class Progress>
class SharedInsertion {
public:
    SharedInsertion(Crew& crew, LayerStore& store, Progress& progress)
        : crew_(crew), store_(store), progress_(progress), round_(crew.round), workers_(crew.workers) {}

    /// See to it that all candidates have their places. False when the round has to be done again.
    bool place() {
        for (std::uint32_t i = 0; !crew_.all_are_ready() && i < round_.size(); ++i) {
            Block& block = round_.block(i);
            const auto place_it = [&] {
                if (!block.placed) progress_.place(round_.batches[i], block);
                block.placed = true;
                return crew_.schema().fits();
            };
            if (!crew_.attempt(i, place_it)) return false;
        }
        return true;
    }
    /// Claim slots for what is not stored, where that is not done yet. False when a step goes back, or a batch was left out: then one
    /// worker has to look them up.
    bool begin(Stop& stop) {
        store_.placed();
        const bool ready = crew_.all_are_ready();
        bool shared = !round_.failure;
        for (std::uint32_t i = 0; shared && !ready && i < round_.size(); ++i)
            shared = round_.block(i).claims || !store_.goes_back(round_.block(i));
        if (!shared) {
            crew_.withdraw();
            return false;
        }
        if (!ready) see_to_all();
        while (make_room(stop)) see_to_all();
        return true;
    }
    void run(Stop& stop) {
        verify();
        if (crew_.far) look_far(stop);
        if (stop != Stop::none) return;
        each_own_block([&](std::uint32_t i, Worker& worker) { collect(i, worker); }, [](Worker& worker) { worker.settled.settle(); });
        round_.claims = false;
        for (const auto& worker : crew_.hands) worker->settle();
        const std::uint32_t done = number(stop);
        write(done);
        for (std::uint32_t i = 0; i < done; ++i) store_.done(round_.batches[i]);
        if (stop == Stop::none && !crew_.far) grow_ahead(stop);
    }

private:
    /// A table that so many more states are to come to.
    struct Growth {
        VisitedTable* table;
        std::uint64_t states;
    };
    /// Every worker goes on with the blocks that it has expanded, and has at hand.
    template <class Do, class End>
    void each_own_block(Do&& job, End&& end) {
        workers_.each([&](std::uint32_t who) {
            Worker& worker = *crew_.hands[who];
            for (const std::uint32_t i : worker.batches)
                if (i < round_.size()) job(i, worker);
            end(worker);
        });
    }
    template <class Do>
    void each_own_block(Do&& job) {
        each_own_block(job, [](Worker&) {});
    }

    void verify() {
        std::uint64_t explored = crew_.ledger.counters.explored;
        if (!crew_.verifier.is_due(explored + round_.states())) return;
        for (std::uint32_t i = 0; i < round_.size(); ++i) {
            crew_.verifier.look(round_.batches[i], round_.block(i), explored, crew_.guard.seconds);
            explored += round_.batches[i].count;
        }
    }

    void see_to_all() {
        round_.claims = true;
        each_own_block([&](std::uint32_t i, Worker& worker) {
            if (round_.block(i).counted) return;
            if (crew_.far)
                count_all(round_.block(i), worker);
            else
                claim_slots<K>(round_, i, store_, worker);
        });
    }
    /// Where tables were full: let them grow, which they can do once nothing is claimed. Whether they have.
    bool make_room(Stop& stop) {
        std::vector<Growth> short_of_room;
        for (const auto& hand : crew_.hands)
            for (const auto& [table, states] : hand->full) {
                const auto same = [&, table = table](const Growth& one) { return one.table == table; };
                const auto known = std::find_if(short_of_room.begin(), short_of_room.end(), same);
                if (known == short_of_room.end())
                    short_of_room.push_back({table, states + table->capacity()});
                else
                    known->states += states;
            }
        if (short_of_room.empty()) return false;
        crew_.withdraw();
        grow(short_of_room, stop);
        return stop == Stop::none;
    }
    /// After this round the next one will find about as many states.
    void grow_ahead(Stop& stop) {
        std::vector<Growth> short_of_room;
        Yield all;
        for (std::uint32_t i = 0; i < round_.size(); ++i)
            round_.yields[i].each_portion([&](const Yield::Portion& one) { all.of(one.place).count += one.count; });
        all.each_portion([&](const Yield::Portion& one) {
            store_.table(one.place).each_short_of_room(
                one.count, [&](VisitedTable& table, std::uint64_t states) { short_of_room.push_back({&table, states}); });
        });
        if (!short_of_room.empty()) grow(short_of_room, stop);
    }
    void grow(const std::vector<Growth>& tables, Stop& stop) {
        try {
            workers_.share(static_cast<std::uint32_t>(tables.size()), [&](std::uint32_t, std::uint32_t i) {
                tables[i].table->template make_room<K>(tables[i].states, store_.width());
            });
        } catch (const OutOfMemory&) {
            stop = Stop::memory;
        }
    }

    /// A candidate, and where it will be looked up.
    struct Sought {
        Word hash;
        Place place;
        std::uint32_t block, candidate;
    };
    /// All candidates, table by table, and in pieces of each table one after the other. Those of a piece, and so all that may be the same
    /// state, are in the order of blocks and parents.
    std::vector<Sought> sorted(bool backwards) const {
        constexpr std::uint64_t most_buckets = 1 << 16, most_pieces = 1 << 12;
        std::unordered_map<Place, std::uint32_t> tables;
        std::uint64_t count = 0;
        const auto each = [&](auto&& visit) {
            for (std::uint32_t i = 0; i < round_.size(); ++i)
                for (const Block& block = round_.block(i); const Block::Parent range : block.parents)
                    for (std::uint32_t c = range.begin; c < range.end; ++c) visit(i, c, block.found[c]);
        };
        Place last = no_place;
        each([&](std::uint32_t, std::uint32_t, const Block::Candidate& found) {
            ++count;
            if (const Place place = store_.place_of(found); place != last) tables.try_emplace(last = place, tables.size());
        });
        if (tables.empty()) return {};
        const std::uint64_t pieces = std::clamp<std::uint64_t>(most_buckets / tables.size(), 1, most_pieces);
        std::vector<std::uint64_t> starts(tables.size() * pieces + 1);
        std::uint32_t table = 0;
        last = no_place;
        const auto bucket = [&](const Block::Candidate& found) {
            if (const Place place = store_.place_of(found); place != last) table = tables.find(last = place)->second;
            const std::uint64_t at = table * pieces + position(found.hash, pieces);
            return backwards ? starts.size() - 2 - at : at;
        };
        each([&](std::uint32_t, std::uint32_t, const Block::Candidate& found) { ++starts[bucket(found) + 1]; });
        for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
        std::vector<Sought> all(count);
        each([&](std::uint32_t i, std::uint32_t c, const Block::Candidate& found) {
            all[starts[bucket(found)]++] = {found.hash, store_.place_of(found), i, c};
        });
        return all;
    }
    static constexpr std::size_t fetched_together = 256;  // look-ups
    /// What some look-ups need lies close together, unless there are few of them: then each fetches its own.
    void fetch(Spill& spill, const std::vector<Sought>& all, std::size_t i) {
        constexpr std::ptrdiff_t most = fetched_together * 2048;  // words
        if (i >= all.size()) return;
        const std::size_t last = std::min(i + fetched_together, all.size()) - 1;
        const Word *from = start(all[i]), *to = start(all[last]);
        if (to < from) std::swap(from, to);
        if (from && all[i].place == all[last].place && to - from < most) spill.fetch(from, to + 1);
    }
    const Word* start(const Sought& one) { return store_.table(one.place).part(one.hash).template start<K>(one.hash, store_.width()); }
    /// Every candidate, in the order of tables and of places in them: what was fetched last is needed first in the next round.
    void look_far(Stop& stop) try {
        Spill& spill = *Spill::at_work();
        crew_.backwards = !crew_.backwards;
        spill.turn(crew_.backwards);
        const std::vector<Sought> all = sorted(crew_.backwards);
        const Width width = store_.width();
        std::uint64_t looks = 0;
        fetch(spill, all, 0);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i + 2 * look_ups_ahead < all.size()) {
                const Sought& later = all[i + 2 * look_ups_ahead];
                __builtin_prefetch(round_.block(later.block).template state<K>(later.candidate));
                __builtin_prefetch(round_.block(later.block).marks.data() + later.candidate, 1);
                const Sought& soon = all[i + look_ups_ahead];
                store_.table(soon.place).template prefetch<K>(soon.hash, width);
            }
            if (i % fetched_together == 0) fetch(spill, all, i + fetched_together);
            if (looks == 0) looks = spill.looks_left();
            --looks;
            const Sought& one = all[i];
            Block& block = round_.block(one.block);
            const Word* slot;
            block.marks[one.candidate] =
                store_.table(one.place).template insert<K>(block.template state<K>(one.candidate), one.hash, width, slot) ? 1 : 2;
        }
    } catch (const OutOfMemory&) {
        stop = Stop::memory;
    }

    /// The new states of a block, in the order of parents and edges.
    void collect(std::uint32_t i, Worker& worker) {
        Block& block = round_.block(i);
        Yield& yield = round_.yields[i];
        yield.begin();
        block.fresh.clear();
        yield.edges = block.candidates + block.closed;
        if (crew_.far)
            collect_far(block, yield);
        else
            collect_claimed(i, block, yield, worker.settled);
        yield.states = static_cast<std::uint32_t>(block.fresh.size());
        yield.quiet &= block.dead.empty();
    }
    void collect_far(Block& block, Yield& yield) {
        NewStates<K> news(block, store_.width());
        for (std::uint32_t p = 0; p < block.parents.size(); ++p) {
            for (std::uint32_t c = block.parents[p].begin; c < block.parents[p].end; ++c)
                if (block.marks[c] == 1)
                    news.add(c, Fate::fresh);
                else if (!news.empty())
                    news.meet_again(c);
            news.take([&](std::uint32_t c, Fate, bool) {
                add(block, yield, c, p);
                return true;
            });
        }
    }
    /// All that the block has claimed is stored.
    void collect_claimed(std::uint32_t i, Block& block, Yield& yield, Settled& settled) {
        NewStates<K> news(block, store_.width());
        std::uint32_t parent = 0;
        const auto take = [&] {
            news.take([&](std::uint32_t c, Fate, bool) {
                add(block, yield, c, parent);
                return true;
            });
        };
        for (std::uint32_t u = 0; u < block.unknowns; ++u) {
            const Block::Unknown& one = block.unknown_at(u);
            if (one.parent != parent) {
                take();
                parent = one.parent;
            }
            const Order first = Order::of(one.holder->first);
            if (one.slot) {
                VisitedTable::settle<K>(one.slot, block.template state<K>(one.candidate), store_.width());
                settled.add(*store_.part_of(block.found[one.candidate]));
            }
            if (first.block != i) continue;
            if (first.unknown == u)
                news.add(one.candidate, Fate::fresh);
            else if (block.unknown_at(first.unknown).parent == parent)
                news.meet_again(one.candidate);
        }
        take();
        block.claims = false;
    }
    void add(Block& block, Yield& yield, std::uint32_t c, std::uint32_t parent) const {
        const Judge& judge = crew_.judge;
        const bool passed = !judge.asks_found() || judge.passes(block.template state<K>(c));
        yield.quiet &= passed;
        block.fresh.push_back({c, 0, parent, passed});
        ++yield.of(store_.place_of(block.found[c])).count;
    }

    /// Number the new states, and show them; how many blocks were processed until it has to stop.
    std::uint32_t number(Stop& stop) {
        Ledger& ledger = crew_.ledger;
        for (std::uint32_t i = 0; i < round_.size(); ++i) {
            Yield& yield = round_.yields[i];
            const std::uint32_t all = round_.batches[i].count;
            const std::uint32_t parents = ledger.room() < yield.states ? cut(i, ledger.room()) : all;
            yield.first_number = ledger.counters.states;
            yield.each_portion([&](Yield::Portion& one) { one.cursor = store_.extend(one.place, one.count); });
            ledger.found_many(yield.states);
            ledger.counters.explored += parents;
            ledger.counters.edges += yield.edges;
            if (crew_.classes.any()) crew_.classes.count_edges(round_.block(i), parents);
            if (crew_.bound.any()) count_outside(round_.block(i), parents);
            stop = show(i);
            if (parents < all && stop == Stop::none) stop = Stop::states;
            if (stop == Stop::none) continue;
            for (std::uint32_t left = i + 1; left < round_.size(); ++left) discount(left, 0);
            return i + 1;
        }
        return round_.size();
    }
    void count_outside(const Block& block, std::uint32_t parents) {
        Counters& counters = crew_.ledger.counters;
        const std::uint64_t outside = block.count_outside(parents);
        counters.explored -= outside;
        counters.beyond += outside;
        counters.outside_edges += block.count_led_outside(0, parents);
    }
    /// Only so many states may be found: leave the others out. How many parents are processed then.
    std::uint32_t cut(std::uint32_t i, std::uint64_t room) {
        Block& block = round_.block(i);
        Yield& yield = round_.yields[i];
        const std::uint32_t parents = block.fresh[room].parent;
        for (auto one = block.fresh.begin() + static_cast<std::ptrdiff_t>(room); one != block.fresh.end(); ++one)
            --yield.of(store_.place_of(block.found[one->candidate])).count;
        block.fresh.resize(room);
        std::erase_if(block.dead, [&](std::uint32_t p) { return p >= parents; });
        discount(i, parents + 1);
        yield.states = static_cast<std::uint32_t>(room);
        yield.edges = 0;
        for (std::uint32_t p = 0; p < parents; ++p) yield.edges += block.parents[p].edges();
        return parents;
    }
    /// The edges of a block's parents from one on do not count after all.
    void discount(std::uint32_t i, std::uint32_t from) {
        crew_.hands[0]->count_edges(round_.block(i), from, round_.batches[i].count, ~std::uint64_t{0});
    }
    Stop show(std::uint32_t i) {
        if (round_.yields[i].quiet && !crew_.judge.asks_processed()) return Stop::none;
        std::uint64_t number = round_.yields[i].first_number;
        for (Block::Fresh& one : round_.block(i).fresh) one.number = number++;
        return crew_.see(round_.batches[i], round_.block(i));
    }

    /// Write the new states to the queues. Where they were found from is written down while others expand the next ones; at once where
    /// rounds are long, and memory scarce.
    void write(std::uint32_t blocks) {
        ParentWriter* const parents = crew_.ledger.parents.get();
        const bool later = parents && !crew_.far;
        const std::uint64_t first = round_.yields[0].first_number;
        if (later) round_.origins.resize(crew_.ledger.counters.states - first);
        each_own_block([&](std::uint32_t i, Worker&) {
            if (i >= blocks) return;
            write_block(i);
            if (!later) return;
            Round::Origin* at = round_.origins.data() + (round_.yields[i].first_number - first);
            each_origin(i, [&](const Round::Origin& origin) { *at++ = origin; });
        });
        for (std::uint32_t i = 0; parents && !later && i < blocks; ++i)
            each_origin(i, [&](const Round::Origin& origin) { parents->append(origin.parent, origin.edge); });
    }
    void write_block(std::uint32_t i) {
        const Block& block = round_.block(i);
        Yield& yield = round_.yields[i];
        std::uint64_t number = yield.first_number;
        for (auto one = block.fresh.begin(); one != block.fresh.end(); ++one) {
            const Block::Candidate& found = block.found[one->candidate];
            const bool last = std::next(one) == block.fresh.end() || std::next(one)->parent != one->parent;
            store_.template write<K>(yield.of(store_.place_of(found)).cursor, block.template state<K>(one->candidate), number++,
                                     crew_.diamonds().finder(found.outcome, found.taken, last));
        }
    }
    template <class Visit>
    void each_origin(std::uint32_t i, Visit&& visit) const {
        const Block& block = round_.block(i);
        for (const Block::Fresh& one : block.fresh)
            visit(Round::Origin{round_.batches[i].number(one.parent), Block::edge(block.found[one.candidate], crew_.ledger.actions())});
    }

    Crew& crew_;
    LayerStore& store_;
    Progress& progress_;
    Round& round_;
    Workers& workers_;
};

}  // namespace sweep
