#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sweep/program/oracle.hpp"

namespace sweep {

/// Numbers that members of each set have, by position: names, ranks or marks.
using Numbering = std::vector<std::vector<std::uint32_t>>;

/// What renaming members does to the values of variables. Each value is asked about once, and once for each way to rename what it names.
class Renamings {
public:
    Renamings(std::uint32_t namings, Names& names) : names_(names), known_(namings), many_(namings) {}

    /// The members that a value names.
    const std::vector<Symmetry::Member>& named(std::uint32_t naming, Id value) { return of(naming, value).members; }
    Id renamed(std::uint32_t naming, Id value, const Numbering& to) {
        return look_up(naming, value, to, [this](auto... asked) { return names_.renamed(asked...); }, Of::names);
    }
    /// A number for a value whose members are known by marks. One that names none is known by itself.
    static std::uint64_t by_itself(Id value) { return std::uint64_t{value} << 1 | 1; }
    std::uint64_t masked(std::uint32_t naming, Id value, const Numbering& marks) {
        if (of(naming, value).members.empty()) return by_itself(value);
        return std::uint64_t{look_up(naming, value, marks, [this](auto... asked) { return names_.masked(asked...); }, Of::marks)} << 1;
    }
    std::uint64_t bytes() const { return bytes_; }

private:
    enum class Of : std::uint32_t { names, marks };
    struct Known {
        bool asked = false;
        std::vector<Symmetry::Member> members;
        std::vector<std::uint32_t> one[2];  // where it names one member: the answer by that one's number
    };
    struct Hash {
        std::size_t operator()(const std::vector<std::uint32_t>& key) const {
            Word hash = key.size();
            for (const std::uint32_t number : key) hash = fold(hash ^ number, 0xD1B54A32D192ED03ull);
            return static_cast<std::size_t>(hash);
        }
    };
    static constexpr std::uint32_t not_asked = ~std::uint32_t{0};

    Known& of(std::uint32_t naming, Id value) {
        std::vector<Known>& values = known_[naming];
        if (value >= values.size()) values.resize(value + 1);
        Known& known = values[value];
        if (!known.asked) {
            known.members = names_.named(naming, value);
            known.asked = true;
            bytes_ += sizeof(Known) + known.members.size() * sizeof(Symmetry::Member);
        }
        return known;
    }
    template <class Ask>
    std::uint32_t look_up(std::uint32_t naming, Id value, const Numbering& numbers, Ask&& ask, Of of_what) {
        Known& known = of(naming, value);
        if (known.members.empty()) return value;
        key_.clear();
        for (const auto& [set, position] : known.members) key_.push_back(numbers[set][position]);
        if (key_.size() == 1) {
            std::vector<std::uint32_t>& answers = known.one[static_cast<std::size_t>(of_what)];
            const std::uint32_t number = key_[0];
            if (number >= answers.size()) answers.resize(number + 1, not_asked);
            if (answers[number] == not_asked) {
                bytes_ += sizeof(std::uint32_t);
                answers[number] = ask(naming, value, key_);
            }
            return answers[number];
        }
        const std::size_t members = key_.size();
        key_.push_back(value);
        key_.push_back(static_cast<std::uint32_t>(of_what));
        const auto found = many_[naming].find(key_);
        if (found != many_[naming].end()) return found->second;
        const std::vector<std::uint32_t> asked(key_.begin(), key_.begin() + static_cast<std::ptrdiff_t>(members));
        const std::uint32_t answer = ask(naming, value, asked);
        bytes_ += (key_.size() + 8) * sizeof(std::uint32_t);
        return many_[naming][key_] = answer;
    }

    Names& names_;
    std::vector<std::vector<Known>> known_;                                                  // by naming and value
    std::vector<std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, Hash>> many_;  // where a value names several
    std::vector<std::uint32_t> key_;
    std::uint64_t bytes_ = 0;
};

}  // namespace sweep
