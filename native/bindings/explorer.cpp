#include "explorer.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <utility>

#include "drafts.hpp"
#include "results.hpp"
#include "values.hpp"

namespace sweep::python {

namespace {

/// Editors and views that are kept to be handed out again keep their session, which keeps them.
void let_go(Session* session) {
    for (PythonVariable& variable : session->domains.variables) {
        Py_CLEAR(variable.editor);
        Py_CLEAR(variable.view);
    }
    session->offers.clear();
    session->generation = 0;
    session->release();
}

}  // namespace

Explorer::Explorer(nb::handle description, nb::handle answers) : session_(new Session(description.attr("vocabulary"))) {
    try {
        ready_types();
        description_ = describe(description, session_->domains);
        functions_ = std::make_unique<PythonFunctions>(*session_, description_, answers);
    } catch (...) {
        let_go(session_);
        throw;
    }
}

Explorer::~Explorer() {
    exploration_.reset();
    functions_.reset();
    let_go(session_);
}

std::variant<Stop, Failure> Explorer::run(Settings settings) {
    Domains& domains = session_->domains;
    description_.hand_over(domains.program);
    settings.when = description_.when;
    // First: its counters are read in any case.
    exploration_ = std::make_unique<Exploration>(domains.program, *functions_, std::move(settings));
    description_.hand_over(*exploration_, domains);
    std::vector<Unpacked> roots;
    for (nb::handle state : description_.initial) roots.push_back(unpacked_state(domains, state));
    domains.check_countable();
    try {
        const nb::gil_scoped_release release;
        try {
            return exploration_->run(roots);
        } catch (...) {  // an interrupted run has results too
            exploration_->finish();
            throw;
        }
    } catch (const BrokenOff&) {
        return functions_->failure();
    } catch (const Impure& met) {
        return functions_->told(met);
    } catch (const Regress& met) {
        return functions_->told(met);
    } catch (const Disagreement& met) {
        return functions_->told(met);
    } catch (const Disorder& met) {
        functions_->tell(met);
    } catch (const TooManyTokens& crowded) {
        Failure failure;
        failure.kind = Failure::Kind::crowded;
        failure.bag = domains.holding(crowded.field).name;
        return failure;
    }
}

nb::list Explorer::follow(std::uint64_t root, const std::vector<std::uint64_t>& edges) {
    try {
        return python_states(session_->domains, exploration_->follow(root, edges));
    } catch (const BrokenOff&) {
        const nb::object error = functions_->failure().error;
        if (error.is_none()) throw std::runtime_error("a function of the model broke off");
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
        throw nb::python_error();
    }
}

std::uint32_t Explorer::add_value(std::uint32_t part, std::optional<std::uint32_t> below) {
    return description_.parts.empty() ? exploration_->add_layer(below) : exploration_->product.add_value(part, below);
}

std::vector<std::int64_t> Explorer::linear_value(Place layer) const {
    const Sums& value = exploration_->layer_value(layer);
    return {value.begin(), value.begin() + static_cast<std::ptrdiff_t>(session_->domains.linear.components.size())};
}

nb::object Explorer::counted(std::size_t index, nb::handle number) const {
    const Summand& summand = session_->domains.summands.at(index);
    return summand.values[nb::cast<std::size_t>(summand.ids[number])];
}

nb::object Explorer::stored(std::size_t variable, nb::handle value) {
    Domains& domains = session_->domains;
    Domain& domain = domains.variables.at(variable).domain;
    Id id = 0;
    if (!domains.intern(domain, value.ptr(), id, true)) throw nb::python_error();
    return nb::borrow(domains.value(domain, id));
}

void Explorer::close() {
    functions_->close();
    description_.close();
    for (Summand& summand : session_->domains.summands) summand.function = nb::none();
}

void bind_explorer(nb::module_& m) {
    m.def(
        "materialise",
        [](nb::handle value) {
            nb::object whole = nb::steal(materialised(value.ptr()));
            if (!whole.is_valid()) throw nb::python_error();
            return whole;
        },
        nb::arg("value"), "The value of a bag, queue or array of a view; anything else is returned as it is.");
    nb::class_<Explorer>(m, "Explorer", "One exploration: a description goes in, numbers come out.")
        .def(nb::init<nb::handle, nb::handle>(), nb::arg("description"), nb::arg("answers"))
        .def("run", &Explorer::run, nb::arg("settings"), "Explore; why it stopped, or broke off.")
        .def("follow", &Explorer::follow, nb::arg("root"), nb::arg("edges"),
             "The states along a path of edge positions from an initial state.")
        .def("add_value", &Explorer::add_value, nb::arg("part"), nb::arg("below") = nb::none(),
             "A new progress value of a part of the measure, right after another in its total order, or first; its number.")
        .def("linear_value", &Explorer::linear_value, nb::arg("layer"),
             "The numbers of a layer's progress value, of a measure that is a sum.")
        .def("stored", &Explorer::stored, nb::arg("variable"), nb::arg("value"), "The value of a variable that equals this one.")
        .def("counted", &Explorer::counted, nb::arg("summand"), nb::arg("number"),
             "The value of a summand of the measure that equals this one.")
        .def("close", &Explorer::close, "Let go of every Python object, which may refer back to whoever holds this one.")
        .def_prop_ro("chooser", &Explorer::chooser, "What choose() and stay() talk to.")
        .def_prop_ro(
            "progress", [](const Explorer& e) { return progress(e.exploration()); },
            "The numbers of the progress values of the states at work; empty before there are any.")
        .def_prop_ro("counters", [](const Explorer& e) { return counters(e.exploration()); })
        .def_prop_ro(
            "edge_bytes", [](const Explorer& e) { return e.exploration().edge_bytes(); }, "Of all edges, where they were written down.")
        .def_prop_ro(
            "edge_error", [](const Explorer& e) { return e.exploration().edge_error(); },
            "Why no more edges could be kept, as in errno; -1: the limit was reached; 0: all were.")
        .def_prop_ro(
            "trace_bytes", [](const Explorer& e) { return e.exploration().ledger().parent_bytes(); }, "Of the parent file.")
        .def_prop_ro(
            "trace_error", [](const Explorer& e) { return e.exploration().ledger().parent_error(); },
            "Why the parent file was given up, as in errno; 0 when it was not.")
        .def("actions", [](const Explorer& e) { return action_results(e.exploration(), e.domains()); })
        .def(
            "measure", [](const Explorer& e) { return measure_results(e.domains()); },
            "What the functions of the measure cost that were run at all.")
        .def("profile", [](const Explorer& e) { return profile(e.exploration()); })
        .def(
            "decisions", [](const Explorer& e) { return decisions(e.exploration(), e.domains()); },
            "By property; None where none is decided.")
        .def("contents", [](const Explorer& e) { return contents(e.domains()); })
        .def("tallies", [](const Explorer& e) { return tallies(e.exploration(), e.domains()); })
        .def("survey", [](const Explorer& e) { return survey(e.exploration(), e.domains()); });
}

}  // namespace sweep::python
