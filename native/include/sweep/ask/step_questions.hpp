#pragma once
#include <vector>

#include "sweep/ask/asker.hpp"
#include "sweep/ask/step_table.hpp"

namespace sweep {

/// Properties that single steps decide: a predicate about both ends of every edge.
class StepQuestions final : public Asker {
public:
    /// `by_action`: for each predicate about steps, whether it depends on the action too.
    StepQuestions(Resolver& resolver, Questions& questions, const std::vector<std::uint8_t>& by_action);

    bool asks_steps() const override;
    Stop stepped(const Batch& batch, std::uint32_t parent, const Block& block, std::uint32_t candidate) override;
    /// Whether one of the predicates holds of a step.
    bool holds(std::uint32_t predicate, const Word* old, const Word* next, std::uint32_t action);

private:
    Resolver& resolver_;
    Questions& questions_;
    std::vector<StepTable> tables_;  // per predicate
    Recording old_, next_;
    Trie of_old_, of_next_;  // which recordings need; nothing is put into them
    std::uint64_t epoch_ = 0;
};

}  // namespace sweep
