#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "explorer.hpp"
#include "sweep/explore/site.hpp"

namespace sweep::python {

/// A value was met that cannot be told to others: whoever was asked for its digest knows why.
struct Unportable : std::exception {
    const char* what() const noexcept override { return "a value cannot be told to another process"; }
};

/// One site of an exploration as Python sees it. States travel with the ids that they have here; which values these are is told to every
/// other site once.
class PythonSite {
public:
    using Fields = std::vector<std::pair<std::size_t, std::size_t>>;
    /// `digest` gives a number for a value, the same in every process; None where it has none. Of the variables and elements in `owner` it
    /// depends who owns a state; of all, if there are none.
    PythonSite(Explorer& explorer, Settings settings, std::uint32_t me, std::uint32_t sites, nb::object digest, const Fields& owner);
    PythonSite(const PythonSite&) = delete;
    PythonSite& operator=(const PythonSite&) = delete;

    std::variant<Stop, Failure> begin(bool resumes);
    /// What ids of another site mean: domain, id, value.
    void learn(std::uint32_t sender, const nb::list& values);
    std::variant<Stop, Failure> receive(std::uint32_t sender, const nb::bytes& states);
    std::variant<Stop, Failure> restore(std::uint32_t sender, const nb::bytes& states);
    std::variant<Stop, Failure> work(std::uint64_t most_states, std::uint64_t most_bytes);
    using Shares = std::vector<std::pair<std::uint32_t, nb::bytes>>;
    std::variant<Stop, Failure> decide(const Shares& shares);
    /// What was noted as open in the layer at work: how many states, and these.
    nb::tuple take_open();
    /// What waits to be sent to a site: how many states, and these.
    nb::tuple take(std::uint32_t to);
    /// The values from the first one on that was not told to somebody yet: domain, id, value.
    nb::list values(std::uint32_t to);
    nb::bytes kept();
    std::optional<Place> least() { return known(site_.least()); }
    std::optional<Place> entered() { return known(site_.entered()); }
    nb::list follow(nb::handle state, const std::vector<std::uint64_t>& edges);
    std::uint64_t regress_edges() const;

    Site& site() { return site_; }

private:
    struct Told {
        std::vector<Id> ids;      // whose meaning is known, in the order in which it became so
        std::vector<Id> pending;  // that nobody was given yet: they were only asked about
        std::size_t seen = 0;
    };
    static std::optional<Place> known(Place place) { return place == no_place ? std::nullopt : std::optional(place); }
    void meet();
    void meet(std::size_t domain);
    void make_known(std::size_t domain, Id id);

    Explorer& explorer_;
    Domains& domains_;
    nb::object digest_;
    Roots roots_;
    Site site_;
    std::vector<Told> told_;                                   // per domain
    std::map<std::uint32_t, std::vector<std::size_t>> up_to_;  // per site, per domain: of these ids, those that it was told
    std::map<std::uint32_t, Dictionary> dictionaries_;         // per site
};

void bind_site(nb::module_& m);

}  // namespace sweep::python
