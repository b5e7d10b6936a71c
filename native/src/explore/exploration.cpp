#include "sweep/explore/exploration.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>

#include "sweep/ask/cycle_questions.hpp"
#include "sweep/ask/loop_questions.hpp"
#include "sweep/ask/run_questions.hpp"
#include "sweep/ask/state_questions.hpp"
#include "sweep/store/spill_watch.hpp"

namespace sweep {

namespace {

using Order = Settings::Order;

/// Whether the order of edges shows, though new states are numbered in their order: with collections at intervals the peak depends on
/// when a state is looked up, and depth first so does what is found again. The same goes for the cycles found in a graph, and for the
/// state that stands for its class.
bool order_shows(const Settings& settings) { return settings.collect != Collector::Policy::layer || settings.order == Order::depth; }

using OpenFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// The run to go on with, if there is one: its file, where that begins.
OpenFile opened(const Settings& settings) {
    if (settings.resumed_file.empty()) return {nullptr, &std::fclose};
    OpenFile file(std::fopen(settings.resumed_file.c_str(), "rb"), &std::fclose);
    if (!file || std::fseek(file.get(), static_cast<long>(settings.resumed_at), SEEK_SET) != 0) throw Damaged("it cannot be read");
    return file;
}

}  // namespace

Exploration::Exploration(Program& program, Oracle& oracle, Settings settings)
    : program_(program),
      oracle_(oracle),
      settings_(std::move(settings)),
      resolver_(program, oracle),
      ledger_(program.actions().size(), settings_.limits.states),
      collector_(ledger_, {settings_.collect, settings_.interval, settings_.limits.memory}),
      guard_(settings_.limits, resolver_, ledger_, oracle),
      expander_(program, program.schema.additions()),
      classes_(resolver_, ledger_),
      bound_(resolver_, ledger_),
      verifier_(resolver_, oracle, settings_.verify),
      judge_(program.schema, ledger_, runs_),
      workers_(std::max(1u, settings_.sharing.workers), settings_.limits.memory),
      crew_{resolver_, expander_, passes_, classes_, bound_, verifier_, ledger_, judge_, guard_, round_, workers_, settings_.sharing} {
    if (settings_.parent_file) {
        ledger_.parents = std::make_unique<ParentWriter>(*settings_.parent_file, !settings_.resumed_file.empty());
        if (settings_.nameless_parent_file) std::remove(settings_.parent_file->c_str());
    }
    ledger_.count_state_bytes = [this] {
        std::uint64_t total = judge_.graph.bytes() + program_.schema.interned_bytes();
        if (tree_questions_) total += judge_.log->bytes_in_memory() + tree_questions_->bytes();
        with_store([&](auto& store) { total += store.bytes(); });
        if (walks_) total += walks_->bytes();
        return total;
    };
    guard_.count_table_bytes = [this] { return program_.bytes() + expander_.bytes() + (canonical_ ? canonical_->bytes() : 0); };
    if (!settings_.spill.empty())
        spill_ = std::make_unique<Spill>(settings_.spill, settings_.limits.memory.value_or(~std::uint64_t{0}), settings_.spill_at_once);
    if (settings_.limits.save_every) crew_.save = [this] { oracle_.save(); };
    if (settings_.report_collections)
        collector_.collected = [this](Place current, std::uint64_t before) { oracle_.collected(current, before); };
}

template <class Visit>
void Exploration::with_store(Visit&& visit) {
    std::visit(
        [&](auto& store) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(store)>, std::monostate>) visit(store);
        },
        store_);
}

