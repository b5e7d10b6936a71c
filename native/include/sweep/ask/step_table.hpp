#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/program/answers.hpp"
#include "sweep/program/trie.hpp"

namespace sweep {

/// What a predicate about both ends of a step said, for each combination of the answers to all questions that it has ever asked about
/// either state. In which order it asks does not matter then: states that answer all of them alike are the same to it.
class StepTable {
public:
    /// `by_action`: what it says depends on the action too.
    StepTable(const Schema& schema, bool by_action) : schema_(schema), by_action_(by_action) {}

    /// What it said about a step that looks the same; nothing where there was none.
    std::optional<bool> find(const Word* old, const Word* next, std::uint32_t action);
    /// What it says about the step just looked for, after it asked this.
    void add(const std::vector<Event>& of_old, const std::vector<Event>& of_next, bool holds);
    /// The numbers of contents mean something else from now on.
    void forget();

private:
    static constexpr std::size_t most_steps = std::size_t{1} << 20;  // then the table begins anew

    bool note(std::vector<Trie::Node>& asked, const std::vector<Event>& path);
    bool look(const Word* old, const Word* next, std::uint32_t action);
    std::size_t slot() const;
    void grow();

    const Schema& schema_;
    bool by_action_;
    Trie none_;  // questions that need a table are not asked
    std::vector<Trie::Node> of_old_, of_next_;
    const Word *old_ = nullptr, *next_ = nullptr;  // the step that was looked for
    std::uint32_t action_ = 0;
    std::vector<std::uint32_t> answers_;  // its answers
    std::vector<std::uint32_t> known_;    // those of all steps that are known,
    std::vector<std::uint8_t> holds_;     // and what was said about each
    std::vector<std::uint32_t> slots_;    // their numbers, from 1 on, by the hash of their answers
};

}  // namespace sweep
