// The native engine as Python sees it: a model goes in as functions and values, numbers come out.
#include "explorer.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "session.hpp"
#include "sweep/explore/exploration.hpp"

namespace nb = nanobind;

namespace sweep::python {

namespace {

/// An action with its family parameters, ready to be called; or an event of a network, which needs no Python.
struct Action {
    nb::object callable;
    nb::object names;  // tuple of keyword names, or None
    std::vector<nb::object> arguments;
};

/// A component of a product measure, known in advance.
struct PartTable {
    std::uint32_t field;
    std::vector<std::uint32_t> values;  // per value of the scalar
    std::vector<std::string> above;     // per value: bits of those it is at most; none: as numbers are ordered
};

using Moves = std::vector<std::pair<Id, Id>>;  // from a location to a location, by one event

class Explorer final : public Oracle {
public:
    Explorer(const nb::dict& values, const nb::dict& callbacks) : session_(new Session) {
        if (!ready_types()) throw nb::python_error();
        const auto take = [](nb::handle object) { return nb::borrow(object).release().ptr(); };
        session_->disabled = take(callbacks["disabled"]);
        session_->closed = take(callbacks["closed"]);
        session_->unfit = take(callbacks["unfit"]);
        session_->settled = take(callbacks["settled"]);
        session_->alike = take(callbacks["alike"]);
        session_->unlike = take(callbacks["unlike"]);
        session_->crowded = take(callbacks["crowded"]);
        session_->missing = take(callbacks["missing"]);
        session_->bag = take(values["bag"]);
        session_->queue = take(values["queue"]);
        session_->array = take(values["array"]);
        session_->stamped = take(values["stamped"]);
        place_ = nb::borrow(callbacks["place"]);
        place_part_ = nb::borrow(callbacks["place_part"]);
        part_leq_ = nb::borrow(callbacks["part_leq"]);
        leq_ = nb::borrow(callbacks["leq"]);
        minimal_ = nb::borrow(callbacks["minimal"]);
        disorder_ = nb::borrow(callbacks["disorder"]);
        tick_ = nb::borrow(callbacks["tick"]);
        nonlinear_ = nb::borrow(callbacks["nonlinear"]);
        verify_ = nb::borrow(callbacks["verify"]);
        number_ = nb::borrow(callbacks["number"]);
        collected_ = nb::borrow(callbacks["collected"]);
    }
    ~Explorer() override {
        draft_.reset();
        chooser_.reset();
        for (PythonVariable& variable : session_->variables) Py_CLEAR(variable.editor);
        session_->generation = 0;
        session_->release();
    }
    Explorer(const Explorer&) = delete;
    Explorer& operator=(const Explorer&) = delete;

    void add_variable(nb::str name, const std::string& kind, std::uint32_t length, std::int64_t capacity) {
        PythonVariable variable;
        PyObject* interned = name.release().ptr();
        PyUnicode_InternInPlace(&interned);
        variable.name = variable.domain.name = interned;
        variable.domain.ids = PyDict_New();
        variable.domain.values = PyList_New(0);
        variable.field = static_cast<std::uint32_t>(session_->program.schema.variables.size());
        variable.capacity = capacity;
        variable.length = length;
        const bool timed = kind == "timed", bag = kind == "bag" || timed, container = bag || kind == "queue";
        variable.kind = bag               ? PythonVariable::Kind::bag
                        : kind == "queue" ? PythonVariable::Kind::queue
                        : kind == "array" ? PythonVariable::Kind::array
                                          : PythonVariable::Kind::scalar;
        variable.domain.base = container ? 1 : 0;
        if (timed) {
            variable.domain.kinds = std::make_unique<Domain>();
            variable.domain.kinds->ids = PyDict_New();
            variable.domain.kinds->values = PyList_New(0);
            variable.domain.kinds->base = 1;
            variable.domain.kinds->name = interned;
        }
        if (kind == "clock") session_->program.schema.clock = variable.field;
        const std::uint32_t fields = kind == "array" ? length : 1;
        for (std::uint32_t i = 0; i < fields; ++i) {
            variable.domain.fields.push_back(static_cast<std::uint32_t>(session_->program.schema.variables.size()));
            session_->program.schema.add(bag ? sweep::Kind::bag : kind == "queue" ? sweep::Kind::queue : sweep::Kind::scalar, timed);
        }
        session_->variables.push_back(std::move(variable));
    }

