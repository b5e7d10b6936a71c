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

// Sets of kinds, a bit for each.
bool has(const std::vector<Word>& kinds, std::uint16_t kind) { return kinds[kind / 64] >> (kind % 64) & 1; }
void add(std::vector<Word>& kinds, std::uint16_t kind) {
    if (kinds.size() <= kind / 64u) kinds.resize(kind / 64 + 1);
    kinds[kind / 64] |= Word{1} << (kind % 64);
}
void unite(std::vector<Word>& kinds, const std::vector<Word>& others) {
    for (std::size_t i = 0; i < others.size(); ++i) kinds[i] |= others[i];
}

bool is_choice(const Event& event) { return event.ask == Ask::take || event.ask == Ask::choose; }

/// Where a table leads with these answers, but for sizes that differ; `unknown` also when it asks for something else then, or lets another
/// choice be the first: the order of edges goes by that.
Code follow(const Trie& table, const std::vector<Event>& path, const std::vector<std::uint32_t>& sized, const SizeShift& shift) {
    Code code = table.root;
    bool chosen = false;
    while (code != unknown && !(code & 1)) {
        const Trie::Node& node = table.nodes[index_of(code)];
        const Event asked{node.ask, node.field, node.argument, node.threshold};
        const auto event = std::find_if(path.begin(), path.end(), [&](const Event& one) { return one.same_question(asked); });
        if (event == path.end() || !event->answered) return unknown;
        if (is_choice(*event) && !std::exchange(chosen, true) && std::any_of(path.begin(), event, is_choice)) return unknown;
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
    briefs_.resize(1);
    closing_.resize(2);
    touched_.resize(variables);
    sought_.resize(variables);
}

void Diamonds::begin_step(std::uint32_t action) {
    like_.action = action;
    like_.chosen_first = false;
    like_.choice = 0;
    like_.fits = SizeShift::no_other();
    like_.accesses.clear();
    uses_.clear();
    sized_.clear();
    twins_.clear();
}

void Diamonds::touch(std::uint32_t field, std::uint16_t how, Id token, std::int64_t tokens) {
    for (Access& access : like_.accesses)
        if (access.field == field && access.token == token) {
            const bool twice = access.how & changes && how & changes;  // which may come to nothing
            access.how = static_cast<std::uint16_t>((access.how | how) & (twice ? ~surely : ~0));
            access.tokens += tokens;
            return;
        }
    like_.accesses.push_back({field, token, how, tokens});
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

Diamonds::Use& Diamonds::use_of(std::uint32_t bag, Id token) {
    const auto found = std::find_if(uses_.begin(), uses_.end(), [&](const Use& use) { return use.token == Token{bag, token}; });
    return found != uses_.end() ? *found : uses_.emplace_back(Use{{bag, token}});
}

/// What a step does to how many there are of a token. It needs as many as it removes, unless it has added them itself or looked.
std::uint16_t Diamonds::Use::how() const {
    std::uint16_t found = 0;
    if (looks) found = reads;
    if (settles) return found | reads | writes;
    if (needed) found |= needed > removed || added ? counts | holds : counts;
    if (removed == added) return removed <= needed ? found : found | writes;  // all that is taken is put back
    if (removed && added) return found | writes;
    return found | (added ? adds | surely : removes | surely);
}

void Diamonds::ask(const Event& event, const Trie& table) {
    const auto need = [&](Id token, std::uint32_t count) {
        Use& use = use_of(event.field, token);
        use.needed = std::max(use.needed, count);
    };
    if (event.ask == Ask::take) {
        const std::vector<Id>& before = table.taken(event.threshold);
        need(event.key, 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), event.key)));
    } else if (event.ask == Ask::at_least && event.key) {
        need(event.argument, event.threshold);
    } else if (event.ask == Ask::at_least || event.ask == Ask::count) {
        use_of(event.field, event.argument).looks = true;
    } else if (event.ask != Ask::size) {
        table.each_field(event, [&](std::uint32_t field) { touch(field, reads); });
    }
}

void Diamonds::touch_by(const Op& op) {
    if (op.what == Op::Do::shift)
        touch(op.field, op.id ? adds | surely : adds);
    else if (op.what == Op::Do::set && op.observed && !is_changed(op.field))
        touch(op.field, op.before == op.id ? reads : writes | surely);
    else if (op.what == Op::Do::add)
        use_of(op.field, op.id).added += op.count;
    else if (op.what == Op::Do::remove)
        use_of(op.field, op.id).removed += op.count;
    else if (op.what == Op::Do::include || op.what == Op::Do::exclude)
        use_of(op.field, op.id).settles = true;
    else
        touch(op.field, writes);
}

