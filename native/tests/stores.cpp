// Visited tables, queues, frontiers and keys against plain sets and deques by long random sequences of operations.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "sweep/progress/product.hpp"
#include "sweep/store/key_queue.hpp"
#include "sweep/store/queue.hpp"
#include "sweep/store/upcoming.hpp"
#include "sweep/store/visited.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

using Packed = std::vector<Word>;

struct Numbered {
    Packed state;
    std::uint64_t number;
    bool operator==(const Numbered&) const = default;
};

/// A layer, and what it should hold.
struct Layer {
    explicit Layer(Account& account) : visited(&account), unprocessed(&account) {}
    VisitedTable visited;
    StateQueue unprocessed;
    std::set<Packed> stored;
    std::deque<Numbered> waiting;
};

/// A state as layouts make them: the lowest bit is set. Some kinds leave most words alike, so that few bits tell them apart.
Packed draw(Random& random, int k) {
    Packed state(static_cast<std::size_t>(k), 0);
    const std::uint64_t kind = random.below(4);
    if (kind == 0)
        state.back() = random.below(50) << 1;
    else if (kind == 1)
        state[0] = random.below(300) << 40;
    else if (kind == 2)
        state[random.below(state.size())] = Word{1} << random.below(64);
    else
        for (Word& word : state) word = random.below(3) ? random.below(4) << 61 : random.any();
    state[0] |= 1;
    return state;
}

template <int K>
void compare(const Layer& layer, int k) {
    check_equal(layer.visited.size(), layer.stored.size());
    check(layer.visited.bytes() >= layer.stored.size() * static_cast<std::size_t>(k) * sizeof(Word));
    std::set<Packed> held;
    layer.visited.each(k, [&](const Word* state) { check(held.emplace(state, state + k).second); });
    check(held == layer.stored);
    check_equal(layer.unprocessed.size(), layer.waiting.size());
    std::deque<Numbered> waiting;
    layer.unprocessed.each(k + 1, [&](const Word* entry) { waiting.push_back({Packed(entry, entry + k), entry[k]}); });
    check(waiting == layer.waiting);
}

template <int K>
bool insert(VisitedTable& table, const Packed& state, int k) {
    const Word hash = hash_words<K>(state.data(), k);
    check_equal(hash, hash_words<0>(state.data(), k));  // tables are filled by both
    table.prefetch<K>(hash, k);
    return table.insert<K>(state.data(), hash, k);
}

template <int K>
void play(int k, std::uint64_t seed) {
    Random random(seed);
    Account account;
    std::deque<Layer> layers;
    for (int i = 0; i < 5; ++i) layers.emplace_back(account);
    std::uint64_t number = 0;
    for (int step = 0; step < 60'000; ++step) {
        Layer& layer = layers[random.below(layers.size())];
        const std::uint64_t operation = random.below(1000);
        if (operation < 700) {
            const Packed state = !layer.stored.empty() && random.one_in(4) ? *layer.stored.begin() : draw(random, k);
            const bool is_new = layer.stored.insert(state).second;
            // What a re-layout fills, the loops go on with.
            const bool inserted = random.one_in(8) ? insert<0>(layer.visited, state, k) : insert<K>(layer.visited, state, k);
            check_equal(inserted, is_new);
            if (!is_new) continue;
            layer.unprocessed.push<K>(state.data(), number, k, k + 1);
            layer.waiting.push_back({state, number++});
        } else if (operation < 990) {
            const std::uint64_t most = 1 + random.below(300);
            const auto [entries, count, finders] = layer.unprocessed.front(most, k + 1);
            check_equal(count == 0, layer.waiting.empty());
            check(count <= most);
            for (std::uint64_t i = 0; i < count; ++i) {
                const Word* entry = entries + i * static_cast<std::uint64_t>(k + 1);
                check(layer.waiting.front() == Numbered{Packed(entry, entry + k), entry[k]});
                layer.waiting.pop_front();
            }
            // While a block is at work its successors are queued behind it: entries must stay where they are.
            const Packed first = count ? Packed(entries, entries + k) : Packed{};
            for (std::uint64_t i = random.below(80); count && i > 0; --i) {
                const Packed state = draw(random, k);
                if (!layer.stored.insert(state).second) continue;
                check(insert<K>(layer.visited, state, k));
                layer.unprocessed.push<K>(state.data(), number, k, k + 1);
                layer.waiting.push_back({state, number++});
            }
            check(count == 0 || std::equal(first.begin(), first.end(), entries));
            if (count) layer.unprocessed.pop(count);
        } else if (operation < 993) {  // a layer is dropped whole, and may come to life again
            layer.visited.clear();
            layer.stored.clear();
            check_equal(layer.visited.bytes(), 0u);
        } else if (operation < 996) {
            VisitedTable moved(std::move(layer.visited));
            check_equal(layer.visited.size(), 0u);
            layer.visited = std::move(moved);
        } else {
            compare<K>(layer, k);
            std::uint64_t bytes = 0;
            for (const Layer& one : layers) bytes += one.visited.bytes() + one.unprocessed.bytes();
            check_equal(account.bytes, bytes);
        }
    }
    for (const Layer& layer : layers) compare<K>(layer, k);
    layers.clear();
    check_equal(account.bytes, 0u);
}

