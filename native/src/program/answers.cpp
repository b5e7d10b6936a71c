#include "sweep/program/answers.hpp"

#include <algorithm>

namespace sweep {

namespace {

std::uint32_t compared(const Schema& schema, const Sum& sum, const Trie::Node& node, const Word* state) {
    const std::int64_t total = schema.total_of(sum, state), other = static_cast<std::int32_t>(node.threshold);
    if (total == Numbers::none) return never_met;
    return node.ask == Ask::equal ? total == other : total >= other;
}

std::uint32_t folded(const Schema& schema, const Fold& fold, const Word* state) {
    const std::int64_t total = fold.total(schema.layout, state);
    if (total == Fold::unasked) return never_met;
    return total == Fold::unfit ? Fold::unfit_key : Fold::key_of(total);
}

std::uint32_t part(const Schema& schema, const Sieve& sieve, const Word* state) {
    if (sieve.membership) {
        const std::optional<bool> there = schema.holds(sieve, state);
        return !there ? never_met : *there ? Sieve::present_key : Sieve::absent_key;
    }
    thread_local std::vector<Id> part;
    const Id found = schema.part_of(sieve, state, part);
    if (found == Sieve::unfit) return Sieve::unfit_key;
    return found == Sieve::unasked ? never_met : sieve.met.find(part).value_or(never_met);
}

}  // namespace

std::uint32_t answer(const Schema& schema, const Trie& trie, const Trie::Node& node, const Word* state) {
    switch (node.ask) {
        case Ask::value: return static_cast<std::uint32_t>(schema.layout.fields[node.field].load(state));
        case Ask::size: return schema.size_of(node.field, state);
        case Ask::count: return schema.count_of(node.field, node.argument, state);
        case Ask::at_least: return schema.count_of(node.field, node.argument, state) >= node.threshold;
        case Ask::not_less:
        case Ask::equal: return compared(schema, trie.sum(node.argument), node, state);
        case Ask::fold: return folded(schema, trie.fold(node.argument), state);
        case Ask::element: return schema.element_of(node.field, node.argument, state);
        case Ask::part: return part(schema, schema.sieves[node.argument], state);
        case Ask::whole: return schema.whole_of(node.field, state).value_or(never_met);
        default: return 0;
    }
}

std::vector<Id> takeable(const Schema& schema, const Trie& trie, const Trie::Node& node, const Word* state) {
    TokenCounts held;
    schema.available(node.field, state, held);
    const std::vector<Id>& taken = trie.taken(node.threshold);
    std::vector<Id> keys;
    for (std::size_t i = 0; i < held.size(); ++i)
        if (held.count(i) > static_cast<Id>(std::count(taken.begin(), taken.end(), held.token(i)))) keys.push_back(held.token(i));
    return keys;
}

}  // namespace sweep
