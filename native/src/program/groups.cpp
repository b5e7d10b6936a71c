#include "sweep/program/groups.hpp"

#include <algorithm>

namespace sweep {

namespace {

constexpr int most_bits = 10;  // of a group's key: its table stays in the nearest caches

int bits_of(const Schema& schema, std::uint32_t field) { return bits_for(schema.variables[field].values); }

int bits_of(const Schema& schema, const std::vector<std::uint32_t>& fields) {
    int bits = 0;
    for (const std::uint32_t field : fields) bits += bits_of(schema, field);
    return bits;
}

bool contains(const std::vector<std::uint32_t>& fields, std::uint32_t field) {
    return std::find(fields.begin(), fields.end(), field) != fields.end();
}

/// The scalars an action asks for, nearest to the root first, as far as they fit a key.
std::vector<std::uint32_t> first_scalars(const Trie& trie, const Schema& schema) {
    std::vector<std::uint32_t> fields;
    int bits = 0;
    if (trie.root == unknown || (trie.root & 1) || trie.nodes[index_of(trie.root)].ask != Ask::value) return fields;
    for (const Trie::Node& node : trie.nodes) {  // nodes are made from the root downwards
        if (node.ask != Ask::value || contains(fields, node.field)) continue;
        const int width = bits_of(schema, node.field);
        if (bits + width > most_bits) break;
        bits += width;
        fields.push_back(node.field);
        if (fields.size() == 8) break;
    }
    return fields;
}

}  // namespace

void Group::lay_out(const Schema& schema) {
    const Layout& layout = schema.layout;
    parts_.clear();
    rests_.clear();
    int shift = 0;
    for (int word = 0; word < layout.words; ++word) {
        Word mask = 0;
        for (const std::uint32_t field : fields)
            for (const bool high : {false, true}) {
                const Piece& piece = high ? layout.fields[field].high : layout.fields[field].low;
                const int used = bits_of(schema, field) - (high ? layout.fields[field].low.width : 0);
                if (piece.word == word && used > 0) mask |= low_bits(std::min<int>(piece.width, used)) << piece.shift;
            }
        if (!mask) continue;
        parts_.push_back({static_cast<std::uint16_t>(word), mask, shift});
        shift += __builtin_popcountll(mask);
    }
    starts_.assign(std::size_t{1} << shift, 0);
}

bool Group::resolve(std::uint32_t key, const Word* state, const std::vector<Function>& functions, const Layout& layout) {
    const std::size_t start = rests_.size();
    rests_.push_back({0, 0});
    for (const std::uint32_t action : actions) {
        const Trie& trie = functions[action].trie;
        Code code = trie.root;
        while (code != unknown && !(code & 1)) {
            const Trie::Node& node = trie.nodes[index_of(code)];
            if (node.ask != Ask::value || !contains(fields, node.field)) break;
            code = trie.child(node, static_cast<std::uint32_t>(layout.fields[node.field].load(state)));
        }
        if (code == unknown) {
            rests_.resize(start);
            return false;
        }
        if (code != disabled) rests_.push_back({action, code});
    }
    rests_[start].action = static_cast<std::uint32_t>(rests_.size() - start - 1);
    starts_[key] = static_cast<std::uint32_t>(start + 1);
    return true;
}

Grouping Grouping::of(const Program& program) {
    Grouping result;
    const Schema& schema = program.schema;
    const std::vector<Function>& functions = program.actions();
    for (std::uint32_t action = 0; action < functions.size(); ++action) {
        const Function& function = functions[action];
        const std::vector<std::uint32_t> wanted = function.tabulated ? first_scalars(function.trie, schema) : std::vector<std::uint32_t>{};
        if (wanted.empty()) {
            result.others.push_back(action);
            continue;
        }
        // The group that shares most with the action, if both fit one key.
        Group* best = nullptr;
        int shared_most = -1;
        for (Group& group : result.groups) {
            std::vector<std::uint32_t> together = group.fields;
            int shared = 0;
            for (const std::uint32_t field : wanted) {
                if (contains(group.fields, field))
                    shared += bits_of(schema, field) + 1;
                else
                    together.push_back(field);
            }
            if (bits_of(schema, together) <= most_bits && shared > shared_most) {
                best = &group;
                shared_most = shared;
            }
        }
        if (!best) best = &result.groups.emplace_back();
        for (const std::uint32_t field : wanted)
            if (!contains(best->fields, field)) best->fields.push_back(field);
        best->actions.push_back(action);
    }
    for (Group& group : result.groups) group.lay_out(schema);
    return result;
}

}  // namespace sweep
