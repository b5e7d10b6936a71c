// What is done to bags and queues in a packed state, where it is not a masked assignment.
#include <algorithm>

#include "sweep/state/forms.hpp"
#include "sweep/state/schema.hpp"
#include "sweep/state/spanned.hpp"

namespace sweep {

namespace {

/// Apply one operation to the contents of a bag (pairs, tokens descending) or of a queue (elements).
void change_contents(Kind kind, const Op& op, std::vector<Id>& contents) {
    if (op.what == Op::Do::clear) {
        contents.clear();
    } else if (kind == Kind::queue) {
        if (op.what == Op::Do::put)
            contents.push_back(op.id);
        else
            contents.erase(contents.begin());
    } else {
        std::size_t at = 0;
        while (at < contents.size() && contents[at] > op.id) at += 2;
        const bool there = at < contents.size() && contents[at] == op.id;
        const auto place = contents.begin() + static_cast<std::ptrdiff_t>(at);
        if (op.what == Op::Do::add) {
            std::uint64_t size = op.count;
            for (std::size_t i = 1; i < contents.size(); i += 2) size += contents[i];
            if (size > most_tokens) throw TooManyTokens(op.field);
            if (there)
                contents[at + 1] += op.count;
            else
                contents.insert(place, {op.id, op.count});
        } else if (there && contents[at + 1] > op.count) {
            contents[at + 1] -= op.count;
        } else if (there) {
            contents.erase(place, place + 2);
        }
    }
}

}  // namespace

bool Schema::change(const Op& asked, Word* next, Additions& additions) const {
    if (asked.what == Op::Do::shift) return shift(asked, next, additions);
    Op op = asked;
    if (op.what == Op::Do::include || op.what == Op::Do::exclude) {
        const bool includes = op.what == Op::Do::include;
        if ((count_of(op.field, op.id, next) != 0) == includes) return true;
        op.what = includes ? Op::Do::add : Op::Do::remove;
    }
    if (op.what == Op::Do::remove && variables[op.field].timed) op.id = youngest_ready(op.field, op.id, next);
    if (variables[op.field].form == Form::interned) return change_interned(op, next, additions);
    if (variables[op.field].form == Form::counts) return change_count(op, next, additions);
    const Field& field = layout.fields[op.field];
    if (field.spans()) return change_spanning(op, next, additions);
    const int bits = field.bits(), room = field.slots * bits;
    const Word one = low_bits(bits);
    Word raw = field.load(next);
    if (op.what == Op::Do::clear) {
        raw = 0;
    } else if (op.what == Op::Do::get) {
        raw >>= bits;
    } else {
        for (std::uint32_t n = 0; n < op.count; ++n) {
            const int size = occupied(raw, bits);
            if (op.what != Op::Do::remove && (size >= field.slots || bits == 0)) {
                ask_room(op, static_cast<std::uint64_t>(size), op.count - n, additions.requests);
                return false;
            }
            int at = 0;
            if (op.what == Op::Do::put)
                at = size * bits;
            else
                while (at < room && ((raw >> at) & one) > op.id) at += bits;
            const Word below = raw & low_bits(at), above = raw >> at;
            raw = op.what == Op::Do::remove ? below | ((above >> bits) << at) : below | (Word{op.id} << at) | (above << (at + bits));
        }
    }
    field.store(next, raw);
    return true;
}

bool Schema::shift(const Op& op, Word* next, Additions& additions) const {
    const Field& field = layout.fields[op.field];
    const std::int64_t number = number_of(op.field, next) + static_cast<std::int32_t>(op.id);
    const Id id = numbers[static_cast<std::size_t>(variables[op.field].numbers)].find(number);
    if (id == Numbers::no_id) additions.requests.ask_number(op.field, number);
    if (id > low_bits(field.bits())) return false;  // just met, or not at all: it has been asked for
    field.store(next, id);
    return true;
}

/// An operation that adds outgrew its field: of slots, so many are taken and so many more needed.
void Schema::ask_room(const Op& op, std::uint64_t size, std::uint64_t more, Requests& asked) const {
    asked.ask_slots(op.field, std::min<std::uint64_t>(size + more, most_spanned_bits + 1));
}

bool Schema::change_count(const Op& op, Word* next, Additions& additions) const {
    const Field& field = layout.fields[op.field];
    if (op.what == Op::Do::clear) {
        for (std::size_t i = 0; i < field.words(); ++i) next[field.low.word + i] &= ~field.mask_of(i);
        if (field.high.width) field.store(next, 0);
        return true;
    }
    const std::uint32_t cell = variables[op.field].cells.of(op.id);
    const Word before = cell < field.slots ? field.cell(next, cell) : 0;
    if (op.what == Op::Do::remove) {
        field.set_cell(next, cell, before - op.count);
        return true;
    }
    const std::uint64_t size = size_of(op.field, next) + std::uint64_t{op.count};
    if (size > most_tokens) throw TooManyTokens(op.field);
    if (cell >= field.slots || before + op.count > low_bits(field.bits())) {
        additions.requests.ask_count(op.field, op.id, static_cast<Id>(before + op.count));
        ask_room(op, size, 0, additions.requests);
        return false;
    }
    field.set_cell(next, cell, before + op.count);
    return true;
}

bool Schema::change_spanning(const Op& op, Word* next, Additions& additions) const {
    const Field& field = layout.fields[op.field];
    const Spanned slots(field);
    if (op.what == Op::Do::clear) {
        slots.clear(next);
    } else if (op.what == Op::Do::get) {
        slots.remove(next, {});
    } else if (op.what == Op::Do::remove) {
        const Spanned::Place place = slots.place(next, op.id);
        for (std::uint32_t n = 0; n < op.count; ++n) slots.remove(next, place);
    } else {
        if (op.count != 1 || slots.full(next)) {
            const std::uint64_t size = occupied(field, next) + std::uint64_t{op.count};
            if (size > most_tokens && op.what == Op::Do::add) throw TooManyTokens(op.field);
            if (size > field.slots) {
                ask_room(op, size, 0, additions.requests);
                return false;
            }
        }
        const Spanned::Place place = slots.place(next, op.what == Op::Do::put ? 0 : op.id);  // queues go on at the end
        for (std::uint32_t n = 0; n < op.count; ++n) slots.insert(next, place, op.id);
    }
    return true;
}

bool Schema::repeat_members(std::uint16_t word, Word there, Additions& additions) const {
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Field& field = layout.fields[i];
        if (variables[i].form != Form::counts || field.bits() != 1) continue;
        if (word < field.low.word || word >= field.low.word + field.words()) continue;
        const Word here = there & field.mask_of(word - field.low.word);
        if (!here) continue;
        const std::uint32_t cell = static_cast<std::uint32_t>((word - field.low.word) * field.per_word) +
                                   static_cast<std::uint32_t>(__builtin_ctzll(here) - field.low.shift);
        additions.requests.ask_count(i, variables[i].cells.token(cell), 2);
    }
    return false;
}