    void add_action(nb::object callable, const nb::dict& arguments) {
        Action function{std::move(callable), nb::none(), {}};
        if (arguments.size()) {
            function.names = nb::tuple(arguments.keys());
            for (auto [key, value] : arguments) function.arguments.push_back(nb::borrow(value));
        }
        functions_.push_back(std::move(function));
    }
    /// All values a scalar can have, in the order of their ids.
    void add_values(std::uint32_t variable, const nb::list& values) {
        Domain& domain = session_->variables.at(variable).domain;
        Id id = 0;
        for (nb::handle value : values)
            if (!session_->intern(domain, value.ptr(), id)) throw nb::python_error();
    }
    /// An event: its participants, by variable, each with a table of moves.
    void add_event(const std::vector<std::pair<std::uint32_t, Moves>>& participants) {
        std::vector<Synchronisation::Participant> all;
        for (const auto& [variable, moves] : participants) all.emplace_back(session_->variables.at(variable).field, moves);
        functions_.push_back({nb::none(), nb::none(), {}});
        session_->program.synchronisations.push_back(std::make_unique<Synchronisation>(std::move(all)));
    }
    void add_predicate(nb::object callable) {
        predicates_.push_back(std::move(callable));
        session_->program.formulas.emplace_back();
    }
    /// A predicate as nodes: what it is, how many nodes it has with its parts, and for "among" variable and ids.
    void add_formula(const std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t, std::vector<Id>>>& nodes) {
        auto formula = std::make_unique<Formula>();
        for (const auto& [is, size, variable, ids] : nodes) {
            using Is = Formula::Node::Is;
            Formula::Node node{is == "among" ? Is::among : is == "not" ? Is::negated : is == "all" ? Is::all : Is::some, size, 0, {}};
            if (node.is == Is::among) node.field = session_->variables.at(variable).field;
            for (const Id id : ids) {
                node.allowed.resize(std::max<std::size_t>(node.allowed.size(), id + 1));
                node.allowed[id] = 1;
            }
            formula->nodes.push_back(std::move(node));
        }
        predicates_.push_back(nb::none());
        session_->program.formulas.push_back(std::move(formula));
    }
    void set_measure(nb::object callable) { measure_ = std::move(callable); }
    /// A component of a product measure. Its values are ordered as they are placed, or (not `total`) as `part_leq` says.
    void add_part(nb::object callable, bool monotone, bool total) {
        parts_.push_back(std::move(callable));
        part_traits_.emplace_back(monotone, total);
        part_tables_.emplace_back();
    }
    /// A component that is known in advance: its value for each value of a scalar and, unless the order is that of numbers, for each
    /// of its values the bits of those it is at most.
    void add_table_part(std::uint32_t variable, const std::vector<std::uint32_t>& values, const std::vector<nb::bytes>& above,
                        bool monotone) {
        parts_.push_back(nb::none());
        part_traits_.emplace_back(monotone, above.empty());
        auto table = std::make_unique<PartTable>(PartTable{session_->variables.at(variable).field, values, {}});
        for (const nb::bytes& row : above) table->above.emplace_back(row.c_str(), row.size());
        part_tables_.push_back(std::move(table));
    }
    std::uint32_t add_part_value(std::uint32_t part, std::optional<std::uint32_t> below) { return engine_->product.add_value(part, below); }
    std::vector<std::uint32_t> part_values() const { return engine_->part_values(); }
    std::vector<std::uint32_t> profile_values() const { return engine_->ledger().profile.values; }
    /// The measure as sums: per component a constant, and terms of variable, element and coefficient. With numbers up to
    /// `most_number` no sum overflows.
    void set_linear_measure(
        const std::vector<std::pair<std::int64_t, std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>>>>& components,
        std::int64_t most_number) {
        session_->most_number = most_number;
        for (const auto& [constant, terms] : components) {
            LinearMeasure::Component component{constant, {}};
            for (const auto& [index, element, coefficient] : terms) {
                PythonVariable& variable = session_->variables.at(index);
                if (variable.domain.numbers < 0) {
                    variable.domain.numbers = static_cast<std::int32_t>(session_->linear.numbers.size());
                    session_->linear.numbers.emplace_back();
                    std::size_t position = 0;
                    for (nb::handle known : nb::borrow<nb::list>(variable.domain.values))
                        session_->count_with(variable.domain, known.ptr(), position++);
                }
                component.terms.push_back({variable.field + element, static_cast<std::uint32_t>(variable.domain.numbers), coefficient});
            }
            session_->linear.components.push_back(std::move(component));
        }
    }
    /// The numbers of a layer's progress value.
    std::vector<std::int64_t> linear_value(Place layer) const {
        const LinearMeasure::Value& value = engine_->layer_value(layer);
        return {value.begin(), value.begin() + static_cast<std::ptrdiff_t>(session_->linear.components.size())};
    }
    /// The value of a variable that equals another one: a number may be stored as True.
    nb::object stored(std::uint32_t variable, nb::object value) {
        Id id = 0;
        if (!session_->intern(session_->variables.at(variable).domain, value.ptr(), id, true)) throw nb::python_error();
        return nb::borrow(session_->value(session_->variables[variable].domain, id));
    }
    void add_property(const std::string& kind, std::int32_t predicate) {
        Question watch;
        watch.on = kind == "invariant"           ? Question::On::invariant
                   : kind == "reachable"         ? Question::On::reachable
                   : kind == "always_possible"   ? Question::On::always_possible
                   : kind == "always_eventually" ? Question::On::always_eventually
                                                 : Question::On::deadlock;
        watch.predicate = predicate;
        watches_.push_back(watch);
    }

