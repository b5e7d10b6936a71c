// Threads that share jobs, and tables that several of them fill.
#include "sweep/explore/workers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>

#include "sweep/explore/ahead.hpp"
#include "sweep/explore/chores.hpp"
#include "sweep/explore/foreseen.hpp"
#include "sweep/state/memory.hpp"
#include "sweep/store/layer_table.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

void every_job_once() {
    for (const std::uint32_t count : {1u, 2u, 3u, 8u}) {
        Workers workers(count, std::nullopt);
        check(!workers.begun());
        for (std::uint32_t jobs = 0; jobs < 200; ++jobs) {
            std::vector<std::atomic<int>> done(jobs);
            workers.share(jobs, [&](std::uint32_t worker, std::uint32_t job) {
                check(worker < count);
                ++done[job];
            });
            for (const auto& times : done) check_equal(times.load(), 1);
            workers.deal(jobs, [&](std::uint32_t worker, std::uint32_t job) {
                check(worker < count && (job != 0 || worker == 0 || jobs > Workers::most_dealt * count));
                ++done[job];
            });
            for (const auto& times : done) check_equal(times.load(), 2);
            std::vector<std::atomic<int>> own(count);
            workers.each([&](std::uint32_t job) { ++own[job]; });
            for (const auto& times : own) check_equal(times.load(), 1);
            std::vector<std::atomic<int>> few(count);
            workers.each_of_few([&](std::uint32_t job) { ++few[job]; });
            for (std::uint32_t job = 0; job < count; ++job) check_equal(few[job].load(), job <= Workers::few ? 1 : 0);
        }
        check(workers.seconds() >= 0);
    }
}

