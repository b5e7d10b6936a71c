#include "sweep/state/schema.hpp"

#include <algorithm>
#include <cstring>

namespace sweep {

namespace {

constexpr int most_slots = 16;
constexpr int small_set = 16;  // bits: a set of so few is made early, when few states have to be rewritten for it

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

/// The contents of a packed bag or queue.
void packed_to_contents(const Variable& variable, Form form, Word raw, int bits, std::vector<Id>& contents) {
    const Kind kind = variable.kind;
    contents.clear();
    if (form == Form::interned) {
        contents = variable.contents[static_cast<Id>(raw)];
        return;
    }
    if (form == Form::set) {
        for (; raw; raw ^= member(highest_member(raw))) contents.insert(contents.end(), {highest_member(raw), 1});
        return;
    }
    for (; raw; raw >>= bits) {
        const Id id = static_cast<Id>(raw & low_bits(bits));
        if (kind == Kind::queue)
            contents.push_back(id);
        else if (!contents.empty() && contents[contents.size() - 2] == id)
            ++contents.back();
        else
            contents.insert(contents.end(), {id, 1});
    }
}

/// A bag or queue that lies in the state, from its contents.
Word contents_to_packed(Kind kind, Form form, const std::vector<Id>& contents, int bits) {
    const bool bag = kind == Kind::bag;
    Word raw = 0;
    int at = 0;
    for (std::size_t j = 0; j < contents.size(); j += bag ? 2 : 1) {
        if (form == Form::set)
            raw |= member(contents[j]);
        else
            for (Id n = 0; n < (bag ? contents[j + 1] : 1); ++n, at += bits) raw |= Word{contents[j]} << at;
    }
    return raw;
}

/// How many tokens or elements contents have, and whether one of them is there twice.
std::pair<std::uint64_t, bool> measured(Kind kind, const std::vector<Id>& contents) {
    if (kind != Kind::bag) return {contents.size(), false};
    std::uint64_t size = 0;
    bool repeated = false;
    for (std::size_t j = 1; j < contents.size(); j += 2) {
        size += contents[j];
        repeated |= contents[j] > 1;
    }
    return {size, repeated};
}

/// Bags of many different tokens take fewest bits as sets, as long as no token is there twice; sets are faster, too.
Form form_for(const Variable& variable, int slots) {
    if (variable.kind == Kind::scalar || variable.form == Form::interned) return variable.form;
    const int bits = slots * bits_for(variable.values);
    const std::uint64_t most_members = static_cast<std::uint64_t>(std::clamp(bits, small_set, most_inline_bits));
    const bool may_be_set = variable.kind == Kind::bag && !variable.timed && !variable.repeated;
    if (may_be_set && slots > 1 && variable.values <= most_members + 1) return Form::set;
    return slots > most_slots || bits > most_inline_bits ? Form::interned : Form::slots;
}

}  // namespace

std::vector<Extent> Model::extents() const {
    std::vector<Extent> result(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& variable = variables[i];
        const int tokens = static_cast<int>(variable.values - 1);
        if (variable.form == Form::interned)
            result[i] = {std::max<std::uint64_t>(variable.contents.size(), 1), 1};
        else if (variable.form == Form::set)
            result[i] = {2, std::min((tokens + 3) / 4 * 4, most_inline_bits)};
        else
            result[i] = {variable.values, variable.kind == Kind::scalar ? 1 : variable.slots};
    }
    return result;
}

void Model::set_values(std::size_t index, std::uint64_t values) {
    Variable& variable = variables[index];
    width += static_cast<std::uint64_t>(bits_for(values) - bits_for(variable.values));
    variable.values = values;
    if (variable.form != Form::interned && index < layout.fields.size()) ask_values(index, values);
}

void Model::ask_values(std::size_t variable, std::uint64_t values) {
    const Field& field = layout.fields[variable];
    const bool fits = variables[variable].form == Form::set ? values - 1 <= field.slots : bits_for(values) <= field.bits();
    if (!fits) ask(variable, values, 0);
}

void Model::ask_slots(std::size_t variable, int slots) { ask(variable, 0, slots); }

void Model::ask(std::size_t variable, std::uint64_t values, int slots) {
    for (Pending& asked : pending_)
        if (asked.variable == variable) {
            asked.values = std::max(asked.values, values);
            asked.slots = std::max(asked.slots, slots);
            return;
        }
    pending_.push_back({variable, values, slots});
}

bool Model::must_inspect() const {
    return std::any_of(pending_.begin(), pending_.end(), [&](const Pending& asked) {
        const Variable& variable = variables[asked.variable];
        return variable.form == Form::set || form_for(variable, std::max(asked.slots, variable.slots)) == Form::set;
    });
}

void Model::inspect(const Word* state) {
    for (const Pending& asked : pending_) {
        Variable& variable = variables[asked.variable];
        if (variable.kind != Kind::bag || variable.form == Form::interned) continue;
        contents_of(static_cast<std::uint32_t>(asked.variable), state, scratch_);
        const auto [size, repeated] = measured(variable.kind, scratch_);
        variable.slots = std::max(variable.slots, static_cast<int>(size));
        variable.repeated |= repeated;
    }
}

bool Model::grow(bool prefer_in_place) {
    bool in_place = prefer_in_place;
    for (const Pending& asked : pending_) {
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
    pending_.clear();
    return in_place;
}

std::vector<Form> Model::forms() const {
    std::vector<Form> result(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) result[i] = variables[i].form;
    return result;
}

std::uint32_t Model::add_leaf(const std::vector<Op>& ops, const std::vector<Event>& path) {
    recorded_.push_back({static_cast<std::uint32_t>(ops_.size()), static_cast<std::uint32_t>(ops.size())});
    for (Op op : ops) {
        op.observed =
            std::any_of(path.begin(), path.end(), [&](const Event& event) { return event.ask == Ask::value && event.field == op.field; });
        ops_.push_back(op);
    }
    leaves.emplace_back();
    compile(static_cast<std::uint32_t>(leaves.size() - 1));
    return static_cast<std::uint32_t>(leaves.size() - 1);
}

bool Model::recorded_as(std::uint32_t leaf, const std::vector<Op>& ops) const {
    const Recorded recorded = recorded_[leaf];
    const auto first = ops_.begin() + recorded.first_op;
    return std::equal(first, first + recorded.ops, ops.begin(), ops.end(), [](const Op& one, const Op& other) {
        return one.what == other.what && one.field == other.field && one.id == other.id && one.count == other.count;
    });
}

void Model::compile_leaves() {
    sets_.clear();
    changes_.clear();
    for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf) compile(leaf);
}

void Model::compile(std::uint32_t index) {
    Leaf& leaf = leaves[index];
    const Recorded recorded = recorded_[index];
    leaf.first_set = static_cast<std::uint32_t>(sets_.size());
    leaf.first_change = static_cast<std::uint32_t>(changes_.size());
    leaf.moves_progress = false;
    leaf.moves_evenly = even_measure;
    leaf.from = ~0u;
    leaf.set = {};
    const auto set_bits = [&](const Piece& piece, Word value) {
        if (piece.width == 0) return;
        const Word mask = low_bits(piece.width) << piece.shift;
        if (leaf.set.word == piece.word || leaf.set.keep == ~Word{0}) {
            leaf.set = {piece.word, leaf.set.keep & ~mask, (leaf.set.bits & ~mask) | (value << piece.shift)};
            return;
        }
        for (std::size_t i = leaf.first_set; i < sets_.size(); ++i)
            if (sets_[i].word == piece.word) {
                sets_[i].keep &= ~mask;
                sets_[i].bits = (sets_[i].bits & ~mask) | (value << piece.shift);
                return;
            }
        sets_.push_back({piece.word, ~mask, value << piece.shift});
    };
    for (std::uint32_t i = 0; i < recorded.ops; ++i) {
        const Op op = ops_[recorded.first_op + i];
        if (watched.empty() || watched[op.field]) {
            leaf.moves_progress = true;
            leaf.moves_evenly &= op.observed;
        }
        if (op.what == Op::Do::set) {
            const Field& field = layout.fields[op.field];
            set_bits(field.low, op.id & low_bits(field.low.width));
            set_bits(field.high, field.high.width ? Word{op.id} >> field.low.width : 0);
        } else {
            Change change{op};
            const Field& field = layout.fields[op.field];
            const Form form = variables[op.field].form;
            const bool by_kind = op.what == Op::Do::remove && variables[op.field].timed;
            if (form == Form::set && op.what != Op::Do::clear && op.count == 1 && op.id <= field.slots) {
                const Word bit = member(op.id) << field.low.shift;
                const bool adds = op.what == Op::Do::add;
                // One change does it together with those before, but for the token taken first, which others take out.
                Change* before = changes_.size() > leaf.first_change ? &changes_.back() : nullptr;
                const bool taken = changes_.size() == leaf.first_change + 1u && before && before->removed;
                if (before && !taken && before->members && before->word == field.low.word && !(before->mask & bit)) {
                    (adds ? before->mask : before->removed) |= bit;
                    continue;
                }
                change.members = true;
                change.word = field.low.word;
                (adds ? change.mask : change.removed) = bit;
            } else if (form == Form::slots && field.high.width == 0 && field.low.width && !by_kind) {
                change.word = field.low.word;
                change.shift = field.low.shift;
                change.bits = field.low.width;
                change.last = static_cast<std::uint8_t>(field.low.width * (field.slots - 1));
                change.mask = low_bits(field.low.width * field.slots);
            }
            changes_.push_back(change);
        }
    }
    leaf.sets = static_cast<std::uint32_t>(sets_.size()) - leaf.first_set;
    leaf.changes = static_cast<std::uint32_t>(changes_.size()) - leaf.first_change;
    leaf.removed_from = ~0u;
    if (leaf.changes && changes_[leaf.first_change].op.what == Op::Do::remove) {
        leaf.removed_from = changes_[leaf.first_change].op.field;
        leaf.removed = changes_[leaf.first_change].op.id;
    }
}

void Model::forget_leaves_from(std::size_t first) {
    if (first >= leaves.size()) return;
    ops_.resize(recorded_[first].first_op);
    recorded_.resize(first);
    sets_.resize(leaves[first].first_set);
    changes_.resize(leaves[first].first_change);
    leaves.resize(first);
}

bool Model::change_pieces(const Op& asked, Word* next) {
    Op op = asked;
    if (op.what == Op::Do::remove && variables[op.field].timed) op.id = youngest_ready(op.field, op.id, next);
    if (variables[op.field].form == Form::interned) return change_interned(op, next);
    if (variables[op.field].form == Form::set) return change_set(op, next);
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
                if (op.what == Op::Do::add) variables[op.field].repeated |= op.count > 1 || count_of(op.field, op.id, next);
                ask_slots(op.field, size + static_cast<int>(std::min<std::uint32_t>(op.count - n, most_slots + 1)));
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

bool Model::change_set(const Op& op, Word* next) {
    const Field& field = layout.fields[op.field];
    const Word raw = field.load(next);
    if (op.what == Op::Do::clear) {
        field.store(next, 0);
        return true;
    }
    if (op.id > field.slots) {  // a token just met
        ask_values(op.field, variables[op.field].values);
        return false;
    }
    if (op.what == Op::Do::add && (op.count > 1 || (raw & member(op.id)))) {
        variables[op.field].repeated = true;
        ask_slots(op.field, __builtin_popcountll(raw) + static_cast<int>(std::min<std::uint32_t>(op.count, most_slots + 1)));
        return false;
    }
    field.store(next, op.what == Op::Do::add ? raw | member(op.id) : raw & ~member(op.id));
    return true;
}

/// Tokens that are to come are there already: their bags are no longer sets.
bool Model::repeat_members(std::uint16_t word, Word there) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Field& field = layout.fields[i];
        if (variables[i].form != Form::set || field.low.word != word || !((there >> field.low.shift) & low_bits(field.slots))) continue;
        variables[i].repeated = true;
        ask_slots(i, 2);
    }
    return false;
}

