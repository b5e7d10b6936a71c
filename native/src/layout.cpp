#include "sweep/layout.hpp"

#include <algorithm>
#include <numeric>

namespace sweep {

namespace {

std::vector<int> widths_for(const std::vector<Extent>& extents, int spare) {
    std::vector<int> widths(extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i) {
        int width = bits_for(extents[i].values);
        if (extents[i].values > 2 && (width + spare) * extents[i].slots <= most_inline_bits) width += spare;
        widths[i] = width;
    }
    return widths;
}

}  // namespace

bool Layout::place(const std::vector<int>& widths, const std::vector<Extent>& extents, int count) {
    fields.assign(extents.size(), Field{});
    used_.assign(static_cast<std::size_t>(count), 0);
    used_[0] = 1;
    words = count;
    // Large fields first; the word that is fullest but has room takes each.
    std::vector<std::size_t> order(extents.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return widths[a] * extents[a].slots > widths[b] * extents[b].slots;
    });
    std::size_t start = 0;  // words before this one are full: thousands of small fields are placed in linear time
    for (const std::size_t index : order) {
        const int size = widths[index] * extents[index].slots;
        while (start < used_.size() && used_[start] == 64) ++start;
        std::size_t best = used_.size();
        for (std::size_t w = start; w < used_.size() && w < start + 64; ++w)
            if (used_[w] + size <= 64 && (best == used_.size() || used_[w] > used_[best])) best = w;
        if (best == used_.size()) {
            if (size == 0) best = 0;
            else return false;
        }
        Field& field = fields[index];
        field.slots = static_cast<std::uint8_t>(extents[index].slots);
        field.low = {static_cast<std::uint16_t>(best), static_cast<std::uint8_t>(size ? used_[best] : 0),
                     static_cast<std::uint8_t>(widths[index])};
        used_[best] = static_cast<std::uint8_t>(used_[best] + size);
    }
    return true;
}

Layout Layout::pack(const std::vector<Extent>& extents) {
    Layout layout;
    const auto tight = widths_for(extents, 0);
    int total = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) total += tight[i] * extents[i].slots;
    int count = (total + 63) / 64;
    while (!layout.place(tight, extents, count)) ++count;
    for (const int spare : {2, 1})
        if (layout.place(widths_for(extents, spare), extents, count)) return layout;
    layout.place(tight, extents, count);
    return layout;
}

bool Layout::widen(std::size_t index, std::uint64_t values) {
    Field& field = fields[index];
    const int missing = bits_for(values) - field.bits();
    if (missing <= 0) return true;
    if (field.high.width != 0 || bits_for(values) * field.slots > most_inline_bits) return false;
    for (int spare = 2; spare >= 0; --spare) {
        const int width = missing + spare;
        if ((field.bits() + width) * field.slots > most_inline_bits) continue;
        for (std::size_t w = 0; w < used_.size(); ++w)
            if (used_[w] + width * field.slots <= 64) {
                field.high = {static_cast<std::uint16_t>(w), used_[w], static_cast<std::uint8_t>(width)};
                used_[w] = static_cast<std::uint8_t>(used_[w] + width * field.slots);
                return true;
            }
    }
    return false;
}

}  // namespace sweep
