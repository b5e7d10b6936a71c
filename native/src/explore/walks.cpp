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
      asks_steps_(steps.asks_steps()),
      settings_(settings),
      width_(static_cast<std::size_t>(crew.schema().layout.words)),
      distinct_(crew.workers.count()) {
    const std::uint64_t with_room = std::max<std::uint64_t>(block_size, most_steps_kept / std::max<std::uint64_t>(1, settings_.depth));
    settings_.together = static_cast<std::uint32_t>(std::min<std::uint64_t>(settings_.together, with_room));
}

Stop Walks::run(const std::vector<std::vector<Word>>& roots) {
    for (const std::vector<Word>& root : roots) roots_.insert(roots_.end(), root.begin(), root.end());
    Stop stop = Stop::none;
    try {
        for (std::uint64_t first = 0; first < settings_.walks && stop == Stop::none; first += settings_.together)
            stop = go_together(first, static_cast<std::uint32_t>(std::min<std::uint64_t>(settings_.together, settings_.walks - first)));
    } catch (...) {
        count_met();
        throw;
    }
    count_met();
    return stop;
}

/// Walks from one number on, all a step further, until they have ended.
Stop Walks::go_together(std::uint64_t first, std::uint32_t count) {
    Stop stop = begin_walks(first, count);
    for (step_ = 0; step_ < settings_.depth && !active_.empty() && stop == Stop::none; ++step_) stop = take_steps();
    return stop;
}

Stop Walks::begin_walks(std::uint64_t first, std::uint32_t count) {
    count_met();
    walks_.clear();
    active_.clear();
    taken_.resize(count);
    for (Where* where : {&here_, &next_}) {
        where->states.resize(count * width_);
        where->hashes.resize(count);
    }
    for (std::uint32_t walk = 0; walk < count; ++walk) {
        Walk& one = walks_.emplace_back(Walk{WalkRandom(settings_.seed, first + walk), {}});
        one.way.root = one.random.draw(1, roots_.size() / width_);
        std::copy_n(roots_.data() + one.way.root * width_, width_, state(here_, walk));
    }
    next_.states = here_.states;  // nothing in there is no state
    for (std::uint32_t walk = 0; walk < count; ++walk) {
        ++begun;
        active_.push_back(walk);
        here_.hashes[walk] = hash_words<0>(state(here_, walk), crew_.schema().layout.width());
        met_.push_back(walk);
        const Stop stop = note(state_questions_.found(state(here_, walk), walk, 0), walk);
        if (stop != Stop::none) return stop;
    }
    return Stop::none;
}

/// One more step of all active walks; those that go on stay active.
Stop Walks::take_steps() {
    if (const Stop stop = crew_.guard.look(1); stop != Stop::none) return stop;
    gathered_.resize(active_.size() * width_);
    prepared_.assign(batches(), 0);
    if (shares()) prepare_together();
    count_met();
    still_.clear();
    met_in_ = &next_;
    std::uint64_t known_by = crew_.resolver.program().epoch;  // tables may forget; else they only learn
    Stop stop = Stop::none;
    for (std::uint32_t i = 0; i < batches() && stop == Stop::none; ++i) {
        crew_.resolver.reconsider(crew_.ledger.counters.explored);
        if (crew_.resolver.program().epoch != known_by) prepared_.assign(batches(), 0);
        known_by = crew_.resolver.program().epoch;
        const bool prepared = prepared_[i] != 0;
        if (!prepared && i > 0) stop = crew_.guard.look(1);
        if (stop != Stop::none) break;
        if (!prepared) expand_alone(i);
        const Batch batch = batch_at(i);
        const Block& block = crew_.round.block(prepared ? i + 1 : 0);
        crew_.verifier.look(batch, block, crew_.ledger.counters.explored, crew_.guard.seconds);
        stop = conclude(batch, block, std::size_t{i} * block_size);
    }
    active_.swap(still_);
    std::swap(here_, next_);
    met_in_ = &here_;
    return stop;
}

/// Whether several workers have something to do. Time passes by asking the model: such steps are taken by one.
bool Walks::shares() const { return crew_.workers.count() > 1 && batches() > 1 && crew_.schema().timed.empty(); }