bool Model::change_interned(const Op& op, Word* next) {
    const Field& field = layout.fields[op.field];
    Variable& variable = variables[op.field];
    const Id before = static_cast<Id>(field.load(next));
    // Adding and taking single tokens is remembered: bags of hundreds of tokens are not rebuilt for each successor.
    const bool one = op.count == 1 && (op.what == Op::Do::add || op.what == Op::Do::remove) && op.id < (1u << 31);
    const std::uint32_t operation = op.id << 1 | (op.what == Op::Do::add);
    const std::optional<Id> known = one ? variable.contents.step(before, operation) : std::nullopt;
    Id id = known.value_or(0);
    if (!known) {
        scratch_ = variable.contents[before];
        change_contents(variable.kind, op, scratch_);
        id = variable.contents.intern(scratch_);
        if (one) variable.contents.remember(before, operation, id);
    }
    ask_values(op.field, std::uint64_t{id} + 1);
    if (id > low_bits(field.bits())) return false;
    field.store(next, id);
    return true;
}

void Model::contents_of(std::uint32_t index, const Word* state, std::vector<Id>& sequence) const {
    const Field& field = layout.fields[index];
    packed_to_contents(variables[index], variables[index].form, field.load(state), field.bits(), sequence);
}

void Model::absorb(const Layout& from, const std::vector<Form>& were, const Word* old) {
    for (std::size_t i = 0; i < variables.size(); ++i)
        if (variables[i].form == Form::interned && were[i] != Form::interned) {
            packed_to_contents(variables[i], were[i], from.fields[i].load(old), from.fields[i].bits(), scratch_);
            variables[i].contents.intern(scratch_);
        }
}