/// The order of askers is the order in which a state is shown to them.
void Exploration::make_askers() {
    runs_ = Runs(settings_.fair, program_.actions().size(), settings_.stuttering);
    judge_.graph.stutters = settings_.stuttering;
    questions.keep_going = settings_.keep_going;
    questions.counters = &ledger_.counters;
    judge_.questions = &questions;
    questions.ends_when_decided = tallies.empty();
    auto tallied = std::make_unique<Tallies>(resolver_, ledger_, tallies);
    tallied->keep = [this](const Word* state, Place place) { with_store([&](auto& store) { store.keep(state, place); }); };
    judge_.add(std::move(tallied));
    judge_.add(std::make_unique<StateQuestions>(resolver_, questions));
    judge_.add(std::make_unique<StepQuestions>(resolver_, questions, steps));
    judge_.add(std::make_unique<CycleQuestions>(resolver_, questions, runs_, settings_.order == Order::layers));
    if (see_edge) {
        auto viewer = std::make_unique<EdgeViewer>(see_edge);
        viewer->keep = [this](const Word* state, Place place) { with_store([&](auto& store) { store.keep(state, place); }); };
        judge_.add(std::move(viewer));
    }
    if (settings_.graph) {
        auto graph = std::make_unique<KeptGraph>(program_, ledger_);
        graph_ = graph.get();
        judge_.add(std::move(graph));
    }
    judge_.add(std::make_unique<LoopQuestions>(resolver_, questions, recurrences, runs_));
    judge_.add(std::make_unique<RunQuestions>(resolver_, questions, readers, runs_));
    if (!trees.empty()) {
        judge_.log =
            std::make_unique<EdgeLog>(settings_.edge_file, settings_.most_edge_bytes, !settings_.fair.empty(), settings_.stuttering);
        auto asker = std::make_unique<TreeQuestions>(resolver_, questions, trees, runs_, judge_.log.get());
        tree_questions_ = asker.get();
        judge_.add(std::move(asker));
        judge_.needs_more = [this] { return !questions.only_open(Question::On::ctl) || survey_ || graph_; };
    }
    if (!settings_.survey) return;
    auto survey = std::make_unique<Survey>(program_.schema, program_.actions().size());
    survey_ = survey.get();
    judge_.add(std::move(survey));
}

/// A layout with room for all initial states.
void Exploration::make_layout() {
    Schema& schema = program_.schema;
    std::vector<Word> packed;
    for (const Symmetry::Part& part : symmetry.parts)
        if (part.sets.size() == 1)
            for (const std::uint32_t field : part.fields) schema.variables[field].tight = true;
    schema.lay_out();
    for (;;) {
        for (std::size_t i = 0; i < roots_.size(); ++i) {
            packed.assign(static_cast<std::size_t>(schema.layout.words), 0);
            schema.pack(roots_[i], packed.data());
        }
        if (schema.fits()) return;
        program_.grow(false, [](auto&&) {});
    }
}

/// The states that stand for their classes; a state that is looked for is one of them.
void Exploration::make_canonical() {
    if (!symmetry.any()) return;
    canonical_.emplace(symmetry, program_.schema, oracle_, oracle_);
    canonical_->refresh();
    for (Question& question : questions.all)
        if (question.on == Question::On::target) question.witness = program_.schema.unpack(packed(question.witness).data());
}

void Exploration::make_store() {
    const bool regresses = settings_.on_regress == Settings::OnRegress::persist;
    program_.outcomes.watched.assign(program_.schema.variables.size(), Watch::none);
    if (settings_.order == Order::depth) {
        store_.emplace<StackStore>(program_.schema, ledger_, settings_.cache_size);
    } else if (settings_.order == Order::keys) {
        product.lay_out();
        keys_.emplace(resolver_, oracle_, product, regresses);
        store_.emplace<KeyStore>(program_.schema, *keys_, ledger_, collector_);
    } else {
        const bool forgets = settings_.order == Order::layers;
        layers_.emplace(resolver_, oracle_, settings_.total_order, forgets ? linear : nullptr, regresses || settings_.cuts_off);
        store_.emplace<LayerStore>(program_.schema, *layers_, ledger_, collector_, forgets, regresses);
        LayerStore& store = std::get<LayerStore>(store_);
        if (forgets && classes_.keyed()) store.index_classes();
        if (settings_.cuts_off)
            store.cut_off([this, when = settings_.when](const Word* state) {
                return when < 0 || resolver_.satisfies(static_cast<std::uint32_t>(when), state);
            });
        store.batch_size = settings_.sharing.batch_size;
        // One table for each worker; more of them if they are no power of two, so that each has about as much to do when they grow. Of two
        // workers one looks up, and needs no more than one alone does.
        if (workers_.count() > 2) store.parts = std::bit_ceil(workers_.count());
        if (workers_.count() > 2 && store.parts != workers_.count()) store.parts *= 4;
    }
}