void stateful() {
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
        play<1>(1, 10 + seed);
        play<2>(2, 20 + seed);
        play<3>(3, 30 + seed);
        play<4>(4, 40 + seed);
        play<0>(7, 70 + seed);
        play<0>(2, 80 + seed);
    }
}

void many_states() {
    VisitedTable table;
    const std::uint64_t count = 200'000;
    for (int round = 0; round < 2; ++round)
        for (std::uint64_t i = 0; i < count; ++i) {
            const Word state[2] = {i << 1 | 1, i % 3};
            check_equal(table.insert<2>(state, hash_words<2>(state, 2), 2), round == 0);
        }
    check_equal(table.size(), count);
    check(table.bytes() <= 2 * count * 2 * sizeof(Word) + 1024);
}

void numbers_move_with_their_states() {
    VisitedTable table;
    const std::uint32_t count = 50'000, before = 100;
    const auto insert = [&](std::uint32_t i, const Word*& slot) {
        const Word state[2] = {Word{i} << 1 | 1, i % 3};
        return table.insert<2>(state, hash_words<2>(state, 2), 2, slot);
    };
    const Word* slot = nullptr;
    for (std::uint32_t i = 0; i < before; ++i) check(insert(i, slot));
    table.keep_numbers();
    for (std::uint32_t i = 0; i < count; ++i) {
        check_equal(insert(i, slot), i >= before);
        table.number<2>(slot, 2) = i;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        check(!insert(i, slot));
        check_equal(slot[0], Word{i} << 1 | 1);
        check_equal(table.number<0>(slot, 2), i);
    }
    const std::uint64_t bytes = table.bytes();
    table.drop_numbers();
    check(!table.numbered() && table.bytes() < bytes);
}

/// States come and go, as in a cache: what is there is found, what is gone is not.
void erased_states() {
    for (const int k : {1, 2, 5}) {
        Random random(static_cast<std::uint64_t>(k));
        VisitedTable table;
        std::set<Packed> stored;
        for (int step = 0; step < 60'000; ++step) {
            const Packed state = draw(random, k);
            const Word hash = hash_words<0>(state.data(), k);
            if (random.one_in(2))
                check_equal(table.insert<0>(state.data(), hash, k), stored.insert(state).second);
            else
                check_equal(table.erase<0>(state.data(), hash, k), stored.erase(state) == 1);
            check_equal(table.size(), stored.size());
            const Packed other = draw(random, k);
            check_equal(table.find(other.data(), hash_words<0>(other.data(), k), k) != nullptr, stored.count(other) == 1);
        }
        std::set<Packed> held;
        table.each(k, [&](const Word* state) { check(held.emplace(state, state + k).second); });
        check(held == stored);
    }
}

