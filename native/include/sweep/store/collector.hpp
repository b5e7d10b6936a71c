#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

#include "sweep/store/ledger.hpp"
#include "sweep/store/memory.hpp"

namespace sweep {

/// When a sweep deletes the states behind it: whenever a layer is done, or after every so many new states. An adaptive interval
/// shrinks when memory is scarce and grows when little was reclaimed.
class Collector {
public:
    enum class Policy { layer, interval, adaptive };
    struct Rule {
        Policy policy = Policy::layer;
        std::uint64_t interval = 0;
        std::optional<std::uint64_t> most_memory;
    };

    Collector(Ledger& ledger, const Rule& rule) : ledger_(ledger), rule_(rule) {}
    std::function<void(Place current, std::uint64_t before)> collected;  // whom a collection is reported to; may be none

    bool at_layers() const { return rule_.policy == Policy::layer; }
    bool due() const { return ledger_.counters.states - found_ >= rule_.interval; }
    template <class File>
    void keep(File& file) {
        file(rule_.interval, found_, before_);
    }
    void begin() {
        found_ = ledger_.counters.states;
        before_ = ledger_.counters.stored;
    }
    void end(Place current) {
        if (collected && before_) collected(current, before_);
        if (rule_.policy != Policy::adaptive) return;
        const std::uint64_t reclaimed = before_ - ledger_.counters.stored;
        const bool scarce = rule_.most_memory && 4 * resident_bytes() > 3 * *rule_.most_memory;
        if (scarce)  // by the rule of strategies/collection.py
            rule_.interval = std::max<std::uint64_t>(256, rule_.interval / 2);
        else if (4 * reclaimed < before_)
            rule_.interval = std::min<std::uint64_t>(1 << 20, rule_.interval * 2);
    }

private:
    Ledger& ledger_;
    Rule rule_;
    std::uint64_t found_ = 0, before_ = 0;  // at the last collection: states found; states stored before it
};

}  // namespace sweep