/// A state in the present layout, which grows until it has room for it.
std::vector<Word> Exploration::packed(const Unpacked& state) {
    for (;;) {
        std::vector<Word> words(static_cast<std::size_t>(program_.schema.layout.words));
        program_.schema.pack(state, words.data());
        if (program_.schema.fits() && canonical_) canonical_->settle(words.data());
        if (program_.schema.fits() && classes_.write(words.data())) return words;
        grow();
    }
}

/// What stops a run stops it between two initial states as well, and it can be gone on with from the next of them.
Stop Exploration::add_roots() {
    for (; has_next_root(); ++next_root_) {
        if (next_root_ != 0 && next_root_ % block_size == 0) {  // one state at least is found, however short the time
            if (const Stop stop = guard_.look(1); stop != Stop::none) return stop;
            if (guard_.save_is_due()) crew_.save_now();
        }
        if (const Stop stop = add_root(packed(roots_[next_root_]).data()); stop != Stop::none) return stop;
    }
    return Stop::none;
}

bool Exploration::has_next_root() {
    if (next_root_ < roots_.size()) return true;
    const auto start = SteadyClock::now();
    while (next_root_ >= roots_.size() && more_roots && more_roots(roots_)) {
    }
    const double spent = seconds_since(start);
    start_seconds_ += spent;
    resolver_.seconds += spent;
    return next_root_ < roots_.size();
}

Stop Exploration::add_root(const Word* root) {
    if (auto* stack = std::get_if<StackStore>(&store_)) {
        stack->add_root(root, next_root_);
        return Stop::none;
    }
    const auto add = [&](auto& store) {
        if (ledger_.full() && !store.holds_root(root)) return Stop::states;
        crew_.torn = true;
        Stop stop = Stop::none;
        if (const Word* known = store.insert_root(root)) {
            if (classes_.keyed()) classes_.compare(known, root);
        } else {
            const std::uint64_t number = ledger_.found(no_parent, next_root_);
            const Place place = store.admit_root(root, number);
            if constexpr (std::is_same_v<std::decay_t<decltype(store)>, LayerStore>)
                if (judge_.log) {
                    LayerTable& table = store.table(place);
                    const Word* slot = table.find(root, hash_words<0>(root, store.width()), store.width());
                    judge_.log->number<0>(table, slot, store.width(), true, number);
                }
            stop = judge_.found(root, number, place);
        }
        crew_.torn = false;
        return stop;
    };
    return settings_.order == Order::keys ? add(std::get<KeyStore>(store_)) : add(std::get<LayerStore>(store_));
}

SymmetryPass::SameProgress Exploration::same_progress() {
    if (keys_) return [this](const Word* one, const Word* other) { return keys_->same(one, other); };
    if (settings_.order != Order::layers) return {};
    return [this](const Word* one, const Word* other) { return layers_->layer_of(one) == layers_->layer_of(other); };
}

void Exploration::make_passes() {
    if (!program_.schema.timed.empty()) passes_.push_back(std::make_unique<TimePass>(resolver_, expander_, oracle_));
    if (!priorities.empty()) passes_.push_back(std::make_unique<PriorityPass>(priorities));
    for (const Tape& tape : tapes) passes_.push_back(std::make_unique<TapePass>(program_, tape));
    if (canonical_) {
        auto pass = std::make_unique<SymmetryPass>(classes_, *canonical_, program_.schema, same_progress());
        pass->keeps_made = judge_.asks_steps() || compares_;
        passes_.push_back(std::move(pass));
    }
    for (const Reader& reader : readers) passes_.push_back(std::make_unique<ReaderPass>(resolver_, reader));
    if (!awaited.empty()) passes_.push_back(std::make_unique<AwaitedPass>(resolver_, awaited));
    if (classes_.keyed()) passes_.push_back(std::make_unique<ClassPass>(classes_));  // what a run has met tells classes apart
    if (!bound_.predicates.empty()) passes_.push_back(std::make_unique<BoundPass>(bound_));
}

