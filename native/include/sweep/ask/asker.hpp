#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "sweep/ask/cycles.hpp"
#include "sweep/ask/graph.hpp"
#include "sweep/ask/question.hpp"
#include "sweep/store/layer_store.hpp"

namespace sweep {

/// The layer that is complete, or what is processed of it, as a graph whose states are numbered in the order found.
struct CompleteLayer {
    using Visit = std::function<void(std::uint32_t, const Word*)>;
    const LayerGraph& graph;
    std::function<std::vector<Unpacked>(const States&)> states;  // the states with these numbers
    std::function<bool()> go_on;                                 // asked now and then; where it says no, what was found so far is of no use
    std::function<void(const Visit&)> each;                      // shows every state, in any order, with its number
};

/// A cycle decides a question, if there is one.
Stop decide_by(Questions& questions, Question& question, const Lasso& lasso, const CompleteLayer& layer, const Runs& runs);

/// Somebody who asks something of the states. A new kind of question is a new asker: the loop stays as it is.
class Asker {
public:
    virtual ~Asker() = default;

    /// Whether it is to be shown every state that is found.
    virtual bool asks_found() const { return false; }
    /// Whether a state that is found needs not be shown, as nothing would come of it. Only what is known is looked at: several workers
    /// may ask at once.
    virtual bool passes(const Word*) const { return false; }
    virtual Stop found(const Word*, std::uint64_t /*number*/, Place) { return Stop::none; }
    /// The functions that it mostly asks about such a state.
    virtual void add_functions(std::vector<FunctionId>&) const {}
    /// A processed state has no successors.
    virtual Stop dead(const Word*, std::uint64_t /*number*/, Place) { return Stop::none; }
    /// All states of a batch are expanded; shown to those who ask for it.
    virtual bool asks_processed() const { return false; }
    virtual void processed(const Batch&, const Block&) {}

    /// Whether it is to be shown every edge: from a parent of a batch to one of its successors.
    virtual bool asks_steps() const { return false; }
    virtual Stop stepped(const Batch&, std::uint32_t /*parent*/, const Block&, std::uint32_t /*candidate*/) { return Stop::none; }

    /// Whether it needs the graph of each layer, and the actions of its edges.
    virtual bool asks_cycles() const { return false; }
    virtual bool asks_labels() const { return false; }
    virtual void begin_layer() {}
    /// Mark the states of a batch whose edges are to be kept.
    virtual void want(const Batch&, const Block&, std::vector<std::uint8_t>& /*wanted*/) {}
    virtual Stop layer_done(const CompleteLayer&) { return Stop::none; }
    /// A part of a large layer is processed: its cycles are cycles of the whole.
    virtual Stop layer_so_far(const CompleteLayer&) { return Stop::none; }
    /// The run has ended in the midst of a layer: some of its states have no edges in the graph.
    virtual void layer_left(const CompleteLayer&) {}
    /// All states are processed; so many of them are initial ones, and these were found first.
    virtual Stop end(std::uint64_t /*roots*/, std::uint64_t /*states*/, const std::function<bool()>& /*go_on*/) { return Stop::none; }
};

}  // namespace sweep
