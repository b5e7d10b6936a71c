// The graph that is kept: on random programs it has every state and edge, also where a limit ends the run.
#include <set>

#include "program.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

void has_everything(const TestProgram& program, const Truth& truth) {
    Machine machine(program);
    Settings settings;
    settings.graph = true;
    Exploration& engine = machine.prepare(settings, 0);
    check(machine.explore() == Stop::none);
    const KeptGraph& graph = *engine.graph();
    check_equal(graph.size(), truth.states.size());
    check_equal(graph.targets.size(), truth.edges);
    check_equal(graph.actions.size(), truth.edges);
    check(graph.unexplored.empty());
    std::set<std::uint32_t> found;
    for (const Values& state : truth.states) {
        const auto number = engine.number_in_graph(machine.unpacked(state));
        check(number.has_value());
        found.insert(*number);
    }
    check_equal(found.size(), truth.states.size());
    std::uint64_t dead = 0;
    for (std::uint32_t state = 0; state < graph.size(); ++state) dead += graph.first[state] == graph.first[state + 1];
    check_equal(dead, truth.dead);
}

void has_a_part(const TestProgram& program, const Truth& truth) {
    Machine machine(program);
    Settings settings;
    settings.graph = true;
    settings.limits.states = (truth.states.size() + 1) / 2;
    Exploration& engine = machine.prepare(settings, 0);
    if (machine.explore() != Stop::states) return;
    const KeptGraph& graph = *engine.graph();
    check_equal(graph.size(), *settings.limits.states);
    check(!graph.unexplored.empty());
    check_equal(graph.first.size(), graph.size() + std::uint64_t{1});
    for (const std::uint32_t target : graph.targets) check(target < graph.size());
    for (std::uint32_t state = 0; state < graph.size(); ++state) check_equal(*graph.number(graph.state(state)), state);
}

void random_programs() {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        Writer writer(random, random.one_in(4) ? 9 : 3);
        const TestProgram program = writer.draw(false, false);
        const Truth truth = survey(program, 300);
        if (truth.too_large) continue;
        has_everything(program, truth);
        has_a_part(program, truth);
        ++compared;
    }
    check(compared > 50);
}

}  // namespace

int main() { return run_all({{"random programs", random_programs}}); }
