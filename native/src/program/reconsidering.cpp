#include "sweep/program/resolver.hpp"

#include <algorithm>
#include <utility>

// How functions are asked: whether they compare numbers instead of looking at them, and which tables get another chance.

namespace sweep {

namespace {

constexpr std::uint64_t few_values = 8;  // of a variable: it is as well looked at as compared

// Functions whose values are only numbered and kept, not compared with anything, look at numbers.
constexpr Role comparing_roles[] = {Role::action, Role::predicate};

/// Whether a function may notice that a number in question is none. Predicates are numbered after the actions.
bool may_notice(const Program& program, Functions& functions, const Function& function) {
    std::size_t before = 0;
    for (const Role role : comparing_roles) {
        const std::vector<Function>& all = program.functions[static_cast<std::size_t>(role)];
        const auto is_it = [&](const Function& one) { return &one == &function; };
        const auto found = std::find_if(all.begin(), all.end(), is_it);
        if (found != all.end())
            return functions.may_notice(static_cast<std::uint32_t>(before + static_cast<std::size_t>(found - all.begin())));
        before += all.size();
    }
    return true;
}

}  // namespace

bool Resolver::wants_change(Function& function) {
    if (function.comparing.stage == Comparing::Stage::looking && !function.patterns.may_compare()) return false;
    return function.comparing.should_try(function.missed, explored_) || function.comparing.should_stop(function.missed, explored_);
}

/// Try whether comparing needs fewer runs, or give that up.
void Resolver::change(Function& function) {
    if (function.comparing.stage != Comparing::Stage::looking) {
        look(function);
        return;
    }
    if (may_notice(program_, functions_, function)) {
        function.comparing.stage = Comparing::Stage::never;
        return;
    }
    const Schema& schema = program_.schema;
    std::vector<std::uint8_t> variables(schema.variables.size());
    for (std::uint32_t field = 0; field < function.observed.size(); ++field)
        variables[field] = function.observed[field] && schema.is_number(field) && schema.variables[field].values > few_values;
    if (std::find(variables.begin(), variables.end(), 1) == variables.end()) {
        function.comparing.begin(Comparing::Stage::looking, function.missed, explored_);
        return;
    }
    function.compare(std::move(variables), explored_);
    ++program_.epoch;
}

void Resolver::look(Function& function) {
    function.look(explored_);
    function.trie.refresh(program_.schema, true);
    ++program_.epoch;
}

void Resolver::compare_always() {
    for (const Role role : comparing_roles)
        for (Function& function : program_.functions[static_cast<std::size_t>(role)]) {
            if (may_notice(program_, functions_, function)) continue;
            for (const Variable& variable : program_.schema.variables)
                function.trie.compared.push_back(variable.kind == Kind::scalar && variable.numbers >= 0);
            function.comparing.begin(Comparing::Stage::always, 0, 0);
        }
    drop_lost_numbers();
}

void Resolver::look_for_patterns_after(std::uint64_t runs) {
    for (Function& action : program_.actions()) action.patterns.start_after(runs);
}

void Resolver::stop_comparing(FunctionId id) {
    look(program_[id]);
    program_[id].comparing.stage = Comparing::Stage::never;
}

/// A variable has got a value that is no number: it is looked at from now on.
void Resolver::drop_lost_numbers() {
    Schema& schema = program_.schema;
    for (std::uint32_t field = 0; field < schema.variables.size(); ++field)
        if (schema.variables[field].text && !schema.has_numbers(field)) functions_.forget_texts(field);
    numbers_lost_ = schema.numbers_lost;
    for (const Role role : comparing_roles)
        for (Function& function : program_.functions[static_cast<std::size_t>(role)]) {
            bool lost = function.precondition && !program_.schema.has_numbers(function.precondition->field);
            if (lost) {
                function.precondition.reset();
                if (function.looked) function.looked->clear();
            }
            for (std::uint32_t field = 0; field < function.trie.compared.size(); ++field) {
                if (!function.trie.compared[field] || program_.schema.is_number(field)) continue;
                function.trie.compared[field] = 0;
                lost = true;
            }
            if (lost) function.trie.clear();
        }
    ++program_.epoch;
}

void Resolver::meet_numbers() {
    const auto start = SteadyClock::now();
    for (const Requests::NewNumber& asked : program_.schema.requests.take_numbers()) functions_.meet_number(asked.variable, asked.number);
    seconds += seconds_since(start);
}

void Resolver::reconsider(std::uint64_t explored) {
    explored_ = explored;
    if (numbers_lost_ != program_.schema.numbers_lost) drop_lost_numbers();
    if (change_due_) {
        change_due_ = false;
        for (const Role role : comparing_roles)
            for (Function& function : program_.functions[static_cast<std::size_t>(role)])
                if (wants_change(function)) change(function);
    }
    divide();
    if (explored < next_chance_) return;
    next_chance_ = ~std::uint64_t{0};
    for (Function& action : program_.actions()) {
        if (!action.tabulated && explored >= action.next_chance()) action.try_again(explored);
        next_chance_ = std::min(next_chance_, action.next_chance());
    }
}

}  // namespace sweep
