// The engine with programs that answer in C++: random ones against a plain search, and grids whose numbers are known.
#include <filesystem>

#include "program.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

Settings collecting(Collector::Policy collect, std::uint64_t interval = 0) {
    Settings settings;
    settings.collect = collect;
    settings.interval = interval;
    return settings;
}

/// Settings under which fields are widened where they lie from the first state on, unless states have doubled since the last rewrite.
Settings widening() {
    Settings settings;
    settings.rewrite_below = 0;
    return settings;
}

/// Settings under which functions compare numbers wherever they can.
Settings comparing() {
    Settings settings;
    settings.compare_always = true;
    return settings;
}

/// Settings under which several workers share even the least work.
Settings shared(std::uint32_t workers, Settings settings = {}) {
    settings.sharing.workers = workers;
    settings.sharing.after = settings.sharing.least = 0;
    settings.sharing.batch_size = 1 + workers % 3;
    return settings;
}

Question watch(Question::On on, std::int32_t predicate) {
    Question result;
    result.on = on;
    result.predicate = predicate;
    return result;
}

void compare(const TestProgram& program, const Truth& truth, const Settings& settings) {
    Machine machine(program);
    Exploration& engine = machine.prepare(settings);
    const bool by_progress = static_cast<bool>(program.measure);
    check(machine.explore() == Stop::none);
    const Counters& found = engine.ledger().counters;
    check_equal(found.states, truth.states.size());
    check_equal(found.explored, truth.states.size());
    check_equal(found.edges, truth.edges);
    check_equal(found.dead, truth.dead);
    check_equal(found.layers, by_progress && !program.total_order ? found.layers : truth.layers.size());
    std::uint64_t edges = 0, in_profile = 0;
    for (const std::uint64_t counted : engine.ledger().edges) edges += counted;
    check_equal(edges, truth.edges);
    if (program.total_order) {
        for (const Profile::Row& row : engine.ledger().profile.rows) in_profile += row.states;
        check_equal(in_profile, truth.states.size());
    }
    if (!by_progress)
        check_equal(found.peak, truth.states.size());
    else if (program.total_order && settings.collect == Collector::Policy::layer)
        check_equal(found.peak, truth.peak);
    else
        check(found.peak <= truth.states.size());
    if (by_progress) check_equal(found.stored, 0u);
    check_equal(machine.verified > 0, settings.verify);
}

/// Properties of single states: what is decided is true, and the way there can be followed.
void compare_decisions(const TestProgram& program, const Truth& truth, Settings settings, const std::filesystem::path& file) {
    settings.parent_file = file.string();
    settings.keep_going = true;
    Machine machine(program);
    Exploration& engine = machine.prepare(settings);
    for (std::int32_t predicate = 0; predicate < 2; ++predicate)
        for (const Question::On on : {Question::On::invariant, Question::On::reachable, Question::On::deadlock})
            engine.questions.all.push_back(watch(on, predicate));
    engine.questions.all.push_back(watch(Question::On::deadlock, -1));
    machine.explore();
    const auto holds = [&](std::int32_t predicate, const Values& state) {
        std::vector<Plain::Choice> none;
        Plain view(state, none);
        return predicate >= 0 && program.predicates[static_cast<std::size_t>(predicate)](view);
    };
    const auto dead = [&](const Values& state) {
        return std::all_of(program.actions.begin(), program.actions.end(), [&](const Act& one) { return outcomes(one, state).empty(); });
    };
    for (const Question& asked : engine.questions.all) {
        const auto decides = [&](const Values& state) {
            if (asked.on == Question::On::reachable) return holds(asked.predicate, state);
            return !holds(asked.predicate, state) && (asked.on == Question::On::invariant || dead(state));
        };
        const bool expected = std::any_of(truth.states.begin(), truth.states.end(), decides);
        check_equal(asked.decided, expected);
        if (asked.decided) check(decides(machine.plain(asked.witness)));
    }
}

/// The whole graph, and fixpoints on sets of its states.
struct Explicit {
    struct Step {
        std::size_t target;
        std::uint32_t action;
    };
    using Set = std::vector<std::uint8_t>;
    std::vector<Values> states;
    std::vector<std::vector<Step>> steps;