void Exploration::prepare(Roots roots, Loader* before) {
    roots_ = std::move(roots);
    guard_.start();
    make_layout();
    if (before) keep_program(*before);
    make_canonical();
    make_store();
    make_askers();
    expander_.in_order = order_shows(settings_) || judge_.asks_cycles() || judge_.asks_steps() || classes_.keyed();
    expander_.resolver = &resolver_;  // it expands alone; workers have expanders of their own
    expander_.aims = !canonical_;     // where states lie that stand for others is not known before
    make_passes();
    program_.refresh();
    if (settings_.compare_always) resolver_.compare_always();
    resolver_.look_for_patterns_after(settings_.patterns_after);
    resolver_.divide_after(settings_.divides_after);
    ledger_.counters.sweeps = settings_.order == Order::layers;
}

/// Whether nothing depends on edges to states that are known already: nobody is shown edges, and all states are found in the order of
/// queues.
bool Exploration::only_states_matter() const {
    if (settings_.order == Order::depth || expander_.in_order || !passes_.empty()) return false;
    if (keys_ && !keys_->foresees_climbs()) return false;
    return !judge_.asks_processed() && !settings_.verify && !classes_.any() && !bound_.any();
}

void Exploration::close_diamonds() {
    Diamonds& diamonds = program_.diamonds;
    diamonds.climbs_by_parts = keys_.has_value();
    if (keys_)
        diamonds.climb = [this](std::uint32_t outcome) { return keys_->climb(outcome); };
    else if (settings_.order == Order::layers)
        diamonds.climb = [this](std::uint32_t outcome) { return layers_->climb(outcome); };
    program_.look_for_diamonds();
    if (keys_)
        std::get<KeyStore>(store_).keep_finders(diamonds);
    else
        std::get<LayerStore>(store_).keep_finders(diamonds);
}

Stop Exploration::run(Roots roots) {
    const OpenFile before = opened(settings_);
    std::optional<Loader> loader;
    if (before) loader.emplace(before.get());
    prepare(std::move(roots), loader ? &*loader : nullptr);
    if (settings_.closes_diamonds && only_states_matter()) close_diamonds();
    const Spill::Use use(spill_.get());
    std::optional<SpillWatch> watch;
    if (spill_) watch.emplace(*spill_);
    const MemoryLimit limit(settings_.limits.memory,
                            spill_ ? std::function<void()>([this] { spill_->send_out(spill_->limit() / 2); }) : nullptr);
    try {
        if (loader) {
            crew_.torn = true;  // until all of it is read
            keep_run(*loader);
            loader->finish();
            guard_.saved();
            crew_.torn = false;
        }
        if (!over_ && stop_ != Stop::violation && stop_ != Stop::decided) stop_ = add_roots();
        if (!over_ && stop_ == Stop::none) stop_ = explore();
    } catch (const OutOfMemory&) {
        stop_ = Stop::memory;
    }
    const bool in_time = stop_ != Stop::seconds && stop_ != Stop::interrupted && stop_ != Stop::memory;
    if (in_time && program_.schema.fits()) verifier_.look_at_roots(roots_, guard_.seconds);
    finish();
    return stop_;
}

/// From where the store stands to the end.
Stop Exploration::explore() {
    const std::uint64_t roots_found = ledger_.counters.states;
    Stop stop = Stop::none;
    Ended ended = Ended::outgrown;
    if (settings_.resumed_file.empty()) crew_.save_now();
    while (stop == Stop::none && ended == Ended::outgrown) {
        if (!program_.schema.fits()) grow();
        ended = go_on(stop);
    }
    if (stop == Stop::none) stop = judge_.end(roots_found, [&] { return guard_.go_on(); });
    return stop == Stop::none ? guard_.stop() : stop;
}

bool Exploration::is_whole() const {
    return std::holds_alternative<LayerStore>(store_) && !crew_.torn && judge_.is_between_layers() && program_.schema.fits();
}

