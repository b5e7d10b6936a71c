#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "sweep/program/recording.hpp"

namespace sweep {

/// What an action waits for: a scalar that is this number, as in `require(s.at == 7)` before anything else. Whatever else the scalar is,
/// the action is disabled, and looks at nothing else.
struct Precondition {
    std::uint32_t field = 0;
    std::int64_t number = 0;
    std::uint32_t confirmed = 0;  // so many runs on further numbers were disabled
    bool known = false;           // the table asks whether it is this number, no longer which it is

    /// From two runs on one state that were disabled, of which the second had all numbers in question.
    static std::optional<Precondition> of(const Schema& schema, const Recording& plain, const Recording& general);

    /// What a run may say of it: that it is so once more, that it is not so, or, as the number was there, nothing.
    enum class Says : std::uint8_t { again, otherwise, nothing };
    Says judge(const Schema& schema, const Recording& plain, bool enabled) const;
};

/// Actions with one function and arguments of their own. Where many of them wait for numbers of their own, each would be run for each
/// number that there is; what the first of them are like tells that the others had better be asked at once what they wait for.
class Families {
public:
    /// Per action: the first one with the same function.
    void set(const std::vector<std::uint32_t>& firsts);

    /// An action has run, and is in no way known yet: whether to look for what it waits for.
    bool wants(std::uint32_t action);
    /// What was found about it, where something was.
    void note(std::uint32_t action, const std::optional<Precondition>& found);
    /// So many runs on other numbers have to agree until it is believed.
    std::uint32_t enough(std::uint32_t action) const;
    void confirm(std::uint32_t action);
    /// What had been found was not so.
    void give_up(std::uint32_t action);

private:
    static constexpr std::uint32_t least_members = 32;        // fewer are as well asked one by one
    static constexpr std::uint64_t first_look = 256;          // runs of all members,
    static constexpr std::uint64_t later = 4;                 // and so many times as many after a look that found nothing
    static constexpr std::uint32_t looks = 16;                // members that are looked at each time
    static constexpr std::size_t several = 8;                 // more different numbers than these: all members wait for some
    static constexpr std::uint32_t enough_alone = 3;          // runs that confirm what one member waits for,
    static constexpr std::uint32_t enough_of_family = 3 * 8;  // and what others do, so that one run is enough

    struct Family {
        std::uint32_t members = 0, looked = 0, confirmed = 0;
        std::uint64_t runs = 0, next = first_look;
        std::map<std::uint32_t, std::set<std::int64_t>> numbers = {};  // that members wait for, by scalar
        bool promising = false;
    };
    Family* find(std::uint32_t action) { return of_.empty() || of_[action] == none ? nullptr : &all_[of_[action]]; }

    static constexpr std::uint32_t none = ~0u;
    std::vector<std::uint32_t> of_;
    std::vector<Family> all_;
};

}  // namespace sweep
