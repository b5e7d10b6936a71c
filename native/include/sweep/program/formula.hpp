#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/program/token_number.hpp"

namespace sweep {

/// A condition on a state: which values scalars have, how many tokens there are, which actions are enabled, which predicates hold; joined
/// by and, or, not. The parts of a node follow it, one after the other, so that a node that is decided by its first parts skips the rest.
struct Formula {
    struct Node {
        enum class Is : std::uint8_t { among, negated, all, some, at_least, enabled, predicate } is;
        std::uint32_t size = 1;              // nodes, with all parts
        std::uint32_t field = 0;             // among: the scalar; predicate: its number
        std::vector<std::uint8_t> allowed;   // among: per value
        TokenNumber tokens = {};             // at least: which,
        std::int64_t least = 0;              // and how many
        std::vector<std::uint32_t> actions;  // enabled: one of these is
    };
    std::vector<Node> nodes;

    void compile(const Schema& schema) {
        for (Node& node : nodes) node.tokens.compile(schema);
    }

    /// Whether it holds; nothing where that depends on an action of which `enabled` does not know whether it is, or on a predicate that
    /// `satisfied` does not know. What the first parts decide is all that is asked for.
    template <class Enabled, class Satisfied>
    std::optional<bool> holds(const Word* state, const Schema& schema, Enabled&& enabled, Satisfied&& satisfied,
                              std::uint32_t index = 0) const {
        const Node& node = nodes[index];
        switch (node.is) {
            case Node::Is::among: {
                const Word value = schema.layout.fields[node.field].load(state);
                return value < node.allowed.size() && node.allowed[value];
            }
            case Node::Is::at_least: return node.tokens.in(state, schema) >= node.least;
            case Node::Is::enabled: return some(node.actions, [&](std::uint32_t action) { return enabled(action, state); });
            case Node::Is::predicate: return satisfied(node.field, state);
            case Node::Is::negated: {
                const std::optional<bool> part = holds(state, schema, enabled, satisfied, index + 1);
                return part ? std::optional(!*part) : part;
            }
            default: break;
        }
        const bool all = node.is == Node::Is::all;
        bool known = true;
        for (std::uint32_t part = index + 1; part < index + node.size; part += nodes[part].size) {
            const std::optional<bool> found = holds(state, schema, enabled, satisfied, part);
            if (found && *found != all) return !all;
            known &= found.has_value();
        }
        return known ? std::optional(all) : std::nullopt;
    }

private:
    template <class Ask>
    static std::optional<bool> some(const std::vector<std::uint32_t>& actions, Ask&& ask) {
        bool known = true;
        for (const std::uint32_t action : actions) {
            const std::optional<bool> found = ask(action);
            if (found && *found) return true;
            known &= found.has_value();
        }
        return known ? std::optional(false) : std::nullopt;
    }
};

}  // namespace sweep
