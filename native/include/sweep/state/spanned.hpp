#pragma once
#include <algorithm>
#include <cstdint>

#include "sweep/state/layout.hpp"

namespace sweep {

/// The slots of a bag or queue that spans several words, where each word has whole cells: filled from the lowest, tokens of bags from the
/// largest down. Looked at and moved a word at a time.
class Spanned {
public:
    explicit Spanned(const Field& field) : field_(field), bits_(field.bits()), one_(low_bits(bits_)) {}

    /// One of its slots.
    struct Place {
        int word = 0, slots_before = 0;  // of all its words, and the slots in those before
        int at = 0;                      // its lowest bit in that word
    };

    /// Visit what is there, in order, until that returns false; where that was.
    template <class Visit>
    Place each(const Word* state, Visit&& visit) const {
        Place place;
        for (; place.slots_before < field_.slots; ++place.word, place.slots_before += field_.per_word) {
            place.at = 0;
            for (Word rest = cells(state, place); rest; rest >>= bits_, place.at += bits_)
                if (!visit(static_cast<Id>(rest & one_))) return place;
            if (place.at <= last(place)) return place;
        }
        return place;
    }

    /// How often a bag has a token.
    std::uint32_t count(const Word* state, Id token) const {
        std::uint32_t count = 0;
        each(state, [&](Id here) {
            count += here == token;
            return here >= token;
        });
        return count;
    }

    /// The first slot of a bag that has no larger token, or none at all.
    Place place(const Word* state, Id token) const {
        return each(state, [&](Id here) { return here > token; });
    }

    bool full(const Word* state) const { return field_.cell(state, field_.slots - 1u) != 0; }

    /// Put something into a slot; it and all behind move on by one. There must be room.
    void insert(Word* state, Place place, Id id) const {
        for (Word carried = id; carried; step(place)) {
            const Word raw = cells(state, place), end = one_ << last(place), rest = raw & ~end, below = rest & low_bits(place.at);
            put(state, place, below | carried << place.at | (rest ^ below) << bits_);
            carried = (raw & end) >> last(place);
        }
    }

    /// Take out what is in a slot; all behind move back by one.
    void remove(Word* state, Place place) const {
        for (Word next = 1; next;) {
            Place behind = place;
            step(behind);
            next = behind.slots_before < field_.slots ? cells(state, behind) & one_ : 0;
            const Word raw = cells(state, place), below = raw & low_bits(place.at);
            put(state, place, below | ((raw >> place.at) >> bits_) << place.at | next << last(place));
            place = behind;
        }
    }

    void clear(Word* state) const {
        for (Place place; place.slots_before < field_.slots; step(place)) put(state, place, 0);
    }

private:
    /// The lowest bit of the last slot in a word.
    int last(const Place& place) const { return (std::min<int>(field_.per_word, field_.slots - place.slots_before) - 1) * bits_; }
    Word mask(const Place& place) const { return low_bits(last(place) + bits_); }
    void step(Place& place) const { place = {place.word + 1, place.slots_before + field_.per_word, 0}; }
    Word cells(const Word* state, const Place& place) const {
        return (state[field_.low.word + place.word] >> field_.low.shift) & mask(place);
    }
    void put(Word* state, const Place& place, Word raw) const {
        Word& changed = state[field_.low.word + place.word];
        changed = (changed & ~(mask(place) << field_.low.shift)) | raw << field_.low.shift;
    }

    const Field& field_;
    int bits_;
    Word one_;
};

}  // namespace sweep
