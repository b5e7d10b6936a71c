// Recorded runs against a plain draft: what every operation answers, and what the recorded operations come to.
#include "program.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

Values draw_state(Random& random, const std::vector<Kind>& kinds, int largest) {
    Values state(kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const std::uint64_t count = kinds[i] == Kind::scalar ? 1 : random.below(6);
        for (std::uint64_t n = 0; n < count; ++n) state[i].push_back(static_cast<Value>(random.below(static_cast<std::uint64_t>(largest))));
        if (kinds[i] == Kind::bag) std::sort(state[i].begin(), state[i].end());
    }
    return state;
}

/// One operation on both; false when both say the run is disabled.
bool both(Random& random, const std::vector<Kind>& kinds, int largest, Plain& plain, Recorded& recorded) {
    const auto field = static_cast<std::uint32_t>(random.below(kinds.size()));
    const Value value = static_cast<Value>(random.below(static_cast<std::uint64_t>(largest)));
    const std::uint64_t what = random.below(9);
    if (kinds[field] == Kind::scalar) {
        if (what < 4) {
            plain.write(field, value);
            recorded.write(field, value);
        } else if (what < 6) {
            plain.move(field, value - 1);
            recorded.move(field, value - 1);
        }
        check_equal(recorded.at_least(field, value), plain.at_least(field, value));
        check_equal(recorded.equals(field, value), plain.equals(field, value));
        if (random.one_in(2)) return true;
        check_equal(recorded.read(field), plain.read(field));
        return true;
    }
    check_equal(recorded.size(field), plain.size(field));
    if (what == 0 && random.one_in(3)) {
        plain.clear(field);
        recorded.clear(field);
    } else if (what == 1) {
        check(recorded.whole(field) == plain.whole(field));
    } else if (kinds[field] == Kind::queue) {
        if (what < 5) {
            plain.put(field, value);
            recorded.put(field, value);
        } else if (what < 7 && plain.size(field)) {
            plain.get(field);
            recorded.get(field);
        }
        for (int at = 0; at < 4; ++at) check(recorded.element(field, at) == plain.element(field, at));
    } else if (what < 4) {
        const int count = random.between(0, 2);
        plain.add(field, value, count);
        recorded.add(field, value, count);
    } else if (what < 6) {
        std::optional<Value> token;
        try {
            token = recorded.any(field);
        } catch (const Disabled&) {
            check_equal(plain.size(field), 0);
            return false;
        }
        check(plain.has(field, *token));
        if (what == 5) return true;
        plain.remove(field, *token);
        recorded.remove(field, *token);
    } else if (what == 6) {
        const int count = random.between(1, 3);
        check_equal(recorded.has(field, value, count), plain.has(field, value, count));
        if (!plain.has(field, value, count)) return true;
        plain.remove(field, value, count);
        recorded.remove(field, value, count);
    } else {
        check_equal(recorded.count(field, value), plain.count(field, value));
    }
    return true;
}