    /// Count the values of a function; predicates by their positions, -1 for none.
    void add_tally(nb::object callable, std::int32_t predicate, std::int32_t store, bool dead) {
        tally_functions_.push_back(std::move(callable));
        Tally tally;
        tally.predicate = predicate;
        tally.store = store;
        tally.dead = dead;
        tallies_.push_back(std::move(tally));
    }
    /// Per tally: how often each value occurred, and the states stored.
    nb::list tallies() {
        nb::list rows;
        for (const Tally& tally : engine_->tallies) {
            nb::list stored;
            for (const Unpacked& state : tally.stored) stored.append(nb::steal(checked(session_->unpack(state))));
            rows.append(nb::make_tuple(tally.counts, stored));
        }
        return rows;
    }

    /// Look for one state.
    void add_target(nb::object state) {
        Question watch;
        watch.on = Question::On::target;
        if (!session_->pack(state.ptr(), watch.witness)) throw nb::python_error();
        watches_.push_back(watch);
    }

    /// Explore from these states; why it stopped, as the name of the reason.
    const char* run(const nb::list& initial, const nb::dict& settings) {
        Settings chosen;
        const bool by_layers = measure_.is_valid() && !measure_.is_none();
        chosen.order = nb::cast<bool>(settings["depth_first"]) ? Settings::Order::depth
                       : !part_traits_.empty()                 ? Settings::Order::keys
                       : by_layers                             ? Settings::Order::layers
                                                               : Settings::Order::found;
        chosen.total_order = nb::cast<bool>(settings["total_order"]);
        chosen.on_regress = nb::cast<bool>(settings["again"]) ? Settings::OnRegress::persist : Settings::OnRegress::fail;
        chosen.cache_size = nb::cast<std::uint64_t>(settings["cache_size"]);
        const auto policy = nb::cast<std::string>(settings["collection"]);
        chosen.collect = policy == "layer"      ? Collector::Policy::layer
                         : policy == "interval" ? Collector::Policy::interval
                                                : Collector::Policy::adaptive;
        chosen.interval = nb::cast<std::uint64_t>(settings["interval"]);
        chosen.limits.states = nb::cast<std::optional<std::uint64_t>>(settings["most_states"]);
        chosen.limits.memory = nb::cast<std::optional<std::uint64_t>>(settings["most_memory"]);
        chosen.limits.table_memory = nb::cast<std::optional<std::uint64_t>>(settings["most_table_memory"]);
        chosen.limits.seconds = nb::cast<std::optional<double>>(settings["most_seconds"]);
        chosen.rewrite_below = nb::cast<std::uint64_t>(settings["rewrite_below"]);
        chosen.keep_going = nb::cast<bool>(settings["keep_going"]);
        chosen.fair = nb::cast<std::vector<std::uint32_t>>(settings["fair"]);
        chosen.parent_file = nb::cast<std::optional<std::string>>(settings["parent_file"]);
        chosen.nameless_parent_file = nb::cast<bool>(settings["nameless_parent_file"]);
        chosen.verify = !verify_.is_none();
        chosen.report_collections = !collected_.is_none();
        chosen.survey = nb::cast<bool>(settings["survey"]);
        Program& program = session_->program;
        program.set_functions(Role::action, functions_.size());
        program.set_functions(Role::predicate, predicates_.size());
        program.set_functions(Role::tally, tally_functions_.size());
        program.set_functions(Role::part, parts_.size());
        program.set_functions(Role::measure, 1);
        engine_ = std::make_unique<Exploration>(program, *this, chosen);  // first: its counters are read whatever happens
        engine_->questions.all = watches_;
        engine_->tallies = tallies_;
        for (const auto& [monotone, total] : part_traits_) {
            Part& part = engine_->product.parts.emplace_back();
            part.monotone = monotone;
            part.total = total;
            const std::size_t index = engine_->product.parts.size() - 1;
            if (!part_tables_[index]) continue;
            const std::vector<std::uint32_t>& values = part_tables_[index]->values;
            const std::uint32_t last = *std::max_element(values.begin(), values.end());
            for (std::uint32_t value = 0; value <= last; ++value)
                engine_->product.add_value(index, value ? std::optional(value - 1) : std::nullopt);
        }
        std::vector<Unpacked> roots;
        for (nb::handle state : initial) {
            Unpacked unpacked;
            if (!session_->pack(state.ptr(), unpacked)) throw nb::python_error();
            roots.push_back(std::move(unpacked));
        }
        check_countable();
        if (!session_->linear.components.empty()) engine_->linear = &session_->linear;
        draft_ = nb::steal(new_draft(session_));
        Stop stop = Stop::none;
        {
            nb::gil_scoped_release release;
            try {
                stop = engine_->run(roots);
            } catch (const TooManyTokens& crowded) {
                broken_off([&] { return nb::make_tuple("crowded", name_of(crowded.field)); });
            } catch (const Regress& step) {
                broken_off([&] { return nb::make_tuple("regress", unpacked(step.state), step.from, unpacked(step.successor), step.to); });
            } catch (const Impure& met) {
                broken_off([&] {
                    const bool measure = met.function.role == Role::part || met.function.role == Role::measure;
                    const std::uint32_t index = measure ? 0 : met.function.index;
                    return nb::make_tuple("impure", name_of(met.function.role), index, unpacked(met.state));
                });
            } catch (const Disorder& met) {
                engine_->finish();
                const nb::gil_scoped_acquire lock;
                disorder_(met.layer);
                throw std::runtime_error("disorder");
            } catch (...) {  // an interrupted run has results too
                engine_->finish();
                throw;
            }
        }
        constexpr const char* names[] = {"none", "decided", "violation", "states", "seconds", "memory", "interrupted"};
        return names[static_cast<int>(stop)];
    }

