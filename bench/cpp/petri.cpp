// A place/transition net with weights, inhibitor and reset arcs: states are packed words, transitions are filed under one input place.
//
// The net comes on standard input: "places N", then lines "m place count" (marked at first) and "t ARC..." with arcs "-p*w" (take),
// "+p*w" (put), "!p*w" (fewer than so many), "0p" (reset). A place has one bit at first; one that outgrows its bits gets more, and
// everything begins anew: only the last run is timed, as if the bounds had been known. Fields of several bits have a guard bit above
// them, so that one subtraction tests a whole word and one addition fires it.
//
// With the name of a PNML file it only reads that, and says how long it took. The file is trusted.
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>

#include "exploration.hpp"

namespace {

using bench::Word;

struct Arc {
    std::size_t place;
    Word weight;
};
struct Transition {
    std::vector<Arc> takes, puts, inhibits;
    std::vector<std::size_t> resets;
};
struct Net {
    std::vector<Word> initial;
    std::vector<Transition> transitions;
    std::vector<unsigned> bits;  // of each place
};

struct Outgrown {
    std::size_t place;
};

struct Field {
    std::size_t word = 0;
    unsigned shift = 0, bits = 1;
    Word guard() const { return bits > 1 ? Word{1} << (shift + bits) : 0; }
    Word mask() const { return ((Word{1} << bits) - 1) << shift; }
};

/// Fields for all places, none across words. Bit 0 of word 0 marks a state.
std::vector<Field> lay_out(const Net& net, std::size_t& words) {
    std::vector<Field> fields;
    unsigned used = 1;
    words = 1;
    for (const unsigned bits : net.bits) {
        const unsigned size = bits > 1 ? bits + 1 : 1;
        if (used + size > 64) {
            ++words;
            used = 0;
        }
        fields.push_back({words - 1, used, bits});
        used += size;
    }
    return fields;
}

/// What a transition needs and does, in one word of the state.
struct Part {
    std::uint32_t word;
    Word need = 0, guards = 0, bits = 0;  // counts: `need` is subtracted below the guards; single bits have to be there
    Word absent = 0;                      // single bits that must not be there
    Word keep = ~Word{0}, add = 0;
    Word fresh = 0, full = 0;  // bits that are put and must not be there; guards that must stay clear
};
struct Compiled {
    std::uint32_t first, parts;
    std::vector<Arc> below;  // inhibitor arcs to counts
    bool never = false;      // no place has ever had so many tokens
};

template <std::size_t W>
using State = std::array<Word, W>;

template <std::size_t W>
std::uint64_t hash_of(const State<W>& state) {
    std::uint64_t hash = bench::mix(state[0]);
    for (std::size_t i = 1; i < W; ++i) hash = bench::mix(hash ^ state[i]);
    return hash;
}

/// All states in the order found, in chunks; a table of their numbers, open addressing. States of one word lie in the table itself.
template <std::size_t W>
class Visited {
public:
    Visited() : slots_(std::size_t{1} << 12) {}
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash >> shift_]); }
    void insert(const State<W>& state, std::uint64_t hash) {
        std::size_t at = hash >> shift_;
        for (; slots_[at].number; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].tag == static_cast<std::uint32_t>(hash) && (*this)[slots_[at].number - 1] == state) return;
        if (size_ % chunk == 0) chunks_.push_back(std::make_unique_for_overwrite<State<W>[]>(chunk));
        chunks_.back()[size_ % chunk] = state;
        slots_[at] = {static_cast<std::uint32_t>(++size_), static_cast<std::uint32_t>(hash)};
        if (size_ * 8 > slots_.size() * 5) grow();
    }
    const State<W>& operator[](std::size_t number) const { return chunks_[number / chunk][number % chunk]; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return chunks_.size() * chunk * sizeof(State<W>) + slots_.size() * sizeof(Slot); }

