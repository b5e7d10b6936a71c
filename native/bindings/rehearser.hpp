#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "advance.hpp"
#include "description.hpp"
#include "session.hpp"
#include "sweep/program/rehearsal.hpp"

namespace sweep::python {

/// A run that was made before its turn: what it asked and did, or the value that it came to.
struct Rehearsed {
    std::vector<std::uint32_t> script;  // choices that it was told to make
    std::vector<Event> path;
    std::vector<Op> ops;
    bool touched = false, enabled = false;
    std::vector<NewValue> values;  // that ops refer to, in the order in which they were met
    nb::object value;              // of a function that only reads

    /// Whether a run with this script makes the same choices: the rest of them are the first there are.
    bool is_run_of(const std::vector<std::uint32_t>& asked) const;
    /// The next script, as choices are tried in turn, that begins as long as this one with the same; nothing when there is none.
    std::optional<std::vector<std::uint32_t>> next_script(std::size_t fixed) const;
};

/// Runs functions before their turn, in a thread of its own: in a session, on a draft and with a recording that nobody else has.
class Rehearser {
public:
    /// `fit`: see `Advance`.
    Rehearser(const Session& of, const Description& description, const nb::dict& fit);
    Rehearser(const Rehearser&) = delete;
    Rehearser& operator=(const Rehearser&) = delete;
    ~Rehearser();

    /// Make the runs of a cue as far as they can be made now, or until it is to stop.
    void rehearse(const Cue& cue, std::vector<Rehearsed>& runs, const std::atomic<bool>& stops);
    nb::object context() const { return context_; }

private:
    bool run(const Cue& cue, Rehearsed& into);
    bool act(std::uint32_t action, Rehearsed& into);
    bool evaluate(FunctionId id, Rehearsed& into);
    nb::object call(const nb::object& function, nb::object& state, std::vector<PyObject*>& arguments, PyObject* names);

    static constexpr std::size_t most_runs = 1 << 10;  // of a cue: what is kept of all of them takes room
    const Description& description_;
    Advance advance_;
    Session* session_;
    nb::object draft_, view_, chooser_;
    nb::object context_;  // in which functions find the chooser
    Recording recording_;
    Trie table_;                        // for what recordings refer to
    std::vector<PyObject*> arguments_;  // borrowed, behind two places for the call
};

}  // namespace sweep::python