    nb::object chooser() {
        if (!chooser_.is_valid()) chooser_ = nb::steal(new_chooser(session_));
        return chooser_;
    }

    std::uint32_t add_layer(std::optional<std::uint32_t> below) { return engine_->add_layer(below); }

    nb::dict counters() const {
        const Counters& c = engine_->ledger().counters;
        const Bytes& bytes = engine_->ledger().bytes;
        const ParentWriter* parents = engine_->ledger().parents.get();
        nb::dict result;
        result["states"] = c.states;
        result["edges"] = c.edges;
        result["explored"] = c.explored;
        result["stored"] = c.stored;
        result["peak"] = c.peak;
        result["layers"] = c.layers;
        result["dead_states"] = c.dead;
        result["sweeps"] = c.sweeps;
        result["columns"] = c.columns;
        result["persistent"] = c.persistent;
        result["evicted"] = c.evicted;
        result["seconds"] = engine_->seconds();
        result["oracle_seconds"] = engine_->model_seconds();
        result["memory_bytes"] = bytes.peak_memory;
        result["state_bytes"] = bytes.peak_states;
        result["table_bytes"] = bytes.tables;
        result["rewrites"] = engine_->rewrites();
        result["forgotten_tables"] = engine_->forgotten_tables();
        result["layer"] = c.layer == no_place ? nb::none() : nb::object(nb::int_(c.layer));
        result["words"] = session_->program.schema.layout.words;
        result["trace_bytes"] = parents && !parents->error() ? parents->bytes() : 0;
        result["trace_error"] = parents ? parents->error() : 0;
        return result;
    }

