#include "sweep/program/resolver.hpp"

#include <algorithm>
#include <utility>

#include "sweep/program/interpreter.hpp"

namespace sweep {

namespace {

/// Room for the choices of runs, which is kept from one state to the next; who asks inside another gets room of its own.
struct Choices {
    Choices() : script(std::exchange(spare_script, {})), done(std::exchange(spare_done, {})) {
        script.clear();
        done.clear();
    }
    Choices(const Choices&) = delete;
    Choices& operator=(const Choices&) = delete;
    ~Choices() {
        spare_script.swap(script);
        spare_done.swap(done);
    }
    std::vector<std::uint32_t> script, done;

private:
    static thread_local std::vector<std::uint32_t> spare_script, spare_done;
};
thread_local std::vector<std::uint32_t> Choices::spare_script, Choices::spare_done;

void note_choices(const std::vector<Event>& path, std::vector<std::uint32_t>& made) {
    made.clear();
    for (const Event& event : path)
        if ((event.ask == Ask::take || event.ask == Ask::choose) && event.answered) made.push_back(event.key);
}

/// Visit the keys of a node that takes a token, in order, until that returns true; whether it did. Most bags lie in slots of one word,
/// where equal tokens are neighbours.
template <class Visit>
bool any_takeable(const Schema& schema, const Trie& trie, const Trie::Node& node, const Word* state, Visit&& visit) {
    if (node.direct != Trie::Node::Direct::take) {
        const std::vector<Id> keys = takeable(schema, trie, node, state);
        return std::any_of(keys.begin(), keys.end(), visit);
    }
    const Word one = low_bits(node.bits);
    Id last = 0;
    for (Word rest = (state[node.word] >> node.shift) & node.mask; rest; rest >>= node.bits) {
        const Id token = static_cast<Id>(rest & one);
        if (token != last && visit(token)) return true;
        last = token;
    }
    return false;
}

}  // namespace

bool Resolver::answer(std::span<const Miss> misses, const Word* states, std::size_t stride, std::uint64_t explored) {
    begin_change();
    const auto start = SteadyClock::now();
    const Rehearsals::Use use(rehearsals());
    rehearse(misses, false, states, stride);
    const auto begin = SteadyClock::now();
    const Interpreter::Hold hold(dynamic_cast<Interpreter*>(&functions_));
    std::vector<Function>& actions = program_.actions();
    double answered = 0;
    for (const Miss& miss : misses) {
        if (miss.direct) continue;
        ++answered;
        if (!resolve(miss.action, states + stride * miss.parent)) continue;  // another one has been the same
        check_worth(actions[miss.action], explored);
    }
    // The clock is read once per batch: shares go by the number of misses.
    const double share = seconds_since(begin) / std::max(answered, 1.0);
    for (const Miss& miss : misses)
        if (!miss.direct) actions[miss.action].seconds += share;
    seconds += seconds_since(start);
    return program_.schema.fits();
}

/// A state missed the table of an action: it may be worth no more memory, or had better be about how numbers compare.
void Resolver::check_worth(Function& action, std::uint64_t explored) {
    change_due_ |= wants_change(action);
    if (!action.trie.compared.empty() || action.pays(explored)) return;
    next_chance_ = std::min(next_chance_, action.next_chance());
    ++program_.epoch;
}

bool Resolver::answer_direct(std::vector<Miss>& misses, const Word* states, std::size_t stride) {
    if (std::none_of(misses.begin(), misses.end(), [](const Miss& miss) { return miss.direct != nullptr; })) return program_.schema.fits();
    const auto start = SteadyClock::now();
    const Rehearsals::Use use(rehearsals());
    rehearse(misses, true, states, stride);
    const Interpreter::Hold hold(dynamic_cast<Interpreter*>(&functions_));
    first_direct_ = std::min(first_direct_, program_.outcomes.size());
    for (Miss& miss : misses) {
        if (!miss.direct) continue;
        if (!program_.schema.fits()) break;
        Function& action = program_.actions()[miss.action];
        const auto begin = SteadyClock::now();
        resolve(miss.action, states + stride * miss.parent, *miss.direct);
        change_due_ |= wants_change(action);
        action.seconds += seconds_since(begin);
    }
    seconds += seconds_since(start);
    return program_.schema.fits();
}

void Resolver::forget_direct() {
    if (first_direct_ == ~std::uint32_t{0}) return;
    program_.outcomes.forget_from(first_direct_);
    first_direct_ = ~std::uint32_t{0};
}

/// The next choices, in order, that lead to something unknown. All choices up to `after`, if given, are known.
bool Resolver::find_unknown(const Trie& trie, Code code, const Word* state, std::vector<std::uint32_t>& script,
                            const std::vector<std::uint32_t>* after) const {
    for (;;) {
        code = trie.follow(code, state);
        if (code == unknown) return true;
        if (code & 1) return false;
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask != Ask::take && node.ask != Ask::choose) {
            code = trie.child(node, sweep::answer(program_.schema, trie, node, state));
            continue;
        }
        const std::size_t depth = script.size();
        const bool resumes = after && depth < after->size();
        if (!resumes) after = nullptr;
        if (node.ask == Ask::choose) {  // from where it was left: a choice may have very many alternatives
            for (Id key = resumes ? (*after)[depth] : 0; key < node.argument; ++key, after = nullptr) {
                script.push_back(key);
                if (find_unknown(trie, trie.child(node, key), state, script, after)) return true;
                script.pop_back();
            }
            return false;
        }
        bool reached = !resumes;
        return any_takeable(program_.schema, trie, node, state, [&](Id token) {
            if (!reached && token != (*after)[depth]) return false;
            reached = true;
            script.push_back(token);
            if (find_unknown(trie, trie.child(node, token), state, script, std::exchange(after, nullptr))) return true;
            script.pop_back();
            return false;
        });
    }
}