void Model::pack(const Unpacked& unpacked, Word* state) {
    std::fill(state, state + layout.words, 0);
    state[0] = 1;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        Variable& variable = variables[i];
        const Field& field = layout.fields[i];
        const std::vector<Id>& part = unpacked[i];
        if (variable.kind == Kind::scalar) {
            field.store(state, part[0]);
        } else if (variable.form == Form::interned) {
            const Id id = variable.contents.intern(part);
            ask_values(i, std::uint64_t{id} + 1);
            field.store(state, id & low_bits(field.bits()));
        } else {
            const auto [size, repeated] = measured(variable.kind, part);
            const bool set = variable.form == Form::set;
            if (set ? repeated : size > field.slots || (size && field.bits() == 0)) {
                variable.repeated |= repeated;
                ask_slots(i, static_cast<int>(std::min<std::uint64_t>(size, most_inline_bits + 1)));
                continue;
            }
            if (set && !part.empty() && part[0] > field.slots) {
                ask_values(i, variable.values);
                continue;
            }
            const Word raw = contents_to_packed(variable.kind, variable.form, part, field.bits());
            field.store(state, raw);
        }
    }
}

Unpacked Model::unpack(const Word* state) const {
    Unpacked result(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (variables[i].kind == Kind::scalar)
            result[i] = {static_cast<Id>(layout.fields[i].load(state))};
        else
            contents_of(static_cast<std::uint32_t>(i), state, result[i]);
    }
    return result;
}

