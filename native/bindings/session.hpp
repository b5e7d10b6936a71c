#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "domains.hpp"
#include "sweep/program/recording.hpp"

namespace sweep::python {

// Where several threads run Python at once, whoever kept a draft may let go of it in any of them.
#ifdef Py_GIL_DISABLED
using References = std::atomic<std::int64_t>;
#else
using References = std::int64_t;
#endif

/// The editor and the view of a variable: they are handed out again as long as nobody keeps them.
struct HandedOut {
    PyObject *editor = nullptr, *view = nullptr;
};

/// What an action had to choose from in one of its last runs: as it was offered, the distinct ones, and their hash.
struct Offer {
    nb::object offered, found;
    Py_ssize_t length = 0;  // of a list
    std::uint64_t run = 0;
    Py_hash_t hash = 0;
    Progression progression{};
};

class Advance;

/// What drafts, views and editors look at: the run in progress. Outlives the engine for whoever kept one of them.
struct Session {
    explicit Session(nb::handle vocabulary) : Session(std::make_shared<Domains>(vocabulary), nullptr) {}
    /// Another one for the same model, in which functions are run before their turn.
    Session(const Session& of, Advance* before_its_turn) : Session(of.shared, before_its_turn) {}

    const std::shared_ptr<Domains> shared;
    Domains& domains;
    Advance* const advance;             // where functions are run before their turn
    std::vector<HandedOut> handed_out;  // per variable, once there are some
    Recording* run = nullptr;
    std::uint64_t generation = 0;  // of the run in progress; 0 between runs
    std::uint64_t runs = 0;
    std::vector<Offer> offers;   // by position of the choice in its run
    std::uint64_t choosing = 0;  // the run that chose last, and how often
    std::size_t choices = 0;
    nb::dict fold_numbers;  // what tells folds apart -> their numbers
    std::vector<std::shared_ptr<Fold>> folds;
    nb::dict sieve_numbers;  // what tells sieves apart -> their numbers
    References references = 1;

    void retain() { ++references; }
    void release() {
        if (--references == 0) delete this;
    }
    /// Let go of what it keeps that keeps it. Nothing is of use any more, and it is gone when nobody else has kept anything.
    void close();

private:
    Session(std::shared_ptr<Domains> of, Advance* before_its_turn) : shared(std::move(of)), domains(*shared), advance(before_its_turn) {}
};

}  // namespace sweep::python
