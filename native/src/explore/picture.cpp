#include "sweep/explore/picture.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace sweep {

namespace {

constexpr Word salt = 0x9E3779B97F4A7C15ull;

}  // namespace

Picture::Picture(const Symmetry& symmetry, Schema& schema, Names& names)
    : symmetry_(symmetry), schema_(schema), names_(names), renamings_(symmetry.namings, names), parts_(symmetry.parts.size()) {
    for (const Symmetry::Set& set : symmetry.sets) {
        touched_.emplace_back(set.size);
        blank_.emplace_back(set.size);
        same_.emplace_back(set.size);
        std::iota(same_.back().begin(), same_.back().end(), 0);
    }
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
        const Part& part = symmetry.parts[p];
        Values& values = parts_[p];
        values.kind = schema.variables[part.fields[0]].kind;
        for (std::size_t slot = 0; slot < part.fields.size(); ++slot) {
            std::size_t rest = slot, width = part.sets.size();
            values.members.resize((slot + 1) * width);
            for (std::size_t i = width; i-- > 0;) {
                values.members[slot * width + i] = static_cast<std::uint32_t>(rest % symmetry.sets[part.sets[i]].size);
                rest /= symmetry.sets[part.sets[i]].size;
            }
        }
        if (part.foreign) values.to_home.resize(part.fields.size()), values.to_own.resize(part.fields.size());
    }
}

// -- from a state and back ------------------------------------------------------------------------------------------------

void Picture::read(const Word* state) {
    facts_.clear();
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
        const Part& part = symmetry_.parts[p];
        Values& values = parts_[p];
        if (values.kind == Kind::scalar) {
            values.ids.resize(part.fields.size());
            const Field* const fields = schema_.layout.fields.data();
            for (std::size_t slot = 0; slot < part.fields.size(); ++slot)
                values.ids[slot] = static_cast<Id>(fields[part.fields[slot]].load(state));
            for (std::size_t slot = 0; part.foreign && slot < part.fields.size(); ++slot)
                values.ids[slot] = translated(p, slot, values.ids[slot], true);
            if (part.naming >= 0 || part.sets.size() != 1) add_facts(p, false);
            continue;
        }
        values.ids.clear();
        values.ends.clear();
        for (std::size_t slot = 0; slot < part.fields.size(); ++slot) read_contents(p, slot, state);
        add_facts(p, width(p) == 1 && !number_columns(p));
    }
    find_touched();
}

void Picture::read_contents(std::uint32_t p, std::size_t slot, const Word* state) {
    Values& values = parts_[p];
    contents_.clear();
    schema_.contents_of(symmetry_.parts[p].fields[slot], state, contents_);
    translate(p, slot, true, contents_);
    values.ids.insert(values.ids.end(), contents_.begin(), contents_.end());
    values.ends.push_back(static_cast<std::uint32_t>(values.ids.size()));
}

void Picture::write(const std::vector<Id>& ids, Word* state) {
    auto next = ids.begin();
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
        const Part& part = symmetry_.parts[p];
        for (std::size_t slot = 0; slot < part.fields.size(); ++slot) {
            const std::uint32_t field = part.fields[slot];
            if (parts_[p].kind == Kind::scalar) {
                const Id id = translated(p, slot, *next++, false);
                if (schema_.fits()) schema_.layout.fields[field].store(state, id);
                continue;
            }
            const auto end = next + 1 + *next;
            contents_.assign(next + 1, end);
            next = end;
            translate(p, slot, false, contents_);
            if (!schema_.fits()) return;  // the state is made again when there is room
            schema_.hold(field, contents_, state);
            schema_.requests.crowded |= schema_.interned[field].crowded();
        }
    }
}

/// The id that a value of a field has at home, or the other way round.
Id Picture::translated(std::uint32_t p, std::size_t slot, Id id, bool home) {
    const Part& part = symmetry_.parts[p];
    if (!part.foreign || part.fields[slot] == part.home) return id;
    std::vector<Id>& known = (home ? parts_[p].to_home : parts_[p].to_own)[slot];
    if (id >= known.size()) {
        bytes_ += (id + 1 - known.size()) * sizeof(Id);
        known.resize(id + 1, not_asked);
    }
    if (known[id] == not_asked)
        known[id] = names_.translated(home ? part.fields[slot] : part.home, home ? part.home : part.fields[slot], id);
    return known[id];
}

void Picture::translate(std::uint32_t p, std::size_t slot, bool home, std::vector<Id>& contents) {
    const Part& part = symmetry_.parts[p];
    if (!part.foreign || part.fields[slot] == part.home) return;
    if (parts_[p].kind != Kind::bag) {
        for (Id& one : contents) one = translated(p, slot, one, home);
        return;
    }
    tokens_.clear();
    for (std::size_t i = 0; i < contents.size(); i += 2) tokens_.emplace_back(translated(p, slot, contents[i], home), contents[i + 1]);
    put_in_order(tokens_);
    contents.clear();
    for (const auto& [token, count] : tokens_) contents.insert(contents.end(), {token, count});
}

