// What is done to bags and queues in a packed state, where it is not a masked assignment.
#include <algorithm>

#include "sweep/state/forms.hpp"
#include "sweep/state/schema.hpp"

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
    if (op.what == Op::Do::remove && variables[op.field].timed) op.id = youngest_ready(op.field, op.id, next);
    if (variables[op.field].form == Form::interned) return change_interned(op, next, additions);
    if (variables[op.field].form == Form::set) return change_set(op, next, additions);
    const Field& field = layout.fields[op.field];
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
                const bool repeated = op.what == Op::Do::add && (op.count > 1 || count_of(op.field, op.id, next));
                const int more = static_cast<int>(std::min<std::uint32_t>(op.count - n, most_slots + 1));
                additions.requests.ask_slots(op.field, size + more, repeated);
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

bool Schema::change_set(const Op& op, Word* next, Additions& additions) const {
    const Field& field = layout.fields[op.field];
    const Word raw = field.load(next);
    if (op.what == Op::Do::clear) {
        field.store(next, 0);
        return true;
    }
    if (op.id > field.slots) {  // a token just met
        ask_values(op.field, variables[op.field].values, additions.requests);
        return false;
    }
    if (op.what == Op::Do::add && (op.count > 1 || (raw & member(op.id)))) {
        const int more = static_cast<int>(std::min<std::uint32_t>(op.count, most_slots + 1));
        additions.requests.ask_slots(op.field, __builtin_popcountll(raw) + more, true);
        return false;
    }
    field.store(next, op.what == Op::Do::add ? raw | member(op.id) : raw & ~member(op.id));
    return true;
}

bool Schema::repeat_members(std::uint16_t word, Word there, Additions& additions) const {
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Field& field = layout.fields[i];
        if (variables[i].form != Form::set || field.low.word != word || !((there >> field.low.shift) & low_bits(field.slots))) continue;
        additions.requests.ask_slots(i, 2, true);
    }
    return false;
}

bool Schema::change_interned(const Op& op, Word* next, Additions& additions) const {
    const Field& field = layout.fields[op.field];
    Contents& interned = additions.contents[op.field];
    const Id before = static_cast<Id>(field.load(next));
    // Adding and taking single tokens is remembered: bags of hundreds of tokens are not rebuilt for each successor.
    const bool one = op.count == 1 && (op.what == Op::Do::add || op.what == Op::Do::remove) && op.id < (1u << 31);
    const std::uint32_t operation = op.id << 1 | (op.what == Op::Do::add);
    const std::optional<Id> known = one ? interned.step(before, operation) : std::nullopt;
    Id id = known.value_or(0);
    if (!known) {
        additions.scratch = interned[before];
        change_contents(variables[op.field].kind, op, additions.scratch);
        id = interned.intern(additions.scratch);
        if (one) interned.remember(before, operation, id);
    }
    ask_values(op.field, std::uint64_t{id} + 1, additions.requests);
    if (id > low_bits(field.bits())) return false;
    field.store(next, id);
    return true;
}

bool Schema::replace(std::uint32_t bag, const std::vector<std::pair<Id, Id>>& held, Word* state, Additions& additions) const {
    const Field& field = layout.fields[bag];
    if (variables[bag].form == Form::interned) {
        additions.scratch.clear();
        for (const auto& [token, count] : held) additions.scratch.insert(additions.scratch.end(), {token, count});
        const Id id = additions.contents[bag].intern(additions.scratch);
        ask_values(bag, std::uint64_t{id} + 1, additions.requests);
        if (id > low_bits(field.bits())) return false;
        field.store(state, id);
        return true;
    }
    Word raw = 0;
    int at = 0;
    for (const auto& [token, count] : held) {
        if (token > low_bits(field.bits())) return false;  // a token just met: more bits have been asked for
        for (Id n = 0; n < count; ++n, at += field.bits()) raw |= Word{token} << at;
    }
    field.store(state, raw);
    return true;
}

}  // namespace sweep