/// Take those steps that the tables know; and count the states that the last ones led to.
void Walks::prepare_together() {
    crew_.make_hands();
    const std::uint32_t count = batches();
    crew_.round.block(count);  // block 0 is that of who works alone
    const bool counts = distinct() + met_.size() <= settings_.most_distinct;
    crew_.guard.skip(count - 1);
    crew_.workers.share(count + (counts ? crew_.workers.count() : 0), [&](std::uint32_t who, std::uint32_t job) {
        if (job < count)
            prepared_[job] = prepare(*crew_.hands[who], job);
        else
            count_part(job - count);
    });
    if (counts) met_.clear();
}

/// The steps of one batch, by one of several workers. False when that takes more than to read tables.
bool Walks::prepare(Worker& hand, std::uint32_t i) {
    const Batch batch = gather(i);
    Block& block = crew_.round.block(i + 1);
    if (!crew_.bound.look_known(batch, block)) return false;
    with_width(hand.expander.words(), [&]<int W>() { hand.expander.expand<W>(batch, block, crew_.ledger.counters.explored); });
    if (!hand.requests.empty()) {
        hand.requests = {};  // who does it alone will ask again
        return false;
    }
    if (!block.late.empty()) return false;
    for (const auto& pass : crew_.passes)
        if (!pass->run_known(batch, block)) return false;
    choose(batch, block, std::size_t{i} * block_size, !asks_steps_);
    return true;
}

void Walks::expand_alone(std::uint32_t i) {
    batch_from_ = std::size_t{i} * block_size;
    batch_to_ = std::min<std::size_t>(batch_from_ + block_size, active_.size());
    for (;;) {
        if (!crew_.schema().fits()) make_room();
        const Batch batch = gather(i);
        if (!crew_.expand<0>(batch)) continue;
        choose(batch, crew_.round.block(0), batch_from_, false);
        return;
    }
}

/// Everybody has to move: what was prepared lies as before.
void Walks::make_room() {
    count_met();
    grow();
    prepared_.assign(batches(), 0);
    gathered_.resize(active_.size() * width_);
}

/// Each walk of a batch takes one of its edges. `ask`: whether the tables are asked if that decides anything. To be called again, it
/// does the same once more.
void Walks::choose(const Batch& batch, const Block& block, std::size_t first, bool ask) {
    for (std::uint32_t p = 0; p < batch.count; ++p) {
        const std::uint32_t walk = active_[first + p];
        const Block::Parent range = block.parents[p];
        Taken& taken = taken_[walk];
        taken = {Taken::End::none, false, 0, range.end - range.begin};
        if (taken.edges == 0) {
            taken.end = block.is_outside(p) ? Taken::End::outside : Taken::End::dead;
            continue;
        }
        Walk& one = walks_[walk];
        taken.candidate = range.begin + static_cast<std::uint32_t>(one.random.draw(step_ + 2, taken.edges));
        one.way.edges.resize(step_);
        one.way.edges.push_back(Block::edge(block.found[taken.candidate], crew_.ledger.actions()));
        const Word* target = block.state(taken.candidate);
        std::copy_n(target, width_, state(next_, walk));
        next_.hashes[walk] = block.found[taken.candidate].hash;
        taken.quiet = ask && state_questions_.passes(target);
    }
}

/// What came of the steps of a batch, in the order of walks.
Stop Walks::conclude(const Batch& batch, const Block& block, std::size_t first) {
    for (std::uint32_t p = 0; p < batch.count; ++p)
        if (const Stop stop = conclude_one(batch, block, p, active_[first + p]); stop != Stop::none) return stop;
    return Stop::none;
}

