#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sweep/explore/exploration.hpp"
#include "testing.hpp"

/// Small programs on scalars, bags and queues of numbers, run in two ways: on plain values by a draft that is easy to
/// believe, and through `Recording`, as the engine records them.
namespace sweep::testing {

using Value = int;
using Values = std::vector<std::vector<Value>>;  // per variable: one value, the tokens of a bag in order, or a queue

struct Disabled {};

/// What one run may do; `Plain` and `Recorded` implement it.
class Draft {
public:
    virtual ~Draft() = default;
    virtual Value read(std::uint32_t field) = 0;
    virtual void write(std::uint32_t field, Value value) = 0;
    virtual int size(std::uint32_t field) = 0;
    virtual int count(std::uint32_t bag, Value token) = 0;
    virtual bool has(std::uint32_t bag, Value token, int count = 1) = 0;
    virtual Value any(std::uint32_t bag) = 0;
    virtual void add(std::uint32_t bag, Value token, int count) = 0;
    virtual void remove(std::uint32_t bag, Value token, int count = 1) = 0;
    virtual std::vector<Value> whole(std::uint32_t field) = 0;
    virtual void clear(std::uint32_t field) = 0;
    virtual std::optional<Value> element(std::uint32_t queue, int position) = 0;
    virtual void put(std::uint32_t queue, Value value) = 0;
    virtual void get(std::uint32_t queue) = 0;
    virtual int choose(int alternatives) = 0;
    virtual void touch() = 0;
    // What a recorded run may do without knowing the number.
    virtual bool at_least(std::uint32_t field, Value number);
    virtual bool equals(std::uint32_t field, Value number);
    virtual void move(std::uint32_t field, Value by);
};

/// A run on plain values. Choices take the scripted alternative, or the first; the script then says what is left to try.
class Plain final : public Draft {
public:
    struct Choice {
        int index, alternatives;
    };
    Plain(Values state, std::vector<Choice>& script) : values(std::move(state)), script_(script) {}

    Value read(std::uint32_t field) override { return values[field][0]; }
    void write(std::uint32_t field, Value value) override;
    int size(std::uint32_t field) override { return static_cast<int>(values[field].size()); }
    int count(std::uint32_t bag, Value token) override;
    bool has(std::uint32_t bag, Value token, int least = 1) override { return count(bag, token) >= least; }
    Value any(std::uint32_t bag) override;
    void add(std::uint32_t bag, Value token, int count) override;
    void remove(std::uint32_t bag, Value token, int count = 1) override;
    std::vector<Value> whole(std::uint32_t field) override;
    void clear(std::uint32_t field) override;
    std::optional<Value> element(std::uint32_t queue, int position) override;
    void put(std::uint32_t queue, Value value) override;
    void get(std::uint32_t queue) override;
    int choose(int alternatives) override;
    void touch() override { touched = true; }

    Values values;
    bool touched = false;

private:
    std::vector<Choice>& script_;
    std::size_t at_ = 0;
};

using Act = std::function<void(Draft&)>;

/// All enabled runs of an action from a state.
std::vector<Values> outcomes(const Act& action, const Values& state);

/// A model of programs.
struct TestProgram {
    std::vector<Kind> kinds;
    std::vector<Values> initial;
    std::vector<Act> actions;
    std::function<std::vector<Value>(Draft&)> measure;                                                    // if any
    std::function<bool(const std::vector<Value>&, const std::vector<Value>&)> leq = std::less_equal<>{};  // of progress
    bool total_order = true;
    std::vector<std::function<bool(Draft&)>> predicates;
};

/// The ids of values, handed out as they are met, so that domains grow in mid-run.
struct Domain {
    std::map<Value, Id> ids;
    std::vector<Value> values;
};

/// Carries programs out for the engine.
class Machine final : public Oracle {
public:
    explicit Machine(const TestProgram& program);
    ~Machine();  // where the engine is known, once for all tests

    /// Set up an exploration; `explore` starts it. With parts the measure is taken for a product of so many.
    Exploration& prepare(Settings settings, std::size_t measure_parts = 0);
    Stop explore();

    Id id(std::uint32_t field, Value value);
    Value value(std::uint32_t field, Id id) const;
    std::vector<Value> values_of(std::uint32_t field, const std::vector<Id>& held) const;
    Values plain(const Unpacked& state) const;
    Unpacked unpacked(const Values& state);

