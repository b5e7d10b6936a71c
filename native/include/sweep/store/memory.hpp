#pragma once
#include <cstdint>
#include <utility>

#include "sweep/state/memory.hpp"

namespace sweep {

/// Zeroed words. Large blocks lie on large pages where there are any, because look-ups at random addresses spend their
/// time on address translation, and come straight from the system, which has zeroed them already.
class ZeroedWords {
public:
    ZeroedWords() = default;
    explicit ZeroedWords(std::uint64_t count);
    ZeroedWords(const ZeroedWords&) = delete;
    ZeroedWords& operator=(const ZeroedWords&) = delete;
    ~ZeroedWords();

    std::uint64_t* data() const { return data_; }
    void swap(ZeroedWords& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(mapped_, other.mapped_);
    }

private:
    void touch_pages();

    std::uint64_t* data_ = nullptr;
    std::uint64_t mapped_ = 0;  // bytes that came straight from the system
};

}  // namespace sweep
