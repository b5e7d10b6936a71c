#include "sweep/program/diamonds.hpp"

#include <algorithm>
#include <utility>

namespace sweep {

namespace {

constexpr Id most_told_apart = 1 << 14;  // tokens

/// The token that an outcome takes out, if it does so before anything else that it does to bags, queues and sets; in whatever layout.
Token first_taken(const Outcomes& outcomes, std::uint32_t outcome) {
    Token found;
    bool first = true;
    outcomes.each_op(outcome, [&](const Op& op) {
        if (op.what == Op::Do::set || op.what == Op::Do::shift) return;
        if (std::exchange(first, false) && op.what == Op::Do::remove && op.count == 1) found = {op.field, op.id};
    });
    return found;
}

/// What a path takes, if it is one token, and nothing else is asked about tokens that are taken.
Token only_asked(const std::vector<Event>& path) {
    Token found;
    bool one = true;
    for (const Event& event : path) {
        if (event.ask != Ask::take) continue;
        one &= found.bag == Token::nowhere;
        found = {event.field, event.key};
    }
    return one ? found : Token{};
}

}  // namespace

void Diamonds::begin(std::size_t variables) {
    used_ = true;
    kinds_.resize(1);
    touchers_.resize(variables);
}

void Diamonds::begin_step(std::uint32_t action) {
    like_.action = action;
    like_.climb = {};
    like_.accesses.clear();
}

void Diamonds::touch(std::uint32_t field, std::uint8_t how) {
    for (Access& access : like_.accesses)
        if (access.field == field) {
            const bool twice = access.how & changes && how & changes;  // which may come to nothing
            access.how = static_cast<std::uint8_t>((access.how | how) & (twice ? ~surely : ~0));
            return;
        }
    like_.accesses.push_back({field, how});
}

bool Diamonds::is_changed(std::uint32_t field) const {
    return std::any_of(like_.accesses.begin(), like_.accesses.end(),
                       [&](const Access& access) { return access.field == field && access.how & changes; });
}

void Diamonds::touch_by(const Op& op, const Token& taken, bool several) {
    if (op.what == Op::Do::shift) return touch(op.field, op.id ? adds | surely : adds);
    if (op.what == Op::Do::set && op.observed && !is_changed(op.field))
        return touch(op.field, op.before == op.id ? reads : writes | surely);
    if (op.what == Op::Do::add && !several) return touch(op.field, adds | surely);
    const bool goes = op.what == Op::Do::remove && op.count == 1 && taken == Token{op.field, op.id};
    touch(op.field, goes ? removes | surely : writes);
}

void Diamonds::learn(Outcomes& outcomes, std::uint32_t outcome, std::uint32_t action, const std::vector<Event>& path, const Trie& table) {
    if (!used_) return;
    begin_step(action);
    // A token that is taken and removed, and no other, is told from those that come; what is done with others may depend on any.
    Token taken = only_asked(path);
    if (taken != first_taken(outcomes, outcome)) taken = {};
    for (const Event& event : path)
        table.each_field(event, [&](std::uint32_t field) { touch(field, event.ask == Ask::take && taken.bag == field ? takes : reads); });
    std::uint32_t comes = 0;
    Token came;
    outcomes.each_op(outcome, [&](const Op& op) {
        if (op.what == Op::Do::add) ++comes, came = {op.field, op.id};
    });
    outcomes.each_op(outcome, [&](const Op& op) { touch_by(op, taken, comes > 1); });
    note(outcomes, outcome, comes == 1 ? came : Token{}, taken);
}

void Diamonds::learn(Outcomes& outcomes, std::uint32_t outcome, const CountTransition& transition) {
    if (!used_) return;
    begin_step(transition.action);
    const auto puts_back = [&](const CountTransition::Arc& taken) {
        return std::any_of(transition.puts.begin(), transition.puts.end(), [&](const auto& arc) { return arc.place == taken.place; });
    };
    for (const CountTransition::Arc& arc : transition.takes) touch(arc.place, puts_back(arc) ? counts | holds : counts);
    for (const CountTransition::Arc& arc : transition.inhibits) touch(arc.place, reads);
    // The operations say what is left of what is both taken and put.
    outcomes.each_op(outcome, [&](const Op& op) {
        touch(op.field, op.what == Op::Do::add ? adds | surely : op.what == Op::Do::remove ? removes | surely : std::uint8_t{writes});
    });
    note(outcomes, outcome, {}, {});
}

/// What is known of the step at hand goes into its outcome.
void Diamonds::note(Outcomes& outcomes, std::uint32_t outcome, Token came, Token taken) {
    const std::optional<Sums> climbed = climb ? climb(outcome) : Sums{};
    std::sort(like_.accesses.begin(), like_.accesses.end());
    like_.came = came.bag;
    like_.climb_known = climbed.has_value();
    if (climbed) like_.climb = *climbed;
    if (count_sure(like_) > 1) taken = {};
    like_.taken = taken.bag;
    const std::uint16_t kind = kind_at_hand();
    outcomes.set_kind(outcome, kind);
    if (finder_of_.size() <= outcome) finder_of_.resize(outcome + 1, no_finder);
    // A token that comes is a change for sure: there is one of the two, or none.
    finder_of_[outcome] = finder_of(kind, came.bag != Token::nowhere ? came.id : taken.id);
}

void Diamonds::reconsider(Outcomes& outcomes) {
    for (std::uint32_t outcome = 0; outcome < outcomes.size(); ++outcome) {
        const Finder finder = outcome < finder_of_.size() ? finder_of_[outcome] : no_finder;
        outcomes.set_kind(outcome, 0);
        if (finder == no_finder) continue;
        const Found found = finders_[finder];
        like_ = kinds_[found.kind].like;
        note(outcomes, outcome, {like_.came, found.token}, {like_.taken, found.token});
    }
}

/// The kind of the step at hand: mostly that of the last one by its action.
std::uint16_t Diamonds::kind_at_hand() {
    if (latest_.size() <= like_.action) latest_.resize(like_.action + 1);
    std::uint16_t& latest = latest_[like_.action];
    if (latest && kinds_[latest].like == like_) return latest;
    const auto known = known_.find(like_);
    if (known != known_.end()) return latest = known->second;
    return kinds_.size() < most_kinds ? latest = add_kind() : 0;
}

std::uint16_t Diamonds::add_kind() {
    const std::uint16_t kind = static_cast<std::uint16_t>(kinds_.size());
    const std::size_t words = kind / 64 + 1;
    kinds_.push_back({like_, {}, {}, {}});
    known_.emplace(like_, kind);
    std::vector<Relation> relations(kinds_.size());
    for (const Access& access : like_.accesses) {
        touchers_[access.field].push_back({kind, access.how});
        for (const Toucher& other : touchers_[access.field]) {
            Relation& relation = relations[other.kind];
            relation.new_first_matters |= interfere(other.how, access.how);
            relation.new_later_matters |= interfere(access.how, other.how);
            relation.both_change |= access.how & changes && other.how & changes;
            relation.covered += access.how & surely && other.how & changes;
            relation.covers += other.how & surely && access.how & changes;
            relation.both_take |= access.how & other.how & takes && !((access.how | other.how) & (adds | writes));
        }
    }
    for (std::uint16_t other = 1; other <= kind; ++other) {
        for (std::vector<Word>& closing : kinds_[other].closing) closing.resize(std::max(closing.size(), words));
        for (std::vector<Word>& closing : kinds_[kind].closing) closing.resize(words);
        const Relation& relation = relations[other];
        // The first of them changes something, as it found a state. Where the other leaves all of that alone they lead to different states,
        // and where one of them changes something for sure that the other leaves alone.
        const bool differ =
            !relation.both_change || relation.covered < count_sure(like_) || relation.covers < count_sure(kinds_[other].like);
        const auto by_tokens = [&](const Likeness& before) { return relation.both_take && before.taken != Token::nowhere; };
        if (!relation.new_first_matters) relate(kind, other, differ || by_tokens(like_));
        if (!relation.new_later_matters) relate(other, kind, differ || by_tokens(kinds_[other].like));
    }
    return kind;
}

std::size_t Diamonds::count_sure(const Likeness& like) {
    return static_cast<std::size_t>(
        std::count_if(like.accesses.begin(), like.accesses.end(), [](const Access& access) { return access.how & surely; }));
}

/// Whether the order of two steps may matter, for what both do to a variable; the first was done in a state that the other leads on from.
/// What is taken from a bag there, and did not come with the first step, could be taken before it too, and leaves what the first one takes.
bool Diamonds::interfere(std::uint8_t step, std::uint8_t before) {
    if ((step | before) & writes) return true;
    if ((step & reads && before & changes) || (before & reads && step & changes)) return true;
    if (before & holds && step & removes) return true;
    return step & counts && before & adds;  // a token that came may be one of those
}

/// Steps of a kind, which do not interfere with those of another, close diamonds after those if their progress is not higher, and where
/// they lead was known before.
void Diamonds::relate(std::uint16_t before, std::uint16_t step, bool differ) {
    Kind& found = kinds_[before];
    const Likeness& other = kinds_[step].like;
    if (!other.climb_known || found.like.climb < other.climb || other.climb < Sums{}) return;
    const bool earlier = other.action < found.like.action;
    const auto add = [&](std::size_t last) {
        found.closing[last][step / 64] |= Word{1} << (step % 64);
        found.any[last] = true;
    };
    if (earlier) add(0);
    if (earlier || differ) add(1);
}

Finder Diamonds::finder_of(std::uint16_t kind, Id token) {
    if (kind == 0 || token >= most_told_apart) return no_finder;
    std::vector<Finder>& finders = kinds_[kind].finders;
    if (finders.size() <= token) finders.resize(token + 1, no_finder);
    if (finders[token] == no_finder && finders_.size() < as_last - 1u) {
        finders[token] = static_cast<Finder>(finders_.size());
        finders_.push_back({kind, token});
    }
    return finders[token];
}

std::size_t Diamonds::bytes() const {
    std::size_t total = (finder_of_.capacity() + finders_.size()) * sizeof(Finder) + finders_.capacity() * sizeof(Found);
    for (const Kind& kind : kinds_)
        total +=
            sizeof(Kind) + sizeof(Likeness) + 2 * (kind.closing[0].capacity() * sizeof(Word) + kind.like.accesses.size() * sizeof(Access));
    for (const std::vector<Toucher>& touchers : touchers_) total += touchers.capacity() * sizeof(Toucher);
    return total;
}

}  // namespace sweep
