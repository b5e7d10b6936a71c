#include "sweep/explore/pass.hpp"

namespace sweep {

bool TapePass::run_known(const Batch&, Block& block) const {
    const Layout& layout = program_.schema.layout;
    const Field& position = layout.fields[tape_.position];
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        Word* const state = block.state(c);
        const auto at = static_cast<std::size_t>(position.load(state));
        bool changed = false;
        for (const Tape::Column& column : tape_.columns) {
            const Field& field = layout.fields[column.field];
            if (field.load(state) == column.values[at]) continue;
            field.store(state, column.values[at]);
            changed = true;
        }
        if (!changed) continue;
        auto& found = block.found[c];
        found.hash = hash_words<0>(state, layout.width());
        found.place = no_place;  // the progress measure may read the tape
        found.outcome = no_outcome;
    }
    return true;
}

}  // namespace sweep