private:
    static constexpr std::size_t chunk = 1024;
    struct Slot {
        std::uint32_t number = 0, tag = 0;
    };
    void grow() {
        std::vector<Slot>(slots_.size() * 2).swap(slots_);
        --shift_;
        for (std::size_t i = 0; i < size_; ++i) {
            const std::uint64_t hash = hash_of<W>((*this)[i]);
            std::size_t at = hash >> shift_;
            while (slots_[at].number) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = {static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(hash)};
        }
    }
    std::vector<Slot> slots_;
    std::vector<std::unique_ptr<State<W>[]>> chunks_;
    std::size_t size_ = 0;
    int shift_ = 52;
};
template <>
class Visited<1> {
public:
    void prefetch(std::uint64_t hash) { table_.prefetch(hash); }
    void insert(const State<1>& state, std::uint64_t hash) {
        if (!table_.insert(state[0], hash)) return;
        if (size_ % chunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Word[]>(chunk));
        chunks_.back()[size_++ % chunk] = state[0];
    }
    State<1> operator[](std::size_t number) {  // each is asked for once, in order
        const State<1> state{chunks_[number / chunk][number % chunk]};
        if (number % chunk == chunk - 1) chunks_[number / chunk].reset();
        most_ = std::max(most_, size_ - number);
        return state;
    }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return bench::account.peak + most_ * sizeof(Word); }

private:
    static constexpr std::size_t chunk = 4096;
    bench::Table table_{12};
    std::vector<std::unique_ptr<Word[]>> chunks_;
    std::size_t size_ = 0, most_ = 0;
};

template <std::size_t W>
class Explorer {
public:
    Explorer(const Net& net, const std::vector<Field>& fields) : net_(net), fields_(fields) {
        for (const Transition& transition : net.transitions) compile(transition);
        file();
    }

    void run() {
        State<W> initial{1};
        for (std::size_t p = 0; p < net_.initial.size(); ++p) {
            if (net_.initial[p] >> net_.bits[p]) throw Outgrown{p};
            initial[fields_[p].word] |= net_.initial[p] << fields_[p].shift;
        }
        visited.insert(initial, hash_of<W>(initial));
        for (std::size_t next = 0; next < visited.size(); ++next) {
            const State<W> state = visited[next];
            for (const std::uint32_t transition : always_) try_one(transition, state);
            for (const auto& [word, mask] : watched_)
                for (Word rest = state[word] & mask; rest;) {
                    const Head& head = heads_[word * 64 + static_cast<unsigned>(__builtin_ctzll(rest))];
                    rest &= ~head.mask;
                    for (std::uint32_t i = head.first; i < head.last; ++i) try_one(filed_[i], state);
                }
            if (next + 1 == visited.size()) ring_.drain([&](const Pending& one) { visited.insert(one.state, one.hash); });
            if (next == 1024 || next == 65536) file();
            if (next < 1024 || next % 64 == 0) look(state);
        }
    }

    Visited<W> visited;
    std::size_t edges = 0;

private:
    struct Pending {
        State<W> state;
        std::uint64_t hash;
    };
    struct Head {
        Word mask = 0;
        std::uint32_t first = 0, last = 0;
    };

    Part& part(std::uint32_t first, std::size_t word) {
        for (std::size_t i = first; i < parts_.size(); ++i)
            if (parts_[i].word == word) return parts_[i];
        parts_.push_back({static_cast<std::uint32_t>(word)});
        return parts_.back();
    }
    void compile(const Transition& transition) {
        Compiled made{static_cast<std::uint32_t>(parts_.size()), 0, {}};
        for (const Arc& arc : transition.takes) {
            const Field& field = fields_[arc.place];
            Part& here = part(made.first, field.word);
            if (arc.weight >> field.bits) {
                made.never = true;
            } else if (field.bits == 1) {
                here.bits |= field.mask();
            } else {
                here.need += arc.weight << field.shift;
                here.guards |= field.guard();
            }
            here.add -= arc.weight << field.shift;
        }
        for (const std::size_t place : transition.resets) {
            Part& here = part(made.first, fields_[place].word);
            for (const Arc& arc : transition.takes)
                if (arc.place == place) here.add += arc.weight << fields_[place].shift;
            here.keep &= ~fields_[place].mask();
        }
        for (const Arc& arc : transition.puts) {
            const Field& field = fields_[arc.place];
            if (arc.weight >> field.bits) throw Outgrown{arc.place};
            Part& here = part(made.first, field.word);
            here.add += arc.weight << field.shift;
            bool kept = true;
            for (const Arc& taken : transition.takes) kept &= taken.place != arc.place;
            if (field.bits > 1)
                here.full |= field.guard();
            else if (kept && (here.keep & field.mask()))
                here.fresh |= field.mask();
        }
        for (const Arc& arc : transition.inhibits) {
            const Field& field = fields_[arc.place];
            if (field.bits == 1 && arc.weight == 1)
                part(made.first, field.word).absent |= field.mask();
            else
                made.below.push_back(arc);
        }
        made.parts = static_cast<std::uint32_t>(parts_.size()) - made.first;
        compiled_.push_back(std::move(made));
    }