    Explicit(const TestProgram& program, const Truth& truth) : states(truth.states.begin(), truth.states.end()), steps(states.size()) {
        for (std::size_t i = 0; i < states.size(); ++i)
            for (std::uint32_t a = 0; a < program.actions.size(); ++a)
                for (const Values& next : outcomes(program.actions[a], states[i]))
                    steps[i].push_back(
                        {static_cast<std::size_t>(std::lower_bound(states.begin(), states.end(), next) - states.begin()), a});
    }

    /// The states of a set that lead to a goal inside it.
    Set backwards(const Set& goal, const Set& inside) const {
        Set reached = goal;
        for (bool more = true; more;) {
            more = false;
            for (std::size_t i = 0; i < states.size(); ++i) {
                const auto leads = [&](const Step& step) { return reached[step.target] != 0; };
                if (reached[i] || !inside[i] || std::none_of(steps[i].begin(), steps[i].end(), leads)) continue;
                reached[i] = more = true;
            }
        }
        return reached;
    }

    /// The states with a run for ever inside a set that is fair to the actions; a state without steps stutters.
    Set for_ever(Set kept, const std::vector<std::uint32_t>& fair) const {
        const auto heeds = [&](std::size_t i, std::uint32_t action) {
            bool enabled = false, taken = false;
            for (const Step& step : steps[i]) {
                enabled |= step.action == action;
                taken |= step.action == action && kept[step.target];
            }
            return !enabled || taken;
        };
        for (;;) {
            const Set before = kept;
            const auto thin_out = [&](const Set& to) {
                for (std::size_t i = 0; i < states.size(); ++i)
                    kept[i] &= steps[i].empty() || std::any_of(steps[i].begin(), steps[i].end(),
                                                               [&](const Step& step) { return before[step.target] && to[step.target]; });
            };
            thin_out(kept);
            for (const std::uint32_t action : fair) {
                Set heeded(states.size());
                for (std::size_t i = 0; i < states.size(); ++i) heeded[i] = kept[i] && heeds(i, action);
                thin_out(backwards(heeded, kept));
            }
            if (kept == before) return kept;
        }
    }
};

/// Always possible and always eventually, the latter with fairness as the settings have it, against the fixpoints.
void compare_cycles(const TestProgram& program, const Truth& truth, const Settings& asked) {
    Settings settings = asked;
    settings.keep_going = true;
    Machine machine(program);
    Exploration& engine = machine.prepare(settings);
    for (std::int32_t predicate = 0; predicate < 2; ++predicate)
        for (const Question::On on : {Question::On::always_possible, Question::On::always_eventually})
            engine.questions.all.push_back(watch(on, predicate));
    machine.explore();
    const Explicit graph(program, truth);
    const Explicit::Set everywhere(graph.states.size(), 1);
    for (const Question& one : engine.questions.all) {
        Explicit::Set goal(graph.states.size()), avoiding(graph.states.size()), bad;
        for (std::size_t i = 0; i < graph.states.size(); ++i) {
            std::vector<Plain::Choice> none;
            Plain view(graph.states[i], none);
            goal[i] = program.predicates[static_cast<std::size_t>(one.predicate)](view);
            avoiding[i] = !goal[i];
        }
        if (one.on == Question::On::always_possible) {
            bad = graph.backwards(goal, everywhere);
            for (std::uint8_t& state : bad) state = !state;
        } else {
            std::vector<std::uint32_t> fair;
            for (const Fairness& weak : settings.fair) fair.push_back(weak.actions.front());
            bad = graph.for_ever(avoiding, fair);
        }
        check_equal(one.decided, std::find(bad.begin(), bad.end(), 1) != bad.end());
        if (!one.decided) continue;
        const Values witness = machine.plain(one.witness);
        const auto at =
            static_cast<std::size_t>(std::lower_bound(graph.states.begin(), graph.states.end(), witness) - graph.states.begin());
        check(bad[at] != 0);
        // A run that ends in a dead state stays there: its cycle has no steps.
        check_equal(one.on == Question::On::always_possible || graph.steps[at].empty(), one.cycle.empty());
        check(one.cycle.empty() || machine.plain(one.cycle.back()) == witness);
    }
}

