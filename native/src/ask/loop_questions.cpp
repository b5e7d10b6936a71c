#include "sweep/ask/loop_questions.hpp"

namespace sweep {

LoopQuestions::LoopQuestions(Resolver& resolver, Questions& questions, const std::vector<Recurrence>& recurrences,
                             std::vector<Fairness> fair)
    : resolver_(resolver), questions_(questions), recurrences_(recurrences), fair_(std::move(fair)), letters_(recurrences.size()) {
    constexpr std::size_t most = 10;  // propositions of which all letters are looked at in advance
    for (std::size_t r = 0; r < recurrences.size(); ++r) {
        if (recurrences[r].propositions.size() > most) continue;
        Marks made;
        for (std::uint32_t letter = 0; letter >> recurrences[r].propositions.size() == 0; ++letter) made.push_back(is_admitted(r, letter));
        letters_[r].admitted = std::move(made);
    }
}

bool LoopQuestions::is_admitted(std::size_t r, std::uint32_t letter) const {
    if (!letters_[r].admitted.empty()) return letters_[r].admitted[letter] != 0;
    const auto& loops = recurrences_[r].loops;
    return std::any_of(loops.begin(), loops.end(), [&](const Recurrence::Loop& loop) { return loop.admits(letter); });
}

void LoopQuestions::begin_layer() {
    for (Seen& one : letters_) one.of_layer.clear();
}

void LoopQuestions::want(const Batch& batch, const Block& block, std::vector<std::uint8_t>& wanted) {
    questions_.each_open(Question::On::recurrence, [&](const Question&, std::size_t r) {
        for (std::uint32_t p = 0; p < batch.count; ++p) {
            std::uint32_t letter = block.is_outside(p) ? outside : 0;
            if (letter != outside)
                for (std::size_t i = 0; i < recurrences_[r].propositions.size(); ++i)
                    letter |= static_cast<std::uint32_t>(resolver_.satisfies(recurrences_[r].propositions[i], batch.state(p))) << i;
            letters_[r].of_layer.push_back(letter);
            wanted[p] |= letter != outside && is_admitted(r, letter);
        }
        return Stop::none;
    });
}

Stop LoopQuestions::layer_done(const CompleteLayer& layer) {
    return questions_.each_open(Question::On::recurrence, [&](Question& question, std::size_t r) {
        Lasso found;
        for (const Recurrence::Loop& loop : recurrences_[r].loops) {
            if (!layer.go_on()) return Stop::none;
            if (Lasso lasso = cycle(layer, loop, letters_[r].of_layer); lasso.start < found.start) found = std::move(lasso);
        }
        return decide_by(questions_, question, found, layer);
    });
}

Lasso LoopQuestions::cycle(const CompleteLayer& layer, const Recurrence::Loop& loop, const std::vector<std::uint32_t>& letters) const {
    Marks settled;
    std::vector<std::uint32_t> marks;
    std::uint32_t met = 0;
    bool open = false;
    for (const std::uint32_t letter : letters) {
        const bool admitted = letter != outside && loop.admits(letter);
        settled.push_back(!admitted);
        marks.push_back(admitted ? loop.marks(letter) : 0);
        open |= admitted;
        met |= marks.back();
    }
    if (!open || met != loop.all_marks()) return {};
    return avoiding_cycle(layer.graph, settled, fair_, resolver_.program().actions().size(), {marks, loop.all_marks()});
}

}  // namespace sweep
