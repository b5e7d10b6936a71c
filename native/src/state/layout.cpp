#include "sweep/state/layout.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace sweep {

bool Layout::place(const std::vector<Size>& sizes, std::size_t most_words) {
    fields.assign(sizes.size(), Field{});
    used_.assign(1, 1);
    // Those that tell states apart first, then large ones; the word that is fullest but has room takes each.
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return is_key(a) != is_key(b) ? is_key(a) : sizes[a].bits() > sizes[b].bits(); });
    std::array<std::vector<std::size_t>, 65> with_room;  // words by their free bits: thousands of fields in linear time
    with_room[63].push_back(0);
    bool among_keys = keys_ != 0;
    for (const std::size_t index : order) {
        if (among_keys && !is_key(index)) {
            among_keys = false;
            key_words_ = static_cast<int>(used_.size());
            with_room = {};
        }
        const int size = sizes[index].bits();
        Field& field = fields[index];
        field.slots = static_cast<std::uint16_t>(sizes[index].slots);
        if (size == 0) continue;
        if (size > 64) {
            const int width = sizes[index].width;
            const std::size_t first = used_.size();
            field.low = {static_cast<std::uint16_t>(first), 0, static_cast<std::uint8_t>(width)};
            field.per_word = static_cast<std::uint16_t>(64 / width);
            if (first + field.words() > most_words) return false;
            for (int left = field.slots; left > 0; left -= field.per_word) {
                const int taken = std::min<int>(left, field.per_word) * width;
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
        field.low = {static_cast<std::uint16_t>(word), used_[word], static_cast<std::uint8_t>(sizes[index].width)};
        used_[word] = static_cast<std::uint8_t>(used_[word] + size);
    }
    words = static_cast<int>(used_.size());
    if (among_keys) key_words_ = words;
    return true;
}

namespace {

/// Variables in the order in which they get room: those that have changed, then those that change soon. Where that is not foreseen it is
/// those declared right after one that has changed, and so on: models are written so that neighbours change one after another, often in
/// several places at once.
std::vector<std::size_t> nearest_to_change(const std::vector<Extent>& extents) {
    const std::size_t count = extents.size();
    std::vector<std::size_t> distance(count), order(count);
    for (std::size_t n = 0; n < 2 * count; ++n) {  // twice: the last is followed by the first
        const std::size_t i = n % count;
        distance[i] = extents[i].values > 1 ? 0 : distance[(i + count - 1) % count] + 1;
    }
    for (std::size_t i = 0; i < count; ++i)
        if (extents[i].steps != Extent::unforeseen) distance[i] = extents[i].steps;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return distance[a] < distance[b]; });
    return order;
}

}  // namespace

/// Larger sizes, as far as a budget of bits goes: first a bit for scalars; then bags and queues become as large as those usually are that
/// have grown; then there is a bit for those that keep getting new values; then they get slots, one by one so that none goes short; then
/// there are further bits. Variables of two values are most often truth values, which never get a third. Those that have long held as many
/// tokens as ever come last with their slots: the bits are better where something grows.
std::vector<Layout::Size> Layout::with_room(std::vector<Size> sizes, const std::vector<Extent>& extents, int budget) {
    const std::vector<std::size_t> order = nearest_to_change(extents);
    const auto give = [&](auto&& wish) {
        bool given = false;
        for (const std::size_t i : order) {
            if (extents[i].tight) continue;
            const Size wished = wish(i);
            const int more = wished.bits() - sizes[i].bits();
            if (more <= 0 || more > budget || wished.bits() > most_inline_bits) continue;
            sizes[i] = wished;
            budget -= more;
            given = true;
        }
        return given;
    };
    int grown = 0;
    Size usual{0, 0};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (!extents[i].wished_slots || extents[i].slots == 1) continue;
        ++grown;
        usual = {usual.width + sizes[i].width, usual.slots + sizes[i].slots};
    }
    if (grown) usual = {usual.width / grown, usual.slots / grown};
    const auto widened = [&](std::size_t i, bool wider) { return Size{sizes[i].width + wider, sizes[i].slots}; };
    const auto widens = [&](std::size_t i) { return extents[i].widening && extents[i].values > 2; };
    const auto give_slots = [&](bool settled) {
        const auto wants = [&](std::size_t i) { return extents[i].settled == settled && sizes[i].slots < extents[i].wished_slots; };
        while (give([&](std::size_t i) { return Size{sizes[i].width, sizes[i].slots + wants(i)}; })) {
        }
    };
    give([&](std::size_t i) { return widened(i, !extents[i].wished_slots && extents[i].values != 2); });
    give([&](std::size_t i) {
        if (!extents[i].wished_slots || extents[i].settled) return sizes[i];
        return Size{std::max({sizes[i].width, usual.width, 1}), std::max(sizes[i].slots, std::min(usual.slots, extents[i].wished_slots))};
    });
    give([&](std::size_t i) { return widened(i, extents[i].wished_slots && widens(i)); });
    give_slots(false);
    for (int more = 0; more < 2; ++more) give([&](std::size_t i) { return widened(i, widens(i)); });
    give_slots(true);
    give([&](std::size_t i) { return widened(i, extents[i].values > 2); });
    return sizes;
}

