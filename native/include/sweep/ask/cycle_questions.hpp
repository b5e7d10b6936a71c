#pragma once
#include <vector>

#include "sweep/ask/asker.hpp"
#include "sweep/ask/cycles.hpp"

namespace sweep {

/// Properties that cycles decide (algorithm G; paper 0, section 5, and paper 4): always possible, and always eventually under
/// fairness. With a monotone measure every cycle lies inside one layer, so that they are decided layer by layer.
class CycleQuestions final : public Asker {
public:
    /// `runs`: which ones count. `by_progress`: a layer can be left for good.
    CycleQuestions(Resolver& resolver, Questions& questions, const Runs& runs, bool by_progress)
        : resolver_(resolver), questions_(questions), runs_(runs), by_progress_(by_progress), settled_(questions.all.size()) {}

    bool asks_cycles() const override;
    bool asks_labels() const override { return !runs_.fair().empty(); }
    void begin_layer() override;
    void want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) override;
    Stop layer_so_far(const CompleteLayer& layer) override;
    Stop layer_done(const CompleteLayer& layer) override;

private:
    bool is_settled(const Question& question, const Batch& batch, const Block& block, std::uint32_t parent);
    Stop decide_open(const CompleteLayer& layer, bool complete);
    Stop decide(Question& question, const Marks& settled, const CompleteLayer& layer);

    Resolver& resolver_;
    Questions& questions_;
    const Runs& runs_;
    bool by_progress_;
    std::vector<Marks> settled_;  // per question and state of the layer at work: whether nothing is left to ask about it
};

}  // namespace sweep
