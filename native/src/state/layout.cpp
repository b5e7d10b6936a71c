#include "sweep/state/layout.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace sweep {

namespace {

std::vector<int> widths_for(const std::vector<Extent>& extents, int spare) {
    std::vector<int> widths(extents.size());
    for (std::size_t i = 0; i < extents.size(); ++i) {
        int width = bits_for(extents[i].values);
        if (extents[i].values > 2 && !extents[i].settled && (width + spare) * extents[i].slots <= most_inline_bits) width += spare;
        widths[i] = width;
    }
    return widths;
}

}  // namespace

bool Layout::place(const std::vector<int>& widths, const std::vector<Extent>& extents, std::size_t most_words) {
    fields.assign(extents.size(), Field{});
    used_.assign(1, 1);
    // Large fields first; the word that is fullest but has room takes each.
    std::vector<std::size_t> order(extents.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return widths[a] * extents[a].slots > widths[b] * extents[b].slots; });
    std::array<std::vector<std::size_t>, 65> with_room;  // words by their free bits: thousands of fields in linear time
    with_room[63].push_back(0);
    for (const std::size_t index : order) {
        const int size = widths[index] * extents[index].slots;
        Field& field = fields[index];
        field.slots = static_cast<std::uint16_t>(extents[index].slots);
        if (size == 0) continue;
        if (size > 64) {
            const std::size_t first = used_.size();
            field.low = {static_cast<std::uint16_t>(first), 0, static_cast<std::uint8_t>(widths[index])};
            field.per_word = static_cast<std::uint16_t>(64 / widths[index]);
            if (first + field.words() > most_words) return false;
            for (int left = field.slots; left > 0; left -= field.per_word) {
                const int taken = std::min<int>(left, field.per_word) * widths[index];
                with_room[static_cast<std::size_t>(64 - taken)].push_back(used_.size());
                used_.push_back(static_cast<std::uint8_t>(taken));
            }
            continue;
        }
        std::size_t room = static_cast<std::size_t>(size);
        while (room <= 64 && with_room[room].empty()) ++room;
        if (room > 64) {
            if (used_.size() == most_words) return false;
            room = 64;
            with_room[room].push_back(used_.size());
            used_.push_back(0);
        }
        const std::size_t word = with_room[room].back();
        with_room[room].pop_back();
        with_room[room - static_cast<std::size_t>(size)].push_back(word);
        field.low = {static_cast<std::uint16_t>(word), used_[word], static_cast<std::uint8_t>(widths[index])};
        used_[word] = static_cast<std::uint8_t>(used_[word] + size);
    }
    words = static_cast<int>(used_.size());
    return true;
}

Layout Layout::pack(const std::vector<Extent>& extents) {
    constexpr std::size_t most_words = std::size_t{1} << 16;  // as many as a piece can name
    Layout tight;
    if (!tight.place(widths_for(extents, 0), extents, most_words)) throw std::length_error("states of more than 2^22 bits");
    for (const int spare : {2, 1})
        if (Layout roomy; roomy.place(widths_for(extents, spare), extents, tight.used_.size())) return roomy;
    return tight;
}

bool Layout::widen(std::size_t index, std::uint64_t values) {
    Field& field = fields[index];
    const int missing = bits_for(values) - field.bits();
    if (missing <= 0) return true;
    if (field.high.width != 0 || field.spans() || bits_for(values) * field.slots > most_inline_bits) return false;
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
