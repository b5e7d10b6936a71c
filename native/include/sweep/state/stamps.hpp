#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sweep/state/layout.hpp"

namespace sweep {

/// The tokens of a timed bag taken apart: of what kind a token is, and how long until it is ready (0 or less: it is).
class Stamps {
public:
    void add(Id kind, std::int64_t wait) {  // of the next token
        kinds_.push_back(kind);
        waits_.push_back(wait);
        if (kind >= tokens_.size()) tokens_.resize(kind + 1);
        tokens_[kind].emplace(wait, static_cast<Id>(kinds_.size() - 1));
    }
    Id kind(Id token) const { return kinds_[token]; }
    std::int64_t wait(Id token) const { return waits_[token]; }
    /// The token of a kind with a stamp; 0 when nobody has met it.
    Id find(Id kind, std::int64_t wait) const {
        const auto found = tokens_[kind].find(wait);
        return found == tokens_[kind].end() ? 0 : found->second;
    }

private:
    std::vector<Id> kinds_{0};
    std::vector<std::int64_t> waits_{0};
    std::vector<std::unordered_map<std::int64_t, Id>> tokens_;  // by kind
};

}  // namespace sweep