/// The token that is chosen and taken out, if nothing is done to bags before, and no more with it: then an outcome says which it is.
Token Diamonds::find_taken(const Outcomes& outcomes, std::uint32_t outcome, const std::vector<Event>& path) const {
    const auto event = std::find_if(path.begin(), path.end(), [](const Event& one) { return one.ask == Ask::take; });
    if (event == path.end()) return {};
    const Token taken{event->field, event->key};
    const bool only_goes = std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) { return use.token == taken && use.only_goes(); });
    return only_goes && first_taken(outcomes, outcome) == taken ? taken : Token{};
}

/// The token that comes, if it is one; of several one that is not likely to be needed by steps which know it.
Token Diamonds::find_came() const {
    const auto found =
        std::find_if(uses_.begin(), uses_.end(), [&](const Use& use) { return use.only_comes() && !sought_[use.token.bag]; });
    return found != uses_.end() ? found->token : Token{};
}

/// Where in the order of an action's edges a step is, as far as its first choice says that.
void Diamonds::note_choice(const std::vector<Event>& path) {
    const auto first = std::find_if(path.begin(), path.end(), is_choice);
    if (first != path.end()) like_.choice = first->ask == Ask::take ? ~first->key : first->key + 1;
}

void Diamonds::learn(Outcomes& outcomes, std::uint32_t outcome, std::uint32_t action, const std::vector<Event>& path, const Trie& table) {
    if (!used_) return;
    if (!closes_some_ && learnt_++ >= patience) return pass_over(outcome);
    if (lessons_.size() <= action) lessons_.resize(action + 1);
    Lesson& lesson = lessons_[action];
    if (const std::optional<Found> known = repeat(lesson, path, outcomes.ops(outcome))) {
        const Likeness& like = kinds_[known->kind].like;
        if (climbed(outcome) == (like.climb_known ? std::optional(like.climb) : std::nullopt)) return note(outcomes, outcome, *known);
    }
    begin_step(action);
    for (const Event& event : path) ask(event, table);
    ask_sizes(path);
    outcomes.each_op(outcome, [&](const Op& op) { touch_by(op); });
    Token taken = find_taken(outcomes, outcome, path), came = find_came();
    // Of one bag either nothing else is told apart, or everything.
    const auto has_others = [&](const Token& token) {
        return std::any_of(uses_.begin(), uses_.end(),
                           [&](const Use& use) { return use.token.bag == token.bag && use.token != taken && use.token != came; });
    };
    if (has_others(came)) came = {};
    if (has_others(taken)) taken = {};
    if (taken == Token{} && has_others(came)) came = {};
    const auto first = std::find_if(path.begin(), path.end(), is_choice);
    like_.chosen_first = taken != Token{} && first->ask == Ask::take;
    const bool all_told = std::all_of(uses_.begin(), uses_.end(), [&](const Use& use) { return use.token == taken || use.token == came; });
    if (!all_told && !like_.chosen_first && kinds_.size() < most_by_token) note_choice(path);
    touch_tokens(taken, came);
    find_twins(outcomes, outcome, path, table);
    note(outcomes, outcome, came, taken);
    lesson.kind = all_told && sized_.empty() ? outcomes[outcome].kind : 0;  // sizes matter
    note_twins(outcomes);
    if (!lesson.kind) return;
    const std::span<const Op> ops = outcomes.ops(outcome);
    lesson = {path, {ops.begin(), ops.end()}, lesson.kind};
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
        const Finder finder = twin.outcome < finder_of_.size() ? finder_of_[twin.outcome] : no_finder;
        if (finder == no_finder || kinds_.size() == most_kinds) continue;
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

/// What one step does to the sizes that another asks for.
SizeShift Diamonds::shift_for(const Likeness& asks, const Likeness& changes) {
    SizeShift shift;
    std::size_t position = 0;
    for (const Access& asked : asks.accesses) {
        if (!(asked.how & sizes)) continue;
        std::int64_t tokens = 0;
        for (const Access& access : changes.accesses) tokens += access.field == asked.field ? access.tokens : 0;
        shift.add(position++, tokens);
    }
    return shift;
}

/// Whether two steps do the same in the other order, for all the sizes that they ask for: the second was told them after the first one, and
/// would be told others before it; the first one, after the second.
bool Diamonds::fit(std::uint16_t before, std::uint16_t step) const {
    const Likeness &first = kinds_[before].like, &second = kinds_[step].like;
    return (!briefs_[before].sized || shift_for(first, second).is_in(first.fits)) &&
           (!briefs_[step].sized || shift_for(second, first).back().is_in(second.fits));
}

/// What is known of a step that asks and does the same as before, but for the token that it takes and the one that comes. Values do not
/// matter, but for whether one that is given is another than before.
std::optional<Diamonds::Found> Diamonds::repeat(const Lesson& lesson, const std::vector<Event>& path, std::span<const Op> ops) {
    if (!lesson.kind || path.size() != lesson.path.size() || ops.size() != lesson.ops.size()) return std::nullopt;
    Token came, taken;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (!path[i].same_question(lesson.path[i]) || path[i].ask == Ask::at_least) return std::nullopt;
        if (path[i].ask != Ask::take) continue;
        if (taken != Token{}) return std::nullopt;  // of two tokens that were equal one may be another now
        taken = {path[i].field, path[i].key};
    }
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const Op &now = ops[i], &then = lesson.ops[i];
        if (now.what != then.what || now.field != then.field || now.count != then.count || now.observed != then.observed)
            return std::nullopt;
        if (now.what == Op::Do::set && (now.id == now.before) != (then.id == then.before)) return std::nullopt;
        if (now.what == Op::Do::shift && !now.id != !then.id) return std::nullopt;
        if (now.what == Op::Do::remove && now.id != taken.id) return std::nullopt;
        if (now.what == Op::Do::add) came = {now.field, now.id};
    }
    return came != taken || came.bag == Token::nowhere ? std::optional(Found{lesson.kind, came.id, taken.id}) : std::nullopt;
}

