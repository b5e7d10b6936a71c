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
          may_regress_(may_regress) {}

    /// Where each candidate lies as seen from the states at work, all of which have the same progress. A step that goes back is an
    /// error, unless there are to be several sweeps.
    void place(const Batch& batch, Block& block);

    const ProductMeasure& product() const { return product_; }
    /// Whether keys made before are out of date, because new values took a place among the others. Once.
    bool changed() { return std::exchange(version_, product_.version) != product_.version; }
    /// The key of a state. Keys last until the next one is made.
    const Word* key_of(const Word* state);
    /// The key of a candidate, from that of its parents.
    const Word* key_of(const Block& block, std::uint32_t candidate);

    /// The states at work have this key; and the same key again, after keys have changed.
    void begin(const Word* key);
    void renew();
    void leave() { values_.clear(); }
    bool at_work() const { return !values_.empty(); }
    const std::vector<Word>& current() const { return current_; }
    const std::vector<std::uint32_t>& values() const { return values_; }
    bool has_columns() const;

private:
    /// A part that an outcome may change.
    struct Touch {
        enum class How : std::uint8_t {
            fixed,   // to the same value always, as the outcome sets all that the part looks at; the part is in a total order
            partly,  // to the same value, but the order has to be asked
            varies
        } how;
        bool monotone;
        std::uint16_t word;  // where its label stands in a key, in which bits, and what it is then
        std::uint32_t part, value;
        Word mask, label;
    };
    struct Touches {
        std::uint32_t first = 0, end = 0;
        bool known = false;
    };

    std::uint32_t value(std::uint32_t part, const Word* state) { return resolver_.evaluate(functions_[part], {Role::part, part}, state); }
    std::uint32_t value(const Touch& touch, const Word* state) {
        return touch.how == Touch::How::varies ? value(touch.part, state) : touch.value;
    }
    bool leq(std::uint32_t part, std::uint32_t one, std::uint32_t other);
    /// What the outcomes, functions and keys are like: each only rises.
    std::uint64_t knowledge() const { return resolver_.program().epoch + resolver_.widened() + product_.version; }
    Touches touched_by(std::uint32_t outcome, const Word* state);
    void add_touch(std::uint32_t part, Touch::How how, std::uint32_t value);
    void find_touches(std::uint32_t outcome, const Word* state);
    Turn turn(const Block& block, std::uint32_t candidate, bool& regresses);

    Resolver& resolver_;
    Orders& orders_;
    ProductMeasure& product_;
    const std::vector<Function>& functions_;  // one per part
    bool may_regress_;
    std::vector<std::uint32_t> values_;   // of the states at work, one per part
    std::vector<Word> current_;           // and their key
    std::vector<std::uint32_t> scratch_;  // values of the state evaluated last
    std::vector<Word> key_;
    std::vector<Touches> outcomes_;  // per outcome
    std::vector<Touch> touches_;     // first those of an outcome that nothing is known of: all parts
    std::uint64_t known_ = 0;        // what was known when these were found out
    std::uint64_t version_ = 0;      // of keys, that others have been told
};

}  // namespace sweep
