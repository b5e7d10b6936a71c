#pragma once
#include <vector>

#include "sweep/ask/asker.hpp"
#include "sweep/ask/reader.hpp"

namespace sweep {

/// Properties that runs decide, each with an automaton that reads along and accepts those that violate it (LTL): a fair cycle on which all
/// marks are met, or a state that is accepted to last for ever in which a run may end. With a monotone measure every cycle lies inside one
/// layer.
class RunQuestions final : public Asker {
public:
    RunQuestions(Resolver& resolver, Questions& questions, std::vector<Reader>& readers, Runs& runs);

    bool asks_cycles() const override { return !readers_.empty(); }
    bool asks_labels() const override { return !readers_.empty() && !runs_.fair().empty(); }
    void begin_layer() override;
    void want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) override;
    Stop dead(const Word* state, std::uint64_t number, Place place) override;
    Stop layer_so_far(const CompleteLayer& layer) override { return layer_done(layer); }
    Stop layer_done(const CompleteLayer& layer) override;

private:
    bool accepts_end(std::size_t w, const Word* state);

    struct OfLayer {
        Marks settled;                     // per state: no accepted run goes on from there
        std::vector<std::uint32_t> marks;  // that it has
        Marks recurs;                      // per stage: a run can meet it and all marks again and again
        bool open = false;                 // some state is not settled
        std::uint32_t end = nothing;       // a state that is not dead, where a run may end that is accepted
    };

    Resolver& resolver_;
    Questions& questions_;
    std::vector<Reader>& readers_;
    Runs& runs_;
    std::vector<OfLayer> of_;  // per reader
};

}  // namespace sweep
