#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace sweep {

/// There is no room on the disk for what memory does not hold.
struct NoRoom : std::system_error {
    explicit NoRoom(int error) : std::system_error(error, std::generic_category()) {}
};

/// Room for states in a file, whose name is taken away at once. It lies in memory as long as there is enough of it; when there is not, all
/// of its pages leave, and each comes back when it is looked at. Nobody who looks notices.
class Spill {
public:
    static constexpr std::uint64_t least = std::uint64_t{1} << 18;  // bytes that are worth a place of their own

    explicit Spill(const std::string& folder);
    Spill(const Spill&) = delete;
    Spill& operator=(const Spill&) = delete;
    ~Spill();

    /// Zeroed words; null where the system has no place for more blocks.
    std::uint64_t* take(std::uint64_t bytes);
    void give(std::uint64_t* block);
    /// Let all of it leave the memory.
    void send_out();
    /// The most that the file held, and how often it was sent out.
    std::uint64_t most_bytes() const { return most_bytes_; }
    std::uint64_t times() const { return times_; }

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
    int file_ = -1;
    std::uint64_t end_ = 0, bytes_ = 0, most_bytes_ = 0, times_ = 0;
    std::unordered_map<std::uint64_t*, Extent> taken_;
    std::map<std::uint64_t, std::vector<std::uint64_t>> free_;  // by size: where in the file
};

}  // namespace sweep
