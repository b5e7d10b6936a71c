#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "sweep/explore/canonical.hpp"
#include "sweep/explore/pass.hpp"

namespace sweep {

/// Symmetry: every successor is replaced by the state that stands for its class. Both must answer what is asked alike, and have the same
/// progress; where there is some, `same_progress` says whether they do.
class SymmetryPass final : public Pass {
public:
    using SameProgress = std::function<bool(const Word*, const Word*)>;
    SymmetryPass(Classes& classes, Canonical& canonical, const Schema& schema, SameProgress same_progress)
        : classes_(classes), canonical_(canonical), schema_(schema), same_progress_(std::move(same_progress)) {}
    void run(const Batch& batch, Block& block) override;
    bool run_known(const Batch& batch, Block& block) const override;

    bool keeps_made = false;  // somebody asks where steps really lead

private:
    template <int K>
    void arrange_all(const Batch& batch, Block& block);
    void compare(const Word* state, const Word* met) const;
    /// A candidate is another state now. Where it lies may be where the other one did, but is not taken for granted.
    template <int K>
    static void move(Block& block, std::uint32_t c, Width width);
    void keep_made(Block& block) const;

    Classes& classes_;
    Canonical& canonical_;
    const Schema& schema_;
    SameProgress same_progress_;
    std::vector<Word> met_;  // a successor as it was met
    Columns::Room room_;
};

}  // namespace sweep
