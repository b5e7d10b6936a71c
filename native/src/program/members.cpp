#include "sweep/program/members.hpp"

namespace sweep {

Members::Way Members::find(const Trie& trie, Code from) {
    Way way{from};
    while (way.end != unknown && !(way.end & 1)) {
        const Trie::Node& node = trie.nodes[index_of(way.end)];
        const bool is_bit = node.ask == Ask::at_least && node.direct == Trie::Node::Direct::value && node.mask == 1;
        if (!is_bit || trie.child(node, 0) != disabled || (way.needed && way.word != node.word)) break;
        way = {trie.child(node, 1), node.word, way.needed | Word{1} << node.shift};
    }
    return way;
}

Members::Set Members::set(std::uint32_t action, const Trie& trie, const Trie::Node& node, const Schema& schema) {
    if (node.direct != Trie::Node::Direct::take_count) return {};
    const Field& field = schema.layout.fields[node.field];
    const Cells& cells = schema.variables[node.field].cells;
    if (field.bits() != 1 || field.spans() || !cells.ascending()) return {};
    std::vector<std::vector<Way>>& all = ways_[action];
    const std::size_t at = static_cast<std::size_t>(&node - trie.nodes.data());
    if (at >= all.size()) all.resize(at + 1);
    if (all[at].size() < cells.size()) all[at].resize(cells.size());
    return {all[at].data(), cells.tokens(), cells.size(), node.mask << node.shift, node.field, node.word, node.shift, true};
}

const Members::Set& Members::find_first(std::uint32_t action, const Trie& trie, const Schema& schema) {
    Set& found = first_[action] = {};
    if (trie.root == unknown) return found;
    if (!(trie.root & 1)) found = set(action, trie, trie.nodes[index_of(trie.root)], schema);
    found.looked_for = true;
    return found;
}

void Members::forget() {
    for (std::vector<std::vector<Way>>& all : ways_) all.clear();
    first_.assign(first_.size(), {});
}

std::size_t Members::bytes() const {
    std::size_t total = first_.capacity() * sizeof(Set);
    for (const std::vector<std::vector<Way>>& all : ways_)
        for (const std::vector<Way>& ways : all) total += sizeof(ways) + ways.capacity() * sizeof(Way);
    return total;
}

}  // namespace sweep