/// One who is late must neither be waited for nor take a job of a later turn.
void late_comers() {
    Workers workers(3, std::nullopt);
    for (int turn = 0; turn < 300; ++turn) {
        std::vector<std::atomic<int>> done(3);
        workers.each([&](std::uint32_t job) {
            if (job == 1 && turn % 16 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ++done[job];
        });
        for (const auto& times : done) check_equal(times.load(), 1);
        const std::uint32_t jobs = 1 + static_cast<std::uint32_t>(turn) % 48;
        std::vector<std::atomic<int>> dealt(jobs);
        workers.deal(jobs, [&](std::uint32_t, std::uint32_t job) {
            if (job == 2 && turn % 32 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ++dealt[job];
        });
        for (const auto& times : dealt) check_equal(times.load(), 1);
    }
}

void the_first_failure() {
    Workers workers(4, std::nullopt);
    for (int turn = 0; turn < 50; ++turn) {
        std::string met;
        try {
            workers.share(100, [&](std::uint32_t, std::uint32_t job) {
                if (job % 10 == 7) throw std::runtime_error(std::to_string(job));
            });
        } catch (const std::runtime_error& error) {
            met = error.what();
        }
        check_equal(met, std::string("7"));
    }
}

void split_tables() {
    Account account;
    LayerTable table(&account);
    std::set<std::vector<Word>> held;
    Random random(7);
    for (int i = 0; i < 20'000; ++i) {
        const std::vector<Word> state{random.below(5'000) * 2 + 1, random.below(3)};
        const Word hash = hash_words<2>(state.data(), 2);
        if (i == 9'000) table.split(8, 0, 2);
        check_equal(table.insert<2>(state.data(), hash, 2), held.insert(state).second);
        check(table.find(state.data(), hash, 2) != nullptr);
    }
    check(table.is_split());
    check_equal(table.size(), held.size());
    std::set<std::vector<Word>> seen;
    table.each(2, [&](const Word* state) { check(seen.emplace(state, state + 2).second); });
    check(seen == held);
    check(account.bytes.load() >= held.size() * 16);
    table.clear();
    check_equal(table.size(), 0u);
    check_equal(account.bytes.load(), 0u);
}

/// The job of the caller is done by the caller, however late it comes to it.
void own_jobs() {
    Workers workers(3, std::nullopt);
    const auto caller = std::this_thread::get_id();
    for (int turn = 0; turn < 2'000; ++turn)
        workers.each([&](std::uint32_t job) { check(job != 0 || std::this_thread::get_id() == caller); });
}

/// Batches that are expanded ahead are expanded once each, not too far ahead, and none after a halt.
void expanding_ahead() {
    Ahead ahead;
    for (std::uint32_t turn = 0; turn < 300; ++turn) {
        const std::uint32_t count = 3, batches = 1 + turn % 90, halt_at = turn % 7 == 0 ? turn % 50 : batches;
        Workers workers(count, std::nullopt);
        std::vector<std::atomic<int>> times(batches);
        std::array<std::atomic<std::uint32_t>, Ahead::depth> blocks{};
        std::atomic<bool> halted = false;
        ahead.begin(batches);
        const auto expand_next = [&] {
            const auto i = ahead.take();
            if (!i) return false;
            check(!halted.load());
            ++times[*i];
            blocks[*i % Ahead::depth] = *i;
            ahead.expanded(*i, *i % 11 == 5 ? std::make_exception_ptr(std::runtime_error("5")) : nullptr);
            return true;
        };
        const auto halt = [&] { ahead.halt([&](auto&& done) { workers.wait_until(done); }); };
        workers.each([&](std::uint32_t who) {
            if (who != 0) {
                while (!ahead.over()) expand_next();
                return;
            }
            for (std::uint32_t i = 0; i < ahead.batches(); ++i) {
                while (!ahead.is_ready(i))
                    if (!expand_next()) workers.wait_until([&] { return ahead.is_ready(i); });
                check_equal(blocks[i % Ahead::depth].load(), i);
                check_equal(times[i].load(), 1);
                check_equal(ahead.failure(i) != nullptr, i % 11 == 5);
                if (i == halt_at) {
                    halt();
                    halted = true;
                    for (std::uint32_t j = i; j < ahead.batches(); ++j) check(ahead.is_ready(j));
                }
                ahead.done(i);
            }
            halt();
        });
        for (std::uint32_t i = 0; i < batches; ++i) check_equal(times[i].load(), i < ahead.batches() ? 1 : 0);
        check(halt_at != batches || ahead.batches() == batches);
    }
}

/// Batches that were foreseen have their turns in the order that one thread gives them, each expanded once as long as it is not dropped;
/// others come before them, and none is taken after a halt.
void batches_that_were_foreseen() {
    struct Expected {
        std::uint64_t first;  // what its states are called, by which it is known
        Foreseen::Entry* entry;
    };
    Foreseen foreseen;
    KeyQueue queue;
    queue.shape(1, 1, 0);
    Random random(11);
    std::uint64_t dropped = 0, taken_back = 0;
    for (int turn = 0; turn < 200; ++turn) {
        Workers workers(3, std::nullopt);
        std::vector<Expected> line;  // the next one last
        std::uint64_t name = 0;
        const auto expand = [&](Foreseen::Entry& entry) {
            entry.block->closed = static_cast<std::uint32_t>(entry.states.states()[0]);
            Foreseen::expanded(entry, entry.states.states()[0] % 5 != 0);
        };
        const auto add = [&](std::size_t count) {
            foreseen.make_room(count);
            std::vector<Foreseen::Entry*> batches;
            for (std::size_t i = 0; i < count; ++i) {
                Foreseen::Entry* const entry = foreseen.spare();
                check(entry != nullptr);
                const Word state = ++name;
                entry->states.begin(queue, 1);
                entry->states.add(&state, &state, no_finder);
                batches.push_back(entry);
            }
            foreseen.add(batches);
            for (std::size_t i = count; i-- > 0;) line.push_back({name - count + i + 1, batches[i]});
        };
        /// Those at the end of the line may be gone, and used for others.
        const auto is_there = [&](const Expected& one) {
            return !foreseen.empty() && &foreseen.front() == one.entry && one.entry->states.states()[0] == one.first;
        };
        foreseen.begin();
        workers.each([&](std::uint32_t who) {
            if (who != 0) {
                while (!foreseen.over())
                    if (Foreseen::Entry* const entry = foreseen.take()) expand(*entry);
                return;
            }
            add(Foreseen::most - Foreseen::depth);
            for (int step = 0; step < 400 && !line.empty(); ++step) {
                if (random.one_in(12)) add(1 + random.below(Foreseen::depth));
                const Expected next = line.back();
                line.pop_back();
                if (!is_there(next)) {
                    ++dropped;
                    continue;
                }
                Foreseen::Entry& entry = foreseen.front();
                while (!foreseen.is_expanded(entry))
                    if (foreseen.take_front()) expand(entry);
                check_equal(entry.block->closed, next.first);
                check_equal(entry.whole, next.first % 5 != 0);
                foreseen.pop();
            }
            if (turn % 2) add(8);
            if (Foreseen::Entry* const entry = foreseen.take()) expand(*entry);
            foreseen.halt([&](auto&& done) { workers.wait_until(done); });
            check(foreseen.take() == nullptr);
        });
        foreseen.clear([&](const Block& block) {
            check(block.closed % 5 != 0);
            ++taken_back;
        });
        check(foreseen.empty());
    }
    check(dropped > 100);
    check(taken_back > 10);
}

/// Jobs that one has done in the middle of something else are done once each, whoever comes, and all of them before it goes on.
void chores_of_one() {
    Workers workers(3, std::nullopt);
    Chores chores;
    std::atomic<bool> over = false;
    workers.each([&](std::uint32_t who) {
        if (who != 0) {
            workers.wait_until([&] {
                chores.help();
                return over.load();
            });
            return;
        }
        for (std::uint32_t turn = 0; turn < 3'000; ++turn) {
            std::vector<std::atomic<int>> done(1 + turn % 9);
            std::string met;
            try {
                const auto job = [&](std::uint32_t one) {
                    ++done[one];
                    if (turn % 100 == 7) throw std::runtime_error("7");
                };
                chores.share(static_cast<std::uint32_t>(done.size()), job, [&](auto&& all) { workers.wait_until(all); });
            } catch (const std::runtime_error& error) {
                met = error.what();
            }
            check_equal(met, std::string(turn % 100 == 7 ? "7" : ""));
            for (const auto& times : done) check_equal(times.load(), 1);
        }
        std::atomic<int> here = 0;  // two who are at work at the same time
        const auto meet = [&](std::uint32_t) {
            ++here;
            workers.wait_until([&] { return here.load() == 2; });
        };
        chores.share(2, meet, [&](auto&& all) { workers.wait_until(all); });
        over = true;
    });
}

/// Tables that several move when they grow hold what those do that one moves: drawn states, and states that crowd some places.
template <int K>
void grow_together(std::uint64_t states, bool crowded) {
    Workers workers(3, std::nullopt);
    std::atomic<std::uint32_t> jobs_done = 0;
    const Together together = [&](std::uint32_t jobs, const std::function<void(std::uint32_t)>& job) {
        workers.share(jobs, [&](std::uint32_t, std::uint32_t one) {
            job(one);
            ++jobs_done;
        });
    };
    Account account;
    account.together = &together;
    VisitedTable table(&account);
    const int k = K ? K : 3;
    Random random(K + 5u);
    std::vector<Word> all;
    std::vector<Word> state(static_cast<std::size_t>(k), 0);
    while (all.size() < states) {
        state.back() = random.any() << 1;
        state[0] |= 1;
        const Word hash = hash_words<K>(state.data(), k);
        if (crowded && position(hash, 1000) % 50 > 30) continue;
        if (table.insert<K>(state.data(), hash, k)) all.push_back(state.back());
    }
    check(jobs_done > 50);
    check_equal(table.size(), all.size());
    for (const Word last : all) {
        state.back() = last;
        state[0] |= 1;
        check(table.find<K>(state.data(), hash_words<K>(state.data(), k), k) != nullptr);
    }
    std::uint64_t held = 0;
    table.each(k, [&](const Word*) { ++held; });
    check_equal(held, all.size());
}

void tables_grow_together() {
    for (const bool crowded : {false, true}) {
        grow_together<1>(1'500'000, crowded);
        grow_together<2>(700'000, crowded);
        grow_together<0>(500'000, crowded);
    }
}

/// Several threads claim slots for states that many of them have: each state is claimed once, by somebody whom all others name.
void claims() {
    constexpr std::uint32_t threads = 4;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        Account account;
        VisitedTable table(&account);
        Random random(seed);
        std::vector<std::vector<Word>> states;
        for (int i = 0; i < 2'000; ++i) states.push_back({random.below(600) * 2 + 1, random.below(2)});
        const auto hash_of = [](const std::vector<Word>& state) { return hash_words<2>(state.data(), 2); };
        std::set<std::vector<Word>> before, all(states.begin(), states.end());
        for (int i = 0; i < 300; ++i)
            if (table.insert<2>(states[i].data(), hash_of(states[i]), 2)) before.insert(states[i]);
        table.make_room<2>(seed % 2 ? 2'000 : 100, 2);  // too little, every other time
        struct Claimed {
            Word* slot;
            const std::vector<Word>* state;
        };
        std::vector<std::vector<Claimed>> claimed(threads);
        std::vector<std::uint64_t> known(threads), taken(threads), full(threads);
        Workers workers(threads, std::nullopt);
        workers.each([&](std::uint32_t who) {
            for (std::size_t i = who % 2; i < states.size(); ++i) {
                const std::vector<Word>& state = states[(i * 7 + who) % states.size()];
                Word* slot = table.start<2>(hash_of(state), 2);
                Word ticket = reinterpret_cast<Word>(&state);
                const auto same = [&](Word other) { return *reinterpret_cast<const std::vector<Word>*>(other) == state; };
                switch (table.claim<2>(slot, state.data(), 2, ticket, [] {}, same)) {
                    case VisitedTable::Claim::known:
                        ++known[who];
                        check(before.contains(state));
                        break;
                    case VisitedTable::Claim::mine: claimed[who].push_back({slot, &state}); break;
                    case VisitedTable::Claim::taken:
                        ++taken[who];
                        check(!before.contains(state));
                        break;
                    case VisitedTable::Claim::full: ++full[who]; break;
                }
            }
        });
        std::set<std::vector<Word>> found;
        for (const auto& ones : claimed)
            for (const Claimed& one : ones) {
                check(found.insert(*one.state).second);
                check(!before.contains(*one.state));
            }
        const bool enough = std::all_of(full.begin(), full.end(), [](std::uint64_t count) { return count == 0; });
        if (seed % 2) check(enough);
        for (const auto& ones : claimed) {
            for (const Claimed& one : ones)
                if (enough)
                    table.settle<2>(one.slot, one.state->data(), 2);
                else
                    *one.slot = 0;  // withdrawn
            if (enough) table.put_many(ones.size());
        }
        check_equal(table.size(), enough ? all.size() : before.size());
        for (const std::vector<Word>& state : all)
            check_equal(table.find<2>(state.data(), hash_of(state), 2) != nullptr, enough || before.contains(state));
    }
}

}  // namespace

int main() {
    return run_all({{"every job once", every_job_once},
                    {"late comers", late_comers},
                    {"the first failure", the_first_failure},
                    {"own jobs", own_jobs},
                    {"expanding ahead", expanding_ahead},
                    {"batches that were foreseen", batches_that_were_foreseen},
                    {"split tables", split_tables},
                    {"chores of one", chores_of_one},
                    {"tables grow together", tables_grow_together},
                    {"claims", claims}});
}
