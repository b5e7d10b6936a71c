#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <vector>

namespace sweep {

/// Bytes of physical memory this process holds now; 0 where the platform does not tell.
std::uint64_t resident_bytes();

/// Knows the most that this process held since it was made, however short it held it: the operating system keeps a mark.
class MemoryMark {
public:
    MemoryMark();
    MemoryMark(const MemoryMark&) = delete;
    MemoryMark& operator=(const MemoryMark&) = delete;
    ~MemoryMark();

    /// Bytes. What was held between two looks may be missing where a mark of before is higher and cannot be taken back, or
    /// another run needs it.
    std::uint64_t most();

private:
    bool taken_back_ = false;  // the system's mark counts from when this one was made
    std::uint64_t before_ = 0, seen_ = 0;
};

/// The limit for memory does not allow for more.
struct OutOfMemory : std::bad_alloc {
    const char* what() const noexcept override { return "the limit for memory is reached"; }
};

/// While it lives, every large block that this thread asks for must fit into so many resident bytes, together with all that the
/// process holds. It belongs to a thread, because rooms that take memory know of no run; a run inside another has its own.
class MemoryLimit {
public:
    /// `relief`: what can be done before it is too much.
    explicit MemoryLimit(std::optional<std::uint64_t> bytes, std::function<void()> relief = {});
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
    ~MemoryLimit();

    /// Whether there is one now.
    static bool holds();
    /// Do what can be done about it; false where that is nothing.
    static bool relieve();

private:
    std::optional<std::uint64_t> outside_;
    std::function<void()> outside_relief_;
};

/// So much is about to be taken at once; it throws OutOfMemory when it does not fit.
void ask_for_memory(std::uint64_t bytes);

/// The same before a vector gets so many more elements: where it moves to a larger block, both exist for a while.
template <class T>
void ask_for_room(const std::vector<T>& elements, std::size_t more) {
    const std::size_t size = elements.size() + more;
    if (size > elements.capacity()) [[unlikely]]
        ask_for_memory(std::max(size, 2 * elements.capacity()) * sizeof(T));
}

}  // namespace sweep
