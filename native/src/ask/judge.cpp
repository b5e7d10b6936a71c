#include "sweep/ask/judge.hpp"

#include <algorithm>
#include <stdexcept>

namespace sweep {

void Judge::add(std::unique_ptr<Asker> asker) {
    if (asker->asks_found()) finders_.push_back(asker.get());
    asks_cycles_ |= asker->asks_cycles();
    asks_processed_ |= asker->asks_processed();
    asks_steps_ |= asker->asks_steps();
    graph.labelled |= asker->asks_labels();
    askers_.push_back(std::move(asker));
}

Stop Judge::found(const Word* state, std::uint64_t number, Place place) {
    for (Asker* asker : finders_)
        if (const Stop stop = asker->found(state, number, place); stop != Stop::none) return stop;
    return Stop::none;
}

bool Judge::passes(const Word* state) const {
    return std::all_of(finders_.begin(), finders_.end(), [&](const Asker* asker) { return asker->passes(state); });
}

Stop Judge::dead(const Word* state, std::uint64_t number, Place place) {
    for (const auto& asker : askers_)
        if (const Stop stop = asker->dead(state, number, place); stop != Stop::none) return stop;
    return Stop::none;
}

Stop Judge::see(const Batch& batch, const Block& block) {
    for (const auto& asker : askers_) asker->processed(batch, block);
    Stop stop = asks_steps_ ? see_steps(batch, block) : Stop::none;
    if (log && log->error()) stop = Stop::memory;  // whoever asked tells why
    for (std::size_t i = 0; i < block.fresh.size() && stop == Stop::none; ++i) {
        const Block::Fresh& one = block.fresh[i];
        if (!one.passed) stop = found(block.state(one.candidate), one.number, block.found[one.candidate].place);
    }
    ledger_.counters.dead += block.dead.size();
    for (std::size_t i = 0; i < block.dead.size() && stop == Stop::none; ++i)
        stop = dead(batch.state(block.dead[i]), batch.number(block.dead[i]), batch.place);
    return stop;
}

Stop Judge::see_steps(const Batch& batch, const Block& block) {
    for (std::uint32_t p = 0; p < batch.count; ++p)
        for (std::uint32_t c = block.parents[p].begin; c < block.parents[p].end; ++c)
            for (const auto& asker : askers_)
                if (const Stop stop = asker->stepped(batch, p, block, c); stop != Stop::none) return stop;
    return Stop::none;
}

void Judge::begin(const Batch& batch, const Block& block, Layer& layer) {
    if (graph_of_ != batch.place) begin_layer(batch, layer);
    wanted.assign(batch.count, 0);
    for (const auto& asker : askers_) asker->want(batch, block, wanted);
}

void Judge::begin_layer(const Batch& batch, Layer& layer) {
    graph_of_ = batch.place;
    graph.clear();
    for (const auto& asker : askers_) asker->begin_layer();
    const Width width = schema_.layout.width();
    // Only an order that is not transitive lets a layer be entered again; its cycles could not be trusted then.
    if (layer.visited.size() != layer.unprocessed.size())
        throw std::runtime_error("a layer was entered again: the order of the progress measure is not transitive");
    if (log) {
        States numbers;
        layer.unprocessed.each(static_cast<int>(batch.stride), [&](const Word* state) {
            numbers.push_back(layer.visited.number<0>(layer.visited.find(state, hash_words<0>(state, width), width), width));
        });
        log->begin_layer(std::move(numbers));
        return;
    }
    layer.visited.keep_numbers();
    std::uint32_t number = 0;
    layer.unprocessed.each(static_cast<int>(batch.stride), [&](const Word* state) {
        layer.visited.number<0>(layer.visited.find(state, hash_words<0>(state, width), width), width) = number++;
    });
}

Stop Judge::layer_done(Layer& layer, const std::function<bool()>& go_on) {
    if (graph_of_ == no_place) return Stop::none;
    const int k = schema_.layout.words;
    const auto states = [&](const States& numbers) {
        std::vector<const Word*> all(graph.size());
        layer.visited.each(k, [&](const Word* state) {
            const std::uint32_t number = layer.visited.number<0>(state, k);
            all[log ? log->position(number) : number] = state;
        });
        std::vector<Unpacked> result;
        for (const std::uint32_t number : numbers) result.push_back(schema_.unpack(all[number]));
        return result;
    };
    const CompleteLayer complete{graph, states, go_on};
    Stop stop = Stop::none;
    for (std::size_t i = 0; i < askers_.size() && stop == Stop::none; ++i) stop = askers_[i]->layer_done(complete);
    if (log) log->end_layer();
    layer.visited.drop_numbers();
    graph_of_ = no_place;
    return stop;
}

Stop Judge::end(std::uint64_t roots, const std::function<bool()>& go_on) {
    Stop stop = Stop::none;
    for (std::size_t i = 0; i < askers_.size() && stop == Stop::none; ++i) stop = askers_[i]->end(roots, ledger_.counters.states, go_on);
    return stop;
}

}  // namespace sweep
