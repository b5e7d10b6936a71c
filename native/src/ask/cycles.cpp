// Strongly connected components (SCCs) of a complete layer (algorithm G; paper 0, section 5, and paper 4): with a monotone measure
// every cycle lies inside one layer, so what is asked about cycles is decided layer by layer, before it is deleted.
#include <algorithm>

#include "sweep/ask/cycles.hpp"

namespace sweep {

namespace {

using Step = Lasso::Step;

constexpr auto every_edge = [](std::uint32_t, std::uint32_t) { return true; };

/// Mark the states that are settled by where they lead, in one pass against the order found and one with it: what breadth-first
/// search leaves to SCCs afterwards is little.
template <class Settled>
void settle(const LayerGraph& graph, Marks& marks, Settled&& settled) {
    for (std::uint32_t state = graph.size(); state-- > 0;)
        if (!marks[state]) marks[state] = settled(state);
    for (std::uint32_t state = 0; state < graph.size(); ++state)
        if (!marks[state]) marks[state] = settled(state);
}

/// Which runs are fair, by the actions that they could take and those they do.
class FairRuns {
public:
    FairRuns(const LayerGraph& graph, const Runs& runs) : graph_(graph), runs_(runs), fair_(runs.fair()) {}

    /// Whether a run that stays in an SCC for ever can be fair. Weak fairness is not to be had in a part of it either: a larger SCC only
    /// offers more. A run that is fair in the strong sense to actions which are enabled there and always lead out has to keep away from
    /// where they are enabled: then these states are marked, and what is left is to be looked at again.
    enum class Chance { fair, none, without_some };
    Chance chance(std::span<const std::uint32_t> scc, const Marks& inside, Marks& left_out) const {
        States enabled(fair_.size(), 0), last(fair_.size(), nothing);
        Marks taken(fair_.size(), 0), ignored(fair_.size(), 0);
        for (const std::uint32_t state : scc)
            each(state, [&](std::uint32_t f, std::uint32_t target) {
                enabled[f] += last[f] != state;
                last[f] = state;
                taken[f] |= target < inside.size() && inside[target];
            });
        Chance found = Chance::fair;
        for (std::size_t f = 0; f < fair_.size(); ++f) {
            if (taken[f] || enabled[f] == 0) continue;
            if (!fair_[f].strong && enabled[f] == scc.size()) return Chance::none;
            if (!fair_[f].strong) continue;
            ignored[f] = 1;
            found = Chance::without_some;
        }
        if (found == Chance::without_some)
            for (const std::uint32_t state : scc) each(state, [&](std::uint32_t f, std::uint32_t) { left_out[state] |= ignored[f]; });
        return found;
    }

    bool covers(std::uint32_t f, std::uint32_t label) const {
        if (label == nothing) return false;
        const States& taken = runs_.taken(label);
        return std::find(taken.begin(), taken.end(), f) != taken.end();
    }
    bool enabled(std::uint32_t state, std::uint32_t f) const {
        const auto labels = graph_.actions(state);
        return std::any_of(labels.begin(), labels.end(), [&](std::uint32_t label) { return covers(f, label); });
    }
    bool may_end(std::uint32_t state) const { return sweep::may_end(graph_, runs_, state); }
    const std::vector<Fairness>& all() const { return fair_; }

private:
    /// Visit what the edges of a state are fair to, and where they lead.
    template <class Visit>
    void each(std::uint32_t state, Visit&& visit) const {
        const auto targets = graph_.targets(state), labels = graph_.actions(state);
        for (std::size_t i = 0; i < labels.size(); ++i)
            for (const std::uint32_t f : runs_.taken(labels[i])) visit(f, targets[i]);
    }

