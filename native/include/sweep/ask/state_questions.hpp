#pragma once
#include "sweep/ask/asker.hpp"

namespace sweep {

/// Properties that single states decide: invariants, reachability, deadlock, and the way to one state.
class StateQuestions final : public Asker {
public:
    StateQuestions(Resolver& resolver, Questions& questions) : resolver_(resolver), questions_(questions) {}

    bool asks_found() const override;
    bool passes(const Word* state) const override;
    Stop found(const Word* state, std::uint64_t number, Place) override { return show(state, number, false); }
    void add_functions(std::vector<FunctionId>& functions) const override;
    Stop dead(const Word* state, std::uint64_t number, Place) override { return show(state, number, true); }

private:
    Stop show(const Word* state, std::uint64_t number, bool dead);
    bool decides(const Question& question, const Word* state);

    Resolver& resolver_;
    Questions& questions_;
};

}  // namespace sweep
