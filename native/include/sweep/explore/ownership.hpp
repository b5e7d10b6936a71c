#pragma once
#include <cstdint>
#include <vector>

#include "sweep/explore/plain.hpp"
#include "sweep/program/block.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// What values mean to every site, whatever ids they have in this one.
struct Meanings {
    std::vector<std::uint32_t> domain_of;    // per variable: fields of an array share a domain
    std::vector<std::vector<Word>> digests;  // per domain, by id: the same for equal values in every site
    std::uint64_t version = 0;               // rises with every value that is met
};

/// Who owns a state: the digests of some of its fields are added up, so that all sites find the same one, whatever ids and layouts they
/// have. Of a successor only those fields are looked at that a step has changed, and mostly that is none.
class Ownership {
public:
    const std::uint32_t me, sites;
    Meanings meanings;

    /// `fields` decide.
    Ownership(const Schema& schema, std::uint32_t me, std::uint32_t sites, std::vector<std::uint32_t> fields)
        : me(me), sites(sites), schema_(schema), fields_(std::move(fields)) {}

    std::uint32_t owner(const Word* state) {
        renew();
        return owner_of(sum(state));
    }
    /// The owners of all candidates of a block, whose parents are owned here.
    template <int K>
    void look(const Batch& batch, const Block& block) {
        if (owners_.size() < block.candidates) owners_.resize(block.found.size(), me);
        if (sites == 1) return;
        renew();
        const int k = K ? K : schema_.layout.words;
        for (std::uint32_t p = 0; p < batch.count; ++p) {
            const Block::Parent range = block.parents[p];
            const Word* const parent = batch.state(p);
            bool summed = false;
            Word before = 0;
            for (std::uint32_t c = range.begin; c < range.end; ++c) {
                const Word* const state = block.state<K>(c);
                Word changed = 0;
                for (int i = 0; i < k; ++i) changed |= (state[i] ^ parent[i]) & bits_[static_cast<std::size_t>(i)];
                owners_[c] = me;
                if (!changed) continue;
                if (!summed) before = sum(parent);
                summed = true;
                owners_[c] = owner_of(before + change(parent, state));
            }
        }
    }
    std::uint32_t operator[](std::uint32_t candidate) const { return owners_[candidate]; }
    /// The layout has changed.
    void lay_out() { laid_out_ = false; }

private:
    struct Known {
        Word low = ~Word{0}, high = 0, sum = 0;  // no field has all bits of a word
    };
    /// A field that decides: the digests of its values by id, each field's its own; where it lies; and, unless it is a plain scalar or
    /// spans several words, what its bits were lately found to add up to.
    struct Decider {
        std::vector<Word> salted;
        Plain low, high;
        std::vector<Known> known;
    };
    /// Bits that such a field has in a word.
    struct Bits {
        std::uint32_t field = 0;  // by its position among those that decide
        Word bits = 0;
    };

    void renew();
    void salt();
    void find_bits();
    void add_bits(std::uint32_t field, std::size_t word, Word bits);
    [[gnu::always_inline]] Word part(std::size_t field, const Word* state) {
        Decider& decider = deciders_[field];
        const Word low = decider.low.load(state);
        if (decider.low.is_plain) return decider.salted[low];
        if (decider.known.empty()) return sum_of_contents(field, state);
        const Word high = decider.high.load(state);
        Known& known = decider.known[(low * odd ^ high * odd) >> known_shift];
        if (known.low != low || known.high != high) [[unlikely]]
            known = {low, high, sum_of_contents(field, state)};
        return known.sum;
    }
    Word sum_of_contents(std::size_t field, const Word* state);
    Word sum(const Word* state);
    /// What a step changes of the sum.
    Word change(const Word* parent, const Word* state);
    std::uint32_t owner_of(Word sum) const;

    static constexpr int known_shift = 52;
    static constexpr Word odd = 0x9E3779B97F4A7C15ull;

    const Schema& schema_;
    const std::vector<std::uint32_t> fields_;
    std::vector<Id> contents_;
    std::vector<Decider> deciders_;
    std::uint64_t version_ = ~std::uint64_t{0};  // of the meanings that were salted
    bool laid_out_ = false;
    std::vector<Word> bits_;            // per word: those of the fields that decide
    std::vector<Bits> whose_;           // per bit: the field that it belongs to
    std::vector<std::uint64_t> looks_;  // per field: when it was last looked at, as it may lie in several pieces
    std::uint64_t look_ = 0;
    std::vector<std::uint32_t> owners_;  // per candidate
};

}  // namespace sweep
