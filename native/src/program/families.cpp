#include "sweep/program/families.hpp"

#include <algorithm>

namespace sweep {

namespace {

/// The scalar that a disabled run looked at, if it looked at nothing else.
std::optional<std::uint32_t> only_scalar(const Recording& run) {
    if (run.path.size() != 1 || run.path[0].ask != Ask::value) return std::nullopt;
    return run.path[0].field;
}

}  // namespace

std::optional<Precondition> Precondition::of(const Schema& schema, const Recording& plain, const Recording& general) {
    const std::optional<std::uint32_t> field = only_scalar(plain);
    if (!field || !schema.has_numbers(*field) || !general.path.empty() || !general.ops.empty()) return std::nullopt;
    if (general.doings.comparisons.size() != 1 || !general.doings.tokens.empty()) return std::nullopt;
    const Doings::Comparison& one = general.doings.comparisons[0];
    if (!one.equals || one.holds || one.sum.size != 1 || one.sum.terms[0].field != *field || one.sum.terms[0].coefficient != 1)
        return std::nullopt;
    const std::int64_t number = one.other - one.sum.constant;
    if (number != static_cast<std::int32_t>(number)) return std::nullopt;  // questions have no room for more
    return Precondition{*field, number};
}

Precondition::Says Precondition::judge(const Schema& schema, const Recording& plain, bool enabled) const {
    const auto is_first = [&] { return !plain.path.empty() && plain.path[0].ask == Ask::value && plain.path[0].field == field; };
    if (!schema.has_numbers(field) || !is_first()) return Says::otherwise;
    if (schema.numbers_of(field)[plain.path[0].key] == number) return Says::nothing;
    return !enabled && plain.path.size() == 1 ? Says::again : Says::otherwise;
}

void Families::set(const std::vector<std::uint32_t>& firsts) {
    std::vector<std::uint32_t> members(firsts.size());
    for (const std::uint32_t first : firsts) ++members[first];
    of_.assign(firsts.size(), none);
    all_.clear();
    for (std::size_t action = 0; action < firsts.size(); ++action) {
        const std::uint32_t first = firsts[action];
        if (members[first] < least_members) continue;
        if (first == action) {
            of_[action] = static_cast<std::uint32_t>(all_.size());
            all_.push_back({members[first]});
        }
        of_[action] = of_[first];
    }
}

bool Families::wants(std::uint32_t action) {
    Family* const family = find(action);
    if (!family) return false;
    ++family->runs;
    if (family->promising) return true;
    if (family->runs < family->next) return false;
    if (family->looked < looks) {
        ++family->looked;
        return true;
    }
    family->looked = 0;
    family->numbers.clear();
    family->next = later * family->runs;
    return false;
}

void Families::note(std::uint32_t action, const std::optional<Precondition>& found) {
    if (!found) return;
    Family& family = *find(action);
    if (family.promising) return;
    std::set<std::int64_t>& numbers = family.numbers[found->field];
    numbers.insert(found->number);
    family.promising = numbers.size() > several;
}

std::uint32_t Families::enough(std::uint32_t action) const { return all_[of_[action]].confirmed >= enough_of_family ? 1 : enough_alone; }

void Families::confirm(std::uint32_t action) { ++find(action)->confirmed; }

void Families::give_up(std::uint32_t action) {
    Family& family = *find(action);
    family = {family.members, 0, 0, family.runs, ~std::uint64_t{0}};
}

}  // namespace sweep
