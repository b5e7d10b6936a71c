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
    bool changed() { return std::exchange(product_.changed, false); }
    /// See to it that the values of a state have their places; afterwards its key. Keys last until the next one is made.
    void evaluate(const Word* state);
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
    std::uint32_t value(std::uint32_t part, const Word* state) { return resolver_.evaluate(functions_[part], {Role::part, part}, state); }
    bool leq(std::uint32_t part, std::uint32_t one, std::uint32_t other);
    std::uint64_t touched_by(std::uint32_t outcome);
    template <class Visit>
    void each_touched(std::uint32_t outcome, Visit&& visit);

    Resolver& resolver_;
    Orders& orders_;
    ProductMeasure& product_;
    const std::vector<Function>& functions_;  // one per part
    bool may_regress_;
    std::vector<std::uint32_t> values_;   // of the states at work, one per part
    std::vector<Word> current_;           // and their key
    std::vector<std::uint32_t> scratch_;  // values of the state evaluated last
    std::vector<Word> key_;
    std::vector<std::uint64_t> touched_;  // per outcome: the parts that it may change, one bit each
    std::uint64_t known_ = 0;             // what the outcomes and functions were like when these were found out
};

}  // namespace sweep
