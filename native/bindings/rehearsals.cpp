#include "rehearsals.hpp"

#include <nanobind/stl/function.h>

#include <chrono>
#include <system_error>
#include <utility>

#include "sweep/program/resolver.hpp"

namespace sweep::python {

namespace {

constexpr double between_looks = 0.02;     // seconds: whether a signal has come
constexpr double until_broken_off = 0.05;  // seconds: a run that takes longer is broken off after a signal

#ifdef Py_GIL_DISABLED
/// Several threads are about to look at an object again and again. To count references to it they would take turns with the memory where
/// that is counted, which takes longer than much of what a function does. What cannot change and holds nothing but the like is there to
/// stay: these are constants of a model, and few. Other objects are let go of when garbage is collected.
void share(PyObject* object) {
    const bool lasts = PyTuple_CheckExact(object) || PyFrozenSet_CheckExact(object) || PyLong_CheckExact(object) ||
                       PyUnicode_CheckExact(object) || PyFloat_CheckExact(object);
    if (lasts && _Py_IsOwnedByCurrentThread(object)) Py_SET_REFCNT(object, PY_SSIZE_T_MAX);
#if PY_VERSION_HEX >= 0x030E0000
    if (PyFunction_Check(object) || PyList_CheckExact(object) || PyDict_CheckExact(object) || PyAnySet_CheckExact(object) ||
        PyContextVar_CheckExact(object))
        PyUnstable_Object_EnableDeferredRefcount(object);
#endif
}
#else
void share(PyObject*) {}
#endif

}  // namespace

PythonRehearsals::PythonRehearsals(const Session& session, const Description& description, const Sharing& sharing, BrokenOffAt broken_off)
    : session_(session),
      description_(description),
      from_(sharing.rehearse_from),
      count_(sharing.workers),
      broken_off_(std::move(broken_off)) {}

PythonRehearsals::~PythonRehearsals() {
    if (helpers_.empty()) return;
    const nb::gil_scoped_release release;
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    begins_.notify_all();
    for (const auto& helper : helpers_) helper->thread.join();
}

/// Everything that holds Python is made, and let go of, by who owns this.
void PythonRehearsals::begin() {
    begun_ = true;
    for (nb::handle one : session_.domains.words.outsides(description_.functions())) share(one.ptr());
    for (std::uint32_t i = 0; i < count_; ++i) {
        helpers_.push_back(std::make_unique<Helper>(Helper{std::make_unique<Rehearser>(session_, description_, fit_)}));
        Helper& helper = *helpers_.back();
        try {
            helper.thread = std::thread([this, &helper] { work(helper); });
        } catch (const std::system_error&) {  // there are as many as there can be
            helpers_.pop_back();
            return;
        }
    }
}

void PythonRehearsals::rehearse(std::vector<Cue>& cues) {
    const nb::gil_scoped_acquire lock;
    forget();
    if (!begun_) begin();
    if (helpers_.empty()) return;
    cues_ = cues;
    runs_.resize(cues.size());
    for (std::size_t i = 0; i < cues.size(); ++i) cue_of_.emplace(key_of(cues[i].function, cues[i].state), i);
    next_ = 0;
    stops_ = false;
    {
        const std::lock_guard guard(mutex_);
        ++turn_;
        working_ = static_cast<std::uint32_t>(helpers_.size());
        for (const auto& helper : helpers_) helper->at_work = true;
    }
    begins_.notify_all();
    while (!wait(between_looks)) {
        const nb::object looked = nb::steal(PyObject_CallNoArgs(session_.domains.words.look.ptr()));
        if (looked.is_valid()) continue;
        nb::python_error raised;
        end_runs();
        raised.restore();
        broken_off_(cues.front());
    }
}

/// Whether all runs have been made; waits for it so long, and lets others have the interpreter meanwhile.
bool PythonRehearsals::wait(double seconds) {
    const nb::gil_scoped_release release;
    std::unique_lock guard(mutex_);
    return ends_.wait_for(guard, std::chrono::duration<double>(seconds), [this] { return working_ == 0; });
}

/// No run is begun any more, and those that take long are broken off.
void PythonRehearsals::end_runs() {
    stops_ = true;
    while (!wait(until_broken_off)) {
        std::vector<unsigned long> busy;
        {
            const std::lock_guard guard(mutex_);
            for (const auto& helper : helpers_)
                if (helper->at_work) busy.push_back(helper->identity);
        }
        for (const unsigned long identity : busy) PyThreadState_SetAsyncExc(identity, PyExc_KeyboardInterrupt);
    }
    for (const auto& helper : helpers_) PyThreadState_SetAsyncExc(helper->identity, nullptr);
}

void PythonRehearsals::forget() {
    if (cue_of_.empty()) return;
    const nb::gil_scoped_acquire lock;
    cue_of_.clear();
    runs_.clear();
    fit_.clear();
}

const Rehearsed* PythonRehearsals::find(FunctionId id, const Word* state, const std::vector<std::uint32_t>& script) const {
    const auto found = cue_of_.find(key_of(id, state));
    if (found == cue_of_.end()) return nullptr;
    for (const Rehearsed& one : runs_[found->second])
        if (one.is_run_of(script)) return &one;
    return nullptr;
}

// -- in the threads -------------------------------------------------------------------------------------------------------

/// Functions find what whoever began the run has set in its context.
void PythonRehearsals::work(Helper& helper) {
    const nb::gil_scoped_acquire attached;
    {
        const std::lock_guard guard(mutex_);
        helper.identity = PyThread_get_thread_ident();
    }
    try {
        helper.rehearser->context().attr("run")(nb::cpp_function([this, &helper] { take_turns(helper); }));
    } catch (nb::python_error&) {  // a run was broken off when it had just ended
    }
}

void PythonRehearsals::take_turns(Helper& helper) {
    for (std::uint64_t turn = 0;;) {
        {
            const nb::gil_scoped_release release;
            std::unique_lock guard(mutex_);
            begins_.wait(guard, [&] { return over_ || turn_ != turn; });
            if (over_) return;
            turn = turn_;
        }
        make_runs(*helper.rehearser);
        const std::lock_guard guard(mutex_);
        helper.at_work = false;
        if (--working_ == 0) ends_.notify_all();
    }
}

void PythonRehearsals::make_runs(Rehearser& by) {
    for (std::size_t i = next_++; i < cues_.size() && !stops_; i = next_++) {
        const auto start = SteadyClock::now();
        try {
            by.rehearse(cues_[i], runs_[i], stops_);
        } catch (const std::exception&) {  // they are made in turn
            PyErr_Clear();
        }
        cues_[i].seconds = seconds_since(start);
    }
}

}  // namespace sweep::python
