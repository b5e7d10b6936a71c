#include "sweep/program/groups.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "sweep/program/answers.hpp"

namespace sweep {

namespace {

constexpr int most_bits = 10;            // of a group's key: its table stays in the nearest caches
constexpr int bits_to_spare = 2;         // of one with many actions: so many more than it takes to tell these apart
constexpr std::size_t few_actions = 16;  // are looked at one by one
constexpr std::size_t most_kinds = 64;   // have bits

/// Scalars take the bits that their values need now, counts of tokens those of their cells. A token that was never held has no cell:
/// there is nothing to look at.
int bits_of(const Schema& schema, Asked asked) {
    const Variable& variable = schema.variables[asked.field];
    if (variable.kind == Kind::scalar) return bits_for(variable.values);
    const Field& field = schema.layout.fields[asked.field];
    return asked.cell < field.slots ? field.bits() : 0;
}

/// The number that answers a question, if it is one that groups may have.
std::optional<Asked> asked_by(const Trie& trie, const Trie::Node& node, const Schema& schema) {
    if (node.ask == Ask::value || trie.asks_whether(node)) return Asked{node.field};
    if (node.ask != Ask::count && node.ask != Ask::at_least && node.ask != Ask::size) return std::nullopt;
    const Variable& variable = schema.variables[node.field];
    const bool counts = variable.kind == Kind::bag && variable.form == Form::counts;
    if (!counts || node.direct < Trie::Node::Direct::value) return std::nullopt;
    return Asked{node.field, node.ask == Ask::size ? 0 : variable.cells.of(node.argument)};
}

std::uint32_t key_of(const Trie& trie, const Trie::Node& node, const Schema& schema, const Word* state) {
    if (node.ask == Ask::value || node.ask == Ask::equal) return answer(schema, trie, node, state);
    return node.key((state[node.word] >> node.shift) & node.mask);
}

/// Whether one of the numbers that are known answers a node.
bool is_answered(const Trie& trie, const Trie::Node& node, std::span<const Asked> known, const Schema& schema) {
    const auto is_known = [&](Asked wanted) { return std::find(known.begin(), known.end(), wanted) != known.end(); };
    if (node.ask == Ask::value) return is_known({node.field});
    const std::optional<Asked> wanted = asked_by(trie, node, schema);
    return wanted && is_known(*wanted);
}

int bits_of(const Schema& schema, const std::vector<Asked>& all) {
    int bits = 0;
    for (const Asked asked : all) bits += bits_of(schema, asked);
    return bits;
}

bool contains(const std::vector<Asked>& all, Asked asked) { return std::find(all.begin(), all.end(), asked) != all.end(); }

/// Scalars are plain numbers, and so are elements of sets, which are bits, and bags that are one number, as those of black tokens are.
bool is_plain(Asked asked, const Schema& schema) {
    const Variable& variable = schema.variables[asked.field];
    if (variable.kind == Kind::scalar || variable.is_set) return true;
    return variable.cells.size() == 1 && schema.layout.fields[asked.field].slots == 1;
}

bool asks_plain_first(const Trie& trie, const Schema& schema) {
    return is_plain(*asked_by(trie, trie.nodes[index_of(trie.root)], schema), schema);
}

/// The numbers that an action asks for: nearest to the root first, as far as they fit a key. Where the first is a plain one, all are.
std::vector<Asked> first_asked(const Trie& trie, const Schema& schema) {
    std::vector<Asked> found;
    int bits = 0;
    if (trie.root == unknown || (trie.root & 1) || !asked_by(trie, trie.nodes[index_of(trie.root)], schema)) return found;
    const bool plain = asks_plain_first(trie, schema);
    for (const Trie::Node& node : trie.nodes) {  // nodes are made from the root downwards
        const std::optional<Asked> asked = asked_by(trie, node, schema);
        if (!asked || (plain && !is_plain(*asked, schema)) || contains(found, *asked)) continue;
        const int width = bits_of(schema, *asked);
        if (bits + width > most_bits) break;
        bits += width;
        found.push_back(*asked);
        if (found.size() == 8) break;
    }
    return found;
}

}  // namespace

void BitKey::lay_out(const std::vector<Asked>& asked, const Schema& schema) {
    const Layout& layout = schema.layout;
    parts_.clear();
    bits_ = 0;
    std::map<std::uint16_t, Word> masks;
    for (const Asked one : asked) {
        const Field& field = layout.fields[one.field];
        const int bits = bits_of(schema, one);
        if (bits == 0) continue;
        const auto word = static_cast<std::uint16_t>(field.word_of(one.cell));
        masks[word] |= low_bits(std::min<int>(field.low.width, bits)) << field.shift_of(one.cell);
        if (bits > field.low.width) masks[field.high.word] |= low_bits(bits - field.low.width) << field.high.shift;
    }
    for (const auto& [word, mask] : masks) {
        parts_.push_back({word, mask, bits_});
        bits_ += __builtin_popcountll(mask);
    }
    first_ = masks[0];
}

void Group::lay_out(const Program& program) {
    key_.lay_out(asked, program.schema);
    rests_.clear();
    starts_.assign(std::size_t{1} << key_.bits(), 0);
    partials_.assign(1, {});
    kinds_.clear();
    for (const std::uint32_t action : actions) partials_[0].rests.push_back({action, program.actions()[action].trie.root});
}

Rests Group::resolve(std::uint32_t key, const Word* state, const Program& program) {
    const std::vector<Rest>& from = narrow(state, program);
    const std::size_t start = rests_.size();
    rests_.resize(start + Rests::head);
    const bool known = advance(from, asked.size(), state, program, rests_);
    rests_[start].action = static_cast<std::uint32_t>(rests_.size() - start - Rests::head);
    if (known) {
        if (program.diamonds.used()) put_kinds_first(start, program);
        starts_[key] = static_cast<std::uint32_t>(start + 1);
        return rests_.data() + start;
    }
    passing_.assign(rests_.begin() + static_cast<std::ptrdiff_t>(start), rests_.end());
    rests_.resize(start);
    return passing_.data();
}

/// Have those rests first whose kinds have bits, and say which. One kind may be there several times: by different outcomes of one action.
void Group::put_kinds_first(std::size_t start, const Program& program) {
    const auto bit_of = [&](const Rest& rest) -> std::size_t {
        if (!is_leaf(rest.code)) return most_kinds;
        const Outcome& outcome = program.outcomes[index_of(rest.code)];
        if (outcome.kind == 0 || !outcome.only_sets()) return most_kinds;
        const auto found = std::find(kinds_.begin(), kinds_.end(), outcome.kind);
        if (found == kinds_.end() && kinds_.size() < most_kinds) {
            kinds_.push_back(outcome.kind);
            return kinds_.size() - 1;
        }
        return static_cast<std::size_t>(found - kinds_.begin());
    };
    const auto first = rests_.begin() + static_cast<std::ptrdiff_t>(start + Rests::head);
    std::vector<std::pair<std::size_t, Rest>> sorted;
    Word kinds = 0;
    for (auto rest = first; rest != rests_.end(); ++rest) {
        std::size_t bit = bit_of(*rest);
        if (bit < most_kinds && (kinds >> bit & 1)) bit = most_kinds;
        if (bit < most_kinds) kinds |= Word{1} << bit;
        sorted.emplace_back(bit, *rest);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& one, const auto& other) { return one.first < other.first; });
    std::transform(sorted.begin(), sorted.end(), first, [](const auto& one) { return one.second; });
    rests_[start].code = static_cast<std::uint32_t>(__builtin_popcountll(kinds));
    rests_[start + 1] = {static_cast<std::uint32_t>(kinds), static_cast<std::uint32_t>(kinds >> 32)};
}

