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

nb::object name_of(const Domains& domains, std::uint32_t field) {
    for (const PythonVariable& variable : domains.variables)
        if (variable.field == field) return variable.name;
    return nb::none();
}

/// Editors and views that are kept to be handed out again keep their session, which keeps them.
void let_go(Session* session) {
    for (PythonVariable& variable : session->domains.variables) {
        Py_CLEAR(variable.editor);
        Py_CLEAR(variable.view);
    }
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
    engine_.reset();
    functions_.reset();
    let_go(session_);
}

std::variant<Stop, Failure> Explorer::run(Settings settings, bool survey) {
    settings.by_progress = !description_.measure.is_none();
    Domains& domains = session_->domains;
    engine_ = std::make_unique<Engine>(domains.model, *functions_, std::move(settings));  // first: its counters are read in any case
    description_.hand_over(*engine_, domains);
    if (survey) engine_->survey = std::make_unique<Survey>(description_.actions.size());
    std::vector<Unpacked> roots;
    for (nb::handle state : description_.initial) roots.push_back(unpacked_state(domains, state));
    domains.check_countable();
    try {
        const nb::gil_scoped_release release;
        try {
            engine_->add_initial(roots);
            return engine_->run();
        } catch (...) {  // an interrupted run has results too
            engine_->finish();
            throw;
        }
    } catch (const BrokenOff&) {
        return functions_->failure();
    } catch (const TooManyTokens& crowded) {
        Failure failure;
        failure.kind = Failure::Kind::crowded;
        failure.bag = name_of(domains, crowded.field);
        return failure;
    }
}

nb::list Explorer::follow(std::uint64_t root, const std::vector<std::uint64_t>& edges) {
    try {
        return python_states(session_->domains, engine_->follow(root, edges));
    } catch (const BrokenOff&) {
        const nb::object error = functions_->failure().error;
        if (error.is_none()) throw std::runtime_error("a function of the model broke off");
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
        throw nb::python_error();
    }
}

std::uint32_t Explorer::add_value(std::uint32_t part, std::optional<std::uint32_t> below) {
    return description_.parts.empty() ? engine_->add_layer(below) : engine_->product.add_value(part, below);
}

std::vector<std::int64_t> Explorer::linear_value(LayerId layer) const {
    const LinearMeasure::Value& value = engine_->linear_value(layer);
    return {value.begin(), value.begin() + static_cast<std::ptrdiff_t>(session_->domains.linear.components.size())};
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
        .def("run", &Explorer::run, nb::arg("settings"), nb::arg("survey"), "Explore; why it stopped, or broke off.")
        .def("follow", &Explorer::follow, nb::arg("root"), nb::arg("edges"),
             "The states along a path of edge positions from an initial state.")
        .def("add_value", &Explorer::add_value, nb::arg("part"), nb::arg("below") = nb::none(),
             "A new progress value of a part of the measure, right after another in its total order, or first; its number.")
        .def("linear_value", &Explorer::linear_value, nb::arg("layer"),
             "The numbers of a layer's progress value, of a measure that is a sum.")
        .def("stored", &Explorer::stored, nb::arg("variable"), nb::arg("value"), "The value of a variable that equals this one.")
        .def("close", &Explorer::close, "Let go of every Python object, which may refer back to whoever holds this one.")
        .def_prop_ro("chooser", &Explorer::chooser, "What choose() and stay() talk to.")
        .def_prop_ro(
            "progress", [](const Explorer& e) { return progress(e.engine()); },
            "The numbers of the progress values of the states at work; empty before there are any.")
        .def_prop_ro("counters", [](const Explorer& e) { return e.engine().counters; })
        .def_prop_ro(
            "trace_bytes", [](const Explorer& e) { return e.engine().parent_file_bytes(); }, "Of the parent file.")
        .def_prop_ro(
            "trace_error", [](const Explorer& e) { return e.engine().parent_file_error(); },
            "Why the parent file was given up, as in errno; 0 when it was not.")
        .def("actions", [](const Explorer& e) { return action_results(e.engine(), e.domains()); })
        .def("profile", [](const Explorer& e) { return profile(e.engine()); })
        .def(
            "decisions", [](const Explorer& e) { return decisions(e.engine(), e.domains()); }, "By property; None where none is decided.")
        .def("tallies", [](const Explorer& e) { return tallies(e.engine(), e.domains()); })
        .def("survey", [](const Explorer& e) { return survey(e.engine(), e.domains()); });
}

}  // namespace sweep::python
