#include "sweep/state/columns.hpp"

#include <algorithm>
#include <numeric>

namespace sweep {

void Columns::refresh(const Layout& layout) {
    rows_.clear();
    int total = 0;
    narrow_ = arrays_.front().size() <= 64;
    for (const std::vector<std::uint32_t>& array : arrays_) {
        Row& row = rows_.emplace_back();
        for (const std::uint32_t field : array) {
            row.fields.push_back(layout.fields[field]);
            row.width = std::max(row.width, row.fields.back().bits());
        }
        row.word = row.fields.front().low.word;
        row.shift = row.fields.front().low.shift;
        row.side = true;
        for (std::size_t i = 0; i < row.fields.size(); ++i) {
            const Piece& low = row.fields[i].low;
            row.side &= row.fields[i].high.width == 0 && low.width == row.width && low.word == row.word &&
                        low.shift == row.shift + static_cast<int>(i) * row.width;
        }
        total += row.width;
        narrow_ &= row.width * static_cast<int>(row.fields.size()) <= 64;
    }
    narrow_ &= rotation_ || total <= 64;
    for (Row& row : rows_) row.place = total -= row.width;
}

bool Columns::arrange(Word* state, Room& room) const {
    if (size() < 2) return false;
    if (rotation_) return narrow_ ? rotate(state, room) : rotate_wide(state, room);
    return narrow_ ? sort(state, room) : sort_wide(state, room);
}

Word Columns::read(const Row& row, const Word* state) const {
    if (row.side) return (state[row.word] >> row.shift) & low_bits(static_cast<int>(size()) * row.width);
    Word values = 0;
    int at = 0;
    for (const Field& field : row.fields) {
        values |= field.load(state) << at;
        at += row.width;
    }
    return values;
}

void Columns::write(const Row& row, Word* state, Word values) const {
    if (row.side) {
        const Word mask = low_bits(static_cast<int>(size()) * row.width) << row.shift;
        state[row.word] = (state[row.word] & ~mask) | values << row.shift;
        return;
    }
    int at = 0;
    for (const Field& field : row.fields) {
        field.store(state, (values >> at) & low_bits(row.width));
        at += row.width;
    }
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

/// Each row is one number: of all rotations the one in which the first row is least, among these the second, and so on.
bool Columns::rotate(Word* state, Room& room) const {
    const int n = static_cast<int>(size());
    std::vector<Word>& rows = room.rows;
    rows.clear();
    for (const Row& row : rows_) rows.push_back(read(row, state));
    const auto turned = [&](std::size_t r, int by) {
        const int width = rows_[r].width;
        if (by == 0 || width == 0) return rows[r];
        return (rows[r] >> (by * width) | rows[r] << ((n - by) * width)) & low_bits(n * width);
    };
    Word left = low_bits(n);  // the rotations that may be least, a bit for each
    for (std::size_t r = 0; r < rows.size() && (left & (left - 1)); ++r) {
        Word least = ~Word{0}, best = 0;
        if (left == low_bits(n)) {
            for (int by = 0; by < n; ++by) {
                const Word value = turned(r, by);
                best = value < least ? Word{1} << by : value == least ? best | Word{1} << by : best;
                least = std::min(least, value);
            }
        } else {
            for (Word rest = left; rest; rest &= rest - 1) {
                const int by = __builtin_ctzll(rest);
                const Word value = turned(r, by);
                best = value < least ? Word{1} << by : value == least ? best | Word{1} << by : best;
                least = std::min(least, value);
            }
        }
        left = best;
    }
    if (left & 1) return false;
    const int by = __builtin_ctzll(left);
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (rows_[r].width) write(rows_[r], state, turned(r, by));
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

/// Member i gets what member `from[i]` had.
void Columns::write_all(Word* state, const Room& room, const std::vector<std::uint32_t>& from) const {
    std::size_t first = 0;
    for (const Row& row : rows_) {
        for (std::size_t i = 0; i < row.fields.size(); ++i) row.fields[i].store(state, room.rows[first + from[i]]);
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
    write_all(state, room, room.order);
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
    write_all(state, room, room.order);
    return true;
}

}  // namespace sweep
