// Visited tables and queues, as layers use them, against plain sets and deques by long random sequences of operations.
#include <algorithm>
#include <deque>
#include <set>

#include "sweep/queue.hpp"
#include "sweep/visited.hpp"
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
    VisitedTable visited;
    StateQueue unprocessed;
    std::set<Packed> stored;
    std::deque<Numbered> waiting;
};

/// A state as layouts make them: the lowest bit is set. Some kinds leave most words alike, so that few bits tell them apart.
Packed draw(Random& random, int k) {
    Packed state(static_cast<std::size_t>(k), 0);
    const std::uint64_t kind = random.below(4);
    if (kind == 0) state.back() = random.below(50) << 1;
    else if (kind == 1) state[0] = random.below(300) << 40;
    else if (kind == 2) state[random.below(state.size())] = Word{1} << random.below(64);
    else
        for (Word& word : state) word = random.below(3) ? random.below(4) << 61 : random.any();
    state[0] |= 1;
    return state;
}

template <int K>
void compare(const Layer& layer, int k) {
    check_equal(layer.visited.size(), layer.stored.size());
    check(layer.visited.bytes(k) >= layer.stored.size() * static_cast<std::size_t>(k) * sizeof(Word));
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
    std::vector<Layer> layers(5);
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
            const auto [entries, count] = layer.unprocessed.front(most, k + 1);
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
            check_equal(layer.visited.bytes(k), 0u);
        } else if (operation < 996) {
            VisitedTable moved(std::move(layer.visited));
            check_equal(layer.visited.size(), 0u);
            layer.visited = std::move(moved);
        } else {
            compare<K>(layer, k);
        }
    }
    for (const Layer& layer : layers) compare<K>(layer, k);
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
    check(table.bytes(2) <= 2 * count * 2 * sizeof(Word) + 1024);
}

void numbers_move_with_their_states() {
    VisitedTable table;
    const std::uint32_t count = 50'000, before = 100;
    const auto insert = [&](std::uint32_t i, Word*& slot) {
        const Word state[2] = {Word{i} << 1 | 1, i % 3};
        return table.insert<2>(state, hash_words<2>(state, 2), 2, slot);
    };
    Word* slot = nullptr;
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
    const std::uint64_t bytes = table.bytes(2);
    table.drop_numbers();
    check(!table.numbered() && table.bytes(2) < bytes);
}

void drained_queues_hold_nothing() {
    StateQueue queue;
    const Word state[1] = {1};
    for (int round = 0; round < 3; ++round) {
        for (std::uint64_t i = 0; i < 20'000; ++i) queue.push<1>(state, i, 1, 2);
        std::uint64_t next = 0;
        while (queue.size()) {
            const auto [entries, count] = queue.front(256, 2);
            for (std::uint64_t i = 0; i < count; ++i) check_equal(entries[2 * i + 1], next++);
            queue.pop(count);
        }
        check_equal(next, 20'000u);
        check_equal(queue.bytes(2), 0u);
        check_equal(queue.front(256, 2).second, 0u);
    }
}

}  // namespace

int main() {
    return run_all({{"stateful", stateful}, {"many states", many_states}, {"numbers", numbers_move_with_their_states}, {"drained queues", drained_queues_hold_nothing}});
}
