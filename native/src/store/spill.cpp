#include "sweep/store/spill.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <mutex>
#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "sweep/state/memory.hpp"

namespace sweep {

namespace {

thread_local Spill* spill_at_work = nullptr;
std::mutex turn_of_all;  // whoever looks at the memory may send out at any time
[[maybe_unused]] constexpr std::uint64_t page = 4096, piece_bytes = std::uint64_t{1} << 19;
[[maybe_unused]] constexpr std::uint64_t most_per_look = std::uint64_t{1} << 16;  // bytes that the system fetches for one that is missing

}  // namespace

bool Spill::is_for(std::uint64_t bytes) const { return bytes >= least && (at_once_ || resident_bytes() + bytes > limit_ / 2); }

void Spill::send_out_if_near() {
    const std::uint64_t resident = resident_bytes();
    if (is_near(resident)) send_out(limit_ / 16 * 13);
}

std::uint64_t Spill::looks_left() {
    send_out_if_near();
    const std::uint64_t resident = resident_bytes(), most = limit_ / 32 * 31;
    return std::clamp<std::uint64_t>(resident < most ? (most - resident) / most_per_look : 0, 16, 4096);
}

void Spill::make_room(std::uint64_t looks) {
    const std::uint64_t most = limit_ / 32 * 31, asked = std::min(looks * most_per_look, limit_ / 4);
    if (resident_bytes() + asked > most) send_out(most - asked - limit_ / 8);
}

Spill* Spill::at_work() { return spill_at_work; }
Spill::Use::Use(Spill* spill) : outside_(spill_at_work) { spill_at_work = spill; }
Spill::Use::~Use() { spill_at_work = outside_; }

#if defined(__linux__)

Spill::Spill(const std::string& folder, std::uint64_t most, bool at_once) : limit_(most), at_once_(at_once) {
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
    // Else the system reads ahead, into pages so large that one look makes two mebibytes resident. What is needed next we know: `fetch`.
    madvise(block, bytes, MADV_RANDOM);
    if (free.empty())
        end_ += bytes;
    else
        free.pop_back();
    bytes_ += bytes;
    const std::lock_guard lock(turn_of_all);
    if (bytes_ > most_bytes_) most_bytes_ = bytes_;
    taken_.emplace(static_cast<std::uint64_t*>(block), Extent{offset, bytes});
    return static_cast<std::uint64_t*>(block);
}

void Spill::give(std::uint64_t* block) {
    const std::lock_guard lock(turn_of_all);
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

void Spill::fetch(const void* from, const void* to) {
    if (!sends()) return;
    const std::uint64_t first = reinterpret_cast<std::uint64_t>(from) / page * page;
    madvise(reinterpret_cast<void*>(first), reinterpret_cast<std::uint64_t>(to) - first, MADV_WILLNEED);
}

/// One piece, and on to the next.
void Spill::send_next() {
    auto at = taken_.lower_bound(next_);
    if (at == taken_.end() || at->first != next_) {  // a new round, or the block is gone
        if (at == taken_.end()) at = backwards_ ? std::prev(taken_.end()) : taken_.begin();
        next_at_ = 0;
    }
    const std::uint64_t pieces = (at->second.bytes + piece_bytes - 1) / piece_bytes;
    if (next_at_ >= pieces) next_at_ = 0;  // a smaller block lies where one was given back
    const std::uint64_t piece = backwards_ ? pieces - 1 - next_at_ : next_at_;
    const std::uint64_t from = piece * piece_bytes;
    madvise(reinterpret_cast<char*>(at->first) + from, std::min(piece_bytes, at->second.bytes - from), MADV_DONTNEED);
    if (++next_at_ < pieces) {
        next_ = at->first;
        return;
    }
    next_at_ = 0;
    if (backwards_)
        next_ = at == taken_.begin() ? std::prev(taken_.end())->first : std::prev(at)->first;
    else
        next_ = std::next(at) == taken_.end() ? taken_.begin()->first : std::next(at)->first;
}

/// Writing is left to the system: it knows how much of its memory is dirty, and pages that are dirty again and again are written once.
void Spill::send_out(std::uint64_t aim) {
    constexpr std::uint64_t between_looks = 16;  // pieces
    const std::lock_guard lock(turn_of_all);
    if (taken_.empty()) return;
    times_.fetch_add(1, std::memory_order_relaxed);
    for (std::uint64_t sent = 0; sent < bytes_; sent += between_looks * piece_bytes) {
        for (std::uint64_t i = 0; i < between_looks; ++i) send_next();
        if (resident_bytes() <= aim) return;
    }
}

void Spill::turn(bool backwards) {
    const std::lock_guard lock(turn_of_all);
    backwards_ = backwards;
    next_at_ = 0;
    if (!taken_.empty()) next_ = backwards ? std::prev(taken_.end())->first : taken_.begin()->first;
}

#else

Spill::Spill(const std::string&, std::uint64_t most, bool at_once) : limit_(most), at_once_(at_once) { throw NoRoom(ENOTSUP); }
Spill::~Spill() = default;
std::uint64_t* Spill::take(std::uint64_t) { return nullptr; }
void Spill::give(std::uint64_t*) {}
void Spill::fetch(const void*, const void*) {}
void Spill::send_out(std::uint64_t) {}
void Spill::turn(bool) {}

#endif

}  // namespace sweep