void Diamonds::touch_tokens(const Token& taken, const Token& came) {
    for (const Use& use : uses_) {
        const std::uint16_t how = use.how();
        const auto [bag, token] = use.token;
        if (use.token == taken) {
            touch(bag, takes | removes | surely, Access::any, -1);
        } else if (use.token == came) {
            touch(bag, adds | surely, Access::any, 1);
        } else if (kinds_.size() < most_by_token) {
            if (use.needed && !sought_[bag]) {
                sought_[bag] = true;
                lessons_.assign(lessons_.size(), {});  // tokens that come there are told apart by their kinds now
            }
            touch(bag, how, token, use.more());
        } else {
            if (how & (reads | counts)) touch(bag, reads);
            if (how & changes) touch(bag, writes);
        }
    }
}

void Diamonds::learn(Outcomes& outcomes, std::uint32_t outcome, const CountTransition& transition) {
    if (!used_) return;
    begin_step(transition.action);
    const auto puts_back = [&](const CountTransition::Arc& taken) {
        return std::any_of(transition.puts.begin(), transition.puts.end(), [&](const auto& arc) { return arc.place == taken.place; });
    };
    for (const CountTransition::Arc& arc : transition.takes) touch(arc.place, puts_back(arc) ? counts | holds : counts, arc.token);
    for (const CountTransition::Arc& arc : transition.inhibits) touch(arc.place, reads, arc.token);
    // The operations say what is left of what is both taken and put.
    outcomes.each_op(outcome, [&](const Op& op) {
        const std::int64_t tokens = op.count;
        if (op.what == Op::Do::add)
            touch(op.field, adds | surely, op.id, tokens);
        else if (op.what == Op::Do::remove)
            touch(op.field, removes | surely, op.id, -tokens);
        else
            touch(op.field, writes);
    });
    note(outcomes, outcome, {}, {});
}

/// What is known of the step at hand goes into its outcome.
void Diamonds::note(Outcomes& outcomes, std::uint32_t outcome, Token came, Token taken) {
    const std::optional<Sums> climb = climbed(outcome);
    std::sort(like_.accesses.begin(), like_.accesses.end());
    like_.came = came.bag;
    like_.taken = taken.bag;
    like_.climb_known = climb.has_value();
    like_.climb = climb.value_or(Sums{});
    note(outcomes, outcome, {kind_at_hand(), came.id, taken.id});
}

void Diamonds::note(Outcomes& outcomes, std::uint32_t outcome, const Found& found) {
    outcomes.set_kind(outcome, found.kind);
    if (finder_of_.size() <= outcome) finder_of_.resize(outcome + 1, no_finder);
    finder_of_[outcome] = finder_of(found);
}

