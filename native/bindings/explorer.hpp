#pragma once
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "calls.hpp"
#include "description.hpp"
#include "session.hpp"
#include "sweep/explore/exploration.hpp"

namespace sweep::python {

/// One exploration as Python sees it: a description goes in, `run` ends with why it stopped, and the results are read.
class Explorer {
public:
    Explorer(nb::handle description, nb::handle answers);
    ~Explorer();
    Explorer(const Explorer&) = delete;
    Explorer& operator=(const Explorer&) = delete;

    std::variant<Stop, Failure> run(Settings settings);
    /// The same by random walks.
    std::variant<Stop, Failure> walk(Settings settings, const WalkSettings& asked);
    /// No run: states are compared with those that stand for them.
    std::variant<Stop, Failure> compare(Settings settings, const Comparison::Settings& asked);
    /// Of the walks that were to be continued when a function failed: the way to a state.
    std::optional<WalkWay> way_to(nb::handle state);
    /// The states along a path of edge positions from an initial state.
    nb::list follow(std::uint64_t root, const std::vector<std::uint64_t>& edges);

    /// A new progress value of a part of the measure (0 of one that has none): in a total order right after `below`, or first.
    std::uint32_t add_value(std::uint32_t part, std::optional<std::uint32_t> below);
    /// Of a measure that is a sum: the numbers of a layer's progress value.
    std::vector<std::int64_t> linear_value(Place layer) const;
    nb::object counted(std::size_t summand, nb::handle number) const;
    /// The value of a variable that equals another one: a number may be stored as True.
    nb::object stored(std::size_t variable, nb::handle value);
    using Values = std::tuple<nb::list, std::vector<std::uint8_t>, nb::list, std::vector<std::uint8_t>>;
    /// The values of a variable, by number.
    Values values(std::size_t variable) const;
    /// Give values their numbers, before a run that goes on with another; false when others have them.
    bool restore(std::size_t variable, nb::list values, const std::vector<std::uint8_t>& asked, nb::list kinds,
                 const std::vector<std::uint8_t>& kinds_asked);
    int save(const std::string& path, bool over);
    /// The number of a state in the graph that was kept.
    std::optional<std::uint32_t> graph_number(nb::handle state);
    std::vector<bool> tree_truths(std::size_t tree, std::uint32_t number) const;
    TreeWay tree_way(std::size_t tree, std::uint32_t node, std::uint32_t number) const;

    const Exploration& exploration() const {
        if (!exploration_) throw std::logic_error("no run has begun");  // one that was interrupted before it did
        return *exploration_;
    }
    const Domains& domains() const { return session_->domains; }
    nb::object chooser() const { return functions_->chooser(); }
    void close();

private:
    friend class PythonSite;
    Roots begin(Settings settings, std::size_t roots = ~std::size_t{0});
    bool add_roots(Roots& roots, std::size_t most);
    struct RehearsalsEnd {
        PythonFunctions& of;
        ~RehearsalsEnd() { of.end_rehearsals(); }
    };
    /// Why a run stopped, or broke off.
    template <class Do>
    std::variant<Stop, Failure> ended(Do&& job) {
        try {
            const RehearsalsEnd end{*functions_};
            const nb::gil_scoped_release release;
            try {
                return job();
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
        } catch (const NoRoom& disk) {
            Failure failure;
            failure.kind = Failure::Kind::unwritten;
            failure.why = disk.code().message();
            return failure;
        } catch (const Damaged& file) {
            Failure failure;
            failure.kind = Failure::Kind::damaged;
            failure.why = file.what();
            return failure;
        } catch (const TooManyTokens& crowded) {
            Failure failure;
            failure.kind = Failure::Kind::crowded;
            failure.bag = session_->domains.holding(crowded.field).name;
            return failure;
        }
    }
    /// A path of edges from a state; what a function of the model raises meanwhile is raised here.
    nb::list followed(const Unpacked& from, const std::vector<std::uint64_t>& edges);
    bool see_edge(std::uint32_t action, const Word* old, const Word* next);

    Session* session_;
    Description description_;
    nb::object see_;                  // looks at edges; None where nobody does
    std::vector<Word> source_words_;  // the state that the last edge left,
    nb::object source_;               // as Python has it
    nb::object initial_;              // the initial states that are still to come
    std::unique_ptr<PythonFunctions> functions_;
    std::unique_ptr<Exploration> exploration_;
};

void bind_explorer(nb::module_& m);

}  // namespace sweep::python