void play(std::uint64_t seed) {
    Random random(seed);
    TestProgram program;
    const int largest = random.one_in(5) ? 300 : 4;
    for (std::uint64_t n = 1 + random.below(5); n > 0; --n) program.kinds.push_back(static_cast<Kind>(random.below(3)));
    Machine machine(program);
    Trie trie;
    Recording run(machine.core.schema);
    Additions additions = machine.core.schema.additions();
    for (int round = 0; round < 60; ++round) {
        const Values before = draw_state(random, program.kinds, largest);
        const Unpacked unpacked = machine.unpacked(before);
        std::vector<Word> state;
        for (bool fits = false; !fits;) {
            if (!machine.core.schema.fits()) machine.core.schema.grow(false, [](auto&&) {});
            machine.core.schema.lay_out();
            state.assign(static_cast<std::size_t>(machine.core.schema.layout.words), 0);
            machine.core.schema.pack(unpacked, state.data());
            fits = machine.core.schema.fits();
        }
        std::vector<Plain::Choice> script;
        Plain plain(before, script);
        trie.clear();
        trie.compared.assign(random.one_in(2) ? program.kinds.size() : 0, 0);
        for (std::uint8_t& compared : trie.compared) compared = !random.one_in(4);
        for (std::size_t i = 0; i < trie.compared.size(); ++i) trie.compared[i] &= program.kinds[i] == Kind::scalar;
        run.begin(state.data(), trie, {});
        Recorded recorded(machine, run);
        check(!run.touched);
        bool enabled = true;
        for (std::uint64_t n = random.below(12); n > 0 && enabled; --n) enabled = both(random, program.kinds, largest, plain, recorded);
        check_equal(run.touched, plain.touched);
        // Every answer is the state's own, whatever was done meanwhile, and nothing is asked twice but takes.
        for (std::size_t i = 0; i < run.path.size(); ++i) {
            const Event& event = run.path[i];
            if (event.ask == Ask::take || event.ask == Ask::choose) continue;
            Trie::Node node{};
            node.ask = event.ask;
            node.field = event.field;
            node.argument = event.argument;
            node.threshold = event.threshold;
            check_equal(answer(machine.core.schema, trie, node, state.data()), event.key);
            for (std::size_t j = 0; j < i; ++j) check(!run.path[j].same_question(event));
        }
        if (!enabled) continue;
        const std::vector<Op> ops = run.ops;
        for (;;) {  // values and slots that were new need room first
            for (const Requests::NewNumber& asked : machine.core.schema.requests.take_numbers())
                machine.meet_number(asked.variable, asked.number);
            if (!machine.core.schema.fits()) machine.core.schema.grow(false, [](auto&&) {});
            state.assign(static_cast<std::size_t>(machine.core.schema.layout.words), 0);
            machine.core.schema.pack(unpacked, state.data());
            if (!machine.core.schema.fits()) continue;
            machine.core.outcomes.forget_from(0);
            Outcomes& outcomes = machine.core.outcomes;
            const std::uint32_t outcome = outcomes.add(ops, run.path);
            if (outcomes.apply(outcomes[outcome], state.data(), additions) && machine.core.schema.fits()) break;
        }
        check(machine.plain(machine.core.schema.unpack(state.data())) == plain.values);
    }
}

void random_runs() {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        try {
            play(seed);
        } catch (const std::exception& error) {
            throw std::runtime_error("seed " + std::to_string(seed) + ": " + error.what());
        }
    }
}

/// The questions that operations leave behind: blind where they can be.
void operations_are_blind() {
    TestProgram program;
    program.kinds = {Kind::scalar, Kind::bag, Kind::queue};
    Machine machine(program);
    const Unpacked unpacked = machine.unpacked({{5}, {1, 1, 2}, {7}});
    machine.core.schema.lay_out();
    std::vector<Word> state;
    for (bool fits = false; !fits;) {
        machine.core.schema.lay_out();
        state.assign(static_cast<std::size_t>(machine.core.schema.layout.words), 0);
        machine.core.schema.pack(unpacked, state.data());
        fits = machine.core.schema.fits();
        if (!fits) machine.core.schema.grow(false, [](auto&&) {});
    }
    Trie trie;
    Recording run(machine.core.schema);
    Recorded draft(machine, run);
    const auto asked = [&](auto&& act) {
        run.begin(state.data(), trie, {});
        act();
        std::vector<Ask> result;
        for (const Event& event : run.path) result.push_back(event.ask);
        return result;
    };
    using Asked = std::vector<Ask>;
    check(asked([&] { draft.write(0, 6), draft.read(0), draft.add(1, 1, 1), draft.put(2, 7), draft.clear(1), draft.clear(2); }) == Asked{});
    check(asked([&] { draft.write(0, draft.read(0)), draft.read(0); }) == Asked{Ask::value});
    check(asked([&] { draft.add(1, 1, 1), draft.size(1), draft.add(1, 2, 1), draft.size(1); }) == Asked{Ask::size});
    check(asked([&] { draft.add(1, 1, 1), draft.has(1, 1); }) == Asked{});
    check(asked([&] { draft.has(1, 1), draft.remove(1, 1), draft.has(1, 1); }) == (Asked{Ask::at_least, Ask::at_least}));
    check(asked([&] { draft.has(1, 1, 3), draft.remove(1, 1, 3); }) == Asked{Ask::at_least});
    check(asked([&] { draft.remove(1, draft.any(1)), draft.remove(1, draft.any(1)); }) == (Asked{Ask::take, Ask::take}));
    check(asked([&] { draft.add(1, 1, 1), draft.any(1); }) == (Asked{Ask::whole, Ask::choose}));
    check(asked([&] { draft.get(2), draft.put(2, 1), draft.element(2, 0); }) == (Asked{Ask::element, Ask::element, Ask::size}));
    check(asked([&] { draft.clear(1), draft.size(1), draft.count(1, 1), draft.whole(1); }) == Asked{});
}

}  // namespace

int main() { return run_all({{"random runs", random_runs}, {"operations are blind", operations_are_blind}}); }
