#include "site.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "values.hpp"

namespace sweep::python {

namespace {

std::span<const std::uint8_t> span_of(const nb::bytes& bytes) { return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()}; }

std::vector<std::uint32_t> numbers_of(const Domains& domains, const PythonSite::Fields& owner) {
    std::vector<std::uint32_t> numbers;
    for (const auto& [variable, element] : owner) numbers.push_back(domains.variables.at(variable).domain.fields.at(element));
    if (!numbers.empty()) return numbers;
    numbers.resize(domains.program.schema.variables.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

}  // namespace

PythonSite::PythonSite(Explorer& explorer, Settings settings, std::uint32_t me, std::uint32_t sites, nb::object digest, const Fields& owner)
    : explorer_(explorer),
      domains_(explorer.session_->domains),
      digest_(std::move(digest)),
      roots_(explorer.begin(std::move(settings))),
      site_(*explorer.exploration_, me, sites, numbers_of(domains_, owner), [this] { meet(); }),
      told_(domains_.variables.size()) {
    Meanings& meanings = site_.post.ownership.meanings;
    meanings.digests.resize(domains_.variables.size());
    meanings.domain_of.resize(domains_.program.schema.variables.size());
    for (std::size_t i = 0; i < domains_.variables.size(); ++i)
        for (const std::uint32_t field : domains_.variables[i].domain.fields) meanings.domain_of[field] = static_cast<std::uint32_t>(i);
}

void PythonSite::meet() {
    for (std::size_t i = 0; i < told_.size(); ++i) {
        const Domain& domain = domains_.variables[i].domain;
        const auto given = [&](Id id) { return !domain.asked[id - domain.base]; };
        if (told_[i].seen < domain.asked.size() || std::any_of(told_[i].pending.begin(), told_[i].pending.end(), given)) meet(i);
    }
}

void PythonSite::meet(std::size_t index) {
    const nb::gil_scoped_acquire lock;
    const Domain& domain = domains_.variables[index].domain;
    Told& told = told_[index];
    std::vector<Id> met = std::exchange(told.pending, {});
    for (; told.seen < domain.asked.size(); ++told.seen) met.push_back(static_cast<Id>(told.seen) + domain.base);
    site_.post.ownership.meanings.digests[index].resize(domain.base + told.seen);
    for (const Id id : met) {
        if (domain.asked[id - domain.base])
            told.pending.push_back(id);
        else
            make_known(index, id);
    }
}

void PythonSite::make_known(std::size_t index, Id id) {
    const Domain& domain = domains_.variables[index].domain;
    const nb::object digest = digest_(nb::borrow(domains_.value(domain, id)));
    if (digest.is_none()) throw Unportable();
    site_.post.ownership.meanings.digests[index][id] = nb::cast<Word>(digest);
    ++site_.post.ownership.meanings.version;
    told_[index].ids.push_back(id);
}

std::variant<Stop, Failure> PythonSite::begin(bool resumes) {
    return explorer_.ended([&] { return site_.begin(roots_, resumes); });
}

void PythonSite::learn(std::uint32_t sender, const nb::list& values) {
    Dictionary& dictionary = dictionaries_[sender];
    dictionary.ids.resize(told_.size());
    for (nb::handle one : values) {
        const auto index = nb::cast<std::size_t>(one[0]);
        const auto foreign = nb::cast<Id>(one[1]);
        if (index >= told_.size()) throw Garbled();
        std::vector<Id>& ids = dictionary.ids[index];
        if (foreign >= ids.size()) ids.resize(std::size_t{foreign} + 1, Dictionary::unknown);
        const nb::object value = nb::borrow(one[2]);
        if (!domains_.intern(domains_.variables[index].domain, value.ptr(), ids[foreign])) throw nb::python_error();
    }
    domains_.check_countable();
}

std::variant<Stop, Failure> PythonSite::receive(std::uint32_t sender, const nb::bytes& states) {
    return explorer_.ended([&, bytes = span_of(states)] { return site_.receive(sender, dictionaries_[sender], bytes); });
}

std::variant<Stop, Failure> PythonSite::restore(std::uint32_t sender, const nb::bytes& states) {
    return explorer_.ended([&, bytes = span_of(states)] {
        site_.restore(dictionaries_[sender], bytes);
        return Stop::none;
    });
}

std::variant<Stop, Failure> PythonSite::work(std::uint64_t most_states, std::uint64_t most_bytes) {
    return explorer_.ended([&] { return site_.work(most_states, most_bytes); });
}

std::variant<Stop, Failure> PythonSite::decide(const Shares& shares) {
    std::vector<Site::Share> told;
    for (const auto& [sender, states] : shares) told.push_back({sender, dictionaries_[sender], span_of(states)});
    return explorer_.ended([&] { return site_.decide(told); });
}

nb::tuple PythonSite::take_open() {
    nb::bytes states(site_.open.data(), site_.open.size());
    site_.open.clear();
    return nb::make_tuple(std::exchange(site_.open_count, 0), states);
}

nb::tuple PythonSite::take(std::uint32_t to) {
    std::vector<std::uint8_t>& box = site_.post.boxes.at(to);
    nb::bytes states(box.data(), box.size());
    box.clear();
    return nb::make_tuple(std::exchange(site_.post.counts.at(to), 0), states);
}

nb::list PythonSite::values(std::uint32_t to) {
    std::vector<std::size_t>& up_to = up_to_[to];
    up_to.resize(told_.size());
    nb::list result;
    for (std::size_t i = 0; i < told_.size(); ++i)
        for (; up_to[i] < told_[i].ids.size(); ++up_to[i]) {
            const Id id = told_[i].ids[up_to[i]];
            result.append(nb::make_tuple(i, id, nb::borrow(domains_.value(domains_.variables[i].domain, id))));
        }
    return result;
}

nb::bytes PythonSite::kept() {
    const std::vector<std::uint8_t> bytes = site_.kept();
    return nb::bytes(bytes.data(), bytes.size());
}

std::uint64_t PythonSite::regress_edges() const {
    const std::vector<std::uint64_t>& edges = explorer_.exploration().ledger().regress_edges;
    return std::accumulate(edges.begin(), edges.end(), std::uint64_t{0});
}

nb::list PythonSite::follow(nb::handle state, const std::vector<std::uint64_t>& edges) {
    return explorer_.followed(unpacked_state(domains_, state), edges);
}

void bind_site(nb::module_& m) {
    nb::class_<PythonSite>(m, "Site", "The share of one process in an exploration of several.")
        .def(nb::init<Explorer&, Settings, std::uint32_t, std::uint32_t, nb::object, const PythonSite::Fields&>(), nb::arg("explorer"),
             nb::arg("settings"), nb::arg("me"), nb::arg("sites"), nb::arg("digest"), nb::arg("owner"), nb::keep_alive<1, 2>())
        .def("begin", &PythonSite::begin, nb::arg("resumes"), "Find the initial states that belong here, unless the run is resumed.")
        .def("learn", &PythonSite::learn, nb::arg("sender"), nb::arg("values"), "What ids of another site mean: domain, id, value.")
        .def("receive", &PythonSite::receive, nb::arg("sender"), nb::arg("states"), "States that another site found.")
        .def("restore", &PythonSite::restore, nb::arg("sender"), nb::arg("states"), "States that were kept: those that belong here.")
        .def("work", &PythonSite::work, nb::arg("most_states"), nb::arg("most_bytes"), "Process what waits in the least layer.")
        .def("decide", &PythonSite::decide, nb::arg("shares"), "Decide what is asked about cycles of a layer, from its open states.")
        .def(
            "settle", [](PythonSite& p, const std::vector<std::uint32_t>& questions) { p.site().settle(questions); }, nb::arg("questions"),
            "Other sites have decided these.")
        .def("take_open", &PythonSite::take_open, "What was noted as open in the layer at work: how many states, and these.")
        .def("take", &PythonSite::take, nb::arg("to"), "What waits to be sent to a site: how many states, and these.")
        .def("values", &PythonSite::values, nb::arg("to"), "The values that a site was not told of yet: domain, id, value.")
        .def("kept", &PythonSite::kept, "All that is needed to go on.")
        .def(
            "leave", [](PythonSite& p) { p.site().leave(); }, "Leave the layer that was entered.")
        .def(
            "flush", [](PythonSite& p) { p.site().flush(); }, "Have the parent file complete.")
        .def(
            "ends_sweep", [](PythonSite& p) { return p.site().ends_sweep(); }, "Whether another sweep has states to begin with here.")
        .def("begin_sweep", [](PythonSite& p) { p.site().begin_sweep(); })
        .def("follow", &PythonSite::follow, nb::arg("state"), nb::arg("edges"), "The states along a path of edges from a state.")
        .def_prop_ro("least", &PythonSite::least, "The least layer with unprocessed states; None where there is none.")
        .def_prop_ro(
            "waiting", [](PythonSite& p) { return p.site().waiting(); }, "How many states wait in it.")
        .def_prop_ro("entered", &PythonSite::entered, "The least layer that is entered and not left; None where there is none.")
        .def_prop_ro(
            "here", [](PythonSite& p) { return p.site().here(); }, "How many states it has had.")
        .def_prop_ro(
            "processed", [](PythonSite& p) { return p.site().processed(); }, "How many states the last work processed.")
        .def_prop_ro("regress_edges", &PythonSite::regress_edges, "Steps back.");
}

}  // namespace sweep::python