/// How far the run is, said once for both directions. First how states lie in words, by which all that follows is read, and what the
/// measure has looked at so far: a step that changes nothing of that stays in its layer.
template <class File>
void Exploration::keep_program(File& file) {
    program_.schema.keep(file);
    for (const Role role : {Role::measure, Role::summand})
        for (Function& function : program_.functions[static_cast<std::size_t>(role)]) {
            file(function.observed);
            if (function.observed.size() > program_.schema.variables.size()) throw Damaged("it has other variables");
        }
}

template <class File>
void Exploration::keep_run(File& file) {
    file(over_, stop_, next_root_, ledger_, collector_, bound_, guard_, resolver_.seconds, rewrites_, rewritten_, rewrite_seconds_);
    std::size_t asked = questions.all.size(), counted = tallies.size();
    file(asked, counted);
    if (asked != questions.all.size() || counted != tallies.size()) throw Damaged("something else was asked");
    for (Question& question : questions.all) file(question);
    for (Tally& tally : tallies) file(tally);
    if (survey_) file(*survey_);
    if constexpr (File::reads) oracle_.resumed();
    file(*layers_);
    if (!over_) file(std::get<LayerStore>(store_));
}

int Exploration::save(const std::string& path, bool over) {
    crew_.settle();
    guard_.weigh();
    over_ = over;
    std::FILE* const file = std::fopen(path.c_str(), "ab");
    if (file == nullptr) return errno;
    Saver saver(file);
    keep_program(saver);
    keep_run(saver);
    int error = saver.finish();
    if (std::fclose(file) != 0 && error == 0) error = errno;
    over_ = false;
    return error ? error : ledger_.parent_error();
}

Stop Exploration::walk(Roots roots, const WalkSettings& asked) {
    roots_ = std::move(roots);
    guard_.start();
    make_layout();
    program_.outcomes.watched.assign(program_.schema.variables.size(), Watch::none);
    expander_.in_order = true;  // so that the same random numbers take the same edges
    make_passes();
    program_.refresh();
    questions.keep_going = settings_.keep_going;
    questions.ends_when_decided = !questions.all.empty();
    walk_steps_.emplace(resolver_, questions, steps);
    walks_.emplace(crew_, questions, *walk_steps_, asked);
    walks_->grow = [this] { grow(); };
    std::vector<std::vector<Word>> packed_roots;
    for (std::size_t i = 0; i < roots_.size(); ++i) packed_roots.push_back(packed(roots_[i]));
    const MemoryLimit limit(settings_.limits.memory);
    Stop stop = Stop::none;
    try {
        stop = walks_->run(packed_roots);
    } catch (const OutOfMemory&) {
        stop = Stop::memory;
    }
    finish();
    return stop;
}

Stop Exploration::compare(Roots roots, const Comparison::Settings& asked) {
    compares_ = true;
    prepare(std::move(roots));
    expander_.in_order = true;  // so that the same random numbers take the same edges
    walk_steps_.emplace(resolver_, questions, steps);
    Comparison comparison(crew_, *canonical_, *walk_steps_, steps.size());
    comparison.grow = [this] { grow(); };
    comparison.same_asked = [this, same = same_progress()](const Word* known, const Word* met) {
        classes_.compare_answers(known, met);
        if (same && !same(known, met)) throw Disagreement({Role::measure}, program_.schema.unpack(known), program_.schema.unpack(met));
    };
    ledger_.counters.compared += comparison.run(roots_, asked);
    finish();
    return Stop::none;
}

Ended Exploration::go_on(Stop& stop) {
    OneLayer one;
    if (auto* store = std::get_if<StackStore>(&store_)) return sweep_on(crew_, *store, one, stop);
    if (auto* store = std::get_if<KeyStore>(&store_)) return sweep_on(crew_, *store, *keys_, stop);
    LayerStore& store = std::get<LayerStore>(store_);
    return settings_.order == Order::layers ? sweep_on(crew_, store, *layers_, stop) : sweep_on(crew_, store, one, stop);
}

void Exploration::finish() {
    crew_.settle();
    if (auto* store = graph_ ? std::get_if<LayerStore>(&store_) : nullptr) {  // which is not needed once the graph has all states
        ledger_.weigh();
        judge_.layer_left(store->only_layer());
        store_.emplace<std::monostate>();
        ledger_.count_state_bytes = [bytes = ledger_.bytes.states - ledger_.bytes.kept] { return bytes; };
        judge_.graph = {};
    }
    if (keys_) ledger_.profile.name_last(keys_->left_values());
    if (ledger_.parents) ledger_.parents->flush();
    guard_.finish();
}