void compare_cycles_in_every_way(const TestProgram& program, const Truth& truth) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t a = 0; a < program.actions.size(); ++a) all.push_back(a);
    for (const auto& fair : {std::vector<std::uint32_t>{}, std::vector<std::uint32_t>{0}, all})
        for (Settings settings : {Settings{}, widening(), collecting(Collector::Policy::interval, 3)}) {
            for (const std::uint32_t action : fair) settings.fair.push_back({{action}});
            compare_cycles(program, truth, settings);
        }
}

void random_programs() {
    const auto file = std::filesystem::temp_directory_path() / "sweepcheck-test-engine.trc";
    const std::uint64_t drawn = examples(200);
    std::uint64_t compared = 0;
    for (std::uint64_t seed = 0; seed < drawn; ++seed) {
        Random random(seed);
        Writer writer(random, random.one_in(4) ? 9 : 3);
        const bool measured = seed % 3 != 0, total = seed % 3 == 1;
        const TestProgram program = writer.draw(measured, total);
        const Truth truth = survey(program, 1500);
        if (truth.too_large || truth.regress) continue;
        ++compared;
        try {
            compare(program, truth, {});
            compare(program, truth, comparing());
            compare(program, truth, shared(2 + seed % 3, seed % 2 ? widening() : Settings{}));
            Settings verified = widening();
            verified.verify = true;
            compare(program, truth, verified);
            if (measured) {
                compare(program, truth, collecting(Collector::Policy::interval, 1));
                compare(program, truth, collecting(Collector::Policy::interval, 7));
                compare(program, truth, collecting(Collector::Policy::adaptive, 2));
            }
            compare_decisions(program, truth, {}, file);
            compare_decisions(program, truth, comparing(), file);
            compare_decisions(program, truth, shared(2 + seed % 3), file);
            if (truth.states.size() <= 100) compare_cycles_in_every_way(program, truth);
        } catch (const std::exception& error) {
            throw std::runtime_error("seed " + std::to_string(seed) + ": " + error.what());
        }
    }
    std::filesystem::remove(file);
    check(2 * compared > drawn);
}

/// Counters that only go up, and switches that make more states of the same values.
TestProgram grid(int counters, int largest, int switches) {
    TestProgram program;
    Values initial;
    for (int i = 0; i < counters + switches; ++i) {
        const auto field = static_cast<std::uint32_t>(i);
        program.kinds.push_back(Kind::scalar);
        initial.push_back({0});
        if (i < counters)
            program.actions.push_back([=](Draft& s) {
                if (s.read(field) == largest) throw Disabled{};
                s.write(field, s.read(field) + 1);
            });
        else
            program.actions.push_back([=](Draft& s) { s.write(field, 1 - s.read(field)); });
    }
    program.initial = {initial};
    return program;
}

void check_grid(int counters, int largest, int switches, const TestProgram& program, bool whole, const Settings& settings = {}) {
    std::uint64_t states = std::uint64_t{1} << switches, down = states;
    for (int i = 0; i < counters; ++i) states *= static_cast<std::uint64_t>(largest) + 1;
    for (int i = 1; i < counters; ++i) down *= static_cast<std::uint64_t>(largest) + 1;
    Machine machine(program);
    Exploration& engine = machine.prepare(settings);
    check(machine.explore() == Stop::none);
    check_equal(engine.ledger().counters.states, states);
    check_equal(engine.ledger().counters.edges, static_cast<std::uint64_t>(switches) * states +
                                                    static_cast<std::uint64_t>(counters) * static_cast<std::uint64_t>(largest) * down);
    check_equal(engine.ledger().counters.dead, switches ? 0u : 1u);
    if (whole) check_equal(engine.ledger().counters.peak, states);
}

