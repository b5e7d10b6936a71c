#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace sweep {

/// Writes the parent file (docs: engines/parents.py has the format): where every state was found from. A file that cannot
/// be written on, because the disk is full or a file may not grow so large, is given up: the exploration goes on without.
class ParentWriter {
public:
    /// `again`: the file is there, and is to be written on from a position that `keep` reads.
    explicit ParentWriter(const std::string& path, bool again = false);
    ParentWriter(const ParentWriter&) = delete;
    ParentWriter& operator=(const ParentWriter&) = delete;
    ~ParentWriter();

    void append(std::uint64_t parent, std::uint64_t edge) {
        const std::int64_t delta = static_cast<std::int64_t>(parent) - static_cast<std::int64_t>(previous_);
        put(static_cast<std::uint64_t>(delta) << 1 ^ static_cast<std::uint64_t>(delta >> 63));
        put(edge);
        previous_ = parent;
        ++count_;
        if (++records_ == block_records) flush();
    }
    void flush();
    /// Where it stands, as in `Keeping`; what was appended is on the disk then. What a run wrote that came to nothing is cut off.
    template <class File>
    void keep(File& file) {
        if constexpr (!File::reads) sync();
        file(bytes_, count_);
        if constexpr (File::reads) go_back();
    }
    std::uint64_t bytes() const { return bytes_; }
    int error() const { return error_; }  // as in errno; 0: all that was appended can be read

private:
    static constexpr std::uint32_t block_records = 1024;
    void put(std::uint64_t value) {
        while (value >= 0x80) {
            payload_.push_back(static_cast<std::uint8_t>(value | 0x80));
            value >>= 7;
        }
        payload_.push_back(static_cast<std::uint8_t>(value));
    }
    void write(const void* data, std::size_t size);
    void sync();
    void go_back();

    std::FILE* file_;
    std::vector<std::uint8_t> payload_;
    std::uint64_t previous_ = 0, count_ = 0, bytes_ = 0;
    std::uint32_t records_ = 0;
    int error_ = 0;
};

}  // namespace sweep
