#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "sweep/program/groups.hpp"
#include "sweep/program/program.hpp"
#include "sweep/program/takes.hpp"

namespace sweep {

/// What one action has to do in a state, once some scalars and sizes of bags are known.
struct Task {
    enum class Kind : std::uint8_t {
        leaf,  // one outcome
        take,  // an outcome for every token of a bag, from a row of `Takes`
        walk   // find its way through its table
    } kind;
    std::uint8_t bag = 0;  // take: which of the agenda's
    std::uint32_t action = 0;
    Code code = unknown;      // where in its table it is
    std::uint32_t place = 0;  // take: of the row
};

/// What all actions have to do, for each combination of the scalars that they look at and of the sizes of the bags that they take from:
/// one look instead of one for every group, action and question. The order of actions is that of the grouping it was made for.
class Agenda {
public:
    static constexpr std::size_t most_bags = 8;

    /// A bag whose slots lie in one word, and what the state at work holds there.
    struct Bag {
        std::uint32_t field = 0;
        std::uint16_t word = 0;
        std::uint8_t shift = 0, bits = 0;
        Word mask = 0;
        std::uint32_t size = 0, count = 0;  // tokens, and different ones
        std::array<Id, 64> tokens;          // the different ones, largest first,
        std::array<Word, 64> without;       // and the word without one of each

        void look(const Word* state);
    };
    struct Entry {
        Word key = 0;
        std::uint32_t first = 0, count = 0;  // of its tasks
    };

    /// It is of no use where no token is taken, or scalars are too many.
    static Agenda of(const Program& program, const Grouping& grouping, const Takes& takes);

    bool used() const { return !slots_.empty(); }
    /// Whether the rows it knows are where they were.
    bool current(const Takes& takes) const { return generation_ == takes.generation(); }

    /// Look at a state: its entry, or null when there is none yet.
    const Entry* look(const Word* state, bool fast) {
        Word key = key_(state, fast);
        for (Bag& bag : bags_) {
            bag.look(state);
            key = key << size_bits | bag.size;
        }
        at_work_ = key + 1;
        ++looks_;
        const Entry& found = slots_[slot_of(at_work_)];
        return found.key ? &found : nullptr;
    }
    /// Say what is to be done in the state that was looked at last, by the rests of all actions in order. Null, and nothing is said,
    /// when a table does not know where one of them goes on, or when it does not pay.
    const Entry* add(const std::vector<Rest>& rests, const Word* state, const Program& program, Takes& takes);

    const Task* tasks(const Entry& entry) const { return tasks_.data() + entry.first; }
    const Bag& bag(std::size_t index) const { return bags_[index]; }

    std::size_t bytes() const { return slots_.capacity() * sizeof(Entry) + tasks_.capacity() * sizeof(Task); }

private:
    static constexpr int size_bits = 6;

    std::size_t slot_of(Word key) const {
        std::size_t at = fold(key, 0x9E3779B97F4A7C15ull) & (slots_.size() - 1);
        while (slots_[at].key && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    Code settle(const Trie& trie, Code code, const Word* state, const Schema& schema) const;
    bool add_task(const Rest& rest, const Word* state, const Program& program, Takes& takes);
    const Bag* find_bag(std::uint32_t field) const;
    bool pays();

    std::vector<Asked> asked_;
    BitKey key_;
    std::vector<Bag> bags_;
    std::vector<Entry> slots_;  // by key, open addressing; a key of 0 is free
    std::vector<Task> tasks_;
    std::size_t entries_ = 0;
    std::uint64_t looks_ = 0;
    Word at_work_ = 0;                              // the key of the state looked at last
    std::uint64_t generation_ = ~std::uint64_t{0};  // of the rows: not made yet
};

inline void Agenda::Bag::look(const Word* state) {
    Word rest = (state[word] >> shift) & mask, last = 0;
    size = count = 0;
    if (!rest) return;  // as most are, most of the time
    const Word others = state[word] & ~(mask << shift), one = (Word{1} << bits) - 1;
    Word below = 0;  // the slots before the one at hand, which is the lowest of `rest`
    for (int at = 0; rest; at += bits, ++size) {
        const Word token = rest & one;
        rest >>= bits;
        tokens[count] = static_cast<Id>(token);
        without[count] = others | ((below | (rest << at)) << shift);
        count += token != last;  // equal tokens lie side by side
        last = token;
        below |= token << at;
    }
}

}  // namespace sweep
