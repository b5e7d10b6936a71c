#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
#include <vector>

namespace sweep {

/// There is no room on the disk for what memory does not hold.
struct NoRoom : std::system_error {
    explicit NoRoom(int error) : std::system_error(error, std::generic_category()) {}
};

/// Room for states in a file, whose name is taken away at once. It lies in memory as long as there is enough of it; when there is not,
/// pages leave, and each comes back when it is looked at. Nobody who looks notices; but whoever looks at pages in their order waits for
/// each of them once.
class Spill {
public:
    static constexpr std::uint64_t least = std::uint64_t{1} << 18;  // bytes that are worth a place of their own

    /// `most`: the resident bytes of the process that are not to be exceeded. `at_once`: as if they were reached already; for tests.
    Spill(const std::string& folder, std::uint64_t most, bool at_once = false);
    Spill(const Spill&) = delete;
    Spill& operator=(const Spill&) = delete;
    ~Spill();

    /// Zeroed words; null where the system has no place for more blocks.
    std::uint64_t* take(std::uint64_t bytes);
    void give(std::uint64_t* block);
    /// Whether a block of so many bytes belongs here: as long as less than half of the memory is used, it does not.
    bool is_for(std::uint64_t bytes) const;
    /// Whether something was sent out, so that looking here and there means waiting.
    bool sends() const { return at_once_ || times() != 0; }
    /// All between these places is about to be looked at: let it come at once, instead of page by page.
    void fetch(const void* from, const void* to);
    /// The same, with what is too much sent out before.
    void go_through(const void* from, const void* to) {
        send_out_if_near();
        fetch(from, to);
    }
    /// Send out what is too much: how many places may be looked at before that has to be asked again.
    std::uint64_t looks_left();
    /// Places are looked at from the first to the last from now on, or the other way round: those looked at first leave first.
    void turn(bool backwards);
    /// So many places are about to be looked at, nobody knows where: send out what is too much then, if there is so much.
    void make_room(std::uint64_t looks);
    /// Let pages leave until the process has no more than so many bytes resident, if they are enough.
    void send_out(std::uint64_t aim);
    void send_out_if_near();
    /// The most that the file held, and how often something was sent out.
    std::uint64_t most_bytes() const { return most_bytes_; }
    std::uint64_t times() const { return times_.load(std::memory_order_relaxed); }
    std::uint64_t limit() const { return limit_; }

    /// That of the run in this thread, if it has one.
    static Spill* at_work();
    /// While it lives, large blocks that this thread takes lie there.
    class Use {
    public:
        explicit Use(Spill* spill);
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;
        ~Use();

    private:
        Spill* outside_;
    };

private:
    struct Extent {
        std::uint64_t offset, bytes;
    };
    using Taken = std::map<std::uint64_t*, Extent>;
    bool is_near(std::uint64_t resident) const { return resident > limit_ / 16 * 15; }
    void send_next();

    int file_ = -1;
    std::uint64_t limit_;
    bool at_once_, backwards_ = false;
    std::uint64_t end_ = 0, bytes_ = 0, most_bytes_ = 0;
    std::atomic<std::uint64_t> times_ = 0;
    Taken taken_;
    std::uint64_t* next_ = nullptr;  // the block whose pages leave next, and where in it
    std::uint64_t next_at_ = 0;
    std::map<std::uint64_t, std::vector<std::uint64_t>> free_;  // by size: where in the file
};

}  // namespace sweep
