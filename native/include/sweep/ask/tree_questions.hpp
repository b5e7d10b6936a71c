#pragma once
#include <cstdint>
#include <vector>

#include "sweep/ask/asker.hpp"
#include "sweep/ask/edge_log.hpp"

namespace sweep {

/// A formula about the tree of runs (CTL) in normal form: each node comes after its parts.
struct Tree {
    struct Node {
        enum class Is : std::uint8_t { truth, predicate, negated, either, next, until, always } is;
        std::uint32_t left = 0, right = 0;  // nodes
        std::int32_t predicate = -1;
    };
    std::vector<Node> nodes;
    std::uint32_t claim = 0;  // the node that must be true
    bool everywhere = false;  // in all states; else in the initial ones
};

/// What is true of states, a bit for each.
class Truths {
public:
    bool operator[](std::uint32_t number) const { return number / 64 < words_.size() && words_[number / 64] >> number % 64 & 1; }
    void set(std::uint32_t number) {
        if (number / 64 >= words_.size()) words_.resize(number / 64 + 1 + words_.size() / 2);
        words_[number / 64] |= std::uint64_t{1} << number % 64;
    }
    std::uint64_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }

private:
    std::vector<std::uint64_t> words_;
};

/// A run that shows why E of something is true in a state, as numbers of states.
struct TreeWay {
    States path;            // after that state
    States cycle;           // from the last of these, or from that state, back to it; empty where the run ends there
    bool lasts = false;     // whether it comes to such a cycle
    States actions;         // of the cycle, where fairness asks for them
    bool is_known = false;  // false where edges could not be read again
};

/// CTL: forward, the propositions of states and all edges are written down; then the layers are gone through in reverse, with the usual
/// fixpoints inside each: a step leads to the same layer, or to one that came later and is known. E and A are about fair runs, which
/// matters to `always` alone: every path goes on to a fair run.
class TreeQuestions final : public Asker {
public:
    TreeQuestions(Resolver& resolver, Questions& questions, const std::vector<Tree>& trees, const Runs& runs, EdgeLog* log);

    bool asks_cycles() const override { return log_ != nullptr; }
    void want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) override;
    Stop end(std::uint64_t roots, std::uint64_t states, const std::function<bool()>& go_on) override;
    std::uint64_t bytes() const;

    /// After the run: what is true of a state, node by node, and why one of the nodes is that begin with E.
    std::vector<bool> truths(std::size_t tree, std::uint32_t number) const;
    TreeWay way(std::size_t tree, std::uint32_t node, std::uint32_t number) const;

private:
    void decide_layer(const LoggedLayer& layer);
    void decide_node(const Tree& tree, std::uint32_t node, std::vector<Truths>& truths, const LoggedLayer& layer);
    Marks leading_to(const Truths& known, const Truths& through, Marks goal, const LoggedLayer& layer) const;

    Resolver& resolver_;
    Questions& questions_;
    const std::vector<Tree>& trees_;
    const Runs& runs_;
    EdgeLog* log_;
    std::vector<std::vector<Truths>> truths_;  // per tree and node
};

}  // namespace sweep
