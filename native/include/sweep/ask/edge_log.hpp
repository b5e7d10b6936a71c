#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "sweep/ask/graph.hpp"
#include "sweep/store/layer_table.hpp"

namespace sweep {

/// A layer as it is read back. States and targets have the numbers in which they were found.
struct LoggedLayer {
    States numbers;                             // of its states, in ascending order
    States first{0}, targets;                   // per state, where its edges begin; and where they lead
    LayerGraph graph;                           // the edges inside the layer, by position, where cycles are asked about
    std::vector<std::uint32_t> first_before{};  // per state, where those begin that lead to it
    States before;                              // inside the layer

    std::uint32_t size() const { return static_cast<std::uint32_t>(numbers.size()); }
};

/// All edges of an exploration, layer by layer, for whoever has to go through them in reverse. They are appended to a file, as differences
/// of numbers, a few bytes each; without a file they are kept in memory. Nothing is left of the file: it has no name.
class EdgeLog {
public:
    /// `path`: a file to be written, whose name is taken away at once; none: in memory. At most so many bytes are kept.
    EdgeLog(const std::string& path, std::uint64_t most_bytes, bool labelled, bool stutters);
    EdgeLog(const EdgeLog&) = delete;
    EdgeLog& operator=(const EdgeLog&) = delete;
    ~EdgeLog();

    /// The number of a state in the table where it lies; one that is found now gets the next.
    template <int K>
    std::uint32_t number(LayerTable& table, const Word* slot, Width width, bool fresh, std::uint64_t next) {
        if (!table.numbered()) table.keep_numbers();
        std::uint32_t& number = table.number<K>(slot, width);
        if (fresh) {
            if (next >= nothing) throw std::bad_alloc();
            number = static_cast<std::uint32_t>(next);
        }
        return number;
    }

    /// A layer's turn has come; its states so far, in the order found.
    void begin_layer(States numbers);
    /// A state of it is found meanwhile.
    void found_here(std::uint32_t number) { numbers_.push_back(number); }
    /// An edge of the state at work.
    void add(std::uint32_t target, std::uint32_t action) {
        targets_.push_back(target);
        if (labelled_) actions_.push_back(action);
    }
    void end_state();
    void end_layer();

    /// The number of the state that is the so-many-th to be processed from now on, and the position of a number in the layer.
    std::uint32_t upcoming(std::uint32_t ahead) const { return numbers_[done_ + ahead]; }
    std::uint32_t position(std::uint32_t number) const { return position_in(numbers_, number); }
    static std::uint32_t position_in(const States& numbers, std::uint32_t number) {
        const std::uint32_t guess = number - numbers.front();  // most often there are no gaps
        if (guess < numbers.size() && numbers[guess] == number) return guess;
        const auto found = std::lower_bound(numbers.begin(), numbers.end(), number);
        return found != numbers.end() && *found == number ? static_cast<std::uint32_t>(found - numbers.begin()) : nothing;
    }

    std::size_t layers() const { return layers_.size(); }
    /// A layer that was logged; nothing of it when it cannot be read.
    LoggedLayer read(std::size_t layer, bool with_cycles);
    /// The layer that a state is in, with its cycles; nothing when it cannot be read.
    LoggedLayer read_around(std::uint32_t number);

    /// Why no more can be kept: as in errno, or -1 where the limit is reached; 0: all is well.
    int error() const { return error_; }
    std::uint64_t written() const { return written_; }
    std::uint64_t bytes_in_memory() const { return file_ ? buffer_.capacity() : kept_.capacity() + buffer_.capacity(); }

private:
    struct Part {
        std::uint64_t begin, size;  // bytes
        std::uint32_t states;
        std::uint64_t edges;
        std::uint32_t least, most;  // of the numbers of its states
    };
    LoggedLayer decoded(const Part& part, const std::uint8_t* at, States& actions) const;
    static void reverse(LoggedLayer& layer, const States& inside);
    void put(std::uint64_t value) {
        while (value >= 0x80) {
            buffer_.push_back(static_cast<std::uint8_t>(value | 0x80));
            value >>= 7;
        }
        buffer_.push_back(static_cast<std::uint8_t>(value));
    }
    void flush();

    std::FILE* file_ = nullptr;
    std::uint64_t most_bytes_;
    bool labelled_, stutters_;
    std::vector<std::uint8_t> kept_, buffer_;  // without a file, all; and what is not yet written
    std::vector<Part> layers_;
    States numbers_, targets_, actions_;  // of the layer at work; of the state at work
    std::size_t done_ = 0;                // states of the layer at work
    std::uint32_t last_ = 0;              // the number of the state before
    std::uint64_t written_ = 0, begin_ = 0;
    std::uint64_t edges_ = 0;  // of the layer at work
    int error_ = 0;
};

}  // namespace sweep
