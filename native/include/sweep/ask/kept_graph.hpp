#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sweep/ask/asker.hpp"
#include "sweep/program/program.hpp"
#include "sweep/store/ledger.hpp"

namespace sweep {

/// The state space as a graph that stays when the run is over: states packed one after the other in the order found, and the edges of each
/// as its targets and the actions that lead there. Only where all states are in one layer.
class KeptGraph final : public Asker {
public:
    KeptGraph(const Program& program, const Ledger& ledger) : program_(program), schema_(program.schema), ledger_(ledger) {}

    bool asks_cycles() const override { return true; }
    bool asks_labels() const override { return true; }
    void want(const Batch&, const Block&, std::vector<std::uint8_t>& wanted) override { std::fill(wanted.begin(), wanted.end(), 1); }
    bool asks_processed() const override { return true; }
    void processed(const Batch& batch, const Block& block) override;
    Stop layer_done(const CompleteLayer& layer) override {
        take(layer);
        return Stop::none;
    }
    void layer_left(const CompleteLayer& layer) override { take(layer); }

    std::uint32_t size() const { return size_; }
    const Word* state(std::uint32_t number) const { return states_.data() + static_cast<std::size_t>(number) * width_; }
    /// The number of a packed state, if it was found.
    std::optional<std::uint32_t> number(const Word* state) const;

    std::vector<std::uint32_t> first;             // where the edges of each state begin; one more than there are states
    std::vector<std::uint32_t> targets, actions;  // of each edge
    std::vector<std::uint32_t> unexplored;        // states whose edges were not followed, in order

    /// Edges that are alike: by the same run of one action, as far as its table knows. Else, and where several edges of an action lead
    /// from one state to another, those of one action, which touches these variables alone, that have the same values before, and the
    /// same after. Several edges of one action between the same two states are not alike.
    struct Kinds {
        std::vector<std::uint32_t> of;       // by edge
        std::vector<std::uint32_t> sources;  // by kind: a state that has such an edge,
        std::vector<std::uint32_t> edges;    // and which edge that is
    };
    Kinds kinds(const std::vector<std::vector<std::uint32_t>>& touched) const;

private:
    void take(const CompleteLayer& layer);
    void take_edges(const LayerGraph& graph);
    /// How many edges before one, and after it, are of the same action between the same states.
    std::pair<std::uint32_t, std::uint32_t> twins(std::uint32_t source, std::uint32_t edge) const;
    void index();
    /// Where a state stands among the slots, or would.
    std::size_t slot(const Word* state) const;

    const Program& program_;
    const Schema& schema_;
    const Ledger& ledger_;
    std::vector<std::uint32_t> runs_;    // of each edge: the outcome that led there, or `no_outcome`
    std::uint64_t forgotten_ = 0;        // how often outcomes were forgotten: others have got their numbers since then
    std::uint32_t first_run_ = 0;        // what is added to them for that reason
    std::uint32_t size_ = 0, seen_ = 0;  // states; those of them that were processed
    std::size_t width_ = 0;              // words of a state
    std::vector<Word> states_;
    std::vector<std::uint32_t> slots_;  // numbers, from 1 on, by the hash of their states
};

}  // namespace sweep
