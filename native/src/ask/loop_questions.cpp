#include "sweep/ask/loop_questions.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace sweep {

LoopQuestions::LoopQuestions(Resolver& resolver, Questions& questions, const std::vector<Recurrence>& recurrences, const Runs& runs)
    : resolver_(resolver), questions_(questions), recurrences_(recurrences), runs_(runs), letters_(recurrences.size()) {
    constexpr std::size_t most = 10;  // propositions of which all letters are looked at in advance
    for (std::size_t r = 0; r < recurrences.size(); ++r) {
        letters_[r].known = recurrences[r].of_state();
        if (recurrences[r].propositions.size() > most) continue;
        Marks made;
        for (std::uint32_t letter = 0; letter >> recurrences[r].propositions.size() == 0; ++letter) made.push_back(is_admitted(r, letter));
        letters_[r].admitted = std::move(made);
    }
}

bool LoopQuestions::is_admitted(std::size_t r, std::uint32_t letter) const {
    if (!letters_[r].admitted.empty()) return letters_[r].admitted[letter] != 0;
    const auto& loops = recurrences_[r].loops;
    return std::any_of(loops.begin(), loops.end(), [&](const Recurrence::Loop& loop) { return loop.admits(letter, letters_[r].known); });
}

bool LoopQuestions::asks_labels() const {
    const auto about_actions = [](const Recurrence& one) { return one.about_actions(); };
    return !recurrences_.empty() && (!runs_.fair().empty() || std::any_of(recurrences_.begin(), recurrences_.end(), about_actions));
}

/// What is true of a state, whatever led there.
std::uint32_t LoopQuestions::letter_of(const Recurrence& recurrence, const Word* state) {
    std::uint32_t made = 0, bit = 1;
    for (const Proposition& one : recurrence.propositions) {
        if (one.predicate >= 0 && resolver_.satisfies(static_cast<std::uint32_t>(one.predicate), state)) made |= bit;
        bit <<= 1;
    }
    return made;
}

void LoopQuestions::begin_layer() {
    for (Seen& one : letters_) one.of_layer.clear();
}

void LoopQuestions::want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) {
    questions_.each_open(Question::On::recurrence, [&](const Question&, std::size_t r) {
        for (std::uint32_t p = 0; p < batch.count; ++p) {
            const std::uint32_t letter = block.is_outside(p) ? outside : letter_of(recurrences_[r], batch.state(p));
            letters_[r].of_layer.push_back(letter);
            wanted[p] |= letter != outside && is_admitted(r, letter);
        }
        return Stop::none;
    });
}

namespace {

/// A layer in which each state stands once for each way to have been entered inside the layer, and once more where a run may end in it:
/// for all that comes then.
class EnteredStates {
public:
    LayerGraph graph;
    std::vector<std::uint32_t> letters;
    States state;  // which one of the layer it is

    EnteredStates(const LayerGraph& layer, const Recurrence& recurrence, const std::vector<std::uint32_t>& of_layer, std::uint32_t outside,
                  const Runs& runs)
        : layer_(layer),
          recurrence_(recurrence),
          of_layer_(of_layer),
          outside_(outside),
          runs_(runs),
          ways_(layer.size()),
          first_(layer.size()) {
        for (std::uint32_t from = 0; from < layer.size(); ++from)
            each_step(from, [&](std::uint32_t target, std::uint32_t, std::uint32_t way) {
                if (target != nothing) ways_[target] |= std::uint64_t{1} << way;
            });
        for (std::uint32_t of = 0; of < layer.size(); ++of) {
            first_[of] = static_cast<std::uint32_t>(state.size());
            for (std::uint64_t left = ways_[of]; left; left &= left - 1) {
                state.push_back(of);
                letters.push_back(of_layer[of] | recurrence.bits(static_cast<std::uint32_t>(std::countr_zero(left))));
            }
        }
        graph.labelled = layer.labelled;
        graph.clear();
        for (const std::uint32_t of : state) {
            each_step(of, [&](std::uint32_t target, std::uint32_t label, std::uint32_t way) {
                if (target != nothing || graph.labelled) graph.add(target == nothing ? nothing : number(target, way), label);
            });
            graph.end_state(false);
        }
        for (std::uint32_t of = 0; of < layer.size(); ++of) {
            if (of_layer[of] == outside || !may_end(layer, runs, of)) continue;
            state.push_back(of);
            letters.push_back(of_layer[of] | recurrence.bits(recurrence.way(of_layer[of], nothing)));
            graph.end_state(true);
        }
    }

private:
    /// Visit the edges of a state: where in the layer they lead, if they do, by which action, and how the target is entered so.
    template <class Visit>
    void each_step(std::uint32_t from, Visit&& visit) const {
        if (of_layer_[from] == outside_) return;
        const auto targets = layer_.targets(from), actions = layer_.actions(from);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const bool inside = targets[i] < layer_.size() && of_layer_[targets[i]] != outside_;
            const std::uint32_t label = actions.empty() ? nothing : actions[i];
            visit(inside ? targets[i] : nothing, label, recurrence_.way(of_layer_[from], runs_.action(label)));
        }
    }
    std::uint32_t number(std::uint32_t of, std::uint32_t way) const {
        return first_[of] + static_cast<std::uint32_t>(std::popcount(ways_[of] & ((std::uint64_t{1} << way) - 1)));
    }

    const LayerGraph& layer_;
    const Recurrence& recurrence_;
    const std::vector<std::uint32_t>& of_layer_;
    const std::uint32_t outside_;
    const Runs& runs_;
    std::vector<std::uint64_t> ways_;  // per state of the layer: the ways in which it can be entered, as bits
    States first_;                     // and where those begin that stand for it
};

}  // namespace

Stop LoopQuestions::layer_done(const CompleteLayer& layer) {
    return questions_.each_open(Question::On::recurrence, [&](Question& question, std::size_t r) {
        return decide_by(questions_, question, cycle(layer, r), layer, runs_);
    });
}

/// Of all kinds of loops, one through the state found first.
Lasso LoopQuestions::cycle(const CompleteLayer& layer, std::size_t r) const {
    std::optional<EnteredStates> entered;
    const std::vector<std::uint32_t>& letters = letters_[r].of_layer;
    if (recurrences_[r].about_steps()) entered.emplace(layer.graph, recurrences_[r], letters, outside, runs_);
    const Lettered in = entered ? Lettered{entered->graph, entered->letters} : Lettered{layer.graph, letters};
    Lasso found;
    for (const Recurrence::Loop& loop : recurrences_[r].loops) {
        if (!layer.go_on()) return {};
        if (Lasso lasso = cycle(in, loop); lasso.start < found.start) found = std::move(lasso);
    }
    if (!entered || found.start == nothing) return found;
    found.start = entered->state[found.start];
    for (Lasso::Step& step : found.cycle) step.target = entered->state[step.target];
    return found;
}

Lasso LoopQuestions::cycle(const Lettered& in, const Recurrence::Loop& loop) const {
    Marks settled;
    std::vector<std::uint32_t> marks;
    std::uint32_t met = 0;
    bool open = false;
    for (const std::uint32_t letter : in.letters) {
        const bool admitted = letter != outside && loop.admits(letter);
        settled.push_back(!admitted);
        marks.push_back(admitted ? loop.marks(letter) : 0);
        open |= admitted;
        met |= marks.back();
    }
    if (!open || met != loop.all_marks()) return {};
    return avoiding_cycle(in.graph, settled, runs_, {marks, loop.all_marks()});
}

}  // namespace sweep