bool Resolver::resolve(std::uint32_t action, const Word* state, Trie& table) {
    Choices choices;
    auto& [script, done] = choices;
    bool found = false;
    while (script.clear(), find_unknown(table, table.root, state, script, &done)) {
        find_out(action, state, table, script);
        found = true;
        if (script.empty()) break;  // it made no choice: there is nothing else to find out
        done.swap(script);
    }
    if (!found) return false;
    ++program_.actions()[action].missed;
    table.refresh(program_.schema, false);
    return true;
}

bool Resolver::resolve_by_patterns(std::uint32_t action, const Word* state, bool meets, Code take, Id token) {
    Function& function = program_.actions()[action];
    if (!function.patterns.any() || !function.tabulated || !function.trie.compared.empty()) return false;
    const auto find_next = [&] {
        const Trie& trie = function.trie;
        script_.clear();
        if (take == unknown) return find_unknown(trie, trie.root, state, script_, &done_);
        script_.push_back(token);
        return find_unknown(trie, trie.child(trie.nodes[index_of(take)], token), state, script_, &done_);
    };
    done_.clear();
    told_ = nullptr;
    bool found = false, complete = true;
    while (find_next()) {
        const Pattern* pattern = function.patterns.find(program_.schema, state, script_, course_);
        complete = pattern && pattern->certain() && (course_.news.empty() || (meets && can_meet_news()));
        if (complete && !course_.news.empty()) meet_news(*pattern, state, script_);
        complete = complete && program_.schema.fits();
        if (!complete) break;
        ++function.answered;
        enter(action, state, function.trie, pattern->enabled(), course_.path, course_.ops);
        if (fills_rows) fill_row(action, *pattern);
        note_choices(course_.path, done_);
        found = true;
        if (take == unknown || done_.size() != 1) continue;
        told_ = pattern;  // there is no other choice
        break;
    }
    if (!found) return complete;
    ++answered_;
    ++function.missed;
    function.trie.refresh(program_.schema, false);
    check_worth(function, explored_);
    return complete;
}

std::optional<Alike> Resolver::others(Code code) const {
    if (!told_ || (is_leaf(code) ? !program_.outcomes.takes_any(index_of(code)) : code != disabled)) return std::nullopt;
    std::optional<Alike> alike = told_->others(program_.schema, course_);
    if (alike) alike->end = code;
    return alike;
}

bool Resolver::resolve_alike(std::uint32_t action, std::uint32_t take, const Alike& alike, Id token) {
    Function& function = program_.actions()[action];
    if (!function.patterns.any() || !function.tabulated || !function.trie.compared.empty()) return false;
    const std::int64_t number = program_.schema.numbers_of(alike.bag)[token];
    if (number == Numbers::none || !alike.holds(number)) return false;
    if (function.trie.insert_after(take, token, alike.rest, alike.end) != alike.end) return false;
    if (is_leaf(alike.end)) program_.diamonds.learn(index_of(alike.end), token);
    ++function.answered;
    ++answered_;
    function.trie.refresh(program_.schema, false);
    check_worth(function, explored_);
    return true;
}

