#include "sweep/explore/canonical.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <numeric>
#include <utility>

namespace sweep {

namespace {

/// The members of one rank, where there are several, in the order of ranks.
std::vector<std::vector<std::uint32_t>> cells(const std::vector<std::uint32_t>& ranks) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_rank;
    for (std::uint32_t member = 0; member < ranks.size(); ++member) by_rank[ranks[member]].push_back(member);
    std::vector<std::vector<std::uint32_t>> result;
    for (auto& [rank, members] : by_rank)
        if (members.size() > 1) result.push_back(std::move(members));
    return result;
}

}  // namespace

Canonical::Canonical(const Symmetry& symmetry, Schema& schema, Names& names, Time& time)
    : symmetry_(symmetry),
      schema_(schema),
      time_(time),
      renamings_(symmetry, names),
      additions_(schema.additions()),
      values_(symmetry.parts.size()) {
    for (std::uint32_t set = 0; set < symmetry.sets.size(); ++set) {
        std::vector<std::vector<std::uint32_t>> arrays;
        for (const Part& part : symmetry.parts)
            if (part.set == static_cast<std::int32_t>(set)) arrays.push_back(part.fields);
        if (!arrays.empty()) columns_.emplace_back(std::move(arrays), symmetry.sets[set].rotation);
        touched_.emplace_back(symmetry.sets[set].size);
        blank_.emplace_back(symmetry.sets[set].size);
        same_.emplace_back(symmetry.sets[set].size);
        std::iota(same_.back().begin(), same_.back().end(), 0);
    }
    for (const Part& part : symmetry.parts) named_ |= part.named;
}

void Canonical::refresh() {
    for (Columns& columns : columns_) columns.refresh(schema_.layout);
}

bool Canonical::arrange(Word* state, Columns::Room& room) const {
    bool changed = false;
    for (const Columns& columns : columns_) changed |= columns.arrange(state, room);
    return changed;
}

bool Canonical::settle(Word* state) {
    bool changed = symmetry_.relative && settle_time(state);
    if (!schema_.fits()) return changed;
    changed |= named_ ? rename(state) : arrange(state, room_);
    return changed;
}

/// No time has passed, and no token was ready before now.
bool Canonical::settle_time(Word* state) {
    bool changed = false;
    TokenCounts held;
    for (const std::uint32_t bag : schema_.timed) {
        schema_.tokens_of(bag, state, held);
        const Stamps& stamps = schema_.variables[bag].stamps;
        std::map<Id, Id, std::greater<>> counts;
        bool past = false;
        for (std::size_t i = 0; i < held.size(); ++i) {
            Id token = held.token(i);
            if (stamps.wait(token) < 0) {
                past = true;
                const Id kind = stamps.kind(token), known = stamps.find(kind, 0);
                token = known ? known : time_.stamped(bag, kind, 0);
            }
            counts[token] += held.count(i);
        }
        if (!past) continue;
        changed = true;
        ready_.assign(counts.begin(), counts.end());
        if (!schema_.replace(bag, ready_, state, additions_)) return true;  // it does not fit: the caller looks
    }
    const Field& clock = schema_.layout.fields[schema_.clock];
    const Id beginning = time_.beginning();
    if (clock.load(state) == beginning || !schema_.fits()) return changed;
    clock.store(state, beginning);
    return true;
}

// -- members as values ----------------------------------------------------------------------------------------------------

bool Canonical::rename(Word* state) {
    read(state);
    find_touched();
    found_ = false;
    Numbering ranks = same_;
    for (std::uint32_t set = 0; set < ranks.size(); ++set)
        if (!symmetry_.sets[set].rotation) rank_columns(set, ranks[set]);
    image(same_, here_);
    each_rotation(0, ranks);
    return best_ != here_ && schema_.fits() && write(best_, state);
}

