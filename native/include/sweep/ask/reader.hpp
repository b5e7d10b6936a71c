#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sweep/ask/cycles.hpp"
#include "sweep/ask/recurrence.hpp"
#include "sweep/state/layout.hpp"

namespace sweep {

/// An automaton that reads runs: a field of each state says in which stage it is.
struct Reader {
    struct Edge : Letters {
        std::uint32_t target;
    };

    std::uint32_t field = 0;
    std::vector<Proposition> propositions;
    std::vector<std::vector<Edge>> edges;  // per stage
    std::vector<std::uint32_t> marked;     // per stage: which marks it has, as bits
    std::uint32_t all_marks = 0;
    std::int32_t otherwise = -1;  // the stage for what no edge reads; -1: such a step is not followed

    std::uint32_t stage(const Word* state, const Layout& layout) const {
        return static_cast<std::uint32_t>(layout.fields[field].load(state));
    }

    /// What is true of a state, and of the step to it if there is one; nothing where `ask`, about a predicate, does not know. Propositions
    /// that are not among the `heeded` ones count as false.
    template <class Ask>
    std::optional<std::uint32_t> letter(const Word* state, std::optional<std::uint32_t> action, std::uint32_t heeded, Ask&& ask) const {
        std::uint32_t made = 0;
        for (std::size_t i = 0; i < propositions.size(); ++i) {
            if (!(heeded >> i & 1)) continue;
            const Proposition& one = propositions[i];
            bool is_true = one.predicate < 0 && action && one.actions[*action];
            if (one.predicate >= 0) {
                const std::optional<bool> said = ask(static_cast<std::uint32_t>(one.predicate), state);
                if (!said) return std::nullopt;
                is_true = *said;
            }
            made |= static_cast<std::uint32_t>(is_true) << i;
        }
        return made;
    }

    /// The propositions that matter to a stage.
    std::uint32_t heeded(std::uint32_t stage) const {
        std::uint32_t made = 0;
        for (const Edge& edge : edges[stage]) made |= edge.needs | edge.forbids;
        return made;
    }

    /// Visit the stages that a letter leads to, each once, with the number of the edge.
    template <class Visit>
    void each_next(std::uint32_t stage, std::uint32_t letter, Visit&& visit) const {
        const std::vector<Edge>& all = edges[stage];
        bool any = false;
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            if (!all[i].have(letter)) continue;
            any = true;
            bool first = true;
            for (std::uint32_t j = 0; j < i && first; ++j) first = all[j].target != all[i].target || !all[j].have(letter);
            if (first) visit(i, all[i].target);
        }
        if (!any && otherwise >= 0) visit(0, static_cast<std::uint32_t>(otherwise));
    }

    /// More than the number of any edge.
    std::uint32_t spread() const {
        std::size_t most = 1;
        for (const auto& of : edges) most = std::max(most, of.size());
        return static_cast<std::uint32_t>(most);
    }

    /// Whether a run goes on from a stage that reads the same letter for ever and is accepted.
    bool accepts_for_ever(std::uint32_t stage, std::uint32_t letter);

private:
    std::map<std::uint32_t, Marks> accepting_;  // by letter
};

}  // namespace sweep
