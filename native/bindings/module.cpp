#include <nanobind/nanobind.h>

#include "sweep/memory.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
    m.doc() = "The native core of sweepcheck.";
    m.def("resident_bytes", &sweep::resident_bytes, "Bytes of physical memory this process holds now.");
}
