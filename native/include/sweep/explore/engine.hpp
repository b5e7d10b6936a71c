#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sweep/ask/graph.hpp"
#include "sweep/ask/survey.hpp"
#include "sweep/explore/parents.hpp"
#include "sweep/program/groups.hpp"
#include "sweep/program/recording.hpp"
#include "sweep/program/synchronisation.hpp"
#include "sweep/progress/linear.hpp"
#include "sweep/progress/product.hpp"
#include "sweep/state/schema.hpp"
#include "sweep/store/heap.hpp"
#include "sweep/store/queue.hpp"
#include "sweep/store/visited.hpp"

namespace sweep {

using LayerId = std::uint32_t;
constexpr LayerId no_layer = ~LayerId{0};
constexpr std::uint64_t no_parent = ~std::uint64_t{0};
constexpr std::uint32_t block_size = 64;  // parents expanded before their successors are looked up

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Whoever knows what actions, predicates and measures do: asked only for what no table holds yet.
class Oracle {
public:
    virtual ~Oracle() = default;
    /// Run an action once, recording what it asks and does; false when it is disabled.
    virtual bool run_action(std::uint32_t action, Recording& run) = 0;
    virtual bool run_predicate(std::uint32_t predicate, Recording& run) = 0;
    virtual LayerId run_measure(Recording& run) = 0;
    /// Evaluate the function of a tally; the number of its value.
    virtual std::uint32_t run_function(std::uint32_t tally, Recording& run) = 0;
    /// States were deleted: so many were stored before, and `counters` says how many are now.
    virtual void collected(LayerId current, std::uint64_t before) = 0;
    /// Models with time: the token of a timed bag with a kind and a stamp, and the value of the clock after a while.
    virtual Id stamped(std::uint32_t bag, Id kind, std::int64_t wait) = 0;
    virtual Id later(Id clock, std::int64_t passed) = 0;
    /// Of a product measure: the value of a component, and whether one of its values is at most another.
    virtual std::uint32_t run_part(std::uint32_t part, Recording& run) = 0;
    virtual bool part_leq(std::uint32_t part, std::uint32_t one, std::uint32_t other) = 0;
    /// Partial orders: whether one layer is at most another, and a minimal one among several.
    virtual bool leq(LayerId one, LayerId other) = 0;
    virtual LayerId minimal(const std::vector<LayerId>& layers) = 0;
    /// A step went up to a layer that no unprocessed state was below: what was called an order is none. It does not return.
    [[noreturn]] virtual void disorder(LayerId layer) = 0;
    /// A step went back, or a function did not ask the same after the same answers: these do not return.
    [[noreturn]] virtual void regress(const Word* state, LayerId layer, const Word* successor, LayerId next) = 0;
    [[noreturn]] virtual void impure(const char* what, std::uint32_t index, const Word* state) = 0;
    /// Compare the successors of a state with what the functions say now; it throws when they differ.
    virtual void verify(const Word* state, const std::vector<const Word*>& successors) = 0;
    /// Called a few times a second; true interrupts the run.
    virtual bool tick() = 0;
};

enum class Stop { none, decided, violation, states, seconds, memory, interrupted };

/// A property. The first kinds are decided by single states, the last two by components of complete layers.
struct Question {
    enum class On { invariant, reachable, deadlock, target, always_possible, always_eventually } on;
    std::int32_t predicate = -1;  // deadlock: states that may be final; -1 none
    bool decided = false;
    std::uint64_t number = 0;            // the state that decided it; no_parent when components did, which keep no numbers
    Unpacked witness;                    // that state; of a target the state looked for
    std::vector<Unpacked> cycle;         // always eventually: the states from the witness back to it
    std::vector<std::uint32_t> actions;  // and the actions between them, where the graph is labelled
    std::vector<std::uint8_t> fine;      // per state of the layer at work: whether nothing is left to ask about it
};

/// How often a function has each of its values, over all states (or dead states) that satisfy a predicate.
struct Tally {
    std::int32_t predicate = -1, store = -1;  // -1 none
    bool dead = false;
    Trie function;                      // leaves are values, by number
    std::vector<std::uint64_t> counts;  // by value
    std::vector<Unpacked> stored;
};

struct Settings {
    bool by_progress = false, total_order = true;
    bool again = false;  // a step that goes back ends the run, or the state it leads to is kept and explored in another sweep
    enum class Collect { layer, interval, adaptive } collect = Collect::layer;
    std::uint64_t interval = 0;
    std::optional<std::uint64_t> most_states, most_memory, most_table_memory;
    std::optional<double> most_seconds;
    bool keep_going = false;
    bool verify = false;  // have a sample of the states compared
    bool stop_when_decided = true;
    bool report_collections = false;
    std::optional<std::string> parent_file;
    bool nameless_parent_file = false;  // its name is taken away once it is open: whatever happens, nothing is left behind
    bool depth_first = false;           // with a cache of bounded size beside the stack
    std::uint64_t cache_size = 0;
    std::vector<std::uint32_t> fair;          // always eventually: actions that no run ignores while they stay enabled
    std::uint64_t rewrite_below = 8'000'000;  // stored states: so many are rewritten, because one piece per field is faster
};

struct Counters {
    std::uint64_t states = 0;  // found; one that was forgotten and is found again counts again
    std::uint64_t edges = 0, explored = 0, stored = 0, peak = 0, layers = 0, dead = 0;
    std::uint64_t kept = 0;        // for folds, of states that are stored no more
    std::uint64_t kept_bytes = 0;  // of all states kept for folds
    bool at_peak() const { return stored + kept == peak; }
    std::uint64_t sweeps = 0, columns = 0, persistent = 0, evicted = 0;
    std::uint64_t state_bytes = 0, peak_state_bytes = 0, table_bytes = 0, peak_memory = 0, rewrites = 0, forgotten_tables = 0;
    double seconds = 0, oracle_seconds = 0;
    LayerId layer = no_layer;
};

struct ActionCounters {
    std::uint64_t runs = 0;  // of the function itself; all else came from tables
    std::uint64_t edges = 0, regress_edges = 0;
    double seconds = 0;                  // in the function
    std::vector<std::uint8_t> observed;  // per variable: whether it has ever been looked at
    bool tabulated = true;
};

struct LayerRow {
    LayerId layer;
    std::uint64_t states, stored;
};

/// The block at work: the successors of a run of parents, in order.
struct Buffers {
    struct Parent {
        std::uint32_t begin = 0, end = 0;  // its successors among the candidates
    };
    struct Miss {
        std::uint32_t parent, action;
    };
    struct Candidate {
        Word hash;
        LayerId place;                        // no_layer while its progress, which may differ from its parent's, is unknown
        std::uint32_t leaf, action, ordinal;  // which outcome led here: the how-manieth of which action
    };
    std::vector<Word> words_;
    std::vector<Candidate> found_;
    std::uint32_t candidates_ = 0, room_ = 0;
    std::vector<Parent> block_;
    std::vector<Miss> misses_;
    std::vector<std::uint32_t> late_;
    LayerId here_ = 0;  // the layer of the parents
};

/// Explores the states of a model: full exploration, the monotone, generalised and column sweep, and depth first with a cache
/// (algorithms A to E).
class Engine : private Buffers {
public:
    Engine(Model& model, Oracle& oracle, Settings settings);

