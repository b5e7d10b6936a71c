// Which actions a state wakes, against what their tables say; groups against the plain search for the best one.
#include "sweep/program/triggers.hpp"

#include <algorithm>
#include <set>

#include "sweep/program/block.hpp"
#include "sweep/program/groups.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

using Fields = std::vector<std::uint32_t>;

/// Variables and actions at random: each action asks for some scalars, one after the other, and goes on only for some of their values.
class RandomProgram {
public:
    Program program;

    RandomProgram(Random& random, std::size_t variables, std::size_t actions, std::uint64_t most_values) : random_(random) {
        for (std::size_t i = 0; i < variables; ++i) {
            program.schema.add(Kind::scalar);
            program.schema.set_values(i, 2 + random.below(most_values - 1));
        }
        program.schema.lay_out();
        program.schema.requests.clear();
        program.set_functions(Role::action, actions);
        for (Function& function : program.actions()) {
            Fields asked;
            for (std::uint64_t n = most_values > 100 ? 1 : 1 + random.below(3); n > 0; --n) {  // all combinations are learnt
                const auto field = static_cast<std::uint32_t>(random.below(variables));
                if (std::find(asked.begin(), asked.end(), field) == asked.end()) asked.push_back(field);
            }
            std::vector<Event> path;
            learn(function, asked, path);
            function.trie.refresh(program.schema, true);
        }
    }

    /// States in which most variables have their first value.
    std::vector<Word> states(std::size_t count) {
        const Layout& layout = program.schema.layout;
        std::vector<Word> words(count * static_cast<std::size_t>(layout.words));
        for (std::size_t i = 0; i < count; ++i) {
            Word* state = words.data() + i * static_cast<std::size_t>(layout.words);
            state[0] = 1;
            for (std::size_t v = 0; v < layout.fields.size(); ++v)
                if (random_.one_in(2 + layout.fields.size() / 4))
                    layout.fields[v].store(state, random_.below(program.schema.variables[v].values));
        }
        return words;
    }

private:
    /// All paths over these scalars, but a few that nobody has met yet.
    void learn(Function& function, const Fields& asked, std::vector<Event>& path) {
        const bool enough = path.size() == asked.size();
        if (enough || (!path.empty() && path.back().key % 2 == 0)) {
            if (!random_.one_in(40)) check(function.trie.insert(path, enough && path.back().key % 2 ? leaf_code(0) : disabled));
            return;
        }
        const std::uint32_t field = asked[path.size()];
        for (std::uint32_t key = 0; key < program.schema.variables[field].values; ++key) {
            path.push_back({Ask::value, field, 0, 0, key});
            learn(function, asked, path);
            path.pop_back();
        }
    }

    Random& random_;
};

std::size_t whoever_may_act_is_awake(std::uint64_t seed, std::size_t variables, std::size_t actions, std::uint64_t most_values) {
    Random random(seed);
    RandomProgram made(random, variables, actions, most_values);
    const Program& program = made.program;
    const auto stride = static_cast<std::size_t>(program.schema.layout.words);
    const Grouping grouping = Grouping::of(program);
    const std::vector<Word> sample = made.states(64);
    Triggers triggers = Triggers::of(program, grouping, {sample.data(), 64, stride, 0, false});
    const std::vector<Word> words = made.states(400);
    std::size_t slept = 0;
    for (std::size_t i = 0; i < 400; ++i) {
        const Word* state = words.data() + i * stride;
        std::set<std::uint32_t> awake;
        std::uint32_t before = 0;
        triggers.each_awake(state, [&](std::uint32_t unit) {
            check(awake.empty() || before < unit);  // in order, and once
            before = unit;
            if (unit < grouping.groups.size())
                awake.insert(grouping.groups[unit].actions.begin(), grouping.groups[unit].actions.end());
            else
                awake.insert(grouping.others[unit - grouping.groups.size()]);
        });
        for (std::uint32_t action = 0; action < actions; ++action) {
            if (awake.contains(action)) continue;
            ++slept;
            check_equal(program.look_up(program.actions()[action].trie, state), disabled);
        }
    }
    return slept;
}

void no_action_that_may_do_something_sleeps() {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        whoever_may_act_is_awake(seed, 6, 12, 4);
        whoever_may_act_is_awake(seed, 40, 60, 9);
        whoever_may_act_is_awake(seed, 5, 30, 3000);                     // too many values for a group
        check(whoever_may_act_is_awake(seed, 300, 400, 2) > 400 * 200);  // most of them sleep
    }
}

void an_empty_bag_lets_sleep_who_takes_from_it() {
    Program program;
    for (int i = 0; i < 40; ++i) program.schema.add(Kind::bag);
    for (std::size_t i = 0; i < 40; ++i) program.schema.set_values(i, 4);
    for (Variable& variable : program.schema.variables)
        for (const Id token : {1, 2, 3}) variable.cells.add(token);
    program.schema.lay_out();
    program.set_functions(Role::action, 40);
    for (std::uint32_t bag = 0; bag < 40; ++bag) {
        Trie& trie = program.actions()[bag].trie;
        check(trie.insert({{Ask::take, bag, 0, 0, 2}}, leaf_code(0)));
        trie.refresh(program.schema, true);
    }
    const auto stride = static_cast<std::size_t>(program.schema.layout.words);
    const Grouping grouping = Grouping::of(program);
    check_equal(grouping.others.size(), std::size_t{40});
    std::vector<Word> state(stride);
    Triggers triggers = Triggers::of(program, grouping, {state.data(), 1, stride, 0, false});
    for (std::uint32_t bag = 0; bag < 40; ++bag) {
        std::fill(state.begin(), state.end(), 0);
        program.schema.layout.fields[bag].store(state.data(), 3);  // a token never taken before
        Fields awake;
        triggers.each_awake(state.data(), [&](std::uint32_t unit) { awake.push_back(unit); });
        check(awake == Fields{bag});
    }
}

