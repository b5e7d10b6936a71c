#include "sweep/state/schema.hpp"

#include <algorithm>

#include "sweep/state/forms.hpp"

namespace sweep {

std::uint32_t Schema::add(Kind kind, bool timed_bag) {
    const std::uint32_t index = static_cast<std::uint32_t>(variables.size());
    variables.emplace_back();
    variables.back().kind = kind;
    variables.back().timed = timed_bag;
    if (kind == Kind::bag && !timed_bag) variables.back().form = Form::counts;  // of nothing, until something is held
    interned.emplace_back();
    met.emplace_back();
    if (timed_bag) timed.push_back(index);
    return index;
}

/// How many values a cell of a variable's field tells apart.
std::uint64_t Schema::values_in_cell(std::size_t index) const {
    const Variable& variable = variables[index];
    if (variable.form == Form::interned) return std::max<std::uint64_t>(interned[index].size(), 1);
    return variable.form == Form::counts ? std::uint64_t{variable.most} + 1 : variable.values;
}

std::vector<Extent> Schema::extents() const {
    std::vector<Extent> result(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& variable = variables[i];
        result[i].values = values_in_cell(i);
        if (variable.kind == Kind::scalar || variable.form == Form::interned) continue;
        if (!variable.outgrown) {  // what it holds now is not known exactly: more may have come into the room that it had
            const Field& field = layout.fields[i];
            result[i] = {std::uint64_t{1} << field.bits(), field.slots, true};
            continue;
        }
        std::uint64_t slots = variable.slots;
        if (variable.form == Form::counts) {  // room for tokens that come later
            slots = variable.cells.size();
            if (variable.values > 2) slots = (slots + 3) / 4 * 4;
        }
        const std::uint64_t bits = static_cast<std::uint64_t>(bits_for(result[i].values));
        if (slots * bits > 64) {  // fill the last word, and some more where there are many already
            const std::uint64_t per_word = 64 / bits;
            slots = (slots + slots / 8 + per_word - 1) / per_word * per_word;
        } else if (variable.form == Form::counts && slots * bits > most_inline_bits) {
            slots = 64 / bits;
        }
        result[i].slots = static_cast<int>(slots);
    }
    return result;
}

void Schema::set_values(std::size_t index, std::uint64_t values) {
    Variable& variable = variables[index];
    width += static_cast<std::uint64_t>(bits_for(values) - bits_for(variable.values));
    variable.values = values;
    const bool cells_hold_values = variable.kind == Kind::scalar || variable.form == Form::slots;
    if (cells_hold_values && index < layout.fields.size()) ask_values(index, values, requests);
}

void Schema::ask_values(std::size_t variable, std::uint64_t values, Requests& asked) const {
    if (bits_for(values) > layout.fields[variable].bits()) asked.ask_values(variable, values);
}

/// What is known without looking at states.
void Schema::note_held() {
    for (const Requests::Request& asked : requests) {
        Variable& variable = variables[asked.variable];
        variable.most = std::max(variable.most, asked.most);
    }
    for (const Requests::Token& held : requests.tokens) variables[held.variable].cells.add(held.token);
}

bool Schema::has_room(const Requests::Request& asked) const {
    const Variable& variable = variables[asked.variable];
    const Field& field = layout.fields[asked.variable];
    if (variable.form == Form::interned || variable.kind == Kind::scalar) return true;
    return (variable.form == Form::counts ? variable.cells.size() : asked.slots) <= field.slots;
}

/// Give what was asked for in place; false when that is not possible, and a new layout is needed.
bool Schema::widen(bool prefer_in_place) {
    for (const Requests::Request& asked : requests) {
        const std::uint64_t values = std::max(asked.values, values_in_cell(asked.variable));
        if (!has_room(asked)) return false;
        if (bits_for(values) <= layout.fields[asked.variable].bits()) continue;
        if (!prefer_in_place || !layout.widen(asked.variable, values)) return false;
    }
    requests.clear();
    return true;
}

bool Schema::must_inspect() const {
    return std::any_of(requests.begin(), requests.end(), [&](const Requests::Request& asked) {
        const Variable& variable = variables[asked.variable];
        return variable.kind == Kind::bag && !variable.timed && variable.form != Form::interned;
    });
}

/// Which tokens are held in a stored state, and how many: it decides how a bag that has outgrown its field is to lie.
void Schema::inspect(const Word* state) {
    std::vector<Id> held;
    for (const Requests::Request& asked : requests) {
        Variable& variable = variables[asked.variable];
        if (variable.kind != Kind::bag || variable.timed || variable.form == Form::interned) continue;
        contents_of(static_cast<std::uint32_t>(asked.variable), state, held);
        const auto [size, most] = measured(variable.kind, held);
        variable.slots = std::max(variable.slots, size);
        variable.most = std::max(variable.most, most);
        for (std::size_t i = 0; i < held.size(); i += 2) variable.cells.add(held[i]);
    }
}

/// For the variables that have outgrown their fields. Those that span words take their bits from a common allowance: states of
/// very many bags are smaller with numbers of contents.
void Schema::choose_forms() {
    std::uint64_t spanned = 0;
    for (std::size_t i = 0; i < variables.size(); ++i)
        if (layout.fields[i].spans()) spanned += 64 * layout.fields[i].words();
    for (const Requests::Request& asked : requests) {
        Variable& variable = variables[asked.variable];
        if (variable.kind == Kind::scalar) continue;
        variable.outgrown = true;
        variable.cells.sort();
        variable.slots = std::max(variable.slots, asked.slots);
        const bool inspected = variable.kind == Kind::bag && !variable.timed;
        if (!inspected && variable.form == Form::slots)
            variable.slots = std::max<std::uint64_t>(variable.slots, layout.fields[asked.variable].slots);
        if (layout.fields[asked.variable].spans()) spanned -= 64 * layout.fields[asked.variable].words();
        const bool was_interned = variable.form == Form::interned;
        variable.form = form_for(variable, variable.slots, most_spanned_bits - std::min<std::uint64_t>(spanned, most_spanned_bits));
        const std::uint64_t bits = variable.form == Form::interned ? 0 : bits_in(variable.form, variable, variable.slots);
        if (bits > 64) spanned += bits;
        if (variable.form == Form::interned && !was_interned) interning.push_back(asked.variable);
    }
}

void Schema::lay_out() {
    layout = Layout::pack(extents());
    for (Variable& variable : variables) variable.outgrown = false;
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
            const Id id = interned[i].intern(part);
            ask_values(i, std::uint64_t{id} + 1, requests);
            field.store(state, id & low_bits(field.bits()));
        } else if (fits(i, part)) {
            write_contents(variable, field, part, state);
        }
    }
}

