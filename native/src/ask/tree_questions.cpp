#include "sweep/ask/tree_questions.hpp"

#include <algorithm>

namespace sweep {

using Is = Tree::Node::Is;

TreeQuestions::TreeQuestions(Resolver& resolver, Questions& questions, const std::vector<Tree>& trees, const Runs& runs, EdgeLog* log)
    : resolver_(resolver), questions_(questions), trees_(trees), runs_(runs), log_(log) {
    for (const Tree& tree : trees) truths_.emplace_back(tree.nodes.size());
}

std::uint64_t TreeQuestions::bytes() const {
    std::uint64_t total = 0;
    for (const std::vector<Truths>& of : truths_)
        for (const Truths& one : of) total += one.bytes();
    return total;
}

void TreeQuestions::want(const Batch& batch, const Block&, std::vector<std::uint8_t>&) {
    if (log_->error()) return;  // nobody will read it
    for (std::size_t t = 0; t < trees_.size(); ++t)
        for (std::size_t n = 0; n < trees_[t].nodes.size(); ++n) {
            const Tree::Node& node = trees_[t].nodes[n];
            if (node.is != Is::predicate) continue;
            for (std::uint32_t p = 0; p < batch.count; ++p)
                if (resolver_.satisfies(static_cast<std::uint32_t>(node.predicate), batch.state(p))) truths_[t][n].set(log_->upcoming(p));
        }
}

/// Which states of a layer lead, through states of some kind, to the goal in it, or to what is known of later ones.
Marks TreeQuestions::leading_to(const Truths& known, const Truths& through, Marks goal, const LoggedLayer& layer) const {
    States waiting;
    for (std::uint32_t state = 0; state < layer.size(); ++state) {
        if (!goal[state] && through[layer.numbers[state]])
            for (std::uint32_t i = layer.first[state]; i < layer.first[state + 1] && !goal[state]; ++i)
                goal[state] = known[layer.targets[i]];  // of this layer, nothing is known yet
        if (goal[state]) waiting.push_back(state);
    }
    while (!waiting.empty()) {
        const std::uint32_t state = waiting.back();
        waiting.pop_back();
        for (std::uint32_t i = layer.first_before[state]; i < layer.first_before[state + 1]; ++i) {
            const std::uint32_t from = layer.before[i];
            if (goal[from] || !through[layer.numbers[from]]) continue;
            goal[from] = 1;
            waiting.push_back(from);
        }
    }
    return goal;
}

void TreeQuestions::decide_node(const Tree& tree, std::uint32_t n, std::vector<Truths>& truths, const LoggedLayer& layer) {
    const Tree::Node& node = tree.nodes[n];
    const Truths &left = truths[node.left], &right = truths[node.right];
    const auto each = [&](auto&& is_true) {
        for (std::uint32_t state = 0; state < layer.size(); ++state)
            if (is_true(state, layer.numbers[state])) truths[n].set(layer.numbers[state]);
    };
    Marks goal(node.is == Is::until || node.is == Is::always ? layer.size() : 0);
    switch (node.is) {
        case Is::predicate: return;  // known since its states were processed
        case Is::truth: return each([](std::uint32_t, std::uint32_t) { return true; });
        case Is::negated: return each([&](std::uint32_t, std::uint32_t number) { return !left[number]; });
        case Is::either: return each([&](std::uint32_t, std::uint32_t number) { return left[number] || right[number]; });
        case Is::next:
            return each([&](std::uint32_t state, std::uint32_t number) {
                const std::uint32_t begin = layer.first[state], end = layer.first[state + 1];
                bool found =
                    left[number] && (begin == end || (runs_.stutter() && may_end(layer.graph, runs_, state)));  // it stays where it is
                for (std::uint32_t i = begin; i < end && !found; ++i) found = left[layer.targets[i]];
                return found;
            });
        case Is::until:
            for (std::uint32_t state = 0; state < layer.size(); ++state) goal[state] = right[layer.numbers[state]];
            break;
        case Is::always: {
            Marks outside(layer.size());
            for (std::uint32_t state = 0; state < layer.size(); ++state) outside[state] = !left[layer.numbers[state]];
            goal = on_fair_cycles(layer.graph, outside, runs_);
            break;
        }
    }
    const Marks found = leading_to(truths[n], left, std::move(goal), layer);
    each([&](std::uint32_t state, std::uint32_t) { return found[state] != 0; });
}

void TreeQuestions::decide_layer(const LoggedLayer& layer) {
    for (std::size_t t = 0; t < trees_.size(); ++t)
        for (std::uint32_t n = 0; n < trees_[t].nodes.size(); ++n) decide_node(trees_[t], n, truths_[t], layer);
}

Stop TreeQuestions::end(std::uint64_t roots, std::uint64_t states, const std::function<bool()>& go_on) {
    if (!log_) return Stop::none;
    const auto is_cyclic = [](const Tree::Node& node) { return node.is == Is::always; };
    const auto asks_cycles = [&](const Tree& tree) { return std::any_of(tree.nodes.begin(), tree.nodes.end(), is_cyclic); };
    const bool with_cycles = runs_.stutter() || std::any_of(trees_.begin(), trees_.end(), asks_cycles);
    for (std::size_t layer = log_->layers(); layer-- > 0;) {
        if (!go_on()) return Stop::none;
        const LoggedLayer read = log_->read(layer, with_cycles);
        if (log_->error()) return Stop::none;  // all else is decided; whoever asked is told why this is not
        decide_layer(read);
    }
    for (Question& question : questions_.all) {
        if (question.decided || question.on != Question::On::ctl) continue;
        const auto t = static_cast<std::size_t>(question.predicate);
        const Truths& claim = truths_[t][trees_[t].claim];
        const std::uint64_t concerned = trees_[t].everywhere ? states : roots;
        std::uint32_t number = 0;
        while (number < concerned && claim[number]) ++number;
        if (number == concerned) continue;
        if (const Stop stop = questions_.decide(question, number, {}); stop != Stop::none) return stop;
    }
    return Stop::none;
}

std::vector<bool> TreeQuestions::truths(std::size_t tree, std::uint32_t number) const {
    std::vector<bool> found;
    for (const Truths& one : truths_[tree]) found.push_back(one[number]);
    return found;
}

namespace {

/// The states of a layer that can be reached from one of them through states of some kind, nearest first, and how.
class Reached {
public:
    Reached(const LoggedLayer& layer, const Truths& through, std::uint32_t start)
        : layer_(layer), from_(layer.size(), nothing), all{start} {
        from_[start] = start;
        for (std::size_t head = 0; head < all.size(); ++head)
            for (std::uint32_t i = layer.first[all[head]]; i < layer.first[all[head] + 1]; ++i) {
                const std::uint32_t target = layer.targets[i], inside = EdgeLog::position_in(layer.numbers, target);
                if (inside == nothing || from_[inside] != nothing || !through[target]) continue;
                from_[inside] = all[head];
                all.push_back(inside);
            }
    }

