#include "sweep/ask/state_questions.hpp"

namespace sweep {

bool StateQuestions::asks_found() const {
    return std::any_of(questions_.all.begin(), questions_.all.end(),
                       [](const Question& one) { return one.about_states() && one.on != Question::On::deadlock; });
}

bool StateQuestions::passes(const Word* state) const {
    const Program& program = resolver_.program();
    for (const Question& question : questions_.all) {
        if (question.decided || !question.about_states() || question.on == Question::On::deadlock) continue;
        if (question.on == Question::On::target || question.predicate < 0) return false;
        const std::optional<bool> holds = program.known(static_cast<std::uint32_t>(question.predicate), state);
        if (!holds || *holds == (question.on == Question::On::reachable)) return false;
    }
    return true;
}

void StateQuestions::add_functions(std::vector<FunctionId>& functions) const {
    for (const Question& question : questions_.all)
        if (!question.decided && question.about_states() && question.on != Question::On::deadlock && question.predicate >= 0)
            resolver_.program().add_functions(static_cast<std::uint32_t>(question.predicate), functions);
}

Stop StateQuestions::show(const Word* state, std::uint64_t number, bool dead) {
    for (Question& question : questions_.all) {
        if (question.decided || !question.about_states() || dead != (question.on == Question::On::deadlock)) continue;
        if (!decides(question, state)) continue;
        const Stop stop = questions_.decide(question, number, resolver_.program().schema.unpack(state));
        if (stop != Stop::none) return stop;
        if (question.on == Question::On::target) return Stop::decided;  // what else is asked only makes states what they are
    }
    return Stop::none;
}

bool StateQuestions::decides(const Question& question, const Word* state) {
    if (question.on == Question::On::target) return resolver_.program().schema.unpack(state) == question.witness;
    const bool holds = question.predicate >= 0 && resolver_.satisfies(static_cast<std::uint32_t>(question.predicate), state);
    return holds == (question.on == Question::On::reachable);
}

}  // namespace sweep
