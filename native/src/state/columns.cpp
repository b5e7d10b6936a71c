#include "sweep/state/columns.hpp"

#include <algorithm>
#include <numeric>

namespace sweep {

void Columns::refresh(const Layout& layout) {
    rows_.clear();
    int total = 0;
    narrow_ = size() <= 64;
    for (const std::vector<std::uint32_t>& array : arrays_) {
        Row& row = rows_.emplace_back();
        for (const std::uint32_t field : array) {
            row.fields.push_back(layout.fields[field]);
            row.width = std::max(row.width, row.fields.back().bits());
        }
        total += row.width;
        narrow_ &= row.width * static_cast<int>(size()) <= 64;
    }
    narrow_ &= rotation_ || total <= 64;
    for (Row& row : rows_) {
        row.place = total -= row.width;
        for (std::size_t i = 0; narrow_ && i < row.fields.size(); ++i) {
            const Field& field = row.fields[i];
            const int at = static_cast<int>(i) * row.width;
            if (row.width) row.ones |= Word{1} << at;
            add_run(row, field.low, at);
            add_run(row, field.high, at + field.low.width);
        }
    }
}

void Columns::add_run(Row& row, const Piece& piece, int at) {
    if (piece.width == 0) return;
    if (!row.runs.empty()) {
        Run& last = row.runs.back();
        const int length = 64 - __builtin_clzll(last.mask);
        if (last.word == piece.word && last.shift + length == piece.shift && last.at + length == at) {
            last.mask |= low_bits(piece.width) << length;
            return;
        }
    }
    row.runs.push_back({piece.word, piece.shift, at, low_bits(piece.width)});
}

bool Columns::arrange(Word* state, Room& room) const {
    if (size() < 2) return false;
    if (rotation_) return narrow_ ? rotate(state, room) : rotate_wide(state, room);
    return narrow_ ? sort(state, room) : sort_wide(state, room);
}

Word Columns::read(const Row& row, const Word* state) {
    Word values = 0;
    for (const Run& run : row.runs) values |= ((state[run.word] >> run.shift) & run.mask) << run.at;
    return values;
}

void Columns::write(const Row& row, Word* state, Word values) {
    for (const Run& run : row.runs)
        state[run.word] = (state[run.word] & ~(run.mask << run.shift)) | ((values >> run.at) & run.mask) << run.shift;
}

/// Each column is one number, the first array highest.
bool Columns::sort(Word* state, Room& room) const {
    const std::uint32_t n = size();
    std::vector<Word>& columns = room.columns;
    columns.assign(n, 0);
    for (const Row& row : rows_) {
        if (row.width == 0) continue;
        Word values = read(row, state);
        for (std::uint32_t i = 0; i < n; ++i) {
            columns[i] |= (values & low_bits(row.width)) << row.place;
            values >>= row.width;
        }
    }
    if (std::is_sorted(columns.begin(), columns.end())) return false;
    for (std::uint32_t i = 1; i < n; ++i) {  // members are few, and most in order already
        const Word moved = columns[i];
        std::uint32_t to = i;
        for (; to > 0 && columns[to - 1] > moved; --to) columns[to] = columns[to - 1];
        columns[to] = moved;
    }
    for (const Row& row : rows_) {
        if (row.width == 0) continue;
        Word values = 0;
        for (std::uint32_t i = n; i-- > 0;) values = values << row.width | ((columns[i] >> row.place) & low_bits(row.width));
        write(row, state, values);
    }
    return true;
}

namespace {

/// A row of so many elements, each of so many bits, to be turned.
struct Wheel {
    int n, width;
    Word ones;  // the lowest bit of each
    Word mask = low_bits(n * width);

