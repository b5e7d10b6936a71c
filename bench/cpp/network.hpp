// A bounded network of tagged numbers as one sorted row of slots in a word: the state of the stop-and-wait protocols.
//
// From the low end: `capacity` slots, largest content first, free slots 0; then receiver, sender and one bit that is
// always set. A slot holds a place (stage of the network) above a number 1..packets+1, so equal contents lie side by
// side and one bag's tokens are a run of slots.
#pragma once

#include <bit>

#include "exploration.hpp"

namespace bench {

template <unsigned packets, unsigned capacity, unsigned places>
struct Network {
    static constexpr unsigned number_bits = std::bit_width(packets + 1);
    static constexpr unsigned slot_bits = number_bits + std::bit_width(places - 1);
    static constexpr unsigned receiver_at = capacity * slot_bits, sender_at = receiver_at + number_bits;
    static constexpr Word slot_mask = (Word{1} << slot_bits) - 1, number_mask = (Word{1} << number_bits) - 1;
    static constexpr Word slots_mask = (Word{1} << receiver_at) - 1;
    static constexpr Word never_zero = Word{1} << (sender_at + number_bits);
    static_assert(sender_at + number_bits < 64);

    static constexpr Word make(Word sender, Word receiver) { return never_zero | sender << sender_at | receiver << receiver_at; }
    static Word sender(Word state) { return state >> sender_at & number_mask; }
    static Word receiver(Word state) { return state >> receiver_at & number_mask; }
    static Word with_sender(Word state, Word value) { return (state & ~(number_mask << sender_at)) | value << sender_at; }
    static Word slot(Word state, unsigned i) { return state >> (i * slot_bits) & slot_mask; }
    static bool full(Word state) { return slot(state, capacity - 1) != 0; }
    static Word content(Word place, Word number) { return place << number_bits | number; }

    static Word without(Word state, unsigned i) {
        const unsigned at = i * slot_bits;
        const Word row = state & slots_mask, low = row & ((Word{1} << at) - 1);
        return (state & ~slots_mask) | low | (row >> (at + slot_bits)) << at;
    }
    static Word with(Word state, Word added) {
        unsigned at = 0;
        for (unsigned i = 0; i < capacity; ++i) at += slot(state, i) > added ? slot_bits : 0;
        const Word row = state & slots_mask, low = row & ((Word{1} << at) - 1);
        return (state & ~slots_mask) | low | added << at | ((row ^ low) << slot_bits & slots_mask);
    }

    // Calls `visit(rest, place, number)` once per distinct content, with the state that lacks it.
    static void takes(Word state, auto&& visit) {
        Word before = 0;
        for (unsigned i = 0; i < capacity; ++i) {
            const Word found = slot(state, i);
            if (found == 0) return;
            if (found != before) visit(without(state, i), found >> number_bits, found & number_mask);
            before = found;
        }
    }
};

}  // namespace bench