/// Whether a field of slots or counts has room for contents; if not, it is asked for.
bool Schema::fits(std::size_t index, const std::vector<Id>& part) {
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    if (variable.form == Form::slots) {
        const std::uint64_t size = measured(variable.kind, part).size;
        if (size <= field.slots && (size == 0 || field.bits())) return true;
        requests.ask_slots(index, std::min<std::uint64_t>(size, most_spanned_bits + 1));
        return false;
    }
    bool fits = true;
    for (std::size_t i = 0; i < part.size(); i += 2) {
        const std::uint32_t cell = variable.cells.of(part[i]);
        if (cell < field.slots && part[i + 1] <= low_bits(field.bits())) continue;
        requests.ask_count(index, part[i], part[i + 1]);
        fits = false;
    }
    if (!fits) requests.ask_slots(index, std::min<std::uint64_t>(measured(variable.kind, part).size, most_spanned_bits + 1));
    return fits;
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

Transfer::Transfer(Schema& schema) : schema_(&schema), from_(schema.layout), were_(schema.forms()) {
    for (const Requests::Request& asked : schema.requests) dealt_.emplace(asked.variable, schema.variables[asked.variable].cells);
}

/// Whether contents are to be interned that were not before.
bool Transfer::interns() const { return schema_->forms() != were_; }

/// The contents of a bag or queue in an old state.
void Transfer::read(std::size_t i, const Word* old) {
    const auto dealt = dealt_.find(i);
    const Cells& cells = dealt == dealt_.end() ? schema_->variables[i].cells : dealt->second;
    read_contents({schema_->variables[i].kind, were_[i], from_.fields[i], cells, schema_->interned[i]}, old, scratch_);
}

void Transfer::absorb(const Word* old) {
    for (std::size_t i = 0; i < were_.size(); ++i) {
        if (schema_->variables[i].form != Form::interned || were_[i] == Form::interned) continue;
        read(i, old);
        schema_->interned[i].intern(scratch_);
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
        if (variable.kind == Kind::scalar || were_[i] == Form::interned) {
            target.store(state, source.load(old));
            continue;
        }
        const bool dealt_anew = variable.form == Form::counts && dealt_.contains(i);
        if (were_[i] == variable.form && !source.spans() && !target.spans() && !dealt_anew) {
            const int bits = source.bits();
            if (bits == target.bits()) {
                target.store(state, source.load(old));
                continue;
            }
            Word moved = 0;
            int at = 0;
            for (Word rest = source.load(old); rest; rest >>= bits, at += target.bits()) moved |= (rest & low_bits(bits)) << at;
            target.store(state, moved);
            continue;
        }
        read(i, old);
        if (variable.form == Form::interned)
            target.store(state, schema_->interned[i].intern(scratch_));
        else
            write_contents(variable, target, scratch_, state);
    }
}

}  // namespace sweep