void Canonical::read(const Word* state) {
    held_.clear();
    for (std::uint32_t p = 0; p < symmetry_.parts.size(); ++p) {
        const Part& part = symmetry_.parts[p];
        std::vector<Id>& values = values_[p];
        const Kind kind = schema_.variables[part.fields[0]].kind;
        values.clear();
        if (kind == Kind::scalar)
            for (const std::uint32_t field : part.fields) values.push_back(static_cast<Id>(schema_.layout.fields[field].load(state)));
        else
            schema_.contents_of(part.fields[0], state, values);
        if (!part.named) continue;
        for (std::uint32_t i = 0; i < values.size(); i += kind == Kind::bag ? 2 : 1) {
            if (renamings_.named(p, values[i]).empty()) continue;
            if (kind == Kind::scalar)
                held_.push_back({p, i, 0, values[i]});
            else
                held_.push_back({p, 0, kind == Kind::bag ? values[i + 1] : i, values[i]});
        }
    }
}

/// What has to do with each member, added up, so that the order makes no difference.
void Canonical::find_touched() {
    constexpr Word salt = 0x9E3779B97F4A7C15ull;
    for (std::vector<std::uint64_t>& members : touched_) std::fill(members.begin(), members.end(), 0);
    for (const Held& held : held_) {
        const std::int32_t set = symmetry_.parts[held.part].set;
        const std::uint64_t place = set < 0 ? held.slot : 0;
        Word what = fold(renamings_.masked(held.part, held.value, blank_) ^ salt, held.part + 3);
        what = fold(what ^ held.weight, place * 2 + salt);
        for (const auto& [in, position] : renamings_.named(held.part, held.value)) touched_[in][position] += what | 1;
        if (set >= 0) touched_[static_cast<std::size_t>(set)][held.slot] += fold(what, salt) | 1;
    }
}

void Canonical::image(const Numbering& to, std::vector<Id>& ids) {
    const bool renames = to != same_;
    ids.clear();
    for (std::uint32_t p = 0; p < symmetry_.parts.size(); ++p) {
        const Part& part = symmetry_.parts[p];
        const std::vector<Id>& values = values_[p];
        const auto renamed = [&](Id value) { return renames && part.named ? renamings_.renamed(p, value, to) : value; };
        const std::size_t first = ids.size();
        if (part.set >= 0) {
            ids.resize(first + values.size());
            const std::vector<std::uint32_t>& moved = to[static_cast<std::size_t>(part.set)];
            for (std::size_t i = 0; i < values.size(); ++i) ids[first + moved[i]] = renamed(values[i]);
            continue;
        }
        const Kind kind = schema_.variables[part.fields[0]].kind;
        if (kind != Kind::bag) {
            if (kind == Kind::queue) ids.push_back(static_cast<Id>(values.size()));
            for (const Id value : values) ids.push_back(renamed(value));
            continue;
        }
        ids.push_back(static_cast<Id>(values.size()));
        if (!renames) {
            ids.insert(ids.end(), values.begin(), values.end());
            continue;
        }
        ready_.clear();
        for (std::size_t i = 0; i < values.size(); i += 2) ready_.emplace_back(renamed(values[i]), values[i + 1]);
        std::sort(ready_.begin(), ready_.end(), std::greater<>());
        for (const auto& [token, count] : ready_) ids.insert(ids.end(), {token, count});
    }
}

bool Canonical::write(const std::vector<Id>& ids, Word* state) {
    auto next = ids.begin();
    for (const Part& part : symmetry_.parts) {
        if (schema_.variables[part.fields[0]].kind == Kind::scalar) {
            for (const std::uint32_t field : part.fields) schema_.layout.fields[field].store(state, *next++);
            continue;
        }
        const auto end = next + 1 + *next;
        contents_.assign(next + 1, end);
        next = end;
        schema_.hold(part.fields[0], contents_, state);
        schema_.requests.crowded |= schema_.interned[part.fields[0]].crowded();
    }
    return true;
}

