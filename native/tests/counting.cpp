// Transitions that count, against plain numbers: thresholds, what is enabled and what comes of it, and that filing finds all of them.
#include "sweep/program/counting.hpp"

#include <algorithm>
#include <set>

#include "sweep/program/block.hpp"
#include "sweep/program/filing.hpp"
#include "sweep/program/program.hpp"
#include "testing.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

using Counts = std::vector<std::uint32_t>;

void thresholds_compare_every_number_of_a_word() {
    Random random(1);
    for (std::uint64_t round = 0; round < examples(20000); ++round) {
        Thresholds thresholds;
        Word word = random.any(), expected = 0;
        for (int shift = 0; shift < 64;) {
            const int bits = std::min(random.between(1, random.one_in(4) ? 20 : 4), 64 - shift);
            const Word least = random.any() & low_bits(bits), number = (word >> shift) & low_bits(bits);
            if (random.one_in(3)) {  // equal numbers are rare otherwise
                word = (word & ~(low_bits(bits) << shift)) | (least << shift);
                thresholds.add(shift, bits, least);
                expected |= Word{1} << (shift + bits - 1);
            } else if (random.one_in(2)) {
                thresholds.add(shift, bits, least);
                if (number >= least) expected |= Word{1} << (shift + bits - 1);
            }
            shift += bits;
        }
        check_equal(thresholds.reached(word), expected);
    }
}

/// A net at random, in a program.
class RandomNet {
public:
    Program program;
    std::vector<CountTransition> transitions;

    explicit RandomNet(Random& random) : random_(random) {
        const auto places = static_cast<std::size_t>(random.between(1, random.one_in(3) ? 90 : 8));
        for (std::size_t i = 0; i < places; ++i) {
            program.schema.add(Kind::bag);
            program.schema.set_values(i, 2);
        }
        const auto count = static_cast<std::uint32_t>(random.between(1, 30));
        program.set_functions(Role::action, count);
        for (std::uint32_t i = 0; i < count; ++i) {
            CountTransition made;
            made.action = i;
            for (auto* arcs : {&made.takes, &made.puts, &made.inhibits, &made.resets}) add_arcs(*arcs, places);
            transitions.push_back(made);
            program.counting.add(made, count);
        }
        program.schema.lay_out();
    }

    /// A marking, in a layout that has room for it; that may be made by widening fields in place.
    std::vector<Word> packed(const Counts& counts) {
        Unpacked unpacked(counts.size());
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (counts[i]) unpacked[i] = {1, counts[i]};
        for (;;) {
            std::vector<Word> state(static_cast<std::size_t>(program.schema.layout.words));
            program.schema.pack(unpacked, state.data());
            if (program.schema.fits()) return state;
            program.grow(random_.one_in(2), [](auto&&) {});
        }
    }
    Counts marking() {
        Counts counts(program.schema.variables.size());
        for (std::uint32_t& count : counts)
            count = random_.one_in(2) ? 0 : static_cast<std::uint32_t>(random_.below(random_.one_in(6) ? 70 : 5));
        return counts;
    }

private:
    void add_arcs(std::vector<CountTransition::Arc>& arcs, std::size_t places) {
        std::set<std::uint32_t> used;
        for (int n = random_.between(0, 3); n > 0; --n) {
            const auto place = static_cast<std::uint32_t>(random_.below(places));
            if (used.insert(place).second) arcs.push_back({place, 1, static_cast<std::uint32_t>(random_.between(1, 5))});
        }
    }
    Random& random_;
};

bool enabled(const CountTransition& one, const Counts& counts) {
    const auto has = [&](const CountTransition::Arc& arc) { return counts[arc.place] >= arc.count; };
    return std::all_of(one.takes.begin(), one.takes.end(), has) && std::none_of(one.inhibits.begin(), one.inhibits.end(), has);
}

Counts fired(const CountTransition& one, Counts counts) {
    for (const auto& arc : one.takes) counts[arc.place] -= arc.count;
    for (const auto& arc : one.resets) counts[arc.place] = 0;
    for (const auto& arc : one.puts) counts[arc.place] += arc.count;
    return counts;
}

Counts counts_in(const Schema& schema, const Word* state) {
    Counts counts;
    for (std::uint32_t i = 0; i < schema.variables.size(); ++i) counts.push_back(schema.count_of(i, 1, state));
    return counts;
}

void transitions_do_what_their_numbers_say() {
    Random random(2);
    std::uint64_t direct = 0, outgrown = 0, scattered = 0;
    for (std::uint64_t round = 0; round < examples(300); ++round) {
        RandomNet net(random);
        const Counting& counting = net.program.counting;
        for (int i = 0; i < 20; ++i) {
            const Counts counts = net.marking();
            const std::vector<Word> state = net.packed(counts);
            net.program.refresh();
            Filing filing;
            const Batch batch{state.data(), 1, state.size(), 0, false};
            if (random.one_in(2)) filing.look(counting, net.program.schema, batch);
            filing.file(counting, net.program.schema);
            std::multiset<std::uint32_t> found, expected;
            filing.each<0>(state.data(), [&](std::uint32_t one) {
                if (counting.enabled(counting.firing(one), state.data(), 1)) found.insert(one);
            });
            for (std::uint32_t t = 0; t < net.transitions.size(); ++t) {
                const Counting::Firing& firing = counting.firing(t);
                const bool is_enabled = enabled(net.transitions[t], counts);
                check_equal(firing.possible && counting.enabled(firing, state.data()), is_enabled);
                scattered += firing.scattered + firing.scattered_steps != 0;
                if (!is_enabled) continue;
                expected.insert(t);
                std::vector<Word> next = state;
                if (counting.fire(firing, next.data())) {
                    check(counts_in(net.program.schema, next.data()) == fired(net.transitions[t], counts));
                    ++direct;
                    continue;
                }
                next = state;
                Additions additions = net.program.schema.additions();
                if (net.program.outcomes.apply(net.program.outcomes[firing.outcome], next.data(), additions))
                    check(counts_in(net.program.schema, next.data()) == fired(net.transitions[t], counts));
                else
                    check(!net.program.schema.fits());
                net.program.schema.requests.clear();
                ++outgrown;
            }
            check(found == expected);
        }
    }
    check(direct > 1000 && outgrown > 100 && scattered > 100);
}

void tokens_are_foreseen_step_by_step() {
    Program program;
    for (std::size_t i = 0; i < 5; ++i) program.schema.add(Kind::bag);
    program.set_functions(Role::action, 3);
    const auto move = [](std::uint32_t action, std::uint32_t from, std::uint32_t to) {
        CountTransition made;
        made.action = action;
        made.takes = {{from, 1, 1}};
        made.puts = {{to, 1, 1}};
        return made;
    };
    program.counting.add(move(0, 1, 2), 3);
    program.counting.add(move(1, 0, 1), 3);
    program.counting.add(move(2, 3, 4), 3);
    program.schema.lay_out();
    program.schema.variables[0].cells.add(1);
    program.counting.foresee(program.schema);
    check(program.schema.steps == std::vector<std::uint32_t>{0, 1, 2, Extent::unforeseen, Extent::unforeseen});
}

}  // namespace

int main() {
    return run_all({{"thresholds compare every number of a word", thresholds_compare_every_number_of_a_word},
                    {"transitions do what their numbers say", transitions_do_what_their_numbers_say},
                    {"tokens are foreseen step by step", tokens_are_foreseen_step_by_step}});
}
