#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "sweep/ask/edge_viewer.hpp"
#include "sweep/ask/kept_graph.hpp"
#include "sweep/ask/step_questions.hpp"
#include "sweep/ask/survey.hpp"
#include "sweep/ask/tallies.hpp"
#include "sweep/ask/tree_questions.hpp"
#include "sweep/explore/comparison.hpp"
#include "sweep/explore/loops.hpp"
#include "sweep/explore/roots.hpp"
#include "sweep/explore/settings.hpp"
#include "sweep/explore/symmetry_pass.hpp"
#include "sweep/explore/walks.hpp"
#include "sweep/progress/key_progress.hpp"
#include "sweep/store/key_store.hpp"
#include "sweep/store/layer_store.hpp"
#include "sweep/store/spill.hpp"
#include "sweep/store/stack_store.hpp"

namespace sweep {

/// Explores the states of a program: puts the rooms together as the settings say (algorithms A to E), and takes the layout further
/// whenever it is too small.
class Exploration {
public:
    Exploration(Program& program, Oracle& oracle, Settings settings);

    // What is asked; to be filled in before the run, and answered by it.
    Questions questions;
    std::vector<Tally> tallies;
    std::vector<Awaited> awaited;
    std::vector<Tape> tapes;
    std::vector<Recurrence> recurrences;
    std::vector<Reader> readers;
    std::vector<Tree> trees;
    std::vector<std::int32_t> priorities;   // per action: of those enabled, the least numbers occur; empty: all do
    std::vector<std::uint8_t> steps;        // per predicate about steps: whether it depends on the action too
    ProductMeasure product;                 // the measure, where it has parts
    const LinearMeasure* linear = nullptr;  // the measure, where it is a sum
    Symmetry symmetry;                      // by which states are equivalent, if by any
    EdgeViewer::See see_edge;               // looks at every edge, if somebody does
    /// Adds some initial states to those that are there; false when there are no more. Null: all of them are there.
    std::function<bool(Roots&)> more_roots;

    Stop run(Roots roots);
    /// Random walks instead of a run: what is asked about cycles stays open.
    Stop walk(Roots roots, const WalkSettings& asked);
    /// No run: members of classes are compared along a walk, where states are equivalent by symmetry.
    Stop compare(Roots roots, const Comparison::Settings& asked);
    const Walks* walks() const { return walks_ ? &*walks_ : nullptr; }
    /// What is left to do after a run, be it that an exception ended it: the parent file is complete, the counters are final.
    void finish();

    /// Whether what stands in the store is all of what was found: then the run can be written down.
    bool is_whole() const;
    /// Append to a file how far the run is, for one that goes on with it; of one that is over, what it came to. As in errno, why that is
    /// not on the disk; 0: it is.
    int save(const std::string& path, bool over);

    /// A new layer, for a value of the measure never met before; in a total order it stands right after `below`, or first.
    Place add_layer(std::optional<Place> below) { return layers_->order.add(below); }
    const Sums& layer_value(Place layer) const { return layers_->value(layer); }
    /// Where progress is a key: the values of its parts in the states at work.
    std::vector<std::uint32_t> part_values() const { return keys_ && keys_->at_work() ? keys_->values() : std::vector<std::uint32_t>{}; }

