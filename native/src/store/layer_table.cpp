#include "sweep/store/layer_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweep {

void LayerTable::split(std::uint32_t parts, std::uint64_t likely, Width width) {
    const auto for_each = [&](std::uint64_t states) {  // they are not filled quite alike
        const double each = static_cast<double>(states) / parts;
        return static_cast<std::uint64_t>(each + 3 * std::sqrt(each)) + 16;
    };
    many_.reserve(parts);
    for (std::uint32_t i = 0; i < parts; ++i) {
        VisitedTable& part = many_.emplace_back(account_);
        part.reserve<0>(for_each(one_.size()), width);
        if (likely) part.foresee<0>(for_each(likely), width);
    }
    first_ = many_.data();
    mask_ = parts - 1;
    one_.each(width.words, [&](const Word* state) { insert<0>(state, hash_words<0>(state, width), width); });
    one_.clear();
}

/// The hash of a state goes by its layout: it may belong to another part afterwards. So all parts are filled at once, by whoever
/// rewrites a part of before; the few that find no slot come last.
void LayerTable::rewrite(Transfer& transfer, const Together& together) {
    if (!is_split()) {
        one_.rewrite(transfer);
        return;
    }
    struct Rewritten {
        std::vector<std::uint32_t> counts;  // per part
        std::vector<Word> left;             // states
    };
    const Width width = transfer.width();
    const std::size_t words = static_cast<std::size_t>(width.words);
    std::vector<VisitedTable> before;
    std::swap(before, many_);
    many_.reserve(before.size());
    for (const VisitedTable& part : before) many_.emplace_back(account_).allocate_for(part, width.words);
    first_ = many_.data();
    std::vector<Rewritten> rewritten(before.size());
    const auto rewrite_part = [&](std::uint32_t i) {
        Rewritten& mine = rewritten[i];
        mine.counts.resize(before.size());
        Transfer own = transfer;
        before[i].each_rewritten(
            own, [&](Word hash) -> VisitedTable& { return part(hash); },
            [&](const Word* state, Word hash, const Word*) {
                if (part(hash).put(state, hash, width))
                    ++mine.counts[part_of(hash)];
                else
                    mine.left.insert(mine.left.end(), state, state + words);
            });
        before[i].clear();
    };
    const auto jobs = static_cast<std::uint32_t>(before.size());
    if (transfer.may_share() && !Spill::at_work())
        together(jobs, rewrite_part);
    else
        for (std::uint32_t i = 0; i < jobs; ++i) rewrite_part(i);
    for (const Rewritten& one : rewritten)
        for (std::size_t part = 0; part < many_.size(); ++part) many_[part].put_many(one.counts[part]);
    for (const Rewritten& one : rewritten)
        for (std::size_t at = 0; at < one.left.size(); at += words)
            insert<0>(one.left.data() + at, hash_words<0>(one.left.data() + at, width), width);
}

void LayerTable::inspect(Inspection& seen, int words, const Together& together) const {
    const auto look = [words](const VisitedTable& part, Inspection& by) { part.each(words, [&](const Word* state) { by.look(state); }); };
    if (!is_split() || Spill::at_work()) {
        each_part([&](const VisitedTable& part) { look(part, seen); });
        return;
    }
    std::vector<Inspection> parts(many_.size(), seen);
    together(static_cast<std::uint32_t>(parts.size()), [&](std::uint32_t i) { look(many_[i], parts[i]); });
    for (const Inspection& part : parts) seen.add(part);
}

void LayerTable::clear() {
    many_.clear();
    one_.clear();
    first_ = &one_;
    mask_ = 0;
}

}  // namespace sweep
