// What the process holds, and a limit that is kept before it is exceeded.
#include "sweep/store/memory.hpp"
#include "sweep/store/key_queue.hpp"
#include "sweep/store/visited.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// A block that was given back before anybody looked.
void short_peaks() {
    if (resident_bytes() == 0) return;  // the platform does not tell
    MemoryMark mark;
    const std::uint64_t before = resident_bytes();
    {
        const MemoryLimit limit(before + 100 * mebibyte);  // then its pages are there at once
        const ZeroedWords block(64 * mebibyte / sizeof(Word));
    }
    check(mark.most() >= before + 60 * mebibyte);
    check(mark.most() <= before + 80 * mebibyte);
}

void states_until(VisitedTable& table, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        const Word state[2] = {i << 1 | 1, i};
        table.insert<2>(state, hash_words<2>(state, 2), 2);
    }
}

/// A table does not double beyond the limit, and holds what it held.
void tables() {
    if (resident_bytes() == 0) return;
    const std::uint64_t most = resident_bytes() + 40 * mebibyte;
    MemoryMark mark;
    VisitedTable table;
    bool refused = false;
    {
        const MemoryLimit limit(most);
        try {
            states_until(table, 10'000'000);
        } catch (const OutOfMemory&) {
            refused = true;
        }
    }
    check(refused);
    check(mark.most() <= most + 2 * mebibyte);
    check(table.size() > 100'000);
    std::uint64_t held = 0;
    table.each(2, [&](const Word* state) { held += state[0] == (state[1] << 1 | 1); });
    check_equal(held, table.size());
    states_until(table, 3'000'000);  // without the limit it goes on
    check_equal(table.size(), 3'000'000u);
}

/// The limit of a run inside another holds as long as that one.
void limits_inside_limits() {
    check(!MemoryLimit::holds());
    const MemoryLimit outer(1);
    const auto refused = [] {
        try {
            ask_for_memory(2 * mebibyte);
            return false;
        } catch (const OutOfMemory&) {
            return true;
        }
    };
    check(refused());
    {
        const MemoryLimit inner(std::nullopt);
        check(!refused());
    }
    check(refused());
    ask_for_memory(1000);  // small blocks are noticed when they are there
}

void queues_by_key() {
    if (resident_bytes() == 0) return;
    const MemoryLimit limit(resident_bytes() + 20 * mebibyte);
    KeyQueue queue;
    queue.shape(1, 1, 1);
    bool refused = false;
    try {
        for (Word i = 0; i < 10'000'000; ++i) queue.push(&i, &i, i);
    } catch (const OutOfMemory&) {
        refused = true;
    }
    check(refused);
    check(queue.bytes() <= 20 * mebibyte);
    for (Word i = 0; i < 1000; ++i) {
        queue.advance();
        check_equal(queue.number(), i);
        queue.pop();
    }
}

}  // namespace

int main() {
    return run_all({{"short peaks", short_peaks},
                    {"tables", tables},
                    {"limits inside limits", limits_inside_limits},
                    {"queues by key", queues_by_key}});
}
