#include <optional>

#include "sweep/explore/pass.hpp"

namespace sweep {

/// A successor has its parent's bit to begin with. Doing this twice changes nothing.
template <class Ask>
bool AwaitedPass::mark(Block& block, Ask&& ask) const {
    const Layout& layout = resolver_.program().schema.layout;
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        Word* const state = block.state(c);
        bool changed = false;
        for (const Awaited& one : all_) {
            const Field& bit = layout.fields[one.field];
            const std::optional<bool> reached = ask(one.until, state);
            if (!reached) return false;
            const bool before = bit.load(state) != 0;
            bool awaited = before && !*reached;
            if (!before && !*reached) {
                const std::optional<bool> begins = ask(one.since, state);
                if (!begins) return false;
                awaited = *begins;
            }
            if (awaited == before) continue;
            bit.store(state, awaited);
            changed = true;
        }
        if (changed) block.found[c].hash = hash_words<0>(state, layout.width());
    }
    return true;
}

void AwaitedPass::run(const Batch&, Block& block) {
    mark(block, [&](std::uint32_t predicate, const Word* state) { return std::optional(resolver_.satisfies(predicate, state)); });
}

bool AwaitedPass::run_known(const Batch&, Block& block) const {
    return mark(block, [&](std::uint32_t predicate, const Word* state) { return resolver_.program().known(predicate, state); });
}

}  // namespace sweep
