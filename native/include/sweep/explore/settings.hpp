#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sweep/ask/cycles.hpp"
#include "sweep/store/collector.hpp"

namespace sweep {

struct Limits {
    std::optional<std::uint64_t> states, memory, table_memory;  // the last two in bytes
    std::optional<double> seconds;
    std::optional<double> save_every;  // seconds between two checkpoints; where they are asked for
    double tick = 0.05;                // seconds between two looks at all of this but the memory
};

/// How work is shared among several workers.
struct Sharing {
    std::uint32_t workers = 1;
    std::uint64_t after = 1 << 14;          // states explored: before that it is not worth while,
    std::uint64_t least = 1 << 11;          // nor for fewer unprocessed states of a layer, divided by the workers
    std::uint32_t batch_size = block_size;  // states that one worker expands at a time
    /// Seconds that functions have to take for several workers to run them, before it is their turn.
    double rehearse_from = std::numeric_limits<double>::infinity();
};

/// What is asked of an exploration, apart from the program and the questions.
struct Settings {
    /// Which state is next: the oldest, one of a least layer, one with the least key, or the newest.
    enum class Order { found, layers, keys, depth } order = Order::found;
    bool total_order = true;  // of layers
    /// A step that goes back ends the run, or the state it leads to is kept and explored in another sweep.
    enum class OnRegress { fail, persist } on_regress = OnRegress::fail;
    Collector::Policy collect = Collector::Policy::layer;
    std::uint64_t interval = 0;
    std::uint64_t cache_size = 0;  // depth first: of the cache beside the stack
    /// Where states are equivalent: a state whose class is stored, in whatever layer, or remembered is not explored. Remembered are the
    /// classes of states that satisfy the predicate `when`; -1: of all.
    bool cuts_off = false;
    std::int32_t when = -1;
    Limits limits;
    bool keep_going = false;             // after a violation
    bool survey = false;                 // a state space report is asked for
    bool graph = false;                  // the state space is to be kept as a graph; only where all states are in one layer
    bool verify = false;                 // have the successors of all states compared with what the functions say now
    bool compare_always = false;         // whatever function runs on numbers compares them, be it the better or not: for tests
    bool closes_diamonds = true;         // edges that lead where another order of the same steps has led are not looked up; not: for tests
    std::uint64_t divides_after = 1024;  // runs of a predicate: then it may be divided
    std::uint64_t patterns_after = 32;   // runs of an action: then patterns are looked for in what it does with numbers
    bool report_collections = false;
    std::optional<std::string> parent_file;
    bool nameless_parent_file = false;  // its name is taken away once it is open: whatever happens, nothing is left behind
    /// A run to go on with: the file that says how far it was, and where in it that begins.
    std::string resumed_file;
    std::uint64_t resumed_at = 0;
    std::string spill;           // the folder where states lie that memory has no room for; empty: nowhere
    bool spill_at_once = false;  // as if memory were scarce from the beginning: for tests
    std::string edge_file;       // where all edges are written down, if somebody needs them; empty: they are kept in memory
    std::uint64_t most_edge_bytes = ~std::uint64_t{0};
    std::vector<Fairness> fair;  // always eventually: what runs are fair to
    bool stuttering = false;     // runs may end in any state
    Sharing sharing;
    std::uint64_t rewrite_below = 1 << 14;  // stored states: so few are always rewritten when a field has to grow
};

}  // namespace sweep
