#pragma once
#include <cstdint>
#include <vector>

#include "sweep/explore/picture.hpp"
#include "sweep/program/resolver.hpp"
#include "sweep/state/columns.hpp"

namespace sweep {

/// The state that stands for all states that differ from it in the names of members alone, or in when they are met.
///
/// Where members are no values, columns are put into an order, which is exact. Else members are ranked by what the state says of each,
/// again and again, until that tells no more of them apart; of those left each is singled out in turn, unless exchanging two changes
/// nothing, and the least of the states that come of it is taken. States are compared by the ids of their values: these never change.
class Canonical {
public:
    Canonical(const Symmetry& symmetry, Schema& schema, Names& names, Time& time);

    /// The layout has changed.
    void refresh();
    /// Make a state canonical; whether that changed it. It may be too large for the layout then: `Schema::fits` says so, and it has to be
    /// made again.
    bool settle(Word* state);
    /// Renamings from which all others come: the first two members of a set are exchanged, or all are moved on by one.
    std::vector<Numbering> generators() const;
    /// Give the members of a state other names. It may be too large then, as above.
    void rename(Word* state, const Numbering& to);
    /// The same as `settle` by one of several workers, where columns are all there is.
    bool only_columns() const { return !named_ && !symmetry_.relative; }
    bool arrange(Word* state, Columns::Room& room) const;
    std::uint64_t bytes() const { return picture_.bytes(); }

private:
    using Part = Symmetry::Part;
    using Signature = std::vector<std::uint64_t>;

    bool settle_time(Word* state);
    bool rename(Word* state);

    void rank_columns(std::uint32_t set, std::vector<std::uint32_t>& ranks);
    std::vector<std::uint32_t> least_rotations(std::uint32_t set);
    void each_rotation(std::uint32_t set, Numbering& ranks);
    bool is_open(const Numbering& ranks) const;
    void try_names(const Numbering& ranks);
    void each_leaf(Numbering ranks);
    void refine(Numbering& ranks);
    bool refine(std::uint32_t set, Numbering& ranks, Numbering& marks);
    Signature said_of(std::uint32_t set, std::uint32_t member, const Numbering& marks);
    /// Of the members of one rank, those that are no mere exchange of names apart.
    std::vector<std::uint32_t> different(std::uint32_t set, const std::vector<std::uint32_t>& alike);
    bool exchangeable(std::uint32_t set, std::uint32_t one, std::uint32_t other);
    std::uint64_t touched(std::uint32_t set, std::uint32_t member) const { return picture_.touched()[set][member]; }

    const Symmetry& symmetry_;
    Schema& schema_;
    Time& time_;
    Picture picture_;  // of the state at work
    std::vector<Columns> columns_;
    Columns::Room room_;
    bool named_ = false;  // there is more than columns of scalars: members are values, or arrays have something for several or hold more
    Additions additions_;
    std::vector<std::pair<Id, Id>> ready_;  // the tokens of a timed bag as they are made
    std::vector<std::uint64_t> said_;       // the columns of a set
    std::vector<Id> here_, tried_, best_;   // it, as ids one after the other; with other names; with the least so far
    bool found_ = false;                    // whether there is one
    Numbering ranks_, to_;                  // what columns tell, and names that are tried
};

}  // namespace sweep
