#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>

#include "domains.hpp"
#include "sweep/program/recording.hpp"

namespace sweep::python {

/// What drafts, views and editors look at: the run in progress. Outlives the engine for whoever kept one of them.
struct Session {
    explicit Session(nb::handle vocabulary) : domains(vocabulary) {}

    Domains domains;
    Recording* run = nullptr;
    std::uint64_t generation = 0;  // of the run in progress; 0 between runs
    std::uint64_t runs = 0;
    nb::object offered;  // the alternatives of the last choice, and their hash: offered again, they are not hashed again
    Py_hash_t offered_hash = 0;
    std::int64_t references = 1;

    void retain() { ++references; }
    void release() {
        if (--references == 0) delete this;
    }
};

}  // namespace sweep::python
