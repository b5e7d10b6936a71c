#include "sweep/program/agenda.hpp"

#include <algorithm>

#include "sweep/program/takes.hpp"

namespace sweep {

namespace {

constexpr int most_bits = 18;  // of a key

bool takes_tokens(const Trie& trie) {
    return std::any_of(trie.nodes.begin(), trie.nodes.end(),
                       [](const Trie::Node& node) { return node.direct == Trie::Node::Direct::take; });
}

}  // namespace

Agenda Agenda::of(const Program& program, const Grouping& grouping, const Takes& takes) {
    Agenda agenda;
    agenda.generation_ = takes.generation();
    const std::vector<Function>& actions = program.actions();
    if (std::none_of(actions.begin(), actions.end(), [](const Function& action) { return takes_tokens(action.trie); })) return agenda;
    std::vector<std::uint32_t> fields;
    const auto add = [&](const std::vector<std::uint32_t>& more) {
        for (const std::uint32_t field : more)
            if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
    };
    for (const Group& group : grouping.groups) add(group.fields);
    for (std::uint32_t action = 0; action < actions.size(); ++action) add(takes.asked(action));
    agenda.key_.lay_out(fields, program.schema);
    if (agenda.key_.bits() <= most_bits) agenda.starts_.resize(std::size_t{1} << agenda.key_.bits());
    return agenda;
}

bool Agenda::current(const Takes& takes) const { return generation_ == takes.generation(); }

void Agenda::add(std::uint32_t key, const std::vector<Rest>& rests, const Word* state, const Program& program, Takes& takes) {
    Entry entry{static_cast<std::uint32_t>(tasks_.size()), static_cast<std::uint32_t>(rests.size())};
    for (const Rest& rest : rests) {
        Task task{is_leaf(rest.code) ? Task::Kind::leaf : Task::Kind::walk, 0, rest.action, rest.code, 0};
        const Trie& trie = program.actions()[rest.action].trie;
        const Trie::Node* node = rest.code == unknown || (rest.code & 1) ? nullptr : &trie.nodes[index_of(rest.code)];
        if (node && node->direct == Trie::Node::Direct::take) {
            const std::size_t bag = bag_of(*node);
            const Code* row = bag < most_bags ? takes.row(rest.action, trie, *node, state) : nullptr;
            if (row) {
                task.kind = Task::Kind::take;
                task.bag = static_cast<std::uint8_t>(bag);
                task.place = takes.place(rest.action, row);
                entry.bags |= 1u << bag;
            }
        }
        tasks_.push_back(task);
    }
    entries_.push_back(entry);
    starts_[key] = static_cast<std::uint32_t>(entries_.size());
}

/// Which bag a node takes from; `most_bags` when there are too many.
std::size_t Agenda::bag_of(const Trie::Node& node) {
    const auto found = std::find_if(bags_.begin(), bags_.end(), [&](const Bag& bag) { return bag.field == node.field; });
    const std::size_t index = static_cast<std::size_t>(found - bags_.begin());
    if (found == bags_.end() && index < most_bags) bags_.push_back({node.field, node.word, node.shift, node.bits, node.mask});
    return index;
}

}  // namespace sweep
