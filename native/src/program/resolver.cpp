#include "sweep/program/resolver.hpp"

#include <algorithm>

namespace sweep {

bool Resolver::answer(std::vector<Miss>& misses, const Word* states, std::size_t stride, std::uint64_t explored) {
    const auto start = SteadyClock::now();
    std::vector<Function>& actions = program_.actions();
    const auto state = [&](const Miss& miss) { return states + stride * miss.parent; };
    std::vector<Miss*> outside;
    double inside = 0;
    for (Miss& miss : misses) {
        if (miss.direct) {
            outside.push_back(&miss);
            continue;
        }
        ++inside;
        resolve(miss.action, state(miss));
        if (!actions[miss.action].pays(explored)) {
            next_chance_ = std::min(next_chance_, actions[miss.action].next_chance());
            ++program_.epoch;
        }
    }
    // The clock is read once per batch: shares go by the number of misses.
    const double share = seconds_since(start) / std::max(inside, 1.0);
    for (const Miss& miss : misses)
        if (!miss.direct) actions[miss.action].seconds += share;
    first_direct_ = program_.outcomes.size();
    for (Miss* miss : outside) {
        if (!program_.schema.fits()) break;
        const auto begin = SteadyClock::now();
        resolve(miss->action, state(*miss), *miss->direct);
        actions[miss->action].seconds += seconds_since(begin);
    }
    seconds += seconds_since(start);
    return program_.schema.fits();
}

void Resolver::forget_direct() {
    program_.outcomes.forget_from(first_direct_);
    first_direct_ = ~std::uint32_t{0};
}

/// The next choices, in order, that lead to something unknown. All choices up to `after`, if given, are known.
bool Resolver::find_unknown(const Trie& trie, Code code, const Word* state, std::vector<std::uint32_t>& script,
                            const std::vector<std::uint32_t>* after) const {
    for (;;) {
        if (code == unknown) return true;
        if (code & 1) return false;
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask != Ask::take && node.ask != Ask::choose) {
            code = trie.child(node, sweep::answer(program_.schema, node, state));
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
        const std::vector<Id> keys = takeable(program_.schema, trie, node, state);
        auto next = resumes ? std::find(keys.begin(), keys.end(), (*after)[depth]) : keys.begin();
        for (; next != keys.end(); ++next, after = nullptr) {
            script.push_back(*next);
            if (find_unknown(trie, trie.child(node, *next), state, script, after)) return true;
            script.pop_back();
        }
        return false;
    }
}

void Resolver::resolve(std::uint32_t action, const Word* state, Trie& table) {
    Function& function = program_.actions()[action];
    std::vector<std::uint32_t> script, done;
    while (script.clear(), find_unknown(table, table.root, state, script, &done)) {
        recording_.begin(state, table, script);
        ++function.runs;
        const bool enabled = act(action) && recording_.touched;
        function.observe(recording_.path, program_.schema.variables.size());
        const Code end = enabled ? leaf_code(program_.outcomes.add(recording_.ops, recording_.path)) : disabled;
        if (!table.insert(recording_.path, end)) throw Impure({Role::action, action}, program_.schema.unpack(state));
        done.clear();
        for (const Event& event : recording_.path)
            if ((event.ask == Ask::take || event.ask == Ask::choose) && event.answered) done.push_back(event.key);
    }
    table.refresh(program_.schema, false);
}

bool Resolver::act(std::uint32_t action) {
    if (const Synchronisation* event = program_.synchronisation(action)) return event->record(recording_);
    return functions_.act(action, recording_);
}

std::uint32_t Resolver::ask(FunctionId id, const Word* state) {
    const auto start = SteadyClock::now();
    Function& function = program_[id];
    ++function.runs;
    ++asked_;
    recording_.begin(state, function.trie, {});
    const std::uint32_t value = functions_.evaluate(id, recording_);
    if (!function.trie.insert(recording_.path, leaf_code(value))) throw Impure(id, program_.schema.unpack(state));
    function.trie.refresh(program_.schema, false);
    widened_ += function.observe(recording_.path, program_.schema.variables.size());
    seconds += seconds_since(start);
    return value;
}

void Resolver::reconsider(std::uint64_t explored) {
    if (explored < next_chance_) return;
    next_chance_ = ~std::uint64_t{0};
    for (Function& action : program_.actions()) {
        if (!action.tabulated && explored >= action.next_chance()) action.try_again(explored);
        next_chance_ = std::min(next_chance_, action.next_chance());
    }
}

}  // namespace sweep
