#pragma once
#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sweep/explore/crew.hpp"
#include "sweep/store/spill.hpp"

namespace sweep {

constexpr std::uint32_t most_owners = 255;  // of tables: their numbers have to fit a byte

/// Leave out what is stored already, which is most of a block: nobody changes a table while a round is expanded, so everybody may read all
/// of them. Edges are counted and states without successors noted on the way, as long as the block is at hand.
template <int K>
void note_unknown(Block& block, const LayerStore& store, Worker& worker) {
    const std::uint32_t candidates = block.candidates;
    std::uint64_t* const edges = worker.edges_of_round.data();
    block.unknown.clear();
    block.dead.clear();
    for (std::uint32_t c = 0; c < std::min(look_ups_ahead, candidates); ++c) store.template prefetch<K>(block, c);
    for (std::uint32_t p = 0; p < block.parents.size(); ++p) {
        const Block::Parent range = block.parents[p];
        if (range.begin == range.end && !block.is_outside(p)) block.dead.push_back(p);
        for (std::uint32_t c = range.begin; c < range.end; ++c) {
            if (c + look_ups_ahead < candidates) store.template prefetch<K>(block, c + look_ups_ahead);
            ++edges[block.found[c].action];
            if (!store.template knows<K>(block, c)) block.unknown.push_back({c, p});
        }
    }
}

/// Copy those that may be new to where the workers who look them up find them side by side, in the order of parents: those of late
/// ones lie behind all others. False when some have no place yet.
template <int K>
bool sort_by_owner(Block& block, const LayerStore& store, Worker& worker, std::uint32_t workers) {
    if (!block.placed) return false;
    note_unknown<K>(block, store, worker);
    const std::uint32_t owners = std::min(workers, most_owners);
    const std::uint32_t count = static_cast<std::uint32_t>(block.unknown.size());
    const std::size_t k = static_cast<std::size_t>(K ? K : store.words());
    std::vector<std::uint32_t>& starts = block.sorted.starts;
    starts.assign(owners + 2, 0);
    if (block.marks.size() < count) {
        block.marks.resize(block.unknown.capacity());
        block.found_by.resize(block.unknown.capacity());
    }
    if (block.sorted.entries.size() < count * (k + 2)) block.sorted.entries.resize(block.unknown.capacity() * (k + 2));
    std::uint8_t* const owned_by = block.marks.data();
    for (std::uint32_t u = 0; u < count; ++u) {
        const std::uint32_t owner = store.owner(block.found[block.unknown[u].candidate], owners);
        owned_by[u] = static_cast<std::uint8_t>(owner);
        ++starts[owner + 2];
    }
    for (std::uint32_t owner = 0; owner < owners; ++owner) starts[owner + 2] += starts[owner + 1];
    Word* const entries = block.sorted.entries.data();
    for (std::uint32_t u = 0; u < count; ++u) {
        const std::uint32_t c = block.unknown[u].candidate;
        Word* const entry = entries + starts[owned_by[u] + 1u]++ * (k + 2);
        const Word* const state = block.template state<K>(c);
        for (std::size_t i = 0; i < k; ++i) entry[i] = state[i];
        entry[k] = block.found[c].hash;
        entry[k + 1] = Word{store.place_of(block.found[c])} << 32 | u;
    }
    block.sorted.done = true;
    return true;
}

/// Where tables lie far nothing is left out before: edges are counted, and states without successors noted.
inline bool count_all(Block& block, Worker& worker) {
    if (!block.placed) return false;
    block.dead.clear();
    for (std::uint32_t p = 0; p < block.parents.size(); ++p) {
        const Block::Parent range = block.parents[p];
        if (range.begin == range.end && !block.is_outside(p)) block.dead.push_back(p);
        for (std::uint32_t c = range.begin; c < range.end; ++c) ++worker.edges_of_round[block.found[c].action];
    }
    if (block.marks.size() < block.candidates) block.marks.resize(block.candidates);
    block.sorted.done = true;
    return true;
}

/// What can be done with a block as soon as it is expanded. False when some candidates have no place yet.
template <int K>
bool make_ready(Block& block, const LayerStore& store, Worker& worker, std::uint32_t workers) {
    return Crew::looks_far() ? count_all(block, worker) : sort_by_owner<K>(block, store, worker, workers);
}

/// Several workers look the candidates of a round up together, and what comes of it is what one of them alone would have found: of
/// several edges to a new state the first counts, states are numbered in the order of parents and edges, and shown in that order.
///
/// Every table has one worker, who takes its candidates block by block, of those that were not stored when the round began. Then each block
/// knows its new states, a sum over the blocks gives them their numbers, and they are written to the queues where one worker would have put
/// them.
///
/// Where tables lie far, one worker looks all candidates of the round up, in the order in which they lie there.
template <int K, class Progress>
class SharedInsertion {
public:
    SharedInsertion(Crew& crew, LayerStore& store, Progress& progress)
        : crew_(crew),
          store_(store),
          progress_(progress),
          round_(crew.round),
          workers_(crew.workers),
          owners_(std::min(workers_.count(), most_owners)),
          far_(Crew::looks_far()),
          found_(std::size_t{owners_} * round_.size()),
          parts_(round_.size()) {}

