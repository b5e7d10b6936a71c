#include "sweep/store/parents.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "sweep/state/keeping.hpp"

namespace sweep {

ParentWriter::ParentWriter(const std::string& path, bool again) : file_(std::fopen(path.c_str(), again ? "r+b" : "wb")) {
    if (file_ == nullptr) throw std::system_error(errno, std::generic_category(), path);
    std::setvbuf(file_, nullptr, _IOFBF, 1 << 20);
    if (again) return;
    const std::uint32_t numbers[2] = {1, block_records};
    write("SWEEPTRC", 8);
    write(numbers, sizeof numbers);
}

ParentWriter::~ParentWriter() { std::fclose(file_); }

void ParentWriter::write(const void* data, std::size_t size) {
    if (error_ == 0 && std::fwrite(data, 1, size, file_) != size) error_ = errno;
    bytes_ += size;
}

void ParentWriter::sync() {
    flush();
#if defined(__unix__) || defined(__APPLE__)
    if (error_ == 0 && fsync(fileno(file_)) != 0) error_ = errno;
#endif
}

void ParentWriter::go_back() {
    if (std::fseek(file_, 0, SEEK_END) != 0 || static_cast<std::uint64_t>(std::ftell(file_)) < bytes_)
        throw Damaged("the file of parents is shorter than it was");
#if defined(__unix__) || defined(__APPLE__)
    if (ftruncate(fileno(file_), static_cast<off_t>(bytes_)) != 0) throw Damaged("the file of parents cannot be written");
#endif
    std::fseek(file_, static_cast<long>(bytes_), SEEK_SET);
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
