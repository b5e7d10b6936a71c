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

/// Where a table leads with these answers, but for sizes that differ; `unknown` also when it asks for something else then.
Code follow(const Trie& table, const std::vector<Event>& path, const std::vector<std::uint32_t>& sized, const SizeShift& shift) {
    Code code = table.root;
    while (code != unknown && !(code & 1)) {
        const Trie::Node& node = table.nodes[index_of(code)];
        const Event asked{node.ask, node.field, node.argument, node.threshold};
        const auto event = std::find_if(path.begin(), path.end(), [&](const Event& one) { return one.same_question(asked); });
        if (event == path.end() || !event->answered) return unknown;
        std::int64_t key = event->key;
        if (event->ask == Ask::size)
            key += shift.of(static_cast<std::size_t>(std::find(sized.begin(), sized.end(), event->field) - sized.begin()));
        code = key < 0 ? unknown : table.child(node, static_cast<std::uint32_t>(key));
    }
    return code;
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
    like_.fits = SizeShift::no_other();
    like_.accesses.clear();
    sized_.clear();
    twins_.clear();
}

void Diamonds::touch(std::uint32_t field, std::uint16_t how, std::int64_t tokens) {
    for (Access& access : like_.accesses)
        if (access.field == field) {
            const bool twice = access.how & changes && how & changes;  // which may come to nothing
            access.how = static_cast<std::uint16_t>((access.how | how) & (twice ? ~surely : ~0));
            access.tokens += tokens;
            return;
        }
    like_.accesses.push_back({field, how, tokens});
}

/// Sizes that a step asks for are looked at as such, unless they are too many.
void Diamonds::ask_sizes(const std::vector<Event>& path) {
    for (const Event& event : path)
        if (event.ask == Ask::size && std::find(sized_.begin(), sized_.end(), event.field) == sized_.end()) sized_.push_back(event.field);
    std::sort(sized_.begin(), sized_.end());
    const bool few = sized_.size() <= SizeShift::most_bags;
    for (const std::uint32_t bag : sized_) touch(bag, few ? sizes : reads);
    if (!few) sized_.clear();
}

bool Diamonds::is_changed(std::uint32_t field) const {
    return std::any_of(like_.accesses.begin(), like_.accesses.end(),
                       [&](const Access& access) { return access.field == field && access.how & changes; });
}

void Diamonds::touch_by(const Op& op, const Token& taken, bool several) {
    if (op.what == Op::Do::shift) return touch(op.field, op.id ? adds | surely : adds);
    if (op.what == Op::Do::set && op.observed && !is_changed(op.field))
        return touch(op.field, op.before == op.id ? reads : writes | surely);
    if (op.what == Op::Do::add && !several) return touch(op.field, adds | surely, op.count);
    const bool goes = op.what == Op::Do::remove && op.count == 1 && taken == Token{op.field, op.id};
    goes ? touch(op.field, removes | surely, -1) : touch(op.field, writes);
}

void Diamonds::learn(Outcomes& outcomes, std::uint32_t outcome, std::uint32_t action, const std::vector<Event>& path, const Trie& table) {
    if (!used_) return;
    begin_step(action);
    // A token that is taken and removed, and no other, is told from those that come; what is done with others may depend on any.
    Token taken = only_asked(path);
    if (taken != first_taken(outcomes, outcome)) taken = {};
    for (const Event& event : path)
        if (event.ask != Ask::size)
            table.each_field(event,
                             [&](std::uint32_t field) { touch(field, event.ask == Ask::take && taken.bag == field ? takes : reads); });
    ask_sizes(path);
    std::uint32_t comes = 0;
    Token came;
    outcomes.each_op(outcome, [&](const Op& op) {
        if (op.what == Op::Do::add) ++comes, came = {op.field, op.id};
    });
    outcomes.each_op(outcome, [&](const Op& op) { touch_by(op, taken, comes > 1); });
    find_twins(outcomes, outcome, path, table);
    note(outcomes, outcome, comes == 1 ? came : Token{}, taken);
    note_twins(outcomes);
}

/// Find out what the action of the step at hand is known to do where the bags whose sizes it asks for are a little larger or smaller.
void Diamonds::find_twins(const Outcomes& outcomes, std::uint32_t outcome, const std::vector<Event>& path, const Trie& table) {
    const auto look = [&](std::size_t more, std::size_t fewer) {
        const SizeShift shift(more, fewer);
        const Code code = follow(table, path, sized_, shift);
        if (!is_leaf(code) || !outcomes.same_ops(index_of(code), outcome)) return;
        like_.fits |= shift.bit();
        twins_.push_back({index_of(code), shift.back()});
    };
    const std::size_t bags = sized_.size();
    for (std::size_t more = 0; bags && more <= bags; ++more)
        for (std::size_t fewer = 0; fewer <= bags; ++fewer)
            if (more != fewer) look(more < bags ? more : SizeShift::none, fewer < bags ? fewer : SizeShift::none);
}

