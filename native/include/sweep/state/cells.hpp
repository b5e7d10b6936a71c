#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/state/layout.hpp"

namespace sweep {

/// Which token of a bag has which cell: only those that were ever held have one, in the order in which they came until cells are dealt out
/// anew. Tokens that are merely asked about may be many more.
class Cells {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::size_t size() const { return tokens_.size(); }
    Id token(std::uint32_t cell) const { return tokens_[cell]; }
    const Id* tokens() const { return tokens_.data(); }
    std::uint32_t of(Id token) const { return token < cells_.size() ? cells_[token] : none; }
    /// Whether later cells are those of larger tokens.
    bool ascending() const { return ascending_; }
    void add(Id token) {
        if (of(token) != none) return;
        if (token >= cells_.size()) cells_.resize(token + 1, none);
        cells_[token] = static_cast<std::uint32_t>(tokens_.size());
        ascending_ &= tokens_.empty() || tokens_.back() < token;
        tokens_.push_back(token);
    }
    /// Deal the cells out anew, by token: before states are rewritten.
    void sort() {
        std::sort(tokens_.begin(), tokens_.end());
        for (std::uint32_t cell = 0; cell < tokens_.size(); ++cell) cells_[tokens_[cell]] = cell;
        ascending_ = true;
    }

    template <class File>
    void keep(File& file) {
        file(tokens_);
        if constexpr (File::reads) {
            const std::vector<Id> tokens = std::move(tokens_);
            *this = {};
            for (const Id token : tokens) add(token);
        }
    }

private:
    std::vector<Id> tokens_;            // by cell
    std::vector<std::uint32_t> cells_;  // by token
    bool ascending_ = true;
};

}  // namespace sweep
