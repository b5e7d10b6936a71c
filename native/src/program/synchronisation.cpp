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

bool Synchronisation::record(Recording& recording) const {
    for (const Participant& participant : participants)
        if (!participant.targets(recording.read(participant.field)).count) return false;
    for (const Participant& participant : participants) {
        const auto [begin, count] = participant.targets(recording.read(participant.field));
        recording.write(participant.field, begin[count > 1 ? recording.choose(count) : 0]);
    }
    return true;
}

}  // namespace sweep
