#include "sweep/store/memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "sweep/store/spill.hpp"

namespace sweep {

namespace {

constexpr std::uint64_t large_page = std::uint64_t{1} << 21;
constexpr std::uint64_t bytes_of(std::uint64_t words) { return words * sizeof(std::uint64_t); }

#if defined(__linux__)
/// Addresses that begin with a large page: only there the system can move memory by whole pages of that size.
void* map_aligned(std::uint64_t bytes) {
    void* const block = mmap(nullptr, bytes + large_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return nullptr;
    char* const first = static_cast<char*>(block);
    const std::uint64_t before = -reinterpret_cast<std::uint64_t>(first) % large_page;
    const std::uint64_t page = 4096, end = (before + bytes + page - 1) / page * page;
    if (before) munmap(first, before);
    munmap(first + end, bytes + large_page - end);
    return first + before;
}
#endif

}  // namespace

Leftovers::~Leftovers() {
    for (const Block& block : kept_) std::free(block.start);
}

std::uint64_t Leftovers::rounded(std::uint64_t bytes) {
    const std::uint64_t step = std::bit_floor(bytes) / 8;
    return (bytes + step - 1) / step * step;
}

void* Leftovers::take(std::uint64_t bytes) {
    {
        const std::lock_guard lock(using_);
        const auto same = std::find_if(kept_.rbegin(), kept_.rend(), [&](const Block& block) { return block.bytes == bytes; });
        if (same != kept_.rend()) {
            void* const start = same->start;
            kept_bytes_ -= bytes;
            kept_.erase(std::next(same).base());
            return start;
        }
    }
    return std::malloc(bytes);
}

/// Where too much is kept, the oldest go: their size is not asked for any more.
void Leftovers::give(void* block, std::uint64_t bytes) {
    std::vector<void*> old;
    const std::uint64_t held = account_.bytes.load(std::memory_order_relaxed), most = account_.most.load(std::memory_order_relaxed);
    const std::uint64_t most_kept = std::max(little, most - std::min(most, held));
    {
        const std::lock_guard lock(using_);
        kept_.push_back({block, bytes});
        kept_bytes_ += bytes;
        auto first = kept_.begin();
        for (; kept_bytes_ > most_kept; ++first) {
            old.push_back(first->start);
            kept_bytes_ -= first->bytes;
        }
        kept_.erase(kept_.begin(), first);
    }
    for (void* one : old) std::free(one);
}

ZeroedWords::ZeroedWords(std::uint64_t count, Leftovers* leftovers, [[maybe_unused]] const Together* together) : count_(count) {
    const std::uint64_t bytes = bytes_of(count);
    if (Spill* const spill = Spill::at_work(); spill && spill->is_for(bytes)) {
        data_ = spill->take(bytes);
        if (data_) spill_ = spill;
        if (data_) return;
    }
#if defined(__linux__)
    if (bytes >= large_page) {
        ask_for_memory(bytes);
        void* const block = map_aligned(bytes);
        if (block == nullptr) throw std::bad_alloc();
        madvise(block, bytes, MADV_HUGEPAGE);
        data_ = static_cast<std::uint64_t*>(block);
        mapped_ = true;
        touch_pages(0, together);
        return;
    }
#endif
    if (leftovers && Leftovers::fit(bytes)) {
        data_ = static_cast<std::uint64_t*>(leftovers->take(Leftovers::rounded(bytes)));
        if (data_ == nullptr) throw std::bad_alloc();
        std::memset(data_, 0, bytes);
        leftovers_ = leftovers;
        return;
    }
    data_ = static_cast<std::uint64_t*>(std::calloc(count, sizeof(std::uint64_t)));
    if (data_ == nullptr && count) throw std::bad_alloc();
}

bool ZeroedWords::extend(std::uint64_t count, const Together* together) {
    const std::uint64_t before = count_;
    if (leftovers_) return false;
    if (const Spill* const spill = Spill::at_work(); spill_ || (spill && spill->is_for(bytes_of(count)))) return false;
    if (mapped_) {
        ask_for_memory(bytes_of(count - before));
        if (!remap(bytes_of(count))) return false;
        count_ = count;
        touch_pages(before, together);
        return true;
    }
#if defined(__linux__)
    if (bytes_of(count) >= large_page) return false;
#endif
    void* const block = std::realloc(data_, bytes_of(count));
    if (block == nullptr) return false;
    data_ = static_cast<std::uint64_t*>(block);
    count_ = count;
    std::memset(data_ + before, 0, bytes_of(count - before));
    return true;
}

/// More pages of the system behind those that are there, which move to other addresses if they must.
bool ZeroedWords::remap([[maybe_unused]] std::uint64_t bytes) {
#if defined(__linux__)
    void* block = mremap(data_, bytes_of(count_), bytes, 0);
    if (block == MAP_FAILED) {
        void* const place = map_aligned(bytes);
        if (place == nullptr) return false;
        block = mremap(data_, bytes_of(count_), bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place);
        if (block == MAP_FAILED) {
            munmap(place, bytes);
            return false;
        }
    }
    data_ = static_cast<std::uint64_t*>(block);
    return true;
#else
    return false;
#endif
}

/// Tables are read before they are written to. Pages that are read first are there twice over: as one page of zeros that all share, and
/// again when something is written, for which all other processors are interrupted. And what is merely promised would not count when the
/// next block is asked for.
void ZeroedWords::touch_pages(std::uint64_t first, const Together* together) {
    constexpr std::uint64_t words_per_page = 4096 / sizeof(std::uint64_t), words_per_job = large_page / sizeof(std::uint64_t);
    volatile std::uint64_t* const words = data_;
    const auto touch = [&](std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t i = (from + words_per_page - 1) / words_per_page * words_per_page; i < to; i += words_per_page) words[i] = 0;
    };
    if (!together || count_ - first < 2 * words_per_job) return touch(first, count_);
    const std::uint64_t begin = first / words_per_job;
    (*together)(static_cast<std::uint32_t>((count_ - 1) / words_per_job - begin + 1), [&](std::uint32_t job) {
        const std::uint64_t from = (begin + job) * words_per_job;
        touch(std::max(first, from), std::min(count_, from + words_per_job));
    });
}

ZeroedWords::~ZeroedWords() {
    if (spill_) {
        spill_->give(data_);
        return;
    }
    if (leftovers_) {
        leftovers_->give(data_, Leftovers::rounded(bytes_of(count_)));
        return;
    }
#if defined(__linux__)
    if (mapped_) {
        munmap(data_, bytes_of(count_));
        return;
    }
#endif
    std::free(data_);
}

}  // namespace sweep
