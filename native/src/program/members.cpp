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

void Members::add(std::vector<std::vector<Way>>& all, std::size_t at, std::size_t cells) {
    if (at >= all.size()) all.resize(at + 1);
    all[at].resize(cells);
}

void Members::forget() {
    for (std::vector<std::vector<Way>>& all : ways_) all.clear();
}

std::size_t Members::bytes() const {
    std::size_t total = 0;
    for (const std::vector<std::vector<Way>>& all : ways_)
        for (const std::vector<Way>& ways : all) total += sizeof(ways) + ways.capacity() * sizeof(Way);
    return total;
}

}  // namespace sweep