void Resolver::fill_row(std::uint32_t action, const Pattern& pattern) {
    constexpr Id many = 512;  // tokens: hardly all of them are ever there
    Function& function = program_.actions()[action];
    Trie& trie = function.trie;
    asked_path_ = course_.path;
    function.put_as_asked(asked_path_, trie, program_.schema);
    told_ = &pattern;
    const std::optional<Alike> alike = others(trie.find(asked_path_));
    told_ = nullptr;
    if (!alike || alike->is_of_one()) return;
    const Numbers& numbers = program_.schema.numbers_of(alike->bag);
    if (numbers.size() > many) return;
    Code take = trie.root;
    for (auto event = asked_path_.begin(); event->ask != Ask::take; ++event) take = trie.child(trie.nodes[index_of(take)], event->key);
    for (Id token = 0; token < numbers.size(); ++token) {
        if (trie.child(trie.nodes[index_of(take)], token) != unknown || numbers[token] == Numbers::none || !alike->holds(numbers[token]))
            continue;
        if (trie.insert_after(index_of(take), token, alike->rest, alike->end) != alike->end) return;
        if (is_leaf(alike->end)) program_.diamonds.learn(index_of(alike->end), token);
    }
}

/// Whether such numbers can be values: not beside others that may be equal, as True and 1 are, nor if they are too large to be compared.
bool Resolver::can_meet_news() const {
    return std::all_of(course_.news.begin(), course_.news.end(), [&](const Requests::NewNumber& one) {
        return program_.schema.numbers_of(one.variable).all() && one.number <= Numbers::most && one.number >= -Numbers::most;
    });
}

/// Numbers that a pattern gives to variables become values of these, in the order in which a run would give them.
void Resolver::meet_news(const Pattern& pattern, const Word* state, const std::vector<std::uint32_t>& script) {
    for (const Requests::NewNumber& one : course_.news) functions_.meet_number(one.variable, one.number);
    pattern.fits(program_.schema, state, script, course_);
}

/// What an action did after it was told this, for which the table asks what `asked_path_` says. Where nobody looks at edges, runs that did
/// the same, but for the token which they took out, have one outcome.
std::uint32_t Resolver::add_outcome(std::uint32_t action, const Trie& table, const std::vector<Event>& path, const std::vector<Op>& ops) {
    Function& function = program_.actions()[action];
    Diamonds& diamonds = program_.diamonds;
    const bool own = &table == &function.trie;
    const Event* const taken = own && diamonds.used() ? may_share(asked_path_, ops) : nullptr;
    if (const std::optional<std::uint32_t> known = taken ? find_alike(function, asked_path_, ops, *taken) : std::nullopt) {
        diamonds.learn(*known, taken->key);
        return *known;
    }
    const std::uint32_t outcome = program_.outcomes.add(ops, path);
    if (std::exchange(learnt_in_, program_.epoch) != program_.epoch) diamonds.forget_lessons();
    if (own)
        diamonds.learn(program_.outcomes, outcome, action, asked_path_, table);
    else
        diamonds.pass_over(outcome);
    if (!taken || !diamonds.take_any(program_.outcomes, outcome)) return outcome;
    program_.outcomes.take_any(outcome);
    std::shift_right(function.taken.begin(), function.taken.end(), 1);
    function.taken[0] = taken->key;
    return outcome;
}

/// The token that was taken, if what was done may be one outcome for all of them. What diamonds know of sizes is known of one token; and
/// who asks for a certain token, and takes it, does something else where another one is taken.
const Event* Resolver::may_share(const std::vector<Event>& path, const std::vector<Op>& ops) {
    const Event* const taken = Outcomes::taken_first(ops, path);
    const auto matters = [&](const Event& event) {
        return event.ask == Ask::size || (event.ask == Ask::at_least && event.field == taken->field);
    };
    return taken && std::none_of(path.begin(), path.end(), matters) ? taken : nullptr;
}

/// An outcome of the same action, which was told the same but for the token that it took, and did the same otherwise.
std::optional<std::uint32_t> Resolver::find_alike(const Function& function, const std::vector<Event>& path, const std::vector<Op>& ops,
                                                  const Event& taken) {
    std::vector<Event>& other = other_path_;
    other = path;
    for (const Id token : function.taken) {
        other[static_cast<std::size_t>(&taken - path.data())].key = token;
        const Code code = function.trie.find(other);
        if (!is_leaf(code) || !program_.outcomes.takes_any(index_of(code))) continue;
        if (program_.outcomes.recorded_as(index_of(code), ops)) return index_of(code);
    }
    return std::nullopt;
}

