// Columns put into an order: all states of an orbit become one, in whatever layout they lie.
#include "sweep/state/columns.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

using Ids = std::vector<std::vector<Word>>;  // per array and member

/// Arrays of so many values for members, with other variables between them.
struct Drawn {
    std::vector<Extent> extents;
    std::vector<std::vector<std::uint32_t>> arrays;
    std::vector<std::uint64_t> values;  // per array

    Drawn(Random& random, std::uint32_t members) {
        const int count = random.between(1, 3);
        for (int a = 0; a < count; ++a) {
            values.push_back(random.one_in(4) ? random.between(1, 5000) : random.between(1, 4));
            std::vector<std::uint32_t>& fields = arrays.emplace_back();
            for (std::uint32_t i = 0; i < members; ++i) {
                if (random.one_in(5)) add(random.between(1, 300), false);
                fields.push_back(add(values.back(), random.one_in(2)));
            }
        }
    }
    std::uint32_t add(std::uint64_t count, bool tight) {
        extents.push_back({count, 1, 0, tight});
        return static_cast<std::uint32_t>(extents.size() - 1);
    }
    Ids draw(Random& random) const {
        Ids ids;
        for (const std::uint64_t count : values) {
            std::vector<Word>& row = ids.emplace_back();
            for (std::size_t i = 0; i < arrays[0].size(); ++i)
                row.push_back(random.below(random.one_in(2) ? std::min<std::uint64_t>(count, 2) : count));
        }
        return ids;
    }
};

/// The ids as they are after being written to a state with a layout, put into order there, and read again.
Ids arranged(const Drawn& drawn, const Layout& layout, const Columns& columns, const Ids& ids, Random& random) {
    std::vector<Word> state(static_cast<std::size_t>(layout.words), 0);
    state[0] = 1;
    std::vector<Word> others;
    std::set<std::uint32_t> members;
    for (std::size_t a = 0; a < ids.size(); ++a)
        for (std::size_t i = 0; i < ids[a].size(); ++i) {
            layout.fields[drawn.arrays[a][i]].store(state.data(), ids[a][i]);
            members.insert(drawn.arrays[a][i]);
        }
    for (std::uint32_t field = 0; field < drawn.extents.size(); ++field) {
        others.push_back(random.below(drawn.extents[field].values));
        if (!members.contains(field)) layout.fields[field].store(state.data(), others.back());
    }
    Columns::Room room;
    const std::vector<Word> before = state;
    const bool changed = columns.arrange(state.data(), room);
    check_equal(changed, state != before);
    check(!columns.arrange(state.data(), room));
    for (std::uint32_t field = 0; field < drawn.extents.size(); ++field)
        if (!members.contains(field)) check_equal(layout.fields[field].load(state.data()), others[field]);
    Ids result = ids;
    for (std::size_t a = 0; a < ids.size(); ++a)
        for (std::size_t i = 0; i < ids[a].size(); ++i) result[a][i] = layout.fields[drawn.arrays[a][i]].load(state.data());
    return result;
}

/// Member i gets what another one had.
Ids moved(const Ids& ids, const std::vector<std::size_t>& from) {
    Ids result = ids;
    for (std::size_t a = 0; a < ids.size(); ++a)
        for (std::size_t i = 0; i < from.size(); ++i) result[a][i] = ids[a][from[i]];
    return result;
}

void orbits_become_one(bool rotation) {
    Random random(rotation ? 7 : 8);
    for (std::uint64_t round = 0; round < examples(400); ++round) {
        const auto members = static_cast<std::uint32_t>(random.one_in(8) ? random.between(17, 70) : random.between(1, 9));
        const Drawn drawn(random, members);
        std::vector<Layout> layouts{Layout::pack(drawn.extents), Layout::pack(drawn.extents, true)};
        for (std::uint32_t widened = 0; widened < 3; ++widened)
            layouts[1].widen(drawn.arrays[0][random.below(members)], std::uint64_t{1} << random.between(1, 20));
        std::vector<Columns> columns;
        for (const Layout& layout : layouts) columns.emplace_back(drawn.arrays, rotation).refresh(layout);
        const Ids ids = drawn.draw(random);
        const Ids canonical = arranged(drawn, layouts[0], columns[0], ids, random);
        std::vector<std::size_t> from(members);
        std::iota(from.begin(), from.end(), 0);
        bool met = false;  // it is one of the orbit
        for (std::size_t i = 0; i < (rotation ? members : 12); ++i) {
            const std::size_t which = random.below(2);
            const Ids renamed = moved(ids, from);
            check(arranged(drawn, layouts[which], columns[which], renamed, random) == canonical);
            met |= renamed == canonical;
            if (rotation)
                std::rotate(from.begin(), from.begin() + 1, from.end());
            else
                for (std::size_t j = members; j-- > 1;) std::swap(from[j], from[random.below(j + 1)]);
        }
        std::multiset<std::vector<Word>> before, after;
        for (std::size_t i = 0; i < members; ++i) {
            std::vector<Word> one, other;
            for (std::size_t a = 0; a < ids.size(); ++a) one.push_back(ids[a][i]), other.push_back(canonical[a][i]);
            before.insert(one);
            after.insert(other);
        }
        check(before == after);
        if (rotation) check(met);
    }
}

}  // namespace

int main() {
    return run_all({{"permutations", [] { orbits_become_one(false); }}, {"rotations", [] { orbits_become_one(true); }}});
}
