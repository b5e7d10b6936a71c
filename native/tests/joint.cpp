// Formulas against truth values of every part; how many combinations an event has.
#include "sweep/joint.hpp"
#include "testing.hpp"

#include <limits>

using namespace sweep;
using namespace sweep::testing;

namespace {

using Is = Formula::Node::Is;

/// Add a random formula over these fields to `formula`; what it must be, from the values alone.
bool grow(Random& random, Formula& formula, const std::vector<Word>& values, int depth) {
    const std::size_t at = formula.nodes.size();
    formula.nodes.push_back({});
    const std::uint64_t kind = depth == 0 ? 0 : random.below(4);
    bool result = false;
    if (kind == 0) {
        Formula::Node node{Is::among, 1, static_cast<std::uint32_t>(random.below(values.size())), {}};
        for (std::uint64_t i = random.below(5); i > 0; --i) node.allowed.push_back(random.one_in(2));
        result = values[node.field] < node.allowed.size() && node.allowed[values[node.field]];
        formula.nodes[at] = node;
    } else if (kind == 1) {
        result = !grow(random, formula, values, depth - 1);
        formula.nodes[at].is = Is::negated;
    } else {
        const bool all = kind == 2;
        result = all;
        for (std::uint64_t i = random.below(4); i > 0; --i) {
            const bool part = grow(random, formula, values, depth - 1);
            result = all ? result && part : result || part;
        }
        formula.nodes[at].is = all ? Is::all : Is::some;
    }
    formula.nodes[at].size = static_cast<std::uint32_t>(formula.nodes.size() - at);
    return result;
}

void formulas_hold_as_their_parts_say() {
    Random random(1);
    const Layout layout = Layout::pack({{3, 1}, {5, 1}, {2, 1}, {300, 1}});
    for (int round = 0; round < 5000; ++round) {
        const std::vector<Word> values{random.below(3), random.below(5), random.below(2), random.below(300)};
        std::vector<Word> state(static_cast<std::size_t>(layout.words), 0);
        for (std::size_t i = 0; i < values.size(); ++i) layout.fields[i].store(state.data(), values[i]);
        Formula formula;
        const bool expected = grow(random, formula, values, 4);
        check_equal(formula.holds(state.data(), layout), expected);
    }
}

Joint::Participant participant(const std::vector<std::vector<Id>>& rows) {
    Joint::Participant made;
    made.first.push_back(0);
    for (const std::vector<Id>& row : rows) {
        made.targets.insert(made.targets.end(), row.begin(), row.end());
        made.first.push_back(static_cast<std::uint32_t>(made.targets.size()));
    }
    return made;
}

void combinations_are_those_of_steps() {
    Joint joint;
    check_equal(joint.combinations(), 1u);
    joint.participants.push_back(participant({{1, 2}, {}, {0}}));
    joint.participants.push_back(participant({{}, {0}, {1}, {2}}));
    check_equal(joint.combinations(), 9u);
    check_equal(joint.participants[0].count(0), 2u);
    check_equal(joint.participants[0].begin(0)[1], 2u);
    check_equal(joint.participants[0].count(1), 0u);
    check_equal(joint.participants[0].begin(2)[0], 0u);
    for (int i = 0; i < 40; ++i) joint.participants.push_back(participant({{0}, {0}, {0}, {0}}));
    check_equal(joint.combinations(), std::numeric_limits<std::uint64_t>::max());  // more than can be counted
    joint.participants.push_back(participant({{}}));
    check_equal(joint.combinations() == 0 || joint.combinations() == std::numeric_limits<std::uint64_t>::max(), true);
}

}  // namespace

int main() {
    return run_all({{"formulas hold as their parts say", formulas_hold_as_their_parts_say},
                    {"combinations are those of steps", combinations_are_those_of_steps}});
}
