#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/store/parents.hpp"
#include "sweep/store/profile.hpp"

namespace sweep {

struct Counters {
    std::uint64_t states = 0;  // found; one that was forgotten and is found again counts again
    std::uint64_t edges = 0, explored = 0, dead = 0;
    std::uint64_t stored = 0, peak = 0;
    std::uint64_t kept = 0;  // for folds, of states that are stored no more
    std::uint64_t sweeps = 0, columns = 0, persistent = 0, evicted = 0;
    std::uint64_t reduced_edges = 0;  // where states are equivalent: those of one action between two classes are one
    std::uint64_t compared = 0;       // states met, with another one of their class
    std::uint64_t remembered = 0;     // classes, for a cut-off
    std::uint64_t skipped = 0;        // edges to classes that are remembered and not stored
    std::uint64_t raised_at = 0;      // so many states were explored when progress was highest for the first time
    std::uint64_t beyond = 0;         // states that a bound left unexplored
    std::uint64_t outside_edges = 0;  // that led to states which do not satisfy a constraint
    std::uint64_t layers = 0;         // left
    Place layer = no_place;           // at work

    /// Whether none of the states found waits for its turn.
    bool all_explored() const { return states == explored + beyond; }
    template <class File>
    void keep(File& file) {
        file(states, edges, explored, dead, stored, peak, kept, sweeps, columns, persistent, evicted, reduced_edges, compared, remembered);
        file(skipped, raised_at, beyond, outside_edges, layers, layer);
    }
};

struct Bytes {
    std::uint64_t states = 0, peak_states = 0;  // of stored states and what is known about their order, now and at the peak
    std::uint64_t kept = 0;                     // of these: of all states kept for folds
    std::uint64_t tables = 0, peak_memory = 0;

    template <class File>
    void keep(File& file) {
        file(states, peak_states, kept, tables, peak_memory);
    }
};

/// The books: how many states were found, and where each was found from; how many are stored, and in how many bytes.
class Ledger {
public:
    Ledger(std::size_t actions, std::optional<std::uint64_t> most_states)
        : edges(actions), regress_edges(actions), most_states_(most_states.value_or(no_limit)) {}

    Counters counters;
    Bytes bytes;
    std::vector<std::uint64_t> edges, regress_edges;  // per action
    Profile profile;
    std::unique_ptr<ParentWriter> parents;             // where traces are asked for
    std::function<std::uint64_t()> count_state_bytes;  // of all rooms that keep states

    template <class File>
    void keep(File& file) {
        const std::size_t actions = edges.size();
        file(counters, bytes, edges, regress_edges, profile);
        if (edges.size() != actions || regress_edges.size() != actions) throw Damaged("it has other actions");
        if (parents) parents->keep(file);
    }
    /// Whether no further state may be found.
    bool full() const { return counters.states == most_states_; }
    std::size_t actions() const { return edges.size(); }

    /// How many more may be found.
    std::uint64_t room() const { return most_states_ - counters.states; }
    /// So many were found one after the other; their parents are noted by somebody else.
    void found_many(std::uint64_t states) {
        counters.states += states;
        counters.stored += states;
        counters.peak = std::max(counters.peak, counters.stored + counters.kept);
    }
    /// A state was found: its number.
    std::uint64_t found(std::uint64_t parent, std::uint64_t edge) {
        const std::uint64_t number = counters.states++;
        counters.peak = std::max(counters.peak, ++counters.stored + counters.kept);
        if (parents) parents->append(parent == no_parent ? number : parent, edge);
        return number;
    }
    /// A parent has no successors: it is dead or, where it lies outside of a bound, was not explored after all.
    void note_without_successors(Block& block, std::uint32_t parent) {
        if (block.is_cut_short(parent)) return;
        if (!block.is_outside(parent)) {
            block.dead.push_back(parent);
            return;
        }
        --counters.explored;
        ++counters.beyond;
    }
    /// A state that is stored no more, or never was, is kept for a fold.
    void keep() { counters.peak = std::max(counters.peak, counters.stored + ++counters.kept); }
    void leave(const Profile::Row& row) {
        leave(row, 0, [] { return std::vector<std::uint32_t>{}; });
    }
    /// The same where a layer has a name, made of so many values.
    template <class Named>
    void leave(const Profile::Row& row, std::size_t parts, Named&& named) {
        profile.leave(row, parts, named);
        counters.layers = profile.layers();
    }

    /// Of the parent file: its size, and why it was given up, as in errno; 0 when it was not.
    std::uint64_t parent_bytes() const { return parents && !parents->error() ? parents->bytes() : 0; }
    int parent_error() const { return parents ? parents->error() : 0; }

    bool at_peak() const { return counters.stored + counters.kept == counters.peak; }
    void weigh() {
        bytes.states = bytes.kept + count_state_bytes();
        if (at_peak()) bytes.peak_states = bytes.states;
    }
    /// States are about to be deleted.
    void weigh_peak() {
        if (at_peak()) weigh();
    }

private:
    static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t most_states_;
};

}  // namespace sweep
