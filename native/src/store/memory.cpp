#include "sweep/store/memory.hpp"

#include <cstdlib>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sweep {

ZeroedWords::ZeroedWords(std::uint64_t count) {
    const std::uint64_t bytes = count * sizeof(std::uint64_t);
#if defined(__linux__)
    constexpr std::uint64_t large_page = std::uint64_t{1} << 21;
    if (bytes >= large_page) {
        ask_for_memory(bytes);
        void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) throw std::bad_alloc();
        madvise(block, bytes, MADV_HUGEPAGE);
        data_ = static_cast<std::uint64_t*>(block);
        mapped_ = bytes;
        if (MemoryLimit::holds()) touch_pages();  // what is merely promised would not count when the next block is asked for
        return;
    }
#endif
    data_ = static_cast<std::uint64_t*>(std::calloc(count, sizeof(std::uint64_t)));
    if (data_ == nullptr && count) throw std::bad_alloc();
}

void ZeroedWords::touch_pages() {
    constexpr std::uint64_t words_per_page = 4096 / sizeof(std::uint64_t);
    volatile std::uint64_t* const words = data_;
    for (std::uint64_t i = 0; i < mapped_ / sizeof(std::uint64_t); i += words_per_page) words[i] = 0;
}

ZeroedWords::~ZeroedWords() {
#if defined(__linux__)
    if (mapped_) {
        munmap(data_, mapped_);
        return;
    }
#endif
    std::free(data_);
}

}  // namespace sweep
