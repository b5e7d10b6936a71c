#include "sweep/ask/run_questions.hpp"

namespace sweep {

namespace {

/// The stages of components that have all marks: no other one is on a cycle that is accepted.
Marks recurring(const Reader& reader) {
    LayerGraph graph;
    graph.clear();
    for (std::uint32_t stage = 0; stage < reader.edges.size(); ++stage) {
        for (const Reader::Edge& edge : reader.edges[stage]) graph.add(edge.target, nothing);
        graph.end_state(false);
    }
    Marks found(reader.edges.size(), 0);
    each_scc(
        graph, [](std::uint32_t) { return true; }, [](std::uint32_t, std::uint32_t) { return true; },
        [&](std::span<const std::uint32_t> scc) {
            std::uint32_t met = 0;
            for (const std::uint32_t stage : scc) met |= reader.marked[stage];
            for (const std::uint32_t stage : scc) found[stage] = met == reader.all_marks;
            return true;
        });
    return found;
}

}  // namespace

RunQuestions::RunQuestions(Resolver& resolver, Questions& questions, std::vector<Reader>& readers, std::vector<Fairness> fair)
    : resolver_(resolver), questions_(questions), readers_(readers), fair_(std::move(fair)), of_(readers.size()) {
    for (std::size_t r = 0; r < readers.size(); ++r) of_[r].recurs = recurring(readers[r]);
}

void RunQuestions::begin_layer() {
    for (OfLayer& one : of_) {
        one.settled.clear();
        one.marks.clear();
        one.open = false;
    }
}

void RunQuestions::want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) {
    const Layout& layout = resolver_.program().schema.layout;
    questions_.each_open(Question::On::ltl, [&](const Question&, std::size_t w) {
        for (std::uint32_t p = 0; p < batch.count; ++p) {
            const std::uint32_t stage = readers_[w].stage(batch.state(p), layout);
            const bool settled = block.is_outside(p) || !of_[w].recurs[stage];
            of_[w].settled.push_back(settled);
            of_[w].marks.push_back(readers_[w].marked[stage]);
            wanted[p] |= !settled;
            of_[w].open |= !settled;
        }
        return Stop::none;
    });
}

Stop RunQuestions::dead(const Word* state, std::uint64_t, Place) {
    const auto ask = [&](std::uint32_t predicate, const Word* of) { return std::optional(resolver_.satisfies(predicate, of)); };
    return questions_.each_open(Question::On::ltl, [&](Question& question, std::size_t w) {
        Reader& reader = readers_[w];
        const std::uint32_t letter = *reader.letter(state, std::nullopt, ~0u, ask);
        const Schema& schema = resolver_.program().schema;
        if (!reader.accepts_for_ever(reader.stage(state, schema.layout), letter)) return Stop::none;
        return questions_.decide(question, no_parent, schema.unpack(state));
    });
}

Stop RunQuestions::layer_done(const CompleteLayer& layer) {
    return questions_.each_open(Question::On::ltl, [&](Question& question, std::size_t w) {
        if (!of_[w].open || !layer.go_on()) return Stop::none;
        for (const std::uint32_t stuck : layer.graph.stutters()) of_[w].settled[stuck] = 1;  // decided when it was found to be dead
        const Acceptance acceptance{of_[w].marks, readers_[w].all_marks};
        const std::size_t actions = resolver_.program().actions().size();
        return decide_by(questions_, question, avoiding_cycle(layer.graph, of_[w].settled, fair_, actions, acceptance), layer);
    });
}

}  // namespace sweep
