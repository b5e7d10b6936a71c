#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sweep/store/visited.hpp"

namespace sweep {

/// The visited states of a layer: one table or, once several workers fill it, many, by the lowest bits of the hash. Each has one
/// worker at a time, and grows by itself.
class LayerTable {
public:
    explicit LayerTable(Account* account) : one_(account), account_(account) {}
    LayerTable(const LayerTable&) = delete;
    LayerTable& operator=(const LayerTable&) = delete;

    bool is_split() const { return mask_ != 0; }
    /// Nowhere once it is split: several workers fetch what they look up themselves.
    Aim aim() const { return is_split() ? Aim{} : one_.aim(); }
    /// Which part a state belongs to.
    std::uint32_t part_of(Word hash) const { return static_cast<std::uint32_t>(hash & mask_); }
    /// Have so many from now on, a power of two. `likely`: so many states are foreseen; 0 where that is not known. No more room than
    /// needed: large tables lie on large pages.
    void split(std::uint32_t parts, std::uint64_t likely, Width width);

    std::uint64_t size() const {
        std::uint64_t total = 0;
        each_part([&](const VisitedTable& part) { total += part.size(); });
        return total;
    }
    /// Always inlined: a call that does nothing but this is dropped by the compiler, as it returns nothing and changes nothing.
    template <int K>
    [[gnu::always_inline]] void prefetch(Word hash, Width width) const {
        first_[hash & mask_].template prefetch<K>(hash, width);
    }
    template <int K>
    [[gnu::always_inline]] bool insert(const Word* state, Word hash, Width width, const Word*& slot) {
        return first_[hash & mask_].template insert<K>(state, hash, width, slot);
    }
    VisitedTable& part(Word hash) { return first_[hash & mask_]; }
    template <int K>
    bool insert(const Word* state, Word hash, Width width) {
        return first_[hash & mask_].template insert<K>(state, hash, width);
    }
    template <int K = 0>
    const Word* find(const Word* state, Word hash, Width width) const {
        return first_[hash & mask_].template find<K>(state, hash, width);
    }
    template <class Visit>
    void each(int k, Visit&& visit) const {
        each_part([&](const VisitedTable& part) { part.each(k, visit); });
    }
    template <int K>
    void reserve(std::uint64_t states, Width width) {
        if (!is_split()) one_.template reserve<K>(states, width);
    }
    template <int K>
    void foresee(std::uint64_t states, Width width) {
        if (!is_split()) one_.template foresee<K>(states, width);
    }
    /// Visit the parts that have to grow before so many more states come, which are spread over all of them. Parts fill alike: once one has
    /// to, the others do so at the same time if they are nearly full, and nobody waits for each of them.
    template <class Visit>
    void each_short_of_room(std::uint64_t more, Visit&& visit) {
        const std::uint64_t each = more / (mask_ + 1) * 9 / 8 + (is_split() ? 16 : 1);
        const auto lacks_room = [&](const VisitedTable& part) { return part.lacks_room(each); };
        if (std::none_of(first_, first_ + mask_ + 1, lacks_room)) return;
        for (Word i = 0; i <= mask_; ++i)
            if (first_[i].soon_lacks_room(each)) visit(first_[i], each);
    }
    /// The layout has changed. Where it is split, several may rewrite it together.
    void rewrite(Transfer& transfer, const Together& together);
    /// Inspect all states; likewise.
    void inspect(Inspection& seen, int words, const Together& together) const;
    void clear();
    /// As in `Keeping`; what was split is one table again.
    template <class File>
    void keep(File& file, Width width) {
        if (!is_split()) return one_.keep(file, width);
        if constexpr (!File::reads) {
            std::uint64_t count = size(), room = 0;
            each_part([&](const VisitedTable& part) { room += part.capacity(); });
            file(count, room);
            each(width.words, [&](const Word* state) { file.put(state, static_cast<std::size_t>(width.words)); });
        }
    }

    /// Numbers beside the states; where there is one table.
    void keep_numbers() { one_.keep_numbers(); }
    void drop_numbers() { one_.drop_numbers(); }
    bool numbered() const { return one_.numbered(); }
    template <int K>
    std::uint32_t& number(const Word* slot, Width width) {
        return one_.template number<K>(slot, width);
    }

private:
    template <class Visit>
    void each_part(Visit&& visit) const {
        for (Word i = 0; i <= mask_; ++i) visit(first_[i]);
    }

    VisitedTable one_;
    VisitedTable* first_ = &one_;
    Word mask_ = 0;  // which bits of a hash tell the table
    std::vector<VisitedTable> many_;
    Account* account_;
};

}  // namespace sweep
