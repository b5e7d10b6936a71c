#include "explorer.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "drafts.hpp"
#include "results.hpp"
#include "values.hpp"

namespace sweep::python {

Explorer::Explorer(nb::handle description, nb::handle answers) : session_(new Session(description.attr("vocabulary"))) {
    try {
        description_ = describe(description, session_->domains);
        functions_ = std::make_unique<PythonFunctions>(*session_, description_, answers);
        see_ = answers.attr("see_edge");
    } catch (...) {
        session_->close();
        throw;
    }
}

Explorer::~Explorer() {
    exploration_.reset();
    functions_.reset();
    session_->close();
}

/// Hand everything over; so many of the initial states, at most.
Roots Explorer::begin(Settings settings, std::size_t most) {
    Domains& domains = session_->domains;
    description_.hand_over(domains.program);
    settings.when = description_.when;
    functions_->rehearse_with(settings.sharing);
    // First: its counters are read in any case.
    exploration_ = std::make_unique<Exploration>(domains.program, *functions_, std::move(settings));
    description_.hand_over(*exploration_, domains);
    if (!see_.is_none())
        exploration_->see_edge = [this](std::uint32_t action, const Word* old, const Word* next) { return see_edge(action, old, next); };
    Roots roots;
    initial_ = nb::iter(description_.initial);
    add_roots(roots, most);
    return roots;
}

bool Explorer::add_roots(Roots& roots, std::size_t most) {
    const std::size_t before = roots.size();
    Domains& domains = session_->domains;
    while (roots.size() - before < most) {
        const nb::object state = nb::steal(PyIter_Next(initial_.ptr()));
        if (!state.is_valid()) break;
        roots.add(unpacked_state(domains, state));
    }
    if (PyErr_Occurred()) throw nb::python_error();
    domains.check_countable();
    return roots.size() != before;
}

std::variant<Stop, Failure> Explorer::run(Settings settings) {
    constexpr std::size_t together = 256;  // initial states: there may be millions, and they are explored as they are made
    Roots roots = begin(std::move(settings), together);
    exploration_->more_roots = [this](Roots& more) {
        const nb::gil_scoped_acquire lock;
        return add_roots(more, together);
    };
    return ended([&] { return exploration_->run(std::move(roots)); });
}

std::variant<Stop, Failure> Explorer::walk(Settings settings, const WalkSettings& asked) {
    Roots roots = begin(std::move(settings));
    return ended([&] { return exploration_->walk(std::move(roots), asked); });
}

std::variant<Stop, Failure> Explorer::compare(Settings settings, const Comparison::Settings& asked) {
    Roots roots = begin(std::move(settings));
    return ended([&] { return exploration_->compare(std::move(roots), asked); });
}

std::optional<WalkWay> Explorer::way_to(nb::handle state) {
    return exploration_->walks()->way_to(unpacked_state(session_->domains, state));
}

bool Explorer::see_edge(std::uint32_t action, const Word* old, const Word* next) {
    const nb::gil_scoped_acquire lock;
    const auto width = static_cast<std::size_t>(session_->domains.program.schema.layout.words);
    if (source_words_.size() != width || !std::equal(old, old + width, source_words_.begin())) {
        source_ = python_state(session_->domains, old);
        source_words_.assign(old, old + width);
    }
    return nb::cast<bool>(see_(source_, action, python_state(session_->domains, next)));
}

nb::list Explorer::follow(std::uint64_t root, const std::vector<std::uint64_t>& edges) {
    return followed(exploration_->roots()[root], edges);
}

nb::list Explorer::followed(const Unpacked& from, const std::vector<std::uint64_t>& edges) {
    try {
        return python_states(session_->domains, exploration_->follow(from, edges));
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

std::optional<std::uint32_t> Explorer::graph_number(nb::handle state) {
    return exploration_->number_in_graph(unpacked_state(session_->domains, state));
}

std::vector<bool> Explorer::tree_truths(std::size_t tree, std::uint32_t number) const {
    return exploration_->tree_questions()->truths(tree, number);
}

TreeWay Explorer::tree_way(std::size_t tree, std::uint32_t node, std::uint32_t number) const {
    const nb::gil_scoped_release release;
    return exploration_->tree_questions()->way(tree, node, number);
}

int Explorer::save(const std::string& path, bool over) {
    const nb::gil_scoped_release release;
    return exploration_->save(path, over);
}

Explorer::Values Explorer::values(std::size_t variable) const {
    const Domain& domain = session_->domains.variables.at(variable).domain;
    const auto listed = [](const Domain& one) { return std::pair{nb::list(one.values), one.asked}; };
    const auto [tokens, asked] = listed(domain);
    if (!domain.kinds) return {tokens, asked, nb::list(), {}};
    const auto [kinds, kinds_asked] = listed(*domain.kinds);
    return {tokens, asked, kinds, kinds_asked};
}

bool Explorer::restore(std::size_t variable, nb::list values, const std::vector<std::uint8_t>& asked, nb::list kinds,
                       const std::vector<std::uint8_t>& kinds_asked) {
    Domains& domains = session_->domains;
    const auto give = [&](Domain& domain, const nb::list& all, const std::vector<std::uint8_t>& only_asked) {
        if (all.size() != only_asked.size()) return false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            Id id = 0;
            if (!domains.intern(domain, nb::object(all[i]).ptr(), id, only_asked[i] != 0)) throw nb::python_error();
            if (id != i + domain.base) return false;
        }
        return nb::len(domain.values) == all.size();
    };
    Domain& domain = domains.variables.at(variable).domain;
    if (domain.kinds && !give(*domain.kinds, kinds, kinds_asked)) return false;
    return give(domain, values, asked);
}

void Explorer::close() {
    functions_->close();
    see_ = source_ = initial_ = nb::none();
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
        nb::arg("value").none(), "The value of a bag, queue or array of a view; anything else is returned as it is.");
    nb::class_<Explorer>(m, "Explorer", "One exploration: a description goes in, numbers come out.")
        .def(nb::init<nb::handle, nb::handle>(), nb::arg("description"), nb::arg("answers"))
        .def("run", &Explorer::run, nb::arg("settings"), "Explore; why it stopped, or broke off.")
        .def("walk", &Explorer::walk, nb::arg("settings"), nb::arg("asked"), "Explore by random walks; why they stopped, or broke off.")
        .def("compare", &Explorer::compare, nb::arg("settings"), nb::arg("asked"),
             "Compare states with those that stand for them, on a walk; how that ended, or broke off.")
        .def_prop_ro(
            "walked", [](const Explorer& e) { return walked(e.exploration()); }, "What the walks came to.")
        .def("way_to", &Explorer::way_to, nb::arg("state"),
             "Of the walks that were to be continued when a function failed: the way to a state.")
        .def_prop_ro(
            "spilled_bytes", [](const Explorer& e) { return e.exploration().spill() ? e.exploration().spill()->most_bytes() : 0; },
            "Of the file where states lie that memory has no room for, at most.")
        .def_prop_ro(
            "spills", [](const Explorer& e) { return e.exploration().spill() ? e.exploration().spill()->times() : 0; },
            "How often states were sent there.")
        .def_prop_ro(
            "violated", [](const Explorer& e) { return e.exploration().questions.violated; },
            "Whether a violation was found that ends the run before another state is found.")
        .def_prop_ro(
            "whole", [](const Explorer& e) { return e.exploration().is_whole(); }, "Whether the run can be written down as it stands.")
        .def("save", &Explorer::save, nb::arg("path"), nb::arg("over"),
             "Append to a file how far the run is; as in errno, why that is not on the disk, 0 when it is.")
        .def("values", &Explorer::values, nb::arg("variable"),
             "The values of a variable by number, for which of them it was only asked; of a timed bag the same of its tokens without "
             "stamps.")
        .def("restore", &Explorer::restore, nb::arg("variable"), nb::arg("values"), nb::arg("asked"), nb::arg("kinds"),
             nb::arg("kinds_asked"), "Before a run: give these values their numbers. False when others have them.")
        .def("follow", &Explorer::follow, nb::arg("root"), nb::arg("edges"),
             "The states along a path of edge positions from an initial state.")
        .def("add_value", &Explorer::add_value, nb::arg("part"), nb::arg("below") = nb::none(),
             "A new progress value of a part of the measure, right after another in its total order, or first; its number.")
        .def("linear_value", &Explorer::linear_value, nb::arg("layer"),
             "The numbers of a layer's progress value, of a measure that is a sum.")
        .def("stored", &Explorer::stored, nb::arg("variable"), nb::arg("value"), "The value of a variable that equals this one.")
        .def("counted", &Explorer::counted, nb::arg("summand"), nb::arg("number"),
             "The value of a summand of the measure that equals this one.")
        .def(
            "graph_edges", [](const Explorer& e) { return graph_edges(e.exploration()); }, "Of the graph that was kept.")
        .def(
            "graph_states",
            [](const Explorer& e, std::uint32_t first, std::uint32_t count) {
                return graph_states(e.exploration(), e.domains(), first, count);
            },
            nb::arg("first"), nb::arg("count"), "Its states, from one on, so many.")
        .def(
            "graph_kinds",
            [](const Explorer& e, const std::vector<std::vector<std::uint32_t>>& touched) {
                return graph_kinds(e.exploration(), e.domains(), touched);
            },
            nb::arg("touched"), "Which of its edges are alike, by the variables that each action reads and writes.")
        .def("tree_truths", &Explorer::tree_truths, nb::arg("tree"), nb::arg("number"),
             "After a run, of each node of a formula of CTL, whether it is true of a state.")
        .def("tree_way", &Explorer::tree_way, nb::arg("tree"), nb::arg("node"), nb::arg("number"),
             "After a run, a run that shows why a node which begins with E is true of a state.")
        .def("graph_number", &Explorer::graph_number, nb::arg("state"), "The number of a state in it; None if it was not found.")
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
