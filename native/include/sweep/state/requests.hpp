#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sweep {

/// What did not fit the layout: noted while states are made, granted by `Schema::grow`.
class Requests {
public:
    struct Request {
        std::size_t variable;
        std::uint64_t values;  // so many ids are to be told apart; 0: as many as before
        int slots;             // so many tokens are to lie side by side; 0: as many as before
        bool repeated;         // of a bag: some token has been there twice
    };

    bool empty() const { return all_.empty(); }
    void clear() { all_.clear(); }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

    void ask_values(std::size_t variable, std::uint64_t values) { ask({variable, values, 0, false}); }
    void ask_slots(std::size_t variable, int slots, bool repeated = false) { ask({variable, 0, slots, repeated}); }

private:
    void ask(const Request& asked) {
        for (Request& one : all_)
            if (one.variable == asked.variable) {
                one.values = std::max(one.values, asked.values);
                one.slots = std::max(one.slots, asked.slots);
                one.repeated |= asked.repeated;
                return;
            }
        all_.push_back(asked);
    }

    std::vector<Request> all_;  // one for each variable that has outgrown its field
};

}  // namespace sweep