/// Actions that wait for numbers, of which some become values only later: each wakes when its number is there, and hardly ever else.
void who_waits_for_a_number_wakes_for_it() {
    constexpr Id met = 1400, asked = 1410, later = 1500, actions = 3000;  // values until `asked` have no number yet
    Random random(7);
    Program program;
    program.schema.add(Kind::scalar);
    program.schema.set_values(0, asked);
    program.schema.lay_out();
    program.schema.requests.clear();
    program.schema.numbers.emplace_back();
    program.schema.variables[0].numbers = 0;
    const auto number_of = [](Id id) { return std::int64_t{id} * 2 - 100; };  // half of those that are waited for
    for (Id id = 0; id < met; ++id) program.schema.set_number(0, id, number_of(id));
    program.set_functions(Role::action, actions);
    for (std::uint32_t action = 0; action < actions; ++action) {
        Trie& trie = program.actions()[action].trie;
        check(trie.insert({{Ask::value, 0, 0, 0, action % 7}}, disabled));
        const std::int64_t number = std::int64_t{action} - 100;
        const bool is_met = number == number_of(action % 7);
        check(trie.ask_whether(trie.equality(0, number), is_met ? later : program.schema.numbers_of(0).find(number)));
        trie.refresh(program.schema, true);
    }
    const auto stride = static_cast<std::size_t>(program.schema.layout.words);
    std::vector<Word> sample(64 * stride);
    for (std::size_t i = 0; i < 64; ++i) program.schema.layout.fields[0].store(sample.data() + i * stride, random.below(met));
    const Grouping grouping = Grouping::of(program);
    Triggers triggers = Triggers::of(program, grouping, {sample.data(), 64, stride, 0, false});
    check(triggers.sleeping());
    for (Id id = met; id < later; ++id) program.schema.set_number(0, id, number_of(id));
    std::vector<Word> state(stride);
    for (Id id = 0; id < later; ++id) {
        program.schema.layout.fields[0].store(state.data(), id);
        std::set<std::uint32_t> awake;
        triggers.each_awake(state.data(), [&](std::uint32_t unit) { awake.insert(grouping.others[unit]); });
        check(awake.size() <= 2 || (id >= met && id < asked));  // beside the one whose number most states had
        for (std::uint32_t action = 0; action < actions; ++action)
            check(awake.contains(action) || program.look_up(program.actions()[action].trie, state.data()) == disabled);
        const auto wanted = static_cast<std::uint32_t>(number_of(id) + 100);
        if (wanted < actions) check(awake.contains(wanted));
    }
}

/// Every action goes to the group that shares most bits with it, the first of several such: looked for among all of them.
void groups_share_what_they_can() {
    Random random(3);
    for (int round = 0; round < 30; ++round) {
        RandomProgram made(random, 3 + random.below(30), 1 + random.below(80), 2 + random.below(30));
        const auto bits = [&](const std::set<std::uint32_t>& fields) {
            int sum = 0;
            for (const std::uint32_t field : fields) sum += bits_for(made.program.schema.variables[field].values);
            return sum;
        };
        std::vector<std::set<std::uint32_t>> groups;
        std::vector<Fields> members;
        const Grouping grouping = Grouping::of(made.program);
        for (std::uint32_t action = 0; action < made.program.actions().size(); ++action) {
            if (std::find(grouping.others.begin(), grouping.others.end(), action) != grouping.others.end()) continue;
            std::set<std::uint32_t> wanted;
            for (const Trie::Node& node : made.program.actions()[action].trie.nodes) {
                std::set<std::uint32_t> more = wanted;
                more.insert(node.field);
                if (bits(more) > 10) break;
                wanted = more;
            }
            std::size_t best = groups.size();
            int most = -1;
            for (std::size_t g = 0; g < groups.size(); ++g) {
                std::set<std::uint32_t> together = groups[g], shared;
                together.insert(wanted.begin(), wanted.end());
                for (const std::uint32_t field : wanted)
                    if (groups[g].contains(field)) shared.insert(field);
                const int weight = bits(shared) + static_cast<int>(shared.size());
                if (bits(together) > 10 || weight <= most) continue;
                best = g;
                most = weight;
            }
            if (best == groups.size()) {
                groups.emplace_back();
                members.emplace_back();
            }
            groups[best].insert(wanted.begin(), wanted.end());
            members[best].push_back(action);
        }
        check_equal(grouping.groups.size(), members.size());
        for (std::size_t g = 0; g < members.size(); ++g) check(grouping.groups[g].actions == members[g]);
    }
}

}  // namespace

int main() {
    return run_all({{"no action that may do something sleeps", no_action_that_may_do_something_sleeps},
                    {"an empty bag lets sleep who takes from it", an_empty_bag_lets_sleep_who_takes_from_it},
                    {"who waits for a number wakes for it", who_waits_for_a_number_wakes_for_it},
                    {"groups share what they can", groups_share_what_they_can}});
}