/// The frontier against an ordered set of keys, turns of arrival and numbers; what is resumed arrives then.
void frontiers() {
    for (const std::size_t words : {1, 2, 3}) {
        Random random(words);
        KeyQueue frontier;
        frontier.shape(words, 2, 1);
        std::set<std::tuple<Packed, std::uint64_t, std::uint64_t>> expected;
        std::vector<std::pair<Packed, std::uint64_t>> later;
        std::uint64_t number = 0, arrived = 0;
        for (int step = 0; step < 40'000; ++step) {
            check_equal(frontier.size(), expected.size());
            check_equal(frontier.has_later(), !later.empty());
            if (random.one_in(200)) {
                frontier.resume();
                for (const auto& [key, put_off] : later) expected.emplace(key, arrived++, put_off);
                later.clear();
            }
            if (expected.empty() || random.below(5) < (step < 20'000 ? 3 : 2)) {
                // Mostly above the key at work, as steps go; but a column begins again below it.
                Packed key(frontier.key(), frontier.key() + words);
                if (random.one_in(50))
                    for (Word& word : key) word = random.below(4) << 62 | random.below(4);
                else
                    key[random.below(words)] += random.below(3) << random.below(60);
                const Word state[2] = {number, ~number};
                if (random.one_in(4)) {
                    for (Word& word : key) word >>= random.below(3);  // a step back
                    frontier.put_off(key.data(), state, number);
                    later.emplace_back(key, number++);
                } else {
                    frontier.push(key.data(), state, number);
                    expected.emplace(key, arrived++, number++);
                }
                continue;
            }
            check(Packed(frontier.least(), frontier.least() + words) == std::get<0>(*expected.begin()));
            frontier.advance();
            check(frontier.goes_on());
            check(Packed(frontier.key(), frontier.key() + words) == std::get<0>(*expected.begin()));
            check_equal(frontier.number(), std::get<2>(*expected.begin()));
            check_equal(frontier.state()[0], frontier.number());
            check_equal(frontier.state()[1], ~frontier.number());
            frontier.pop();
            expected.erase(expected.begin());
        }
    }
}

/// States that are gathered come in the order of the frontier, key by key, whatever is pushed meanwhile, and no key is torn apart.
void upcoming_states_are_next() {
    for (const std::size_t words : {1, 2}) {
        Random random(words);
        KeyQueue frontier;
        frontier.with_finders = words == 2;
        frontier.shape(words, 1, 1);
        Upcoming soon;
        const auto finder = [](std::uint64_t number) { return static_cast<Finder>(number * 7); };
        std::set<std::tuple<Packed, std::uint64_t>> expected;  // keys, and numbers in their order
        std::uint64_t number = 0, together = 0, cut = 0;
        const auto push = [&](std::uint64_t most) {
            Packed key(frontier.key(), frontier.key() + words);
            key.back() += random.below(most);
            const Word state = number << 1 | 1;
            frontier.push(key.data(), &state, number, finder(number));
            expected.emplace(key, number++);
            return key;
        };
        for (int step = 0; step < 20'000; ++step) {
            for (std::uint64_t i = random.below(step % 1000 < 500 ? 60 : 4); i > 0; --i) push(random.one_in(4) ? 200 : 30);
            if (expected.empty()) continue;
            frontier.advance();
            const Word odd = frontier.key()[words - 1] & 1;  // what may not be gathered together
            const bool apart = random.one_in(3);
            soon.gather(frontier, 2, [&](const Word* key) { return !apart || (key[words - 1] & 1) == odd; });
            const std::uint32_t gathered = soon.count();
            together += gathered > soon.last();
            do {
                const Packed key = std::get<0>(*expected.begin());
                std::uint64_t alike = 0;  // all that wait with this key are at hand, or as many as go into a batch
                for (auto one = expected.begin(); one != expected.end() && std::get<0>(*one) == key; ++one) ++alike;
                check_equal(soon.last() - soon.first(), std::min<std::uint64_t>(block_size, alike));
                for (std::uint32_t i = soon.first(); i < soon.last(); ++i) {
                    check(Packed(frontier.key(), frontier.key() + words) == key);
                    check(std::get<0>(*expected.begin()) == key);
                    check_equal(soon.states()[2 * i], std::get<1>(*expected.begin()) << 1 | 1);
                    check_equal(soon.states()[2 * i + 1], std::get<1>(*expected.begin()));
                    check((soon.finders() != nullptr) == (words == 2));
                    if (words == 2) check_equal(soon.finders()[i], finder(std::get<1>(*expected.begin())));
                    check(!apart || (key.back() & 1) == odd);
                    expected.erase(expected.begin());
                    frontier.pop();
                    if (random.one_in(40)) push(20);
                }
                if (!expected.empty()) frontier.advance();
            } while (soon.next(frontier));
            cut += !soon.is_done();
            soon.learn();
        }
        check(together > 100);
        check(cut > 100);
    }
}

/// What states that have gone took is given back, by and by, and those that are left keep their order.
void frontiers_shrink() {
    KeyQueue frontier;
    frontier.shape(1, 1, 1);
    const std::uint64_t count = 100'000;
    const auto key = [](std::uint64_t i) { return (i * 7919 % 1009) << 40 | i % 7; };
    std::set<std::pair<Word, std::uint64_t>> expected;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Word its = key(i), state = i << 1 | 1;
        frontier.push(&its, &state, i);
        expected.emplace(its, i);
    }
    const std::uint64_t entry = 3 * sizeof(Word), little = 64 << 10;
    check(frontier.bytes() <= count * entry * 5 / 4 + little);
    while (!frontier.empty()) {
        frontier.advance();
        check_equal(frontier.number(), expected.begin()->second);
        check_equal(frontier.state()[0], frontier.number() << 1 | 1);
        expected.erase(expected.begin());
        frontier.pop();
        check(frontier.bytes() <= frontier.size() * entry * 5 / 3 + little);
    }
    check(expected.empty());
}

