#include "sweep/program/filing.hpp"

#include <algorithm>
#include <utility>

#include "sweep/program/block.hpp"

namespace sweep {

namespace {

constexpr std::size_t few = 8;  // transitions: they are as well looked at one by one

/// Whether transitions may be filed under a place: its tokens lie in one piece.
bool heads(std::uint32_t place, const Schema& schema) {
    const Field& field = schema.layout.fields[place];
    return schema.variables[place].form == Form::counts && !field.spans() && field.high.width == 0;
}

}  // namespace

void Filing::look(const Counting& counting, const Schema& schema, const Batch& batch) {
    marked_.resize(schema.variables.size());
    for (std::uint32_t& count : marked_) count /= 2;  // what was seen before counts half
    std::vector<std::uint8_t> looked(marked_.size());
    for (std::size_t i = 0; i < counting.size(); ++i)
        for (const CountTransition::Arc& arc : counting[i].takes) {
            if (std::exchange(looked[arc.place], 1) || !heads(arc.place, schema)) continue;
            const Field& field = schema.layout.fields[arc.place];
            const Word mask = field.mask_of(0);
            for (std::uint32_t p = 0; p < batch.count; ++p) marked_[arc.place] += (batch.state(p)[field.low.word] & mask) != 0;
        }
}

Filing::Filed Filing::filed(const Counting& counting, std::uint32_t transition) {
    const Counting::Firing& firing = counting.firing(transition);
    Filed result;
    if (firing.tests) static_cast<Counting::Test&>(result) = *counting.tests(firing);
    result.transition = transition;
    return result;
}

void Filing::file(const Counting& counting, const Schema& schema) {
    marked_.resize(schema.variables.size());
    std::vector<std::vector<std::uint32_t>> under(schema.variables.size());
    always_.clear();
    for (std::uint32_t i = 0; i < counting.size(); ++i) {
        if (!counting.firing(i).possible) continue;
        const CountTransition::Arc* best = nullptr;
        for (const CountTransition::Arc& arc : counting[i].takes) {
            if (!heads(arc.place, schema)) continue;
            if (!best || marked_[arc.place] < marked_[best->place]) best = &arc;
        }
        if (best && counting.size() > few)
            under[best->place].push_back(i);
        else
            always_.push_back(filed(counting, i));
    }
    filed_.clear();
    heads_.clear();
    watched_.clear();
    std::vector<Watched> words(static_cast<std::size_t>(schema.layout.words));
    for (std::uint32_t place = 0; place < under.size(); ++place) {
        if (under[place].empty()) continue;
        const Field& field = schema.layout.fields[place];
        Watched& watched = words[field.low.word];
        if (!watched.mask) {
            watched.word = field.low.word;
            watched.first = static_cast<std::uint32_t>(heads_.size());
            heads_.resize(heads_.size() + 64);
        }
        const Head head{field.mask_of(0), static_cast<std::uint32_t>(filed_.size()), static_cast<std::uint32_t>(under[place].size())};
        watched.mask |= head.mask;
        for (Word rest = head.mask; rest; rest &= rest - 1)
            heads_[watched.first + static_cast<std::uint32_t>(__builtin_ctzll(rest))] = head;
        for (const std::uint32_t transition : under[place]) filed_.push_back(filed(counting, transition));
    }
    for (const Watched& watched : words)
        if (watched.mask) watched_.push_back(watched);
}

}  // namespace sweep
