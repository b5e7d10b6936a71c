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

/// Whether runs of an action only ask and do what they would in turn: not where they compare numbers.
bool Resolver::may_rehearse(std::uint32_t action, const Trie& table) const {
    return table.compared.empty() && !program_.synchronisation(action);
}

/// Have actions run that are about to be asked what they do, as far as that pays. Of states that miss a table at the same place only the
/// first is run for: what it leads to is mostly what the others miss.
void Resolver::rehearse(std::span<const Miss> misses, bool direct, const Word* states, std::size_t stride) {
    if (!rehearsals()) return;
    std::vector<Cue> cues;
    std::set<std::pair<std::uint32_t, Word>> ends;
    for (const Miss& miss : misses) {
        const Trie& table = miss.direct ? *miss.direct : program_.actions()[miss.action].trie;
        if ((miss.direct != nullptr) != direct || !may_rehearse(miss.action, table)) continue;
        const Word* const state = states + stride * miss.parent;
        Cue cue{{Role::action, miss.action}, state, {}};
        if (!direct && !find_unknown(table, table.root, state, cue.script, nullptr)) continue;
        if (program_.actions()[miss.action].patterns.fit(program_.schema, state, cue.script)) continue;  // it need not run
        if (!direct && !ends.emplace(miss.action, end_of(program_, table, state, cue.script)).second) continue;
        cues.push_back(std::move(cue));
    }
    rehearse(std::move(cues));
}

void Resolver::rehearse(std::vector<Cue> cues) {
    double expected = 0;
    for (const Cue& cue : cues) expected += program_[cue.function].seconds_each();
    if (cues.empty() || !rehearsals()->pay(expected / static_cast<double>(cues.size()), cues.size())) return;
    const auto start = SteadyClock::now();
    rehearsed = true;
    rehearsals()->rehearse(cues);
    double spent = 0;
    for (const Cue& cue : cues) {
        program_[cue.function].seconds += cue.seconds;
        spent += cue.seconds;
    }
    besides += std::max(spent - seconds_since(start), 0.0);
}

void Resolver::rehearse(std::span<const FunctionId> asked, std::span<const Word* const> states) {
    std::vector<Cue> cues;
    for (const FunctionId id : asked) {
        const Function& function = program_[id];
        if (!function.trie.compared.empty() || !rehearsals()->pay(function.seconds_each(), states.size())) continue;
        std::set<Word> ends;
        for (const Word* const state : states)
            if (program_.look_up(function.trie, state) == unknown && ends.insert(end_of(program_, function.trie, state, {})).second)
                cues.push_back({id, state, {}});
    }
    if (cues.empty()) return;
    begin_change();
    const auto start = SteadyClock::now();
    rehearse(std::move(cues));
    seconds += seconds_since(start);
}

}  // namespace sweep