/// Values of components in any order of appearance: keys compare as tuples of values do, those of a column alike.
void product_keys() {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Random random(seed);
        ProductMeasure product;
        product.parts.resize(1 + random.below(9));
        std::vector<std::vector<std::uint64_t>> known(product.parts.size());
        for (Part& part : product.parts) part.monotone = random.one_in(3);
        product.lay_out();
        for (int step = 0; step < 400; ++step) {
            const std::size_t part = random.below(known.size());
            const std::uint64_t value = random.below(1 + random.below(5000));
            std::vector<std::uint64_t>& values = known[part];
            if (std::count(values.begin(), values.end(), value)) continue;
            std::optional<std::uint32_t> below;
            for (std::uint32_t i = 0; i < values.size(); ++i)
                if (values[i] < value && (!below || values[*below] < values[i])) below = i;
            values.push_back(value);
            check_equal(product.add_value(part, below), values.size() - 1);
        }
        for (auto& values : known)
            if (values.empty()) return;
        for (int step = 0; step < 300; ++step) {
            std::vector<std::uint32_t> one, other;
            std::vector<std::uint64_t> first, second, columns[2];  // values, monotone components first
            for (auto& values : known) one.push_back(static_cast<std::uint32_t>(random.below(values.size())));
            other = one;
            for (std::size_t i = 0; i < known.size(); ++i)
                if (random.one_in(3)) other[i] = static_cast<std::uint32_t>(random.below(known[i].size()));
            for (const bool monotone : {true, false})
                for (std::size_t i = 0; i < known.size(); ++i) {
                    if (product.parts[i].monotone != monotone) continue;
                    first.push_back(known[i][one[i]]);
                    second.push_back(known[i][other[i]]);
                    if (monotone) columns[0].push_back(first.back()), columns[1].push_back(second.back());
                }
            Packed keys[2] = {Packed(product.key_words()), Packed(product.key_words())};
            product.key(one.data(), keys[0].data());
            product.key(other.data(), keys[1].data());
            std::vector<std::uint32_t> back(known.size());
            product.values(keys[0].data(), back.data());
            check(back == one);
            product.values(keys[1].data(), keys[0].data(), back.data());
            check(back == other);
            check_equal(keys[0] < keys[1], first < second);
            check_equal(keys[0] == keys[1], first == second);
            check_equal(product.same_column(keys[0].data(), keys[1].data()), columns[0] == columns[1]);
            for (std::size_t i = 0; i < known.size(); ++i) product.change(keys[0].data(), i, other[i]);
            check(keys[0] == keys[1]);
        }
    }
}

