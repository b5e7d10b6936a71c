#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sweep/program/block.hpp"
#include "sweep/state/hash.hpp"

namespace sweep {

/// Successors of states whose turn has not come. Where nearly every state has a progress of its own they come one by one, and there is
/// nothing to share; so several workers expand those that will come next, together. The successors of a state are the same whenever it is
/// expanded. What functions have to be asked for is left out: they are asked when its turn comes.
class Foresight {
public:
    /// States that one worker expands at a time, and their successors.
    struct Group {
        std::vector<Word> states;
        Batch batch;
        Block block;
        std::vector<std::uint8_t> open;  // per state: its successors are known, and nobody has had them
        std::uint32_t left = 0;          // of these
    };

    std::size_t window = 0;  // so many states are looked at together
    std::size_t least = 0;   // fewer that are not known are not worth it

    /// Half of those that were looked at last have had their turn since.
    bool is_due() const { return since_ >= window / 2; }
    void passed(std::uint64_t states) { since_ += states; }

    /// Nothing is known any more: what was found lies otherwise, or would be found otherwise.
    void clear() {
        for (const auto& group : groups_) group->left = 0;
        std::fill(slots_.begin(), slots_.end(), 0);
    }
    /// The same unless it was found when as much was known of the program.
    void clear_before(std::uint64_t epoch) {
        if (std::exchange(epoch_, epoch) != epoch) clear();
    }

    /// Have groups for those of some states that are not known; there may be few. Which groups are to be expanded now.
    template <int K>
    const std::vector<Group*>& gather(const std::vector<const Word*>& next, Width width, std::size_t groups) {
        const std::size_t words = static_cast<std::size_t>(width.words);
        new_.clear();
        for (const Word* state : next)
            if (!find<K>(state, width)) new_.push_back(state);
        fresh_.clear();
        since_ = 0;
        if (new_.size() < least) return fresh_;
        const std::size_t each = std::clamp<std::size_t>(new_.size() / groups, 8, block_size);
        for (std::size_t first = 0; first < new_.size(); first += each) {
            Group& group = free_group();
            group.left = static_cast<std::uint32_t>(std::min(each, new_.size() - first));
            group.states.resize(group.left * words);
            for (std::size_t i = 0; i < group.left; ++i) std::copy_n(new_[first + i], words, group.states.data() + i * words);
            group.batch = {group.states.data(), group.left, words, 0, false};
            fresh_.push_back(&group);
        }
        return fresh_;
    }
    /// They are expanded.
    template <int K>
    void expanded(Width width) {
        for (Group* const group : fresh_) {
            group->open.assign(group->batch.count, 1);
            for (const std::uint32_t parent : group->block.late) group->open[parent] = 0;
            group->left -= static_cast<std::uint32_t>(group->block.late.size());
        }
        enter_all<K>(width);
    }

    /// The turn of a batch has come. Put its successors into a block, with their marks; false where some are not known. In either case
    /// nothing is known of these states from now on: what is stored now may be deleted when their turn comes again, in another sweep.
    template <int K>
    bool take(const Batch& batch, Block& block, Width width) {
        taken_.clear();
        for (std::uint32_t p = 0; p < batch.count; ++p)
            if (const std::uint32_t found = find<K>(batch.state(p), width)) {
                taken_.push_back(found - 1);
                Group& group = *groups_[taken_.back() / block_size];
                group.left -= std::exchange(group.open[taken_.back() % block_size], 0);
            }
        if (taken_.size() < batch.count) return false;
        block.begin(batch, width.words);
        for (std::uint32_t p = 0; p < batch.count; ++p)
            append(groups_[taken_[p] / block_size]->block, taken_[p] % block_size, block, p, static_cast<std::size_t>(width.words));
        return true;
    }

    std::uint64_t bytes() const {
        std::uint64_t total = slots_.capacity() * sizeof(slots_[0]);
        for (const auto& group : groups_) total += group->block.bytes() + group->states.capacity() * sizeof(Word);
        return total;
    }

private:
    Group& free_group() {
        for (; next_free_ < groups_.size(); ++next_free_)
            if (groups_[next_free_]->left == 0) return *groups_[next_free_++];
        ++next_free_;
        return *groups_.emplace_back(std::make_unique<Group>());
    }
    /// Where the successors of a state are, and one more; 0 where they are not known.
    template <int K>
    std::uint32_t find(const Word* state, Width width) const {
        if (slots_.empty()) return 0;
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t at = hash_words<K>(state, width) & mask; slots_[at]; at = (at + 1) & mask) {
            const std::uint32_t where = slots_[at] - 1;
            const Group& group = *groups_[where / block_size];
            if (group.open[where % block_size] && std::equal(state, state + width.words, group.batch.state(where % block_size)))
                return slots_[at];
        }
        return 0;
    }
    template <int K>
    void enter_all(Width width) {
        std::size_t count = 0;
        for (const auto& group : groups_) count += group->left;
        std::size_t room = 1024;
        while (room < 4 * count) room *= 2;
        slots_.assign(room, 0);
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            const Group& group = *groups_[g];
            for (std::uint32_t p = 0; group.left && p < group.batch.count; ++p) {
                if (!group.open[p]) continue;
                std::size_t at = hash_words<K>(group.batch.state(p), width) & (room - 1);
                while (slots_[at]) at = (at + 1) & (room - 1);
                slots_[at] = static_cast<std::uint32_t>(g * block_size + p + 1);
            }
        }
        next_free_ = 0;
    }
    static void append(const Block& from, std::uint32_t parent, Block& to, std::uint32_t as, std::size_t words) {
        const Block::Parent range = from.parents[parent];
        const std::uint32_t count = range.end - range.begin, first = to.candidates;
        to.make_room(count);
        std::copy_n(from.found.data() + range.begin, count, to.found.data() + first);
        std::copy_n(from.state(range.begin), count * words, to.state(first));
        if (to.marks.size() < first + count) to.marks.resize(2 * (first + count));
        std::copy_n(from.marks.data() + range.begin, count, to.marks.data() + first);
        to.candidates += count;
        to.parents[as] = {first, to.candidates};
    }

    std::vector<std::unique_ptr<Group>> groups_;
    std::vector<Group*> fresh_;         // that are being expanded
    std::size_t next_free_ = 0;         // those before it are not
    std::vector<std::uint32_t> slots_;  // by hash: which state of which group, and one more
    std::vector<const Word*> new_;
    std::vector<std::uint32_t> taken_;
    std::uint64_t epoch_ = 0;
    std::uint64_t since_ = ~std::uint64_t{0} / 2;  // states that had their turn since others were looked at
};

}  // namespace sweep
