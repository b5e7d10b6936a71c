#include "sweep/program/comparing.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sweep {

namespace {

/// What a run came to: the choices it made, scalars with their last values, and all else in order.
struct Effect {
    std::vector<std::uint32_t> choices;
    std::map<std::uint32_t, Id> scalars;
    std::vector<std::array<std::uint32_t, 4>> others;

    bool operator==(const Effect&) const = default;
};

Effect effect_of(const Schema& schema, const Recording& run) {
    Effect effect;
    for (const Event& event : run.path)
        if (event.ask == Ask::take || event.ask == Ask::choose) effect.choices.push_back(event.key);
    for (const Op& op : run.ops) {
        if (op.what == Op::Do::set) {
            effect.scalars[op.field] = op.id;
        } else if (op.what == Op::Do::shift) {
            const std::int64_t number = schema.number_of(op.field, run.state()) + static_cast<std::int32_t>(op.id);
            effect.scalars[op.field] = schema.numbers[static_cast<std::size_t>(schema.variables[op.field].numbers)].find(number);
        } else {
            effect.others.push_back({static_cast<std::uint32_t>(op.what), op.field, op.id, op.count});
        }
    }
    return effect;
}

/// The variables that a run asked about in any way, or moved.
std::set<std::uint32_t> mentioned(const Recording& run, const Trie& table) {
    std::set<std::uint32_t> fields;
    for (const Event& event : run.path) table.each_field(event, [&](std::uint32_t field) { fields.insert(field); });
    for (const Op& op : run.ops)
        if (op.what == Op::Do::shift) fields.insert(op.field);
    return fields;
}

}  // namespace

bool did_the_same(const Schema& schema, const Recording& looked, const Recording& compared, const Trie& table) {
    if (!(effect_of(schema, looked) == effect_of(schema, compared))) return false;
    const std::set<std::uint32_t> fields = mentioned(compared, table);
    return std::all_of(looked.path.begin(), looked.path.end(),
                       [&](const Event& event) { return event.ask != Ask::value || fields.contains(event.field); });
}

void Comparing::note(const Recording& run, const Trie& table) {
    std::set<std::uint32_t> fields = mentioned(run, table);
    std::erase_if(fields, [&](std::uint32_t field) { return !table.compares(field); });
    if (fields.empty()) return;
    for (const Event& event : run.path)
        if (event.ask == Ask::value) fields.erase(event.field);
    ++(fields.empty() ? useless_ : useful_);
}

}  // namespace sweep
