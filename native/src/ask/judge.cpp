#include "sweep/ask/judge.hpp"

#include <algorithm>
#include <stdexcept>

namespace sweep {

void Judge::add(std::unique_ptr<Asker> asker) {
    if (asker->asks_found()) finders_.push_back(asker.get());
    asks_cycles_ |= asker->asks_cycles();
    if (asker->asks_processed()) followers_.push_back(asker.get());
    asks_steps_ |= asker->asks_steps();
    graph.labelled |= asker->asks_labels();
    askers_.push_back(std::move(asker));
}

Stop Judge::found(const Word* state, std::uint64_t number, Place place) {
    for (Asker* asker : finders_)
        if (const Stop stop = asker->found(state, number, place); stop != Stop::none) return stop;
    return Stop::none;
}

std::vector<FunctionId> Judge::functions() const {
    std::vector<FunctionId> all;
    for (const Asker* asker : finders_) asker->add_functions(all);
    return all;
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
    for (Asker* const asker : followers_) asker->processed(batch, block);
    Stop stop = asks_steps_ ? see_steps(batch, block) : Stop::none;
    if (stop == Stop::none && log && log->error() && !needs_more()) stop = Stop::disk;
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
    want(batch, block);
}

void Judge::want(const Batch& batch, const Block& block) {
    wanted.assign(batch.count, 0);
    runs_.begin(schema_);
    for (const auto& asker : askers_) asker->want(batch, block, wanted);
}

void Judge::begin_graph() {
    graph.clear();
    for (const auto& asker : askers_) asker->begin_layer();
}

void Judge::begin_layer(const Batch& batch, Layer& layer) {
    graph_of_ = batch.place;
    next_look_ = first_look;
    begin_graph();
    // Only an order that is not transitive lets a layer be entered again; its cycles could not be trusted then.
    if (layer.visited.size() != layer.unprocessed.size())
        throw std::runtime_error("a layer was entered again: the order of the progress measure is not transitive");
    if (log) {
        const Width width = schema_.layout.width();
        States numbers;
        layer.unprocessed.each(static_cast<int>(batch.stride), [&](const Word* state) {
            numbers.push_back(layer.visited.number<0>(layer.visited.find(state, hash_words<0>(state, width), width), width));
        });
        log->begin_layer(std::move(numbers));
        return;
    }
    number_unprocessed(layer, static_cast<int>(batch.stride));
}

void Judge::number_unprocessed(Layer& layer, int stride) {
    const Width width = schema_.layout.width();
    layer.visited.keep_numbers();
    if (layer.visited.size() != layer.unprocessed.size())  // one that no number was left for
        layer.visited.each(width.words, [&](const Word* state) { layer.visited.number<0>(state, width) = nothing; });
    std::uint32_t number = 0;
    layer.unprocessed.each(stride, [&](const Word* state) {
        layer.visited.number<0>(layer.visited.find(state, hash_words<0>(state, width), width), width) = number++;
    });
}

CompleteLayer Judge::shown(Layer& layer, const std::function<bool()>& go_on) const {
    const int k = schema_.layout.words;
    const auto each = [&layer, k](const CompleteLayer::Visit& visit) {
        layer.visited.each(k, [&](const Word* state) { visit(layer.visited.number<0>(state, k), state); });
    };
    const auto states = [this, each](const States& numbers) {
        std::vector<const Word*> all(graph.size());
        each([&](std::uint32_t number, const Word* state) {
            const std::uint32_t position = log ? log->position(number) : number;
            if (position < all.size()) all[position] = state;
        });
        std::vector<Unpacked> result;
        for (const std::uint32_t number : numbers) result.push_back(schema_.unpack(all[number]));
        return result;
    };
    return {graph, states, go_on, each};
}

Stop Judge::layer_so_far(Layer& layer, const std::function<bool()>& go_on) {
    next_look_ *= 4;
    const CompleteLayer so_far = shown(layer, go_on);
    Stop stop = Stop::none;
    for (std::size_t i = 0; i < askers_.size() && stop == Stop::none; ++i) stop = askers_[i]->layer_so_far(so_far);
    return stop;
}

Stop Judge::decide(const CompleteLayer& complete) {
    Stop stop = Stop::none;
    for (std::size_t i = 0; i < askers_.size() && stop == Stop::none; ++i) stop = askers_[i]->layer_done(complete);
    return stop;
}

Stop Judge::layer_done(Layer& layer, const std::function<bool()>& go_on) {
    if (graph_of_ == no_place) return Stop::none;
    const Stop stop = decide(shown(layer, go_on));
    if (log) log->end_layer();
    layer.visited.drop_numbers();
    graph_of_ = no_place;
    return stop;
}

void Judge::layer_left(Layer& layer) {
    if (graph_of_ == no_place) {
        if (layer.unprocessed.size() == 0) return;  // it was complete
        graph.clear();
        number_unprocessed(layer, schema_.layout.words);
    }
    const CompleteLayer left = shown(layer, {});
    for (const auto& asker : askers_) asker->layer_left(left);
    layer.visited.drop_numbers();
    graph_of_ = no_place;
}

Stop Judge::end(std::uint64_t roots, const std::function<bool()>& go_on) {
    Stop stop = Stop::none;
    for (std::size_t i = 0; i < askers_.size() && stop == Stop::none; ++i) stop = askers_[i]->end(roots, ledger_.counters.states, go_on);
    return stop;
}

}  // namespace sweep