    Word turned(Word row, int by) const { return by ? (row >> (by * width) | row << ((n - by) * width)) & mask : row; }
    /// The lowest bit of each element that is not 0.
    Word filled(Word row) const {
        Word bits = row;
        for (int i = 1; i < width; ++i) bits |= row >> i;
        return bits & ones;
    }
};

/// The rotations that put the longest run of elements which are 0 last, where it counts most, a bit for each. There is such an element, and
/// another one.
Word longest_runs(const Wheel& wheel, Word filled) {
    Word ends = wheel.ones & ~filled;  // of runs of `length` elements: where their last element is
    int length = 1;
    Word runs[6];  // of 1, 2, 4 ... elements
    int doubled = 0;
    for (Word longer = ends; longer; longer = ends & wheel.turned(ends, wheel.n - length)) {
        runs[doubled++] = ends = longer;
        if (doubled > 1) length *= 2;
        if (2 * length > wheel.n) break;
    }
    for (int i = doubled - 1; i-- > 0;)  // a part of the last length more
        if (length + (1 << i) < wheel.n)
            if (const Word longer = ends & wheel.turned(runs[i], wheel.n - length)) ends = longer, length += 1 << i;
    Word firsts = 0;
    for (Word rest = wheel.turned(ends, wheel.n - 1); rest; rest &= rest - 1) firsts |= Word{1} << (__builtin_ctzll(rest) / wheel.width);
    return firsts;
}

/// The rotations of a row that make it least as one number, a bit for each, among those in `left`. Most rows tell by their zeros: a
/// single element that is none becomes the first, of several the longest run of zeros comes last.
Word least_rotations(Word row, const Wheel& wheel, Word left) {
    if (row == 0) return left;
    if (left == low_bits(wheel.n)) {
        const Word filled = wheel.filled(row);
        if ((filled & (filled - 1)) == 0) return Word{1} << (__builtin_ctzll(filled) / wheel.width);
        if (filled != wheel.ones) left = longest_runs(wheel, filled);
        if ((left & (left - 1)) == 0) return left;
    }
    Word least = ~Word{0}, best = 0;
    for (Word rest = left; rest; rest &= rest - 1) {
        const Word now = wheel.turned(row, __builtin_ctzll(rest));
        if (now > least) continue;
        if (now < least) best = 0;
        least = now;
        best |= rest & -rest;
    }
    return best;
}

}  // namespace

/// Each row is one number: of all rotations the one in which the first row is least, among these the second, and so on.
bool Columns::rotate(Word* state, Room& room) const {
    const int n = static_cast<int>(size());
    std::vector<Word>& rows = room.rows;
    rows.resize(rows_.size());
    Word left = low_bits(n);  // the rotations that may be least
    for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r] = read(rows_[r], state);
        if (left & (left - 1)) left = least_rotations(rows[r], {n, rows_[r].width, rows_[r].ones}, left);
    }
    if (left & 1) return false;
    const int by = __builtin_ctzll(left);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const int width = rows_[r].width;
        if (width == 0) continue;
        write(rows_[r], state, (rows[r] >> (by * width) | rows[r] << ((n - by) * width)) & low_bits(n * width));
    }
    return true;
}

// -- the same, whatever the width -----------------------------------------------------------------------------------------

void Columns::read_all(const Word* state, Room& room) const {
    room.rows.clear();
    for (const Row& row : rows_)
        for (const Field& field : row.fields) room.rows.push_back(field.load(state));
    room.order.resize(size());
    std::iota(room.order.begin(), room.order.end(), 0);
}

void Columns::write_all(Word* state, const Room& room) const {
    std::size_t first = 0;
    for (const Row& row : rows_) {
        for (std::size_t i = 0; i < row.fields.size(); ++i) row.fields[i].store(state, room.rows[first + room.order[i]]);
        first += row.fields.size();
    }
}

bool Columns::sort_wide(Word* state, Room& room) const {
    read_all(state, room);
    const std::size_t n = size();
    const auto before = [&](std::uint32_t one, std::uint32_t other) {
        for (std::size_t first = 0; first < room.rows.size(); first += n)
            if (room.rows[first + one] != room.rows[first + other]) return room.rows[first + one] < room.rows[first + other];
        return false;
    };
    if (std::is_sorted(room.order.begin(), room.order.end(), before)) return false;
    std::sort(room.order.begin(), room.order.end(), before);
    write_all(state, room);
    return true;
}

bool Columns::rotate_wide(Word* state, Room& room) const {
    read_all(state, room);
    const std::size_t n = size();
    const auto before = [&](std::size_t one, std::size_t other) {  // rotations, by what their last members are first
        for (std::size_t first = 0; first < room.rows.size(); first += n)
            for (std::size_t i = n; i-- > 0;) {
                const Word a = room.rows[first + (i + one) % n], b = room.rows[first + (i + other) % n];
                if (a != b) return a < b;
            }
        return false;
    };
    std::size_t least = 0;
    for (std::size_t by = 1; by < n; ++by)
        if (before(by, least)) least = by;
    if (least == 0) return false;
    for (std::size_t i = 0; i < n; ++i) room.order[i] = static_cast<std::uint32_t>((i + least) % n);
    write_all(state, room);
    return true;
}

}  // namespace sweep
