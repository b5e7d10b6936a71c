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

RunQuestions::RunQuestions(Resolver& resolver, Questions& questions, std::vector<Reader>& readers, Runs& runs)
    : resolver_(resolver), questions_(questions), readers_(readers), runs_(runs), of_(readers.size()) {
    for (std::size_t r = 0; r < readers.size(); ++r) of_[r].recurs = recurring(readers[r]);
}

void RunQuestions::begin_layer() {
    for (OfLayer& one : of_) {
        one.settled.clear();
        one.marks.clear();
        one.open = false;
        one.end = nothing;
    }
}

void RunQuestions::want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) {
    const Layout& layout = resolver_.program().schema.layout;
    questions_.each_open(Question::On::ltl, [&](const Question&, std::size_t w) {
        for (std::uint32_t p = 0; p < batch.count; ++p) {
            const std::uint32_t stage = readers_[w].stage(batch.state(p), layout);
            const bool settled = block.is_outside(p) || !of_[w].recurs[stage];
            if (of_[w].end == nothing && block.parents[p].edges() && runs_.may_end(batch, block, p) && accepts_end(w, batch.state(p)))
                of_[w].end = static_cast<std::uint32_t>(of_[w].settled.size());
            of_[w].settled.push_back(settled);
            of_[w].marks.push_back(readers_[w].marked[stage]);
            wanted[p] |= !settled;
            of_[w].open |= !settled;
        }
        return Stop::none;
    });
}

/// Whether a run that stays in a state for ever is accepted.
bool RunQuestions::accepts_end(std::size_t w, const Word* state) {
    const auto ask = [&](std::uint32_t predicate, const Word* of) { return std::optional(resolver_.satisfies(predicate, of)); };
    const std::uint32_t letter = *readers_[w].letter(state, std::nullopt, ~0u, ask);
    return readers_[w].accepts_for_ever(readers_[w].stage(state, resolver_.program().schema.layout), letter);
}

Stop RunQuestions::dead(const Word* state, std::uint64_t, Place) {
    return questions_.each_open(Question::On::ltl, [&](Question& question, std::size_t w) {
        if (!accepts_end(w, state)) return Stop::none;
        return questions_.decide(question, no_parent, resolver_.program().schema.unpack(state));
    });
}

Stop RunQuestions::layer_done(const CompleteLayer& layer) {
    return questions_.each_open(Question::On::ltl, [&](Question& question, std::size_t w) {
        if (of_[w].end != nothing) return decide_by(questions_, question, {of_[w].end, {}}, layer, runs_);
        if (!of_[w].open || !layer.go_on()) return Stop::none;
        const Acceptance acceptance{of_[w].marks, readers_[w].all_marks, false};  // ends were looked at when they were processed
        return decide_by(questions_, question, avoiding_cycle(layer.graph, of_[w].settled, runs_, acceptance), layer, runs_);
    });
}

}  // namespace sweep