/// Give the room that was asked for, and values to numbers just met; where states have to be rewritten for that, every room does so for its
/// own. Fields in one piece are faster, so rewriting is right as long as it stays a small part of the work: no more states are rewritten
/// than twice those found. Where all are stored, that is whenever they have doubled.
/// All states that are stored, for whoever has to look at each of them.
struct Exploration::Stored {
    Exploration& run;
    const Together& together;

    template <class Visit>
    void operator()(Visit&& visit) const {
        run.with_store([&](auto& store) { store.each(visit); });
        if (run.walks_) run.walks_->each(visit);
    }
    void inspect(Inspection& seen) const {
        auto* const layers = std::get_if<LayerStore>(&run.store_);
        if (!layers || run.walks_) return (*this)([&](const Word* state) { seen.look(state); });
        layers->inspect(seen, together);
    }
};

void Exploration::grow() {
    resolver_.meet_numbers();
    if (program_.schema.fits()) return;
    const auto started = SteadyClock::now();
    Together together;  // nobody, where there is one worker
    if (workers_.count() > 1)
        together = [&](std::uint32_t jobs, const std::function<void(std::uint32_t)>& job) {
            workers_.share(jobs, [&](std::uint32_t, std::uint32_t one) { job(one); });
        };
    const std::uint64_t stored = ledger_.counters.stored;
    const bool few = stored <= settings_.rewrite_below;
    program_.schema.mark_growth(ledger_.counters.states);
    program_.schema.generous = ledger_.counters.explored < tidy_from;
    std::optional<Transfer> transfer = program_.grow(!few && rewritten_ + stored > 2 * ledger_.counters.states, Stored{*this, together});
    program_.refresh();
    if (canonical_) canonical_->refresh();
    if (!transfer) return;
    ++rewrites_;
    rewritten_ += few ? 0 : stored;
    try {
        with_store([&](auto& store) {
            if constexpr (std::is_same_v<std::decay_t<decltype(store)>, LayerStore>)
                store.rewrite(*transfer, together);
            else
                store.rewrite(*transfer);
        });
        if (walks_) walks_->rewrite(*transfer);
        rewrite_seconds_ += seconds_since(started);
    } catch (...) {  // some states lie as before, others as now: none of them can be read any more
        store_.emplace<std::monostate>();
        ledger_.count_state_bytes = [bytes = ledger_.bytes.states - ledger_.bytes.kept] { return bytes; };
        throw;
    }
}

std::optional<std::uint32_t> Exploration::number_in_graph(const Unpacked& state) {
    if (!graph_) return std::nullopt;
    std::vector<Word> words(static_cast<std::size_t>(program_.schema.layout.words));
    program_.schema.pack(state, words.data());
    if (program_.schema.fits() && canonical_) canonical_->settle(words.data());
    if (program_.schema.fits() && classes_.write(words.data()) && program_.schema.fits()) return graph_->number(words.data());
    program_.schema.requests = {};  // a state that does not fit was not found
    return std::nullopt;
}

std::vector<Unpacked> Exploration::follow(const Unpacked& from, const std::vector<std::uint64_t>& edges) {
    std::vector<Unpacked> states{from};
    if (canonical_) states[0] = program_.schema.unpack(packed(states[0]).data());
    bound_.lift();
    try {
        for (const std::uint64_t edge : edges) {
            std::vector<Word> now = packed(states.back());
            while (!crew_.expand<0>({now.data(), 1, now.size(), 0, false})) {
                grow();
                now = packed(states.back());
            }
            std::uint32_t c = 0;
            const Block& block = round_.block(0);
            while (c < block.candidates && Block::edge(block.found[c], program_.actions().size()) != edge) ++c;
            if (c == block.candidates) break;
            states.push_back(program_.schema.unpack(block.state(c)));
        }
    } catch (const Impure&) {  // a function asks something else now: the path ends here
    }
    return states;
}

}  // namespace sweep
