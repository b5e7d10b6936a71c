#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sweep/program/oracle.hpp"
#include "sweep/program/program.hpp"
#include "sweep/program/recording.hpp"

namespace sweep {

using SteadyClock = std::chrono::steady_clock;
inline double seconds_since(SteadyClock::time_point start) { return std::chrono::duration<double>(SteadyClock::now() - start).count(); }

/// An action whose outcomes in a state no table knows.
struct Miss {
    std::uint32_t parent, action;
    std::unique_ptr<Trie> direct;  // the answer, where the action's table grows no more
};

/// Finds out what the program does not know: the only one who asks the model's functions, and who changes the program.
class Resolver {
public:
    Resolver(Program& program, Functions& functions)
        : program_(program), functions_(functions), recording_(program.schema), looking_(program.schema) {}

    /// Answer the misses of some states, which lie `stride` words apart: those that go into tables, and when all of these are answered
    /// those that do not. False when the layout has become too small.
    bool answer(std::span<const Miss> misses, const Word* states, std::size_t stride, std::uint64_t explored);
    bool answer_direct(std::vector<Miss>& misses, const Word* states, std::size_t stride);
    /// The outcomes that answers outside tables need are there as long as this lives. Whatever ends it, none is left for later: outcomes
    /// of tables would come behind them.
    class Direct {
    public:
        explicit Direct(Resolver& resolver) : resolver_(resolver) {}
        Direct(const Direct&) = delete;
        Direct& operator=(const Direct&) = delete;
        ~Direct() { resolver_.forget_direct(); }

    private:
        Resolver& resolver_;
    };

    /// Put all that an action does in a state into a table: its own, or another. Whether something was missing.
    bool resolve(std::uint32_t action, const Word* state, Trie& table);
    bool resolve(std::uint32_t action, const Word* state) { return resolve(action, state, program_.actions()[action].trie); }
    /// The same by patterns alone. Whether all is known now; or all that follows when a token was taken first, at a node of the table.
    /// `meets`: values that are new get their numbers; not while functions wait to run that may have some.
    bool resolve_by_patterns(std::uint32_t action, const Word* state, bool meets, Code take = unknown, Id token = 0);

    /// What the pattern that told this last says of other tokens; `code` is where the one at hand leads.
    std::optional<Alike> others(Code code) const;
    /// The same by what a pattern said of another token. False where it says nothing of this one.
    bool resolve_alike(std::uint32_t action, std::uint32_t take, const Alike& alike, Id token);
    /// What a pattern says of a token is put into the table for all others of which it says the same, at once: several workers share the
    /// states that are next, and all of them would wait for it.
    bool fills_rows = false;

    /// The value of a function in a state, from its table or by asking.
    std::uint32_t evaluate(FunctionId id, const Word* state) { return evaluate(program_[id], id, state); }
    std::uint32_t evaluate(const Function& function, FunctionId id, const Word* state) {
        const Code code = program_.look_up(function.trie, state);
        return code != unknown ? index_of(code) : ask(id, state);
    }
    bool satisfies(std::uint32_t predicate, const Word* state) {
        if (const Formula* formula = program_.formula(predicate)) return satisfies(*formula, state);
        return evaluate({Role::predicate, predicate}, state) != 0;
    }

    bool enabled(std::uint32_t action, const Word* state) {
        const std::optional<bool> known = program_.enabled(action, state);
        return known ? *known : find_enabled(action, state);
    }

    /// Functions that have values are about to be asked about these states: where that pays they are run before their turn. To be called
    /// while what comes of it is of use, if there is anybody who does that.
    void rehearse(std::span<const FunctionId> asked, std::span<const Word* const> states);
    Rehearsals* rehearsals() { return functions_.rehearsals(); }

    /// Run an action as the recording asks; false when it is disabled.
    bool act(std::uint32_t action, Recording& recording);

    /// Between blocks: tables that were given up get another chance when many more states are explored, and functions that run
    /// often are asked otherwise.
    void reconsider(std::uint64_t explored);
    /// Compare all numbers from the start, whatever it costs.
    void compare_always();
    /// Actions run so often before anybody looks for patterns.
    void look_for_patterns_after(std::uint64_t runs);
    /// Predicates run so often before they may be divided.
    void divide_after(std::uint64_t runs) { program_.divisions.after = runs; }
    /// A function has to look at numbers.
    void stop_comparing(FunctionId id);
    /// Numbers that were asked for become values.
    void meet_numbers();

