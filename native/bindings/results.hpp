#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "domains.hpp"
#include "sweep/explore/exploration.hpp"

namespace sweep::python {

/// The numbers of a run.
struct CountersResult {
    Counters counted;
    Bytes bytes;
    double seconds, model_seconds, rewrite_seconds, start_seconds;
    std::uint64_t rewrites, vain_walks, closed_edges;
    std::uint32_t workers;                  // that shared work, if any was shared
    double worker_seconds, shared_seconds;  // of all of them in shared work; and how long there was some
    double rehearsed_seconds;               // of threads that ran functions, beside the one that waited for them
    std::uint64_t scratch_bytes;
};

/// What one action did.
struct ActionResult {
    std::uint64_t evaluations, edges, regress_edges;
    double seconds;  // in its function
    bool tabulated;
    nb::tuple observes;  // names of the variables it ever looked at
    nb::tuple compares;  // of those, the ones whose numbers it compares, instead of looking at their values
};

/// What a bag or queue held, written down outside of states.
struct ContentsResult {
    nb::object variable;
    std::uint64_t contents, bytes;
    bool in_states;  // their numbers stand in states; else functions looked at all that it held
};

/// What a function with a table, which is not an action, cost: the measure, a part of it, or a summand.
struct TableResult {
    std::uint64_t evaluations, bytes;
    nb::tuple observes;
};

/// One row of the profile: a layer as it was left behind.
struct LayerResult {
    std::vector<std::uint32_t> progress;  // numbers of values: one of a layer, one for each part of a product measure
    std::uint64_t states, stored;
};

/// The state that decided a property.
struct DecisionResult {
    std::optional<std::uint64_t> number;  // nothing when components decided it, which keep no numbers
    nb::object state;
    nb::list cycle;                      // always eventually: the states from it back to it
    std::vector<std::uint32_t> actions;  // with fairness: the actions between them
};

struct TallyResult {
    std::vector<std::uint64_t> counts;  // by value
    std::vector<std::int64_t> values;   // of a number of tokens
    nb::list stored;
};

/// A token of a bag: how often it was there at least and at most.
struct TokenBounds {
    nb::object token;
    std::uint64_t least, most;
};

/// What one variable, or element of an array, held over all states.
struct BoundsResult {
    nb::list values;                    // of a scalar: those seen
    std::uint64_t least = 0, most = 0;  // of a bag or queue: its size
    std::vector<TokenBounds> tokens;    // of a bag
};

struct SurveyResult {
    std::uint64_t components, terminal, edges_inside, home_states;
    bool infinite_runs;
    nb::object home;                                  // a home state, or None
    nb::list dead;                                    // the first few dead states
    std::vector<std::optional<BoundsResult>> bounds;  // nothing when no state was processed
    std::vector<Behaviour> actions;
};

/// The edges of the graph that was kept, as the bytes of 32-bit numbers: where those of each state begin, targets, and actions.
struct GraphResult {
    nb::bytes first, targets, actions;
    std::vector<std::uint32_t> unexplored;
};

CountersResult counters(const Exploration& exploration);
std::vector<ActionResult> action_results(const Exploration& exploration, const Domains& domains);
std::vector<ContentsResult> contents(const Domains& domains);
std::vector<TableResult> measure_results(const Domains& domains);
std::vector<LayerResult> profile(const Exploration& exploration);
std::vector<std::optional<DecisionResult>> decisions(const Exploration& exploration, const Domains& domains);
std::vector<TallyResult> tallies(const Exploration& exploration, const Domains& domains);
/// Which edges of the graph are alike, as the bytes of 32-bit numbers, and one of each kind: its state and its number.
struct KindsResult {
    nb::bytes of;
    std::vector<std::uint32_t> sources, edges;
};

/// What random walks came to.
struct WalkResult {
    std::uint64_t walks, steps, longest, dead_ends, left, distinct;
    bool counts_all;  // distinct states; else there are more
    std::vector<std::optional<WalkWay>> decided;
};

WalkResult walked(const Exploration& exploration);
GraphResult graph_edges(const Exploration& exploration);
/// `touched`: by action, the variables that it reads and writes.
KindsResult graph_kinds(const Exploration& exploration, const Domains& domains, const std::vector<std::vector<std::uint32_t>>& touched);
/// Its states, from one on, so many.
nb::list graph_states(const Exploration& exploration, const Domains& domains, std::uint32_t first, std::uint32_t count);
SurveyResult survey(const Exploration& exploration, const Domains& domains);
/// The progress of the states at work, as in `LayerResult`; empty before there are any.
std::vector<std::uint32_t> progress(const Exploration& exploration);

void bind_results(nb::module_& m);

}  // namespace sweep::python