    std::vector<Trie> actions;
    std::vector<ActionCounters> action_counters;
    std::vector<Trie> predicates;                // leaves are 0 or 1
    std::vector<const Synchronisation*> joints;  // per action: an event done participant by participant; null: by its trie
    std::vector<const Formula*> formulas;        // per predicate: decided without its trie; null: by it
    Trie measure;                                // leaves are layers
    const LinearMeasure* linear = nullptr;       // the measure, where it is such a one: then its trie stays empty
    ProductMeasure product;                      // the measure, where it is such a one and has components: then there are no layers
    std::vector<Question> watches;
    std::vector<Tally> tallies;
    Counters counters;
    std::vector<LayerRow> profile;
    std::unique_ptr<Survey> survey;             // where a state space report is asked for
    std::optional<Unpacked> home;               // a state of the terminal component, of the last one found if there are several
    std::vector<Unpacked> dead_states;          // the first few, for the report
    std::vector<std::uint32_t> part_values;     // product measures: of the states at work
    std::vector<std::uint32_t> profile_values;  // and of the states in every row of the profile, one after the other

    /// A new layer; in a total order it stands right after `below`, or first.
    LayerId add_layer(std::optional<LayerId> below = std::nullopt);
    const LinearMeasure::Value& linear_value(LayerId layer) const { return linear_values_[layer]; }

    void add_initial(const std::vector<Unpacked>& states);
    Stop run();
    /// What is left to do after a run, be it that an exception ended it: the parent file is complete, the counters are final.
    void finish();

    /// Why the parent file was given up, as in errno; 0 when it was not.
    int parent_file_error() const { return parents_ ? parents_->error() : 0; }
    std::uint64_t parent_file_bytes() const { return parents_ && !parents_->error() ? parents_->bytes() : 0; }

