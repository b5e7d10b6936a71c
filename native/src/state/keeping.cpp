#include "sweep/state/keeping.hpp"

#include <cerrno>
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace sweep {

void Saver::write(const Word* words, std::size_t count) {
    if (error_ == 0 && std::fwrite(words, sizeof(Word), count, file_) != count) error_ = errno ? errno : EIO;
}

void Saver::write_frame() {
    const Word count = frame_.size();
    sum_ = checksum(sum_ ^ count, frame_.data(), frame_.size());
    write(&count, 1);
    write(frame_.data(), frame_.size());
    write(&sum_, 1);
    frame_.clear();
}

int Saver::finish() {
    if (!frame_.empty()) write_frame();
    write_frame();
    if (error_ == 0 && std::fflush(file_) != 0) error_ = errno;
#if defined(__unix__) || defined(__APPLE__)
    if (error_ == 0 && fsync(fileno(file_)) != 0) error_ = errno;
#endif
    return error_;
}

Loader::Loader(std::FILE* file) : file_(file) {
    const long here = std::ftell(file);
    if (here < 0 || std::fseek(file, 0, SEEK_END) != 0) throw Damaged("it cannot be read");
    const long end = std::ftell(file);
    if (end < here || std::fseek(file, here, SEEK_SET) != 0) throw Damaged("it is cut off");
    left_ = static_cast<std::uint64_t>(end - here) / sizeof(Word);
}

void Loader::read(Word* words, std::size_t count) {
    if (count > left_ || std::fread(words, sizeof(Word), count, file_) != count) throw Damaged("it is cut off");
    left_ -= count;
}

void Loader::read_frame() {
    Word count = 0, sum = 0;
    read(&count, 1);
    if (count > frame_words) throw Damaged("it was changed");
    frame_.resize(count);
    at_ = 0;
    read(frame_.data(), count);
    read(&sum, 1);
    sum_ = checksum(sum_ ^ count, frame_.data(), count);
    if (sum != sum_) throw Damaged("it was changed");
    if (count == 0) throw Damaged("it ends too early");
}

void Loader::finish() {
    if (at_ != frame_.size()) throw Damaged("there is more in it than belongs there");
    Word last[2] = {1, 0};
    read(last, 2);
    if (last[0] != 0 || last[1] != checksum(sum_, nullptr, 0) || left_ != 0) throw Damaged("it was changed");
}

}  // namespace sweep
