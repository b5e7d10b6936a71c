#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "sweep/progress/orders.hpp"
#include "sweep/progress/product.hpp"

namespace sweep {

/// Progress by keys: of a product measure, whose parts progress independently, nearly every state has a value of its own. So there
/// are no layers with numbers; a value is its key, made of the labels of its parts.
class KeyProgress {
public:
    KeyProgress(Resolver& resolver, Orders& orders, ProductMeasure& product, bool may_regress)
        : resolver_(resolver),
          orders_(orders),
          product_(product),
          functions_(resolver.program().functions[static_cast<std::size_t>(Role::part)]),
          may_regress_(may_regress) {
        product_.before_value = [this] { read_keys(); };
    }
    KeyProgress(const KeyProgress&) = delete;
    KeyProgress& operator=(const KeyProgress&) = delete;

    /// Where each candidate of some parents lies as seen from these, which are the states at work and have the same progress. A step that
    /// goes back is an error, unless there are to be several sweeps.
    void place(const Batch& batch, Block& block, Parents parents);
    /// The same for parents with these keys, as long as all their steps are remembered; the first of which some are not.
    std::uint32_t place_remembered(Block& block, Parents parents, const Word* keys) const;

    const ProductMeasure& product() const { return product_; }
    bool may_regress() const { return may_regress_; }
    /// Whether keys made before are out of date, because new values took a place among the others. Once.
    bool changed() { return std::exchange(version_, product_.version) != product_.version; }
    /// The key of a state. Keys last until the next one is made.
    const Word* key_of(const Word* state);
    /// Whether two states have the same progress.
    bool same(const Word* one, const Word* other);
    /// The key of a candidate, from that of its parents.
    const Word* key_of(const Block& block, std::uint32_t candidate);

    /// The states at work have this key; and the same key again, after keys have changed.
    void begin(const Word* key);
    void renew();
    void leave() { at_work_ = false; }
    bool at_work() const { return at_work_; }
    const std::vector<Word>& current() const { return current_; }
    /// The values that the present key stands for, one per part; few keys are asked for them.
    const std::vector<std::uint32_t>& values() const;
    /// All states with the present key are processed; and the values of the last key of which that was said.
    void leave_layer() {
        if (left_.size() != current_.size()) left_.resize(current_.size());
        copy(current_, left_);
        left_read_ = false;
    }
    const std::vector<std::uint32_t>& left_values();
    bool has_columns() const;

    /// Whether no step goes back, and it is known in advance what each does to the parts; and of which an outcome may change the value,
    /// and of which it does so for sure. See `Diamonds::climbs_by_parts`.
    bool foresees_climbs() const;
    Sums climb(std::uint32_t outcome) const;

private:
    /// A part that an outcome may change, and its value then: the same one always, where the outcome sets all that the part looks at.
    struct Touch {
        static constexpr std::uint32_t varies = ~std::uint32_t{0};
        std::uint32_t part, value;
    };
    /// What an outcome does to keys, and the step by it that was looked at last. As a rule it is the only one, since who changes
    /// a part has looked at it: it comes from these labels and leads to those, all in one word of the key.
    struct Step {
        std::uint32_t first = 0, end = 0;  // its touches
        bool known = false;
        Turn turn = Turn::ahead;
        std::uint16_t word = 0;
        Word mask = 0, from = 1, to = 0;  // no key is so until a step has been looked at

        bool begins_at(const Word* key) const { return (key[word] & mask) == from; }
    };

    std::uint32_t value(std::uint32_t part, const Word* state) { return resolver_.evaluate(functions_[part], {Role::part, part}, state); }
    std::uint32_t value(const Touch& touch, const Word* state) {
        return touch.value != Touch::varies ? touch.value : value(touch.part, state);
    }
    bool leq(std::uint32_t part, std::uint32_t one, std::uint32_t other);
    /// What outcomes, functions and keys are like; each of these only rises.
    std::uint64_t knowledge() const { return resolver_.program().epoch + resolver_.widened() + product_.version; }
    void forget_steps();
    std::uint32_t place_remembered(Block& block, std::uint32_t from, std::uint32_t end, const Word* key) const;
    Step& step_by(const Block::Candidate& found, const Word* state);
    void find_touches(Step& step, std::uint32_t outcome, const Word* state);
    void find_touches(Step& step, const Synchronisation& event);
    /// Whether a part looks at one of these variables.
    bool looks_at(std::uint32_t part, const std::vector<std::uint32_t>& fields) const;
    void read_keys();
    static void copy(const std::vector<Word>& from, std::vector<Word>& to) {
#pragma GCC unroll 1  // mostly one
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
    }
    Turn take(Step& step, const Word* state, bool& regresses);
    void remember(Step& step, Turn turn);

    Resolver& resolver_;
    Orders& orders_;
    ProductMeasure& product_;
    const std::vector<Function>& functions_;  // one per part
    bool may_regress_;
    bool at_work_ = false;
    std::vector<Word> current_;  // the key of the states at work
    std::uint64_t current_version_ = 0;
    mutable std::vector<std::uint32_t> values_;  // as of the key whose values were asked for last, if any were
    mutable std::vector<Word> valued_;           // which is this one
    std::vector<Word> left_;                     // the key left last
    bool left_read_ = true;                      // its values are known, if there is one
    std::vector<std::uint32_t> left_values_;
    std::vector<std::uint32_t> scratch_;  // values of the state evaluated last
    std::vector<Word> key_;
    std::vector<Step> steps_;        // per outcome, behind that of an outcome that nothing is known of, which may change all parts
    std::vector<Step> event_steps_;  // per action that is an event without outcomes
    std::vector<Touch> touches_;     // of all of them
    std::uint64_t known_ = 0;        // what was known when these were found out
    std::uint64_t version_ = 0;      // of the keys that others know
};

}  // namespace sweep
