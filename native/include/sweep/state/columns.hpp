#pragma once
#include <cstdint>
#include <vector>

#include "sweep/state/layout.hpp"

namespace sweep {

/// Arrays with an element for each member of a set: together they are a column for each. Where members are nowhere values, putting the
/// columns into an order makes states equal that differ in the names of members alone: by sorting, or as the least rotation.
///
/// The order is that of ids. These never change, so neither does what stands for a class; how wide fields are makes no difference to it.
class Columns {
public:
    /// Room to work in; one for each worker.
    struct Room {
        std::vector<Word> rows, columns;
        std::vector<std::uint32_t> order;  // member i gets what member `order[i]` had
    };

    Columns(std::vector<std::vector<std::uint32_t>> arrays, bool rotation) : arrays_(std::move(arrays)), rotation_(rotation) {}

    /// The layout has changed.
    void refresh(const Layout& layout);
    /// Put the columns of a state into their order; whether that changes it.
    bool arrange(Word* state, Room& room) const;

private:
    /// Bits that lie side by side both in a state and in a row.
    struct Run {
        std::size_t word;
        int shift, at;
        Word mask;  // of them, in the row's lowest bits
    };
    /// An array. Read as one number, its last element is the highest.
    struct Row {
        std::vector<Field> fields;
        int width = 0;  // bits of the widest field
        int place = 0;  // in a column that is one number: its lowest bit
        Word ones = 0;  // the lowest bit of each element
        std::vector<Run> runs;
    };

    std::uint32_t size() const { return static_cast<std::uint32_t>(arrays_.front().size()); }
    static void add_run(Row& row, const Piece& piece, int at);
    static Word read(const Row& row, const Word* state);
    static void write(const Row& row, Word* state, Word values);
    bool sort(Word* state, Room& room) const;
    bool sort_wide(Word* state, Room& room) const;
    bool rotate(Word* state, Room& room) const;
    bool rotate_wide(Word* state, Room& room) const;
    void read_all(const Word* state, Room& room) const;
    void write_all(Word* state, const Room& room) const;

    std::vector<std::vector<std::uint32_t>> arrays_;
    bool rotation_;
    std::vector<Row> rows_;
    bool narrow_ = false;  // each row is a word; and, where they are sorted, each column is
};

}  // namespace sweep
