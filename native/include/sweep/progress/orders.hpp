#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sweep/program/block.hpp"

namespace sweep {

/// Whoever knows the order of progress values that are only known by number.
class Orders {
public:
    virtual ~Orders() = default;
    /// Of a part of a product measure: whether one of its values is at most another. Layers are values of the whole measure.
    virtual bool leq(std::uint32_t part, std::uint32_t one, std::uint32_t other) = 0;
    /// A minimal one among several layers.
    virtual Place minimal(const std::vector<Place>& layers) = 0;
};
constexpr std::uint32_t whole_measure = ~std::uint32_t{0};

/// A step went back.
struct Regress : std::runtime_error {
    Regress(Unpacked left, Place was, Unpacked met, Place is)
        : std::runtime_error("regress"), state(std::move(left)), from(was), successor(std::move(met)), to(is) {}
    Unpacked state;
    Place from;
    Unpacked successor;
    Place to;
};

/// A step went up to a layer that no unprocessed state was below: what was called an order is none.
struct Disorder : std::runtime_error {
    explicit Disorder(Place met) : std::runtime_error("disorder"), layer(met) {}
    Place layer;
};

/// The regress along a candidate of a block.
inline Regress regress(const Schema& schema, const Batch& batch, const Block& block, std::uint32_t candidate) {
    return {schema.unpack(batch.state(block.parent_of(candidate))), batch.place, schema.unpack(block.state(candidate)),
            block.found[candidate].place};
}

}  // namespace sweep
