#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/function.hpp"

namespace sweep {

/// A run of a function that is about to be asked for: on which state and, of an action, with which choices. What it does with other choices
/// behind these is about to be asked for too.
struct Cue {
    FunctionId function;
    const Word* state;
    std::vector<std::uint32_t> script;
    double seconds = 0;  // that its runs took before their turn
};

/// Whoever can run functions of the model in several threads, before it is their turn. Nothing that is known changes by that: what a run
/// did is kept aside, and is entered when the run is asked for, instead of running the function once more. What cannot be said before its
/// turn is not kept. So all numbers are those of functions that run in turn.
class Rehearsals {
public:
    virtual ~Rehearsals() = default;
    /// Whether these pay for functions that take so many seconds, so many times.
    virtual bool pay(double seconds, std::size_t times) const = 0;
    /// Run what is about to be asked for, and say how long that took.
    virtual void rehearse(std::vector<Cue>& cues) = 0;
    /// Nobody will ask for what was kept.
    virtual void forget() = 0;

    /// Forgets when it ends.
    class Use {
    public:
        explicit Use(Rehearsals* of) : of_(of) {}
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;
        ~Use() {
            if (of_) of_->forget();
        }

    private:
        Rehearsals* of_;
    };
};

}  // namespace sweep
