#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "sweep/state/hash.hpp"

namespace sweep {

/// A file is not what was written: cut off, changed, or of something else.
struct Damaged : std::runtime_error {
    explicit Damaged(const char* why) : std::runtime_error(why) {}
};

/// What a run keeps on disk, said once for both directions: a class lists its parts in `keep(file)`, and `file(a, b)` writes them or
/// reads them. Everything is a stream of words; nothing in it is ever run.
template <class File>
class Keeping {
public:
    template <class... Parts>
    void operator()(Parts&... parts) {
        (keep(parts), ...);
    }

private:
    File& self() { return static_cast<File&>(*this); }

    template <class T>
    void keep(T& part) {
        if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
            self().number(part);
        else
            part.keep(self());
    }
    template <class T>
    void keep(std::vector<T>& parts) {
        self().resize(parts);
        if constexpr (std::is_same_v<T, bool>)
            for (std::size_t i = 0; i < parts.size(); ++i) {
                bool part = parts[i];
                keep(part);
                parts[i] = part;
            }
        else
            for (T& part : parts) keep(part);
    }
    template <class T, std::size_t N>
    void keep(std::array<T, N>& parts) {
        for (T& part : parts) keep(part);
    }
    template <class T>
    void keep(std::optional<T>& part) {
        bool there = part.has_value();
        keep(there);
        if (!there) return part.reset();
        if (!part) part.emplace();
        keep(*part);
    }
};

/// Words in frames: how many, the words, and a checksum. The last frame has none.
constexpr std::size_t frame_words = std::size_t{1} << 14;
inline Word checksum(Word sum, const Word* words, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sum = fold(sum ^ words[i], 0x9E3779B97F4A7C15ull) + words[i];
    return sum;
}

class Saver : public Keeping<Saver> {
public:
    static constexpr bool reads = false;
    explicit Saver(std::FILE* file) : file_(file) { frame_.reserve(frame_words); }

    template <class T>
    void number(T value) {
        if constexpr (std::is_same_v<T, double>)
            put(std::bit_cast<Word>(value));
        else
            put(static_cast<Word>(value));
    }
    template <class T>
    void resize(std::vector<T>& parts) {
        put(parts.size());
    }
    void put(Word word) {
        frame_.push_back(word);
        if (frame_.size() == frame_words) write_frame();
    }
    void put(const Word* words, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) put(words[i]);
    }
    /// All is said. As in errno, why it is not all in the file and on the disk; 0: it is.
    int finish();

private:
    void write_frame();
    void write(const Word* words, std::size_t count);

    std::FILE* file_;
    std::vector<Word> frame_;
    Word sum_ = 0;
    int error_ = 0;
};

class Loader : public Keeping<Loader> {
public:
    static constexpr bool reads = true;
    /// From where the file stands to its end.
    explicit Loader(std::FILE* file);

    template <class T>
    void number(T& value) {
        const Word word = get();
        if constexpr (std::is_same_v<T, double>) {
            value = std::bit_cast<double>(word);
        } else {
            value = static_cast<T>(word);
            if (static_cast<Word>(value) != word) throw Damaged("a number is too large");
        }
    }
    template <class T>
    void resize(std::vector<T>& parts) {
        parts.resize(count());
    }
    Word get() {
        if (at_ == frame_.size()) read_frame();
        return frame_[at_++];
    }
    void get(Word* words, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) words[i] = get();
    }
    /// How many of something follow, of which each takes a word at least.
    std::size_t count() {
        const Word words = get();
        if (words > left_ + frame_.size() - at_) throw Damaged("it is cut off");
        return static_cast<std::size_t>(words);
    }
    /// All was read: nothing else may follow.
    void finish();

private:
    void read_frame();
    void read(Word* words, std::size_t count);

    std::FILE* file_;
    std::vector<Word> frame_;
    std::size_t at_ = 0;
    std::uint64_t left_ = 0;  // words that were not read yet
    Word sum_ = 0;
};

}  // namespace sweep
