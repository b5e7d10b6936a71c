#include "sweep/program/recording.hpp"

#include <algorithm>

#include "sweep/program/answers.hpp"

namespace sweep {

void Recording::begin(const Word* state, Trie& trie, const std::vector<std::uint32_t>& script) {
    state_ = state;
    trie_ = &trie;
    script_ = script;
    choices_ = 0;
    ++run_;
    path.clear();
    ops.clear();
    touched = false;
    general_ = texts_ = false;
    ranges_.clear();
    scalars_.resize(schema_.variables.size());
    containers_.resize(schema_.variables.size());
}

void Recording::begin_generally(const Word* state, Trie& trie, const std::vector<std::uint32_t>& script, bool texts) {
    begin(state, trie, script);
    general_ = true;
    texts_ = texts;
    doings.clear();
}

std::uint32_t Recording::ask(Event event) {
    for (const Event& earlier : path)
        if (earlier.same_question(event)) return earlier.key;
    Trie::Node node{};
    node.ask = event.ask;
    node.field = event.field;
    node.argument = event.argument;
    node.threshold = event.threshold;
    if (event.ask == Ask::whole) {
        std::vector<Id> sequence;
        schema_.contents_of(event.field, state_, sequence);
        event.key = schema_.met[event.field].intern(sequence);
    } else if (event.ask == Ask::part && !schema_.sieves[event.argument].membership) {
        std::vector<Id> part;
        Sieve& sieve = schema_.sieves[event.argument];
        event.key = schema_.part_of(sieve, state_, part) == Sieve::unfit ? Sieve::unfit_key : sieve.met.intern(part);
    } else {
        event.key = answer(schema_, *trie_, node, state_);
    }
    path.push_back(event);
    return event.key;
}

std::uint32_t Recording::next_choice(std::uint32_t otherwise) {
    const std::uint32_t key = choices_ < script_.size() ? script_[choices_] : otherwise;
    ++choices_;
    return key;
}

Recording::Container& Recording::container(std::uint32_t field) {
    Container& found = containers_[field];
    if (found.run != run_) {
        found.run = run_;
        found.cleared = found.added = false;
        found.taken.clear();
        found.difference.clear();
        found.settled.clear();
        found.puts.clear();
        found.size = 0;
        found.gets = 0;
    }
    return found;
}

const bool* Recording::settled(const Container& container, Id element) {
    for (const auto& [other, there] : container.settled)
        if (other == element) return &there;
    return nullptr;
}

void Recording::note_settled(Container& container, Id element, bool there) {
    for (auto& [other, now] : container.settled)
        if (other == element) {
            now = there;
            return;
        }
    container.settled.emplace_back(element, there);
}

std::int64_t& Recording::difference(Container& container, Id token) {
    for (auto& [other, amount] : container.difference)
        if (other == token) return amount;
    return container.difference.emplace_back(token, 0).second;
}

Id Recording::read(std::uint32_t field) {
    Scalar& scalar = scalars_[field];
    if (scalar.run != run_) {
        scalar = {run_, ask({Ask::value, field})};
    } else if (scalar.shifted) {
        const std::int64_t value_now = value(number(field));
        scalar = {run_, schema_.numbers_of(field).find(value_now)};
    }
    return scalar.id;
}

void Recording::write(std::uint32_t field, Id id) {
    if (comparing() && !general_) overwrite(field);
    scalars_[field] = {run_, id};
    ops.push_back({Op::Do::set, field, id});
    touched = true;
}

// -- numbers in question --------------------------------------------------------------------------------------------------

bool Recording::is_in_question(std::uint32_t field) const {
    if (general_ && scalars_[field].run != run_) {
        const Variable& variable = schema_.variables[field];
        return variable.numbers >= 0 && !variable.text && schema_.number_of(field, state_) != Numbers::none;
    }
    return general_ ? scalars_[field].shifted : trie_->compares(field) && (scalars_[field].run != run_ || scalars_[field].shifted);
}

Sum Recording::number(std::uint32_t field) const {
    if (scalars_[field].run != run_) return Sum::of(field);
    return general_ ? *doings.given[scalars_[field].given] : Sum::of(field, scalars_[field].offset);
}

std::optional<Sum> Recording::taken_number() const {
    if (!general_ || doings.tokens.empty() || doings.tokens.back().number == Numbers::none) return std::nullopt;
    return Sum::of(Doings::first_token + static_cast<std::uint32_t>(doings.tokens.size() - 1));
}

/// What a sum comes to in a general run.
std::int64_t Recording::total(const Sum& sum) const {
    std::int64_t total = sum.constant;
    for (const Sum::Term& term : sum)
        total += term.coefficient * (Doings::is_token(term.field) ? doings.tokens[term.field - Doings::first_token].number
                                                                  : schema_.number_of(term.field, state_));
    return total;
}

/// The id of what a sum comes to, among the values of a variable.
Id Recording::find_number(std::uint32_t field, const Sum& sum) const {
    const Variable& variable = schema_.variables[field];
    return variable.numbers < 0 || variable.text ? Numbers::no_id : schema_.numbers_of(field).find(total(sum));
}

/// What a sum comes to, if all its variables have been looked at.
std::optional<std::int64_t> Recording::known_value(const Sum& sum) const {
    for (const Sum::Term& term : sum) {
        const auto looks = [&](const Event& event) { return event.ask == Ask::value && event.field == term.field; };
        if (std::none_of(path.begin(), path.end(), looks)) return std::nullopt;
    }
    return schema_.total_of(sum, state_) + sum.constant;
}

std::int64_t Recording::value(const Sum& sum) {
    for (const Sum::Term& term : sum) {
        if (Doings::is_token(term.field)) {
            doings.tokens[term.field - Doings::first_token].looked_at = true;
            continue;
        }
        const Id id = ask({Ask::value, term.field});
        if (scalars_[term.field].run != run_) scalars_[term.field] = {run_, id};
    }
    return general_ ? total(sum) : schema_.total_of(sum, state_) + sum.constant;
}

Recording::Range& Recording::range_of(std::uint32_t sum) {
    for (Range& range : ranges_)
        if (range.sum == sum) return range;
    return ranges_.emplace_back(Range{sum});
}

bool Recording::not_less(const Sum& sum, std::int64_t other) {
    if (sum.size && sum.terms[0].coefficient < 0) {  // one question for both ways to put it
        const std::optional<Sum> negated = sum.times(-1);
        return !not_less(*negated, 1 - other);
    }
    return compare(Ask::not_less, sum, other);
}

bool Recording::equal(const Sum& sum, std::int64_t other) {
    if (sum.size && sum.terms[0].coefficient < 0) return equal(*sum.times(-1), -other);
    return compare(Ask::equal, sum, other);
}

/// Ask how a sum compares with a number, unless earlier answers tell.
bool Recording::compare(Ask question, const Sum& sum, std::int64_t other) {
    const bool equals = question == Ask::equal;
    if (general_) {
        const bool holds = equals ? total(sum) == other : total(sum) >= other;
        if (sum.size) doings.comparisons.push_back({sum, other, equals, holds});
        return holds;
    }
    std::optional<std::int64_t> known = known_value(sum);
    const std::int64_t threshold = other - sum.constant;
    if (!known && threshold != static_cast<std::int32_t>(threshold)) known = value(sum);
    if (known) return equals ? *known == other : *known >= other;
    Sum terms = sum;
    terms.constant = 0;
    const std::uint32_t index = trie_->sum_list(terms);
    Range& range = range_of(index);
    if (threshold > range.most) return false;
    if (equals ? threshold < range.least : threshold <= range.least) return !equals;
    if (equals && range.least == range.most) return true;
    const bool holds = ask({question, terms.terms[0].field, index, static_cast<std::uint32_t>(threshold)}) == 1;
    if (holds) range.least = threshold;
    if (holds && equals) range.most = threshold;
    if (!holds && !equals) range.most = threshold - 1;
    return holds;
}

/// What the run did to a scalar before counts no more: operations that are no masked assignments would be done after it.
void Recording::overwrite(std::uint32_t field) {
    std::erase_if(ops, [&](const Op& op) { return op.field == field; });
}

bool Recording::shift(std::uint32_t field, const Sum& sum) {
    if (general_) {
        const Id id = find_number(field, sum);
        if (id == Numbers::no_id) return false;
        write(field, id);
        doings.given.resize(ops.size());
        doings.given.back() = sum;
        scalars_[field] = {run_, id, true, 0, static_cast<std::uint32_t>(ops.size() - 1)};
        return true;
    }
    const bool own = sum.size == 1 && sum.terms[0].field == field && sum.terms[0].coefficient == 1;
    if (!own || !trie_->compares(field) || sum.constant != static_cast<std::int32_t>(sum.constant)) return false;
    overwrite(field);
    scalars_[field] = {run_, 0, true, sum.constant};
    ops.push_back({Op::Do::shift, field, static_cast<Id>(sum.constant)});
    touched = true;
    return true;
}

bool Recording::add(std::uint32_t bag, const Sum& sum, std::uint32_t count) {
    const Id id = general_ && count > 0 ? find_number(bag, sum) : Numbers::no_id;
    if (id == Numbers::no_id) return false;
    add(bag, id, count);
    doings.given.resize(ops.size());
    doings.given.back() = sum;
    return true;
}

// -- many elements together -----------------------------------------------------------------------------------------------

bool Recording::can_fold(const Fold& fold) const {
    for (std::uint32_t i = 0; i < fold.count; ++i)
        if (trie_->compares(fold.field(i))) return false;
    return std::none_of(ops.begin(), ops.end(), [&](const Op& op) { return fold.covers(op.field); });
}

std::uint32_t Recording::fold(const std::shared_ptr<const Fold>& fold) { return ask({Ask::fold, fold->first, trie_->fold_list(fold)}); }

std::optional<Id> Recording::unasked(const Fold& fold) const {
    for (std::uint32_t i = 0; i < fold.count; ++i) {
        const auto id = static_cast<Id>(schema_.layout.fields[fold.field(i)].load(state_));
        if (fold.number(id) == Fold::unasked) return id;
    }
    return std::nullopt;
}

// -- bags and queues ------------------------------------------------------------------------------------------------------

std::int64_t Recording::size(std::uint32_t field) {
    Container& now = container(field);
    if (schema_.variables[field].kind == Kind::queue) {
        const std::int64_t left = now.cleared ? 0 : ask({Ask::size, field}) - now.gets;
        return left + static_cast<std::int64_t>(now.puts.size());
    }
    std::int64_t size = now.size + (now.cleared ? 0 : ask({Ask::size, field}));
    for (const auto& [element, there] : now.settled) {
        const bool was = !now.cleared && ask({Ask::at_least, field, element, 1}) != 0;
        size += static_cast<std::int64_t>(there) - static_cast<std::int64_t>(was);
    }
    return size;
}

std::int64_t Recording::count(std::uint32_t bag, Id token) {
    Container& now = container(bag);
    if (const bool* there = settled(now, token)) return *there;
    const std::int64_t before = now.cleared ? 0 : ask({Ask::count, bag, token});
    return before + difference(now, token);
}

bool Recording::has(std::uint32_t bag, Id token, std::uint32_t count) {
    Container& now = container(bag);
    if (const bool* there = settled(now, token)) return *there && count == 1;
    const std::int64_t needed = count - difference(now, token);
    if (needed <= 0) return true;
    return !now.cleared && ask({Ask::at_least, bag, token, static_cast<std::uint32_t>(needed)}) != 0;
}

std::optional<Id> Recording::any(std::uint32_t bag) {
    Container& now = container(bag);
    if (now.cleared || now.added) {  // rare: look at everything, then it is an ordinary choice
        const std::vector<Id> held = whole(bag);
        if (held.empty()) return std::nullopt;
        const Id token = held[2 * choose(static_cast<std::uint32_t>(held.size() / 2))];
        return token;
    }
    Event event{Ask::take, bag, schema_.variables[bag].timed, trie_->taken_list(now.taken)};
    TokenCounts held;
    schema_.available(bag, state_, held);
    Id first = 0;
    for (std::size_t i = 0; i < held.size() && first == 0; ++i) {
        std::int64_t gone = 0;
        for (const Id token : now.taken) gone += token == held.token(i);
        if (held.count(i) > gone) first = held.token(i);
    }
    event.answered = first != 0;
    event.key = first ? next_choice(first) : 0;
    path.push_back(event);
    if (!event.answered) return std::nullopt;
    if (general_) {
        const bool numbered = schema_.variables[bag].numbers >= 0;
        doings.tokens.push_back({event.key, numbered ? schema_.numbers_of(bag)[event.key] : Numbers::none, false, bag});
    }
    return event.key;
}

void Recording::add(std::uint32_t bag, Id token, std::uint32_t count) {
    Container& now = container(bag);
    touched = true;
    if (count == 0) return;
    // A timed bag is asked for kinds and given tokens: what is added there is never taken in the same run.
    if (!schema_.variables[bag].timed) difference(now, token) += count;
    now.size += count;
    now.added = true;
    ops.push_back({Op::Do::add, bag, token, count});
}

void Recording::remove(std::uint32_t bag, Id token, std::uint32_t count) {
    Container& now = container(bag);
    touched = true;
    if (schema_.variables[bag].is_set) {
        note_settled(now, token, false);
    } else {
        difference(now, token) -= count;
        now.size -= count;
    }
    now.taken.insert(now.taken.end(), count, token);
    ops.push_back({Op::Do::remove, bag, token, count});
    if (!general_) return;
    doings.given.resize(ops.size());
    for (std::size_t i = 0; i < doings.tokens.size(); ++i)
        if (const Doings::Token& one = doings.tokens[i]; one.bag == bag && one.id == token && one.number != Numbers::none)
            doings.given.back() = Sum::of(Doings::first_token + static_cast<std::uint32_t>(i));
}

void Recording::settle(std::uint32_t set, Id element, bool there) {
    Container& now = container(set);
    touched = true;
    now.added = true;  // what it holds is not what it held, less what was taken
    note_settled(now, element, there);
    ops.push_back({there ? Op::Do::include : Op::Do::exclude, set, element});
}

std::vector<Id> Recording::whole(std::uint32_t field) {
    Container& now = container(field);
    std::vector<Id> held;
    if (!now.cleared) {
        ask({Ask::whole, field});
        schema_.contents_of(field, state_, held);
    }
    if (schema_.variables[field].kind == Kind::queue) {
        held.erase(held.begin(), held.begin() + now.gets);
        held.insert(held.end(), now.puts.begin(), now.puts.end());
        return held;
    }
    change(field, now, held, [](Id) { return true; });
    return held;
}

/// Do to contents of a bag what this run has done to it so far, as far as it is about tokens that matter.
template <class Matters>
void Recording::change(std::uint32_t field, const Container& now, std::vector<Id>& held, Matters&& matters) {
    std::vector<std::pair<Id, std::int64_t>> differences = now.difference;
    for (const auto& [element, there] : now.settled) {
        bool was = false;
        for (std::size_t i = 0; i < held.size(); i += 2) was |= held[i] == element;
        differences.emplace_back(element, static_cast<std::int64_t>(there) - static_cast<std::int64_t>(was));
    }
    for (const auto& [token, amount] : differences) {
        if (!matters(token)) continue;
        std::size_t at = 0;
        while (at < held.size() && held[at] > token) at += 2;
        const bool there = at < held.size() && held[at] == token;
        const std::int64_t total = amount + (there ? held[at + 1] : 0);
        if (total > static_cast<std::int64_t>(most_tokens)) throw TooManyTokens(field);
        const auto place = held.begin() + static_cast<std::ptrdiff_t>(at);
        if (total == 0 && there)
            held.erase(place, place + 2);
        else if (there)
            held[at + 1] = static_cast<Id>(total);
        else if (total > 0)
            held.insert(place, {token, static_cast<Id>(total)});
    }
}

std::optional<Id> Recording::unasked(const Sieve& sieve) {
    const Container& now = container(sieve.field);
    const auto find = [&](const auto& changes) {
        const auto found =
            std::find_if(changes.begin(), changes.end(), [&](const auto& one) { return sieve.class_of(one.first) == Sieve::unasked; });
        return found == changes.end() ? std::nullopt : std::optional<Id>(found->first);
    };
    if (const std::optional<Id> changed = find(now.difference)) return changed;
    if (const std::optional<Id> changed = find(now.settled)) return changed;
    std::vector<Id> held;
    if (!now.cleared) schema_.contents_of(sieve.field, state_, held);
    const std::size_t stride = schema_.variables[sieve.field].kind == Kind::queue ? 1 : 2;
    for (std::size_t i = 0; i < held.size(); i += stride)
        if (sieve.class_of(held[i]) == Sieve::unasked) return held[i];
    return std::nullopt;
}

bool Recording::changed(std::uint32_t field) {
    const Container& now = container(field);
    if (now.gets != 0 || !now.puts.empty()) return true;
    const auto is_other = [](const auto& one) { return one.second != 0; };
    return now.cleared || !now.settled.empty() || std::any_of(now.difference.begin(), now.difference.end(), is_other);
}

bool Recording::holds(std::uint32_t index) { return ask({Ask::part, schema_.sieves[index].field, index}) == Sieve::present_key; }

std::optional<std::vector<Id>> Recording::part(std::uint32_t index) {
    const std::uint32_t key = ask({Ask::part, schema_.sieves[index].field, index});
    if (key == Sieve::unfit_key) return std::nullopt;
    const Contents::Sequence part = schema_.sieves[index].met[key];
    return std::vector<Id>(part.begin(), part.end());
}

std::optional<std::vector<Id>> Recording::tokens(std::uint32_t index) {
    const Sieve& sieve = schema_.sieves[index];
    const Container& now = container(sieve.field);
    const auto is_unfit = [&](const auto& one) { return sieve.class_of(one.first) == Sieve::unfit; };
    if (std::any_of(now.settled.begin(), now.settled.end(), is_unfit)) return std::nullopt;
    for (const auto& one : now.difference)
        if (one.second != 0 && is_unfit(one)) return std::nullopt;
    std::optional<std::vector<Id>> held = now.cleared ? std::vector<Id>() : part(index);
    if (!held) return std::nullopt;
    for (std::size_t i = 0; i < held->size(); i += 2) (*held)[i] -= Sieve::first_class;
    change(sieve.field, now, *held, [&](Id token) { return sieve.passes(token); });
    return held;
}

void Recording::clear(std::uint32_t field) {
    Container& now = container(field);
    touched = true;
    now.cleared = true;
    now.added = false;
    now.taken.clear();
    now.difference.clear();
    now.settled.clear();
    now.puts.clear();
    now.size = 0;
    now.gets = 0;
    bool added = false;  // what has come since, and may have gone again, is never there
    std::erase_if(ops, [&](const Op& op) {
        if (op.field != field) return false;
        added |= op.what == Op::Do::add || op.what == Op::Do::include || op.what == Op::Do::exclude;
        return added;
    });
    ops.push_back({Op::Do::clear, field});
}

Id Recording::element(std::uint32_t queue, const Moment& then, std::uint32_t position) {
    std::uint32_t left = 0;
    if (!then.cleared) {
        const std::uint32_t id = ask({Ask::element, queue, then.gets + position});
        if (id != 0) return id;
        if (then.puts.empty()) return 0;
        left = ask({Ask::size, queue}) - then.gets;
    }
    return position - left < then.puts.size() ? then.puts[position - left] : 0;
}

void Recording::put(std::uint32_t queue, Id id) {
    container(queue).puts.push_back(id);
    ops.push_back({Op::Do::put, queue, id});
    touched = true;
}

void Recording::get(std::uint32_t queue) {
    Container& now = container(queue);
    touched = true;
    if (!now.cleared && ask({Ask::element, queue, now.gets}) != 0)
        ++now.gets;
    else
        now.puts.erase(now.puts.begin());
    ops.push_back({Op::Do::get, queue});
}

std::uint32_t Recording::choose(std::uint32_t alternatives, std::uint32_t digest, const Progression& progression) {
    const std::uint32_t key = next_choice(0);
    path.push_back({Ask::choose, 0, alternatives, digest, key});
    if (general_) doings.tokens.push_back({key, progression.at(key), false, Doings::no_bag, progression});
    return key;
}

}  // namespace sweep
