// Actions that take tokens: what tables by token and the agenda say, against plain runs and against the actions' own tries.
#include "program.hpp"
#include "sweep/program/expander.hpp"

using namespace sweep;
using namespace sweep::testing;

namespace {

void require(bool condition) {
    if (!condition) throw Disabled{};
}

/// A token that comes goes where a search through the slots would put it.
void arrivals_keep_slots_in_order() {
    Random random(5);
    for (int round = 0; round < 20000; ++round) {
        const int bits = random.between(1, 12), slots = random.between(1, 60 / bits), shift = random.between(0, 64 - bits * slots);
        std::vector<Word> tokens(random.below(static_cast<std::uint64_t>(slots) + 1));
        for (Word& token : tokens) token = 1 + random.below(low_bits(bits));
        const Word other = random.any() & ~(low_bits(bits * slots) << shift);
        const auto packed = [&] {
            std::sort(tokens.begin(), tokens.end(), std::greater<>());
            Word word = other;
            for (std::size_t i = 0; i < tokens.size(); ++i) word |= tokens[i] << (shift + static_cast<int>(i) * bits);
            return word;
        };
        Word word = packed();
        const Id token = static_cast<Id>(1 + random.below(low_bits(bits)));
        const Arrival arrival{token, 0, static_cast<std::uint8_t>(shift), static_cast<std::uint8_t>(bits),
                              static_cast<std::uint8_t>(bits * (slots - 1))};
        const bool full = tokens.size() == static_cast<std::size_t>(slots);
        check_equal(arrival.put(word), !full);
        if (!full) tokens.push_back(token);
        check_equal(word, packed());
    }
}

/// Variables: 0 and 1 are numbers, 2 and 3 bags of at most so many tokens together. What is asked after a token is taken, and
/// what is done with it, is different for each action.
TestProgram post_office(int packets, int capacity) {
    TestProgram program;
    program.kinds = {Kind::scalar, Kind::scalar, Kind::bag, Kind::bag};
    program.initial = {{{1}, {1}, {}, {}}};
    const auto room = [capacity](Draft& s) { return s.size(2) + s.size(3) < capacity; };
    program.actions = {[=](Draft& s) {  // first a number, then sizes
                           const Value sent = s.read(0);
                           require(sent <= packets && room(s));
                           s.add(2, sent, 1);
                       },
                       [](Draft& s) {  // a number after the token
                           const Value packet = s.any(2);
                           s.remove(2, packet);
                           if (packet == s.read(1)) s.write(1, packet + 1);
                           s.add(3, s.read(1), 1);
                       },
                       [](Draft& s) {  // a number before the token
                           const Value sent = s.read(0), answer = s.any(3);
                           s.remove(3, answer);
                           s.write(0, std::max(sent, answer));
                       },
                       [](Draft& s) {  // a choice after the token, one alternative of which is disabled for odd ones
                           const Value packet = s.any(2);
                           const int how = s.choose(3);
                           require(how != 1 || packet % 2 == 0);
                           s.remove(2, packet);
                           if (how == 2) s.add(3, packet, 1);
                       },
                       [](Draft& s) {  // another size after the token
                           const Value answer = s.any(3);
                           require(s.size(2) == 0);
                           s.remove(3, answer);
                       },
                       [](Draft& s) {  // two tokens, of which the second may be like the first
                           const Value first = s.any(2);
                           s.remove(2, first);
                           const Value second = s.any(2);
                           s.remove(2, second);
                           s.add(3, std::max(first, second), 1);
                       },
                       [](Draft& s) {  // the token stays, and something else is done first
                           const Value packet = s.any(2);
                           require(packet < s.read(1));
                           s.clear(3);
                       },
                       [](Draft& s) {  // one of each bag, the other bag's one first
                           const Value answer = s.any(3), packet = s.any(2);
                           require(answer == packet);
                           s.remove(2, packet);
                       }};
    return program;
}

/// Counters that make every state a combination of its own, and a bag.
TestProgram odometer(int digits, int base) {
    TestProgram program;
    const auto bag = static_cast<std::uint32_t>(digits);
    program.kinds.assign(static_cast<std::size_t>(digits), Kind::scalar);
    program.kinds.push_back(Kind::bag);
    program.initial = {Values(static_cast<std::size_t>(digits), {0})};
    program.initial[0].push_back({1, 2});
    for (std::uint32_t digit = 0; digit < bag; ++digit)
        program.actions.push_back([=](Draft& s) {
            require(s.read(digit) + 1 < base);
            s.write(digit, s.read(digit) + 1);
        });
    program.actions.push_back([=](Draft& s) {
        const Value token = s.any(bag);
        require(s.read(0) != token);
        s.remove(bag, token);
        s.add(bag, 1 + s.read(1) % 3, 1);
    });
    return program;
}

std::vector<TestProgram> programs() { return {post_office(9, 3), post_office(6, 4), post_office(40, 2), odometer(4, 8)}; }

void every_state_has_its_successors() {
    for (const TestProgram& program : programs()) {
        const Truth truth = survey(program, 100000);
        check(truth.states.size() > 4000 && !truth.too_large);
        for (const bool rewriting : {false, true}) {
            Settings settings;
            settings.verify = true;
            if (!rewriting) settings.rewrite_below = 0;
            Machine machine(program);
            Exploration& engine = machine.prepare(settings);
            check(machine.explore() == Stop::none);
            check_equal(engine.ledger().counters.states, truth.states.size());
            check_equal(engine.ledger().counters.edges, truth.edges);
            check_equal(machine.verified, truth.states.size());
        }
    }
}

struct Found {
    std::vector<Word> state;
    std::uint32_t ordinal;
    bool operator==(const Found&) const = default;
};
using ByAction = std::vector<std::vector<Found>>;

ByAction by_action(const Block& block, std::uint32_t first, std::uint32_t end, std::size_t actions, std::size_t words) {
    ByAction result(actions);
    for (std::uint32_t c = first; c < end; ++c)
        result[block.found[c].action].push_back({{block.state(c), block.state(c) + words}, block.found[c].ordinal});
    return result;
}

/// All successors of a program's states, in the order of an action's trie, which the numbers of edges rely on.
template <int K>
void compare_orders(Program& program, const std::vector<Word>& states) {
    const std::size_t words = static_cast<std::size_t>(K), actions = program.actions().size();
    Expander fast(program, program.schema.additions()), plain(program, program.schema.additions());
    plain.in_order = true;
    std::vector<Trie> tries;  // copies: no table but a function's own has rows by token
    for (const Function& action : program.actions()) tries.push_back(action.trie);
    for (int round = 0; round < 2; ++round)  // at first it finds out, then it knows
        for (std::size_t from = 0; from < states.size(); from += block_size * words) {
            const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(block_size, (states.size() - from) / words));
            const Batch batch{states.data() + from, count, words, 0, false};
            Block block, slow;
            fast.expand<K>(batch, block, 100000);
            check(block.misses.empty());
            for (std::uint32_t p = 0; p < count; ++p) {
                slow.begin(batch, K);
                for (std::uint32_t action = 0; action < actions; ++action)
                    check(plain.expand_action<K>(action, tries[action], batch.state(p), slow));
                check(by_action(block, block.parents[p].begin, block.parents[p].end, actions, words) ==
                      by_action(slow, 0, slow.candidates, actions, words));
            }
        }
}

void edges_of_an_action_keep_their_order() {
    for (const TestProgram& program : programs()) {
        Machine machine(program);
        machine.prepare({});
        check(machine.explore() == Stop::none);
        Schema& schema = machine.core.schema;
        const std::size_t words = static_cast<std::size_t>(schema.layout.words);
        std::vector<Word> states;
        for (const Values& state : survey(program, 100000).states) {
            states.resize(states.size() + words);
            schema.pack(machine.unpacked(state), states.data() + states.size() - words);
        }
        check(schema.fits() && (words == 1 || words == 2));
        words == 1 ? compare_orders<1>(machine.core, states) : compare_orders<2>(machine.core, states);
    }
}

}  // namespace

int main() {
    return run_all({{"arrivals keep slots in order", arrivals_keep_slots_in_order},
                    {"every state has its successors", every_state_has_its_successors},
                    {"edges of an action keep their order", edges_of_an_action_keep_their_order}});
}