Layout Layout::pack(const std::vector<Extent>& extents, bool lasting, std::size_t keys) {
    constexpr std::size_t most_words = std::size_t{1} << 16;  // as many as a piece can name
    std::vector<Size> needed;
    std::size_t taken = 1;
    for (const Extent& extent : extents) {
        needed.push_back({bits_for(extent.values), extent.slots});
        taken += static_cast<std::size_t>(needed.back().bits());
    }
    Layout tight;
    tight.keys_ = keys;
    if (!tight.place(needed, most_words)) throw std::length_error("states of more than 2^22 bits");
    const std::size_t wide = lasting ? (taken * 5 / 4 + 32) / 64 : 0;
    const std::size_t words = std::clamp(wide, tight.used_.size(), most_words);
    const int free = static_cast<int>(words * 64 - taken);
    // What does not fit, since no field crosses words, is tried again with less.
    for (int budget = lasting ? free / 2 : free; budget > 0; budget = budget * 3 / 4) {
        Layout roomy;
        roomy.keys_ = keys;
        if (!roomy.place(with_room(needed, extents, budget), words)) continue;
        if (lasting) roomy.used_.resize(words);
        roomy.words = static_cast<int>(roomy.used_.size());
        return roomy;
    }
    return tight;
}

bool Layout::widen(std::size_t index, std::uint64_t values) {
    Field& field = fields[index];
    const int missing = bits_for(values) - field.bits();
    if (missing <= 0) return true;
    if (field.high.width != 0 || field.spans() || bits_for(values) * field.slots > most_inline_bits) return false;
    const std::uint16_t slots = field.slots;
    field.slots = std::max<std::uint16_t>(slots, 1);  // the first cell of a bag that has held nothing
    Piece& piece = field.bits() ? field.high : field.low;
    for (int spare = std::min(field.bits(), 2); spare >= 0; --spare) {
        const int width = missing + spare;
        if ((field.bits() + width) * field.slots > most_inline_bits) continue;
        const std::size_t keys_end = static_cast<std::size_t>(key_words_);
        for (std::size_t w = is_key(index) ? 0 : keys_end; w < (is_key(index) ? keys_end : used_.size()); ++w)
            if (used_[w] + width * field.slots <= 64) {
                piece = {static_cast<std::uint16_t>(w), used_[w], static_cast<std::uint8_t>(width)};
                used_[w] = static_cast<std::uint8_t>(used_[w] + width * field.slots);
                return true;
            }
    }
    field.slots = slots;
    return false;
}

std::vector<Word> Layout::mask_of(const std::vector<std::uint32_t>& some) const {
    std::vector<Word> mask(static_cast<std::size_t>(words));
    for (const std::uint32_t one : some) {
        const Field& field = fields[one];
        for (std::uint32_t cell = 0; cell < field.slots; ++cell)
            for (int bit = 0; bit < field.bits(); ++bit) {
                const auto [word, place] = field.place_of(cell, bit);
                mask[word] |= Word{1} << place;
            }
    }
    return mask;
}

}  // namespace sweep
