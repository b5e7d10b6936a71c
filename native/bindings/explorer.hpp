#pragma once
#include <nanobind/nanobind.h>

namespace sweep::python {

void bind_explorer(nanobind::module_& m);

}  // namespace sweep::python
