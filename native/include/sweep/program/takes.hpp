#pragma once
#include <cstdint>
#include <vector>

#include "sweep/program/groups.hpp"
#include "sweep/program/trie.hpp"

namespace sweep {

/// Where each token that an action takes leads: what its trie says, laid out by token for every combination of the scalars that the
/// action asks for afterwards. Made from the trie bit by bit; a trie asks one question after another instead.
class Takes {
public:
    /// A code of a row; or, if this bit is set, where in `list` several of them are, which the choices after a take lead to.
    static constexpr Code listed = Code{1} << 31;

    /// What tokens lead to, after a node that takes one: by token, as far as they are known. Null where a table would be too large.
    /// It is good until something is found out.
    const Code* row(const Trie& trie, const Trie::Node& node, const Word* state, const Schema& schema, bool fast) {
        const std::size_t at = static_cast<std::size_t>(&node - trie.nodes.data());
        if (at >= starts_.size() || !starts_[at]) return new_row(trie, at, state, schema, fast);
        const std::uint32_t start = cells_[starts_[at] + key_(state, fast)];
        return start ? cells_.data() + start : new_row(trie, at, state, schema, fast);
    }
    /// Find out what a token leads to; `unknown` when the trie does not know.
    Code find_out(const Trie& trie, const Trie::Node& node, Id token, const Word* state, const Schema& schema, bool fast);

    /// A list: how many codes it has, and the codes.
    const Code* list(Code code) const { return lists_.data() + (code & ~listed); }

    /// What it was made from has changed.
    void forget();
    std::size_t bytes() const { return (starts_.capacity() + cells_.capacity() + lists_.capacity()) * sizeof(std::uint32_t); }

private:
    const Code* new_row(const Trie& trie, std::size_t node, const Word* state, const Schema& schema, bool fast);
    Code settle(const Trie& trie, Code code, const Word* state, const Schema& schema);
    bool ask_later(std::uint32_t field, const Schema& schema);
    Code flatten(const Trie& trie, const Trie::Node& node, const Word* state, const Schema& schema);

    std::vector<std::uint32_t> fields_;  // the scalars that are asked for after a take
    BitKey key_;                         // of these
    bool extended_ = false;              // one of them is new: all begins anew
    std::vector<std::uint32_t> starts_;  // per node: where in `cells_` there is, for each key, where its row begins; 0: nowhere yet
    std::vector<std::uint32_t> cells_;
    std::vector<Code> lists_;
};

}  // namespace sweep
