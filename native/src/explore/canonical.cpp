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
    : symmetry_(symmetry), schema_(schema), time_(time), picture_(symmetry, schema, names), additions_(schema.additions()) {
    for (const Part& part : symmetry.parts)
        named_ |= part.naming >= 0 || part.sets.size() != 1 || schema.variables[part.fields[0]].kind != Kind::scalar;
    for (std::uint32_t set = 0; !named_ && set < symmetry.sets.size(); ++set) {
        std::vector<std::vector<std::uint32_t>> arrays;
        for (const Part& part : symmetry.parts)
            if (part.sets[0] == set) arrays.push_back(part.fields);
        if (!arrays.empty()) columns_.emplace_back(std::move(arrays), symmetry.sets[set].rotation);
    }
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

std::vector<Numbering> Canonical::generators() const {
    std::vector<Numbering> found;
    for (std::size_t set = 0; set < symmetry_.sets.size(); ++set) {
        Numbering to = picture_.same();
        if (to[set].size() > 2 && !symmetry_.sets[set].rotation) {
            std::swap(to[set][0], to[set][1]);
            found.push_back(to);
            std::swap(to[set][0], to[set][1]);
        }
        std::rotate(to[set].begin(), to[set].begin() + (to[set].size() > 1), to[set].end());
        if (to[set].size() > 1) found.push_back(std::move(to));
    }
    return found;
}

void Canonical::rename(Word* state, const Numbering& to) {
    picture_.read(state);
    picture_.image(to, tried_);
    if (schema_.fits()) picture_.write(tried_, state);
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
    picture_.read(state);
    found_ = false;
    ranks_ = picture_.same();
    for (std::uint32_t set = 0; set < ranks_.size(); ++set)
        if (!symmetry_.sets[set].rotation) rank_columns(set, ranks_[set]);
    picture_.image(picture_.same(), here_);
    each_rotation(0, ranks_);
    if (best_ == here_ || !schema_.fits()) return false;
    picture_.write(best_, state);
    return true;
}

void Canonical::rank_columns(std::uint32_t set, std::vector<std::uint32_t>& ranks) {
    const std::size_t arrays = picture_.read_columns(set, said_);
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
    const std::size_t arrays = picture_.read_columns(set, said_), all = said_.size();
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
    const std::vector<std::uint64_t>& touched = picture_.touched()[set];
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
    for (std::uint32_t set = 0; set < ranks.size(); ++set)
        for (std::uint32_t one = 0; one < ranks[set].size(); ++one)
            if (touched(set, one) && std::count(ranks[set].begin(), ranks[set].end(), ranks[set][one]) > 1) return true;
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
    picture_.image(to_, tried_);
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
        if (std::none_of(alike.begin(), alike.end(), [&](std::uint32_t member) { return touched(set, member) != 0; })) continue;
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
    if (touched(set, member))
        for (const Picture::Fact& fact : picture_.facts())
            if (picture_.concerns(fact, set, member))
                all.push_back({fact.part, picture_.place(fact, marks), fact.weight, picture_.masked(fact.part, fact.value, marks)});
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
    if (touched(set, one) != touched(set, other)) return false;
    if (!touched(set, one)) return true;
    Numbering to = picture_.same();
    std::swap(to[set][one], to[set][other]);
    picture_.image(to, tried_);
    return tried_ == here_;
}

}  // namespace sweep