void grids() {
    check_grid(2, 150, 5, grid(2, 150, 5), true);
    for (const std::uint64_t rewritten : {0u, 1'000u, 20'000u}) {  // fields are rewritten up to there, then widened where they lie
        Settings settings;
        settings.rewrite_below = rewritten;
        check_grid(2, 150, 5, grid(2, 150, 5), true, settings);
        check_grid(3, 30, 2, grid(3, 30, 2), true, settings);
        check_grid(1, 70'000, 0, grid(1, 70'000, 0), true, settings);
    }
    check_grid(3, 30, 0, grid(3, 30, 0), true);
    check_grid(1, 70'000, 0, grid(1, 70'000, 0), true);
    check_grid(1, 300, 7, grid(1, 300, 7), true);
    check_grid(0, 0, 15, grid(0, 0, 15), true);
    check_grid(1, 1, 0, grid(1, 1, 0), true);
}

void swept_grids() {
    TestProgram total = grid(3, 24, 2);
    total.measure = [](Draft& s) -> std::vector<Value> { return {s.read(0) + s.read(1) + s.read(2)}; };
    check_grid(3, 24, 2, total, false);
    const Truth truth = survey(total, 1'000'000);
    for (const Settings& settings : {Settings{}, shared(2), shared(3), shared(7), collecting(Collector::Policy::interval, 100),
                                     shared(3, collecting(Collector::Policy::interval, 100)), collecting(Collector::Policy::adaptive, 100)})
        compare(total, truth, settings);
    TestProgram lexicographic = grid(2, 60, 3);
    lexicographic.measure = [](Draft& s) -> std::vector<Value> { return {s.read(0), s.read(1)}; };
    check_grid(2, 60, 3, lexicographic, false);
    TestProgram product = grid(2, 30, 3);
    product.measure = [](Draft& s) -> std::vector<Value> { return {s.read(0), s.read(1)}; };
    product.leq = [](const auto& a, const auto& b) { return a[0] <= b[0] && a[1] <= b[1]; };
    product.total_order = false;
    check_grid(2, 30, 3, product, false);
    const Truth partial = survey(product, 1'000'000);
    for (const Settings& settings : {Settings{}, collecting(Collector::Policy::interval, 50), collecting(Collector::Policy::adaptive, 50)})
        compare(product, partial, settings);
}

void steps_back_are_noticed() {
    for (const bool total : {true, false}) {
        TestProgram program = grid(2, 6, 0);
        program.actions.push_back([](Draft& s) {
            if (s.read(0) != 5 || s.read(1) != 4) throw Disabled{};
            s.write(1, 0);
        });
        program.measure = [](Draft& s) -> std::vector<Value> { return {s.read(0), s.read(1)}; };
        program.total_order = total;
        if (!total) program.leq = [](const auto& a, const auto& b) { return a[0] <= b[0] && a[1] <= b[1]; };
        for (const Settings& settings : {Settings{}, collecting(Collector::Policy::interval, 3)}) {
            Machine machine(program);
            machine.prepare(settings);
            bool noticed = false;
            try {
                machine.explore();
            } catch (const Regress&) {
                noticed = true;
            }
            check(noticed);
        }
    }
}

/// Tokens move from bag to bag and change their value: bags that outgrow their slots, their bits, and their states.
TestProgram tokens(int bags, int count, int largest) {
    TestProgram program;
    Values initial;
    for (int i = 0; i < bags; ++i) {
        program.kinds.push_back(Kind::bag);
        initial.push_back({});
        const auto from = static_cast<std::uint32_t>(i), to = static_cast<std::uint32_t>((i + 1) % bags);
        program.actions.push_back([=](Draft& s) {
            const Value token = s.any(from);
            s.remove(from, token);
            s.add(to, to == 0 ? std::min(token + 1, largest) : token, 1);
        });
    }
    initial[0].assign(static_cast<std::size_t>(count), 0);
    program.initial = {initial};
    return program;
}