void Picture::put_in_order(std::vector<std::pair<Id, Id>>& tokens) { std::sort(tokens.begin(), tokens.end(), std::greater<>()); }

// -- with other names -----------------------------------------------------------------------------------------------------

/// Where the field of some members is when they have other names.
std::size_t Picture::moved(std::uint32_t p, std::size_t slot, const Numbering& to) const {
    const std::vector<std::uint32_t>& sets = symmetry_.parts[p].sets;
    const std::uint32_t* const of = members(p, slot);
    std::size_t place = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) place = place * symmetry_.sets[sets[i]].size + to[sets[i]][of[i]];
    return place;
}

void Picture::image(const Numbering& to, std::vector<Id>& ids) {
    const bool renames = to != same_;
    ids.clear();
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
        const std::vector<Id>& values = parts_[p].ids;
        if (parts_[p].kind != Kind::scalar) {
            image_contents(p, to, renames, ids);
            continue;
        }
        const std::size_t first = ids.size();
        ids.insert(ids.end(), values.begin(), values.end());
        if (!renames) continue;
        const Part& part = symmetry_.parts[p];
        Id* const made = ids.data() + first;
        if (part.naming >= 0)
            for (std::size_t slot = 0; slot < values.size(); ++slot)
                made[moved(p, slot, to)] = renamings_.renamed(static_cast<std::uint32_t>(part.naming), values[slot], to);
        else if (part.sets.size() == 1)
            move_one_by_one(to[part.sets[0]], values, made);
        else
            for (std::size_t slot = 0; slot < values.size(); ++slot) made[moved(p, slot, to)] = values[slot];
    }
}

/// What most arrays are: a value for each member.
void Picture::move_one_by_one(const std::vector<std::uint32_t>& to, const std::vector<Id>& values, Id* made) {
    const std::uint32_t* const names = to.data();
    for (std::size_t slot = 0; slot < values.size(); ++slot) made[names[slot]] = values[slot];
}

/// Of each field how many ids there are, and these.
void Picture::image_contents(std::uint32_t p, const Numbering& to, bool renames, std::vector<Id>& ids) {
    const Values& values = parts_[p];
    const std::int32_t naming = renames ? symmetry_.parts[p].naming : -1;
    const auto renamed = [&](Id id) { return naming < 0 ? id : renamings_.renamed(static_cast<std::uint32_t>(naming), id, to); };
    from_.resize(values.ends.size());
    for (std::size_t slot = 0; slot < from_.size(); ++slot) from_[moved(p, slot, to)] = slot;
    for (const std::size_t slot : from_) {
        const std::uint32_t first = begin(p, slot), end = values.ends[slot];
        ids.push_back(end - first);
        if (values.kind == Kind::bag && naming >= 0) {
            tokens_.clear();
            for (std::uint32_t i = first; i < end; i += 2) tokens_.emplace_back(renamed(values.ids[i]), values.ids[i + 1]);
            put_in_order(tokens_);
            for (const auto& [token, count] : tokens_) ids.insert(ids.end(), {token, count});
            continue;
        }
        for (std::uint32_t i = first; i < end; ++i) ids.push_back(renamed(values.ids[i]));
    }
}

// -- what is said of members ----------------------------------------------------------------------------------------------

bool Picture::names_some(std::uint32_t p, Id value) {
    const std::int32_t naming = symmetry_.parts[p].naming;
    return naming >= 0 && !renamings_.named(static_cast<std::uint32_t>(naming), value).empty();
}

const std::vector<Symmetry::Member>& Picture::named(const Fact& fact) {
    static const std::vector<Symmetry::Member> none;
    const std::int32_t naming = symmetry_.parts[fact.part].naming;
    return naming < 0 ? none : renamings_.named(static_cast<std::uint32_t>(naming), fact.value);
}

std::uint64_t Picture::masked(std::uint32_t part, Id value, const Numbering& marks) {
    const std::int32_t naming = symmetry_.parts[part].naming;
    return naming < 0 ? Renamings::by_itself(value) : renamings_.masked(static_cast<std::uint32_t>(naming), value, marks);
}

/// Where several members share a field, the first value of all is what goes without saying.
void Picture::add_facts(std::uint32_t p, bool all) {
    const Values& values = parts_[p];
    const std::size_t sets = width(p);
    const auto is_fact = [&](Id value) { return all || sets > 1 || names_some(p, value); };
    for (std::uint32_t slot = 0; slot < symmetry_.parts[p].fields.size(); ++slot) {
        if (values.kind == Kind::scalar) {
            const Id value = values.ids[slot];
            if (names_some(p, value) || (sets > 1 && value != 0)) facts_.push_back({p, 0, members(p, slot), value});
            continue;
        }
        const std::uint32_t first = begin(p, slot), step = values.kind == Kind::bag ? 2 : 1;
        for (std::uint32_t i = first; i < values.ends[slot]; i += step)
            if (is_fact(values.ids[i])) facts_.push_back({p, step == 2 ? values.ids[i + 1] : i - first, members(p, slot), values.ids[i]});
    }
}

