#include "sweep/ask/step_table.hpp"

#include <algorithm>

namespace sweep {

/// Whether it is the first time that something of this is asked.
bool StepTable::note(std::vector<Trie::Node>& asked, const std::vector<Event>& path) {
    bool more = false;
    for (const Event& event : path) {
        const auto same = [&](const Trie::Node& node) {
            return node.ask == event.ask && node.field == event.field && node.argument == event.argument &&
                   node.threshold == event.threshold;
        };
        if (std::any_of(asked.begin(), asked.end(), same)) continue;
        Trie::Node& node = asked.emplace_back();
        node.ask = event.ask;
        node.field = event.field;
        node.argument = event.argument;
        node.threshold = event.threshold;
        more = true;
    }
    return more;
}

/// The answers of a step; false where it holds contents that nobody has met.
bool StepTable::look(const Word* old, const Word* next, std::uint32_t action) {
    answers_.clear();
    if (by_action_) answers_.push_back(action);
    for (const Trie::Node& node : of_old_) answers_.push_back(answer(schema_, none_, node, old));
    for (const Trie::Node& node : of_next_) answers_.push_back(answer(schema_, none_, node, next));
    return std::find(answers_.begin(), answers_.end(), never_met) == answers_.end();
}

/// Where the answers stand, or would.
std::size_t StepTable::slot() const {
    std::uint64_t hash = 0x9E3779B97F4A7C15;
    for (const std::uint32_t one : answers_) hash = (hash ^ one) * 0xD6E8FEB86659FD93, hash ^= hash >> 32;
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
        if (slots_[at] == 0) return at;
        const std::uint32_t* known = known_.data() + (slots_[at] - 1) * answers_.size();
        if (std::equal(answers_.begin(), answers_.end(), known)) return at;
    }
}

std::optional<bool> StepTable::find(const Word* old, const Word* next, std::uint32_t action) {
    old_ = old;
    next_ = next;
    action_ = action;
    if (slots_.empty() || !look(old, next, action)) return std::nullopt;
    const std::uint32_t found = slots_[slot()];
    return found ? std::optional(holds_[found - 1] != 0) : std::nullopt;
}

void StepTable::add(const std::vector<Event>& of_old, const std::vector<Event>& of_next, bool holds) {
    const bool more = note(of_old_, of_old) | note(of_next_, of_next);
    if (more || holds_.size() == most_steps) forget();
    if (!look(old_, next_, action_)) return;
    if (2 * (holds_.size() + 1) > slots_.size()) grow();
    known_.insert(known_.end(), answers_.begin(), answers_.end());
    const std::size_t at = slot();
    holds_.push_back(holds);
    slots_[at] = static_cast<std::uint32_t>(holds_.size());
}

void StepTable::forget() {
    known_.clear();
    holds_.clear();
    slots_.clear();
}

void StepTable::grow() {
    const std::vector<std::uint32_t> last = answers_;
    slots_.assign(std::max<std::size_t>(64, 4 * slots_.size()), 0);
    for (std::uint32_t number = 0; number < holds_.size(); ++number) {
        const auto begin = known_.begin() + static_cast<std::ptrdiff_t>(number * last.size());
        answers_.assign(begin, begin + static_cast<std::ptrdiff_t>(last.size()));
        slots_[slot()] = number + 1;
    }
    answers_ = last;
}

}  // namespace sweep
