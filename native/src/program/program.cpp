#include "sweep/program/program.hpp"

namespace sweep {

void Program::refresh() {
    outcomes.compile();
    for (std::vector<Function>& group : functions)
        for (Function& function : group) function.trie.refresh(schema, true);
    ++epoch;
}

void Program::forget() {
    for (std::vector<Function>& group : functions)
        for (Function& function : group) function.trie.clear();
    outcomes.forget_from(0);
    for (Contents& contents : schema.met) contents = {};
    ++epoch;
}

std::size_t Program::bytes() const {
    std::size_t total = outcomes.bytes();
    for (const Contents& contents : schema.met) total += contents.bytes();
    for (const std::vector<Function>& group : functions)
        for (const Function& function : group) total += function.trie.bytes();
    return total;
}

}  // namespace sweep
