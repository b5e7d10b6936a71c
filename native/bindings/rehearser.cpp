#include "rehearser.hpp"

#include <algorithm>
#include <utility>

#include "drafts.hpp"

namespace sweep::python {

namespace {

bool is_choice(const Event& event) { return event.ask == Ask::choose; }

}  // namespace

bool Rehearsed::is_run_of(const std::vector<std::uint32_t>& asked) const {
    if (asked.size() < script.size()) return false;
    std::size_t made = 0;
    for (const Event& event : path) {
        if (made == asked.size()) return true;
        if (is_choice(event) && event.key != asked[made++]) return false;
    }
    return made == asked.size();
}

std::optional<std::vector<std::uint32_t>> Rehearsed::next_script(std::size_t fixed) const {
    std::vector<std::uint32_t> made, next;
    for (const Event& event : path) {
        if (!is_choice(event)) continue;
        made.push_back(event.key);
        if (made.size() <= fixed || event.key + 1 >= event.argument) continue;
        next = made;
        ++next.back();
    }
    return next.empty() ? std::nullopt : std::optional(std::move(next));
}

Rehearser::Rehearser(const Session& of, const Description& description, const nb::dict& fit)
    : description_(description), advance_(of.domains, fit), session_(new Session(of, &advance_)), recording_(of.domains.program.schema) {
    try {
        draft_ = new_draft(session_);
        view_ = new_view(session_);
        chooser_ = new_chooser(session_);
        context_ = session_->domains.words.context(chooser_);
    } catch (...) {
        session_->close();
        throw;
    }
}

Rehearser::~Rehearser() { session_->close(); }

void Rehearser::rehearse(const Cue& cue, std::vector<Rehearsed>& runs, const std::atomic<bool>& stops) {
    std::optional<std::vector<std::uint32_t>> script = cue.script;
    while (script && runs.size() < most_runs && !stops.load(std::memory_order_relaxed)) {
        Rehearsed made;
        made.script = std::move(*script);
        if (!run(cue, made)) return;
        script = made.next_script(cue.script.size());
        runs.push_back(std::move(made));
    }
}

/// Whether the run may be kept: it came to an ordinary end, and asked nothing that cannot be said yet.
bool Rehearser::run(const Cue& cue, Rehearsed& into) {
    advance_.begin();
    table_.clear();
    recording_.begin(cue.state, table_, into.script);
    session_->run = &recording_;
    session_->generation = ++session_->runs;
    const bool ended = cue.function.role == Role::action ? act(cue.function.index, into) : evaluate(cue.function, into);
    session_->generation = 0;
    if (!ended || advance_.given_up) {
        PyErr_Clear();
        return false;
    }
    into.path = std::exchange(recording_.path, {});
    into.ops = std::exchange(recording_.ops, {});
    into.touched = recording_.touched;
    into.values = std::exchange(advance_.values, {});
    return true;
}

bool Rehearser::act(std::uint32_t index, Rehearsed& into) {
    const ActionFunction& action = description_.actions[index];
    arguments_.assign(2, nullptr);
    for (const nb::object& argument : action.arguments) arguments_.push_back(argument.ptr());
    renew(chooser_);
    const nb::object result = call(action.function, draft_, arguments_, action.names.ptr());
    into.enabled = result.is_valid();
    if (result.is_valid()) return result.is_none();
    return PyErr_ExceptionMatches(session_->domains.words.disabled.ptr()) && (PyErr_Clear(), true);
}

bool Rehearser::evaluate(FunctionId id, Rehearsed& into) {
    arguments_.assign(2, nullptr);
    const nb::object result = call(description_.reader(id, session_->domains), view_, arguments_, nullptr);
    if (result.is_valid()) into.value = nb::steal(materialised(result.ptr()));
    return into.value.is_valid();
}

nb::object Rehearser::call(const nb::object& function, nb::object& state, std::vector<PyObject*>& arguments, PyObject* names) {
    if (Py_REFCNT(state.ptr()) > 1)
        state = &state == &draft_ ? new_draft(session_) : new_view(session_);
    else
        renew(state);
    arguments[1] = state.ptr();
    return nb::steal(PyObject_Vectorcall(function.ptr(), arguments.data() + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, names));
}

}  // namespace sweep::python