    /// Per action: runs of the function, edges, seconds in the function, whether it is tabulated, what it looked at.
    nb::list action_counters() const {
        nb::list rows;
        for (std::size_t a = 0; a < functions_.size(); ++a) {
            const sweep::Function& action = session_->program.actions()[a];
            rows.append(nb::make_tuple(action.runs, engine_->ledger().edges[a], action.seconds, action.tabulated,
                                       nb::tuple(observed(action.observed))));
        }
        return rows;
    }

    /// Per action: its edges on which progress went down.
    std::vector<std::uint64_t> regress_edges() const { return engine_->ledger().regress_edges; }

    nb::list profile() const {
        nb::list rows;
        for (const Profile::Row& row : engine_->ledger().profile.rows) rows.append(nb::make_tuple(row.layer, row.states, row.stored));
        return rows;
    }

    /// Per property: the number (where known) of the state that decided it, that state, a cycle as its states and, with
    /// fairness, its actions; or None.
    nb::list decisions() {
        nb::list rows;
        for (const Question& watch : engine_->questions.all) {
            if (!watch.decided) {
                rows.append(nb::none());
                continue;
            }
            nb::list cycle;
            for (const Unpacked& state : watch.cycle) cycle.append(nb::steal(checked(session_->unpack(state))));
            const nb::object number = watch.number == no_parent ? nb::none() : nb::object(nb::int_(watch.number));
            rows.append(nb::make_tuple(number, nb::steal(checked(session_->unpack(watch.witness))), cycle, watch.actions));
        }
        return rows;
    }

    /// What a state space report says: numbers, bounds per variable, per action what it does in the long run.
    nb::dict survey() {
        const Survey& found = *engine_->survey();
        nb::dict result;
        result["components"] = found.components;
        result["terminal"] = found.terminal;
        result["edges_inside"] = found.edges_inside;
        result["home_states"] = found.home_states;
        result["home"] = found.home ? nb::steal(checked(session_->unpack(*found.home))) : nb::none();
        result["cycles"] = found.cycles;
        nb::list dead, bounds, actions;
        for (const Unpacked& state : found.dead_states) dead.append(nb::steal(checked(session_->unpack(state))));
        result["dead"] = dead;
        for (const PythonVariable& variable : session_->variables)
            for (const std::uint32_t field : variable.domain.fields)
                bounds.append(field < found.bounds.size() ? field_bounds(variable, found.bounds[field], found.states) : nb::none());
        result["bounds"] = bounds;
        for (const Behaviour& one : found.behaviour) actions.append(nb::make_tuple(one.live, one.impartial, one.fair, one.just));
        result["actions"] = actions;
        return result;
    }

    /// The states along a path of edge positions from an initial state.
    nb::list follow(std::uint64_t root, const std::vector<std::uint64_t>& edges) {
        nb::list states;
        for (const Unpacked& state : engine_->follow(root, edges)) states.append(nb::steal(checked(session_->unpack(state))));
        return states;
    }

    /// Let go of every Python object: callbacks refer back to whoever holds this one.
    void close() {
        functions_.clear();
        predicates_.clear();
        tally_functions_.clear();
        parts_.clear();
        for (nb::object* object : {&measure_, &place_, &leq_, &minimal_, &disorder_, &nonlinear_, &place_part_, &part_leq_, &tick_,
                                   &verify_, &number_, &collected_, &failure_})
            *object = nb::none();
    }

    /// The state and, for a step that went back, the successor and both layers at which a run broke off.
    nb::object failure() const { return failure_; }