/// Put what was found out about an action into a table.
void Resolver::enter(std::uint32_t action, const Word* state, Trie& table, bool enabled, const std::vector<Event>& path,
                     const std::vector<Op>& ops) {
    asked_path_ = path;
    const bool unmet = !program_.actions()[action].put_as_asked(asked_path_, table, program_.schema);
    if (unmet && (enabled || path.size() > 1)) throw Impure({Role::action, action}, program_.schema.unpack(state));
    const Code end = enabled ? leaf_code(add_outcome(action, table, path, ops)) : disabled;
    if (!table.insert(asked_path_, end)) throw Impure({Role::action, action}, program_.schema.unpack(state));
}

/// What an action asks and does in a state, with these choices, which become those that it makes: as a pattern says, or by running it.
void Resolver::find_out(std::uint32_t action, const Word* state, Trie& table, std::vector<std::uint32_t>& script) {
    Function& function = program_.actions()[action];
    const bool may_fit = function.patterns.any() && table.compared.empty();
    Pattern* pattern = may_fit ? function.patterns.find(program_.schema, state, script, course_) : nullptr;
    if (pattern && pattern->certain() && can_meet_news()) {
        if (!course_.news.empty()) meet_news(*pattern, state, script);
        ++function.answered;
        enter(action, state, table, pattern->enabled(), course_.path, course_.ops);
        if (fills_rows && &table == &function.trie) fill_row(action, *pattern);
        note_choices(course_.path, script);
        return;
    }
    const bool enabled = run_action(action, state, table, script);
    if (pattern) {
        pattern->fits(program_.schema, state, script, course_);  // values that were new are known now
        if (pattern->agrees(course_, recording_, enabled))
            ++pattern->confirmed;
        else
            function.patterns.give_up();
    } else if (table.compared.empty() && !program_.synchronisation(action) && function.patterns.wanted(function.runs)) {
        look_for_pattern(action, state, script, enabled);
    }
    const bool may_await = !pattern && &table == &function.trie && table.compared.empty() && !program_.synchronisation(action);
    enter(action, state, table, enabled, recording_.path, recording_.ops);
    note_choices(recording_.path, script);
    if (may_await && !(function.precondition && function.precondition->known)) look_for_precondition(action, state, enabled);
}

bool Resolver::run_action(std::uint32_t action, const Word* state, Trie& table, const std::vector<std::uint32_t>& script) {
    const auto enables = [&](Recording& recording) { return act(action, recording) && recording.touched; };
    const bool enabled = run({Role::action, action}, state, table, script, enables) != 0;
    program_.actions()[action].observe(recording_.path, program_.schema.variables.size());
    return enabled;
}

/// Run an action once more, with all numbers in question: what it does with them may be a pattern.
void Resolver::look_for_pattern(std::uint32_t action, const Word* state, const std::vector<std::uint32_t>& script, bool enabled) {
    Function& function = program_.actions()[action];
    std::optional<Pattern> pattern;
    values_.clear();
    looking_.begin_generally(state, values_, script);
    ++function.runs;
    try {
        const bool same = (act(action, looking_) && looking_.touched) == enabled;
        if (same) pattern = Pattern::of(program_.schema, recording_, looking_, enabled);
    } catch (const Incomparable&) {  // it did not take a number in question for a number
    }
    if (pattern && !function.patterns.any() && functions_.may_notice(action))
        function.patterns.give_up();
    else
        function.patterns.add(std::move(pattern), function.runs);
}

/// A member of a family has run, and that is in its table: it may wait for a number, which is believed when further runs say the same.
void Resolver::look_for_precondition(std::uint32_t action, const Word* state, bool enabled) {
    Function& function = program_.actions()[action];
    Families& families = program_.families;
    if (function.precondition) {
        const Precondition::Says says = function.precondition->judge(program_.schema, recording_, enabled);
        if (says == Precondition::Says::otherwise) {
            function.precondition.reset();
            families.give_up(action);
        } else if (says == Precondition::Says::again) {
            families.confirm(action);
            if (++function.precondition->confirmed >= families.enough(action)) believe_precondition(function);
        }
        return;
    }
    if (!families.wants(action) || enabled || functions_.may_notice(action)) return;
    values_.clear();
    looking_.begin_generally(state, values_, {}, !functions_.may_catch(action));
    ++function.runs;
    try {
        const bool same = !(act(action, looking_) && looking_.touched);
        if (same) function.precondition = Precondition::of(program_.schema, recording_, looking_);
    } catch (const Incomparable&) {  // it did not take a number in question for a number
    }
    families.note(action, function.precondition);
}

void Resolver::believe_precondition(Function& function) {
    Precondition& precondition = *function.precondition;
    const Id value = program_.schema.numbers_of(precondition.field).find(precondition.number);
    precondition.known = function.trie.ask_whether(function.trie.equality(precondition.field, precondition.number), value);
    if (!precondition.known) return;
    function.trie.refresh(program_.schema, true);
    ++program_.epoch;
}

