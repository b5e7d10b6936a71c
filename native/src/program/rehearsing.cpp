#include <algorithm>
#include <set>
#include <utility>

#include "sweep/program/answers.hpp"
#include "sweep/program/resolver.hpp"

// Which runs of functions are about to be asked for, where several threads may make them before their turn.

namespace sweep {

namespace {

/// Where a table ends that does not know what follows for a state with these choices: its last node, and the answer there.
Word end_of(const Program& program, const Trie& table, const Word* state, const std::vector<std::uint32_t>& script) {
    Word end = ~Word{0};
    std::size_t choices = 0;
    for (Code code = table.root; code != unknown && !(code & 1);) {
        const Trie::Node& node = table.nodes[index_of(code)];
        const bool chooses = node.ask == Ask::take || node.ask == Ask::choose;
        if (chooses && choices == script.size()) break;
        const std::uint32_t key = chooses ? script[choices++] : answer(program.schema, table, node, state);
        end = Word{index_of(code)} << 32 | key;
        code = table.child(node, key);
    }
    return end;
}

}  // namespace

/// Whether runs of an action only ask and do what they would in turn: not where they compare numbers, or need not be made.
bool Resolver::may_rehearse(std::uint32_t action, const Trie& table) const {
    return table.compared.empty() && !program_.actions()[action].patterns.any() && !program_.synchronisation(action);
}

/// Have actions run that are about to be asked what they do, as far as that pays. Of states that miss a table at the same place only the
/// first is run for: what it leads to is mostly what the others miss. How many seconds other threads were at work, beyond those that it took.
double Resolver::rehearse(std::span<const Miss> misses, bool direct, const Word* states, std::size_t stride) {
    Rehearsals* const rehearsals = functions_.rehearsals();
    if (!rehearsals) return 0;
    std::vector<Cue> cues;
    std::set<std::pair<std::uint32_t, Word>> ends;
    double expected = 0;
    for (const Miss& miss : misses) {
        if ((miss.direct != nullptr) != direct) continue;
        const Function& action = program_.actions()[miss.action];
        const Trie& table = direct ? *miss.direct : action.trie;
        if (!may_rehearse(miss.action, table)) continue;
        const Word* const state = states + stride * miss.parent;
        Cue cue{{Role::action, miss.action}, state, {}};
        if (!direct && !find_unknown(table, table.root, state, cue.script, nullptr)) continue;
        if (!direct && !ends.emplace(miss.action, end_of(program_, table, state, cue.script)).second) continue;
        if (action.runs) expected += action.seconds / static_cast<double>(action.runs);
        cues.push_back(std::move(cue));
    }
    if (cues.empty() || !rehearsals->pay(expected / static_cast<double>(cues.size()), cues.size())) return 0;
    const auto start = SteadyClock::now();
    rehearsals->rehearse(cues);
    double spent = 0;
    for (const Cue& cue : cues) {
        program_[cue.function].seconds += cue.seconds;
        spent += cue.seconds;
    }
    return std::max(spent - seconds_since(start), 0.0);
}

}  // namespace sweep
