#include "sweep/store/memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <mach/mach.h>
#endif

namespace sweep {

std::uint64_t resident_bytes() {
#if defined(__linux__)
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0;
    unsigned long long size = 0, resident = 0;
    const int fields = std::fscanf(file, "%llu %llu", &size, &resident);
    std::fclose(file);
    return fields == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
#elif defined(__APPLE__)
    mach_task_basic_info info{};
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    const auto status = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, reinterpret_cast<task_info_t>(&info), &count);
    return status == KERN_SUCCESS ? info.resident_size : 0;
#else
    return 0;
#endif
}

ZeroedWords::ZeroedWords(std::uint64_t count) {
    const std::uint64_t bytes = count * sizeof(std::uint64_t);
#if defined(__linux__)
    constexpr std::uint64_t large_page = std::uint64_t{1} << 21;
    if (bytes >= large_page) {
        void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) throw std::bad_alloc();
        madvise(block, bytes, MADV_HUGEPAGE);
        data_ = static_cast<std::uint64_t*>(block);
        mapped_ = bytes;
        return;
    }
#endif
    data_ = static_cast<std::uint64_t*>(std::calloc(count, sizeof(std::uint64_t)));
    if (data_ == nullptr && count) throw std::bad_alloc();
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