    /// The state that a path of edges leads to, step by step, from an initial state (for traces).
    std::vector<Unpacked> follow(std::uint64_t root, const std::vector<std::uint64_t>& edges);

private:
    struct Layer {
        VisitedTable visited;
        StateQueue unprocessed;
        VisitedTable persistent;  // states that steps back led to: kept when the layer is dropped
        StateQueue roots;         // those of them that the next sweep begins with
        VisitedTable kept;        // stored states that a fold keeps: they stay when they are deleted here
        std::uint64_t rank = 0;
        std::uint64_t states = 0;   // found since it was last left
        std::uint64_t done_in = 0;  // the last sweep that was done with it; 0 before any was
        bool live = true;           // else it can get no more states
    };

    template <int K>
    void loop();
    template <int K>
    void process_block(LayerId current);
    template <int K>
    bool expand(std::uint32_t parent, const Word* state, bool late);
    template <int K>
    bool walk(const Trie& trie, Code code, const Word* state);
    template <int K>
    bool walk_take(const Trie& trie, const Trie::Node& node, const Word* state);
    template <int K>
    bool walk_slots(const Trie& trie, const Trie::Node& node, const Word* state);
    template <int K>
    bool walk_members(const Trie& trie, const Trie::Node& node, const Word* state);
    template <int K>
    bool reach(const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token);
    template <int K>
    bool reach_further(const Trie& trie, Code code, const Word* state, const Word* without, std::uint32_t bag, Id token);
    template <int K>
    bool walk_action(std::uint32_t parent, std::uint32_t action, Code from, const Word* state);
    template <int K>
    void walk_joint(const Synchronisation& joint, const Word* state);
    template <int K>
    bool walk_known(std::uint32_t action, const Word* state);
    template <int K>
    bool expand_groups(std::uint32_t parent, const Word* state);
    template <int K>
    void expand_later(const Word* state);
    bool advance(Word* state);
    void make_room(std::uint32_t more);
    void more_room(std::uint32_t more);
    template <int K>
    void emit(std::uint32_t leaf, const Word* state, std::uint32_t first = 0);
    template <int K>
    bool expand_block(LayerId current);
    template <int K>
    bool goes_back(std::uint32_t candidate, const Layer& layer, const Layer& here, const Word* parent);
    template <int K, bool Graph>
    void insert_candidates(LayerId current, const Word* parents, std::uint32_t count);
    void place_candidates();
    void report_regress(std::uint32_t candidate);
    void group_actions();
    void ungroup_actions();
    int stride() const { return model_.layout.words + numbered_; }
    void resolve_misses(const Word* parents);
    void judge(std::uint32_t action);
    void reconsider();
    void resolve(std::uint32_t action, const Word* state);
    bool find_unknown(const Trie& trie, Code code, const Word* state, std::vector<std::uint32_t>& script,
                      const std::vector<std::uint32_t>* after);
    Code look_up(const Trie& trie, const Word* state);
    LayerId layer_of(const Word* state);
    bool satisfies(std::uint32_t predicate, const Word* state);
    void show(const Word* state, std::uint64_t number, bool dead, LayerId place);
    void count(std::uint32_t tally, const Word* state, LayerId place);
    void keep(Tally& tally, const Word* state, LayerId place);
    void decide(Question& watch, std::uint64_t number, const Unpacked& state);
    void begin_graph(LayerId layer);
    void judge_parents(LayerId current, const Word* parents, std::uint32_t count);
    std::vector<Unpacked> numbered_states(const std::vector<std::uint32_t>& numbers);
    void complete_layer();
    template <int K>
    void admit(const Word* state, LayerId place, std::uint64_t parent, std::uint64_t edge);
    std::uint64_t number_found(std::uint64_t parent, std::uint64_t edge);
    template <int K>
    bool persist(const Word* state, Word hash, LayerId place, std::uint64_t parent, std::uint64_t edge);

    // Sweeps by a product measure: columns.cpp.
    bool by_parts() const { return !product.parts.empty(); }
    template <int K>
    void sweep_columns();
    template <int K>
    bool next_in_columns();
    template <int K>
    bool process_columns();
    void turn_candidates();
    template <int K>
    void insert_into_columns(const Word* parents, std::uint32_t count);
    template <int K>
    void collect_columns(bool current_done);
    std::uint32_t part_value(std::uint32_t part, const Word* state);
    bool part_leq(std::uint32_t part, std::uint32_t one, std::uint32_t other);
    void key_of(const Word* state);
    void renew_keys();
    void leave_values();
    // Depth first: caching.cpp.
    template <int K>
    void search_depth_first();
    template <int K>
    void enter(const Word* state, std::uint64_t parent, std::uint64_t edge);
    template <int K>
    void process_newest();
    template <int K>
    void leave();