    // -- the oracle: called from the engine, which runs without the interpreter lock ------------------------------------

    bool act(std::uint32_t action, Recording& run) override {
        const Action& function = functions_[action];
        const nb::gil_scoped_acquire lock;
        std::vector<PyObject*> arguments{nullptr, nullptr};
        for (const nb::object& argument : function.arguments) arguments.push_back(argument.ptr());
        PyObject* names = function.names.is_none() ? nullptr : function.names.ptr();
        const bool enabled = call(run, "action", action, function.callable, arguments, names) != nullptr;
        return enabled;
    }

    std::uint32_t evaluate(FunctionId id, Recording& run) override {
        switch (id.role) {
            case Role::predicate: return run_predicate(id.index, run);
            case Role::tally: return run_function(id.index, run);
            case Role::part: return run_part(id.index, run);
            default: return run_measure(run);
        }
    }

    bool run_predicate(std::uint32_t predicate, Recording& run) {
        const nb::gil_scoped_acquire lock;
        session_->read_only = true;
        std::vector<PyObject*> arguments{nullptr, nullptr};
        const nb::object value = evaluate(run, "predicate", predicate, predicates_[predicate], arguments);
        const int truth = PyObject_IsTrue(value.ptr());
        end_run();
        const bool no_truth_value = value.is_none() || PyCallable_Check(value.ptr()) || PyIter_Check(value.ptr());
        if (truth < 0 || no_truth_value) fail("predicate", predicate, run);
        return truth != 0;
    }

    std::uint32_t run_function(std::uint32_t tally, Recording& run) {
        const nb::gil_scoped_acquire lock;
        session_->read_only = true;
        std::vector<PyObject*> arguments{nullptr, nullptr};
        const nb::object value = evaluate(run, "function", tally, tally_functions_[tally], arguments);
        end_run();
        return nb::cast<std::uint32_t>(number_(tally, value));
    }

    Place run_measure(Recording& run) {
        const nb::gil_scoped_acquire lock;
        session_->read_only = true;
        std::vector<PyObject*> arguments{nullptr, nullptr};
        const nb::object value = evaluate(run, "measure", 0, measure_, arguments);
        PyObject* layer = PyObject_CallFunctionObjArgs(place_.ptr(), value.ptr(), nullptr);
        end_run();
        if (!layer) fail("measure", 0, run);
        return nb::cast<Place>(nb::steal(layer));
    }

    Id stamped(std::uint32_t bag, Id kind, std::int64_t wait) override {
        const nb::gil_scoped_acquire lock;
        Id id = 0;
        if (!session_->make_stamped(bag, kind, wait, id)) throw nb::python_error();
        return id;
    }
    Id later(Id clock, std::int64_t passed) override {
        const auto known = later_.find({clock, passed});
        if (known != later_.end()) return known->second;
        const nb::gil_scoped_acquire lock;
        Id id = 0;
        if (!session_->make_later(clock, passed, id)) throw nb::python_error();
        check_countable();
        later_[{clock, passed}] = id;
        return id;
    }

