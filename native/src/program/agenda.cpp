#include "sweep/program/agenda.hpp"

#include <algorithm>

namespace sweep {

namespace {

constexpr std::size_t first_slots = 256;
constexpr std::size_t most_entries = 1 << 17;
constexpr std::uint64_t pays_from = 1024, least_looks = 16;  // entries, and looks for each of them

bool contains(const std::vector<Asked>& all, Asked asked) { return std::find(all.begin(), all.end(), asked) != all.end(); }

}  // namespace

Agenda Agenda::of(const Program& program, const Grouping& grouping, const Takes& takes) {
    Agenda agenda;
    agenda.generation_ = takes.generation();
    const std::vector<Function>& actions = program.actions();
    const auto add = [&](Asked asked) {
        if (!contains(agenda.asked_, asked)) agenda.asked_.push_back(asked);
    };
    for (const Group& group : grouping.groups)
        for (const Asked asked : group.asked) add(asked);
    for (std::uint32_t action = 0; action < actions.size(); ++action) {
        for (const Asked asked : takes.asked(action)) add(asked);
        for (const Trie::Node& node : actions[action].trie.nodes) {
            if (node.direct != Trie::Node::Direct::take || agenda.find_bag(node.field) || agenda.bags_.size() == most_bags) continue;
            agenda.bags_.emplace_back();
            Bag& bag = agenda.bags_.back();
            bag.field = node.field;
            bag.word = node.word;
            bag.shift = node.shift;
            bag.bits = node.bits;
            bag.mask = node.mask;
        }
    }
    agenda.key_.lay_out(agenda.asked_, program.schema);
    const int bits = agenda.key_.bits() + size_bits * static_cast<int>(agenda.bags_.size());
    if (!agenda.bags_.empty() && bits < 64) agenda.slots_.resize(first_slots);
    return agenda;
}

const Agenda::Bag* Agenda::find_bag(std::uint32_t field) const {
    const auto found = std::find_if(bags_.begin(), bags_.end(), [&](const Bag& bag) { return bag.field == field; });
    return found == bags_.end() ? nullptr : &*found;
}

const Agenda::Entry* Agenda::add(const std::vector<Rest>& rests, const Word* state, const Program& program, Takes& takes) {
    if (!pays()) return nullptr;
    const std::size_t first = tasks_.size();
    for (const Rest& rest : rests)
        if (!add_task(rest, state, program, takes)) {
            tasks_.resize(first);
            return nullptr;
        }
    if (2 * ++entries_ > slots_.size()) {
        std::vector<Entry> before(2 * slots_.size());
        before.swap(slots_);
        for (const Entry& entry : before)
            if (entry.key) slots_[slot_of(entry.key)] = entry;
    }
    Entry& entry = slots_[slot_of(at_work_)];
    entry = {at_work_, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(tasks_.size() - first)};
    return &entry;
}

/// Where most states have a combination of their own, it is no shortcut.
bool Agenda::pays() {
    if (entries_ >= most_entries) return false;
    const bool worth = entries_ < pays_from || looks_ >= least_looks * entries_;
    if (!worth) slots_.clear();
    return worth;
}

/// False when the action's table does not know where it goes on.
bool Agenda::add_task(const Rest& rest, const Word* state, const Program& program, Takes& takes) {
    const Synchronisation* event = program.synchronisation(rest.action);
    const Trie& trie = program.actions()[rest.action].trie;
    Task task{Task::Kind::walk, 0, rest.action, rest.code};
    if (event && event->untabulated) {
        tasks_.push_back(task);
        return true;
    }
    task.code = settle(trie, rest.code, state, program.schema);
    if (task.code == unknown) return false;
    if (task.code == disabled) return true;
    if (is_leaf(task.code)) {
        task.kind = Task::Kind::leaf;
    } else if (const Trie::Node& node = trie.nodes[index_of(task.code)]; node.direct == Trie::Node::Direct::take) {
        const Bag* bag = find_bag(node.field);
        if (bag && bag->size == 0) return true;
        if (const Code* row = bag ? takes.row(rest.action, trie, node, state) : nullptr) {
            task.kind = Task::Kind::take;
            task.bag = static_cast<std::uint8_t>(bag - bags_.data());
            task.place = takes.place(rest.action, row);
        }
    }
    tasks_.push_back(task);
    return true;
}

/// Go on as far as what is in the key tells where.
Code Agenda::settle(const Trie& trie, Code code, const Word* state, const Schema& schema) const {
    while (code != unknown && !(code & 1)) {
        const Trie::Node& node = trie.nodes[index_of(code)];
        const Bag* bag = node.ask == Ask::size ? find_bag(node.field) : nullptr;
        if (bag)
            code = trie.child(node, bag->size);
        else if (node.ask == Ask::value && contains(asked_, {node.field}))
            code = trie.child(node, static_cast<std::uint32_t>(schema.layout.fields[node.field].load(state)));
        else
            break;
    }
    return code;
}

}  // namespace sweep
