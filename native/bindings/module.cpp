#include <nanobind/nanobind.h>

#include "description.hpp"
#include "drafts.hpp"
#include "explorer.hpp"
#include "reading.hpp"
#include "results.hpp"
#include "site.hpp"
#include "sweep/store/memory.hpp"

NB_MODULE(_core, m) {
    // An exception that somebody keeps, as every interactive session does, keeps its run: no reason to alarm at exit.
    nanobind::set_leak_warnings(false);
    sweep::python::ready_types();
    m.doc() = "The native core of sweepcheck.";
    nanobind::class_<sweep::MemoryMark>(m, "MemoryMark", "Knows the most that this process held since it was made.")
        .def(nanobind::init<>())
        .def("most", &sweep::MemoryMark::most, "Bytes.");
    m.def("resident_bytes", &sweep::resident_bytes, "Bytes of physical memory this process holds now.");
    sweep::python::bind_description(m);
    sweep::python::bind_reading(m);
    sweep::python::bind_results(m);
    sweep::python::bind_explorer(m);
    sweep::python::bind_site(m);
}
