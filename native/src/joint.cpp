#include "sweep/joint.hpp"

#include <limits>

namespace sweep {

std::uint64_t Joint::combinations() const {
    std::uint64_t product = 1;
    for (const Participant& participant : participants) {
        std::uint64_t able = 0;
        for (std::size_t i = 0; i + 1 < participant.first.size(); ++i) able += participant.first[i + 1] > participant.first[i];
        if (able && product > std::numeric_limits<std::uint64_t>::max() / able) return std::numeric_limits<std::uint64_t>::max();
        product *= able;
    }
    return product;
}

bool Formula::holds(const Word* state, const Layout& layout, std::uint32_t index) const {
    const Node& node = nodes[index];
    if (node.is == Node::Is::among) {
        const Word value = layout.fields[node.field].load(state);
        return value < node.allowed.size() && node.allowed[value];
    }
    if (node.is == Node::Is::negated) return !holds(state, layout, index + 1);
    const bool all = node.is == Node::Is::all;
    for (std::uint32_t part = index + 1; part < index + node.size; part += nodes[part].size)
        if (holds(state, layout, part) != all) return !all;
    return all;
}

}  // namespace sweep