    void look(const State<W>& state) {
        seen_.resize(fields_.size());
        for (std::size_t p = 0; p < fields_.size(); ++p) seen_[p] += (state[fields_[p].word] & fields_[p].mask()) != 0;
    }
    void file() {
        seen_.resize(fields_.size());
        std::vector<std::vector<std::uint32_t>> under(fields_.size());
        always_.clear();
        for (std::uint32_t t = 0; t < compiled_.size(); ++t) {
            const std::vector<Arc>& takes = net_.transitions[t].takes;
            if (compiled_[t].never) continue;
            if (takes.empty()) {
                always_.push_back(t);
                continue;
            }
            const auto rarer = [&](const Arc& one, const Arc& other) { return seen_[one.place] < seen_[other.place]; };
            under[std::min_element(takes.begin(), takes.end(), rarer)->place].push_back(t);
        }
        std::vector<Word> masks(W);
        heads_.assign(W * 64, {});
        filed_.clear();
        for (std::size_t p = 0; p < under.size(); ++p) {
            if (under[p].empty()) continue;
            const Field& field = fields_[p];
            const auto first = static_cast<std::uint32_t>(filed_.size());
            filed_.insert(filed_.end(), under[p].begin(), under[p].end());
            masks[field.word] |= field.mask();
            for (unsigned bit = 0; bit < field.bits; ++bit)
                heads_[field.word * 64 + field.shift + bit] = {field.mask(), first, static_cast<std::uint32_t>(filed_.size())};
        }
        watched_.clear();
        for (std::size_t w = 0; w < W; ++w)
            if (masks[w]) watched_.emplace_back(w, masks[w]);
    }

    void try_one(std::uint32_t transition, const State<W>& state) {
        const Compiled& one = compiled_[transition];
        const Part* const parts = parts_.data() + one.first;
        for (std::uint32_t i = 0; i < one.parts; ++i) {
            const Part& part = parts[i];
            const Word word = state[part.word];
            if (((((word | part.guards) - part.need) & part.guards) != part.guards) | ((word & (part.bits | part.absent)) != part.bits))
                return;
        }
        for (const Arc& arc : one.below) {
            const Field& field = fields_[arc.place];
            if (((state[field.word] & field.mask()) >> field.shift) >= arc.weight) return;
        }
        State<W> after = state;
        for (std::uint32_t i = 0; i < one.parts; ++i) {
            const Part& part = parts[i];
            Word& word = after[part.word];
            const Word before = word;
            word = (word & part.keep) + part.add;
            if ((before & part.fresh) | (word & part.full)) outgrown(transition, state);
        }
        ++edges;
        const std::uint64_t hash = hash_of<W>(after);
        visited.prefetch(hash);
        ring_.pass({after, hash}, [&](const Pending& pending) { visited.insert(pending.state, pending.hash); });
    }
    [[noreturn]] void outgrown(std::uint32_t transition, const State<W>& state) const {
        for (const Arc& arc : net_.transitions[transition].puts) {
            const Field& field = fields_[arc.place];
            Word count = (state[field.word] & field.mask()) >> field.shift;
            for (const Arc& taken : net_.transitions[transition].takes)
                if (taken.place == arc.place) count -= taken.weight;
            for (const std::size_t reset : net_.transitions[transition].resets)
                if (reset == arc.place) count = 0;
            if ((count + arc.weight) >> field.bits) throw Outgrown{arc.place};
        }
        throw std::logic_error("nothing has outgrown its field");
    }

    const Net& net_;
    const std::vector<Field>& fields_;
    std::vector<Part> parts_;
    std::vector<Compiled> compiled_;
    std::vector<std::size_t> seen_;
    std::vector<std::uint32_t> always_, filed_;
    std::vector<std::pair<std::size_t, Word>> watched_;
    std::vector<Head> heads_;
    bench::Ring<Pending> ring_;
};

Arc arc_of(const std::string& text) {
    const std::size_t star = text.find('*');
    return {std::stoul(text.substr(1)), star == std::string::npos ? 1 : std::stoull(text.substr(star + 1))};
}