void Diamonds::reconsider(Outcomes& outcomes) {
    lessons_.clear();
    for (std::uint32_t outcome = 0; outcome < outcomes.size(); ++outcome) {
        const Finder finder = outcome < finder_of_.size() ? finder_of_[outcome] : no_finder;
        outcomes.set_kind(outcome, 0);
        if (finder == no_finder) continue;
        const std::uint16_t before = finders_[finder & ~by_taken].kind;
        like_ = kinds_[before].like;
        note_again(outcomes, outcome);
        if (!(finder & by_taken)) continue;
        take_any(outcomes, outcome);
        for (Id token = 0; token < kinds_[before].finders.size(); ++token)
            if (kinds_[before].finders[token] != no_finder) learn(outcome, token);
    }
}

/// What is known of the step at hand has changed, by which an outcome is known already.
void Diamonds::note_again(Outcomes& outcomes, std::uint32_t outcome) {
    const Found found = finders_[finder_of_[outcome] & ~by_taken];
    note(outcomes, outcome, {like_.came, found.came}, {like_.taken, found.taken});
}

bool Diamonds::take_any(const Outcomes& outcomes, std::uint32_t outcome) {
    const std::uint16_t kind = outcomes[outcome].kind;
    if (!kind) return true;
    const Likeness& like = kinds_[kind].like;
    if (like.taken == Token::nowhere) return false;  // what is done with it is known of this token alone
    if (like.came == Token::nowhere && finder_of_[outcome] != no_finder) finder_of_[outcome] |= by_taken;
    return true;
}

void Diamonds::learn(std::uint32_t outcome, Id taken) {
    const Finder finder = outcome < finder_of_.size() ? finder_of_[outcome] : no_finder;
    if (finder == no_finder) return;
    const Found found = finders_[finder & ~by_taken];
    finder_of({found.kind, found.came, taken});
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
    kinds_.push_back({like_, {}, {}});
    known_.emplace(like_, kind);
    Brief& brief = briefs_.emplace_back(Brief{like_.action, like_.choice, like_.came});
    for (const Access& access : like_.accesses) {
        brief.sure += (access.how & surely) != 0;
        brief.sized |= (access.how & sizes) != 0;
    }
    make_room();
    std::vector<Word> blocked(kind / 64 + 1);  // kinds whose order matters
    relations_.clear();
    for (const Access& access : like_.accesses) meet_others(kind, access, blocked);
    auto next = relations_.begin();
    for (std::uint16_t other = 1; other <= kind; ++other) {
        if (has(blocked, other)) continue;
        while (next != relations_.end() && next->first < other) ++next;
        const Relation relation = next != relations_.end() && next->first == other ? next->second : Relation{};
        // The first of them changes something, as it found a state. Where the other leaves all of that alone they lead to different states,
        // and where one of them changes something for sure that the other leaves alone.
        const bool differ = !relation.both_change || relation.covered < brief.sure || relation.covers < briefs_[other].sure;
        if (!relation.new_first_matters && fit(kind, other)) relate(kind, other, differ, relation.both_take);
        if (other != kind && !relation.new_later_matters && fit(other, kind)) relate(other, kind, differ, relation.both_take);
    }
    return kind;
}

/// For the sets of all kinds there are.
void Diamonds::make_room() {
    if (kinds_.size() <= 64 * stride_) {
        closing_.resize(2 * kinds_.size() * stride_);
        return;
    }
    std::vector<Word> wider(2 * kinds_.size() * 2 * stride_);
    for (std::size_t i = 0; i < closing_.size(); ++i) wider[i / stride_ * 2 * stride_ + i % stride_] = closing_[i];
    closing_ = std::move(wider);
    stride_ *= 2;
    for (Kind& kind : kinds_)
        for (std::vector<Word>& kinds : kind.by_token)
            if (!kinds.empty()) kinds.resize(2 * stride_);
}

/// What a new kind has to do with others by one variable or token. Most actions have to do with many that read or write it plainly: there
/// either order matters, or nothing does.
void Diamonds::meet_others(std::uint16_t kind, const Access& access, std::vector<Word>& blocked) {
    Touched& touched = touched_[access.field];
    if (access.plain()) {
        if (access.how & reads) add(touched.readers, kind);
        if (access.how & writes) add(touched.writers, kind);
    } else {
        touched.others.push_back({kind, access});
    }
    unite(blocked, touched.writers);
    if (access.how & changes) unite(blocked, touched.readers);
    for (const auto& [by, other] : touched.others) {
        if (!access.meets(other)) continue;
        if (interfere(other, access) && interfere(access, other)) {
            add(blocked, by);
            continue;
        }
        Relation& relation = relations_[by];
        relation.new_first_matters |= interfere(other, access);
        relation.new_later_matters |= interfere(access, other);
        relation.both_change |= access.how & changes && other.how & changes;
        relation.covered += access.how & surely && other.how & changes;
        relation.covers += other.how & surely && access.how & changes;
        relation.both_take |= access.how & other.how & takes && !((access.how | other.how) & (adds | writes));
    }
}

