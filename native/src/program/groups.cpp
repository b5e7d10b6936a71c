#include "sweep/program/groups.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

namespace sweep {

namespace {

constexpr int most_bits = 10;            // of a group's key: its table stays in the nearest caches
constexpr int bits_to_spare = 2;         // of one with many actions: so many more than it takes to tell these apart
constexpr std::size_t few_actions = 64;  // are looked at one by one

/// Scalars take the bits that their values need now; of bags only those are grouped by that are one number, as black tokens are.
int bits_of(const Schema& schema, std::uint32_t field) {
    const Variable& variable = schema.variables[field];
    return variable.kind == Kind::scalar ? bits_for(variable.values) : schema.layout.fields[field].bits();
}

/// Whether the bits of a field that groups may have answer a question.
bool asks_bits(const Trie::Node& node, const Schema& schema) {
    if (node.ask == Ask::value) return true;
    if (node.ask != Ask::count && node.ask != Ask::at_least && node.ask != Ask::size) return false;
    const Variable& variable = schema.variables[node.field];
    const bool one_number = variable.kind == Kind::bag && variable.form == Form::counts && variable.cells.size() == 1;
    return one_number && schema.layout.fields[node.field].slots == 1 && node.direct >= Trie::Node::Direct::value;
}

std::uint32_t key_of(const Trie::Node& node, const Schema& schema, const Word* state) {
    if (node.ask == Ask::value) return static_cast<std::uint32_t>(schema.layout.fields[node.field].load(state));
    return node.key((state[node.word] >> node.shift) & node.mask);
}

int bits_of(const Schema& schema, const std::vector<std::uint32_t>& fields) {
    int bits = 0;
    for (const std::uint32_t field : fields) bits += bits_of(schema, field);
    return bits;
}

bool contains(const std::vector<std::uint32_t>& fields, std::uint32_t field) {
    return std::find(fields.begin(), fields.end(), field) != fields.end();
}

/// The scalars, and bags that are one number, that an action asks for: nearest to the root first, as far as they fit a key.
std::vector<std::uint32_t> first_scalars(const Trie& trie, const Schema& schema) {
    std::vector<std::uint32_t> fields;
    int bits = 0;
    if (trie.root == unknown || (trie.root & 1) || !asks_bits(trie.nodes[index_of(trie.root)], schema)) return fields;
    for (const Trie::Node& node : trie.nodes) {  // nodes are made from the root downwards
        if (!asks_bits(node, schema) || contains(fields, node.field)) continue;
        const int width = bits_of(schema, node.field);
        if (bits + width > most_bits) break;
        bits += width;
        fields.push_back(node.field);
        if (fields.size() == 8) break;
    }
    return fields;
}

}  // namespace

void Group::lay_out(const Program& program) {
    const Schema& schema = program.schema;
    const Layout& layout = schema.layout;
    parts_.clear();
    rests_.clear();
    std::map<std::uint16_t, Word> masks;
    for (const std::uint32_t field : fields)
        for (const bool high : {false, true}) {
            const Piece& piece = high ? layout.fields[field].high : layout.fields[field].low;
            const int used = bits_of(schema, field) - (high ? layout.fields[field].low.width : 0);
            if (used > 0) masks[piece.word] |= low_bits(std::min<int>(piece.width, used)) << piece.shift;
        }
    int shift = 0;
    for (const auto& [word, mask] : masks) {
        parts_.push_back({word, mask, shift});
        shift += __builtin_popcountll(mask);
    }
    starts_.assign(std::size_t{1} << shift, 0);
    partials_.assign(1, {});
    for (const std::uint32_t action : actions) partials_[0].rests.push_back({action, program.actions()[action].trie.root});
}

const Rest* Group::resolve(std::uint32_t key, const Word* state, const Program& program) {
    const std::vector<Rest>& from = narrow(state, program);
    const std::size_t start = rests_.size();
    rests_.push_back({0, 0});
    const bool known = advance(from, fields.size(), state, program, rests_);
    rests_[start].action = static_cast<std::uint32_t>(rests_.size() - start - 1);
    if (known) {
        starts_[key] = static_cast<std::uint32_t>(start + 1);
        return rests_.data() + start;
    }
    passing_.assign(rests_.begin() + static_cast<std::ptrdiff_t>(start), rests_.end());
    rests_.resize(start);
    return passing_.data();
}

/// What is left when all fields but the last are known; few actions, and such of which not everything is known, may be left as
/// they are before.
const std::vector<Rest>& Group::narrow(const Word* state, const Program& program) {
    std::uint32_t at = 0;
    for (std::size_t known = 0; known + 1 < fields.size() && partials_[at].rests.size() > few_actions; ++known) {
        const Word value = program.schema.layout.fields[fields[known]].load(state);
        if (partials_[at].next.empty()) partials_[at].next.resize(std::size_t{1} << bits_of(program.schema, fields[known]));
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

/// Let actions go on through their tables as far as the first fields answer. False when one of them does not know where to.
bool Group::advance(const std::vector<Rest>& from, std::size_t known, const Word* state, const Program& program,
                    std::vector<Rest>& to) const {
    const auto end = fields.begin() + static_cast<std::ptrdiff_t>(known);
    bool complete = true;
    for (Rest rest : from) {
        const Trie& trie = program.actions()[rest.action].trie;
        while (rest.code != unknown && !(rest.code & 1)) {
            const Trie::Node& node = trie.nodes[index_of(rest.code)];
            if (std::find(fields.begin(), end, node.field) == end || !asks_bits(node, program.schema)) break;
            rest.code = trie.child(node, key_of(node, program.schema, state));
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
    GroupSearch(const Schema& schema, std::vector<Group>& groups) : schema_(schema), groups_(groups), holders_(schema.variables.size()) {}

    void add(std::uint32_t action, const std::vector<std::uint32_t>& wanted) {
        std::uint32_t best = sharing(wanted);
        if (best == none) best = with_room_for(bits_of(schema_, wanted));
        if (best == none) {
            best = static_cast<std::uint32_t>(groups_.size());
            groups_.emplace_back();
            bits_.push_back(0);
        }
        with_bits_[static_cast<std::size_t>(bits_[best])].erase(best);
        for (const std::uint32_t field : wanted) {
            if (contains(groups_[best].fields, field)) continue;
            groups_[best].fields.push_back(field);
            holders_[field].push_back(best);
            bits_[best] += bits_of(schema_, field);
        }
        with_bits_[static_cast<std::size_t>(bits_[best])].insert(best);
        groups_[best].actions.push_back(action);
    }

private:
    static constexpr std::uint32_t none = ~0u;

    std::uint32_t sharing(const std::vector<std::uint32_t>& wanted) {
        shared_.clear();
        for (const std::uint32_t field : wanted)
            for (const std::uint32_t group : holders_[field]) {
                auto& [weight, bits] = shared_[group];
                weight += bits_of(schema_, field) + 1;
                bits += bits_of(schema_, field);
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
    std::vector<int> bits_;                                         // per group: of its fields
    std::array<std::set<std::uint32_t>, most_bits + 1> with_bits_;  // the groups with so many
    std::vector<std::vector<std::uint32_t>> holders_;               // per field: the groups that have it
    std::map<std::uint32_t, std::pair<int, int>> shared_;           // per group: weight and bits of what it shares with an action
};

/// Many actions that all ask for the same few scalars mostly ask for more of them: a larger table, which is as large as they are
/// many, tells more of them apart.
void widen(Group& group, const Program& program) {
    const int most = bits_for(group.actions.size()) + bits_to_spare;
    if (most <= most_bits) return;
    std::map<std::uint32_t, std::size_t> askers;
    for (const std::uint32_t action : group.actions) {
        std::set<std::uint32_t> asked;
        for (const Trie::Node& node : program.actions()[action].trie.nodes)
            if (asks_bits(node, program.schema)) asked.insert(node.field);
        for (const std::uint32_t field : asked) ++askers[field];
    }
    int bits = bits_of(program.schema, group.fields);
    for (const auto& [field, count] : askers) {
        const int width = bits_of(program.schema, field);
        if (2 * count < group.actions.size() || bits + width > most || contains(group.fields, field)) continue;
        group.fields.push_back(field);
        bits += width;
    }
}

}  // namespace

Grouping Grouping::none(std::uint32_t actions) {
    Grouping result;
    result.others.resize(actions);
    std::iota(result.others.begin(), result.others.end(), 0u);
    return result;
}

Grouping Grouping::of(const Program& program) {
    Grouping result;
    const std::vector<Function>& functions = program.actions();
    GroupSearch search(program.schema, result.groups);
    for (std::uint32_t action = 0; action < functions.size(); ++action) {
        const Function& function = functions[action];
        const std::vector<std::uint32_t> wanted =
            function.tabulated ? first_scalars(function.trie, program.schema) : std::vector<std::uint32_t>{};
        if (wanted.empty())
            result.others.push_back(action);
        else
            search.add(action, wanted);
    }
    for (Group& group : result.groups) {
        widen(group, program);
        group.lay_out(program);
    }
    return result;
}

}  // namespace sweep
