#pragma once
#include <nanobind/nanobind.h>

namespace sweep::python {

/// Files that the core reads itself.
void bind_reading(nanobind::module_& m);

}  // namespace sweep::python
