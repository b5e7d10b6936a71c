#include "sweep/ask/run_questions.hpp"

namespace sweep {

/// Visit the questions about runs that are open, each with the number of its reader, until one of them says to stop.
template <class Visit>
Stop RunQuestions::each_open(Visit&& visit) {
    for (Question& question : questions_.all) {
        if (question.decided || question.on != Question::On::ltl) continue;
        if (const Stop stop = visit(question, static_cast<std::size_t>(question.predicate)); stop != Stop::none) return stop;
    }
    return Stop::none;
}

void RunQuestions::begin_layer() {
    for (OfLayer& one : of_) {
        one.settled.clear();
        one.marks.clear();
    }
}

void RunQuestions::want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) {
    const Layout& layout = resolver_.program().schema.layout;
    each_open([&](const Question&, std::size_t w) {
        for (std::uint32_t p = 0; p < batch.count; ++p) {
            const std::uint32_t stage = readers_[w].stage(batch.state(p), layout);
            const bool settled = block.is_outside(p) || readers_[w].lost_interest(stage);
            of_[w].settled.push_back(settled);
            of_[w].marks.push_back(readers_[w].marked[stage]);
            wanted[p] |= !settled;
        }
        return Stop::none;
    });
}

Stop RunQuestions::dead(const Word* state, std::uint64_t, Place) {
    const auto ask = [&](std::uint32_t predicate, const Word* of) { return std::optional(resolver_.satisfies(predicate, of)); };
    return each_open([&](Question& question, std::size_t w) {
        Reader& reader = readers_[w];
        const std::uint32_t letter = *reader.letter(state, std::nullopt, ask);
        const Schema& schema = resolver_.program().schema;
        if (!reader.accepts_for_ever(reader.stage(state, schema.layout), letter)) return Stop::none;
        return questions_.decide(question, no_parent, schema.unpack(state));
    });
}

Stop RunQuestions::layer_done(const CompleteLayer& layer) {
    return each_open([&](Question& question, std::size_t w) {
        if (!layer.go_on()) return Stop::none;
        for (const std::uint32_t stuck : layer.graph.stutters()) of_[w].settled[stuck] = 1;  // decided when it was found to be dead
        const Acceptance acceptance{of_[w].marks, readers_[w].all_marks};
        const std::size_t actions = resolver_.program().actions().size();
        return decide_by(questions_, question, avoiding_cycle(layer.graph, of_[w].settled, fair_, actions, acceptance), layer);
    });
}

}  // namespace sweep