    const LayerGraph& graph_;
    const Runs& runs_;
    const std::vector<Fairness>& fair_;
};

/// A shortest way inside an SCC, of one step at least, whose last edge is the first that reaches the goal.
template <class Goal>
std::vector<Step> way(const LayerGraph& graph, const Marks& inside, std::uint32_t start, Goal&& goal) {
    struct From {
        std::uint32_t state = nothing, action = nothing;
    };
    std::vector<From> from(graph.size());
    States queue{start};
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const std::uint32_t state = queue[head];
        const auto targets = graph.targets(state), actions = graph.actions(state);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const std::uint32_t target = targets[i], action = actions.empty() ? nothing : actions[i];
            if (target >= inside.size() || !inside[target]) continue;
            if (goal(target, action)) {
                std::vector<Step> steps{{target, action}};
                for (std::uint32_t at = state; at != start; at = from[at].state) steps.push_back({at, from[at].action});
                std::reverse(steps.begin(), steps.end());
                return steps;
            }
            if (target == start || from[target].state != nothing) continue;
            from[target] = {state, action};
            queue.push_back(target);
        }
    }
    return {};
}

/// A cycle through an SCC that is fair: it meets, one after the other, an edge that takes one of the actions or, where that is enough, a
/// state where they are disabled, then a state with each mark, and then returns. It has no steps where the run may end at once.
Lasso lasso_in(const LayerGraph& graph, std::span<const std::uint32_t> scc, const Marks& inside, const FairRuns& runs,
               const Acceptance& acceptance) {
    Lasso lasso{*std::min_element(scc.begin(), scc.end()), {}};
    std::uint32_t at = lasso.start;
    if (acceptance.ends && (!acceptance.all || acceptance.marks[at] == acceptance.all) && runs.may_end(at)) return lasso;
    const auto go = [&](auto&& goal) {
        const std::vector<Step> steps = way(graph, inside, at, goal);
        lasso.cycle.insert(lasso.cycle.end(), steps.begin(), steps.end());
        if (!steps.empty()) at = steps.back().target;
    };
    for (std::uint32_t f = 0; f < runs.all().size(); ++f) {
        const bool strong = runs.all()[f].strong;
        const auto heeds = [&](std::uint32_t target, std::uint32_t action) {
            return runs.covers(f, action) || (!strong && !runs.enabled(target, f));
        };
        const auto enabled = [&](std::uint32_t state) { return runs.enabled(state, f); };
        if (!(strong ? std::any_of(scc.begin(), scc.end(), enabled) : enabled(lasso.start))) continue;
        const auto done = [&](const Step& step) { return heeds(step.target, step.action); };
        if (std::none_of(lasso.cycle.begin(), lasso.cycle.end(), done)) go(heeds);
    }
    for (std::uint32_t bit = 1; bit && bit <= acceptance.all; bit <<= 1) {
        const auto has = [&](std::uint32_t state) { return (acceptance.marks[state] & bit) != 0; };
        const auto met = [&](const Step& step) { return has(step.target); };
        if (!has(lasso.start) && std::none_of(lasso.cycle.begin(), lasso.cycle.end(), met))
            go([&](std::uint32_t target, std::uint32_t) { return has(target); });
    }
    if (lasso.cycle.empty() || at != lasso.start) go([&](std::uint32_t target, std::uint32_t) { return target == lasso.start; });
    return lasso;
}

}  // namespace

bool may_end(const LayerGraph& graph, const Runs& runs, std::uint32_t state) {
    if (graph.is_dead(state)) return true;
    if (!graph.stutters) return false;
    const auto labels = graph.actions(state);
    return std::all_of(labels.begin(), labels.end(), [&](std::uint32_t label) { return runs.taken(label).empty(); });
}

std::uint32_t stuck_state(const LayerGraph& graph, Marks settled) {
    const auto leads_to_settled = [&](std::uint32_t state) {
        const auto targets = graph.targets(state);
        return std::any_of(targets.begin(), targets.end(), [&](std::uint32_t target) { return target != nothing && settled[target]; });
    };
    settle(graph, settled, leads_to_settled);
    std::uint32_t found = nothing;
    each_scc(
        graph, [&](std::uint32_t state) { return !settled[state]; }, every_edge,
        [&](std::span<const std::uint32_t> scc) {
            if (std::none_of(scc.begin(), scc.end(), leads_to_settled)) found = std::min(found, *std::min_element(scc.begin(), scc.end()));
            for (const std::uint32_t state : scc) settled[state] = 1;
            return true;
        });
    return found;
}