/// Whether the order of two steps may matter, for what both do to a variable or token; the first was done in a state that the other leads
/// on from. What is taken from a bag there, and did not come with the first step, could be taken before it too, and leaves what the first
/// one takes.
bool Diamonds::interfere(const Access& step, const Access& before) {
    if ((step.how | before.how) & writes) return true;
    if ((step.how & reads && before.how & changes) || (before.how & reads && step.how & changes)) return true;
    if (before.how & holds && step.how & removes) return true;
    // A token that came may be one of those; where any is taken, the finder knows which came, unless it is known of the kind.
    return before.how & adds && (step.how & counts || (step.how & takes && before.token != Access::any));
}

/// Steps of a kind, which do not interfere with those of another, close diamonds after those if their progress is not higher, and where
/// they lead was known before.
void Diamonds::relate(std::uint16_t before, std::uint16_t step, bool differ, bool both_take) {
    Brief& found = briefs_[before];
    const Brief& other = briefs_[step];
    const Likeness &first = kinds_[before].like, &second = kinds_[step].like;
    const bool comes_sooner = climbs_by_parts && changes_lower_parts(second, first);
    if (climbs_by_parts ? !comes_sooner && second.climb != Sums{} : climb && !climbs_less(second, first)) return;
    const bool same_action = other.action == found.action;
    const bool earlier =
        comes_sooner || other.action < found.action || (same_action && found.choice && other.choice && other.choice < found.choice);
    const auto close = [&](std::size_t last) {
        closing_[(2u * before + last) * stride_ + step / 64] |= Word{1} << (step % 64);
        found.any[last] = closes_some_ = true;
    };
    if (earlier) close(0);
    if (earlier || differ) close(1);
    if (!same_action && !both_take) return;
    const bool ordered = same_action && first.chosen_first && second.chosen_first && first.taken == second.taken;
    const auto close_by_token = [&](std::size_t last, std::size_t smaller) {
        std::vector<Word>& kinds = kinds_[before].by_token[last];
        kinds.resize(2 * stride_);
        kinds[step / 64 * 2 + smaller] |= Word{1} << (step % 64);
        found.any[last] = found.by_token[last] = closes_some_ = true;
    };
    if (ordered) close_by_token(0, 0);
    if (ordered || both_take) close_by_token(1, 0);
    if (both_take) close_by_token(1, 1);
}

/// Whether a step does not go down, and no further up than another.
bool Diamonds::climbs_less(const Likeness& step, const Likeness& before) {
    return step.climb_known && !(before.climb < step.climb) && !(step.climb < Sums{});
}

/// Whether a step leads to a state that comes before the one where another leads from the same state, and changes no part that this
/// changes: then it goes up or not whatever the other does.
bool Diamonds::changes_lower_parts(const Likeness& step, const Likeness& before) {
    return (step.climb[0] & before.climb[0]) == 0 && step.climb[0] < before.climb[1];
}

Finder Diamonds::finder_of(const Found& found) {
    const Id token = found.came ? found.came : found.taken;
    if (found.kind == 0 || token >= most_told_apart) return no_finder;
    std::vector<Finder>& finders = kinds_[found.kind].finders;
    if (finders.size() <= token) finders.resize(token + 1, no_finder);
    Finder& finder = finders[token];
    if (finder == no_finder && finders_.size() < as_last - 1u) {
        finder = static_cast<Finder>(finders_.size());
        finders_.push_back(found);
    }
    if (finder != no_finder && finders_[finder].taken != found.taken) finders_[finder].taken = 0;
    return finder;
}

std::size_t Diamonds::bytes() const {
    std::size_t total = closing_.capacity() * sizeof(Word) + (finder_of_.capacity() + finders_.size()) * sizeof(Finder) +
                        finders_.capacity() * sizeof(Found);
    for (const Kind& kind : kinds_)
        total += sizeof(Kind) + sizeof(Brief) + sizeof(Likeness) + 2 * kind.like.accesses.size() * sizeof(Access) +
                 (kind.by_token[0].capacity() + kind.by_token[1].capacity()) * sizeof(Word);
    for (const Touched& touched : touched_)
        total += (touched.readers.capacity() + touched.writers.capacity()) * sizeof(Word) + touched.others.capacity() * sizeof(Touched::By);
    return total;
}

}  // namespace sweep