    /// See to it that all candidates have their places. False when the round has to be done again.
    bool place() {
        for (std::uint32_t i = 0; !is_ready() && i < round_.size(); ++i) {
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
    /// Bring them to those who look them up. False when a step goes back: then one worker has to.
    bool begin() {
        store_.placed();
        if (is_ready()) return true;
        for (std::uint32_t i = 0; i < round_.size(); ++i)
            if (!round_.block(i).sorted.done && store_.goes_back(round_.block(i))) return false;
        each_own_block([&](std::uint32_t i, Worker& worker) {
            if (!round_.block(i).sorted.done) make_ready<K>(round_.block(i), store_, worker, workers_.count());
        });
        return true;
    }
    void run(Stop& stop) {
        verify();
        try {
            if (far_)
                look_far();
            else
                look_up();
        } catch (const OutOfMemory&) {
            stop = Stop::memory;
            return;
        }
        each_own_block([&](std::uint32_t i, Worker&) { collect(i); });
        count_edges();
        const std::uint32_t done = number(stop);
        write(done);
        for (std::uint32_t i = 0; i < done; ++i) store_.done(round_.batches[i]);
    }

private:
    /// What a block adds to a layer, and where its states are written.
    struct Share {
        Place place;
        std::uint32_t count = 0;
        StateQueue::Cursor cursor = {};
    };
    /// What a block comes to, in one place for whoever adds it up.
    struct alignas(64) Part {
        std::uint64_t first_number = 0;
        std::uint32_t states = 0, edges = 0;
        bool quiet = true;  // nobody has to be shown anything
        std::vector<Share> shares;

        /// That of a layer: there are few.
        Share& of(Place place) {
            for (Share& share : shares)
                if (share.place == place) return share;
            return shares.emplace_back(Share{place});
        }
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

    bool is_ready() const {
        return std::all_of(crew_.hands.begin(), crew_.hands.end(), [](const auto& hand) { return hand->ready; });
    }
    void count_edges() {
        if (!round_.failure) {
            for (const auto& worker : crew_.hands) worker->settle();
            return;
        }
        for (std::uint32_t i = 0; i < round_.size(); ++i)  // not those of blocks that were left out
            crew_.hands[0]->count_edges(round_.block(i), 0, round_.batches[i].count, 1);
    }
    void verify() {
        std::uint64_t explored = crew_.ledger.counters.explored;
        if (!crew_.verifier.is_due(explored + round_.states())) return;
        for (std::uint32_t i = 0; i < round_.size(); ++i) {
            crew_.verifier.look(round_.batches[i], round_.block(i), explored, crew_.guard.seconds);
            explored += round_.batches[i].count;
        }
    }

    /// Every candidate by the worker who has its table.
    void look_up() {
        const std::uint64_t largest = store_.here().visited.largest();
        workers_.each([&](std::uint32_t owner) {
            if (owner >= owners_) return;
            store_.here().visited.template follow<K>(owner, owners_, largest, store_.width());
            for (std::uint32_t i = 0; i < round_.size(); ++i) found_[std::size_t{owner} * round_.size() + i] = look_up(i, owner);
        });
    }
    /// Note those that are new, and those that may be the same as a new one of the same block; how many.
    std::uint32_t look_up(std::uint32_t i, std::uint32_t owner) {
        Block& block = round_.block(i);
        const Width width = store_.width();
        const std::size_t k = static_cast<std::size_t>(K ? K : width.words), stride = k + 2;
        const std::uint32_t begin = block.sorted.starts[owner], end = block.sorted.starts[owner + 1];
        const Word* entry = block.sorted.entries.data() + begin * stride;
        const Word* const last = block.sorted.entries.data() + end * stride;
        const auto table = [&](const Word* one) -> LayerTable& { return store_.table(static_cast<Place>(one[k + 1] >> 32)); };
        const auto prefetch = [&](const Word* one) __attribute__((always_inline)) {
            if (one < last) table(one).template prefetch<K>(one[k], width);
        };
        std::uint32_t* const first = block.found_by.data() + begin;
        std::uint32_t* found = first;
        std::uint64_t news = 0;  // a bit for some bits of each hash that is new
        for (std::uint32_t ahead = 0; ahead < look_ups_ahead; ++ahead) prefetch(entry + ahead * stride);
        for (; entry != last; entry += stride) {
            prefetch(entry + look_ups_ahead * stride);
            const Word* slot;
            const std::uint64_t bit = std::uint64_t{1} << (entry[k] >> 20 & 63);
            if (table(entry).template insert<K>(entry, entry[k], width, slot)) {
                news |= bit;
                *found++ = static_cast<std::uint32_t>(entry[k + 1]);
            } else if (news & bit) {
                *found++ = static_cast<std::uint32_t>(entry[k + 1]) | met_again;
            }
        }
        return static_cast<std::uint32_t>(found - first);
    }

    /// A candidate, and where it will be looked up.
    struct Aim {
        Word hash;
        Place place;
        std::uint32_t block, candidate;
    };
    /// All candidates, table by table, and in pieces of each table one after the other. Those of a piece, and so all that may be the same
    /// state, are in the order of blocks and parents.
    std::vector<Aim> sorted_aims(bool backwards) const {
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
        std::vector<Aim> aims(count);
        each([&](std::uint32_t i, std::uint32_t c, const Block::Candidate& found) {
            aims[starts[bucket(found)]++] = {found.hash, store_.place_of(found), i, c};
        });
        return aims;
    }
    /// Every candidate, in the order of tables and of places in them: what was fetched last is needed first in the next round.
    void look_far() {
        Spill& spill = *Spill::at_work();
        crew_.backwards = !crew_.backwards;
        spill.turn(crew_.backwards);
        const std::vector<Aim> aims = sorted_aims(crew_.backwards);
        const Width width = store_.width();
        std::uint64_t looks = 0;
        for (std::size_t i = 0; i < aims.size(); ++i) {
            if (i + 2 * look_ups_ahead < aims.size()) {
                const Aim& later = aims[i + 2 * look_ups_ahead];
                __builtin_prefetch(round_.block(later.block).template state<K>(later.candidate));
                __builtin_prefetch(round_.block(later.block).marks.data() + later.candidate, 1);
                const Aim& soon = aims[i + look_ups_ahead];
                store_.table(soon.place).template prefetch<K>(soon.hash, width);
            }
            if (looks == 0) looks = spill.looks_left();
            --looks;
            const Aim& aim = aims[i];
            Block& block = round_.block(aim.block);
            const Word* slot;
            block.marks[aim.candidate] =
                store_.table(aim.place).template insert<K>(block.template state<K>(aim.candidate), aim.hash, width, slot) ? 1 : 2;
        }
    }

    /// The new states of a block, in the order of parents and edges.
    void collect(std::uint32_t i) {
        Block& block = round_.block(i);
        Part& part = parts_[i];
        block.fresh.clear();
        part.edges = block.candidates;
        if (far_)
            collect_far(block, part);
        else
            collect_unknown(i, block, part);
        part.states = static_cast<std::uint32_t>(block.fresh.size());
        part.quiet &= block.dead.empty();
    }
    void collect_far(Block& block, Part& part) {
        NewStates<K> news(block, store_.width());
        for (std::uint32_t p = 0; p < block.parents.size(); ++p) {
            for (std::uint32_t c = block.parents[p].begin; c < block.parents[p].end; ++c)
                if (block.marks[c] == 1)
                    news.add(c, Fate::fresh);
                else if (!news.empty())
                    news.meet_again(c);
            news.take([&](std::uint32_t c, Fate) {
                add(block, part, c, p);
                return true;
            });
        }
    }
    void collect_unknown(std::uint32_t i, Block& block, Part& part) {
        std::fill_n(block.marks.begin(), block.unknown.size(), 0);
        for (std::uint32_t owner = 0; owner < owners_; ++owner) {
            const std::uint32_t* const found = block.found_by.data() + block.sorted.starts[owner];
            for (std::uint32_t n = found_[std::size_t{owner} * round_.size() + i]; n-- > 0;)
                block.marks[found[n] & ~met_again] = found[n] & met_again ? 2 : 1;
        }
        NewStates<K> news(block, store_.width());
        std::uint32_t parent = 0;
        const auto take = [&] {
            news.take([&](std::uint32_t c, Fate) {
                add(block, part, c, parent);
                return true;
            });
        };
        for (std::size_t u = 0; u < block.unknown.size(); ++u) {
            const Block::Unknown one = block.unknown[u];
            if (one.parent != parent) {
                take();
                parent = one.parent;
            }
            if (block.marks[u] == 1)
                news.add(one.candidate, Fate::fresh);
            else if (block.marks[u] && !news.empty())
                news.meet_again(one.candidate);
        }
        take();
    }
    void add(Block& block, Part& part, std::uint32_t c, std::uint32_t parent) const {
        const Judge& judge = crew_.judge;
        const bool passed = !judge.asks_found() || judge.passes(block.template state<K>(c));
        part.quiet &= passed;
        block.fresh.push_back({c, 0, parent, passed});
        ++part.of(store_.place_of(block.found[c])).count;
    }

    /// Number the new states, and show them; how many blocks were processed until it has to stop.
    std::uint32_t number(Stop& stop) {
        Ledger& ledger = crew_.ledger;
        for (std::uint32_t i = 0; i < round_.size(); ++i) {
            Part& part = parts_[i];
            const std::uint32_t all = round_.batches[i].count;
            const std::uint32_t parents = ledger.room() < part.states ? cut(i, ledger.room()) : all;
            part.first_number = ledger.counters.states;
            for (Share& share : part.shares) share.cursor = store_.extend(share.place, share.count);
            ledger.found_many(part.states);
            const std::uint64_t outside = round_.block(i).count_outside(parents);
            ledger.counters.explored += parents - outside;
            ledger.counters.beyond += outside;
            ledger.counters.edges += part.edges;
            if (crew_.classes.any()) crew_.classes.count_edges(round_.block(i), parents);
            ledger.counters.outside_edges += round_.block(i).count_led_outside(0, parents);
            stop = show(i);
            if (parents < all && stop == Stop::none) stop = Stop::states;
            if (stop == Stop::none) continue;
            for (std::uint32_t left = i + 1; left < round_.size(); ++left) discount(left, 0);
            return i + 1;
        }
        return round_.size();
    }
    /// Only so many states may be found: leave the others out. How many parents are processed then.
    std::uint32_t cut(std::uint32_t i, std::uint64_t room) {
        Block& block = round_.block(i);
        Part& part = parts_[i];
        const std::uint32_t parents = block.fresh[room].parent;
        for (auto one = block.fresh.begin() + static_cast<std::ptrdiff_t>(room); one != block.fresh.end(); ++one)
            --part.of(store_.place_of(block.found[one->candidate])).count;
        block.fresh.resize(room);
        std::erase_if(block.dead, [&](std::uint32_t p) { return p >= parents; });
        discount(i, parents + 1);
        part.states = static_cast<std::uint32_t>(room);
        part.edges = 0;
        for (std::uint32_t p = 0; p < parents; ++p) part.edges += block.parents[p].end - block.parents[p].begin;
        return parents;
    }
    /// The edges of a block's parents from one on do not count after all.
    void discount(std::uint32_t i, std::uint32_t from) {
        crew_.hands[0]->count_edges(round_.block(i), from, round_.batches[i].count, ~std::uint64_t{0});
    }
    Stop show(std::uint32_t i) {
        if (parts_[i].quiet && !crew_.judge.asks_processed()) return Stop::none;
        std::uint64_t number = parts_[i].first_number;
        for (Block::Fresh& one : round_.block(i).fresh) one.number = number++;
        return crew_.judge.see(round_.batches[i], round_.block(i));
    }

    /// Write the new states to the queues, and what is known of their parents to its file.
    void write(std::uint32_t blocks) {
        each_own_block([&](std::uint32_t i, Worker&) {
            if (i < blocks) write_block(i);
        });
        if (ParentWriter* const parents = crew_.ledger.parents.get())
            for (std::uint32_t i = 0; i < blocks; ++i)
                for (const Block::Fresh& one : round_.block(i).fresh)
                    parents->append(round_.batches[i].number(one.parent),
                                    Block::edge(round_.block(i).found[one.candidate], crew_.ledger.actions()));
    }
    void write_block(std::uint32_t i) {
        const Block& block = round_.block(i);
        Part& part = parts_[i];
        std::uint64_t number = part.first_number;
        for (const Block::Fresh& one : block.fresh)
            store_.template write<K>(part.of(store_.place_of(block.found[one.candidate])).cursor, block.template state<K>(one.candidate),
                                     number++);
    }

    static constexpr std::uint32_t met_again = 1u << 31;
    Crew& crew_;
    LayerStore& store_;
    Progress& progress_;
    Round& round_;
    Workers& workers_;
    std::uint32_t owners_;
    bool far_;
    std::vector<std::uint32_t> found_;  // per owner and block: how many it noted
    std::vector<Part> parts_;           // per block
};

}  // namespace sweep