void drained_queues_hold_nothing() {
    StateQueue queue;
    const Word state[1] = {1};
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t i = 0; i < 20'000; ++i) queue.push<1>(state, i, 1, 2);
        std::uint64_t next = 0;
        while (queue.size()) {
            const auto [entries, count, finders] = queue.front(256, 2);
            for (std::uint64_t i = 0; i < count; ++i) check_equal(entries[2 * i + 1], next++);
            queue.pop(count);
        }
        check_equal(next, 20'000u);
        check_equal(queue.bytes(), 0u);
        check_equal(queue.front(256, 2).count, 0u);
    }
}

/// Where only the first words are compared, the table holds the first of the states that agree in these, also when it has grown.
void one_state_of_each_class() {
    Random random(7);
    VisitedTable table;
    const Width width(3, 1);
    std::map<Word, Packed> first;
    for (int step = 0; step < 20'000; ++step) {
        const Packed state{random.below(3000) << 1 | 1, random.any(), random.any()};
        const Word hash = hash_words<0>(state.data(), width);
        if (random.one_in(5)) {
            check_equal(table.erase<0>(state.data(), hash, width), first.erase(state[0]) == 1);
            continue;
        }
        const Word* slot = nullptr;
        const bool is_new = first.emplace(state[0], state).second;
        check_equal(table.insert<0>(state.data(), hash, width, slot), is_new);
        check(Packed(slot, slot + 3) == first[state[0]]);
    }
    check_equal(table.size(), first.size());
    table.each(3, [&](const Word* state) { check(Packed(state, state + 3) == first[state[0]]); });
}

/// From nothing to a table on pages of its own: it grows many times, where it lies and elsewhere, and none is lost or there twice.
template <int K>
void grow_many_times(std::uint64_t states, bool with_numbers) {
    Random random(K + 11u);
    Account account;
    VisitedTable table(&account);
    const int k = K ? K : 3;
    std::set<Word> stored;
    for (std::uint64_t step = 0; step < states; ++step) {
        Packed state(static_cast<std::size_t>(k), 0);
        state.back() = random.below(states) << 1;
        state[0] |= 1;
        const Word hash = hash_words<K>(state.data(), k);
        const std::uint64_t moves = account.moves, capacity = table.capacity();
        if (with_numbers && step == 100) table.keep_numbers();
        check_equal(table.insert<K>(state.data(), hash, k), stored.insert(state.back()).second);
        check_equal(table.capacity() != capacity, account.moves != moves);
        check(table.find<K>(state.data(), hash, k) != nullptr);
    }
    std::set<Word> met;
    table.each(k, [&](const Word* state) { check(met.insert(state[k - 1]).second); });
    check(met.size() == stored.size() && table.size() == stored.size());
    check_equal(account.bytes, table.bytes());
}

