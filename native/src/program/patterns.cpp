#include "sweep/program/patterns.hpp"

#include <algorithm>
#include <array>

namespace sweep {

namespace {

constexpr std::size_t most_questions = 12, most_conditions = 24;
constexpr std::uint32_t most_closed = 8;  // alternatives of a choice that is looked at: each would need patterns of its own

bool same(const Op& one, const Op& other) {
    return one.what == other.what && one.field == other.field && one.id == other.id && one.count == other.count;
}

bool alike(const Event& one, const Event& other) {
    return one.same_question(other) && one.key == other.key && one.answered == other.answered;
}

/// Whether two runs made the same choices.
bool chose_the_same(const Recording& one, const Recording& other) {
    const auto choices = [](const Recording& run) {
        std::vector<Event> made;
        for (const Event& event : run.path)
            if (event.ask == Ask::take || event.ask == Ask::choose) made.push_back(event);
        return made;
    };
    const std::vector<Event> a = choices(one), b = choices(other);
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), alike);
}

/// Whether what a run asks about a certain token of a bag may depend on numbers in question: where it has taken others from there, or
/// brought some.
bool may_mix(const Recording& run, const Doings& doings, std::uint32_t bag) {
    const auto takes = [&](const Event& event) { return event.ask == Ask::take && event.field == bag; };
    if (std::any_of(run.path.begin(), run.path.end(), takes)) return true;
    for (std::size_t i = 0; i < doings.given.size(); ++i)
        if (doings.given[i] && run.ops[i].field == bag) return true;
    return false;
}

bool looks_at(const Recording& run, std::uint32_t field) {
    return std::any_of(run.path.begin(), run.path.end(),
                       [&](const Event& event) { return event.ask == Ask::value && event.field == field; });
}

/// Whether a run did anything with the number of a scalar.
bool mentions(const Doings& doings, std::uint32_t field) {
    const auto has = [&](const Sum& sum) {
        return std::any_of(sum.begin(), sum.end(), [&](const Sum::Term& term) { return term.field == field; });
    };
    return std::any_of(doings.comparisons.begin(), doings.comparisons.end(), [&](const auto& one) { return has(one.sum); }) ||
           std::any_of(doings.given.begin(), doings.given.end(), [&](const auto& given) { return given && has(*given); });
}

}  // namespace

std::optional<Pattern> Pattern::of(const Schema& schema, const Recording& plain, const Recording& general, bool enabled) {
    const Doings& doings = general.doings;
    if (plain.path.size() > most_questions || doings.comparisons.size() > most_conditions) return std::nullopt;
    if (!std::equal(plain.ops.begin(), plain.ops.end(), general.ops.begin(), general.ops.end(), same)) return std::nullopt;
    if (!chose_the_same(plain, general)) return std::nullopt;
    Pattern pattern;
    pattern.enabled_ = enabled;
    if (!pattern.is_general(schema, plain, general)) return std::nullopt;
    for (const Doings::Comparison& one : doings.comparisons) {
        std::optional<Sum> sum = pattern.in_terms_of_questions(one.sum);
        if (!sum) return std::nullopt;
        sum->constant -= one.other;
        pattern.conditions_.push_back({*sum, one.equals, one.holds});
    }
    for (std::size_t i = 0; i < plain.ops.size(); ++i) {
        const bool in_question = i < doings.given.size() && doings.given[i];
        const std::optional<Sum> sum = in_question ? pattern.in_terms_of_questions(*doings.given[i]) : std::nullopt;
        if (in_question && !sum) return std::nullopt;
        pattern.steps_.push_back({plain.ops[i], sum});
    }
    pattern.note_alone();
    return pattern;
}

