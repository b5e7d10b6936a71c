// Layouts: fields do not overlap, hold what they have to, and keep it when another field is widened.
#include "sweep/state/layout.hpp"

#include <algorithm>

#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

/// Bits that each word has given away; checks that none is given twice.
void check_disjoint(const Layout& layout) {
    std::vector<Word> taken(static_cast<std::size_t>(layout.words), 0);
    taken[0] = 1;
    for (const Field& field : layout.fields)
        for (const Piece& piece : {field.low, field.high}) {
            const int width = piece.width * field.slots;
            if (width == 0) continue;
            check(piece.word < layout.words);
            check(piece.shift + width <= 64);
            const Word mask = low_bits(width) << piece.shift;
            check((taken[piece.word] & mask) == 0);
            taken[piece.word] |= mask;
        }
}

Word draw_raw(Random& random, const Field& field, std::uint64_t values) {
    Word raw = 0;
    for (int i = 0; i < field.slots; ++i) raw |= (random.one_in(3) ? values - 1 : random.below(values)) << (i * field.bits());
    return raw;
}

std::vector<Extent> draw_extents(Random& random, std::size_t count) {
    std::vector<Extent> extents(count);
    for (Extent& extent : extents) {
        const int bits = random.one_in(4) ? random.between(0, 32) : random.between(0, 6);
        extent.values = bits == 0 ? 1 : (std::uint64_t{1} << (bits - 1)) + 1 + random.below(std::uint64_t{1} << (bits - 1));
        const int most = bits ? most_inline_bits / bits : 1;
        extent.slots = random.one_in(2) ? 1 : random.between(1, most < 16 ? most : 16);
    }
    return extents;
}

/// What is in every field of one state, cell by cell: it must not change when others are stored or fields are widened.
class Witness {
public:
    Witness(const Layout& layout, const std::vector<Extent>& extents, Random& random)
        : state_(static_cast<std::size_t>(layout.words), 0), cells_(extents.size()) {
        state_[0] = 1;
        for (std::size_t i = 0; i < extents.size(); ++i) change(layout, i, extents[i].values, random);
    }
    void change(const Layout& layout, std::size_t index, std::uint64_t values, Random& random) {
        const Field& field = layout.fields[index];
        const Word raw = draw_raw(random, field, values);
        field.store(state_.data(), raw);
        cells_[index].clear();
        for (int i = 0; i < field.slots; ++i) cells_[index].push_back((raw >> (i * field.bits())) & low_bits(field.bits()));
    }
    void verify(const Layout& layout) const {
        check_equal(state_[0] & 1, 1u);
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const Field& field = layout.fields[i];
            const Word raw = field.load(state_.data());
            for (int slot = 0; slot < field.slots; ++slot)
                check_equal((raw >> (slot * field.bits())) & low_bits(field.bits()), cells_[i][static_cast<std::size_t>(slot)]);
        }
    }

private:
    std::vector<Word> state_;
    std::vector<std::vector<Word>> cells_;
};

void round_trips() {
    Random random(1);
    for (int round = 0; round < 400; ++round) {
        const auto extents = draw_extents(random, random.below(round % 40 == 0 ? 2000 : 30));
        const Layout layout = Layout::pack(extents);
        check_equal(layout.fields.size(), extents.size());
        check_disjoint(layout);
        for (std::size_t i = 0; i < extents.size(); ++i) {
            check_equal(static_cast<int>(layout.fields[i].slots), extents[i].slots);
            check(layout.fields[i].bits() >= bits_for(extents[i].values));
            check(layout.fields[i].bits() * extents[i].slots <= 64);
        }
        Witness witness(layout, extents, random);
        witness.verify(layout);
        for (int change = 0; change < 20 && !extents.empty(); ++change) {
            const std::size_t index = random.below(extents.size());
            witness.change(layout, index, extents[index].values, random);
        }
        witness.verify(layout);
    }
}

void widening_keeps_stored_states() {
    Random random(2);
    int widened = 0, refused = 0;
    for (int round = 0; round < 600; ++round) {
        auto extents = draw_extents(random, 1 + random.below(12));
        Layout layout = Layout::pack(extents);
        std::vector<Witness> stored;
        for (int step = 0; step < 12; ++step) {
            stored.emplace_back(layout, extents, random);
            const std::size_t index = random.below(extents.size());
            const int more = random.between(0, 4);
            const std::uint64_t values = std::min<std::uint64_t>(extents[index].values << more, std::uint64_t{1} << 32);
            const Layout before = layout;
            if (layout.widen(index, values)) {
                ++widened;
                extents[index].values = values;
                check(layout.fields[index].bits() >= bits_for(values));
                check_equal(layout.words, before.words);
            } else {
                ++refused;
                check_equal(layout.fields[index].bits(), before.fields[index].bits());
            }
            check_disjoint(layout);
            for (const Witness& witness : stored) witness.verify(layout);
            for (Witness& witness : stored) witness.change(layout, index, extents[index].values, random);
            for (const Witness& witness : stored) witness.verify(layout);
        }
    }
    check(widened > 1000);
    check(refused > 100);
}

