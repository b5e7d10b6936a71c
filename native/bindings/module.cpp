#include <nanobind/nanobind.h>

#include "explorer.hpp"
#include "sweep/store/memory.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
    // An exception that somebody keeps, as every interactive session does, keeps its run: no reason to alarm at exit.
    nb::set_leak_warnings(false);
    m.doc() = "The native core of sweepcheck.";
    m.def("resident_bytes", &sweep::resident_bytes, "Bytes of physical memory this process holds now.");
    sweep::python::bind_explorer(m);
}
