#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace sweep {

/// Whether one value is at most another, for values by number: each pair is asked about once.
class LeqCache {
public:
    template <class Ask>
    bool operator()(std::uint32_t one, std::uint32_t other, Ask&& ask) {
        if (one < side && other < side) {
            if (few_.empty()) few_.assign(side * side, -1);
            std::int8_t& known = few_[one * side + other];
            if (known < 0) known = ask(one, other);
            return known != 0;
        }
        const std::uint64_t pair = std::uint64_t{one} << 32 | other;
        const auto found = known_.find(pair);
        return found != known_.end() ? found->second : known_.emplace(pair, ask(one, other)).first->second;
    }

private:
    static constexpr std::uint32_t side = 128;
    std::vector<std::int8_t> few_;                   // of pairs of the first few values: 1 yes, 0 no, -1 not asked yet
    std::unordered_map<std::uint64_t, bool> known_;  // of pairs of later ones
};

}  // namespace sweep
