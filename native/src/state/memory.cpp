#include "sweep/state/memory.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <mach/mach.h>
#endif

namespace sweep {

namespace {

constexpr std::uint64_t large = std::uint64_t{1} << 20;  // what is asked for; smaller blocks are noticed when they are there

std::atomic<int> marks{0};  // in use: only the first may take the system's mark back
thread_local std::optional<std::uint64_t> limit;
thread_local std::function<void()> relief;

#if defined(__APPLE__)
mach_task_basic_info task() {
    mach_task_basic_info info{};
    mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
    const auto status = task_info(mach_task_self(), MACH_TASK_BASIC_INFO, reinterpret_cast<task_info_t>(&info), &count);
    return status == KERN_SUCCESS ? info : mach_task_basic_info{};
}
#endif

/// The most that the process held since its mark was last taken back.
std::uint64_t most_resident_bytes() {
#if defined(__linux__)
    std::FILE* file = std::fopen("/proc/self/status", "r");
    if (file == nullptr) return 0;
    unsigned long long kilobytes = 0;
    char line[256];
    while (std::fgets(line, sizeof line, file) != nullptr && std::sscanf(line, "VmHWM: %llu kB", &kilobytes) != 1) {
    }
    std::fclose(file);
    return std::uint64_t{kilobytes} * 1024;
#elif defined(__APPLE__)
    return task().resident_size_max;
#else
    return 0;
#endif
}

/// Let the system's mark begin anew; false where that is not allowed.
bool take_mark_back() {
#if defined(__linux__)
    std::FILE* file = std::fopen("/proc/self/clear_refs", "w");
    if (file == nullptr) return false;
    const bool written = std::fputs("5", file) >= 0;
    return std::fclose(file) == 0 && written;
#else
    return false;
#endif
}

}  // namespace

std::uint64_t resident_bytes() {
#if defined(__linux__)
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);  // no stream: it is asked often
    if (file < 0) return 0;
    char text[128];
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    const char* const second = std::strchr(text, ' ');
    return second ? std::strtoull(second, nullptr, 10) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
#elif defined(__APPLE__)
    return task().resident_size;
#else
    return 0;
#endif
}

MemoryMark::MemoryMark() {
    if (marks.fetch_add(1) == 0) taken_back_ = take_mark_back();
    before_ = most_resident_bytes();
}

MemoryMark::~MemoryMark() { marks.fetch_sub(1); }

std::uint64_t MemoryMark::most() {
    const std::uint64_t marked = most_resident_bytes();
    seen_ = std::max(seen_, taken_back_ || marked > before_ ? marked : resident_bytes());
    return seen_;
}

MemoryLimit::MemoryLimit(std::optional<std::uint64_t> bytes, std::function<void()> by)
    : outside_(limit), outside_relief_(std::exchange(relief, std::move(by))) {
    limit = bytes;
}
MemoryLimit::~MemoryLimit() {
    limit = outside_;
    relief = std::move(outside_relief_);
}
bool MemoryLimit::relieve() {
    if (relief) relief();
    return relief != nullptr;
}
bool MemoryLimit::holds() { return limit.has_value(); }

void ask_for_memory(std::uint64_t bytes) {
    const auto is_too_much = [&] { return limit && bytes >= large && resident_bytes() + bytes > *limit; };
    for (int tries = 2; is_too_much(); --tries)
        if (!tries || !MemoryLimit::relieve()) throw OutOfMemory();
}

}  // namespace sweep