bool Picture::number_columns(std::uint32_t p) {
    Values& values = parts_[p];
    const std::uint32_t step = values.kind == Kind::bag ? 2 : 1;
    values.columns.assign(values.ends.size(), 0);
    for (std::size_t slot = 0; slot < values.ends.size(); ++slot) {
        const std::uint32_t first = begin(p, slot);
        for (std::uint32_t i = first; i < values.ends[slot]; i += step)
            if (!names_some(p, values.ids[i]))
                values.columns[slot] =
                    fold(values.columns[slot] ^ values.ids[i] ^ salt, (step == 2 ? values.ids[i + 1] : i - first) + salt) | 1;
        for (std::size_t before = 0; before < slot; ++before) {
            if (values.columns[before] != values.columns[slot]) continue;
            if (same_column(p, before, slot)) break;
            std::fill(values.columns.begin(), values.columns.end(), 0);
            return false;
        }
    }
    return true;
}

/// Whether two fields hold the same of what names no members.
bool Picture::same_column(std::uint32_t p, std::size_t one, std::size_t other) {
    const Values& values = parts_[p];
    const std::uint32_t step = values.kind == Kind::bag ? 2 : 1;
    const std::uint32_t start[2] = {begin(p, one), begin(p, other)}, end[2] = {values.ends[one], values.ends[other]};
    std::uint32_t at[2] = {start[0], start[1]};
    for (;;) {
        for (int side = 0; side < 2; ++side)
            while (at[side] < end[side] && names_some(p, values.ids[at[side]])) at[side] += step;
        if (at[0] >= end[0] || at[1] >= end[1]) return at[0] >= end[0] && at[1] >= end[1];
        if (values.ids[at[0]] != values.ids[at[1]]) return false;
        if (step == 2 ? values.ids[at[0] + 1] != values.ids[at[1] + 1] : at[0] - start[0] != at[1] - start[1]) return false;
        for (std::uint32_t& here : at) here += step;
    }
}

/// What has to do with each member, added up, so that the order makes no difference.
void Picture::find_touched() {
    for (std::vector<std::uint64_t>& members : touched_) std::fill(members.begin(), members.end(), 0);
    for (const Fact& fact : facts_) {
        Word what = fold(masked(fact.part, fact.value, blank_) ^ salt, fact.part + 3);
        what = fold(what ^ fact.weight, salt);
        for (const auto& [in, position] : named(fact)) touched_[in][position] += what | 1;
        const std::vector<std::uint32_t>& sets = symmetry_.parts[fact.part].sets;
        for (std::size_t i = 0; i < sets.size(); ++i) touched_[sets[i]][fact.members[i]] += fold(what, salt + 2 * i) | 1;
    }
}

bool Picture::concerns(const Fact& fact, std::uint32_t set, std::uint32_t member) {
    const std::vector<std::uint32_t>& sets = symmetry_.parts[fact.part].sets;
    for (std::size_t i = 0; i < sets.size(); ++i)
        if (sets[i] == set && fact.members[i] == member) return true;
    const std::vector<Symmetry::Member>& all = named(fact);
    return std::any_of(all.begin(), all.end(), [&](const Symmetry::Member& one) { return one.set == set && one.position == member; });
}

std::uint64_t Picture::place(const Fact& fact, const Numbering& marks) const {
    const std::vector<std::uint32_t>& sets = symmetry_.parts[fact.part].sets;
    std::uint64_t place = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) place = place * 2 * symmetry_.sets[sets[i]].size + marks[sets[i]][fact.members[i]];
    return place;
}

std::size_t Picture::read_columns(std::uint32_t set, std::vector<std::uint64_t>& said) {
    const std::uint32_t size = symmetry_.sets[set].size;
    const auto is_column = [&](std::uint32_t p) { return symmetry_.parts[p].sets.size() == 1 && symmetry_.parts[p].sets[0] == set; };
    std::size_t arrays = 1;
    for (std::uint32_t p = 0; p < parts_.size(); ++p) arrays += is_column(p);
    said.resize(arrays * size);
    for (std::uint32_t i = 0; i < size; ++i) said[i * arrays] = touched_[set][i];
    std::size_t array = 1;
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
        if (!is_column(p)) continue;
        const Values& values = parts_[p];
        const bool named = symmetry_.parts[p].naming >= 0, scalar = values.kind == Kind::scalar;
        for (std::uint32_t i = 0; i < size; ++i)
            said[i * arrays + array] = !scalar ? values.columns[i] : named ? masked(p, values.ids[i], blank_) : values.ids[i];
        ++array;
    }
    return arrays;
}

}  // namespace sweep
