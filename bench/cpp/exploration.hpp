// The hand-written yardstick: visited table, full exploration and sweep, shared by every system in this folder.
//
// A system is a struct with static members: `Word initial()`, `void successors(Word, auto&& offer)` calling `offer`
// once per edge and, for a sweep, `layers` and `layer(Word)`, the index of a state's progress value. States are one
// 64-bit word and never 0, which marks a free slot.
#pragma once

#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace bench {

using Word = std::uint64_t;

inline std::uint64_t mix(Word word) {
    word ^= word >> 32;
    word *= 0x9e3779b97f4a7c15U;
    word ^= word >> 29;
    return word * 0xbf58476d1ce4e5b9U;
}

// Bytes held by all tables and queues, and the most there ever were.
struct Account {
    std::size_t held = 0, peak = 0;
    void add(std::size_t bytes) { peak = std::max(peak, held += bytes); }
    void drop(std::size_t bytes) { held -= bytes; }
};
inline Account account;

// Zeroed words. Large blocks are asked to lie in huge pages: a probe then costs a cache miss, not a page walk as well.
class Block {
public:
    explicit Block(std::size_t words) : words_(words) {
        account.add(bytes());
        if (mapped()) {
            void* memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (memory == MAP_FAILED) throw std::bad_alloc();
            madvise(memory, bytes(), MADV_HUGEPAGE);
            data_ = static_cast<Word*>(memory);
        } else {
            data_ = static_cast<Word*>(std::aligned_alloc(64, std::max<std::size_t>(64, bytes())));
            if (data_ == nullptr) throw std::bad_alloc();
            std::memset(data_, 0, bytes());
        }
    }
    Block(Block&& other) noexcept : data_(std::exchange(other.data_, nullptr)), words_(std::exchange(other.words_, 0)) {}
    Block& operator=(Block&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(words_, other.words_);
        return *this;
    }
    ~Block() {
        if (data_ == nullptr) return;
        account.drop(bytes());
        if (mapped())
            munmap(data_, bytes());
        else
            std::free(data_);
    }
    Word* data() { return data_; }
    std::size_t words() const { return words_; }
    std::size_t bytes() const { return words_ * sizeof(Word); }

private:
    bool mapped() const { return bytes() >= std::size_t{1} << 21; }
    Word* data_;
    std::size_t words_;
};

// Open addressing with linear probing. The slot is the hash's top bits, so growth reads and writes in slot order.
class Table {
public:
    explicit Table(unsigned bits = 8) : block_(slots(bits)), shift_(64 - bits), limit_(limit(bits)) {}

    void prefetch(std::uint64_t hash) { __builtin_prefetch(block_.data() + (hash >> shift_)); }

    bool insert(Word word, std::uint64_t hash) {
        Word* slot = block_.data() + (hash >> shift_);
        for (; *slot != word; ++slot) {
            if (*slot == 0) {
                *slot = word;
                if (++size_ > limit_) grow();
                return true;
            }
        }
        return false;
    }

    void clear() {
        std::memset(block_.data(), 0, block_.bytes());
        size_ = 0;
    }

    std::size_t size() const { return size_; }

private:
    // Probing runs into `spare` slots behind the last one instead of wrapping around; at 5/8 full, runs of slots in use
    // are far shorter.
    static constexpr std::size_t spare = 256;
    static std::size_t slots(unsigned bits) { return (std::size_t{1} << bits) + spare; }
    static std::size_t limit(unsigned bits) { return (std::size_t{1} << bits) / 8 * 5; }

    void grow() {
        const unsigned bits = 64 - shift_ + 1;
        Block larger(slots(bits));
        --shift_;
        limit_ = limit(bits);
        Word* const target = larger.data();
        for (Word *from = block_.data(), *end = from + block_.words(); from != end; ++from) {
            if (*from == 0) continue;
            Word* slot = target + (mix(*from) >> shift_);
            while (*slot != 0) ++slot;
            *slot = *from;
        }
        block_ = std::move(larger);
    }

    Block block_;
    unsigned shift_;
    std::size_t limit_;
    std::size_t size_ = 0;
};

// First in, first out, in chunks that are recycled as soon as they are read.
class Queue {
public:
    void push(Word word) {
        if (tail_ == chunk) open();
        chunks_.back()[tail_++] = word;
        ++size_;
    }
    Word pop() {
        if (head_ == chunk) close();
        --size_;
        return chunks_[first_][head_++];
    }
    bool empty() const { return size_ == 0; }

private:
    static constexpr std::size_t chunk = 2048;
    using Chunk = std::unique_ptr<Word[]>;
    static inline std::vector<Chunk> idle_;