    const Ledger& ledger() const { return ledger_; }
    /// Where states are equivalent: which questions they must answer alike, and which actions are one.
    Classes& classes() { return classes_; }
    /// Which states are explored.
    Bound& bound() { return bound_; }
    std::uint64_t vain_walks() const { return crew_.vain_walks(); }
    std::uint64_t closed_edges() const { return crew_.closed_edges(); }
    const Survey* survey() const { return survey_; }
    const KeptGraph* graph() const { return graph_; }
    /// The number of a state in the graph that was kept; where states are equivalent, of the one that stands for it.
    std::optional<std::uint32_t> number_in_graph(const Unpacked& state);
    const TreeQuestions* tree_questions() const { return tree_questions_; }
    /// Where all edges are written down: how many bytes these are, and why no more of them could be kept, if so.
    std::uint64_t edge_bytes() const { return judge_.log ? judge_.log->written() : 0; }
    int edge_error() const { return judge_.log ? judge_.log->error() : 0; }
    double seconds() const { return guard_.seconds; }
    double model_seconds() const { return resolver_.seconds + resolver_.besides; }
    /// Of these, in what makes initial states.
    double start_seconds() const { return start_seconds_; }
    /// Of these, what others did beside who waited for them.
    double rehearsed_seconds() const { return resolver_.besides; }
    /// Whether several workers did anything.
    bool shared() const { return workers_.begun() || resolver_.rehearsed; }
    /// How often all stored states were rewritten because a variable outgrew its field, and how long that took.
    std::uint64_t rewrites() const { return rewrites_; }
    double rewrite_seconds() const { return rewrite_seconds_; }
    const Workers& workers() const { return workers_; }
    /// Of what workers have for themselves.
    std::uint64_t scratch_bytes() const { return crew_.scratch_bytes(); }
    /// Of the file where states lie that memory has no room for: its bytes at most, and how often they were sent there.
    const Spill* spill() const { return spill_.get(); }
    std::uint64_t forgotten_tables() const { return guard_.forgotten_tables; }

    const Roots& roots() const { return roots_; }
    /// The states that a path of edges leads to, step by step, from a state that was found (for traces); fewer when the model does
    /// something else now.
    std::vector<Unpacked> follow(const Unpacked& from, const std::vector<std::uint64_t>& edges);

private:
    struct Stored;
    friend class Site;  // which does what `run` does, in steps
    using Store = std::variant<std::monostate, LayerStore, KeyStore, StackStore>;
    void prepare(Roots roots, Loader* before = nullptr);  // with what an earlier run knew of the program
    void make_askers();
    template <class File>
    void keep_program(File& file);
    template <class File>
    void keep_run(File& file);
    Stop explore();
    void make_layout();
    void make_canonical();
    SymmetryPass::SameProgress same_progress();
    void make_store();
    Stop add_roots();
    bool has_next_root();
    Stop add_root(const Word* root);
    template <class Visit>
    void with_store(Visit&& visit);
    void make_passes();
    bool only_states_matter() const;
    void close_diamonds();
    Ended go_on(Stop& stop);
    std::vector<Word> packed(const Unpacked& state);
    void grow();

    Program& program_;
    Oracle& oracle_;
    Settings settings_;
    std::unique_ptr<Spill> spill_;  // outlives all states
    Roots roots_;
    double start_seconds_ = 0;
    std::uint64_t next_root_ = 0;  // those before it are stored
    Resolver resolver_;
    Ledger ledger_;
    Collector collector_;
    Guard guard_;
    Expander expander_;
    std::vector<std::unique_ptr<Pass>> passes_;
    Classes classes_;
    std::optional<Canonical> canonical_;
    Bound bound_;
    Verifier verifier_;
    Runs runs_;
    Judge judge_;
    Survey* survey_ = nullptr;
    KeptGraph* graph_ = nullptr;
    TreeQuestions* tree_questions_ = nullptr;
    Round round_;
    Workers workers_;
    Crew crew_;
    std::optional<StepQuestions> walk_steps_;
    std::optional<Walks> walks_;
    std::optional<LayerProgress> layers_;
    std::optional<KeyProgress> keys_;
    Store store_;
    std::uint64_t rewrites_ = 0;
    std::uint64_t rewritten_ = 0;  // states, each as often as it was rewritten
    double rewrite_seconds_ = 0;
    Stop stop_ = Stop::none;
    bool over_ = false;      // there is nothing to go on with
    bool compares_ = false;  // members of classes, and nothing else
};

}  // namespace sweep
