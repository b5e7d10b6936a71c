#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/renamings.hpp"
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
    /// The same by one of several workers, where columns are all there is.
    bool only_columns() const { return symmetry_.only_columns(); }
    bool arrange(Word* state, Columns::Room& room) const;
    std::uint64_t bytes() const { return renamings_.bytes(); }

private:
    using Part = Symmetry::Part;
    /// A value of a variable that names members: where, and what there is of it.
    struct Held {
        std::uint32_t part, slot, weight;  // of an array the element; how many tokens, or where in a queue
        Id value;
    };
    using Signature = std::vector<std::uint64_t>;

    bool settle_time(Word* state);
    bool rename(Word* state);
    void read(const Word* state);
    void find_touched();
    /// The state with other names, as ids one after the other.
    void image(const Numbering& to, std::vector<Id>& ids);
    bool write(const std::vector<Id>& ids, Word* state);

    /// What is known of each member of a set at once, whatever others are called; so many numbers for each.
    std::size_t read_columns(std::uint32_t set);
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

    const Symmetry& symmetry_;
    Schema& schema_;
    Time& time_;
    Renamings renamings_;
    std::vector<Columns> columns_;
    Columns::Room room_;
    bool named_ = false;  // members are values somewhere
    Additions additions_;
    std::vector<std::pair<Id, Id>> ready_;  // the tokens of a timed bag as they are made
    // Of the state at work:
    std::vector<std::vector<Id>> values_;              // per part: of an array by element, of a bag tokens and counts
    std::vector<Held> held_;                           // those that name members
    std::vector<std::vector<std::uint64_t>> touched_;  // per set and member: what values have to do with it; 0: none has
    std::vector<std::uint64_t> said_;                  // the columns of a set
    std::vector<Id> here_, tried_, best_, contents_;   // it, as ids one after the other; with other names; with the least so far
    bool found_ = false;                               // whether there is one
    Numbering same_, blank_, to_;                      // every member keeps its name; none is known; names that are tried
};

}  // namespace sweep