Net read_net() {
    Net net;
    std::string text, kind;
    while (std::getline(std::cin, text)) {
        std::istringstream line(text);
        std::size_t place = 0;
        line >> kind;
        if (kind == "places") {
            line >> place;
            net.initial.assign(place, 0);
            net.bits.assign(place, 1);
        } else if (kind == "m") {
            line >> place;
            line >> net.initial.at(place);
        } else {
            Transition& transition = net.transitions.emplace_back();
            for (std::string arc; line >> arc;) {
                if (arc[0] == '0')
                    transition.resets.push_back(std::stoul(arc.substr(1)));
                else
                    (arc[0] == '-' ? transition.takes : arc[0] == '+' ? transition.puts : transition.inhibits).push_back(arc_of(arc));
            }
        }
    }
    return net;
}

/// PNML as the contest has it: places and transitions come before the arcs between them, weights and markings are numbers.
Net read_pnml(const char* path) {
    std::string whole(std::filesystem::file_size(path), ' ');
    std::ifstream(path, std::ios::binary).read(whole.data(), static_cast<std::streamsize>(whole.size()));
    const std::string_view text = whole;
    Net net;
    struct Node {
        bool is_place;
        std::size_t number;
    };
    std::unordered_map<std::string_view, Node> nodes;
    std::size_t at = 0;
    const auto attribute = [&](std::string_view name) {  // of the tag that begins here, written with =" before its value
        const std::size_t begin = text.find(name, at) + name.size();
        return text.substr(begin, text.find('"', begin) - begin);
    };
    // The number inside an element that begins before the end of the one that begins here.
    const auto number = [&](std::string_view element, std::string_view end, Word otherwise) {
        if (text[text.find('>', at) - 1] == '/') return otherwise;
        const std::size_t label = text.substr(at, text.find(end, at) - at).find(element);
        if (label == std::string_view::npos) return otherwise;
        return Word{std::stoull(whole.substr(text.find("<text>", at + label) + 6, 20))};
    };
    for (; (at = text.find('<', at)) != std::string_view::npos; ++at) {
        const std::string_view rest = text.substr(at + 1, 11);
        if (rest.starts_with("place ")) {
            nodes.emplace(attribute("id=\""), Node{true, net.initial.size()});
            net.initial.push_back(number("<initialMarking", "</place", 0));
        } else if (rest.starts_with("transition ")) {
            nodes.emplace(attribute("id=\""), Node{false, net.transitions.size()});
            net.transitions.emplace_back();
        } else if (rest.starts_with("arc ")) {
            const Node source = nodes.at(attribute("source=\"")), target = nodes.at(attribute("target=\""));
            const Word weight = number("<inscription", "</arc", 1);
            if (source.is_place)
                net.transitions[target.number].takes.push_back({source.number, weight});
            else
                net.transitions[source.number].puts.push_back({target.number, weight});
        }
    }
    net.bits.assign(net.initial.size(), 1);
    return net;
}

/// One run, for states of W words or a few more.
template <std::size_t W = 1>
void explore(const Net& net, const std::vector<Field>& fields, std::size_t words) {
    if constexpr (W < 128)
        if (words > W) return explore < W < 8 ? W + 1 : W < 16 ? W + 2 : W<64 ? W + 8 : W + 16>(net, fields, words);
    if (words > W) throw std::length_error("more than 128 words");
    const double start = bench::cpu_seconds();
    auto explorer = std::make_unique<Explorer<W>>(net, fields);
    explorer->run();
    std::printf("{\"states\": %zu, \"edges\": %zu, \"peak\": %zu, \"words\": %zu, \"cpu_seconds\": %.6f, \"bytes\": %zu}\n",
                explorer->visited.size(), explorer->edges, explorer->visited.size(), words, bench::cpu_seconds() - start,
                explorer->visited.bytes());
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1) {
        const double start = bench::cpu_seconds();
        const Net net = read_pnml(arguments[1]);
        std::printf("{\"places\": %zu, \"transitions\": %zu, \"cpu_seconds\": %.6f}\n", net.initial.size(), net.transitions.size(),
                    bench::cpu_seconds() - start);
        return 0;
    }
    Net net = read_net();
    for (;;) {
        try {
            std::size_t words = 0;
            const std::vector<Field> fields = lay_out(net, words);
            bench::account = {};
            explore(net, fields, words);
            return 0;
        } catch (const Outgrown& met) {
            ++net.bits[met.place];
        }
    }
}
