#include "sweep/ask/step_questions.hpp"

#include <algorithm>

namespace sweep {

StepQuestions::StepQuestions(Resolver& resolver, Questions& questions, const std::vector<std::uint8_t>& by_action)
    : resolver_(resolver), questions_(questions), old_(resolver.program().schema), next_(resolver.program().schema) {
    for (const std::uint8_t one : by_action) tables_.emplace_back(resolver.program().schema, one != 0);
}

bool StepQuestions::asks_steps() const {
    return std::any_of(questions_.all.begin(), questions_.all.end(), [](const Question& one) { return one.on == Question::On::step; });
}

Stop StepQuestions::stepped(const Batch& batch, std::uint32_t parent, const Block& block, std::uint32_t candidate) {
    const Word *old = batch.state(parent), *next = block.made_state(candidate);
    const std::uint32_t action = block.found[candidate].action;
    const Schema& schema = resolver_.program().schema;
    for (Question& question : questions_.all) {
        if (question.decided || question.on != Question::On::step) continue;
        if (holds(static_cast<std::uint32_t>(question.predicate), old, next, action)) continue;
        question.cycle = {schema.unpack(block.state(candidate))};
        question.actions = {action};
        const Stop stop = questions_.decide(question, batch.number(parent), schema.unpack(old));
        if (stop != Stop::none) return stop;
    }
    return Stop::none;
}

bool StepQuestions::holds(std::uint32_t predicate, const Word* old, const Word* next, std::uint32_t action) {
    if (epoch_ != resolver_.program().epoch) {  // contents may have lost their numbers
        epoch_ = resolver_.program().epoch;
        for (StepTable& table : tables_) table.forget();
    }
    StepTable& table = tables_[predicate];
    if (const std::optional<bool> known = table.find(old, next, action)) return *known;
    const auto start = SteadyClock::now();
    old_.begin(old, of_old_, {});
    next_.begin(next, of_next_, {});
    const bool holds = resolver_.functions().holds_in_step(predicate, action, old_, next_);
    table.add(old_.path, next_.path, holds);
    resolver_.seconds += seconds_since(start);
    return holds;
}

}  // namespace sweep
