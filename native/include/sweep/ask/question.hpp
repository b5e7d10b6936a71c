#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/store/ledger.hpp"

namespace sweep {

/// Why an exploration ended; `none`: every reachable state was processed.
enum class Stop { none, decided, violation, states, seconds, memory, interrupted, disk };

/// A property. The first kinds are decided by single states, then one by single steps, then two by the cycles of
/// complete layers, as are recurrences, of several kinds; ltl by what reads runs along, ctl by a graph that is gone through in reverse.
struct Question {
    enum class On { invariant, reachable, deadlock, target, step, always_possible, always_eventually, recurrence, ltl, ctl } on;
    std::int32_t predicate =
        -1;  // deadlock: states that may be final; -1 none. step: of those about steps; recurrence, ltl: the reader; ctl: the tree
    bool decided = false;
    std::uint64_t number = 0;            // the state that decided it; no_parent where that has no number
    Unpacked witness;                    // that state; of a target the state looked for
    std::vector<Unpacked> cycle;         // always eventually: the states from the witness back to it; step: where it leads
    std::vector<std::uint32_t> actions;  // and the actions between them, where fairness asks for them; of the step

    template <class File>
    void keep(File& file) {
        file(decided, number, witness, cycle, actions);
    }
    bool about_states() const { return on < On::step; }
    bool about_cycles() const { return on == On::always_possible || on == On::always_eventually; }
};

/// All properties, and whether anything is left to find out.
class Questions {
public:
    std::vector<Question> all;
    bool keep_going = false;        // after a violation
    bool ends_when_decided = true;  // unless something is asked of all states
    bool violated = false;          // so that the run ends before another state is found
    /// Of the run, where it is known from them whether states wait: a violation ends nothing where none does.
    const Counters* counters = nullptr;

    Stop decide(Question& question, std::uint64_t number, const Unpacked& state) {
        question.decided = true;
        question.number = number;
        question.witness = state;
        violated |= !keep_going && question.on != Question::On::reachable && question.on != Question::On::target;
        if (violated && !(counters && counters->all_explored())) return Stop::violation;
        const auto is_decided = [](const Question& one) { return one.decided; };
        if (!(violated || ends_when_decided) || !std::all_of(all.begin(), all.end(), is_decided)) return Stop::none;
        return violated ? Stop::violation : Stop::decided;
    }

    /// Whether nothing is left to find out but what questions of this kind ask.
    bool only_open(Question::On on) const {
        return ends_when_decided && std::all_of(all.begin(), all.end(), [on](const Question& one) { return one.decided || one.on == on; });
    }

    /// Visit the questions of a kind that are open, each with the number of what it is about, until one of them says to stop.
    template <class Visit>
    Stop each_open(Question::On on, Visit&& visit) {
        for (Question& question : all) {
            if (question.decided || question.on != on) continue;
            if (const Stop stop = visit(question, static_cast<std::size_t>(question.predicate)); stop != Stop::none) return stop;
        }
        return Stop::none;
    }
};

}  // namespace sweep