std::size_t Canonical::read_columns(std::uint32_t set) {
    const std::uint32_t size = symmetry_.sets[set].size;
    std::size_t arrays = 0;
    for (const Part& part : symmetry_.parts) arrays += part.set == static_cast<std::int32_t>(set);
    said_.resize(++arrays * size);
    for (std::uint32_t i = 0; i < size; ++i) said_[i * arrays] = touched_[set][i];
    std::size_t array = 1;
    for (std::uint32_t p = 0; p < symmetry_.parts.size(); ++p) {
        const Part& part = symmetry_.parts[p];
        if (part.set != static_cast<std::int32_t>(set)) continue;
        for (std::uint32_t i = 0; i < size; ++i)
            said_[i * arrays + array] = part.named ? renamings_.masked(p, values_[p][i], blank_) : values_[p][i];
        ++array;
    }
    return arrays;
}

void Canonical::rank_columns(std::uint32_t set, std::vector<std::uint32_t>& ranks) {
    const std::size_t arrays = read_columns(set);
    const auto column = [&](std::size_t member) { return said_.begin() + static_cast<std::ptrdiff_t>(member * arrays); };
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        ranks[i] = 0;
        for (std::size_t j = 0; j < ranks.size(); ++j)
            ranks[i] += std::lexicographical_compare(column(j), column(j + 1), column(i), column(i + 1));
    }
}

/// Which members can be the first: those from which on the columns are least. Where nothing else tells them apart, one of them will do.
std::vector<std::uint32_t> Canonical::least_rotations(std::uint32_t set) {
    const std::uint32_t size = symmetry_.sets[set].size;
    const std::size_t arrays = read_columns(set), all = said_.size();
    said_.insert(said_.end(), said_.begin(), said_.begin() + static_cast<std::ptrdiff_t>(all));
    std::vector<std::uint32_t> found;
    const auto from = [&](std::uint32_t shift) { return said_.begin() + static_cast<std::ptrdiff_t>(shift * arrays); };
    const auto length = static_cast<std::ptrdiff_t>(all);
    for (std::uint32_t shift = 0; shift < size; ++shift) {
        const auto order = found.empty() ? std::strong_ordering::less
                                         : std::lexicographical_compare_three_way(from(shift), from(shift) + length, from(found[0]),
                                                                                  from(found[0]) + length);
        if (order > 0) continue;
        if (order < 0) found.clear();
        found.push_back(shift);
    }
    const std::vector<std::uint64_t>& touched = touched_[set];
    if (std::all_of(touched.begin(), touched.end(), [](std::uint64_t what) { return what == 0; })) found.resize(1);
    return found;
}

void Canonical::each_rotation(std::uint32_t set, Numbering& ranks) {
    if (set == ranks.size()) {
        if (is_open(ranks))
            each_leaf(ranks);
        else
            try_names(ranks);
        return;
    }
    if (!symmetry_.sets[set].rotation) {
        each_rotation(set + 1, ranks);
        return;
    }
    const std::uint32_t size = symmetry_.sets[set].size;
    for (const std::uint32_t shift : least_rotations(set)) {
        for (std::uint32_t member = 0; member < size; ++member) ranks[set][member] = (member + size - shift) % size;
        each_rotation(set + 1, ranks);
    }
}

/// Whether there are members of one rank that values have to do with. Others of one rank can change places.
bool Canonical::is_open(const Numbering& ranks) const {
    for (std::size_t set = 0; set < ranks.size(); ++set)
        for (std::size_t one = 0; one < ranks[set].size(); ++one)
            if (touched_[set][one] && std::count(ranks[set].begin(), ranks[set].end(), ranks[set][one]) > 1) return true;
    return false;
}

/// Call members by their positions in the order of their ranks; those of one rank keep the order they have.
void Canonical::try_names(const Numbering& ranks) {
    to_.resize(ranks.size());
    for (std::size_t set = 0; set < ranks.size(); ++set) {
        const std::vector<std::uint32_t>& of = ranks[set];
        to_[set].assign(of.size(), 0);
        for (std::uint32_t one = 0; one < of.size(); ++one)
            for (std::uint32_t other = one + 1; other < of.size(); ++other) ++to_[set][of[other] < of[one] ? one : other];
    }
    image(to_, tried_);
    if (!found_ || tried_ < best_) best_.swap(tried_);
    found_ = true;
}

