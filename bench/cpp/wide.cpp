// A place/transition net with many transitions, all places 1-safe: each state tries one transition after the other with a mask test.
//
// The net comes on standard input: the number of places, then lines "m place..." (marked at first) and "t take... > give...".
// Built for states of WORDS words. A transition has one mask per word in which it takes or gives something.
#include <array>
#include <iostream>
#include <sstream>
#include <string>

#include "exploration.hpp"

namespace {

using bench::Word;
using State = std::array<Word, WORDS>;

struct Part {
    std::uint32_t word;
    Word takes, gives;
};
struct Transition {
    std::uint32_t first, parts;
};
std::vector<Part> parts;
std::vector<Transition> transitions;

std::uint64_t mix(const State& state) {
    std::uint64_t hash = 0;
    for (const Word word : state) hash = bench::mix(hash ^ word);
    return hash;
}

// Open addressing as in `bench::Table`, for states of several words; the queue of states to come is all of them in the order found.
class Visited {
public:
    bool insert(const State& state, std::uint64_t hash) {
        std::uint32_t* slot = &slots_[hash >> shift_];
        for (; *slot; slot = slot == &slots_.back() ? slots_.data() : slot + 1)
            if (found[*slot - 1] == state) return false;
        found.push_back(state);
        *slot = static_cast<std::uint32_t>(found.size());
        if (found.size() * 2 > slots_.size()) grow();
        return true;
    }
    void prefetch(std::uint64_t hash) { __builtin_prefetch(&slots_[hash >> shift_]); }
    std::size_t bytes() const { return found.capacity() * sizeof(State) + slots_.size() * sizeof(std::uint32_t); }
    std::vector<State> found;

private:
    void grow() {
        slots_.assign(slots_.size() * 2, 0);
        --shift_;
        for (std::size_t i = 0; i < found.size(); ++i) {
            std::size_t at = mix(found[i]) >> shift_;
            while (slots_[at]) at = (at + 1) % slots_.size();
            slots_[at] = static_cast<std::uint32_t>(i + 1);
        }
    }
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1 << 12);
    int shift_ = 52;
};

void add_transition(std::istringstream& line) {
    std::array<Part, WORDS> all{};
    bool gives = false;
    for (std::string token; line >> token;) {
        if (token == ">") {
            gives = true;
            continue;
        }
        const unsigned long place = std::stoul(token);
        Part& part = all[place / 64];
        (gives ? part.gives : part.takes) |= Word{1} << (place % 64);
    }
    const auto first = static_cast<std::uint32_t>(parts.size());
    for (std::uint32_t word = 0; word < WORDS; ++word)
        if (all[word].takes | all[word].gives) parts.push_back({word, all[word].takes, all[word].gives});
    transitions.push_back({first, static_cast<std::uint32_t>(parts.size()) - first});
}

State read_net() {
    State initial{};
    std::string text, kind;
    std::getline(std::cin, text);
    while (std::getline(std::cin, text)) {
        std::istringstream line(text);
        line >> kind;
        if (kind == "t") add_transition(line);
        for (unsigned long place; kind == "m" && line >> place;) initial[place / 64] |= Word{1} << (place % 64);
    }
    return initial;
}

bool enabled(const Transition& transition, const State& state) {
    for (std::uint32_t i = 0; i < transition.parts; ++i) {
        const Part& part = parts[transition.first + i];
        if ((state[part.word] & part.takes) != part.takes) return false;
    }
    return true;
}

}  // namespace

int main() {
    struct Pending {
        State state;
        std::uint64_t hash;
    };
    const State initial = read_net();
    const double start = bench::cpu_seconds();
    Visited visited;
    bench::Ring<Pending> ring;
    std::size_t edges = 0;
    const auto store = [&](const Pending& pending) { visited.insert(pending.state, pending.hash); };
    visited.insert(initial, mix(initial));
    for (std::size_t next = 0; next < visited.found.size(); ++next) {
        const State state = visited.found[next];
        for (const Transition& transition : transitions) {
            if (!enabled(transition, state)) continue;
            State after = state;
            for (std::uint32_t i = 0; i < transition.parts; ++i) {
                const Part& part = parts[transition.first + i];
                after[part.word] = (after[part.word] & ~part.takes) | part.gives;
            }
            ++edges;
            const std::uint64_t hash = mix(after);
            visited.prefetch(hash);
            ring.pass({after, hash}, store);
        }
        if (next + 1 == visited.found.size()) ring.drain(store);
    }
    std::printf("{\"states\": %zu, \"edges\": %zu, \"peak\": %zu, \"cpu_seconds\": %.6f, \"bytes\": %zu}\n", visited.found.size(), edges,
                visited.found.size(), bench::cpu_seconds() - start, visited.bytes());
    return 0;
}
