#include "sweep/program/formula.hpp"

namespace sweep {

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
