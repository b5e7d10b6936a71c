#include <algorithm>
#include <functional>

#include "sweep/explore/pass.hpp"
#include "sweep/state/width.hpp"

namespace sweep {

void TimePass::run(const Batch& batch, Block& block) {
    const Schema& schema = resolver_.program().schema;
    for (std::uint32_t p = 0; p < batch.count && schema.fits(); ++p) {
        if (block.parents[p].begin != block.parents[p].end || block.is_outside(p)) continue;
        const std::uint32_t begin = block.candidates;
        with_width(schema.layout.words, [&]<int K>() { expand_later<K>(batch.state(p), block); });
        block.parents[p] = {begin, block.candidates};
    }
}

/// The successors of a state in which nothing is enabled now: those at the next time when something is.
template <int K>
void TimePass::expand_later(const Word* state, Block& block) {
    const Program& program = resolver_.program();
    std::vector<Word> now(state, state + program.schema.layout.words);
    const std::uint32_t begin = block.candidates;
    while (block.candidates == begin && advance(now.data()) && program.schema.fits())
        for (std::uint32_t a = 0; a < program.actions().size() && program.schema.fits(); ++a) expand_now<K>(a, now.data(), block);
    for (std::uint32_t c = begin; c < block.candidates; ++c) {  // time has passed: progress is not the parent's
        block.found[c].place = no_place;
        block.found[c].outcome = no_outcome;
    }
}

template <int K>
void TimePass::expand_now(std::uint32_t action, const Word* state, Block& block) {
    Function& function = resolver_.program().actions()[action];
    if (expander_.expand_action<K>(action, function.trie, state, block)) return;
    const auto start = SteadyClock::now();
    const std::uint32_t outcomes = resolver_.program().outcomes.size();
    Trie direct;
    Trie& table = function.tabulated ? function.trie : direct;
    resolver_.resolve(action, state, table);
    function.seconds += seconds_since(start);
    resolver_.seconds += seconds_since(start);
    if (resolver_.program().schema.fits()) expander_.expand_action<K>(action, table, state, block);
    if (!function.tabulated) resolver_.program().outcomes.forget_from(outcomes);
}

/// Let time pass until the next token is ready; false when all are.
bool TimePass::advance(Word* state) {
    const Schema& schema = resolver_.program().schema;
    const std::optional<std::int64_t> passed = schema.next_ready(state);
    if (!passed) return false;
    TokenCounts held;
    for (const std::uint32_t bag : schema.timed) {
        schema.tokens_of(bag, state, held);
        if (held.size() == 0) continue;
        aged_.clear();
        for (std::size_t i = 0; i < held.size(); ++i) {
            const Stamps& stamps = schema.variables[bag].stamps;
            const Id kind = stamps.kind(held.token(i));
            const std::int64_t wait = stamps.wait(held.token(i)) - *passed;
            const Id known = stamps.find(kind, wait);
            aged_.emplace_back(known ? known : time_.stamped(bag, kind, wait), held.count(i));
        }
        std::sort(aged_.begin(), aged_.end(), std::greater<>());
        if (!schema.replace(bag, aged_, state, additions_)) return true;  // it does not fit: the caller looks
    }
    const Field& clock = schema.layout.fields[schema.clock];
    const Id later = time_.later(static_cast<Id>(clock.load(state)), *passed);
    if (schema.fits()) clock.store(state, later);
    return true;
}

}  // namespace sweep
