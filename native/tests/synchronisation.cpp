// Formulas against truth values of every part; how many combinations an event has.
#include "sweep/program/synchronisation.hpp"
#include "sweep/program/formula.hpp"
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
        Formula::Node node{};
        node.field = static_cast<std::uint32_t>(random.below(values.size()));
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
    Schema schema;
    schema.layout = Layout::pack({{3, 1}, {5, 1}, {2, 1}, {300, 1}});
    const Layout& layout = schema.layout;
    const auto ask = [](std::uint32_t, const Word*) { return std::optional<bool>(); };
    for (int round = 0; round < 5000; ++round) {
        const std::vector<Word> values{random.below(3), random.below(5), random.below(2), random.below(300)};
        std::vector<Word> state(static_cast<std::size_t>(layout.words), 0);
        for (std::size_t i = 0; i < values.size(); ++i) layout.fields[i].store(state.data(), values[i]);
        Formula formula;
        const bool expected = grow(random, formula, values, 4);
        check_equal(formula.holds(state.data(), schema, ask, ask) == std::optional(expected), true);
    }
}

void participants_go_where_their_steps_lead() {
    Random random(2);
    for (int round = 0; round < 2000; ++round) {
        const std::uint64_t locations = random.one_in(2) ? 6 : 500;
        std::vector<std::pair<Id, Id>> steps;
        for (std::uint64_t i = random.below(9); i > 0; --i)
            steps.emplace_back(static_cast<Id>(random.below(locations)), static_cast<Id>(random.below(locations)));
        const Synchronisation::Participant participant(3, steps);
        check_equal(participant.field, 3u);
        check_equal(participant.steps(), steps.size());
        for (Id location = 0; location < locations; ++location) {
            std::vector<Id> expected;
            for (const auto& [source, target] : steps)
                if (source == location) expected.push_back(target);
            const auto [begin, count] = participant.targets(location);
            check(std::vector<Id>(begin, begin + count) == expected);
        }
    }
}

void combinations_are_those_of_steps() {
    using Steps = std::vector<std::pair<Id, Id>>;
    std::vector<Synchronisation::Participant> participants;
    check_equal(Synchronisation(participants).combinations(), 1u);
    participants.emplace_back(0, Steps{{0, 1}, {0, 2}, {2, 0}});
    participants.emplace_back(1, Steps{{1, 0}, {2, 1}, {3, 2}});
    check_equal(Synchronisation(participants).combinations(), 9u);
    check(!Synchronisation(participants).untabulated);
    for (int i = 0; i < 40; ++i) participants.emplace_back(2, Steps{{0, 0}, {1, 0}, {2, 0}});
    check_equal(Synchronisation(participants).combinations(), std::numeric_limits<std::uint64_t>::max());  // more than can be counted
    check(Synchronisation(participants).untabulated);
}

}  // namespace

int main() {
    return run_all({{"formulas hold as their parts say", formulas_hold_as_their_parts_say},
                    {"participants go where their steps lead", participants_go_where_their_steps_lead},
                    {"combinations are those of steps", combinations_are_those_of_steps}});
}
