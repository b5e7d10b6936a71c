#pragma once
#include <nanobind/nanobind.h>

#include <vector>

#include "domains.hpp"

namespace sweep::python {

/// A Bag, Queue or Array from the ids it holds, which are as in `Unpacked`; nothing, with a Python error set, when that fails.
nb::object build(const Domains& domains, const PythonVariable& variable, const std::vector<Id>& held);

/// A state as Python has it: a tuple of the variables' values; and back, where new values get their ids.
nb::object python_state(const Domains& domains, const Unpacked& state);
Unpacked unpacked_state(Domains& domains, nb::handle state);

/// The same of a packed one.
nb::object python_state(const Domains& domains, const Word* state);

/// Several of them.
nb::list python_states(const Domains& domains, const std::vector<Unpacked>& states);

}  // namespace sweep::python
