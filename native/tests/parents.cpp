// The parent file, read back by a decoder written from the description in engines/parents.py.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "sweep/store/parents.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

struct Record {
    std::uint64_t parent, edge;
};

template <class Number>
Number number_at(const std::vector<unsigned char>& bytes, std::size_t& at) {
    Number value;
    check(at + sizeof value <= bytes.size());
    std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
    return value;
}

std::uint64_t varint(const std::vector<unsigned char>& bytes, std::size_t& at) {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        check(at < bytes.size());
        const unsigned char byte = bytes[at++];
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
}

std::vector<Record> decode(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<unsigned char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    check(bytes.size() >= 16 && std::memcmp(bytes.data(), "SWEEPTRC", 8) == 0);
    std::size_t at = 8;
    check_equal(number_at<std::uint32_t>(bytes, at), 1u);
    check_equal(number_at<std::uint32_t>(bytes, at), 1024u);
    std::vector<Record> records;
    while (at < bytes.size()) {
        check_equal(number_at<std::uint64_t>(bytes, at), records.size());
        const auto count = number_at<std::uint32_t>(bytes, at);
        const auto size = number_at<std::uint32_t>(bytes, at);
        check(count >= 1 && count <= 1024);
        const std::size_t end = at + size;
        std::int64_t parent = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t delta = varint(bytes, at);
            parent += (delta & 1) ? -static_cast<std::int64_t>((delta + 1) / 2) : static_cast<std::int64_t>(delta / 2);
            records.push_back({static_cast<std::uint64_t>(parent), varint(bytes, at)});
        }
        check_equal(at, end);
    }
    return records;
}

void what_is_written_is_read() {
    const auto path = std::filesystem::temp_directory_path() / "sweepcheck-test-parents.trc";
    for (const std::size_t count : {0u, 1u, 1023u, 1024u, 1025u, 5000u}) {
        Random random(count);
        std::vector<Record> written;
        std::uint64_t bytes = 0;
        {
            ParentWriter writer(path.string());
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint64_t edge = random.one_in(5) ? random.below(1u << 30) : random.below(4);
                // Parents go up and down, by little and by much; the largest number is the state itself.
                written.push_back({random.one_in(3) ? random.below(std::uint64_t{1} << 40) : random.below(i + 1), edge});
                writer.append(written.back().parent, edge);
                if (random.one_in(700)) writer.flush();  // a trace wanted in between
            }
            writer.flush();
            bytes = writer.bytes();
        }
        const std::vector<Record> read = decode(path);
        check_equal(read.size(), written.size());
        for (std::size_t i = 0; i < read.size(); ++i) {
            check_equal(read[i].parent, written[i].parent);
            check_equal(read[i].edge, written[i].edge);
        }
        check_equal(bytes, std::filesystem::file_size(path));
    }
    std::filesystem::remove(path);
}

void a_file_that_cannot_be_made_is_an_error() {
    bool thrown = false;
    try {
        ParentWriter writer("/nowhere/to/be/found.trc");
    } catch (const std::system_error&) {
        thrown = true;
    }
    check(thrown);
}

void a_full_disk_is_noticed() {
    if (!std::filesystem::exists("/dev/full")) return;
    ParentWriter writer("/dev/full");
    check_equal(writer.error(), 0);
    for (int i = 0; i < 3000; ++i) writer.append(0, 0);
    writer.flush();
    check_equal(writer.error(), ENOSPC);
}

}  // namespace

int main() {
    return run_all({{"what is written is read", what_is_written_is_read},
                    {"a file that cannot be made is an error", a_file_that_cannot_be_made_is_an_error},
                    {"a full disk is noticed", a_full_disk_is_noticed}});
}