void token_bags() {
    for (const auto& [bags, count, largest] :
         std::vector<std::tuple<int, int, int>>{{2, 4, 6}, {3, 4, 2}, {2, 8, 2}, {2, 20, 1}, {1, 3, 40}, {2, 2, 70}}) {
        const TestProgram program = tokens(bags, count, largest);
        const Truth truth = survey(program, 200'000);
        check(!truth.too_large);
        compare(program, truth, {});
        compare(program, truth, widening());
    }
}

/// Bags whose tokens get new values while many states are stored: widened in place, rewritten, or interned after all.
void late_growth_of_bags() {
    for (const int most : {2, 6}) {
        TestProgram program = grid(1, 40, 8);
        const auto bag = static_cast<std::uint32_t>(program.kinds.size());
        program.kinds.push_back(Kind::bag);
        program.initial[0].push_back({});
        program.actions[0] = [=](Draft& s) {  // the counter's steps leave tokens behind, new ones at late steps only
            const Value now = s.read(0);
            if (now == 40) throw Disabled{};
            s.write(0, now + 1);
            if (now < 4 || now > 35) s.add(bag, now < 4 ? now % 2 : now, 1);
            if (s.size(bag) > most) s.remove(bag, s.any(bag));
        };
        const Truth truth = survey(program, 400'000);
        check(!truth.too_large && truth.states.size() > 10'000);
        compare(program, truth, {});
        compare(program, truth, widening());
    }
}

void wide_states() {
    // From one word to many while the run is on: every counter starts with one value.
    for (const int counters : {4, 9, 40}) {
        TestProgram program = grid(counters, 1, 0);
        program.actions.clear();
        for (int i = 0; i < counters; ++i) {
            const auto field = static_cast<std::uint32_t>(i), before = static_cast<std::uint32_t>(i ? i - 1 : 0);
            program.actions.push_back([=](Draft& s) {  // one after the other, so that the states stay few
                if (field && s.read(before) < 100) throw Disabled{};
                if (s.read(field) == 100) throw Disabled{};
                s.write(field, s.read(field) + 1);
            });
        }
        Machine machine(program);
        Exploration& engine = machine.prepare(counters == 9 ? widening() : Settings{});
        check(machine.explore() == Stop::none);
        check_equal(engine.ledger().counters.states, static_cast<std::uint64_t>(counters) * 100 + 1);
        check_equal(engine.ledger().counters.edges, static_cast<std::uint64_t>(counters) * 100);
        check(machine.core.schema.layout.words >= counters * 7 / 64);
    }
}

void limits() {
    const TestProgram program = grid(2, 200, 2);
    for (const std::uint64_t most : {1u, 2u, 300u, 10'000u}) {
        Settings settings;
        settings.limits.states = most;
        Machine machine(program);
        Exploration& engine = machine.prepare(settings);
        check(machine.explore() == Stop::states);
        check_equal(engine.ledger().counters.states, most);
    }
    Settings exactly;
    exactly.limits.states = 201 * 201 * 4;
    Machine machine(program);
    machine.prepare(exactly);
    check(machine.explore() == Stop::none);
    Settings no_time;
    no_time.limits.seconds = 1e-9;
    Machine hurried(program);
    hurried.prepare(no_time);
    check(hurried.explore() == Stop::seconds);
    Settings no_memory;
    no_memory.limits.memory = 1;
    Machine cramped(program);
    cramped.prepare(no_memory);
    check(cramped.explore() == Stop::memory);
    Machine stopped(program);
    stopped.most_ticks = 1;
    stopped.prepare({});
    check(stopped.explore() == Stop::interrupted);
}

void tables_may_be_forgotten() {
    TestProgram program = grid(2, 400, 2);
    program.measure = [](Draft& s) -> std::vector<Value> { return {s.read(0) / 10}; };
    Settings settings;
    settings.limits.table_memory = 1;
    Machine machine(program);
    Exploration& engine = machine.prepare(settings);
    check(machine.explore() == Stop::none);
    check_equal(engine.ledger().counters.states, 401u * 401 * 4);
    check(engine.forgotten_tables() > 0);
}

/// An action that looks at everything gets no table, and all numbers stay right.
void actions_without_tables() {
    TestProgram program = grid(3, 20, 1);
    program.actions.push_back([](Draft& s) {
        Value sum = 0;
        for (std::uint32_t i = 0; i < 4; ++i) sum += s.read(i);
        if (sum % 7) throw Disabled{};
        s.write(3, s.choose(2));
    });
    const Truth truth = survey(program, 100'000);
    compare(program, truth, {});
    Machine machine(program);
    machine.prepare({});
    machine.explore();
    check(!machine.core.actions().back().tabulated);
    check(machine.core.actions().front().tabulated);
}

/// Scalars that get their second value one after another, while switches make many states of each.
TestProgram late_scalars(int count, int switches) {
    TestProgram program = grid(1, count, switches);
    program.actions[0] = [=](Draft& s) {
        const Value next = s.read(0);
        if (next == count) throw Disabled{};
        s.write(static_cast<std::uint32_t>(1 + switches + next), 1);
        s.write(0, next + 1);
    };
    program.kinds.resize(program.kinds.size() + static_cast<std::size_t>(count), Kind::scalar);
    program.initial[0].resize(program.kinds.size(), {0});
    return program;
}

/// Queues that get longer one after another, up to `length`.
TestProgram late_queues(int count, int length, int switches) {
    TestProgram program = grid(1, count * length, switches);
    program.actions[0] = [=](Draft& s) {
        const Value next = s.read(0);
        if (next == count * length) throw Disabled{};
        s.put(static_cast<std::uint32_t>(1 + switches + next / length), 1);
        s.write(0, next + 1);
    };
    program.kinds.resize(program.kinds.size() + static_cast<std::size_t>(count), Kind::queue);
    program.initial[0].resize(program.kinds.size(), {});
    return program;
}

/// States are rewritten a few times for each doubling, however many variables outgrow their fields.
void rewrites_are_few() {
    for (const int count : {100, 400}) {
        const TestProgram program = late_scalars(count, 4);
        Machine machine(program);
        Exploration& engine = machine.prepare(widening());
        check(machine.explore() == Stop::none);
        check_equal(engine.ledger().counters.states, 16u * static_cast<unsigned>(count + 1));
        check(engine.rewrites() < 40);
    }
    for (const int count : {20, 80}) {
        const TestProgram program = late_queues(count, 8, 3);
        Machine machine(program);
        Exploration& engine = machine.prepare(widening());
        check(machine.explore() == Stop::none);
        check_equal(engine.ledger().counters.states, 8u * static_cast<unsigned>(count * 8 + 1));
        check(engine.rewrites() < 60);
    }
}

/// Tokens that go round: actions ask whether there are enough of them, so one run does for all large numbers.
void numbers_that_are_compared() {
    constexpr Value tokens = 60;
    constexpr std::uint32_t places = 4;
    TestProgram program;
    program.kinds.assign(places, Kind::scalar);
    program.initial = {{{tokens}, {0}, {0}, {0}}};
    for (std::uint32_t from = 0; from < places; ++from)
        program.actions.push_back([from](Draft& s) {
            const std::uint32_t one = (from + 1) % places, other = (from + 2) % places;
            if (!s.at_least(from, 1) || s.equals(other, tokens)) throw Disabled{};
            s.move(from, -1);
            s.move(one, 1);
        });
    const Truth truth = survey(program, 100'000);
    check_equal(truth.states.size(), 39'711u);  // as many as ways to distribute the tokens
    compare(program, truth, {});
    Machine machine(program);
    machine.prepare({});
    machine.explore();
    for (const Function& action : machine.core.actions()) {
        check(action.comparing.stage != Comparing::Stage::looking);
        check(action.runs < 6'000);  // those that it took to find out, and a few
        check(action.tabulated);
    }
}

}  // namespace

int main() {
    return run_all({{"random programs", random_programs},
                    {"grids", grids},
                    {"swept grids", swept_grids},
                    {"steps back are noticed", steps_back_are_noticed},
                    {"token bags", token_bags},
                    {"late growth of bags", late_growth_of_bags},
                    {"wide states", wide_states},
                    {"rewrites are few", rewrites_are_few},
                    {"limits", limits},
                    {"tables may be forgotten", tables_may_be_forgotten},
                    {"actions without tables", actions_without_tables},
                    {"numbers that are compared", numbers_that_are_compared}});
}
