#include "sweep/explore/walks.hpp"

#include <algorithm>

namespace sweep {

namespace {

constexpr std::uint64_t most_steps_kept = 1 << 26;  // of all walks that go on together

}  // namespace

Walks::Walks(Crew& crew, Questions& questions, StepQuestions& steps, const WalkSettings& settings)
    : decided(questions.all.size()),
      crew_(crew),
      questions_(questions),
      state_questions_(crew.resolver, questions),
      step_questions_(steps),
      settings_(settings),
      width_(static_cast<std::size_t>(crew.schema().layout.words)) {
    const std::uint64_t with_room = std::max<std::uint64_t>(block_size, most_steps_kept / std::max<std::uint64_t>(1, settings_.depth));
    settings_.together = static_cast<std::uint32_t>(std::min<std::uint64_t>(settings_.together, with_room));
}

Stop Walks::run(const std::vector<std::vector<Word>>& roots) {
    for (const std::vector<Word>& root : roots) roots_.insert(roots_.end(), root.begin(), root.end());
    Stop stop = Stop::none;
    for (std::uint64_t first = 0; first < settings_.walks && stop == Stop::none; first += settings_.together)
        stop = go_together(first, static_cast<std::uint32_t>(std::min<std::uint64_t>(settings_.together, settings_.walks - first)));
    return stop;
}

/// Walks from one number on, all a step further, until they have ended.
Stop Walks::go_together(std::uint64_t first, std::uint32_t count) {
    walks_.clear();
    active_.clear();
    states_.resize(count * width_);
    for (std::uint32_t walk = 0; walk < count; ++walk) {
        Walk& one = walks_.emplace_back(Walk{WalkRandom(settings_.seed, first + walk), {}});
        one.way.root = one.random.below(roots_.size() / width_);
        const auto root = roots_.begin() + static_cast<std::ptrdiff_t>(one.way.root * width_);
        std::copy_n(root, width_, state(walk));
        active_.push_back(walk);
        ++begun;
        count_distinct(state(walk));
        const Stop stop = note(state_questions_.found(state(walk), walk, 0), walk);
        if (stop != Stop::none) return stop;
    }
    std::vector<std::uint32_t> still;
    for (std::uint64_t step = 0; step < settings_.depth && !active_.empty(); ++step) {
        still.clear();
        for (std::size_t from = 0; from < active_.size(); from += block_size) {
            const auto some = static_cast<std::uint32_t>(std::min<std::size_t>(block_size, active_.size() - from));
            const Stop stop = continue_some(from, some, still);
            if (stop != Stop::none) return stop;
        }
        active_.swap(still);
    }
    return Stop::none;
}

/// One more step of some walks; those that go on are still active.
Stop Walks::continue_some(std::size_t from, std::uint32_t count, std::vector<std::uint32_t>& still) {
    if (const Stop stop = crew_.guard.look(1); stop != Stop::none) return stop;
    batch_from_ = from;
    batch_count_ = count;
    for (;;) {
        if (!crew_.schema().fits()) grow();
        gather(from, count);
        if (crew_.expand<0>({gathered_.data(), count, width_, 0, false})) break;
    }
    const Batch batch{gathered_.data(), count, width_, 0, false};
    crew_.verifier.look(batch, crew_.round.block(0), crew_.ledger.counters.explored, crew_.guard.seconds);
    for (std::uint32_t p = 0; p < count; ++p) {
        ++crew_.ledger.counters.explored;
        const Stop stop = take_step(batch, p, still);
        if (stop != Stop::none) return stop;
    }
    return Stop::none;
}

Stop Walks::take_step(const Batch& batch, std::uint32_t parent, std::vector<std::uint32_t>& still) {
    const std::uint32_t walk = active_[batch_from_ + parent];
    const Block& block = crew_.round.block(0);
    const Block::Parent range = block.parents[parent];
    crew_.ledger.counters.edges += range.end - range.begin;
    if (range.begin == range.end) {
        if (block.is_outside(parent)) {
            ++left;
            return Stop::none;
        }
        ++dead_ends;
        return note(state_questions_.dead(batch.state(parent), walk, 0), walk);
    }
    Walk& one = walks_[walk];
    const std::uint32_t c = range.begin + static_cast<std::uint32_t>(one.random.below(range.end - range.begin));
    one.way.edges.push_back(Block::edge(block.found[c], crew_.ledger.actions()));
    std::copy_n(block.state(c), width_, state(walk));
    still.push_back(walk);
    ++steps;
    longest = std::max<std::uint64_t>(longest, one.way.edges.size());
    count_distinct(state(walk));
    const Stop stop = note(step_questions_.stepped(batch, parent, block, c), walk);
    return stop != Stop::none ? stop : note(state_questions_.found(state(walk), walk, 0), walk);
}

void Walks::gather(std::size_t from, std::uint32_t count) {
    gathered_.resize(count * width_);
    for (std::uint32_t p = 0; p < count; ++p) std::copy_n(state(active_[from + p]), width_, gathered_.data() + p * width_);
}

Stop Walks::note(Stop stop, std::uint32_t walk) {
    for (std::size_t i = 0; i < decided.size(); ++i)
        if (questions_.all[i].decided && !decided[i]) decided[i] = walks_[walk].way;
    return stop;
}

void Walks::count_distinct(const Word* state) {
    const Width width = crew_.schema().layout.width();
    if (counts_all()) distinct_.insert<0>(state, hash_words<0>(state, width), width);
}

void Walks::rewrite(Transfer& transfer) {
    const auto now = static_cast<std::size_t>(transfer.words());
    for (std::vector<Word>* all : {&states_, &roots_}) {
        std::vector<Word> rewritten(all->size() / width_ * now);
        for (std::size_t i = 0; i < all->size() / width_; ++i) transfer(all->data() + i * width_, rewritten.data() + i * now);
        all->swap(rewritten);
    }
    distinct_.rewrite(transfer);
    width_ = now;
}

std::optional<WalkWay> Walks::way_to(const Unpacked& wanted) const {
    const Schema& schema = crew_.schema();
    for (std::uint32_t p = 0; p < batch_count_; ++p)
        if (schema.unpack(gathered_.data() + p * width_) == wanted) return walks_[active_[batch_from_ + p]].way;
    return std::nullopt;
}

}  // namespace sweep