/// What is left when all numbers but the last are known; few actions, and such of which not everything is known, may be left as
/// they are before.
const std::vector<Rest>& Group::narrow(const Word* state, const Program& program) {
    std::uint32_t at = 0;
    for (std::size_t known = 0; known + 1 < asked.size() && partials_[at].rests.size() > few_actions; ++known) {
        const int bits = bits_of(program.schema, asked[known]);
        const Word value = bits ? program.schema.layout.fields[asked[known].field].cell(state, asked[known].cell) : 0;
        if (partials_[at].next.empty()) partials_[at].next.resize(std::size_t{1} << bits);
        if (!partials_[at].next[value]) {
            narrowed_.clear();
            if (!advance(partials_[at].rests, known + 1, state, program, narrowed_)) return narrowed_;
            partials_[at].next[value] = static_cast<std::uint32_t>(partials_.size());
            partials_.push_back({narrowed_, {}});
        }
        at = partials_[at].next[value];
    }
    return partials_[at].rests;
}

/// Let actions go on through their tables as far as the first numbers answer. False when one of them does not know where to.
bool Group::advance(const std::vector<Rest>& from, std::size_t known, const Word* state, const Program& program,
                    std::vector<Rest>& to) const {
    const std::span<const Asked> numbers(asked.data(), known);
    bool complete = true;
    for (Rest rest : from) {
        const Trie& trie = program.actions()[rest.action].trie;
        while (rest.code != unknown && !(rest.code & 1)) {
            const Trie::Node& node = trie.nodes[index_of(rest.code)];
            if (!is_answered(trie, node, numbers, program.schema)) break;
            rest.code = trie.child(node, key_of(trie, node, program.schema, state));
        }
        complete &= rest.code != unknown;
        if (rest.code != disabled) to.push_back(rest);
    }
    return complete;
}

std::size_t Group::bytes() const {
    std::size_t total = starts_.capacity() * sizeof(std::uint32_t) + rests_.capacity() * sizeof(Rest);
    for (std::size_t i = 1; i < partials_.size(); ++i)  // the first is the list of its actions
        total += sizeof(Partial) + partials_[i].rests.capacity() * sizeof(Rest) + partials_[i].next.capacity() * sizeof(std::uint32_t);
    return total;
}

namespace {

/// Puts actions into groups: each into the one that shares most bits with it, if both fit one key; the first of several such.
class GroupSearch {
public:
    GroupSearch(const Schema& schema, std::vector<Group>& groups) : schema_(schema), groups_(groups) {}