    Program& program() { return program_; }
    Functions& functions() { return functions_; }
    Recording& recording() { return recording_; }
    /// A function has looked at variables that it never looked at before: so often until now, in all.
    std::uint64_t widened() const { return widened_; }

    /// So often something went into a table because a pattern said so.
    std::uint64_t answered() const { return answered_; }
    /// So often a function that has a value, which an action has not, was run.
    std::uint64_t asked() const { return asked_; }

    double seconds = 0;                   // in functions of the model
    double besides = 0;                   // the same of other threads, beyond that
    bool rehearsed = false;               // there were some
    std::function<void()> before_change;  // the program is about to change: whoever reads it meanwhile has to end

private:
    void forget_direct();
    void rehearse(std::span<const Miss> misses, bool direct, const Word* states, std::size_t stride);
    void rehearse(std::vector<Cue> cues);
    bool may_rehearse(std::uint32_t action, const Trie& table) const;
    void begin_change() {
        if (before_change) before_change();
    }
    std::uint32_t ask(FunctionId id, const Word* state);
    bool satisfies(const Formula& formula, const Word* state);
    void look_at_parts(std::uint32_t predicate);
    void divide();
    bool find_enabled(std::uint32_t action, const Word* state);
    template <class Run>
    std::uint32_t run(FunctionId id, const Word* state, Trie& table, const std::vector<std::uint32_t>& script, Run&& run);
    std::uint32_t add_outcome(std::uint32_t action, const Trie& table, const std::vector<Event>& path, const std::vector<Op>& ops);
    static const Event* may_share(const std::vector<Event>& path, const std::vector<Op>& ops);
    std::optional<std::uint32_t> find_alike(const Function& function, const std::vector<Event>& path, const std::vector<Op>& ops,
                                            const Event& taken);
    void find_out(std::uint32_t action, const Word* state, Trie& table, std::vector<std::uint32_t>& script);
    void fill_row(std::uint32_t action, const Pattern& pattern);
    bool run_action(std::uint32_t action, const Word* state, Trie& table, const std::vector<std::uint32_t>& script);
    void look_for_pattern(std::uint32_t action, const Word* state, const std::vector<std::uint32_t>& script, bool enabled);
    void look_for_precondition(std::uint32_t action, const Word* state, bool enabled);
    void believe_precondition(Function& function);
    void enter(std::uint32_t action, const Word* state, Trie& table, bool enabled, const std::vector<Event>& path,
               const std::vector<Op>& ops);
    bool can_meet_news() const;
    void meet_news(const Pattern& pattern, const Word* state, const std::vector<std::uint32_t>& script);
    void check_worth(Function& action, std::uint64_t explored);
    bool wants_change(Function& function);
    void change(Function& function);
    void look(Function& function);
    void drop_lost_numbers();
    bool find_unknown(const Trie& trie, Code code, const Word* state, std::vector<std::uint32_t>& script,
                      const std::vector<std::uint32_t>* after) const;

    Program& program_;
    Functions& functions_;
    Recording recording_;
    Recording looking_;                                   // where the former compares numbers: the same run on plain ones,
    Trie values_;                                         // which needs a table; or where it does not, with all of them in question
    Pattern::Course course_;                              // what a pattern says
    const Pattern* told_ = nullptr;                       // which one, where that was all that a token led to
    std::vector<Event> other_path_, asked_path_;          // of a run that took another token; and of one as the table asks
    std::vector<std::uint32_t> script_, done_;            // choices that patterns are asked for, and those before
    std::vector<std::uint32_t> to_divide_, to_undivide_;  // predicates, when the block is done
    std::uint32_t first_direct_ = ~std::uint32_t{0};      // outcomes from this one on are in no table
    std::uint64_t next_chance_ = ~std::uint64_t{0};
    std::uint64_t widened_ = 0, asked_ = 0, answered_ = 0;
    std::uint64_t explored_ = 0, numbers_lost_ = 0;
    std::uint64_t learnt_in_ = 0;  // the epoch of the program in which diamonds learnt last
    bool change_due_ = false;
};

}  // namespace sweep
