#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <exception>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "description.hpp"
#include "session.hpp"
#include "sweep/engine.hpp"

namespace sweep::python {

/// Why a run broke off.
struct Failure {
    /// raised: a function raised an error, or gave what it may not give. impure: it did something else when it was run again.
    /// regress: a step went back. crowded: a bag holds more tokens than can be counted.
    enum class Kind { raised, impure, regress, crowded } kind = Kind::raised;
    enum class Of { action, predicate, function, measure } of = Of::action;  // raised, impure: which function
    std::uint32_t index = 0;                                                 // and which of these
    nb::object state = nb::none();                                           // where it was run, or the step began
    nb::object error = nb::none();                                           // raised: the exception, if there was one
    nb::object successor = nb::none();                                       // regress: where the step led
    nb::object bag = nb::none();                                             // crowded: its name
};

/// Leaves the engine; what happened is kept beside, as Python objects must not travel without the interpreter lock.
struct BrokenOff : std::exception {};

/// The engine's questions answered in Python. The engine runs without the interpreter lock; it is taken here and nowhere else.
class PythonFunctions final : public Oracle {
public:
    /// `answers` is `sweepcheck.engines.native.exploration.Exploration`: asked about progress values and told of events.
    PythonFunctions(Session& session, const Description& description, nb::handle answers);
    /// Let go of every Python object: `answers` refer back to whoever holds this one.
    void close();

    bool run_action(std::uint32_t action, Run& run) override;
    bool run_predicate(std::uint32_t predicate, Run& run) override;
    LayerId run_measure(Run& run) override;
    std::uint32_t run_part(std::uint32_t part, Run& run) override;
    std::uint32_t run_function(std::uint32_t tally, Run& run) override;
    Id stamped(std::uint32_t bag, Id kind, std::int64_t wait) override;
    Id later(Id clock, std::int64_t passed) override;
    bool part_leq(std::uint32_t part, std::uint32_t one, std::uint32_t other) override;
    bool leq(LayerId one, LayerId other) override;
    LayerId minimal(const std::vector<LayerId>& layers) override;
    [[noreturn]] void disorder(LayerId layer) override;
    bool tick() override;
    void collected(LayerId current, std::uint64_t before) override;
    void verify(const Word* state, const std::vector<const Word*>& successors) override;
    [[noreturn]] void regress(const Word* state, LayerId layer, const Word* successor, LayerId next) override;
    [[noreturn]] void impure(const char* what, std::uint32_t index, const Word* state) override;

    nb::object chooser() const { return chooser_; }
    const Failure& failure() const { return failure_; }

private:
    /// What the measure, or a part of it, comes to: the number of its value.
    std::uint32_t measured(std::uint32_t part, const nb::object& function, Run& run);
    /// The value of a function that only reads.
    nb::object evaluate(const nb::object& function, Failure::Of of, std::uint32_t index, Run& run);
    PyObject* invoke(const nb::object& function, nb::object& state, PyObject** arguments, PyObject* names, Run& run);
    void end_run() { session_.generation = 0; }
    [[noreturn]] void fail(Failure::Of of, std::uint32_t index, const Run& run);
    nb::object python(const Word* state) const;

    Session& session_;
    const Description& description_;
    std::vector<std::vector<PyObject*>> arguments_;  // per action: two places for the call, then borrowed from the description
    nb::object draft_, view_, chooser_;
    nb::object place_, leq_, minimal_, disorder_, number_, tick_, verify_, collected_;
    Failure failure_;
    std::map<std::pair<Id, std::int64_t>, Id> later_;  // values of the clock met after so long
};

}  // namespace sweep::python
