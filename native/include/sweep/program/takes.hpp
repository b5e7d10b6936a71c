#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/groups.hpp"
#include "sweep/program/patterns.hpp"
#include "sweep/program/trie.hpp"

namespace sweep {

/// Where the tokens that actions take lead: what their tries say, laid out by token for every combination of the scalars that an action
/// asks for afterwards. Made from the tries bit by bit, which ask one question after another instead.
class Takes {
public:
    /// A code in a row; or, if this bit is set, where several of them are, to which the choices after a take lead.
    static constexpr Code listed = Code{1} << 31;

    Takes(const Schema& schema, std::size_t actions) : schema_(schema), tables_(actions) {}

    /// What tokens lead to after a node that takes one, by token, as far as they are known; null where a table would be too large.
    /// It stays there until something is found out.
    const Code* row(std::uint32_t action, const Trie& trie, const Trie::Node& node, const Word* state) {
        Table& table = tables_[action];
        const std::size_t at = static_cast<std::size_t>(&node - trie.nodes.data());
        if (at >= table.starts.size() || !table.starts[at]) return new_row(table, trie, at, state);
        const std::uint32_t start = table.cells[table.starts[at] + table.key(state, fast_)];
        return start ? table.cells.data() + start : new_row(table, trie, at, state);
    }
    /// Find out what a token leads to; `unknown` when the trie does not know.
    Code find_out(std::uint32_t action, const Trie& trie, const Trie::Node& node, Id token, const Word* state);

    /// The place of a row of an action, which is the same until `generation` rises; and the row there.
    std::uint32_t place(std::uint32_t action, const Code* row) const {
        return static_cast<std::uint32_t>(row - tables_[action].cells.data());
    }
    const Code* row_at(std::uint32_t action, std::uint32_t place) const { return tables_[action].cells.data() + place; }
    std::uint64_t generation() const { return generation_; }

    /// What the tokens of a row mostly lead to, if a pattern told; null where none did.
    const Alike* alike(std::uint32_t action, std::uint32_t place) const {
        const std::uint32_t at = tables_[action].cells[place - 1];
        return at ? &tables_[action].alikes[at - 1] : nullptr;
    }
    void keep_alike(std::uint32_t action, std::uint32_t place, Alike alike);
    void enter(std::uint32_t action, std::uint32_t place, Id token, Code code) { tables_[action].cells[place + token] = code; }

    /// A list: how many codes it has, and the codes.
    const Code* list(std::uint32_t action, Code code) const { return tables_[action].lists.data() + (code & ~listed); }
    /// The scalars that an action asks for after it has taken a token.
    const std::vector<Asked>& asked(std::uint32_t action) const { return tables_[action].asked; }

    /// What all was made from has changed.
    void forget();
    std::size_t bytes() const;

private:
    struct Table {  // of an action
        std::vector<Asked> asked;
        BitKey key;                         // of these
        std::vector<std::uint32_t> starts;  // per node: where in `cells` there is, for each key, where its row begins; 0: nowhere yet
        std::vector<std::uint32_t> cells;   // before each row: which of `alikes` is its own, counted from 1; 0: none
        std::vector<Alike> alikes;
        std::vector<Code> lists;
        bool extended = false;  // there is a new field
    };

    const Code* new_row(Table& table, const Trie& trie, std::size_t node, const Word* state);
    Code settle(Table& table, const Trie& trie, Code code, const Word* state);
    Code flatten(Table& table, const Trie& trie, const Trie::Node& node, const Word* state);
    bool asks_after(Table& table, std::uint32_t field);

    const Schema& schema_;
    bool fast_ = gathers_fast();
    std::vector<Table> tables_;
    std::uint64_t generation_ = 0;
};

}  // namespace sweep
