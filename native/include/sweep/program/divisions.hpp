#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace sweep {

/// Which predicates were divided into parts, each a predicate of its own that looks at less, and whether that pays. The whole is run again
/// in nearly every state where it looks at nearly all of it; a part only once for whatever it can see.
class Divisions {
public:
    struct Division {
        std::uint32_t whole, first, count;  // the predicate, and its parts
        std::uint64_t since, share;         // states explored before, and of how many one was a run of the whole
        std::uint64_t runs = 0;             // of the parts
        bool given_up = false;
    };

    std::uint64_t after = 1024;  // runs

    /// Whether a predicate that was run so often is to be divided, if it can be.
    bool is_due(std::uint32_t predicate, std::uint64_t runs, std::uint64_t explored) const {
        return runs >= after && runs >= explored / seldom && !was_tried(predicate);
    }
    void note_tried(std::uint32_t predicate) {
        tried_.resize(std::max<std::size_t>(tried_.size(), predicate + 1));
        tried_[predicate] = 1;
    }
    void add(Division one) { all_.push_back(one); }

    /// A predicate was run, after so many states. If it is a part, and the parts take about as long as the whole would, the whole.
    std::optional<std::uint32_t> note_run(std::uint32_t predicate, std::uint64_t explored) {
        for (Division& one : all_) {
            if (predicate - one.first >= one.count || one.given_up) continue;
            const std::uint64_t saved = (explored - one.since) / one.share;  // runs of the whole
            one.given_up = ++one.runs > one.count * (patience + saved / dear);
            return one.given_up ? std::optional(one.whole) : std::nullopt;
        }
        return std::nullopt;
    }

private:
    static constexpr std::uint64_t seldom = 16;    // of so many states one is a run
    static constexpr std::uint64_t patience = 64;  // runs of each part
    static constexpr std::uint64_t dear = 8;       // of so many runs of the whole one of each part
    bool was_tried(std::uint32_t predicate) const { return predicate < tried_.size() && tried_[predicate]; }

    std::vector<Division> all_;
    std::vector<std::uint8_t> tried_;  // per predicate
};

}  // namespace sweep