    bool operator[](std::uint32_t state) const { return from_[state] != nothing; }
    /// Append the numbers of the states on the way to a state, without the first.
    void add_way(std::uint32_t state, States& path) const {
        const auto begin = static_cast<std::ptrdiff_t>(path.size());
        for (; from_[state] != state; state = from_[state]) path.push_back(layer_.numbers[state]);
        std::reverse(path.begin() + begin, path.end());
    }

private:
    const LoggedLayer& layer_;
    States from_;

public:
    States all;
};

}  // namespace

/// Layer by layer: a goal inside the layer ends the way, else it leaves the layer for a state of which the node is true too.
TreeWay TreeQuestions::way(std::size_t tree, std::uint32_t n, std::uint32_t number) const {
    const Tree::Node& node = trees_[tree].nodes[n];
    const std::vector<Truths>& truths = truths_[tree];
    TreeWay found;
    while (!found.is_known) {
        const LoggedLayer layer = log_->read_around(number);
        if (layer.size() == 0) return found;
        const std::uint32_t start = EdgeLog::position_in(layer.numbers, number);
        if (node.is == Is::next) {
            for (std::uint32_t i = layer.first[start]; i < layer.first[start + 1] && found.path.empty(); ++i)
                if (truths[node.left][layer.targets[i]]) found.path.push_back(layer.targets[i]);
            found.is_known = true;
            break;
        }
        const Reached reached(layer, truths[n], start);
        std::uint32_t goal = nothing, outside = nothing;
        if (node.is == Is::always) {
            Marks settled(layer.size(), 1);
            for (const std::uint32_t state : reached.all) settled[state] = 0;
            const Lasso lasso = avoiding_cycle(layer.graph, settled, runs_);
            goal = lasso.start;
            found.lasts = goal != nothing;
            for (const Lasso::Step& step : lasso.cycle) {
                found.cycle.push_back(layer.numbers[step.target]);
                if (!runs_.fair().empty()) found.actions.push_back(runs_.action(step.action));
            }
        }
        for (std::size_t i = 0; i < reached.all.size() && goal == nothing; ++i) {
            const std::uint32_t state = reached.all[i];
            if (node.is == Is::until && truths[node.right][layer.numbers[state]]) goal = state;
            for (std::uint32_t e = layer.first[state]; e < layer.first[state + 1] && goal == nothing; ++e) {
                const bool leaves = EdgeLog::position_in(layer.numbers, layer.targets[e]) == nothing;
                if (!leaves || !truths[n][layer.targets[e]]) continue;
                goal = state;
                outside = layer.targets[e];
            }
        }
        if (goal == nothing) return found;  // edges that are read again are those of the run: never
        reached.add_way(goal, found.path);
        if (outside != nothing) found.path.push_back(number = outside);
        found.is_known = outside == nothing;
    }
    return found;
}

}  // namespace sweep