bool Schema::change_interned(const Op& op, Word* next, Additions& additions) const {
    const Field& field = layout.fields[op.field];
    Contents& contents = additions.interned[op.field];
    const Id before = static_cast<Id>(field.load(next));
    // Adding and taking single tokens is remembered: bags of hundreds of tokens are not rebuilt for each successor.
    const bool one = op.count == 1 && (op.what == Op::Do::add || op.what == Op::Do::remove) && op.id < (1u << 31);
    const std::uint32_t operation = op.id << 1 | (op.what == Op::Do::add);
    const std::optional<Id> known = one ? contents.step(before, operation) : std::nullopt;
    Id id = known.value_or(0);
    if (!known) {
        const Contents::Sequence sequence = contents[before];
        additions.scratch.assign(sequence.begin(), sequence.end());
        change_contents(variables[op.field].kind, op, additions.scratch);
        if (additions.reads_only) {
            const std::optional<Id> met = contents.find(additions.scratch);
            additions.unmet |= !met;
            if (!met) return false;
            id = *met;
        } else {
            id = contents.intern(additions.scratch);
            if (one) contents.remember(before, operation, id);
            additions.requests.crowded |= contents.crowded();
        }
    }
    ask_values(op.field, std::uint64_t{id} + 1, additions.requests);
    if (id > low_bits(field.bits())) return false;
    field.store(next, id);
    return true;
}

bool Schema::replace(std::uint32_t bag, const std::vector<std::pair<Id, Id>>& held, Word* state, Additions& additions) const {
    const Field& field = layout.fields[bag];
    const Variable& variable = variables[bag];
    std::vector<Id>& contents = additions.scratch;
    contents.clear();
    for (const auto& [token, count] : held) contents.insert(contents.end(), {token, count});
    if (variable.form == Form::interned) {
        const Id id = additions.interned[bag].intern(contents);
        additions.requests.crowded |= additions.interned[bag].crowded();
        ask_values(bag, std::uint64_t{id} + 1, additions.requests);
        if (id > low_bits(field.bits())) return false;
        field.store(state, id);
        return true;
    }
    for (const auto& [token, count] : held)
        if (token > low_bits(field.bits())) return false;  // a token just met: more bits have been asked for
    write_contents(variable, field, contents, state);
    return true;
}

}  // namespace sweep