/// They do the same here as well. Each time that makes another kind of them: not where finders might not do for all.
void Diamonds::note_twins(Outcomes& outcomes) {
    if (finders_.size() > as_last / 2) return;
    for (const Twin& twin : twins_) {
        const Finder finder = finder_of_[twin.outcome];
        if (finder == no_finder) continue;
        like_ = kinds_[finders_[finder].kind].like;  // what asks for sizes is of one token
        if (sized_by(like_) != sized_) continue;     // sizes are known by their positions among these
        like_.fits |= twin.shift.bit();
        note_again(outcomes, twin.outcome);
    }
}

/// The bags whose sizes a step asks for, in order.
std::vector<std::uint32_t> Diamonds::sized_by(const Likeness& like) {
    std::vector<std::uint32_t> bags;
    for (const Access& access : like.accesses)
        if (access.how & sizes) bags.push_back(access.field);
    return bags;
}

/// Of these, the how-manieth one is.
std::size_t Diamonds::position(const Likeness& like, std::uint32_t bag) {
    const std::vector<std::uint32_t> bags = sized_by(like);
    return static_cast<std::size_t>(std::find(bags.begin(), bags.end(), bag) - bags.begin());
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
        const std::int64_t tokens = op.count;
        if (op.what == Op::Do::add) return touch(op.field, adds | surely, tokens);
        op.what == Op::Do::remove ? touch(op.field, removes | surely, -tokens) : touch(op.field, writes);
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
        const std::uint16_t before = finders_[finder & ~by_taken].kind;
        like_ = kinds_[before].like;
        note_again(outcomes, outcome);
        if (finder == (finder & ~by_taken)) continue;
        take_any(outcome);
        for (Id token = 0; token < kinds_[before].finders.size(); ++token)
            if (kinds_[before].finders[token] != no_finder) learn(outcome, token);
    }
}

/// What is known of the step at hand has changed, by which an outcome is known already.
void Diamonds::note_again(Outcomes& outcomes, std::uint32_t outcome) {
    const Id token = finders_[finder_of_[outcome] & ~by_taken].token;
    note(outcomes, outcome, {like_.came, token}, {like_.taken, token});
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
        touchers_[access.field].push_back({kind, access});
        for (const auto& [other_kind, other] : touchers_[access.field]) {
            Relation& relation = relations[other_kind];
            relation.new_first_matters |= interfere(other.how, access.how);
            relation.new_later_matters |= interfere(access.how, other.how);
            relation.both_change |= access.how & changes && other.how & changes;
            relation.covered += access.how & surely && other.how & changes;
            relation.covers += other.how & surely && access.how & changes;
            relation.both_take |= access.how & other.how & takes && !((access.how | other.how) & (adds | writes));
            if (access.how & sizes) relation.by_other.add(position(like_, access.field), other.tokens);
            if (other.how & sizes) relation.by_new.add(position(kinds_[other_kind].like, access.field), access.tokens);
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
        // The second of them was told sizes after the first one, and would be told others before it; the first one, after the second.
        const Word fits = like_.fits, other_fits = kinds_[other].like.fits;
        const bool first_fits = relation.by_other.is_in(fits) && relation.by_new.back().is_in(other_fits);
        const bool later_fits = relation.by_new.is_in(other_fits) && relation.by_other.back().is_in(fits);
        const auto by_tokens = [&](const Likeness& before) { return relation.both_take && before.taken != Token::nowhere; };
        if (!relation.new_first_matters && first_fits) relate(kind, other, differ || by_tokens(like_));
        if (!relation.new_later_matters && later_fits) relate(other, kind, differ || by_tokens(kinds_[other].like));
    }
    return kind;
}

std::size_t Diamonds::count_sure(const Likeness& like) {
    return static_cast<std::size_t>(
        std::count_if(like.accesses.begin(), like.accesses.end(), [](const Access& access) { return access.how & surely; }));
}

/// Whether the order of two steps may matter, for what both do to a variable; the first was done in a state that the other leads on from.
/// What is taken from a bag there, and did not come with the first step, could be taken before it too, and leaves what the first one takes.
bool Diamonds::interfere(std::uint16_t step, std::uint16_t before) {
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
