#include "sweep/state/schema.hpp"

#include <algorithm>

#include "sweep/state/forms.hpp"

namespace sweep {

std::uint32_t Schema::add(Kind kind, bool timed_bag) {
    const std::uint32_t index = static_cast<std::uint32_t>(variables.size());
    variables.emplace_back();
    variables.back().kind = kind;
    variables.back().timed = timed_bag;
    contents.emplace_back();
    if (timed_bag) timed.push_back(index);
    return index;
}

std::vector<Extent> Schema::extents() const {
    std::vector<Extent> result(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& variable = variables[i];
        const int tokens = static_cast<int>(variable.values - 1);
        if (variable.form == Form::interned)
            result[i] = {std::max<std::uint64_t>(contents[i].size(), 1), 1};
        else if (variable.form == Form::set)
            result[i] = {2, std::min((tokens + 3) / 4 * 4, most_inline_bits)};
        else
            result[i] = {variable.values, variable.kind == Kind::scalar ? 1 : variable.slots};
    }
    return result;
}

void Schema::set_values(std::size_t index, std::uint64_t values) {
    Variable& variable = variables[index];
    width += static_cast<std::uint64_t>(bits_for(values) - bits_for(variable.values));
    variable.values = values;
    if (variable.form != Form::interned && index < layout.fields.size()) ask_values(index, values, requests);
}

void Schema::ask_values(std::size_t variable, std::uint64_t values, Requests& asked) const {
    const Field& field = layout.fields[variable];
    const bool fits = variables[variable].form == Form::set ? values - 1 <= field.slots : bits_for(values) <= field.bits();
    if (!fits) asked.ask_values(variable, values);
}

void Schema::note_repeated() {
    for (const Requests::Request& asked : requests) variables[asked.variable].repeated |= asked.repeated;
}

bool Schema::must_inspect() const {
    return std::any_of(requests.begin(), requests.end(), [&](const Requests::Request& asked) {
        const Variable& variable = variables[asked.variable];
        return variable.form == Form::set || form_for(variable, std::max(asked.slots, variable.slots)) == Form::set;
    });
}

void Schema::inspect(const Word* state) {
    std::vector<Id> held;
    for (const Requests::Request& asked : requests) {
        Variable& variable = variables[asked.variable];
        if (variable.kind != Kind::bag || variable.form == Form::interned) continue;
        contents_of(static_cast<std::uint32_t>(asked.variable), state, held);
        const auto [size, repeated] = measured(variable.kind, held);
        variable.slots = std::max(variable.slots, static_cast<int>(size));
        variable.repeated |= repeated;
    }
}

/// Give what was asked for, in place if that is possible; false when it is not, and a new layout is needed.
bool Schema::widen(bool prefer_in_place) {
    bool in_place = prefer_in_place;
    for (const Requests::Request& asked : requests) {
        Variable& variable = variables[asked.variable];
        if (asked.slots > variable.slots) {
            variable.slots = asked.slots;
            in_place = false;
        }
        const Form before = variable.form;
        variable.form = form_for(variable, variable.slots);
        if (variable.form != before || before == Form::set) in_place = false;
        if (in_place) in_place = layout.widen(asked.variable, std::max(asked.values, extents()[asked.variable].values));
    }
    requests.clear();
    return in_place;
}

std::vector<Form> Schema::forms() const {
    std::vector<Form> result(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) result[i] = variables[i].form;
    return result;
}

void Schema::pack(const Unpacked& unpacked, Word* state) {
    std::fill(state, state + layout.words, 0);
    state[0] = 1;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& variable = variables[i];
        const Field& field = layout.fields[i];
        const std::vector<Id>& part = unpacked[i];
        if (variable.kind == Kind::scalar) {
            field.store(state, part[0]);
        } else if (variable.form == Form::interned) {
            const Id id = contents[i].intern(part);
            ask_values(i, std::uint64_t{id} + 1, requests);
            field.store(state, id & low_bits(field.bits()));
        } else {
            const auto [size, repeated] = measured(variable.kind, part);
            const bool set = variable.form == Form::set;
            if (set ? repeated : size > field.slots || (size && field.bits() == 0)) {
                requests.ask_slots(i, static_cast<int>(std::min<std::uint64_t>(size, most_inline_bits + 1)), repeated);
                continue;
            }
            if (set && !part.empty() && part[0] > field.slots) {
                ask_values(i, variable.values, requests);
                continue;
            }
            const Word raw = contents_to_packed(variable.kind, variable.form, part, field.bits());
            field.store(state, raw);
        }
    }
}

Unpacked Schema::unpack(const Word* state) const {
    Unpacked result(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (variables[i].kind == Kind::scalar)
            result[i] = {static_cast<Id>(layout.fields[i].load(state))};
        else
            contents_of(static_cast<std::uint32_t>(i), state, result[i]);
    }
    return result;
}

void Transfer::absorb(const Word* old) {
    for (std::size_t i = 0; i < were_.size(); ++i) {
        const Variable& variable = schema_->variables[i];
        if (variable.form != Form::interned || were_[i] == Form::interned) continue;
        packed_to_contents(variable, schema_->contents[i], were_[i], from_.fields[i].load(old), from_.fields[i].bits(), scratch_);
        schema_->contents[i].intern(scratch_);
    }
}

void Transfer::operator()(const Word* old, Word* state) {
    const Layout& layout = schema_->layout;
    std::fill(state, state + layout.words, 0);
    state[0] = 1;
    for (std::size_t i = 0; i < schema_->variables.size(); ++i) {
        const Variable& variable = schema_->variables[i];
        const Field& source = from_.fields[i];
        const Field& target = layout.fields[i];
        const Word raw = source.load(old);
        if (variable.kind == Kind::scalar || were_[i] == Form::interned || (were_[i] == Form::set && variable.form == Form::set)) {
            target.store(state, raw);
            continue;
        }
        if (were_[i] == Form::slots && variable.form == Form::slots) {
            const int bits = source.bits();
            Word moved = 0;
            int at = 0;
            for (Word rest = raw; rest; rest >>= bits, at += target.bits()) moved |= (rest & low_bits(bits)) << at;
            target.store(state, moved);
            continue;
        }
        packed_to_contents(variable, schema_->contents[i], were_[i], raw, source.bits(), scratch_);
        target.store(state, variable.form == Form::interned ? schema_->contents[i].intern(scratch_)
                                                            : contents_to_packed(variable.kind, variable.form, scratch_, target.bits()));
    }
}

}  // namespace sweep
