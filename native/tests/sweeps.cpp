// Sweeps by measures that go down, column sweeps and caches on random programs: every reachable state is met, the numbers add up.
#include "program.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

struct Way {
    Settings settings;
    std::size_t components = 0;  // of a product measure
    bool column = false;         // the first component is declared to be monotone
};

Exploration& prepare(Machine& machine, const Way& way) {
    Exploration& engine = machine.prepare(way.settings, way.components);
    if (way.column) engine.product.parts[0].monotone = true;
    return engine;
}

/// A run to the end, and one that looks for every state there is.
void compare(const TestProgram& program, const Truth& truth, const Way& way) {
    Machine machine(program);
    Exploration& engine = prepare(machine, way);
    check(machine.explore() == Stop::none);
    const Counters& found = engine.ledger().counters;
    check(found.explored >= truth.states.size());
    check_equal(found.explored, found.states);
    check(found.peak <= truth.states.size());
    if (!found.persistent && !found.evicted) {
        check_equal(found.states, truth.states.size());
        check_equal(found.edges, truth.edges);
        check_equal(found.dead, truth.dead);
    }
    std::uint64_t regress = 0, edges = 0, in_profile = 0;
    for (const std::uint64_t counted : engine.ledger().regress_edges) regress += counted;
    for (const std::uint64_t counted : engine.ledger().edges) edges += counted;
    for (const Profile::Row& row : engine.ledger().profile.rows) in_profile += row.states;
    check_equal(edges, found.edges);
    check_equal(in_profile, found.explored);
    check(found.persistent <= regress);
    if (way.settings.order == Settings::Order::depth)
        check_equal(found.stored + found.evicted, found.explored);
    else
        check_equal(found.stored, way.components ? 0 : found.persistent);

    Machine looking(program);
    Exploration& finds = prepare(looking, way);
    for (const Values& state : truth.states) {
        Question watch;
        watch.on = Question::On::target;
        watch.witness = looking.unpacked(state);
        finds.questions.all.push_back(watch);
    }
    check(looking.explore() == Stop::decided);
}

void random_programs() {
    int compared = 0, again = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Random random(seed);
        Writer writer(random, random.one_in(4) ? 9 : 3);
        TestProgram program = writer.draw(false, true);
        std::vector<std::uint32_t> scalars;
        for (std::uint32_t i = 0; i < program.kinds.size(); ++i)
            if (program.kinds[i] == Kind::scalar) scalars.push_back(i);
        if (scalars.size() < 2) continue;
        program.measure = [a = scalars[0], b = scalars[1]](Draft& s) -> std::vector<Value> { return {s.read(a), s.read(b)}; };
        const Truth truth = survey(program, 300);
        if (truth.too_large) continue;
        ++compared;
        again += truth.regress;
        try {
            for (const std::uint64_t interval : {0, 1, 5}) {
                Way way;
                way.settings.on_regress = Settings::OnRegress::persist;
                way.settings.collect = interval ? Collector::Policy::interval : Collector::Policy::layer;
                way.settings.interval = interval;
                compare(program, truth, way);
                TestProgram partial = program;
                partial.total_order = false;
                partial.leq = [](const std::vector<Value>& one, const std::vector<Value>& other) {
                    return one[0] <= other[0] && one[1] <= other[1];
                };
                compare(partial, truth, way);
                way.components = 2;
                way.settings.rewrite_below = random.one_in(2) ? 0 : 8'000'000;
                compare(program, truth, way);
                way.settings.sharing = {.workers = 3, .after = 0, .least = 0, .batch_size = random.one_in(2) ? 1u : 4u};
                compare(program, truth, way);
            }
            Way caching;
            caching.settings.order = Settings::Order::depth;
            caching.settings.cache_size = truth.states.size();
            compare(program, truth, caching);
            if (truth.states.size() > 8) continue;  // with less room every path may be gone along
            for (const std::uint64_t size : {0, 1, 3}) {
                caching.settings.cache_size = size;
                compare(program, truth, caching);
            }
        } catch (const std::exception& error) {
            throw std::runtime_error("seed " + std::to_string(seed) + ": " + error.what());
        }
    }
    check(compared > 60);
    check(again > 20);
}

/// The same sweep by a measure that is computed, which counts tokens and elements, and by one that is asked.
void sums_of_sizes() {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        Writer writer(random, random.one_in(4) ? 9 : 3);
        TestProgram program = writer.draw(false, true);
        LinearMeasure sum;
        sum.components.emplace_back();
        for (std::uint32_t i = 0; i < program.kinds.size(); ++i)
            if (program.kinds[i] != Kind::scalar)
                sum.components[0].terms.push_back({LinearMeasure::Term::Of::size, i, 0, random.between(-2, 3)});
        if (sum.components[0].terms.empty()) continue;
        program.measure = [&sum](Draft& s) -> std::vector<Value> {
            Value total = 0;
            for (const auto& term : sum.components[0].terms) total += static_cast<Value>(term.coefficient) * s.size(term.index);
            return {total};
        };
        if (survey(program, 300).too_large) continue;
        ++compared;
        Way way;
        way.settings.order = Settings::Order::layers;
        way.settings.on_regress = Settings::OnRegress::persist;
        Machine asked(program), computed(program);
        const Counters& one = prepare(asked, way).ledger().counters;
        Exploration& engine = prepare(computed, way);
        engine.linear = &sum;
        check(asked.explore() == Stop::none && computed.explore() == Stop::none);
        const Counters& other = engine.ledger().counters;
        check_equal(one.states, other.states);
        check_equal(one.edges, other.edges);
        check_equal(one.peak, other.peak);
        check_equal(one.layers, other.layers);
        check_equal(one.persistent, other.persistent);
    }
    check(compared > 60);
}