    template <int K>
    void explore();
    void verify_block(const Word* parents, std::uint32_t count);
    // A sample of what the tables say, compared with what the functions do now: sampling.cpp.
    void sample_block(const Word* parents, std::uint32_t count);
    void sample_roots();
    bool may_sample() const;
    void sample(std::uint64_t turn, const Word* state);
    bool repeats(std::uint32_t action, const Word* state);
    bool repeats_untabulated(std::uint32_t action, const Word* state);
    Code sampled_outcome(const Trie& trie, const Word* state, std::vector<std::uint32_t>& script) const;
    void show_block(const Word* parents);
    void adapt_interval(std::uint64_t before);
    void count_state_bytes();
    template <class Visit>
    void each_kept(Visit&& visit) const;
    void grow_layout();
    LayerId next_layer();
    void open_layer(LayerId layer);
    void close_layer(LayerId layer);
    bool next_sweep();
    void collect(LayerId current, bool current_done);
    void drop(LayerId layer);
    void leave_layer(LayerId layer);
    void look_at_clock();
    bool tick_is_due();
    bool may_go_on();
    void refresh();
    void forget_tables();
    void count_bytes();
    bool layer_leq(LayerId one, LayerId other);

    Model& model_;
    Oracle& oracle_;
    Settings settings_;
    std::unique_ptr<ParentWriter> parents_;

    std::vector<std::unique_ptr<Layer>> layers_;
    std::map<std::uint64_t, LayerId> by_rank_;           // total order: layers that may get states
    std::map<std::uint64_t, LayerId> open_by_rank_;      // total order: layers with unprocessed states
    std::vector<LayerId> open_;                          // partial order: the same, in the order found
    std::vector<LayerId> done_;                          // layers whose states are all processed, and stored
    std::vector<LayerId> rooted_;                        // layers with roots of the next sweep
    std::vector<LayerId> keeping_;                       // layers with persistent states
    std::unordered_map<std::uint64_t, bool> known_leq_;  // partial order
    std::vector<Unpacked> roots_;

    // Sweeps by a product measure keep all states in the table of layer 0, whose queue holds the states at work; those that
    // are processed and still stored wait in the queue of layer 1.
    Heap frontier_;
    std::vector<Word> key_, current_key_;
    bool layer_open_ = false;           // some states with the current key were processed, and the layer not left
    std::uint64_t processed_done_ = 0;  // of the states in the queue of layer 1, the first so many are of layers left
    enum class Turn : std::uint8_t { ahead, elsewhere, back };
    std::vector<Turn> turns_;             // per candidate
    std::vector<std::uint64_t> touched_;  // per outcome: the components that it may change, one bit each
    std::vector<std::uint32_t> scratch_values_;

    // Depth first: the states on the stack, each with its number and where its successors begin among the pending ones.
    struct Frame {
        std::uint64_t number, pending;
    };
    std::vector<Frame> stack_;
    std::vector<Word> stack_states_, pending_;  // `pending_`: states, each followed by the edge that leads to it
    std::size_t next_root_ = 0;
    bool finished_ = false;

    Recording run_;
    std::vector<std::pair<Id, Id>> aged_;     // the tokens of a timed bag when time has passed
    std::uint32_t action_ = 0, ordinal_ = 0;  // of the action being walked
    struct Offer {
        const Id* targets;
        std::uint32_t count, taken;
    };
    std::vector<Offer> offers_;  // of each participant of the event being walked
    std::vector<std::uint64_t> edge_counts_;
    Grouping grouping_;
    std::uint64_t next_grouping_ = 0, grouped_width_ = 0;
    bool groups_allowed_ = true, fast_gather_ = gathers_fast();
    int numbered_ = 0;  // 1 when the queues keep the states' numbers
    ValueMap linear_layers_;
    std::map<LinearMeasure::Value, LayerId> linear_order_;  // live layers
    std::vector<LinearMeasure::Value> linear_values_;
    struct Shown {
        std::uint32_t candidate;
        std::uint64_t number;
    };
    std::vector<Shown> fresh_;
    std::vector<std::uint32_t> dead_;
    bool watching_ = false;
    LayerGraph graph_;  // of the layer at work, where components are asked about
    LayerId graph_layer_ = no_layer;
    bool graphing_ = false;
    std::vector<std::uint8_t> kept_;  // per parent of the block: whether its edges go into the graph
    struct Window {                   // of an action's table, since it was last judged
        std::uint64_t misses = 0, since = 0, again = 0;
    };
    std::vector<Window> windows_;
    std::uint64_t next_chance_ = ~std::uint64_t{0};

    std::uint64_t next_sample_ = 0, samples_ = 0;
    double sample_seconds_ = 0;

    std::uint64_t since_collection_ = 0, interval_ = 0;
    std::uint64_t merged_layers_ = 1;
    Stop stop_ = Stop::none;
    std::chrono::steady_clock::time_point started_, looked_;
};

}  // namespace sweep