/// Run a function. One that compares numbers is run on plain ones before, and must do the same: so it notices no difference, and gives
/// no value to a variable that is not known already.
template <class Run>
std::uint32_t Resolver::run(FunctionId id, const Word* state, Trie& table, const std::vector<std::uint32_t>& script, Run&& run) {
    Function& function = program_[id];
    const bool compares = !table.compared.empty();
    std::uint32_t expected = 0;
    if (compares) {
        values_.clear();
        looking_.begin(state, values_, script);
        ++function.runs;
        expected = run(looking_);
    }
    recording_.begin(state, table, script);
    ++function.runs;
    const std::uint32_t result = run(recording_);
    if (compares) {
        if (result != expected || !did_the_same(program_.schema, looking_, recording_, table)) throw Incomparable(id);
        function.comparing.note(recording_, table);
    }
    return result;
}

bool Resolver::act(std::uint32_t action, Recording& recording) {
    if (const Synchronisation* event = program_.synchronisation(action)) return event->record(recording);
    return functions_.act(action, recording);
}

std::uint32_t Resolver::ask(FunctionId id, const Word* state) {
    begin_change();
    const auto start = SteadyClock::now();
    Function& function = program_[id];
    ++asked_;
    ++function.missed;
    if (numbers_lost_ != program_.schema.numbers_lost) drop_lost_numbers();
    const auto evaluates = [&](Recording& recording) { return functions_.evaluate(id, recording); };
    std::uint32_t value = 0;
    try {
        value = run(id, state, function.trie, {}, evaluates);
    } catch (const Incomparable&) {
        stop_comparing(id);
        value = run(id, state, function.trie, {}, evaluates);
    }
    if (!function.trie.insert(recording_.path, leaf_code(value))) throw Impure(id, program_.schema.unpack(state));
    function.trie.refresh(program_.schema, false);
    widened_ += function.observe(recording_.path, program_.schema.variables.size());
    if (id.role == Role::predicate) {
        change_due_ |= wants_change(function);
        look_at_parts(id.index);
    }
    const double spent = seconds_since(start);
    program_[id].seconds += spent;
    seconds += spent;
    return value;
}

bool Resolver::satisfies(const Formula& formula, const Word* state) {
    return *formula.holds(
        state, program_.schema, [this](std::uint32_t action, const Word* here) { return std::optional(enabled(action, here)); },
        [this](std::uint32_t part, const Word* here) { return std::optional(evaluate({Role::predicate, part}, here) != 0); });
}

/// A predicate was run: it may be one that had better be divided into parts, or such a part that had better not have been. The formula
/// that is being asked stays until the block is done.
void Resolver::look_at_parts(std::uint32_t predicate) {
    Divisions& divisions = program_.divisions;
    if (const std::optional<std::uint32_t> whole = divisions.note_run(predicate, explored_)) {
        to_undivide_.push_back(*whole);
    } else if (divisions.is_due(predicate, program_[{Role::predicate, predicate}].runs, explored_)) {
        divisions.note_tried(predicate);
        to_divide_.push_back(predicate);
    }
}

void Resolver::divide() {
    if (to_divide_.empty() && to_undivide_.empty()) return;
    begin_change();
    const auto start = SteadyClock::now();
    for (const std::uint32_t predicate : std::exchange(to_divide_, {}))
        if (Functions::Parts parts = functions_.divide(predicate); parts.formula)
            program_.divide(predicate, std::move(parts.formula), parts.count, explored_);
    for (const std::uint32_t predicate : std::exchange(to_undivide_, {})) program_.undivide(predicate);
    ++program_.epoch;
    seconds += seconds_since(start);
}

/// By running the action. What it does goes into its table unless that grows no more: then it is forgotten again.
bool Resolver::find_enabled(std::uint32_t action, const Word* state) {
    begin_change();
    const auto start = SteadyClock::now();
    Trie direct;
    Trie& table = program_.actions()[action].tabulated ? program_.actions()[action].trie : direct;
    const std::uint32_t outcomes = program_.outcomes.size();
    try {
        resolve(action, state, table);
    } catch (const Incomparable& met) {
        stop_comparing(met.function);
        resolve(action, state, table);
    }
    const bool enabled = *program_.enabled(table, state);
    if (&table == &direct) program_.outcomes.forget_from(outcomes);
    program_.actions()[action].seconds += seconds_since(start);
    seconds += seconds_since(start);
    return enabled;
}

}  // namespace sweep
