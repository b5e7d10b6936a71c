#include "sweep/state/schema.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

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

namespace {

/// How many slots are worth leaving room for: those that were declared; twice as many as are needed, or as many as are usual
/// among the bags and queues that have grown.
int wished_slots(const Variable& variable, int usual) {
    if (variable.kind == Kind::bag && !variable.repeated && !variable.timed) return 0;  // it may become a set
    const int most = std::min(most_slots, most_inline_bits / std::max(bits_for(variable.values), 1));
    return std::min(variable.capacity ? variable.capacity : std::max(2 * variable.slots, usual), most);
}

}  // namespace

std::vector<Extent> Schema::extents() const {
    std::vector<Extent> result(variables.size());
    int grown = 0, slots = 0;  // bags and queues that have held several tokens, and how many slots these have
    for (const Variable& variable : variables) {
        if (variable.kind == Kind::scalar || variable.form != Form::slots || variable.slots == 1) continue;
        ++grown;
        slots += variable.slots;
    }
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& variable = variables[i];
        const int tokens = static_cast<int>(variable.values - 1);
        if (variable.form == Form::interned)
            result[i] = {std::max<std::uint64_t>(contents[i].size(), 1), 1};
        else if (variable.form == Form::set)
            result[i] = {2, std::min((tokens + 3) / 4 * 4, most_inline_bits)};
        else if (variable.kind == Kind::scalar)
            result[i] = {variable.values, 1};
        else
            result[i] = {variable.values, variable.slots, wished_slots(variable, grown ? slots / grown : 1)};
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

/// Give what was asked for without moving anything; false when that cannot be.
bool Schema::widen() {
    for (const Requests::Request& asked : requests) {
        const Variable& variable = variables[asked.variable];
        const bool more_bits = variable.form != Form::set && form_for(variable, variable.slots) == variable.form;
        if (asked.slots > layout.fields[asked.variable].slots || !more_bits) return false;
        const std::uint64_t values = variable.form == Form::interned ? contents[asked.variable].size() : variable.values;
        if (!layout.widen(asked.variable, std::max(asked.values, values))) return false;
    }
    requests.clear();
    return true;
}

bool Schema::has_spare_slots() const {
    for (std::size_t i = 0; i < variables.size(); ++i)
        if (variables[i].form == Form::slots && layout.fields[i].slots > variables[i].slots) return true;
    return false;
}

/// Spare slots may be in use. `all` has every bit that some state has, and slots are filled from the lowest.
void Schema::note_slots(const Word* all) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Field& field = layout.fields[i];
        if (variables[i].form == Form::slots && field.slots > variables[i].slots)
            variables[i].slots = std::max(variables[i].slots, occupied(field.load(all), field.bits()));
    }
}

/// Note what was asked for, to be given by the next layout.
void Schema::grant() {
    for (const Requests::Request& asked : requests) {
        Variable& variable = variables[asked.variable];
        variable.slots = std::max(variable.slots, asked.slots);
        variable.form = form_for(variable, variable.slots);
    }
    requests.clear();
}

/// Intern the contents of bags and queues that have outgrown their states.
void Schema::absorb(const std::vector<Form>& were, const Word* state) {
    std::vector<Id> held;
    for (std::size_t i = 0; i < were.size(); ++i) {
        if (variables[i].form != Form::interned || were[i] == Form::interned) continue;
        packed_to_contents(variables[i], contents[i], were[i], layout.fields[i].load(state), layout.fields[i].bits(), held);
        contents[i].intern(held);
    }
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

Transfer::Transfer(Schema& schema, Layout from, std::vector<Form> were) : schema_(&schema), from_(std::move(from)), were_(std::move(were)) {
    std::map<std::tuple<std::uint16_t, std::uint16_t, int>, Word> masks;  // by words and distance: most fields stay side by side
    for (std::size_t i = 0; i < were_.size(); ++i) {
        if (schema.variables[i].form != were_[i]) {
            reformed_.push_back(i);
            continue;
        }
        const Field &source = from_.fields[i], &target = schema.layout.fields[i];
        for (int slot = 0; slot < std::min(source.slots, target.slots); ++slot)
            for (int bit = 0; bit < std::min(source.bits(), target.bits()); ++bit) {
                const auto [word, place] = source.place_of(slot, bit);
                const auto [new_word, new_place] = target.place_of(slot, bit);
                masks[{word, new_word, (new_place - place + 64) % 64}] |= Word{1} << place;
            }
    }
    for (const auto& [move, mask] : masks) moves_.push_back({std::get<0>(move), std::get<1>(move), std::get<2>(move), mask});
}

void Transfer::operator()(const Word* old, Word* now) {
    std::fill(now, now + words(), 0);
    now[0] = 1;
    for (const Move& move : moves_) now[move.to] |= std::rotl(old[move.from] & move.mask, move.distance);
    for (const std::size_t variable : reformed_) reform(variable, old, now);
}

void Transfer::reform(std::size_t index, const Word* old, Word* now) {
    const Variable& variable = schema_->variables[index];
    const Field &source = from_.fields[index], &target = schema_->layout.fields[index];
    Contents& contents = schema_->contents[index];
    packed_to_contents(variable, contents, were_[index], source.load(old), source.bits(), scratch_);
    target.store(now, variable.form == Form::interned ? contents.intern(scratch_)
                                                      : contents_to_packed(variable.kind, variable.form, scratch_, target.bits()));
}

}  // namespace sweep