    void add(std::uint32_t action, const std::vector<Asked>& wanted) {
        std::uint32_t best = sharing(wanted);
        if (best == none) best = with_room_for(bits_of(schema_, wanted));
        if (best == none) {
            best = static_cast<std::uint32_t>(groups_.size());
            groups_.emplace_back();
            bits_.push_back(0);
        }
        with_bits_[static_cast<std::size_t>(bits_[best])].erase(best);
        for (const Asked asked : wanted) {
            if (contains(groups_[best].asked, asked)) continue;
            groups_[best].asked.push_back(asked);
            holders_[asked].push_back(best);
            bits_[best] += bits_of(schema_, asked);
        }
        with_bits_[static_cast<std::size_t>(bits_[best])].insert(best);
        groups_[best].actions.push_back(action);
    }

private:
    static constexpr std::uint32_t none = ~0u;

    std::uint32_t sharing(const std::vector<Asked>& wanted) {
        shared_.clear();
        for (const Asked asked : wanted)
            for (const std::uint32_t group : holders_[asked]) {
                auto& [weight, bits] = shared_[group];
                weight += bits_of(schema_, asked) + 1;
                bits += bits_of(schema_, asked);
            }
        std::uint32_t best = none;
        int most = 0;
        const int needed = bits_of(schema_, wanted);
        for (const auto& [group, common] : shared_)
            if (bits_[group] + needed - common.second <= most_bits && common.first > most) {
                best = group;
                most = common.first;
            }
        return best;
    }
    std::uint32_t with_room_for(int needed) const {
        std::uint32_t best = none;
        for (int bits = 0; bits + needed <= most_bits; ++bits) {
            const std::set<std::uint32_t>& groups = with_bits_[static_cast<std::size_t>(bits)];
            if (!groups.empty()) best = std::min(best, *groups.begin());
        }
        return best;
    }

    const Schema& schema_;
    std::vector<Group>& groups_;
    std::vector<int> bits_;                                         // per group: of its numbers
    std::array<std::set<std::uint32_t>, most_bits + 1> with_bits_;  // the groups with so many
    std::map<Asked, std::vector<std::uint32_t>> holders_;           // per number: the groups that have it
    std::map<std::uint32_t, std::pair<int, int>> shared_;           // per group: weight and bits of what it shares with an action
};

/// Many actions that all ask for the same few numbers mostly ask for more of them: a larger table, which is as large as they are
/// many, tells more of them apart.
void widen(Group& group, const Program& program) {
    const int most = bits_for(group.actions.size()) + bits_to_spare;
    if (most <= most_bits) return;
    struct Askers {
        std::size_t count = 0;
        std::uint32_t last = ~0u;
    };
    std::map<Asked, Askers> askers;
    for (const std::uint32_t action : group.actions)
        for (const Trie::Node& node : program.actions()[action].trie.nodes) {
            const std::optional<Asked> asked = asked_by(program.actions()[action].trie, node, program.schema);
            if (!asked) continue;
            Askers& those = askers[*asked];
            those.count += those.last != action;
            those.last = action;
        }
    int bits = bits_of(program.schema, group.asked);
    for (const auto& [asked, those] : askers) {
        const int width = bits_of(program.schema, asked);
        if (2 * those.count < group.actions.size() || bits + width > most || contains(group.asked, asked)) continue;
        group.asked.push_back(asked);
        bits += width;
    }
}

}  // namespace

Grouping Grouping::none(const Program& program) {
    Grouping result;
    for (std::uint32_t action = 0; action < program.actions().size(); ++action)
        if (!program.counting.counts(action)) result.others.push_back(action);
    return result;
}

Grouping Grouping::of(const Program& program) {
    Grouping result;
    std::vector<Group> further;
    const std::vector<Function>& functions = program.actions();
    GroupSearch plain(program.schema, result.groups), cells(program.schema, further);
    for (std::uint32_t action = 0; action < functions.size(); ++action) {
        if (program.counting.counts(action)) continue;
        const Function& function = functions[action];
        const std::vector<Asked> wanted = function.tabulated ? first_asked(function.trie, program.schema) : std::vector<Asked>{};
        if (wanted.empty())
            result.others.push_back(action);
        else
            (asks_plain_first(function.trie, program.schema) ? plain : cells).add(action, wanted);
    }
    std::move(further.begin(), further.end(), std::back_inserter(result.groups));
    for (Group& group : result.groups) {
        widen(group, program);
        group.lay_out(program);
    }
    return result;
}

void ClosedKinds::find(std::uint32_t after, const std::vector<Group>& groups, const Diamonds& diamonds) {
    if (after >= known_.size()) {
        known_.resize(after + 1);
        rows_.resize((after + 1) * width_);
    }
    Word* row = rows_.data() + after * width_;
    for (const Group& group : groups) {
        *row = 0;
        for (std::size_t bit = 0; bit < group.kinds().size(); ++bit) *row |= Word{diamonds.closes(after, group.kinds()[bit])} << bit;
        ++row;
    }
    known_[after] = 1;
}

}  // namespace sweep
