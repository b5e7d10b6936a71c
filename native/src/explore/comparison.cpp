#include "sweep/explore/comparison.hpp"

#include <algorithm>

namespace sweep {

std::uint64_t Comparison::run(const Roots& roots, const Settings& settings) {
    WalkRandom random(settings.seed, 0);
    Unpacked state = roots[0];
    for (std::uint64_t i = 0; i < settings.states && edges_ <= settings.edges; ++i) {
        chance_ = random.below(std::uint64_t{1} << 32);
        if (known_.insert(digest(state)).second)
            compare(state);
        else
            steps_of(state);
        state = next_ ? std::move(*next_) : roots[random.below(roots.size())];
    }
    return compared_;
}

/// Where the walk comes to a state for the first time.
void Comparison::compare(const Unpacked& state) {
    compare(state, changed(state, [&](Word* words) { canonical_.settle(words); }));
    for (const Numbering& to : renamings_) compare(state, changed(state, [&](Word* words) { canonical_.rename(words, to); }));
    steps_of(state);
    edges_ += walked_;
}

void Comparison::compare(const Unpacked& state, const Unpacked& other) {
    if (other == state) return;
    ++compared_;
    for (;;) {
        const std::uint64_t layouts = layouts_;
        const std::vector<Step> found = steps_of(state), wanted = steps_of(other);
        const std::vector<Word> met = packed(state), known = packed(other);
        if (layouts != layouts_) continue;  // words mean something else now
        same_asked(known.data(), met.data());
        if (found != wanted) throw Disagreement({Role::action}, other, state);
        return;
    }
}

std::vector<Comparison::Step> Comparison::steps_of(const Unpacked& state) {
    std::vector<Word> words = packed(state);
    while (!crew_.expand<0>({words.data(), 1, words.size(), 0, false})) {
        grow();
        ++layouts_;
        words = packed(state);
    }
    const Block& block = crew_.round.block(0);
    const auto width = static_cast<std::size_t>(crew_.schema().layout.words);
    std::vector<Step> found;
    for (std::uint32_t c = 0; c < block.candidates; ++c) {
        const std::uint32_t action = block.found[c].action;
        Word said = 0;
        for (std::uint32_t i = 0; i < predicates_; ++i)
            said = said << 1 | step_questions_.holds(i, words.data(), block.made_state(c), action);
        Step& step = found.emplace_back(Step{crew_.classes.families[action], said});
        step.insert(step.end(), block.state(c), block.state(c) + width);
    }
    walked_ = block.candidates;
    next_.reset();
    if (walked_) next_ = crew_.schema().unpack(block.made_state(static_cast<std::uint32_t>(chance_ * walked_ >> 32)));
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::vector<Word> Comparison::packed(const Unpacked& state) {
    for (;;) {
        std::vector<Word> words(static_cast<std::size_t>(crew_.schema().layout.words));
        crew_.resolver.program().schema.pack(state, words.data());
        if (crew_.schema().fits()) return words;
        grow();
        ++layouts_;
    }
}

template <class Change>
Unpacked Comparison::changed(const Unpacked& state, Change&& change) {
    for (;;) {
        std::vector<Word> words = packed(state);
        change(words.data());
        if (crew_.schema().fits()) return crew_.schema().unpack(words.data());
        grow();
        ++layouts_;
    }
}

std::uint64_t Comparison::digest(const Unpacked& state) {
    Word hash = state.size();
    for (const std::vector<Id>& values : state) {
        hash = fold(hash ^ values.size(), 0x9E3779B97F4A7C15ull);
        for (const Id value : values) hash = fold(hash ^ value, 0xD1B54A32D192ED03ull);
    }
    return hash;
}

}  // namespace sweep