    bool act(std::uint32_t action, Recording& run) override;
    std::uint32_t evaluate(FunctionId id, Recording& run) override;
    void meet_number(std::uint32_t variable, std::int64_t number) override { id(variable, static_cast<Value>(number)); }
    Id stamped(std::uint32_t, Id, std::int64_t) override { throw std::logic_error("no time"); }
    Id later(Id, std::int64_t) override { throw std::logic_error("no time"); }
    Id beginning() override { throw std::logic_error("no time"); }
    std::vector<Symmetry::Member> named(std::uint32_t, Id) override { return {}; }
    Id renamed(std::uint32_t, Id value, const std::vector<std::uint32_t>&) override { return value; }
    std::uint32_t masked(std::uint32_t, Id value, const std::vector<std::uint32_t>&) override { return value; }
    Id translated(std::uint32_t, std::uint32_t, Id value) override { return value; }
    bool leq(std::uint32_t part, std::uint32_t one, std::uint32_t other) override;
    Place minimal(const std::vector<Place>& layers) override;
    void verify(const Word* state, const std::vector<const Word*>& successors) override;
    bool tick() override { return ++ticks == most_ticks; }

    Program core;
    std::vector<std::vector<Value>> progress;  // by layer
    std::vector<std::vector<Value>> parts;     // by part of a product measure, by value
    std::uint64_t ticks = 0, most_ticks = 0, verified = 0;

private:
    Place run_measure(Draft& draft);
    std::uint32_t run_part(std::uint32_t part, Draft& draft);

    const TestProgram& program_;
    std::vector<Domain> domains_;
    std::vector<Unpacked> roots_;
    std::unique_ptr<Exploration> exploration_;
    std::map<std::vector<Value>, Place> layers_;
};

/// A run that the engine records.
class Recorded final : public Draft {
public:
    Recorded(Machine& machine, Recording& run) : machine_(machine), run_(run) {}

    Value read(std::uint32_t field) override;
    bool at_least(std::uint32_t field, Value number) override;
    bool equals(std::uint32_t field, Value number) override;
    void move(std::uint32_t field, Value by) override;
    void write(std::uint32_t field, Value value) override;
    int size(std::uint32_t field) override;
    int count(std::uint32_t bag, Value token) override;
    bool has(std::uint32_t bag, Value token, int count = 1) override;
    Value any(std::uint32_t bag) override;
    void add(std::uint32_t bag, Value token, int count) override;
    void remove(std::uint32_t bag, Value token, int count = 1) override;
    std::vector<Value> whole(std::uint32_t field) override;
    void clear(std::uint32_t field) override;
    std::optional<Value> element(std::uint32_t queue, int position) override;
    void put(std::uint32_t queue, Value value) override;
    void get(std::uint32_t queue) override;
    int choose(int alternatives) override;
    void touch() override;

private:
    Machine& machine_;
    Recording& run_;
};

/// One step of a random action, as data: what it is, on which variable, with which numbers.
struct Step {
    int what;
    std::uint32_t field;
    Value number, other;
};

/// Draws programs: every operation in any order, values that grow, bags and queues that are bounded.
class Writer {
public:
    Writer(Random& random, int largest) : random_(random), largest_(largest) {}

    TestProgram draw(bool measured, bool total_order);

private:
    Value number();
    Step draw_step();

    Act action(bool measured, std::uint32_t clock);

    static bool test(const Step& step, const std::vector<Kind>& kinds, Draft& s);
    static void perform(const Step& step, const std::vector<Kind>& kinds, int largest, Value& last, Draft& s);
    static void bag_step(const Step& step, int largest, Value& last, Draft& s);
    static void queue_step(const Step& step, int largest, Value& last, Draft& s);

    Random& random_;
    int largest_;
    std::vector<Kind> kinds_;
};

/// The truth about a program: all its states by plain search.
struct Truth {
    std::set<Values> states;
    std::uint64_t edges = 0, dead = 0;
    std::map<std::vector<Value>, std::uint64_t> layers;  // progress value: states
    std::uint64_t peak = 0;                              // of a sweep that drops every layer when it is done
    bool too_large = false, regress = false;
};

std::vector<Value> progress_of(const TestProgram& program, const Values& state);

/// Given up where there are more states than so many.
Truth survey(const TestProgram& program, std::size_t most);

}  // namespace sweep::testing