namespace {

/// Visit the SCCs of states that are not safe in which a fair run can stay for ever, and marked as such in `inside` meanwhile. `skip` says
/// which are not worth a look, `ends` whether a run may stay in one state. A run that is fair in the strong sense may have to keep away
/// from some states: what is left without these is looked at again.
template <class Skip, class Visit>
void each_fair_scc(const LayerGraph& graph, Marks safe, const FairRuns& runs, bool ends, Skip&& skip, Visit&& visit) {
    Marks inside(graph.size(), 0);
    for (bool again = true; again;) {
        again = false;
        Marks left_out = safe;
        each_scc(
            graph, [&](std::uint32_t state) { return !safe[state]; }, every_edge,
            [&](std::span<const std::uint32_t> scc) {
                const std::uint32_t first = scc.front();
                const auto targets = graph.targets(first);
                const bool loops =
                    scc.size() > 1 || std::find(targets.begin(), targets.end(), first) != targets.end() || (ends && runs.may_end(first));
                if (!loops || skip(scc)) return true;
                for (const std::uint32_t state : scc) inside[state] = 1;
                const FairRuns::Chance chance = runs.chance(scc, inside, left_out);
                if (chance == FairRuns::Chance::fair) visit(scc, inside);
                if (chance != FairRuns::Chance::without_some)
                    for (const std::uint32_t state : scc) left_out[state] = 1;  // there is nothing more to find out about them
                again |= chance == FairRuns::Chance::without_some;
                for (const std::uint32_t state : scc) inside[state] = 0;
                return true;
            });
        safe = std::move(left_out);
    }
}

/// The settled states, and those from which every way leads to one: no cycle of others begins there.
Marks without_cycle(const LayerGraph& graph, const Marks& settled, const FairRuns& runs, bool ends) {
    Marks safe = settled;
    settle(graph, safe, [&](std::uint32_t state) {
        const auto targets = graph.targets(state);
        return !(ends && runs.may_end(state)) &&
               std::all_of(targets.begin(), targets.end(), [&](std::uint32_t target) { return target >= safe.size() || safe[target]; });
    });
    return safe;
}

}  // namespace

Lasso avoiding_cycle(const LayerGraph& graph, const Marks& settled, const Runs& which, const Acceptance& acceptance) {
    const FairRuns runs(graph, which);
    Lasso found;
    const auto is_accepted = [&](std::span<const std::uint32_t> scc) {
        std::uint32_t met = 0;
        for (const std::uint32_t state : acceptance.all ? scc : std::span<const std::uint32_t>()) met |= acceptance.marks[state];
        return met == acceptance.all;
    };
    each_fair_scc(
        graph, without_cycle(graph, settled, runs, acceptance.ends), runs, acceptance.ends,
        [&](std::span<const std::uint32_t> scc) { return *std::min_element(scc.begin(), scc.end()) > found.start || !is_accepted(scc); },
        [&](std::span<const std::uint32_t> scc, const Marks& inside) { found = lasso_in(graph, scc, inside, runs, acceptance); });
    return found;
}

Marks on_fair_cycles(const LayerGraph& graph, const Marks& settled, const Runs& which) {
    const FairRuns runs(graph, which);
    Marks found(graph.size(), 0);
    each_fair_scc(
        graph, without_cycle(graph, settled, runs, true), runs, true, [](std::span<const std::uint32_t>) { return false; },
        [&](std::span<const std::uint32_t> scc, const Marks&) {
            for (const std::uint32_t state : scc) found[state] = 1;
        });
    return found;
}

}  // namespace sweep