/// Note what was asked, and which answers may be other numbers. False where there is none, or what was asked about something else may
/// depend on such numbers.
bool Pattern::is_general(const Schema& schema, const Recording& plain, const Recording& general) {
    std::size_t token = 0;
    bool any = false;
    for (const Event& event : plain.path) {
        bool open = false;
        Progression progression;
        if (event.ask == Ask::take || event.ask == Ask::choose) {
            if (event.ask == Ask::take && (!event.answered || event.threshold || event.argument)) return false;
            if (token == general.doings.tokens.size()) return false;
            const Doings::Token& taken = general.doings.tokens[token++];
            open = !taken.looked_at && taken.number != Numbers::none;
            if (event.ask == Ask::choose && !open && event.argument > most_closed) return false;
            progression = taken.progression;
        } else if (event.ask == Ask::value) {
            const bool is_number = schema.variables[event.field].numbers >= 0 && schema.numbers_of(event.field)[event.key] != Numbers::none;
            open = is_number && !looks_at(general, event.field) && mentions(general.doings, event.field);
        } else if (event.ask == Ask::at_least ? may_mix(plain, general.doings, event.field) : event.ask != Ask::size) {
            return false;
        }
        any |= open;
        questions_.push_back({event, open, progression});
    }
    const auto is_simple = [](const Op& op) { return op.what == Op::Do::set || op.what == Op::Do::add || op.what == Op::Do::remove; };
    return any && std::all_of(plain.ops.begin(), plain.ops.end(), is_simple);
}

/// A sum of a run, about variables and tokens. What was looked at is a term like others: it is the same wherever the pattern fits.
std::optional<Sum> Pattern::in_terms_of_questions(const Sum& sum) const {
    Sum result;
    result.constant = sum.constant;
    for (const Sum::Term& term : sum) {
        std::uint32_t token = Doings::first_token, at = 0;
        for (; at < questions_.size(); ++at) {
            const Event& event = questions_[at].event;
            if (event.ask == Ask::take || event.ask == Ask::choose ? token++ == term.field
                                                                   : event.ask == Ask::value && event.field == term.field)
                break;
        }
        if (at == questions_.size()) return std::nullopt;
        result.terms[result.size++] = {at, term.coefficient};
    }
    return result;
}

void Pattern::note_alone() {
    for (std::uint32_t at = 0; at < questions_.size(); ++at) {
        const Question& question = questions_[at];
        if (!question.open || question.event.ask != Ask::value) continue;
        const auto has = [&](const Sum& sum) {
            return std::any_of(sum.begin(), sum.end(), [&](const Sum::Term& term) { return term.field == at; });
        };
        const auto is_bound = [&](const Sum& sum) {
            return has(sum) && std::any_of(sum.begin(), sum.end(),
                                           [&](const Sum::Term& term) { return questions_[term.field].event.ask == Ask::take; });
        };
        const auto leaves = [&](const Step& step) {
            const bool own = step.op.what == Op::Do::set && step.op.field == question.event.field && step.number && step.number->size == 1;
            return step.number && has(*step.number) && !own;
        };
        compares_alone_ |= std::none_of(conditions_.begin(), conditions_.end(), [&](const Condition& one) { return is_bound(one.sum); }) &&
                           std::none_of(steps_.begin(), steps_.end(), leaves);
    }
}

bool Pattern::fits(const Schema& schema, const Word* state, const std::vector<std::uint32_t>& script, Course& course) const {
    std::array<Id, most_questions> keys;
    std::array<std::int64_t, most_questions> numbers;
    std::size_t choice = 0;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
        const auto& [asked, open, progression] = questions_[i];
        keys[i] = 0;
        if (asked.ask == Ask::value) {
            keys[i] = static_cast<Id>(schema.layout.fields[asked.field].load(state));
        } else if (asked.ask == Ask::size) {
            keys[i] = schema.size_of(asked.field, state);
        } else if (asked.ask == Ask::at_least) {
            keys[i] = schema.count_of(asked.field, asked.argument, state) >= asked.threshold;
        } else if (choice < script.size()) {
            keys[i] = script[choice++];
        } else if (asked.ask == Ask::take) {  // any: the first
            TokenCounts held;
            schema.available(asked.field, state, held);
            if (held.size() == 0) return false;
            keys[i] = held.token(0);
        }
        if (!open && keys[i] != asked.key) return false;
        const bool may_be_number = (asked.ask == Ask::value || asked.ask == Ask::take) && schema.variables[asked.field].numbers >= 0;
        numbers[i] = asked.ask == Ask::choose ? progression.at(keys[i])
                     : may_be_number          ? schema.numbers_of(asked.field)[keys[i]]
                                              : Numbers::none;
        if (open && numbers[i] == Numbers::none) return false;
    }
    const auto total = [&](const Sum& sum) {
        std::int64_t total = sum.constant;
        for (const Sum::Term& term : sum) total += term.coefficient * numbers[term.field];
        return total;
    };
    for (const Condition& one : conditions_)
        if ((one.equals ? total(one.sum) == 0 : total(one.sum) >= 0) != one.holds) return false;
    course.ops.resize(steps_.size());
    course.news.clear();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        Op& op = course.ops[i] = steps_[i].op;
        if (!steps_[i].number) continue;
        const std::int64_t number = total(*steps_[i].number);
        op.id = schema.numbers_of(op.field).find(number);
        if (op.id == Numbers::no_id) course.news.push_back({op.field, number});
    }
    course.path.resize(questions_.size());
    for (std::size_t i = 0; i < questions_.size(); ++i) {
        course.path[i] = questions_[i].event;
        course.path[i].key = keys[i];
    }
    return true;
}