void thousands_of_fields() {
    // Widths that do not divide a word leave gaps at the end of every one of them.
    for (const int bits : {1, 2, 3, 5, 6, 7, 9, 12, 17, 21, 24, 31, 32})
        for (const std::size_t count : {1u, 64u, 65u, 700u, 3000u}) {
            const std::vector<Extent> extents(count, Extent{(std::uint64_t{1} << bits) - (bits > 1), 1});
            const Layout layout = Layout::pack(extents);
            check_disjoint(layout);
            const int each = 64 / bits;
            check(layout.words <= static_cast<int>(count) / each + 2);
        }
    Random random(3);
    std::vector<Extent> mixed;
    for (int i = 0; i < 3000; ++i) mixed.push_back({(std::uint64_t{1} << random.between(1, 32)), 1});
    for (int i = 0; i < 1000; ++i) mixed.push_back({2 + random.below(14), random.between(1, 15)});
    const Layout layout = Layout::pack(mixed);
    check_disjoint(layout);
    int total = 1;
    for (const Extent& extent : mixed) total += bits_for(extent.values) * extent.slots;
    check(layout.words <= total / 64 * 5 / 4 + 2);
    Witness(layout, mixed, random).verify(layout);
}

void nothing_to_store() {
    check_equal(Layout::pack({}).words, 1);
    const Layout constants = Layout::pack(std::vector<Extent>(5000));
    check_equal(constants.words, 1);
    check_disjoint(constants);
    Word state[1] = {1};
    for (const Field& field : constants.fields) {
        field.store(state, 0);
        check_equal(field.load(state), 0u);
    }
    check_equal(state[0], 1u);
}

int with_bits(const Layout& layout) {
    return static_cast<int>(std::count_if(layout.fields.begin(), layout.fields.end(), [](const Field& field) { return field.bits(); }));
}

/// Free bits go to variables that have had one value, next to those that have had more; no word is added for that.
void room_for_constants() {
    std::vector<Extent> extents(200);
    extents[60].values = extents[180].values = 1 << 10;
    const Layout layout = Layout::pack(extents);
    check_equal(layout.words, 1);
    check_equal(with_bits(layout), 2 + 63 - 2 * 11);
    for (std::size_t i = 1; i <= 20; ++i) check(layout.fields[60 + i].bits() == 1 && layout.fields[(180 + i) % 200].bits() == 1);
    check(layout.fields[59].bits() == 0 && layout.fields[179].bits() == 0);
}

/// Slots are wished for: everybody gets some, and none is left without for another's sake.
void room_for_slots() {
    const std::vector<Extent> queues(9, Extent{2, 3, 16});
    const Layout layout = Layout::pack(queues);
    check_equal(layout.words, 1);
    check_disjoint(layout);
    for (const Field& field : layout.fields) check(field.slots == 7);
    std::vector<Extent> declared(3, Extent{2, 1, 5});
    for (const Field& field : Layout::pack(declared).fields) check_equal(static_cast<int>(field.slots), 5);
}

/// Room goes to what keeps growing: bits for bags whose values become more, before slots that have long been enough.
void room_for_what_grows() {
    Extent bag{17, 3, 6};
    bag.widening = bag.settled = true;
    std::vector<Extent> bags(4, bag);
    check_equal(Layout::pack(bags).words, 1);  // 60 bits of 63
    bags.push_back(Extent{17, 1});
    const Layout wider = Layout::pack(bags);
    check_equal(wider.words, 2);
    check_disjoint(wider);
    for (std::size_t i = 0; i < 4; ++i) check(wider.fields[i].bits() >= 7);
    for (Extent& one : bags) one.widening = false;
    for (std::size_t i = 0; i < 4; ++i) check(Layout::pack(bags).fields[i].slots > 3);
}

/// Room that lasts: a quarter more words where there are many, half of it free for whoever asks.
void lasting_room() {
    const std::vector<Extent> narrow(60, Extent{2, 1});
    check_equal(Layout::pack(narrow, true).words, 1);
    std::vector<Extent> wide(4000);
    for (std::size_t i = 0; i < 1000; ++i) wide[i].values = 2;
    Layout layout = Layout::pack(wide, true);
    check(layout.words >= 19 && layout.words <= 20);
    const int given = with_bits(layout);
    check(given >= 1100 && given <= 1150);
    for (std::size_t i = 0; i < 4000; ++i)
        if (!layout.fields[i].bits()) layout.widen(i, 2);
    check_disjoint(layout);
    check_equal(with_bits(layout), layout.words * 64 - 1);
    for (const Field& field : layout.fields) check(field.high.width == 0);  // the first bit of a field is never a further piece
}

/// The last fields, which tell states apart, have the first words to themselves, before and after they are widened.
void keys_come_first() {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        std::vector<Extent> extents(2 + random.below(20));
        for (Extent& extent : extents) extent.values = 1 + random.below(random.one_in(3) ? 1u << 20 : 6);
        const std::size_t keys = 1 + random.below(extents.size());
        Layout layout = Layout::pack(extents, random.one_in(2), keys);
        const auto check_keys = [&] {
            check_disjoint(layout);
            const Width width = layout.width();
            check_equal(width.words, layout.words);
            for (std::size_t i = 0; i < extents.size(); ++i)
                for (const Piece& piece : {layout.fields[i].low, layout.fields[i].high})
                    if (piece.width) check_equal(piece.word < width.compared, i >= extents.size() - keys);
        };
        check_keys();
        for (std::size_t i = 0; i < extents.size(); ++i) layout.widen(i, extents[i].values * 8);
        check_keys();
    }
}

}  // namespace

int main() {
    return run_all({{"round trips", round_trips},
                    {"widening keeps stored states", widening_keeps_stored_states},
                    {"thousands of fields", thousands_of_fields},
                    {"nothing to store", nothing_to_store},
                    {"room for constants", room_for_constants},
                    {"room for slots", room_for_slots},
                    {"room for what grows", room_for_what_grows},
                    {"lasting room", lasting_room},
                    {"keys come first", keys_come_first}});
}