void Model::transfer(const Layout& from, const std::vector<Form>& were, const Word* old, Word* state) {
    std::fill(state, state + layout.words, 0);
    state[0] = 1;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        Variable& variable = variables[i];
        const Field& source = from.fields[i];
        const Field& target = layout.fields[i];
        const Word raw = source.load(old);
        if (variable.kind == Kind::scalar || were[i] == Form::interned || (were[i] == Form::set && variable.form == Form::set)) {
            target.store(state, raw);
            continue;
        }
        if (were[i] == Form::slots && variable.form == Form::slots) {
            const int bits = source.bits();
            Word moved = 0;
            int at = 0;
            for (Word rest = raw; rest; rest >>= bits, at += target.bits()) moved |= (rest & low_bits(bits)) << at;
            target.store(state, moved);
            continue;
        }
        packed_to_contents(variable, were[i], raw, source.bits(), scratch_);
        target.store(state, variable.form == Form::interned ? variable.contents.intern(scratch_)
                                                            : contents_to_packed(variable.kind, variable.form, scratch_, target.bits()));
    }
}

std::uint32_t Model::size_of(std::uint32_t index, const Word* state) const {
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    const Word raw = field.load(state);
    if (variable.form == Form::set) return static_cast<std::uint32_t>(__builtin_popcountll(raw));
    if (variable.form == Form::slots) return static_cast<std::uint32_t>(occupied(raw, field.bits()));
    const std::vector<Id>& contents = variable.contents[static_cast<Id>(raw)];
    if (variable.kind == Kind::queue) return static_cast<std::uint32_t>(contents.size());
    std::uint32_t size = 0;
    for (std::size_t i = 1; i < contents.size(); i += 2) size += contents[i];
    return size;
}