void tables_grow_where_they_lie() {
    for (const bool with_numbers : {false, true}) {
        grow_many_times<1>(60'000, with_numbers);
        grow_many_times<2>(20'000, with_numbers);
        grow_many_times<0>(20'000, with_numbers);
    }
    grow_many_times<1>(500'000, false);
    grow_many_times<2>(200'000, false);
}

/// Words keep their values and new ones are 0, in small blocks and large ones.
void blocks_are_extended() {
    for (const std::uint64_t first : {std::uint64_t{100}, std::uint64_t{20'000}, std::uint64_t{300'000}}) {
        ZeroedWords block(first);
        std::uint64_t count = first;
        for (std::uint64_t i = 0; i < count; ++i) block.data()[i] = i + 1;
        for (int times = 0; times < 5; ++times) {
            const std::uint64_t more = count + count * 5 / 8;
            if (!block.extend(more)) break;
            for (std::uint64_t i = 0; i < more; ++i) check_equal(block.data()[i], i < count ? i + 1 : 0);
            for (std::uint64_t i = count; i < more; ++i) block.data()[i] = i + 1;
            count = more;
        }
        check(count > first);
    }
}

/// Blocks that tables left are used again, and clean; of them a little is kept, and as much as tables have held before.
void leftovers_are_used_again() {
    Account account;
    Leftovers& leftovers = account.leftovers;
    const std::uint64_t words = 5'000;
    std::uint64_t* first = nullptr;
    {
        ZeroedWords block(words, &leftovers);
        first = block.data();
        std::fill(first, first + words, 7);
        check(!block.extend(2 * words));
    }
    {
        const ZeroedWords again(words - 100, &leftovers), other(words, &leftovers);
        check(again.data() == first);
        check(other.data() != first);
        for (std::uint64_t i = 0; i < words - 100; ++i) check_equal(again.data()[i], 0u);
    }
    for (const std::uint64_t bytes : {std::uint64_t{1} << 14, std::uint64_t{50'000}, (std::uint64_t{1} << 21) - 8}) {
        check(Leftovers::fit(bytes));
        check(Leftovers::rounded(bytes) >= bytes && Leftovers::rounded(bytes) <= bytes + bytes / 8);
        check_equal(Leftovers::rounded(Leftovers::rounded(bytes)), Leftovers::rounded(bytes));
    }
    const std::uint64_t large = Leftovers::rounded(std::uint64_t{1} << 20);
    std::vector<void*> blocks;
    for (int i = 0; i < 20; ++i) blocks.push_back(leftovers.take(large));
    for (void* block : blocks) leftovers.give(block, large);
    check(leftovers.bytes() <= std::uint64_t{8} << 20);
    void* const last = leftovers.take(large);
    check(last == blocks.back());
    leftovers.give(last, large);
    account.add(20 * large);
    const auto kept_of_20 = [&] {
        for (void*& block : blocks) block = leftovers.take(large);
        for (void* block : blocks) leftovers.give(block, large);
        return leftovers.bytes();
    };
    check(kept_of_20() <= std::uint64_t{8} << 20);  // the tables hold all of it
    account.add(-large * 8);
    check(kept_of_20() <= std::uint64_t{8} << 20);
    account.add(-large * 8);
    check_equal(kept_of_20(), 16 * large);
}

}  // namespace

int main() {
    return run_all({{"stateful", stateful},
                    {"leftovers", leftovers_are_used_again},
                    {"many states", many_states},
                    {"numbers", numbers_move_with_their_states},
                    {"erased states", erased_states},
                    {"frontiers", frontiers},
                    {"frontiers shrink", frontiers_shrink},
                    {"upcoming states", upcoming_states_are_next},
                    {"product keys", product_keys},
                    {"drained queues", drained_queues_hold_nothing},
                    {"one state of each class", one_state_of_each_class},
                    {"tables grow where they lie", tables_grow_where_they_lie},
                    {"blocks are extended", blocks_are_extended}});
}
