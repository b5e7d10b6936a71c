#include "reading.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sweep/read/plain_net.hpp"

namespace sweep::python {

namespace nb = nanobind;

namespace {

/// Numbers as bytes, which Python reads without an object for each.
template <class Row>
nb::bytes packed(const std::vector<Row>& rows) {
    static_assert(sizeof(Row) % sizeof(std::uint32_t) == 0);
    return nb::bytes(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row));
}

/// A net with what its arcs do.
struct Found {
    PlainNet net;
    Counts counts;
};

std::optional<Found> read(const nb::bytes& text, std::size_t begin) {
    auto net = read_plain_net(text.c_str() + std::min(begin, text.size()), text.c_str() + text.size());
    auto counts = net ? count(*net) : std::nullopt;
    if (!counts) return std::nullopt;
    return Found{std::move(*net), std::move(*counts)};
}

nb::bytes single(const Found& found) {
    return nb::bytes(reinterpret_cast<const char*>(found.counts.single.data()), found.counts.single.size());
}

}  // namespace

void bind_reading(nb::module_& m) {
    nb::class_<PlainNet::Nodes>(m, "PlainNodes", "The places or the transitions of a net.")
        .def_prop_ro("count", [](const PlainNet::Nodes& nodes) { return nodes.ids.size(); })
        .def_ro("ids", &PlainNet::Nodes::ids)
        .def_ro("names", &PlainNet::Nodes::names)
        .def_ro("lines", &PlainNet::Nodes::lines);
    nb::class_<Found>(m, "PlainNet", "A place/transition net as a file describes it.")
        .def_prop_ro("type", [](const Found& one) { return one.net.type; })
        .def_prop_ro("id", [](const Found& one) { return one.net.id; })
        .def_prop_ro("name", [](const Found& one) { return one.net.name; })
        .def_prop_ro(
            "places", [](const Found& one) { return &one.net.places; }, nb::rv_policy::reference_internal)
        .def_prop_ro(
            "transitions", [](const Found& one) { return &one.net.transitions; }, nb::rv_policy::reference_internal)
        .def_prop_ro("initial", [](const Found& one) { return one.net.initial; })
        .def_prop_ro("arcs", [](const Found& one) { return packed(one.net.arcs); })
        .def_prop_ro("single", &single)
        .def(
            "has_ordinary_names", [](const Found& one, const std::string& reserved) { return has_ordinary_names(one.net, reserved); },
            nb::arg("reserved"))
        .def_prop_ro("counts", [](const Found& one) { return packed(one.counts.arcs); });
    m.def("read_plain_net", &read, nb::arg("text"), nb::arg("begin"),
          "The net in a PNML file; None where it has to be read with more care.");
}

}  // namespace sweep::python
