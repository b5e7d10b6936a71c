#include "sweep/explore/verifier.hpp"

namespace sweep {

namespace {

constexpr std::uint64_t spacing = 64;  // of n states explored, the next to be sampled is n / spacing further on
constexpr std::uint32_t samples_at_once = 4;

// The functions take turns in this order.
constexpr Role turns_of[] = {Role::action, Role::predicate, Role::tally, Role::part, Role::measure, Role::summand, Role::key, Role::check};

}  // namespace

/// The outcome that a table has for a state, by choices that differ from sample to sample; `unknown` when it has none.
Code Verifier::sampled_outcome(const Trie& trie, const Word* state, std::vector<std::uint32_t>& script) const {
    const Schema& schema = resolver_.program().schema;
    std::uint64_t draw = samples_;
    Code code = trie.root;
    while (code != unknown && !(code & 1)) {
        const Trie::Node& node = trie.nodes[index_of(code)];
        if (node.ask == Ask::choose) {
            script.push_back(static_cast<std::uint32_t>(draw % node.argument));
        } else if (node.ask == Ask::take) {
            const std::vector<Id> keys = takeable(schema, trie, node, state);
            if (keys.empty()) return disabled;
            script.push_back(keys[draw % keys.size()]);
        } else {
            code = trie.child(node, answer(schema, trie, node, state));
            continue;
        }
        draw = draw / 2 + 1;
        code = trie.child(node, script.back());
    }
    return code;
}

/// Whether an action does what a table says.
bool Verifier::repeats(std::uint32_t action, const Word* state, Trie& table) {
    std::vector<std::uint32_t> script;
    const Code expected = sampled_outcome(table, state, script);
    if (expected == unknown) return true;
    Recording& recording = resolver_.recording();
    recording.begin(state, table, script);
    const bool enabled = resolver_.act(action, recording) && recording.touched;
    resolver_.program().actions()[action].put_as_asked(recording.path, table, resolver_.program().schema);
    if (table.find(recording.path) != expected) return false;
    return enabled ? is_leaf(expected) && resolver_.program().outcomes.recorded_as(index_of(expected), recording.ops)
                   : expected == disabled;
}

/// The same for an action whose table grows no more: it is run twice.
bool Verifier::repeats_untabulated(std::uint32_t action, const Word* state) {
    Program& program = resolver_.program();
    const std::uint32_t outcomes = program.outcomes.size();
    const std::uint64_t runs = program.actions()[action].runs;
    Trie table;
    resolver_.resolve(action, state, table);
    const bool same = repeats(action, state, table);
    program.outcomes.forget_from(outcomes);
    program.actions()[action].runs = runs;
    return same;
}

bool Verifier::repeats_value(FunctionId id, const Word* state) {
    Trie& trie = resolver_.program()[id].trie;
    const Code expected = resolver_.program().look_up(trie, state);
    if (expected == unknown) return true;
    resolver_.recording().begin(state, trie, {});
    return leaf_code(resolver_.functions().evaluate(id, resolver_.recording())) == expected;
}

std::uint64_t Verifier::turns() const {
    std::uint64_t count = 0;
    for (const std::vector<Function>& functions : resolver_.program().functions) count += functions.size();
    return count;
}

/// Whether a function is there to be run at all.
bool Verifier::runs(FunctionId id) const {
    const Program& program = resolver_.program();
    if (id.role == Role::action) return !program.synchronisation(id.index) && !program.counting.counts(id.index);
    return !program.needs_no_function(id);
}

bool Verifier::runs_functions() const {
    for (const Role role : turns_of)
        for (std::uint32_t i = 0; i < resolver_.program().functions[static_cast<std::size_t>(role)].size(); ++i)
            if (runs({role, i})) return true;
    return false;
}

/// Run one of the model's functions again; which one goes by turns.
void Verifier::run_again(std::uint64_t turn, const Word* state) {
    Program& program = resolver_.program();
    FunctionId id{Role::action, static_cast<std::uint32_t>(turn)};
    for (const Role role : turns_of) {
        id.role = role;
        const std::size_t count = program.functions[static_cast<std::size_t>(role)].size();
        if (id.index < count) break;
        id.index -= static_cast<std::uint32_t>(count);
    }
    if (!runs(id)) return;
    bool same = true;
    if (id.role == Role::action) {
        Function& action = program.actions()[id.index];
        same = action.tabulated ? repeats(id.index, state, action.trie) : repeats_untabulated(id.index, state);
    } else {
        same = repeats_value(id, state);
    }
    if (!same) throw Impure(id, program.schema.unpack(state));
}

/// The same; where it no longer does with numbers in question what it does with numbers, it looks at them from now on.
void Verifier::look_again(std::uint64_t turn, const Word* state) {
    try {
        run_again(turn, state);
    } catch (const Incomparable& met) {
        resolver_.stop_comparing(met.function);
    }
}

void Verifier::sample(const Batch& batch, const Block& block, std::uint64_t explored, double seconds) {
    next_sample_ = explored + explored / spacing + 1;
    const std::uint64_t all = turns();
    const auto start = SteadyClock::now();
    const double before = spent_;
    for (std::uint32_t i = 0; all && i < samples_at_once && spent_ <= allowed(seconds); ++i, ++samples_) {
        const std::uint32_t parent = static_cast<std::uint32_t>(samples_ * 7 % batch.count);
        if (!block.is_outside(parent)) look_again(samples_ % all, batch.state(parent));
        spent_ = before + seconds_since(start);
    }
    resolver_.seconds += spent_ - before;
}

void Verifier::look_at_roots(const Roots& roots, double seconds) {
    Schema& schema = resolver_.program().schema;
    const auto start = SteadyClock::now();
    const double before = spent_;
    std::vector<Word> packed;
    const std::uint64_t all = turns();
    for (std::uint64_t turn = 0; turn < all && spent_ <= allowed(seconds); ++turn, ++samples_) {
        if (turn == 0 || roots.size() > 1) {  // a net of many places has many transitions, too
            packed.assign(static_cast<std::size_t>(schema.layout.words), 0);
            schema.pack(roots[turn % roots.size()], packed.data());
        }
        if (!schema.fits()) return;
        look_again(turn, packed.data());
        spent_ = before + seconds_since(start);
    }
    resolver_.seconds += spent_ - before;
}

void Verifier::compare(const Batch& batch, const Block& block) {
    for (std::uint32_t p = 0; p < batch.count; ++p) {
        if (block.is_outside(p)) continue;
        std::vector<const Word*> successors;
        for (std::uint32_t c = block.parents[p].begin; c < block.parents[p].end; ++c) successors.push_back(block.state(c));
        watcher_.verify(batch.state(p), successors);
    }
}

}  // namespace sweep
