#pragma once
#include <functional>

#include "sweep/ask/asker.hpp"

namespace sweep {

/// Shows every edge to somebody who looks at it as a whole, both states and the action: for folds, whose values no table can hold.
class EdgeViewer final : public Asker {
public:
    /// Who looks: at the action and both states. It says whether the target is to be kept.
    using See = std::function<bool(std::uint32_t, const Word*, const Word*)>;
    explicit EdgeViewer(See see) : see_(std::move(see)) {}
    std::function<void(const Word*, Place)> keep;  // tells the store that a state is kept

    bool asks_steps() const override { return true; }
    Stop stepped(const Batch& batch, std::uint32_t parent, const Block& block, std::uint32_t candidate) override {
        const Block::Candidate& found = block.found[candidate];
        if (see_(found.action, batch.state(parent), block.state(candidate))) keep(block.state(candidate), found.place);
        return Stop::none;
    }

private:
    See see_;
};

}  // namespace sweep
