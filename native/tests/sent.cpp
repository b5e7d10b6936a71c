// States that were sent lately: what is told to be there was added, and stays there when the room grows.
#include "sweep/explore/sent.hpp"

#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

constexpr std::uint64_t plenty = std::uint64_t{1} << 32;

std::vector<Word> state(std::uint64_t number, int words) {
    std::vector<Word> made(static_cast<std::size_t>(words), number);
    made[0] = number << 1 | 1;
    return made;
}

bool holds(const SentStates& sent, const std::vector<Word>& one, bool back) {
    return sent.holds<0>(sent.start<0>(hash_words<0>(one.data(), static_cast<int>(one.size()))), one.data(), back);
}

void add(SentStates& sent, const std::vector<Word>& one, bool back) {
    sent.add(sent.start<0>(hash_words<0>(one.data(), static_cast<int>(one.size()))), one.data(), back);
}

/// Of so many states every third was sent by a step back; nothing else is there, and of those nearly all are.
void what_was_sent_is_there(int words) {
    SentStates sent;
    const std::uint64_t count = 400'000;
    check(!holds(sent, state(0, words), false));
    for (std::uint64_t i = 0; i < count; ++i) {
        sent.make_room(plenty, words);
        add(sent, state(i, words), i % 3 == 0);
    }
    std::uint64_t there = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const bool forward = holds(sent, state(i, words), false);
        there += forward;
        check_equal(holds(sent, state(i, words), true), forward && i % 3 == 0);
        check(!holds(sent, state(count + i, words), false));
    }
    check(there > count * 3 / 4);
    sent.forget();
    check(!holds(sent, state(count - 1, words), false));
}

void narrow_states() { what_was_sent_is_there(1); }
void wide_states() { what_was_sent_is_there(3); }

void the_younger_ones_stay() {
    SentStates sent;
    for (std::uint64_t i = 0; i < 3'000'000; ++i) {
        sent.make_room(0, 1);
        add(sent, state(i, 1), false);
        check(holds(sent, state(i, 1), false));
    }
    check(sent.bytes() <= 1 << 22);
}

}  // namespace

int main() {
    return run_all({{"what was sent is there", narrow_states},
                    {"what was sent is there, where states are wide", wide_states},
                    {"the younger ones stay", the_younger_ones_stay}});
}
