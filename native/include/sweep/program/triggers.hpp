#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/program/program.hpp"

namespace sweep {

struct Grouping;
struct Batch;

/// Finds the units of a grouping (its groups, then the other actions) that may do something in a state, without asking each.
///
/// An action waits for a trigger: one question about bits of the state whose answer, for most values, is enough to know that it is
/// disabled. Bits have a quiet value, the one they have in most states; only where a state differs from it are the units looked up
/// that this value wakes. What a state costs is then one look at its words, and what it wakes.
class Triggers {
public:
    /// For a grouping; `batch` shows which values are frequent.
    static Triggers of(const Program& program, const Grouping& grouping, const Batch& batch);
    /// Every unit is always awake.
    static Triggers none(const Grouping& grouping);

    /// Whether some unit need not be looked at in some states.
    bool sleeping() const { return !watched_.empty(); }
    /// Visit the units that may do something, in order.
    template <class Visit>
    [[gnu::always_inline]] void each_awake(const Word* state, Visit&& visit) {
        if (watched_.empty()) {
            for (std::uint32_t unit = 0; unit < units_; ++unit) visit(unit);
            return;
        }
        wake(state);
        for (std::uint32_t i = 0; i < awake_.size(); ++i)
            for (Word rest = awake_[i]; rest; rest &= rest - 1) visit(i * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
    }

    std::size_t bytes() const;

private:
    friend class TriggerSearch;

    /// Bits in a word, and what their values wake: those from `values` on wake every unit that waits for them.
    struct Feature {
        std::uint16_t word = 0;
        std::uint8_t shift = 0;
        Word mask = 0;  // before it is shifted
        std::uint32_t values = 0, first = 0;
        std::uint32_t field = 0, first_expected = 0, end_expected = 0;  // whose numbers those are that units wait for
    };
    struct Watched {
        std::uint32_t word;
        Word quiet = 0, mask = 0;
    };

    void wake(const Word* state) {
        std::copy(always_.begin(), always_.end(), awake_.begin());
        for (const Watched& watched : watched_) {
            Word changed = (state[watched.word] ^ watched.quiet) & watched.mask;
            while (changed) {
                const Feature& feature = features_[owner_[watched.word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(changed))]];
                changed &= ~(feature.mask << feature.shift);
                const Word value = (state[watched.word] >> feature.shift) & feature.mask;
                const std::uint32_t* start = starts_.data() + feature.first + std::min<Word>(value, feature.values);
                for (std::uint32_t i = start[0]; i < start[1]; ++i) awake_[woken_[i] / 64] |= Word{1} << (woken_[i] % 64);
                if (value >= feature.values && feature.first_expected != feature.end_expected) wake_expected(feature, value);
            }
        }
    }

    /// A value that nobody had met wakes who waits for the number that it is.
    void wake_expected(const Feature& feature, Word value);

    std::uint32_t units_ = 0;
    const Schema* schema_ = nullptr;
    std::vector<Word> always_, awake_;  // a bit for each unit
    std::vector<Watched> watched_;
    std::vector<std::uint32_t> owner_;  // per bit of the state: its feature
    std::vector<Feature> features_;
    std::vector<std::uint32_t> starts_, woken_;                     // per value of a feature: the units it wakes
    std::vector<std::pair<std::int64_t, std::uint32_t>> expected_;  // numbers without a value, and the units that wait for them, by feature
};

}  // namespace sweep