/// All ways to tell members apart as far as they are different, in the order that what is known leaves open.
void Canonical::each_leaf(Numbering ranks) {
    refine(ranks);
    for (std::uint32_t set = 0; set < ranks.size(); ++set) {
        if (symmetry_.sets[set].rotation) continue;
        for (const std::vector<std::uint32_t>& alike : cells(ranks[set])) {
            const std::vector<std::uint32_t> firsts = different(set, alike);
            if (firsts.size() < 2) continue;
            for (const std::uint32_t first : firsts) {
                Numbering finer = ranks;
                for (const std::uint32_t member : alike) finer[set][member] += member != first;
                each_leaf(std::move(finer));
            }
            return;
        }
    }
    try_names(ranks);
}

void Canonical::refine(Numbering& ranks) {
    Numbering marks;
    for (bool finer = true; finer;) {
        finer = false;
        for (std::uint32_t set = 0; set < ranks.size(); ++set)
            if (!symmetry_.sets[set].rotation) finer |= refine(set, ranks, marks);
    }
}

/// Rank the members of a set by what the state says of each, among those of the same rank; whether that tells more of them apart.
bool Canonical::refine(std::uint32_t set, Numbering& ranks, Numbering& marks) {
    bool finer = false, marked = false;
    for (const std::vector<std::uint32_t>& alike : cells(ranks[set])) {
        if (std::none_of(alike.begin(), alike.end(), [&](std::uint32_t member) { return touched_[set][member]; })) continue;
        if (!std::exchange(marked, true)) {
            marks = ranks;
            for (std::vector<std::uint32_t>& numbers : marks)
                for (std::uint32_t& number : numbers) number *= 2;
        }
        std::vector<std::pair<Signature, std::uint32_t>> said;
        for (const std::uint32_t member : alike) {
            ++marks[set][member];
            said.emplace_back(said_of(set, member, marks), member);
            --marks[set][member];
        }
        std::sort(said.begin(), said.end());
        std::uint32_t before = 0;
        for (std::uint32_t i = 1; i < said.size(); ++i) {
            if (said[i].first != said[i - 1].first) before = i;
            ranks[set][said[i].second] += before;
        }
        finer |= before != 0;
    }
    return finer;
}

/// What the values that have to do with a member say, it being marked among the others.
Canonical::Signature Canonical::said_of(std::uint32_t set, std::uint32_t member, const Numbering& marks) {
    std::vector<std::array<std::uint64_t, 4>> all;
    if (touched_[set][member])
        for (const Held& held : held_) {
            const std::int32_t by = symmetry_.parts[held.part].set;
            const std::vector<Symmetry::Member>& named = renamings_.named(held.part, held.value);
            const bool own = by == static_cast<std::int32_t>(set) && held.slot == member;
            const auto is_it = [&](const Symmetry::Member& one) { return one.set == set && one.position == member; };
            if (!own && std::none_of(named.begin(), named.end(), is_it)) continue;
            const std::uint64_t slot = by < 0 ? held.slot : marks[static_cast<std::size_t>(by)][held.slot];
            all.push_back({held.part, slot, held.weight, renamings_.masked(held.part, held.value, marks)});
        }
    std::sort(all.begin(), all.end());
    Signature said;
    for (const auto& one : all) said.insert(said.end(), one.begin(), one.end());
    return said;
}

std::vector<std::uint32_t> Canonical::different(std::uint32_t set, const std::vector<std::uint32_t>& alike) {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t member : alike)
        if (std::none_of(found.begin(), found.end(), [&](std::uint32_t first) { return exchangeable(set, first, member); }))
            found.push_back(member);
    return found;
}

/// Whether two members of one rank can be exchanged without changing the state. Those that no value has to do with can: their columns
/// are equal.
bool Canonical::exchangeable(std::uint32_t set, std::uint32_t one, std::uint32_t other) {
    if (touched_[set][one] != touched_[set][other]) return false;
    if (!touched_[set][one]) return true;
    Numbering to = same_;
    std::swap(to[set][one], to[set][other]);
    image(to, tried_);
    return tried_ == here_;
}

}  // namespace sweep