    void open() {
        if (idle_.empty()) {
            account.add(chunk * sizeof(Word));
            idle_.push_back(std::make_unique_for_overwrite<Word[]>(chunk));
        }
        chunks_.push_back(std::move(idle_.back()));
        idle_.pop_back();
        tail_ = 0;
    }
    void close() {
        idle_.push_back(std::move(chunks_[first_++]));
        head_ = 0;
        if (first_ >= 64 && first_ * 2 >= chunks_.size()) {
            chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
    }

    std::vector<Chunk> chunks_;
    std::size_t first_ = 0, head_ = 0, tail_ = chunk, size_ = 0;
};

struct Result {
    std::size_t states = 0, edges = 0, peak = 0;
};

// Successors wait here between the prefetch of their slot and its probe.
template <typename Item, std::size_t length = 32>
struct Ring {
    Item items[length];
    std::size_t count = 0;

    void pass(Item item, auto&& leave) {
        Item& place = items[count % length];
        if (count++ >= length) leave(place);
        place = item;
    }
    void drain(auto&& leave) {
        const std::size_t waiting = std::min(count, length);
        for (std::size_t i = count - waiting; i < count; ++i) leave(items[i % length]);
        count = 0;
    }
};

template <typename System>
Result explore_fully() {
    struct Pending {
        Word word;
        std::uint64_t hash;
    };
    Result result;
    Table visited(12);
    Queue frontier;
    Ring<Pending> ring;
    auto store = [&](const Pending& pending) {
        if (visited.insert(pending.word, pending.hash)) frontier.push(pending.word);
    };
    store({System::initial(), mix(System::initial())});
    while (!frontier.empty()) {
        while (!frontier.empty()) {
            System::successors(frontier.pop(), [&](Word word) {
                ++result.edges;
                const std::uint64_t hash = mix(word);
                visited.prefetch(hash);
                ring.pass({word, hash}, store);
            });
        }
        ring.drain(store);
    }
    result.states = result.peak = visited.size();
    return result;
}

// One layer of a sweep: its states, and those of them that are not yet processed.
struct Layer {
    Table visited;
    Queue frontier;
};

template <typename System>
Result sweep() {
    struct Pending {
        Word word;
        std::uint64_t hash;
        Layer* layer;
    };
    Result result;
    std::vector<Layer*> layers(System::layers);
    std::vector<Layer*> idle;
    std::size_t stored = 0;
    Ring<Pending> ring;
    auto at = [&](std::size_t index) {
        Layer*& layer = layers[index];
        if (layer == nullptr) {
            if (idle.empty()) idle.push_back(new Layer);
            layer = idle.back();
            idle.pop_back();
        }
        return layer;
    };
    auto store = [&](const Pending& pending) {
        if (!pending.layer->visited.insert(pending.word, pending.hash)) return;
        ++stored;
        pending.layer->frontier.push(pending.word);
    };
    store({System::initial(), mix(System::initial()), at(System::layer(System::initial()))});
    for (Layer*& slot : layers) {
        if (slot == nullptr) continue;
        Layer& layer = *slot;
        while (!layer.frontier.empty()) {
            while (!layer.frontier.empty()) {
                System::successors(layer.frontier.pop(), [&](Word word) {
                    ++result.edges;
                    const std::uint64_t hash = mix(word);
                    Layer* const target = at(System::layer(word));
                    target->visited.prefetch(hash);
                    ring.pass({word, hash, target}, store);
                });
            }
            ring.drain(store);
        }
        result.peak = std::max(result.peak, stored);
        result.states += layer.visited.size();
        stored -= layer.visited.size();
        layer.visited.clear();
        idle.push_back(std::exchange(slot, nullptr));
    }
    for (Layer* layer : idle) delete layer;
    return result;
}

inline double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// The program: `full` or `sweep`, and one line of JSON.
template <typename System>
int run(int count, char** arguments) {
    const bool sweeps = count > 1 && std::strcmp(arguments[1], "sweep") == 0;
    const double start = cpu_seconds();
    Result result;
    if constexpr (requires { System::layers; }) {
        result = sweeps ? sweep<System>() : explore_fully<System>();
    } else {
        if (sweeps) return std::fputs("this system has no progress measure\n", stderr), 2;
        result = explore_fully<System>();
    }
    std::printf("{\"states\": %zu, \"edges\": %zu, \"peak\": %zu, \"cpu_seconds\": %.6f, \"bytes\": %zu}\n", result.states, result.edges,
                result.peak, cpu_seconds() - start, account.peak);
    return 0;
}

}  // namespace bench
