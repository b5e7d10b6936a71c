#pragma once
#include <nanobind/nanobind.h>

#include "session.hpp"

namespace sweep::python {

/// The value of a scalar, or a number in question where the run compares numbers. Owned; nothing with a Python error set.
PyObject* scalar_value(Session* session, const Domain& domain, std::uint32_t field);
/// Give a scalar a value; -1 with a Python error set when that is not possible.
int set_scalar(Session* session, Domain& domain, std::uint32_t field, PyObject* value);

/// A number in question. Owned; nothing with a Python error set.
PyObject* make_number(Session* session, const Sum& sum);

/// A token that was just taken, or its number where that is in question. Owned; nothing with a Python error set.
PyObject* token_value(Session* session, const Domain& domain, Id id);
/// Add a token to a bag that is a number in question. False, with no Python error set, when it is none or has to be looked at.
bool add_number(Session* session, std::uint32_t bag, PyObject* token, std::uint32_t count);

/// A value with plain numbers for those in question, in tuples as well. Owned; nothing with a Python error set.
PyObject* without_questions(PyObject* value);

}  // namespace sweep::python
