#include "sweep/program/synchronisation.hpp"

#include <limits>

namespace sweep {

constexpr std::size_t most_gaps = 4;  // entries for locations that cannot do the event, for each that can

Synchronisation::Participant::Participant(std::uint32_t its_field, std::vector<std::pair<Id, Id>> steps) : field(its_field) {
    if (steps.empty()) return;
    std::stable_sort(steps.begin(), steps.end(), [](const auto& one, const auto& other) { return one.first < other.first; });
    least_ = steps.front().first;
    most_ = steps.back().first;
    const bool few = most_ - least_ >= most_gaps * steps.size();
    for (const auto& [source, target] : steps) {
        if (few && (sources_.empty() || sources_.back() != source)) {
            sources_.push_back(source);
            first_.push_back(static_cast<std::uint32_t>(targets_.size()));
        }
        while (!few && first_.size() <= source - least_) first_.push_back(static_cast<std::uint32_t>(targets_.size()));
        targets_.push_back(target);
    }
    first_.push_back(static_cast<std::uint32_t>(targets_.size()));
}

std::uint64_t Synchronisation::combinations() const {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t product = 1;
    for (const Participant& participant : participants) {
        const std::uint64_t steps = participant.steps();
        if (steps && product > most / steps) return most;
        product *= steps;
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