void Model::tokens_of(std::uint32_t index, const Word* state, TokenCounts& held) const {
    held.clear();
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    Word raw = field.load(state);
    if (variable.form == Form::interned) {
        const std::vector<Id>& contents = variable.contents[static_cast<Id>(raw)];
        for (std::size_t i = 0; i < contents.size(); i += 2) held.push(contents[i], contents[i + 1]);
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

void Model::available(std::uint32_t index, const Word* state, TokenCounts& held) const {
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
Id Model::youngest_ready(std::uint32_t index, Id kind, const Word* state) const {
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

std::optional<std::int64_t> Model::next_ready(const Word* state) const {
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

bool Model::replace(std::uint32_t bag, const std::vector<std::pair<Id, Id>>& held, Word* state) {
    Variable& variable = variables[bag];
    const Field& field = layout.fields[bag];
    if (variable.form == Form::interned) {
        scratch_.clear();
        for (const auto& [token, count] : held) scratch_.insert(scratch_.end(), {token, count});
        const Id id = variable.contents.intern(scratch_);
        ask_values(bag, std::uint64_t{id} + 1);
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

std::uint32_t Model::count_of(std::uint32_t index, Id token, const Word* state) const {
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
        const std::vector<Id>& contents = variable.contents[static_cast<Id>(raw)];
        for (std::size_t i = 0; i < contents.size(); i += 2)
            if (contents[i] == token) return contents[i + 1];
        return 0;
    }
    const int bits = field.bits();
    for (Word rest = raw; rest; rest >>= bits) count += (rest & low_bits(bits)) == token;
    return count;
}

std::uint32_t Model::element_of(std::uint32_t index, std::uint32_t position, const Word* state) const {
    const Variable& variable = variables[index];
    const Field& field = layout.fields[index];
    const Word raw = field.load(state);
    if (variable.form == Form::interned) {
        const std::vector<Id>& contents = variable.contents[static_cast<Id>(raw)];
        return position < contents.size() ? contents[position] : 0;
    }
    const int bits = field.bits();
    return position < field.slots ? static_cast<std::uint32_t>((raw >> (static_cast<int>(position) * bits)) & low_bits(bits)) : 0;
}

Id Model::whole_of(std::uint32_t index, const Word* state) {
    Variable& variable = variables[index];
    if (variable.form == Form::interned) return static_cast<Id>(layout.fields[index].load(state));
    std::vector<Id> sequence;
    contents_of(index, state, sequence);
    return variable.contents.intern(sequence);
}

std::uint32_t Model::answer(const Trie::Node& node, const Word* state) {
    switch (node.ask) {
        case Ask::value: return static_cast<std::uint32_t>(layout.fields[node.field].load(state));
        case Ask::size: return size_of(node.field, state);
        case Ask::count: return count_of(node.field, node.argument, state);
        case Ask::at_least: return count_of(node.field, node.argument, state) >= node.threshold;
        case Ask::element: return element_of(node.field, node.argument, state);
        case Ask::whole: return whole_of(node.field, state);
        default: return 0;
    }
}

std::size_t Model::bytes() const {
    std::size_t total = leaves.capacity() * sizeof(Leaf) + ops_.capacity() * sizeof(Op) + changes_.capacity() * sizeof(Change) +
                        sets_.capacity() * sizeof(WordSet);
    for (const Variable& variable : variables) total += variable.contents.bytes();
    return total;
}

}  // namespace sweep