    std::uint32_t run_part(std::uint32_t part, Recording& run) {
        if (const PartTable* table = part_tables_[part].get()) return table->values[run.read(table->field)];
        const nb::gil_scoped_acquire lock;
        session_->read_only = true;
        std::vector<PyObject*> arguments{nullptr, nullptr};
        const nb::object value = evaluate(run, "measure", 0, parts_[part], arguments);
        const nb::int_ index(part);
        PyObject* number = PyObject_CallFunctionObjArgs(place_part_.ptr(), index.ptr(), value.ptr(), nullptr);
        end_run();
        if (!number) fail("measure", 0, run);
        return nb::cast<std::uint32_t>(nb::steal(number));
    }
    bool leq(std::uint32_t part, std::uint32_t one, std::uint32_t other) override {
        const PartTable* table = part == whole_measure ? nullptr : part_tables_[part].get();
        if (table) return table->above[one][other / 8] >> (other % 8) & 1;
        const nb::gil_scoped_acquire lock;
        return nb::cast<bool>(part == whole_measure ? leq_(one, other) : part_leq_(part, one, other));
    }
    Place minimal(const std::vector<Place>& layers) override {
        const nb::gil_scoped_acquire lock;
        return nb::cast<Place>(minimal_(layers));
    }
    bool tick() override {
        const nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) {
            if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
            PyErr_Clear();
            return true;
        }
        tick_();
        return false;
    }
    void collected(Place current, std::uint64_t before) override {
        const nb::gil_scoped_acquire lock;
        collected_(current, before);
    }
    void verify(const Word* state, const std::vector<const Word*>& successors) override {
        const nb::gil_scoped_acquire lock;
        nb::list found;
        for (const Word* successor : successors) found.append(unpacked(successor));
        verify_(unpacked(state), found);
    }

private:
    /// Finish after an exception that says what was found in the model, and keep that.
    template <class Tell>
    [[noreturn]] void broken_off(Tell&& tell) {
        engine_->finish();
        const nb::gil_scoped_acquire lock;
        failure_ = tell();
        throw std::runtime_error("broken off");
    }
    static const char* name_of(Role role) {
        return role == Role::action ? "action" : role == Role::predicate ? "predicate" : role == Role::tally ? "function" : "measure";
    }
    /// Of a scalar the values seen; of the others the least and the largest size and, per token of a bag, counts.
    nb::object field_bounds(const PythonVariable& variable, const FieldBounds& field, std::uint64_t states) const {
        nb::list found;
        const Domain& domain = variable.domain.kinds ? *variable.domain.kinds : variable.domain;
        const auto value = [&](std::size_t id) { return nb::borrow(session_->value(domain, static_cast<Id>(id))); };
        if (variable.kind == PythonVariable::Kind::scalar || variable.kind == PythonVariable::Kind::array) {
            for (std::size_t id = 0; id < field.values.size(); ++id)
                if (field.values[id]) found.append(value(id));
            return found;
        }
        for (std::size_t id = 0; id < field.tokens.size(); ++id) {
            const FieldBounds::Token& token = field.tokens[id];
            if (token.states) found.append(nb::make_tuple(value(id), token.states == states ? token.least : 0, token.most));
        }
        return nb::make_tuple(field.least, field.most, found);
    }
    static PyObject* checked(PyObject* object) {
        if (!object) throw nb::python_error();
        return object;
    }
    nb::object unpacked(const Word* state) { return nb::steal(checked(session_->unpack(session_->program.schema.unpack(state)))); }

    nb::object unpacked(const Unpacked& state) { return nb::steal(checked(session_->unpack(state))); }

    nb::object name_of(std::uint32_t field) const {
        for (const PythonVariable& variable : session_->variables)
            if (variable.field == field) return nb::borrow(variable.name);
        return nb::none();
    }

    nb::list observed(const std::vector<std::uint8_t>& seen) const {
        nb::list names;
        for (const PythonVariable& variable : session_->variables)
            for (const std::uint32_t field : variable.domain.fields)
                if (field < seen.size() && seen[field]) {
                    names.append(nb::borrow(variable.name));
                    break;
                }
        return names;
    }

    /// Break off: remember where, and let the error (if any) go its way.
    [[noreturn]] void fail(const char* what, std::uint32_t index, const Recording& run) {
        end_run();
        nb::object error = nb::none();
        if (PyErr_Occurred()) {
            nb::python_error raised;
            error = nb::borrow(raised.value());
        }
        failure_ = nb::make_tuple(what, index, unpacked(run.state()), error);
        throw std::runtime_error(what);
    }

    /// Give up when a value turned up that the measure cannot count with: the measure has to be asked then.
    void check_countable() const {
        if (!session_->uncountable) return;
        PyErr_SetNone(nonlinear_.ptr());
        throw nb::python_error();
    }

    void begin_run() {
        session_->generation = ++session_->runs;
        if (Py_REFCNT(draft_.ptr()) > 1)
            draft_ = nb::steal(checked(new_draft(session_)));
        else
            renew(draft_.ptr());
    }
    void end_run() {
        session_->generation = 0;
        session_->read_only = false;
    }

