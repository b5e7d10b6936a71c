#include "sweep/program/program.hpp"

namespace sweep {

void Program::refresh() {
    outcomes.compile();
    const std::vector<Form> forms = schema.forms();
    for (std::vector<Function>& group : functions)
        for (Function& function : group) function.trie.refresh(schema.layout, forms, true);
    ++epoch;
}

void Program::forget() {
    for (std::vector<Function>& group : functions)
        for (Function& function : group) {
            function.trie.clear();
            function.looked.reset();
        }
    outcomes.forget_from(0);
    ++epoch;
}

std::size_t Program::bytes() const {
    std::size_t total = outcomes.bytes();
    for (const Contents& contents : schema.contents) total += contents.bytes();
    for (const std::vector<Function>& group : functions)
        for (const Function& function : group) total += function.trie.bytes() + (function.looked ? function.looked->bytes() : 0);
    return total;
}

}  // namespace sweep