std::optional<Alike> Pattern::others(const Schema& schema, const Course& course) const {
    const auto chooses = [](const Question& question) { return question.event.ask == Ask::take || question.event.ask == Ask::choose; };
    const auto first = std::find_if(questions_.begin(), questions_.end(), chooses);
    if (first == questions_.end() || !first->open || first->event.ask != Ask::take) return std::nullopt;
    if (std::any_of(first + 1, questions_.end(), chooses)) return std::nullopt;
    const auto taken = static_cast<std::uint32_t>(first - questions_.begin());
    const auto times = [taken](const Sum& sum) {
        const auto term = std::find_if(sum.begin(), sum.end(), [taken](const Sum::Term& one) { return one.field == taken; });
        return term == sum.end() ? 0 : term->coefficient;
    };
    const auto takes_out = [](const Op& op) { return op.what == Op::Do::remove; };
    const auto removal = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) { return takes_out(step.op); });
    for (auto step = steps_.begin(); step != steps_.end(); ++step)
        if (step != removal && step->number && times(*step->number)) return std::nullopt;
    Alike alike;
    alike.bag = first->event.field;
    alike.rest.assign(course.path.begin() + taken + 1, course.path.end());
    for (const Condition& one : conditions_) {
        if (!times(one.sum)) continue;
        Alike::Limit limit{times(one.sum), one.sum.constant, one.equals, one.holds};
        for (const Sum::Term& term : one.sum)
            if (term.field != taken) {
                const Event& event = course.path[term.field];
                limit.constant += term.coefficient * schema.numbers_of(event.field)[event.key];
            }
        alike.limits.push_back(limit);
    }
    return alike;
}

bool Pattern::agrees(const Course& course, const Recording& run, bool enabled) const {
    return enabled == enabled_ && std::equal(course.path.begin(), course.path.end(), run.path.begin(), run.path.end(), alike) &&
           std::equal(course.ops.begin(), course.ops.end(), run.ops.begin(), run.ops.end(), same);
}

Pattern* Patterns::find(const Schema& schema, const Word* state, const std::vector<std::uint32_t>& script, Pattern::Course& course) {
    for (Pattern& pattern : all_) {
        if (!pattern.fits(schema, state, script, course)) continue;
        ++answered_;
        if (&pattern != &all_.front()) std::swap(pattern, all_.front());  // the next state is most often of the same kind
        return &all_.front();
    }
    return nullptr;
}

bool Patterns::fit(const Schema& schema, const Word* state, const std::vector<std::uint32_t>& script) const {
    Pattern::Course course;
    return std::any_of(all_.begin(), all_.end(), [&](const Pattern& pattern) { return pattern.fits(schema, state, script, course); });
}

void Patterns::add(std::optional<Pattern> pattern, std::uint64_t runs) {
    if (pattern)
        all_.push_back(std::move(*pattern));
    else
        next_ = later * runs;  // it may be otherwise in another state
}

void Patterns::give_up() {
    all_.clear();
    next_ = ~std::uint64_t{0};
}

bool Patterns::may_compare() const {
    return all_.empty() || std::any_of(all_.begin(), all_.end(), [](const Pattern& pattern) { return pattern.compares_alone(); });
}

}  // namespace sweep
