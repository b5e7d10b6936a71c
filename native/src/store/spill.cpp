#include "sweep/store/spill.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <mutex>
#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace sweep {

namespace {

thread_local Spill* spill_at_work = nullptr;
std::mutex turn;  // whoever looks at the memory may send out at any time
[[maybe_unused]] constexpr std::uint64_t page = 4096, piece_bytes = std::uint64_t{1} << 19;

}  // namespace

Spill* Spill::at_work() { return spill_at_work; }
Spill::Use::Use(Spill* spill) : outside_(spill_at_work) { spill_at_work = spill; }
Spill::Use::~Use() { spill_at_work = outside_; }

#if defined(__linux__)

Spill::Spill(const std::string& folder) {
    std::string name = folder + "/spill-XXXXXX";
    file_ = mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0) throw NoRoom(errno);
    unlink(name.c_str());
}

Spill::~Spill() {
    for (const auto& [block, extent] : taken_) munmap(block, extent.bytes);
    close(file_);
}

/// A write to a page that the disk has no room for would end the process: room is asked for before.
std::uint64_t* Spill::take(std::uint64_t asked) {
    const std::uint64_t bytes = (asked + page - 1) / page * page;
    std::vector<std::uint64_t>& free = free_[bytes];
    const std::uint64_t offset = free.empty() ? end_ : free.back();
    int error = fallocate(file_, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0 ? 0 : errno;
    if (error == EOPNOTSUPP) error = posix_fallocate(file_, static_cast<off_t>(offset), static_cast<off_t>(bytes));
    if (error) throw NoRoom(error);
    void* const block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(offset));
    if (block == MAP_FAILED) return nullptr;
    if (free.empty())
        end_ += bytes;
    else
        free.pop_back();
    bytes_ += bytes;
    const std::lock_guard lock(turn);
    if (bytes_ > most_bytes_) most_bytes_ = bytes_;
    taken_.emplace(static_cast<std::uint64_t*>(block), Extent{offset, bytes});
    return static_cast<std::uint64_t*>(block);
}

void Spill::give(std::uint64_t* block) {
    const std::lock_guard lock(turn);
    const auto found = taken_.find(block);
    const Extent extent = found->second;
    taken_.erase(found);
    bytes_ -= extent.bytes;
    munmap(block, extent.bytes);
    // A hole reads as zeros: the place can be taken again. Where there are no holes it is left alone.
    if (fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(extent.offset), static_cast<off_t>(extent.bytes)) ==
        0)
        free_[extent.bytes].push_back(extent.offset);
}

void Spill::send_out() {
    const std::lock_guard lock(turn);
    ++times_;
    // Every other piece, and the next time the others: what is looked at most comes back, and half of it never left.
    std::uint64_t piece = times_ % 2;
    for (const auto& [block, extent] : taken_)
        for (std::uint64_t at = 0; at < extent.bytes; at += piece_bytes)
            if (piece++ % 2 == 0) madvise(reinterpret_cast<char*>(block) + at, std::min(piece_bytes, extent.bytes - at), MADV_DONTNEED);
    sync_file_range(file_, 0, 0, SYNC_FILE_RANGE_WRITE);  // begin to write: pages that are written already can be given to others
}

#else

Spill::Spill(const std::string&) { throw NoRoom(ENOTSUP); }
Spill::~Spill() = default;
std::uint64_t* Spill::take(std::uint64_t) { return nullptr; }
void Spill::give(std::uint64_t*) {}
void Spill::send_out() {}

#endif

}  // namespace sweep
