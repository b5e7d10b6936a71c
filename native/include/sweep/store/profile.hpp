#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sweep/program/block.hpp"

namespace sweep {

/// The layers that a sweep has left, one row each: the states processed there and those stored when it was left. Of very many
/// layers two neighbours share a row, then four, and so on; the last of them gives it its name.
class Profile {
public:
    struct Row {
        Place layer;
        std::uint64_t states, stored;

        template <class File>
        void keep(File& file) {
            file(layer, states, stored);
        }
    };
    std::vector<Row> rows;
    std::vector<std::uint32_t> values;  // where progress is a key: the values of its parts, row by row

    /// A layer is left. `named` gives its values, so many; it is asked when a row is complete.
    template <class Named>
    void leave(const Row& row, std::size_t parts, Named&& named) {
        const bool begins = left_++ % merged_ == 0;
        if (begins) {
            rows.push_back(row);
            values.resize(values.size() + parts);
        } else {
            Row& last = rows.back();
            last = {row.layer, last.states + row.states, std::max(last.stored, row.stored)};
        }
        if (parts && left_ % merged_ == 0) name_last(named());
        if (!begins || rows.size() < 2 * most_rows) return;
        for (std::size_t i = 0; i < most_rows; ++i) {
            const Row &a = rows[2 * i], &b = rows[2 * i + 1];
            rows[i] = {b.layer, a.states + b.states, std::max(a.stored, b.stored)};
            for (std::size_t part = 0; part < parts; ++part) values[i * parts + part] = values[(2 * i + 1) * parts + part];
        }
        rows.resize(most_rows);
        values.resize(most_rows * parts);
        merged_ *= 2;
    }
    /// The values of the layer that was left last: its row may not be complete.
    void name_last(const std::vector<std::uint32_t>& named) {
        if (!rows.empty()) std::copy(named.begin(), named.end(), values.end() - static_cast<std::ptrdiff_t>(named.size()));
    }
    std::uint64_t layers() const { return left_; }
    template <class File>
    void keep(File& file) {
        file(rows, values, left_, merged_);
    }

private:
    static constexpr std::size_t most_rows = 4096;  // as in the reference engine
    std::uint64_t left_ = 0, merged_ = 1;
};

}  // namespace sweep
