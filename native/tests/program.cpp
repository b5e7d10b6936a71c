#include "program.hpp"

namespace sweep::testing {

bool Draft::at_least(std::uint32_t field, Value number) { return read(field) >= number; }
bool Draft::equals(std::uint32_t field, Value number) { return read(field) == number; }
void Draft::move(std::uint32_t field, Value by) { write(field, read(field) + by); }

void Plain::write(std::uint32_t field, Value value) {
    values[field] = {value};
    touched = true;
}

int Plain::count(std::uint32_t bag, Value token) { return static_cast<int>(std::count(values[bag].begin(), values[bag].end(), token)); }

Value Plain::any(std::uint32_t bag) {
    const std::set<Value> tokens(values[bag].begin(), values[bag].end());
    if (tokens.empty()) throw Disabled{};
    return *std::next(tokens.begin(), choose(static_cast<int>(tokens.size())));
}

void Plain::add(std::uint32_t bag, Value token, int count) {
    values[bag].insert(values[bag].end(), static_cast<std::size_t>(count), token);
    std::sort(values[bag].begin(), values[bag].end());
    touched = true;
}

void Plain::remove(std::uint32_t bag, Value token, int count) {
    const auto first = std::find(values[bag].begin(), values[bag].end(), token);
    values[bag].erase(first, first + count);
    touched = true;
}

std::vector<Value> Plain::whole(std::uint32_t field) { return values[field]; }

void Plain::clear(std::uint32_t field) {
    values[field].clear();
    touched = true;
}

std::optional<Value> Plain::element(std::uint32_t queue, int position) {
    if (position >= size(queue)) return std::nullopt;
    return values[queue][static_cast<std::size_t>(position)];
}

void Plain::put(std::uint32_t queue, Value value) {
    values[queue].push_back(value);
    touched = true;
}

void Plain::get(std::uint32_t queue) {
    values[queue].erase(values[queue].begin());
    touched = true;
}

int Plain::choose(int alternatives) {
    if (at_ == script_.size()) script_.push_back({0, alternatives});
    return script_[at_++].index;
}

std::vector<Values> outcomes(const Act& action, const Values& state) {
    std::vector<Values> result;
    std::vector<Plain::Choice> script;
    do {
        Plain draft(state, script);
        bool enabled = true;
        try {
            action(draft);
        } catch (const Disabled&) {
            enabled = false;
        }
        if (enabled && draft.touched) result.push_back(draft.values);
        while (!script.empty() && script.back().index + 1 == script.back().alternatives) script.pop_back();
        if (!script.empty()) ++script.back().index;
    } while (!script.empty());
    return result;
}

Machine::Machine(const TestProgram& program) : program_(program), domains_(program.kinds.size()) {
    for (const Kind kind : program.kinds) {
        const std::uint32_t field = core.schema.add(kind);
        if (kind == Kind::scalar) core.schema.variables[field].numbers = static_cast<std::int32_t>(field);
        core.schema.numbers.emplace_back();
    }
}

Machine::~Machine() = default;

Exploration& Machine::prepare(Settings settings, std::size_t measure_parts) {
    if (settings.order != Settings::Order::depth)
        settings.order = measure_parts ? Settings::Order::keys : program_.measure ? Settings::Order::layers : Settings::Order::found;
    settings.total_order = program_.total_order;
    roots_.clear();
    for (const Values& state : program_.initial) roots_.push_back(unpacked(state));
    core.set_functions(Role::action, program_.actions.size());
    core.set_functions(Role::predicate, program_.predicates.size());
    core.set_functions(Role::measure, 1);
    core.set_functions(Role::part, measure_parts);
    exploration_ = std::make_unique<Exploration>(core, *this, settings);
    exploration_->product.parts.resize(measure_parts);
    parts.resize(measure_parts);
    return *exploration_;
}

Stop Machine::explore() { return exploration_->run(roots_); }

Id Machine::id(std::uint32_t field, Value value) {
    Domain& domain = domains_[field];
    const auto found = domain.ids.find(value);
    if (found != domain.ids.end()) return found->second;
    const Id base = program_.kinds[field] == Kind::scalar ? 0 : 1;
    const Id id = base + static_cast<Id>(domain.values.size());
    domain.ids.emplace(value, id);
    domain.values.push_back(value);
    if (base == 0) core.schema.set_number(field, id, value);
    core.schema.set_values(field, std::uint64_t{id} + 1);
    return id;
}

Value Machine::value(std::uint32_t field, Id id) const {
    return domains_[field].values.at(id - (program_.kinds[field] == Kind::scalar ? 0 : 1));
}

std::vector<Value> Machine::values_of(std::uint32_t field, const std::vector<Id>& held) const {
    std::vector<Value> result;
    const bool bag = program_.kinds[field] == Kind::bag;
    for (std::size_t i = 0; i < held.size(); i += bag ? 2 : 1) result.insert(result.end(), bag ? held[i + 1] : 1, value(field, held[i]));
    if (bag) std::sort(result.begin(), result.end());
    return result;
}

Values Machine::plain(const Unpacked& state) const {
    Values result;
    for (std::uint32_t i = 0; i < state.size(); ++i) result.push_back(values_of(i, state[i]));
    return result;
}

Unpacked Machine::unpacked(const Values& state) {
    Unpacked result(state.size());
    for (std::uint32_t i = 0; i < state.size(); ++i) {
        std::map<Id, Id, std::greater<>> bag;
        for (const Value value : state[i]) {
            if (program_.kinds[i] == Kind::bag)
                ++bag[id(i, value)];
            else
                result[i].push_back(id(i, value));
        }
        for (const auto& [token, count] : bag) result[i].insert(result[i].end(), {token, count});
    }
    return result;
}

bool Machine::leq(std::uint32_t part, std::uint32_t one, std::uint32_t other) {
    return part == whole_measure ? program_.leq(progress[one], progress[other]) : parts[part][one] <= parts[part][other];
}

Place Machine::minimal(const std::vector<Place>& layers) {
    Place least = layers[0];
    for (const Place layer : layers)
        if (layer != least && leq(whole_measure, layer, least)) least = layer;
    return least;
}

void Machine::verify(const Word* state, const std::vector<const Word*>& successors) {
    std::multiset<Values> expected, found;
    for (const Act& action : program_.actions)
        for (Values& next : outcomes(action, plain(core.schema.unpack(state)))) expected.insert(std::move(next));
    for (const Word* next : successors) found.insert(plain(core.schema.unpack(next)));
    check(found == expected);
    ++verified;
}

Value Recorded::read(std::uint32_t field) {
    if (run_.in_question(field)) return static_cast<Value>(run_.value(run_.number(field)));
    return machine_.value(field, run_.read(field));
}

bool Recorded::at_least(std::uint32_t field, Value number) {
    return run_.in_question(field) ? run_.not_less(run_.number(field), number) : Draft::at_least(field, number);
}

bool Recorded::equals(std::uint32_t field, Value number) {
    return run_.in_question(field) ? run_.equal(run_.number(field), number) : Draft::equals(field, number);
}

void Recorded::move(std::uint32_t field, Value by) {
    Sum step;
    step.constant = by;
    if (!run_.in_question(field) || !run_.shift(field, *run_.number(field).plus(step, 1))) Draft::move(field, by);
}

void Recorded::write(std::uint32_t field, Value value) { run_.write(field, machine_.id(field, value)); }

int Recorded::size(std::uint32_t field) { return static_cast<int>(run_.size(field)); }

int Recorded::count(std::uint32_t bag, Value token) { return static_cast<int>(run_.count(bag, machine_.id(bag, token))); }

bool Recorded::has(std::uint32_t bag, Value token, int count) {
    return run_.has(bag, machine_.id(bag, token), static_cast<std::uint32_t>(count));
}

Value Recorded::any(std::uint32_t bag) {
    const std::optional<Id> token = run_.any(bag);
    if (!token) throw Disabled{};
    return machine_.value(bag, *token);
}

void Recorded::add(std::uint32_t bag, Value token, int count) { run_.add(bag, machine_.id(bag, token), static_cast<std::uint32_t>(count)); }

void Recorded::remove(std::uint32_t bag, Value token, int count) {
    run_.remove(bag, machine_.id(bag, token), static_cast<std::uint32_t>(count));
}

std::vector<Value> Recorded::whole(std::uint32_t field) { return machine_.values_of(field, run_.whole(field)); }

void Recorded::clear(std::uint32_t field) { run_.clear(field); }

std::optional<Value> Recorded::element(std::uint32_t queue, int position) {
    const Id id = run_.element(queue, static_cast<std::uint32_t>(position));
    if (id == 0) return std::nullopt;
    return machine_.value(queue, id);
}

void Recorded::put(std::uint32_t queue, Value value) { run_.put(queue, machine_.id(queue, value)); }

void Recorded::get(std::uint32_t queue) { run_.get(queue); }

int Recorded::choose(int alternatives) { return static_cast<int>(run_.choose(static_cast<std::uint32_t>(alternatives))); }

void Recorded::touch() { run_.touch(); }

bool Machine::act(std::uint32_t action, Recording& run) {
    Recorded draft(*this, run);
    try {
        program_.actions[action](draft);
    } catch (const Disabled&) {
        return false;
    }
    return true;
}

std::uint32_t Machine::evaluate(FunctionId id, Recording& run) {
    Recorded draft(*this, run);
    if (id.role == Role::predicate) return program_.predicates[id.index](draft);
    return id.role == Role::part ? run_part(id.index, draft) : run_measure(draft);
}

Place Machine::run_measure(Draft& draft) {
    const std::vector<Value> value = program_.measure(draft);
    const auto found = layers_.find(value);
    if (found != layers_.end()) return found->second;
    std::optional<Place> below;
    const auto above = layers_.lower_bound(value);
    if (program_.total_order && above != layers_.begin()) below = std::prev(above)->second;
    const Place layer = exploration_->add_layer(below);
    layers_.emplace(value, layer);
    progress.push_back(value);
    return layer;
}

/// The parts of a product measure are those of the program's measure, each ordered as numbers are.
std::uint32_t Machine::run_part(std::uint32_t part, Draft& draft) {
    const Value value = program_.measure(draft)[part];
    std::vector<Value>& known = parts[part];
    std::optional<std::uint32_t> below;
    for (std::uint32_t i = 0; i < known.size(); ++i) {
        if (known[i] == value) return i;
        if (known[i] < value && (!below || known[*below] < known[i])) below = i;
    }
    known.push_back(value);
    return exploration_->product.add_value(part, below);
}

TestProgram Writer::draw(bool measured, bool total_order) {
    TestProgram program;
    const std::size_t variables = 2 + random_.below(5);
    Values initial;
    for (std::size_t i = 0; i < variables; ++i) {
        program.kinds.push_back(static_cast<Kind>(random_.below(3)));
        initial.push_back({});
        const std::uint64_t tokens = program.kinds[i] == Kind::scalar ? 1 : random_.below(4);
        for (std::uint64_t n = 0; n < tokens; ++n) initial[i].push_back(number());
        if (program.kinds[i] == Kind::bag) std::sort(initial[i].begin(), initial[i].end());
    }
    kinds_ = program.kinds;
    const std::uint32_t clock = static_cast<std::uint32_t>(variables);  // two scalars that only grow
    if (measured) {
        program.kinds.insert(program.kinds.end(), {Kind::scalar, Kind::scalar});
        initial.insert(initial.end(), {{0}, {0}});
        program.total_order = total_order;
        if (total_order) {
            // Which variables it looks at depends on what it sees.
            program.measure = [clock](Draft& s) -> std::vector<Value> {
                const Value first = s.read(clock);
                return first < 2 ? std::vector<Value>{first, 0} : std::vector<Value>{first, s.read(clock + 1)};
            };
        } else {
            program.measure = [clock](Draft& s) -> std::vector<Value> { return {s.read(clock), s.read(clock + 1)}; };
            program.leq = [](const auto& a, const auto& b) { return a[0] <= b[0] && a[1] <= b[1]; };
        }
    }
    program.initial.push_back(initial);
    if (random_.one_in(3)) {
        for (std::size_t i = 0; i < variables; ++i)
            if (kinds_[i] == Kind::scalar) initial[i] = {number()};
        program.initial.push_back(initial);
    }
    for (std::uint64_t n = 2 + random_.below(4); n > 0; --n) program.actions.push_back(action(measured, clock));
    for (int n = 0; n < 2; ++n) {
        const Step step = draw_step();
        program.predicates.push_back([step, kinds = kinds_](Draft& s) { return test(step, kinds, s); });
    }
    return program;
}

Value Writer::number() { return static_cast<Value>(random_.below(static_cast<std::uint64_t>(largest_))); }

Step Writer::draw_step() {
    return {static_cast<int>(random_.below(16)), static_cast<std::uint32_t>(random_.below(kinds_.size())), number(), number()};
}

Act Writer::action(bool measured, std::uint32_t clock) {
    std::vector<Step> steps(1 + random_.below(5));
    for (Step& step : steps) step = draw_step();
    const std::uint64_t advance = measured ? random_.below(4) : 0;
    return [=, kinds = kinds_, largest = largest_](Draft& s) {
        Value last = 1;
        for (const Step& step : steps) perform(step, kinds, largest, last, s);
        if (advance == 1 && s.read(clock) < 4) s.write(clock, s.read(clock) + 1);
        if (advance == 2 && s.read(clock + 1) < 3) s.write(clock + 1, s.read(clock + 1) + 1);
        if (advance == 3) {
            if (s.read(clock) >= 4) throw Disabled{};
            s.write(clock, s.read(clock) + 1);
            s.write(clock + 1, std::max(s.read(clock + 1), last % 3));
        }
    };
}

bool Writer::test(const Step& step, const std::vector<Kind>& kinds, Draft& s) {
    if (kinds[step.field] == Kind::scalar) {
        if (step.what < 5) return s.read(step.field) != step.number;
        return step.what < 10 ? !s.equals(step.field, step.number) : s.at_least(step.field, step.number % 3);
    }
    if (step.what < 5) return s.size(step.field) != step.number % 4;
    if (kinds[step.field] == Kind::queue) return s.element(step.field, step.other % 3).value_or(0) != step.number;
    return step.what < 10 ? s.has(step.field, step.number) : s.count(step.field, step.number) < 2;
}

void Writer::perform(const Step& step, const std::vector<Kind>& kinds, int largest, Value& last, Draft& s) {
    const std::uint32_t f = step.field;
    if (step.what == 0) {
        last = s.choose(1 + step.number % 3);
    } else if (step.what == 1) {
        if (!test({step.other, f, step.number, step.other}, kinds, s)) throw Disabled{};
    } else if (step.what == 2 && step.number == 0) {
        s.touch();
    } else if (kinds[f] == Kind::scalar) {
        if (step.what < 5 && !s.at_least(f, largest - step.number))
            s.move(f, step.number);
        else if (step.what < 7)
            s.write(f, (s.read(f) + step.number + 1) % largest);
        else if (step.what < 10)
            s.write(f, (last + step.other) % largest);
        else if (step.what < 12)
            last = s.read(f);
        else if (s.read(f) % 2 == 0)
            s.write(f, step.number);
    } else if (kinds[f] == Kind::bag) {
        bag_step(step, largest, last, s);
    } else {
        queue_step(step, largest, last, s);
    }
}

void Writer::bag_step(const Step& step, int largest, Value& last, Draft& s) {
    const std::uint32_t f = step.field;
    switch (step.what) {
        case 3:
        case 4:
            if (s.size(f) >= 3) throw Disabled{};
            s.add(f, (last + step.number) % largest, 1);
            break;
        case 5:
            if (s.size(f) < 2) s.add(f, step.number, 1 + step.other % 2);
            break;
        case 6:
        case 7:
        case 8:
            last = s.any(f);
            s.remove(f, last);
            break;
        case 9: last = s.any(f); break;
        case 10:
            if (!s.has(f, last, 1 + step.other % 2)) throw Disabled{};
            s.remove(f, last, 1 + step.other % 2);
            break;
        case 11: last = s.count(f, last); break;
        case 12: s.clear(f); break;
        case 13:
            for (const Value token : s.whole(f)) last = (last + token) % largest;
            break;
        case 14:
            last = s.any(f);
            if (last % 2) throw Disabled{};
            s.remove(f, last);
            s.add(f, step.number, 1);
            break;
        default: last = s.size(f); break;
    }
}

void Writer::queue_step(const Step& step, int largest, Value& last, Draft& s) {
    const std::uint32_t f = step.field;
    switch (step.what) {
        case 3:
        case 4:
        case 5:
        case 6:
            if (s.size(f) >= 3) throw Disabled{};
            s.put(f, (last + step.number) % largest);
            break;
        case 7:
        case 8:
        case 9:
        case 10:
            last = s.element(f, 0).has_value() ? *s.element(f, 0) : throw Disabled{};
            s.get(f);
            break;
        case 11:
        case 12: last = s.element(f, step.number % 3).value_or(last); break;
        case 13: s.clear(f); break;
        case 14:
            for (const Value value : s.whole(f)) last = (2 * last + value) % largest;
            break;
        default: last = s.size(f); break;
    }
}

std::vector<Value> progress_of(const TestProgram& program, const Values& state) {
    std::vector<Plain::Choice> none;
    Plain view(state, none);
    return program.measure ? program.measure(view) : std::vector<Value>{};
}

Truth survey(const TestProgram& program, std::size_t most) {
    Truth truth;
    std::map<std::vector<Value>, std::vector<Values>> waiting;
    std::map<std::vector<Value>, std::uint64_t> stored;
    std::uint64_t now = 0;
    const auto find = [&](const Values& state) {
        if (!truth.states.insert(state).second) return;
        const auto progress = progress_of(program, state);
        ++truth.layers[progress];
        ++stored[progress];
        waiting[progress].push_back(state);
        truth.peak = std::max(truth.peak, ++now);
    };
    for (const Values& state : program.initial) find(state);
    while (!waiting.empty() && !truth.too_large) {
        const auto current = waiting.begin()->first;
        for (std::size_t i = 0; i < waiting[current].size(); ++i) {
            const Values state = waiting[current][i];
            std::uint64_t out = 0;
            for (const Act& action : program.actions)
                for (const Values& next : outcomes(action, state)) {
                    ++out;
                    if (!program.leq(current, progress_of(program, next))) truth.regress = true;
                    find(next);
                }
            truth.edges += out;
            truth.dead += out == 0;
            if (truth.states.size() > most) truth.too_large = true;
            if (truth.too_large) break;
        }
        waiting.erase(current);
        now -= stored[current];
        stored.erase(current);
    }
    return truth;
}

}  // namespace sweep::testing