    /// Call a function on a draft of the run's state; nothing when the run is disabled.
    PyObject* invoke(Recording& run, const nb::object& callable, std::vector<PyObject*>& arguments, PyObject* names) {
        if (PyErr_CheckSignals() != 0) return nullptr;  // what came while the engine was at work is not the function's
        session_->run = &run;
        begin_run();
        arguments[1] = draft_.ptr();
        PyObject* result = PyObject_Vectorcall(callable.ptr(), arguments.data() + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, names);
        return result;
    }

    const PyObject* call(Recording& run, const char* what, std::uint32_t index, const nb::object& callable,
                         std::vector<PyObject*>& arguments, PyObject* names) {
        PyObject* result = invoke(run, callable, arguments, names);
        end_run();
        if (session_->uncountable) Py_CLEAR(result);
        check_countable();
        if (result == Py_None) {
            Py_DECREF(result);
            return Py_None;
        }
        if (!result && PyErr_ExceptionMatches(session_->disabled)) {
            PyErr_Clear();
            return nullptr;
        }
        Py_XDECREF(result);  // an action that returns a value is as wrong as one that raises
        fail(what, index, run);
    }

    nb::object evaluate(Recording& run, const char* what, std::uint32_t index, const nb::object& callable,
                        std::vector<PyObject*>& arguments) {
        PyObject* result = invoke(run, callable, arguments, nullptr);
        PyObject* value = result ? materialised(result) : nullptr;
        Py_XDECREF(result);
        if (!value) fail(what, index, run);
        return nb::steal(value);
    }

    Session* session_;
    std::unique_ptr<Exploration> engine_;
    std::vector<Action> functions_;
    std::vector<nb::object> predicates_, tally_functions_;
    std::vector<Tally> tallies_;
    std::vector<nb::object> parts_;
    std::vector<std::pair<bool, bool>> part_traits_;       // monotone, total
    std::vector<std::unique_ptr<PartTable>> part_tables_;  // null: a function
    nb::object measure_ = nb::none(), place_, place_part_, part_leq_, leq_, minimal_, disorder_, nonlinear_, tick_, verify_, number_,
               collected_, draft_, chooser_, failure_ = nb::none();
    std::vector<Question> watches_;
    std::map<std::pair<Id, std::int64_t>, Id> later_;  // values of the clock met after so long
};

}  // namespace

void bind_explorer(nb::module_& m) {
    m.def(
        "materialise", [](nb::object object) { return nb::steal(materialised(object.ptr())); },
        "The value of a bag, queue or array of a view; anything else is returned as it is.");
    nb::class_<Explorer>(m, "Explorer")
        .def(nb::init<const nb::dict&, const nb::dict&>(), nb::arg("values"), nb::arg("callbacks"))
        .def("add_variable", &Explorer::add_variable)
        .def("add_action", &Explorer::add_action)
        .def("add_values", &Explorer::add_values)
        .def("add_event", &Explorer::add_event)
        .def("add_predicate", &Explorer::add_predicate)
        .def("add_formula", &Explorer::add_formula)
        .def("set_measure", &Explorer::set_measure)
        .def("set_linear_measure", &Explorer::set_linear_measure)
        .def("linear_value", &Explorer::linear_value)
        .def("stored", &Explorer::stored)
        .def("add_property", &Explorer::add_property)
        .def("add_tally", &Explorer::add_tally)
        .def("tallies", &Explorer::tallies)
        .def("add_target", &Explorer::add_target)
        .def("run", &Explorer::run)
        .def("chooser", &Explorer::chooser)
        .def("add_layer", &Explorer::add_layer, nb::arg("below") = nb::none())
        .def("counters", &Explorer::counters)
        .def("action_counters", &Explorer::action_counters)
        .def("regress_edges", &Explorer::regress_edges)
        .def("add_part", &Explorer::add_part)
        .def("add_table_part", &Explorer::add_table_part)
        .def("add_part_value", &Explorer::add_part_value, nb::arg("part"), nb::arg("below") = nb::none())
        .def("part_values", &Explorer::part_values)
        .def("profile_values", &Explorer::profile_values)
        .def("profile", &Explorer::profile)
        .def("decisions", &Explorer::decisions)
        .def("survey", &Explorer::survey)
        .def("follow", &Explorer::follow)
        .def("failure", &Explorer::failure)
        .def("close", &Explorer::close);
}

}  // namespace sweep::python
