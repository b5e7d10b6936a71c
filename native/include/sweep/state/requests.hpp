#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sweep {

/// What did not fit the layout: noted while states are made, granted by `Schema::grow`.
class Requests {
public:
    struct Request {
        std::size_t variable;
        std::uint64_t values;  // so many ids are to be told apart; 0: as many as before
        std::uint64_t slots;   // so many tokens are to lie side by side; 0: as many as before
        std::uint32_t most;    // of a bag: so often a token is there
    };
    struct Token {
        std::size_t variable;
        std::uint32_t token;  // is held for the first time
    };

    /// A number that a scalar is to hold and that is none of its values yet.
    struct NewNumber {
        std::uint32_t variable;
        std::int64_t number;
        bool operator==(const NewNumber&) const = default;
    };

    bool empty() const { return all_.empty() && numbers_.empty() && !crowded && !tidy; }
    void clear() {
        all_.clear();
        tokens.clear();
        crowded = tidy = false;
    }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

    void ask_values(std::size_t variable, std::uint64_t values) { ask({variable, values, 0, 0}); }
    void ask_number(std::uint32_t variable, std::int64_t number) {
        const NewNumber asked{variable, number};
        if (std::find(numbers_.begin(), numbers_.end(), asked) == numbers_.end()) numbers_.push_back(asked);
    }
    /// All that another one has been asked for, which then forgets it.
    void take(Requests& other) {
        for (const Request& asked : other.all_) ask(asked);
        for (const NewNumber& asked : other.numbers_) ask_number(asked.variable, asked.number);
        tokens.insert(tokens.end(), other.tokens.begin(), other.tokens.end());
        crowded |= other.crowded;
        tidy |= other.tidy;
        other = {};
    }
    /// The numbers asked for, which are then no longer.
    std::vector<NewNumber> take_numbers() { return std::exchange(numbers_, {}); }
    void ask_slots(std::size_t variable, std::uint64_t slots) { ask({variable, 0, slots, 0}); }
    void ask_count(std::size_t variable, std::uint32_t token, std::uint32_t count) {
        ask({variable, 0, 0, count});
        tokens.push_back({variable, token});
    }

    std::vector<Token> tokens;
    bool crowded = false;  // contents are many: it is time to forget those that no state has
    bool tidy = false;     // likewise cells that were lent: it is time to take back those that are empty

private:
    void ask(const Request& asked) {
        for (Request& one : all_)
            if (one.variable == asked.variable) {
                one.values = std::max(one.values, asked.values);
                one.slots = std::max(one.slots, asked.slots);
                one.most = std::max(one.most, asked.most);
                return;
            }
        all_.push_back(asked);
    }

    std::vector<Request> all_;  // one for each variable that has outgrown its field
    std::vector<NewNumber> numbers_;
};

}  // namespace sweep
