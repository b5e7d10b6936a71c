#pragma once
#include <cstdint>
#include <vector>

#include "sweep/ask/asker.hpp"
#include "sweep/ask/recurrence.hpp"

namespace sweep {

/// Properties that the loop of a run decides, whatever came before it (LTL in the long run): violated by a fair cycle of one of some kinds.
/// With a monotone measure every cycle lies inside one layer. A state in which a run may end is a cycle of itself.
class LoopQuestions final : public Asker {
public:
    LoopQuestions(Resolver& resolver, Questions& questions, const std::vector<Recurrence>& recurrences, const Runs& runs);

    bool asks_cycles() const override { return !recurrences_.empty(); }
    bool asks_labels() const override;
    void begin_layer() override;
    void want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) override;
    Stop layer_so_far(const CompleteLayer& layer) override { return layer_done(layer); }
    Stop layer_done(const CompleteLayer& layer) override;

private:
    static constexpr std::uint32_t outside = ~std::uint32_t{0};  // no letter: nobody knows where the state leads
    struct Seen {
        std::uint32_t known;                  // the bits of letters that states decide, whatever led there
        std::vector<std::uint32_t> of_layer;  // per state
        Marks admitted;                       // per letter: whether some loop may admit it; empty where there are too many letters
    };
    /// A graph, and the letter of each of its states.
    struct Lettered {
        const LayerGraph& graph;
        const std::vector<std::uint32_t>& letters;
    };
    std::uint32_t letter_of(const Recurrence& recurrence, const Word* state);
    bool is_admitted(std::size_t r, std::uint32_t letter) const;
    Lasso cycle(const CompleteLayer& layer, std::size_t r) const;
    Lasso cycle(const Lettered& in, const Recurrence::Loop& loop) const;

    Resolver& resolver_;
    Questions& questions_;
    const std::vector<Recurrence>& recurrences_;
    const Runs& runs_;
    std::vector<Seen> letters_;  // per recurrence
};

}  // namespace sweep
