#pragma once
#include <nanobind/nanobind.h>

#include "session.hpp"

namespace sweep::python {

/// Create the Python types of drafts, views and editors: when the module is imported, as runs may begin in several threads at once.
void ready_types();

/// A draft or a view of the state of the run in progress, and the object that `choose` talks to.
nb::object new_draft(Session* session);
nb::object new_view(Session* session);
nb::object new_chooser(Session* session);
/// Let one of these be of use in the run in progress.
void renew(const nb::object& object);

/// The value of an editor or view; anything else is returned as it is. Owned; nothing with a Python error set.
PyObject* materialised(PyObject* object);

}  // namespace sweep::python
