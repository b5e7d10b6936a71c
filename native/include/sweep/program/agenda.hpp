#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/groups.hpp"
#include "sweep/program/program.hpp"

namespace sweep {

class Takes;

/// What one action has to do in a state, once some scalars are known.
struct Task {
    enum class Kind : std::uint8_t {
        leaf,  // one outcome
        take,  // an outcome for every token of a bag, from a row of `Takes`
        walk   // find its way through its table
    } kind;
    std::uint8_t bag = 0;  // take: which of the agenda's
    std::uint32_t action = 0;
    Code code = unknown;      // leaf, walk
    std::uint32_t place = 0;  // take: of the row
};

/// What all actions have to do for one combination of the few scalars that they look at, in the order in which they do it: one look
/// instead of one for every group, every action and every scalar asked after a token is taken.
class Agenda {
public:
    /// A bag that lies in slots of one word.
    struct Bag {
        std::uint32_t field = 0;
        std::uint16_t word = 0;
        std::uint8_t shift = 0, bits = 0;
        Word mask = 0;
    };
    /// Tasks for a combination, and a bit for each bag that tokens are taken from.
    struct Entry {
        std::uint32_t first = 0, count = 0;
        std::uint32_t bags = 0;
    };
    static constexpr std::size_t most_bags = 16;

    /// For the scalars of a grouping and those asked for after takes. It has no use where no token is taken, or they are too many.
    static Agenda of(const Program& program, const Grouping& grouping, const Takes& takes);

    bool used() const { return !starts_.empty(); }
    /// Whether the rows it knows are where they were.
    bool current(const Takes& takes) const;

    std::uint32_t key(const Word* state, bool fast) const { return key_(state, fast); }
    const Entry* find(std::uint32_t key) const { return starts_[key] ? &entries_[starts_[key] - 1] : nullptr; }
    const Task* tasks(const Entry& entry) const { return tasks_.data() + entry.first; }
    const std::vector<Bag>& bags() const { return bags_; }

    /// Say what is to be done for a key: the rests of all actions in order, none of them unknown.
    void add(std::uint32_t key, const std::vector<Rest>& rests, const Word* state, const Program& program, Takes& takes);

    std::size_t bytes() const {
        return starts_.capacity() * sizeof(std::uint32_t) + entries_.capacity() * sizeof(Entry) + tasks_.capacity() * sizeof(Task);
    }

private:
    std::size_t bag_of(const Trie::Node& node);

    BitKey key_;
    std::vector<std::uint32_t> starts_;  // per key: its entry, from 1
    std::vector<Entry> entries_;
    std::vector<Task> tasks_;
    std::vector<Bag> bags_;
    std::uint64_t generation_ = 0;  // of the rows
};

}  // namespace sweep
