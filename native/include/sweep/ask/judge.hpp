#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "sweep/ask/asker.hpp"
#include "sweep/ask/edge_log.hpp"

namespace sweep {

/// Shows the states to everybody who asks, and the layer at work, as a graph, to those who ask about cycles.
class Judge {
public:
    Judge(const Schema& schema, Ledger& ledger, Runs& runs) : schema_(schema), ledger_(ledger), runs_(runs) {}

    void add(std::unique_ptr<Asker> asker);
    bool asks_found() const { return !finders_.empty(); }
    bool asks_cycles() const { return asks_cycles_; }
    bool asks_processed() const { return !followers_.empty(); }
    bool asks_steps() const { return asks_steps_; }
    /// Whether a violation was found that ends the run before another state is found.
    bool has_to_end() const { return questions && questions->violated; }
    const Questions* questions = nullptr;  // of those who ask
    /// Whether nothing is known of a layer that is not complete.
    bool is_between_layers() const { return graph_of_ == no_place; }

    Stop found(const Word* state, std::uint64_t number, Place place);
    /// The functions that are mostly asked about such a state.
    std::vector<FunctionId> functions() const;
    /// Whether nobody has to be shown a state that is found.
    bool passes(const Word* state) const;
    /// The edges of a block, the states that it found, and those of its parents that are dead.
    Stop see(const Batch& batch, const Block& block);

    /// Before the successors of a batch are looked up: number the states of a layer whose turn has come, and find out which edges
    /// are asked about.
    void begin(const Batch& batch, const Block& block, Layer& layer);
    /// The second half of it: which edges of a batch are asked about.
    void want(const Batch& batch, const Block& block);
    LayerGraph graph;
    /// What an edge of the graph is labelled with: its action, and what else is asked about steps.
    std::uint32_t label(const Batch& batch, std::uint32_t parent, const Block& block, std::uint32_t candidate) {
        return runs_.label(block.found[candidate].action, batch.state(parent), block.state(candidate));
    }
    std::vector<std::uint8_t> wanted;  // per parent: whether its edges go into the graph
    std::unique_ptr<EdgeLog> log;      // where somebody needs all edges afterwards: states have the numbers in which they were found then
    std::function<bool()> needs_more;  // whether there is anything to find out without the log; asked when it has no room for more
    /// Whether so much of a layer is processed that its cycles are worth a look, and that look.
    bool looks_early() const { return graph_of_ != no_place && graph.size() >= next_look_; }
    Stop layer_so_far(Layer& layer, const std::function<bool()>& go_on);
    /// All states of the layer are processed.
    Stop layer_done(Layer& layer, const std::function<bool()>& go_on);
    /// The same in two steps, where somebody else numbers the states of a layer, shows them to `want`, and makes the graph.
    void begin_graph();
    Stop decide(const CompleteLayer& complete);
    /// The run has ended, be it in the midst of the layer.
    void layer_left(Layer& layer);

    /// All states are processed.
    Stop end(std::uint64_t roots, const std::function<bool()>& go_on);

private:
    Stop dead(const Word* state, std::uint64_t number, Place place);
    Stop see_steps(const Batch& batch, const Block& block);
    void begin_layer(const Batch& batch, Layer& layer);
    void number_unprocessed(Layer& layer, int stride);
    CompleteLayer shown(Layer& layer, const std::function<bool()>& go_on) const;

    const Schema& schema_;
    Ledger& ledger_;
    Runs& runs_;
    std::vector<std::unique_ptr<Asker>> askers_;
    std::vector<Asker*> finders_;    // those that are shown every state that is found
    std::vector<Asker*> followers_;  // and every block
    bool asks_cycles_ = false, asks_steps_ = false;
    Place graph_of_ = no_place;                        // the layer whose graph is being made
    std::uint64_t next_look_ = 0;                      // when so many of its states are processed
    static constexpr std::uint64_t first_look = 4096;  // and whenever they are four times as many: all looks cost a third of the last
};

}  // namespace sweep
