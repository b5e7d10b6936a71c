#include "sweep/ask/cycle_questions.hpp"

#include <algorithm>

namespace sweep {

bool CycleQuestions::asks_cycles() const {
    return std::any_of(questions_.all.begin(), questions_.all.end(), [](const Question& one) { return one.about_cycles(); });
}

void CycleQuestions::begin_layer() {
    for (Marks& marks : settled_) marks.clear();
}

void CycleQuestions::want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) {
    for (std::size_t q = 0; q < questions_.all.size(); ++q) {
        const Question& question = questions_.all[q];
        if (question.decided || !question.about_cycles()) continue;
        for (std::uint32_t p = 0; p < batch.count; ++p) {
            settled_[q].push_back(is_settled(question, batch, block, p));
            wanted[p] |= !settled_[q].back();
        }
    }
}

bool CycleQuestions::is_settled(const Question& question, const Batch& batch, const Block& block, std::uint32_t parent) {
    if (block.is_outside(parent)) return true;  // nobody knows where it leads
    if (question.on == Question::On::always_possible && by_progress_)
        for (std::uint32_t c = block.parents[parent].begin; c < block.parents[parent].end; ++c)
            if (block.found[c].place != batch.place) return true;
    return resolver_.satisfies(static_cast<std::uint32_t>(question.predicate), batch.state(parent));
}

Stop CycleQuestions::layer_so_far(const CompleteLayer& layer) { return decide_open(layer, false); }
Stop CycleQuestions::layer_done(const CompleteLayer& layer) { return decide_open(layer, true); }

/// As long as it is not complete, nobody knows what stays possible in it.
Stop CycleQuestions::decide_open(const CompleteLayer& layer, bool complete) {
    for (std::size_t q = 0; q < questions_.all.size(); ++q) {
        Question& question = questions_.all[q];
        if (question.decided || !question.about_cycles()) continue;
        if (!complete && question.on == Question::On::always_possible) continue;
        if (!layer.go_on()) return Stop::none;
        const Stop stop = decide(question, settled_[q], layer);
        if (stop != Stop::none) return stop;
    }
    return Stop::none;
}

Stop CycleQuestions::decide(Question& question, const Marks& settled, const CompleteLayer& layer) {
    if (question.on == Question::On::always_possible) {
        const std::uint32_t stuck = stuck_state(layer.graph, settled);
        return stuck == nothing ? Stop::none : questions_.decide(question, no_parent, layer.states({stuck}).front());
    }
    return decide_by(questions_, question, avoiding_cycle(layer.graph, settled, runs_), layer, runs_);
}

Stop decide_by(Questions& questions, Question& question, const Lasso& lasso, const CompleteLayer& layer, const Runs& runs) {
    if (lasso.start == nothing) return Stop::none;
    States numbers{lasso.start};
    for (const Lasso::Step& step : lasso.cycle) {
        numbers.push_back(step.target);
        if (layer.graph.labelled) question.actions.push_back(runs.action(step.action));
    }
    question.cycle = layer.states(numbers);
    const Unpacked witness = question.cycle.front();
    question.cycle.erase(question.cycle.begin());
    return questions.decide(question, no_parent, witness);
}

}  // namespace sweep
