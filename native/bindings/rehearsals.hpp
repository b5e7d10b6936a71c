#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <unordered_map>
#include <vector>

#include "rehearser.hpp"
#include "sweep/explore/settings.hpp"

namespace sweep::python {

/// Threads that run functions before their turn. Whoever wants that waits until it is done: the program, and the values that are known,
/// stay as they are meanwhile. It only waits, since it may be the thread that signals go to: what a handler of these raises must
/// not get lost in a function whose run is not kept.
class PythonRehearsals final : public Rehearsals {
public:
    /// `broken_off` is told, with an error set, where functions stood when the handler of a signal raised one; it throws.
    using BrokenOffAt = std::function<void(const Cue&)>;
    PythonRehearsals(const Session& session, const Description& description, const Sharing& sharing, BrokenOffAt broken_off);
    PythonRehearsals(const PythonRehearsals&) = delete;
    PythonRehearsals& operator=(const PythonRehearsals&) = delete;
    ~PythonRehearsals() override;

    bool pay(double seconds, std::size_t times) const override {
        return seconds >= from_ && seconds * static_cast<double>(times) >= from_ * worth;
    }
    void rehearse(std::vector<Cue>& cues) override;
    void forget() override;

    /// What was kept of a run; null where that is nothing.
    const Rehearsed* find(FunctionId id, const Word* state, const std::vector<std::uint32_t>& script) const;

private:
    struct Key {
        std::uint64_t function;
        const Word* state;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            return (reinterpret_cast<std::uintptr_t>(key.state) >> 3) * 0x9E3779B97F4A7C15u ^ key.function * 0xC2B2AE3D27D4EB4Fu;
        }
    };
    /// A thread, and what it works with.
    struct Helper {
        std::unique_ptr<Rehearser> rehearser;
        unsigned long identity = 0;  // by which Python knows it
        bool at_work = false;        // guarded
        std::thread thread = {};
    };

    static Key key_of(FunctionId id, const Word* state) {
        return {std::uint64_t{static_cast<std::uint8_t>(id.role)} << 32 | id.index, state};
    }
    void begin();
    void work(Helper& helper);
    void take_turns(Helper& helper);
    void make_runs(Rehearser& by);
    bool wait(double seconds);
    void end_runs();

    static constexpr double worth = 64;  // runs of the least length: to wake threads takes as long
    const Session& session_;
    const Description& description_;
    const double from_;          // seconds
    const std::uint32_t count_;  // of helpers
    const BrokenOffAt broken_off_;
    std::vector<std::unique_ptr<Helper>> helpers_;
    std::span<Cue> cues_;
    std::vector<std::vector<Rehearsed>> runs_;  // per cue
    std::unordered_map<Key, std::size_t, Hash> cue_of_;
    nb::dict fit_;                      // new values that runs came to, as they are kept
    std::atomic<std::size_t> next_{0};  // cue
    std::atomic<bool> stops_{false};
    std::mutex mutex_;  // nobody waits for the interpreter who has it
    std::condition_variable begins_, ends_;
    std::uint64_t turn_ = 0;
    std::uint32_t working_ = 0;
    bool begun_ = false, over_ = false;
};

}  // namespace sweep::python
