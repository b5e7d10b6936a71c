#include "sweep/program/takes.hpp"

#include <algorithm>

namespace sweep {

namespace {

constexpr int most_key_bits = 12;
constexpr std::size_t most_tokens_in_row = 1 << 12;
constexpr std::size_t most_cells = 1 << 20;  // of one action: no cache holds more
constexpr std::uint32_t most_listed = 64;    // alternatives of a choice

}  // namespace

const Code* Takes::new_row(const Trie& trie, std::size_t node, const Word* state, const Schema& schema, bool fast) {
    const std::size_t tokens = std::size_t{1} << bits_for(schema.variables[trie.nodes[node].field].values);
    const std::size_t keys = std::size_t{1} << key_.bits();
    if (tokens > most_tokens_in_row || cells_.size() + keys + tokens > most_cells) return nullptr;
    if (cells_.empty()) cells_.push_back(0);  // so that no row begins at 0
    if (starts_.size() <= node) starts_.resize(trie.nodes.size());
    if (!starts_[node]) {
        starts_[node] = static_cast<std::uint32_t>(cells_.size());
        cells_.resize(cells_.size() + keys);
    }
    const std::uint32_t row = static_cast<std::uint32_t>(cells_.size());
    cells_[starts_[node] + key_(state, fast)] = row;
    cells_.resize(row + tokens, unknown);
    return cells_.data() + row;
}

Code Takes::find_out(const Trie& trie, const Trie::Node& node, Id token, const Word* state, const Schema& schema, bool fast) {
    Code code = settle(trie, trie.child(node, token), state, schema);
    if (extended_) {
        const std::vector<std::uint32_t> fields = std::move(fields_);
        forget();
        fields_ = fields;
        key_.lay_out(fields_, schema);
        code = settle(trie, trie.child(node, token), state, schema);
    }
    if (const Code* known = row(trie, node, state, schema, fast)) cells_[static_cast<std::size_t>(known - cells_.data()) + token] = code;
    return code;
}

/// Go on where the scalars in the key tell where.
Code Takes::settle(const Trie& trie, Code code, const Word* state, const Schema& schema) {
    while (code != unknown && !(code & 1)) {
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask == Ask::choose) return flatten(trie, node, state, schema);
        if (node.ask != Ask::value || !ask_later(node.field, schema)) break;
        code = trie.child(node, static_cast<std::uint32_t>(schema.layout.fields[node.field].load(state)));
    }
    return code;
}

/// Whether a scalar is in the key, or has just been added to it.
bool Takes::ask_later(std::uint32_t field, const Schema& schema) {
    if (std::find(fields_.begin(), fields_.end(), field) != fields_.end()) return true;
    int bits = bits_for(schema.variables[field].values);
    for (const std::uint32_t other : fields_) bits += bits_for(schema.variables[other].values);
    if (bits > most_key_bits) return false;
    fields_.push_back(field);
    extended_ = true;
    return true;
}

/// The codes that all alternatives of a choice lead to, as a list; where one of them asks for more, the choice is left as it is.
Code Takes::flatten(const Trie& trie, const Trie::Node& node, const Word* state, const Schema& schema) {
    const Code choice = node_code(static_cast<std::uint32_t>(&node - trie.nodes.data()));
    if (node.argument > most_listed) return choice;
    std::vector<Code> list{0};
    for (std::uint32_t i = 0; i < node.argument; ++i) {
        const Code code = settle(trie, trie.child(node, i), state, schema);
        if (code == unknown) return unknown;
        if (code & listed || !(code & 1)) return choice;
        if (code != disabled) list.push_back(code);
    }
    list[0] = static_cast<Code>(list.size() - 1);
    lists_.insert(lists_.end(), list.begin(), list.end());
    return listed | static_cast<Code>(lists_.size() - list.size());
}

void Takes::forget() {
    fields_.clear();
    starts_.clear();
    cells_.clear();
    lists_.clear();
    key_ = {};
    extended_ = false;
}

}  // namespace sweep
