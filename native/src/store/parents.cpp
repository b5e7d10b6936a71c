#include "sweep/store/parents.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace sweep {

ParentWriter::ParentWriter(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) throw std::system_error(errno, std::generic_category(), path);
    std::setvbuf(file_, nullptr, _IOFBF, 1 << 20);
    const std::uint32_t numbers[2] = {1, block_records};
    write("SWEEPTRC", 8);
    write(numbers, sizeof numbers);
}

ParentWriter::~ParentWriter() { std::fclose(file_); }

void ParentWriter::write(const void* data, std::size_t size) {
    if (error_ == 0 && std::fwrite(data, 1, size, file_) != size) error_ = errno;
    bytes_ += size;
}

void ParentWriter::flush() {
    if (records_ != 0) {
        const std::uint64_t first = count_ - records_;
        const std::uint32_t sizes[2] = {records_, static_cast<std::uint32_t>(payload_.size())};
        write(&first, sizeof first);
        write(sizes, sizeof sizes);
        write(payload_.data(), payload_.size());
        payload_.clear();
        records_ = 0;
        previous_ = 0;
    }
    if (error_ == 0 && std::fflush(file_) != 0) error_ = errno;
}

}  // namespace sweep
