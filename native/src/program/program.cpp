#include "sweep/program/program.hpp"

namespace sweep {

void Program::refresh() {
    counting.lend(schema);
    counting.record(outcomes);
    counting.compile(schema);
    outcomes.compile();
    for (const std::unique_ptr<Formula>& formula : formulas)
        if (formula) formula->compile(schema);
    for (const std::unique_ptr<TokenNumber>& number : token_numbers)
        if (number) number->compile(schema);
    for (std::vector<Function>& group : functions)
        for (Function& function : group) function.trie.refresh(schema, true);
    ++epoch;
}

void Program::look_for_diamonds() {
    diamonds.begin(schema.variables.size());
    for (std::uint32_t i = 0; i < counting.size(); ++i) diamonds.learn(outcomes, i, counting[i]);
}

void Program::divide(std::uint32_t predicate, std::unique_ptr<Formula> formula, std::uint32_t parts, std::uint64_t explored) {
    std::vector<Function>& predicates = functions[static_cast<std::size_t>(Role::predicate)];
    const auto first = static_cast<std::uint32_t>(predicates.size());
    const std::uint64_t share = std::max<std::uint64_t>(1, explored / predicates[predicate].runs);
    predicates.resize(first + parts);
    formulas.resize(first + parts);
    formulas[predicate] = std::move(formula);
    predicates[predicate].forget();
    divisions.add({predicate, first, parts, explored, share});
}

void Program::add_functions(std::uint32_t predicate, std::vector<FunctionId>& functions) const {
    if (!formula(predicate)) {
        functions.push_back({Role::predicate, predicate});
        return;
    }
    for (const Formula::Node& node : formula(predicate)->nodes)
        if (node.is == Formula::Node::Is::predicate) add_functions(node.field, functions);
}

void Program::undivide(std::uint32_t predicate) {
    const Formula& formula = *formulas[predicate];
    for (const Formula::Node& node : formula.nodes)
        if (node.is == Formula::Node::Is::predicate) (*this)[{Role::predicate, node.field}].forget();
    formulas[predicate].reset();
}

/// Whether some choice leads to an outcome, from a place in an action's table; nothing where none does that is known, and not all are.
std::optional<bool> Program::leads_on(const Trie& trie, Code code, const Word* state) const {
    for (;;) {
        code = trie.follow(code, state);
        if (code == unknown) return std::nullopt;
        if (code & 1) return code != disabled;
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask == Ask::take || node.ask == Ask::choose) {
            bool known = true;
            const auto leads = [&](Id key) {
                const std::optional<bool> found = leads_on(trie, trie.child(node, key), state);
                known &= found.has_value();
                return found && *found;
            };
            if (node.ask == Ask::choose) {
                for (Id key = 0; key < node.argument; ++key)
                    if (leads(key)) return true;
            } else {
                for (const Id key : takeable(schema, trie, node, state))
                    if (leads(key)) return true;
            }
            return known ? std::optional(false) : std::nullopt;
        }
        code = trie.child(node, answer(schema, trie, node, state));
    }
}

void Program::forget() {
    for (std::vector<Function>& group : functions)
        for (Function& function : group) function.forget();
    outcomes.forget_from(static_cast<std::uint32_t>(counting.size()));
    for (Contents& contents : schema.met) contents = {};
    for (Sieve& sieve : schema.sieves) sieve.met = {};
    ++epoch;
    ++forgotten;
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
    for (const Sieve& sieve : schema.sieves) total += sieve.met.bytes() + sieve.classes.capacity() * sizeof(Id);
    for (const std::vector<Function>& group : functions)
        for (const Function& function : group) total += function.bytes();
    return total;
}

}  // namespace sweep
