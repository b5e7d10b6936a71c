#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/program/renamings.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// A state as far as members of symmetric sets have to do with it: the values of all parts, each by the ids of its home, and the facts
/// among them that relate members to values or to each other. All else is a column: what arrays have for a single member, whatever others
/// are called.
class Picture {
public:
    /// A value that names members, or that stands where an array has something for several.
    struct Fact {
        std::uint32_t part, weight;    // how many tokens, or where in a queue
        const std::uint32_t* members;  // whose field it is: one of each of the part's sets
        Id value;
    };

    Picture(const Symmetry& symmetry, Schema& schema, Names& names);

    void read(const Word* state);
    /// The state with other names, as ids one after the other.
    void image(const Numbering& to, std::vector<Id>& ids);
    void write(const std::vector<Id>& ids, Word* state);

    const std::vector<Fact>& facts() const { return facts_; }
    const std::vector<Symmetry::Member>& named(const Fact& fact);
    std::uint64_t masked(std::uint32_t part, Id value, const Numbering& marks);
    /// Whether a fact has to do with a member, and what it says of its field when members are known by marks.
    bool concerns(const Fact& fact, std::uint32_t set, std::uint32_t member);
    std::uint64_t place(const Fact& fact, const Numbering& marks) const;
    /// Per set and member: what facts have to do with it, whatever others are called; 0: none has.
    const std::vector<std::vector<std::uint64_t>>& touched() const { return touched_; }
    /// What is known of each member of a set at once; so many numbers for each. Members whose numbers are equal, and that no fact has to do
    /// with, have the same columns.
    std::size_t read_columns(std::uint32_t set, std::vector<std::uint64_t>& said);

    /// Every member keeps its name.
    const Numbering& same() const { return same_; }
    std::uint64_t bytes() const { return renamings_.bytes() + bytes_; }

private:
    using Part = Symmetry::Part;
    /// What the part of a symmetry comes to here.
    struct Values {
        Kind kind = Kind::scalar;
        std::vector<std::uint32_t> members;    // per field: one of each set
        std::vector<Id> ids;                   // per field; or contents, one after the other,
        std::vector<std::uint32_t> ends;       // and where those of each field end
        std::vector<std::uint64_t> columns;    // per field, of contents: a number for what names no members
        std::vector<std::vector<Id>> to_home;  // per field and id, where ids are foreign: that of the home, and
        std::vector<std::vector<Id>> to_own;   // back
    };
    static constexpr Id not_asked = ~Id{0};

    std::size_t width(std::uint32_t p) const { return symmetry_.parts[p].sets.size(); }
    const std::uint32_t* members(std::uint32_t p, std::size_t slot) const { return parts_[p].members.data() + slot * width(p); }
    std::uint32_t begin(std::uint32_t p, std::size_t slot) const { return slot ? parts_[p].ends[slot - 1] : 0; }
    bool names_some(std::uint32_t p, Id value);
    Id translated(std::uint32_t p, std::size_t slot, Id id, bool home);
    void read_contents(std::uint32_t p, std::size_t slot, const Word* state);
    void translate(std::uint32_t p, std::size_t slot, bool home, std::vector<Id>& contents);
    /// Add the facts of a part; those that a column has as well where `all` is set.
    void add_facts(std::uint32_t p, bool all);
    /// The column of each field; false where two that differ have one number.
    bool number_columns(std::uint32_t p);
    bool same_column(std::uint32_t p, std::size_t one, std::size_t other);
    void find_touched();
    void image_contents(std::uint32_t p, const Numbering& to, bool renames, std::vector<Id>& ids);
    std::size_t moved(std::uint32_t p, std::size_t slot, const Numbering& to) const;
    static void move_one_by_one(const std::vector<std::uint32_t>& to, const std::vector<Id>& values, Id* made);
    static void put_in_order(std::vector<std::pair<Id, Id>>& tokens);

    const Symmetry& symmetry_;
    Schema& schema_;
    Names& names_;
    Renamings renamings_;
    std::vector<Values> parts_;
    std::vector<Fact> facts_;
    std::vector<std::vector<std::uint64_t>> touched_;
    Numbering same_, blank_;  // every member keeps its name; none is known
    std::vector<Id> contents_;
    std::vector<std::pair<Id, Id>> tokens_;
    std::vector<std::size_t> from_;
    std::uint64_t bytes_ = 0;
};

}  // namespace sweep
