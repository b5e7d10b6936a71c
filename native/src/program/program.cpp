#include "sweep/program/program.hpp"

namespace sweep {

void Program::refresh() {
    counting.lend(schema);
    counting.record(outcomes);
    counting.compile(schema);
    outcomes.compile();
    for (std::vector<Function>& group : functions)
        for (Function& function : group) function.trie.refresh(schema, true);
    ++epoch;
}

void Program::forget() {
    for (std::vector<Function>& group : functions)
        for (Function& function : group) function.forget();
    outcomes.forget_from(static_cast<std::uint32_t>(counting.size()));
    for (Contents& contents : schema.met) contents = {};
    ++epoch;
}

std::size_t Program::value_bytes() const {
    std::size_t total = 0;
    for (std::size_t role = static_cast<std::size_t>(Role::action) + 1; role < roles; ++role)
        for (const Function& function : functions[role]) total += function.bytes();
    return total;
}

void Program::forget_values(std::size_t large) {
    for (std::size_t role = static_cast<std::size_t>(Role::action) + 1; role < roles; ++role)
        for (Function& function : functions[role])
            if (function.bytes() >= large) function.forget();
}

std::size_t Program::bytes() const {
    std::size_t total = outcomes.bytes() + counting.bytes();
    for (const Contents& contents : schema.met) total += contents.bytes();
    for (const std::vector<Function>& group : functions)
        for (const Function& function : group) total += function.bytes();
    return total;
}

}  // namespace sweep
