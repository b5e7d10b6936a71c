// What can be asked of a packed state.
#include "sweep/state/forms.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

std::uint32_t Schema::size_of(std::uint32_t index, const Word* state) const {
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    const Word raw = field.load(state);
    if (variable.form == Form::set) return static_cast<std::uint32_t>(__builtin_popcountll(raw));
    if (variable.form == Form::slots) return static_cast<std::uint32_t>(occupied(raw, field.bits()));
    const std::vector<Id>& interned = contents[index][static_cast<Id>(raw)];
    if (variable.kind == Kind::queue) return static_cast<std::uint32_t>(interned.size());
    std::uint32_t size = 0;
    for (std::size_t i = 1; i < interned.size(); i += 2) size += interned[i];
    return size;
}

void Schema::tokens_of(std::uint32_t index, const Word* state, TokenCounts& held) const {
    held.clear();
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    Word raw = field.load(state);
    if (variable.form == Form::interned) {
        const std::vector<Id>& interned = contents[index][static_cast<Id>(raw)];
        for (std::size_t i = 0; i < interned.size(); i += 2) held.push(interned[i], interned[i + 1]);
        return;
    }
    if (variable.form == Form::set) {
        for (; raw; raw ^= member(highest_member(raw))) held.push(highest_member(raw), 1);
        return;
    }
    const int bits = field.bits();
    for (Id count = 1; raw; ++count) {  // equal tokens lie side by side
        const Id token = static_cast<Id>(raw & low_bits(bits));
        raw >>= bits;
        if ((raw & low_bits(bits)) == token) continue;
        held.push(token, count);
        count = 0;
    }
}

void Schema::available(std::uint32_t index, const Word* state, TokenCounts& held) const {
    const Variable& variable = variables[index];
    if (!variable.timed) {
        tokens_of(index, state, held);
        return;
    }
    TokenCounts tokens;
    tokens_of(index, state, tokens);
    held.clear();
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (variable.stamps.wait(tokens.token(i)) <= 0) held.add(variable.stamps.kind(tokens.token(i)), tokens.count(i));
}

/// Of several tokens of a kind that are ready the one with the latest stamp leaves, as timed coloured nets have it.
Id Schema::youngest_ready(std::uint32_t index, Id kind, const Word* state) const {
    const Stamps& stamps = variables[index].stamps;
    TokenCounts held;
    tokens_of(index, state, held);
    Id found = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
        const Id token = held.token(i);
        if (stamps.kind(token) == kind && stamps.wait(token) <= 0 && (!found || stamps.wait(token) > stamps.wait(found))) found = token;
    }
    return found;
}

std::optional<std::int64_t> Schema::next_ready(const Word* state) const {
    std::optional<std::int64_t> least;
    TokenCounts held;
    for (const std::uint32_t bag : timed) {
        tokens_of(bag, state, held);
        for (std::size_t i = 0; i < held.size(); ++i) {
            const std::int64_t wait = variables[bag].stamps.wait(held.token(i));
            if (wait > 0 && (!least || wait < *least)) least = wait;
        }
    }
    return least;
}

std::uint32_t Schema::count_of(std::uint32_t index, Id token, const Word* state) const {
    const Variable& variable = variables[index];
    if (variable.timed) {
        TokenCounts held;
        available(index, state, held);
        for (std::size_t i = 0; i < held.size(); ++i)
            if (held.token(i) == token) return held.count(i);
        return 0;
    }
    const Field& field = layout.fields[index];
    const Word raw = field.load(state);
    if (variable.form == Form::set) return token && token <= field.slots ? (raw >> (token - 1)) & 1 : 0;
    std::uint32_t count = 0;
    if (variable.form == Form::interned) {
        const std::vector<Id>& interned = contents[index][static_cast<Id>(raw)];
        for (std::size_t i = 0; i < interned.size(); i += 2)
            if (interned[i] == token) return interned[i + 1];
        return 0;
    }
    const int bits = field.bits();
    for (Word rest = raw; rest; rest >>= bits) count += (rest & low_bits(bits)) == token;
    return count;
}

std::uint32_t Schema::element_of(std::uint32_t index, std::uint32_t position, const Word* state) const {
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    const Word raw = field.load(state);
    if (variable.form == Form::interned) {
        const std::vector<Id>& interned = contents[index][static_cast<Id>(raw)];
        return position < interned.size() ? interned[position] : 0;
    }
    const int bits = field.bits();
    return position < field.slots ? static_cast<std::uint32_t>((raw >> (static_cast<int>(position) * bits)) & low_bits(bits)) : 0;
}

void Schema::contents_of(std::uint32_t index, const Word* state, std::vector<Id>& sequence) const {
    const Field& field = layout.fields[index];
    packed_to_contents(variables[index], contents[index], variables[index].form, field.load(state), field.bits(), sequence);
}

std::optional<Id> Schema::whole_of(std::uint32_t index, const Word* state) const {
    if (variables[index].form == Form::interned) return static_cast<Id>(layout.fields[index].load(state));
    std::vector<Id> sequence;
    contents_of(index, state, sequence);
    return contents[index].find(sequence);
}

}  // namespace sweep
