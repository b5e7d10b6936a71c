#include "sweep/program/takes.hpp"

#include <algorithm>

namespace sweep {

namespace {

constexpr int most_key_bits = 12;
constexpr std::size_t most_in_row = 1 << 12;  // tokens
constexpr std::size_t most_cells = 1 << 20;   // of one action: no cache holds more
constexpr std::uint32_t most_listed = 64;     // alternatives of a choice

}  // namespace

const Code* Takes::new_row(Table& table, const Trie& trie, std::size_t node, const Word* state) {
    const std::size_t tokens = std::size_t{1} << bits_for(schema_.variables[trie.nodes[node].field].values);
    const std::size_t keys = std::size_t{1} << table.key.bits();
    std::vector<std::uint32_t>& cells = table.cells;
    if (tokens > most_in_row || cells.size() + keys + tokens > most_cells) return nullptr;
    if (cells.empty()) cells.push_back(0);  // so that no row begins at 0
    if (table.starts.size() <= node) table.starts.resize(trie.nodes.size());
    if (!table.starts[node]) {
        table.starts[node] = static_cast<std::uint32_t>(cells.size());
        cells.resize(cells.size() + keys);
    }
    const std::uint32_t row = static_cast<std::uint32_t>(cells.size()) + 1;
    cells[table.starts[node] + table.key(state, fast_)] = row;
    cells.resize(row + tokens, unknown);
    return cells.data() + row;
}

Code Takes::find_out(std::uint32_t action, const Trie& trie, const Trie::Node& node, Id token, const Word* state) {
    Table& table = tables_[action];
    Code code = settle(table, trie, trie.child(node, token), state);
    if (table.extended) {
        table = {.asked = std::move(table.asked), .key = {}, .starts = {}, .cells = {}, .alikes = {}, .lists = {}};
        table.key.lay_out(table.asked, schema_);
        ++generation_;
        code = settle(table, trie, trie.child(node, token), state);
    }
    if (const Code* known = row(action, trie, node, state)) table.cells[place(action, known) + token] = code;
    return code;
}

void Takes::keep_alike(std::uint32_t action, std::uint32_t place, Alike alike) {
    Table& table = tables_[action];
    std::uint32_t& at = table.cells[place - 1];
    if (!at) {
        table.alikes.emplace_back();
        at = static_cast<std::uint32_t>(table.alikes.size());
    }
    table.alikes[at - 1] = std::move(alike);
}

/// Go on where the scalars in the key tell where.
Code Takes::settle(Table& table, const Trie& trie, Code code, const Word* state) {
    while (code != unknown && !(code & 1)) {
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask == Ask::choose) return flatten(table, trie, node, state);
        if (node.ask != Ask::value || !asks_after(table, node.field)) break;
        code = trie.child(node, static_cast<std::uint32_t>(schema_.layout.fields[node.field].load(state)));
    }
    return code;
}

/// Whether a scalar is in the key; one that is not is added if it fits.
bool Takes::asks_after(Table& table, std::uint32_t field) {
    if (std::find(table.asked.begin(), table.asked.end(), Asked{field}) != table.asked.end()) return true;
    int bits = bits_for(schema_.variables[field].values);
    for (const Asked other : table.asked) bits += bits_for(schema_.variables[other.field].values);
    if (bits > most_key_bits) return false;
    table.asked.push_back({field});
    table.extended = true;
    return true;
}

/// The codes that all alternatives of a choice lead to, as a list; where one of them asks for more, the choice is left as it is.
Code Takes::flatten(Table& table, const Trie& trie, const Trie::Node& node, const Word* state) {
    const Code choice = node_code(static_cast<std::uint32_t>(&node - trie.nodes.data()));
    if (node.argument > most_listed) return choice;
    std::vector<Code> list{0};
    for (std::uint32_t i = 0; i < node.argument; ++i) {
        const Code code = settle(table, trie, trie.child(node, i), state);
        if (code == unknown) return unknown;
        if (code & listed || !(code & 1)) return choice;
        if (code != disabled) list.push_back(code);
    }
    list[0] = static_cast<Code>(list.size() - 1);
    table.lists.insert(table.lists.end(), list.begin(), list.end());
    return listed | static_cast<Code>(table.lists.size() - list.size());
}

void Takes::forget() {
    for (Table& table : tables_) table = {};
    ++generation_;
}

std::size_t Takes::bytes() const {
    std::size_t cells = 0, alikes = 0;
    for (const Table& table : tables_) {
        cells += table.starts.capacity() + table.cells.capacity() + table.lists.capacity();
        alikes += table.alikes.capacity() * sizeof(Alike);
        for (const Alike& alike : table.alikes)
            alikes += alike.rest.capacity() * sizeof(Event) + alike.limits.capacity() * sizeof(Alike::Limit);
    }
    return cells * sizeof(std::uint32_t) + alikes;
}

}  // namespace sweep
