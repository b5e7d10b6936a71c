#pragma once
#include <utility>
#include <vector>

#include "sweep/ask/reader.hpp"
#include "sweep/explore/bound.hpp"
#include "sweep/explore/classes.hpp"
#include "sweep/program/expander.hpp"
#include "sweep/program/resolver.hpp"

namespace sweep {

/// Something done to the successors of a batch before they are looked up, once per block and between the expansions of blocks. A
/// pass that changes a state hashes it anew, and forgets its place and outcome.
class Pass {
public:
    virtual ~Pass() = default;
    virtual void run(const Batch& batch, Block& block) = 0;
    /// The same by one of several workers, who changes nothing but the block; false when that is not enough, and nothing is done.
    virtual bool run_known(const Batch&, Block&) const { return false; }
};

/// Models with time: a state in which nothing is enabled now goes on at the next time when something is.
class TimePass final : public Pass {
public:
    TimePass(Resolver& resolver, Expander& expander, Time& time)
        : resolver_(resolver), expander_(expander), time_(time), additions_(resolver.program().schema.additions()) {}
    void run(const Batch& batch, Block& block) override;

private:
    template <int K>
    void expand_later(const Word* state, Block& block);
    template <int K>
    void expand_now(std::uint32_t action, const Word* state, Block& block);
    bool advance(Word* state);

    Resolver& resolver_;
    Expander& expander_;
    Time& time_;
    Additions additions_;
    std::vector<std::pair<Id, Id>> aged_;  // the tokens of a timed bag when time has passed
};

/// Priorities: of the successors of a state only those by actions with the least number stay.
class PriorityPass final : public Pass {
public:
    explicit PriorityPass(const std::vector<std::int32_t>& priorities) : priorities_(priorities) {}
    void run(const Batch& batch, Block& block) override { run_known(batch, block); }
    bool run_known(const Batch& batch, Block& block) const override;

private:
    const std::vector<std::int32_t>& priorities_;  // per action
};

/// Equivalence: every successor says which class it is in.
class ClassPass final : public Pass {
public:
    explicit ClassPass(Classes& classes) : classes_(classes) {}
    void run(const Batch& batch, Block& block) override;
    bool run_known(const Batch& batch, Block& block) const override;

private:
    Classes& classes_;
};

/// Something is awaited since a state that satisfied one predicate, until one that satisfies another: a bit of each state says whether
/// it still is.
struct Awaited {
    std::uint32_t field;         // of the bit
    std::uint32_t since, until;  // predicates
};

class AwaitedPass final : public Pass {
public:
    AwaitedPass(Resolver& resolver, const std::vector<Awaited>& all) : resolver_(resolver), all_(all) {}
    void run(const Batch& batch, Block& block) override;
    bool run_known(const Batch& batch, Block& block) const override;

private:
    /// `ask` says whether a predicate holds in a state, or that it does not know.
    template <class Ask>
    bool mark(Block& block, Ask&& ask) const;

    Resolver& resolver_;
    const std::vector<Awaited>& all_;
};

/// Variables that say what stands where a tape is read. Another variable is the position.
struct Tape {
    struct Column {
        std::uint32_t field;
        std::vector<Id> values;  // by the value of the position
    };
    std::uint32_t position = 0;  // the field
    std::vector<Column> columns;
};

class TapePass final : public Pass {
public:
    TapePass(const Program& program, const Tape& tape) : program_(program), tape_(tape) {}
    void run(const Batch& batch, Block& block) override { run_known(batch, block); }
    bool run_known(const Batch& batch, Block& block) const override;

private:
    const Program& program_;
    const Tape& tape_;
};

/// An automaton reads along: successors get their stages.
class ReaderPass final : public Pass {
public:
    ReaderPass(Resolver& resolver, const Reader& reader);
    void run(const Batch& batch, Block& block) override;
    bool run_known(const Batch& batch, Block& block) const override;

private:
    struct Way {
        std::uint32_t edge, target;
    };
    static constexpr std::uint32_t several = ~0u;  // in place of a target: the automaton has to be asked

    template <class Ask>
    bool go_on(Block& block, Ask&& ask) const;
    Way only_way(std::uint32_t stage, std::uint32_t letter) const {
        return only_.empty() ? Way{0, several} : only_[std::size_t{stage} << reader_.propositions.size() | letter];
    }
    void go_ways(Block& block, const std::vector<std::uint32_t>& letters) const;

    Resolver& resolver_;
    const Program& program_;
    const Reader& reader_;
    std::uint32_t spread_;
    std::vector<std::uint32_t> heeded_;  // per stage
    std::vector<Way> only_;              // per stage and letter, where there is one; empty where that would be a large table
};

/// Constraints: which successors do not satisfy them.
class BoundPass final : public Pass {
public:
    explicit BoundPass(const Bound& bound) : bound_(bound) {}
    void run(const Batch& batch, Block& block) override;
    bool run_known(const Batch& batch, Block& block) const override;

private:
    const Bound& bound_;
};

}  // namespace sweep