Stop Walks::conclude_one(const Batch& batch, const Block& block, std::uint32_t parent, std::uint32_t walk) {
    const Taken& taken = taken_[walk];
    ++crew_.ledger.counters.explored;
    crew_.ledger.counters.edges += taken.edges;
    if (taken.end == Taken::End::outside) {
        ++left;
        return Stop::none;
    }
    if (taken.end == Taken::End::dead) {
        ++dead_ends;
        return note(state_questions_.dead(batch.state(parent), walk, 0), walk);
    }
    still_.push_back(walk);
    met_.push_back(walk);
    ++steps;
    longest = std::max(longest, step_ + 1);
    if (taken.quiet) return Stop::none;
    const Stop stop = note(step_questions_.stepped(batch, parent, block, taken.candidate), walk);
    return stop != Stop::none ? stop : note(state_questions_.found(state(next_, walk), walk, 0), walk);
}

Batch Walks::batch_at(std::uint32_t i) const {
    const std::size_t from = std::size_t{i} * block_size, count = std::min<std::size_t>(block_size, active_.size() - from);
    return {gathered_.data() + from * width_, static_cast<std::uint32_t>(count), width_, 0, false};
}

Batch Walks::gather(std::uint32_t i) {
    const Batch batch = batch_at(i);
    std::size_t at = std::size_t{i} * block_size;
    for (std::uint32_t p = 0; p < batch.count; ++p, ++at) std::copy_n(state(here_, active_[at]), width_, gathered_.data() + at * width_);
    return batch;
}

Stop Walks::note(Stop stop, std::uint32_t walk) {
    for (std::size_t i = 0; i < decided.size(); ++i)
        if (questions_.all[i].decided && !decided[i]) decided[i] = walks_[walk].way;
    return stop;
}

std::uint64_t Walks::distinct() const {
    std::uint64_t total = 0;
    for (const VisitedTable& table : distinct_) total += table.size();
    return total;
}

std::uint64_t Walks::bytes() const {
    std::uint64_t words = here_.states.capacity() + next_.states.capacity() + gathered_.capacity(), total = 0;
    for (const VisitedTable& table : distinct_) total += table.bytes();
    return total + words * sizeof(Word);
}

/// Count the states that nobody has counted, as far as they are counted.
void Walks::count_met() {
    const Width width = crew_.schema().layout.width();
    std::uint64_t room = settings_.most_distinct - std::min(settings_.most_distinct, distinct());
    for (const std::uint32_t walk : met_) {
        if (room == 0) break;
        const Word hash = met_in_->hashes[walk];
        room -= distinct_[part_of(hash)].insert<0>(state(*met_in_, walk), hash, width);
    }
    met_.clear();
}

/// The same for those of one table, as others do for the others.
void Walks::count_part(std::uint32_t part) {
    const Width width = crew_.schema().layout.width();
    for (const std::uint32_t walk : met_) {
        const Word hash = met_in_->hashes[walk];
        if (part_of(hash) == part) distinct_[part].insert<0>(state(*met_in_, walk), hash, width);
    }
}

void Walks::rewrite(Transfer& transfer) {
    const auto now = static_cast<std::size_t>(transfer.words());
    for (std::vector<Word>* all : {&here_.states, &next_.states, &roots_}) {
        std::vector<Word> rewritten(all->size() / width_ * now);
        for (std::size_t i = 0; i < all->size() / width_; ++i) transfer(all->data() + i * width_, rewritten.data() + i * now);
        all->swap(rewritten);
    }
    std::vector<VisitedTable> before(distinct_.size());
    before.swap(distinct_);
    for (std::size_t i = 0; i < before.size(); ++i) distinct_[i].allocate_for(before[i], transfer.words());
    for (const VisitedTable& table : before)  // they have other hashes now
        table.each_rewritten(
            transfer, [&](Word hash) -> VisitedTable& { return distinct_[part_of(hash)]; },
            [&](const Word* state, Word hash, const Word*) { distinct_[part_of(hash)].insert<0>(state, hash, transfer.width()); });
    width_ = now;
}

std::optional<WalkWay> Walks::way_to(const Unpacked& wanted) const {
    const Schema& schema = crew_.schema();
    for (std::size_t at = batch_from_; at < batch_to_; ++at)
        if (schema.unpack(gathered_.data() + at * width_) == wanted) {
            WalkWay way = walks_[active_[at]].way;
            way.edges.resize(step_);
            return way;
        }
    return std::nullopt;
}

}  // namespace sweep