/// A counter that only grows and one that starts over: columns of the first, two sweeps in each.
void columns() {
    TestProgram program;
    program.kinds = {Kind::scalar, Kind::scalar};
    program.initial = {{{0}, {0}}};
    const auto step = [](std::uint32_t field, Value top) {
        return [field, top](Draft& s) {
            const Value now = s.read(field);
            if (now < top) s.write(field, now + 1);
        };
    };
    program.actions = {step(0, 9), step(1, 9), [](Draft& s) {
                           if (s.read(1) == 5) s.write(1, 2);
                       }};
    program.measure = [](Draft& s) -> std::vector<Value> { return {s.read(0), s.read(1)}; };
    const Truth truth = survey(program, 1000);
    check_equal(truth.states.size(), 100u);
    for (const bool column : {true, false}) {
        Way way;
        way.settings.on_regress = Settings::OnRegress::persist;
        way.components = 2;
        way.column = column;
        compare(program, truth, way);
        Machine machine(program);
        const Counters& found = prepare(machine, way).ledger().counters;
        machine.explore();
        check_equal(found.columns, column ? 10u : 0u);
        check(found.peak < 30);
        check(found.persistent > 0);
    }
}

/// Many values that come in no order, states that need more and more room, and more layers than the profile has rows.
void growth() {
    TestProgram program;
    program.kinds = {Kind::scalar, Kind::scalar, Kind::scalar, Kind::bag};
    program.initial = {{{0}, {0}, {0}, {}}};
    program.actions = {[](Draft& s) {
                           const Value step = s.read(0);
                           if (step == 30) return;
                           s.write(0, step + 1);
                           const Value seen = (s.read(1) * 3 + step) % 20011;
                           s.write(1, seen);
                           if (step % 4 == 3 && s.size(3) < 7) s.add(3, seen, 1);
                       },
                       [](Draft& s) {
                           if (s.read(0) % 5 == 3) s.write(0, s.read(0) + 2);
                       },
                       [](Draft& s) {
                           if (s.read(0) < 30 || s.read(2) == 1) return;
                           s.write(0, 0);
                           s.write(2, s.read(2) + 1);
                       }};
    program.measure = [](Draft& s) -> std::vector<Value> { return {-s.read(0), s.read(1)}; };
    const Truth truth = survey(program, 400'000);
    check(!truth.too_large);
    check(truth.layers.size() > 10'000);
    for (const std::uint64_t rewrite_below : {0, 8'000'000}) {
        Way way;
        way.settings.on_regress = Settings::OnRegress::persist;
        way.settings.rewrite_below = rewrite_below;
        for (const std::size_t components : {0, 2}) {
            way.components = components;
            Machine machine(program);
            Exploration& engine = prepare(machine, way);
            check(machine.explore() == Stop::none);
            check(engine.ledger().counters.explored >= truth.states.size());
            check(engine.ledger().profile.rows.size() <= 8192);
            check_equal(engine.ledger().profile.values.size(), engine.ledger().profile.rows.size() * components);
        }
        way.components = 0;
        way.settings.on_regress = Settings::OnRegress::fail;
        way.settings.order = Settings::Order::depth;
        way.settings.cache_size = truth.states.size();
        Machine machine(program);
        Exploration& engine = prepare(machine, way);
        check(machine.explore() == Stop::none);
        check_equal(engine.ledger().counters.states, truth.states.size());
    }
}

/// A component that is declared to be monotone and goes down ends the run.
void broken_claims() {
    TestProgram program;
    program.kinds = {Kind::scalar, Kind::scalar};
    program.initial = {{{0}, {0}}};
    program.actions = {[](Draft& s) { s.write(0, 1 - s.read(0)); }};
    program.measure = [](Draft& s) -> std::vector<Value> { return {s.read(0), s.read(1)}; };
    Way way;
    way.settings.on_regress = Settings::OnRegress::persist;
    way.components = 2;
    way.column = true;
    Machine machine(program);
    prepare(machine, way);
    bool noticed = false;
    try {
        machine.explore();
    } catch (const Regress&) {
        noticed = true;
    }
    check(noticed);
}

}  // namespace

int main() {
    return run_all({{"random programs", random_programs},
                    {"sums of sizes", sums_of_sizes},
                    {"columns", columns},
                    {"growth", growth},
                    {"broken claims", broken_claims}});
}
