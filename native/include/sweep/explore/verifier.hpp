#pragma once
#include <cstdint>
#include <vector>

#include "sweep/explore/roots.hpp"
#include "sweep/explore/watcher.hpp"
#include "sweep/program/resolver.hpp"

namespace sweep {

/// Compares what the tables say with what the functions do now: a table is right only if they always do the same. All states
/// where that is asked for, else a sample. Which states are sampled depends on their number alone: fewer and fewer, so that the
/// cost is that of a few calls.
class Verifier {
public:
    Verifier(Resolver& resolver, Watcher& watcher, bool all) : resolver_(resolver), watcher_(watcher), all_(all) {}

    void look(const Batch& batch, const Block& block, std::uint64_t explored, double seconds) {
        if (explored >= next_sample_) sample(batch, block, explored, seconds);
        if (all_) compare(batch, block);
    }
    /// Whether it looks at anything until so many states are explored.
    bool is_due(std::uint64_t explored) const { return all_ || explored >= next_sample_; }
    /// Whether all successors are compared with what functions say.
    bool compares_all() const { return all_; }
    /// Whether there are functions to run for that: whoever reads the program meanwhile has to end.
    bool runs_functions() const;
    /// So many states may be explored before it looks at some.
    std::uint64_t states_left(std::uint64_t explored) const { return all_ || explored >= next_sample_ ? 0 : next_sample_ - explored; }
    /// At the end, the initial states once more: so much has happened since that what should not matter may have changed.
    void look_at_roots(const Roots& roots, double seconds);

private:
    void sample(const Batch& batch, const Block& block, std::uint64_t explored, double seconds);
    void compare(const Batch& batch, const Block& block);
    void run_again(std::uint64_t turn, const Word* state);
    void look_again(std::uint64_t turn, const Word* state);
    bool repeats(std::uint32_t action, const Word* state, Trie& table);
    bool repeats_untabulated(std::uint32_t action, const Word* state);
    bool repeats_value(FunctionId id, const Word* state);
    Code sampled_outcome(const Trie& trie, const Word* state, std::vector<std::uint32_t>& script) const;
    std::uint64_t turns() const;
    bool runs(FunctionId id) const;
    /// How much of the time may be spent, in all, when so much has passed.
    static double allowed(double seconds) { return floor_seconds + share * seconds; }

    static constexpr double share = 0.01, floor_seconds = 0.001;  // functions may be slow
    Resolver& resolver_;
    Watcher& watcher_;
    bool all_;
    std::uint64_t next_sample_ = 0, samples_ = 0;
    double spent_ = 0;
};

}  // namespace sweep
