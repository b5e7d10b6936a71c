#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "sweep/ask/graph.hpp"
#include "sweep/state/schema.hpp"

namespace sweep {

/// What one variable (or array element) held over all states seen.
struct FieldBounds {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;  // tokens of a bag, elements of a queue
    struct Token {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0, states = 0;  // states that hold it
    };
    std::vector<Token> tokens;         // of a bag, by id
    std::vector<std::uint8_t> values;  // of a scalar, by id: whether it was seen
};

/// What one action does in the long run. A run here is infinite: dead states have none.
struct Behaviour {
    bool live = true;       // from every state an edge of it can be reached
    bool impartial = true;  // every run takes it infinitely often
    bool fair = true;       // every run does, in which it is enabled infinitely often
    bool just = true;       // every run does, in which it is enabled from some point on
};

/// The state space report: bounds from single states, the rest from the components of complete layers.
class Survey {
public:
    explicit Survey(std::size_t actions) : behaviour(actions) {}

    std::vector<FieldBounds> bounds;
    std::uint64_t states = 0, components = 0, terminal = 0, edges_inside = 0;
    std::uint64_t home_states = 0;  // of the terminal component found last
    std::uint32_t home = nothing;   // one of them, by number in its layer
    bool cycles = false;            // whether any run is infinite
    std::vector<Behaviour> behaviour;

    void see(const Model& model, const Word* state);
    /// `go_on` is asked now and then; where it says no, what was found so far is of no use.
    void complete(const LayerGraph& graph, const std::function<bool()>& go_on);

private:
    void judge(const LayerGraph& graph, const States& component_of, const std::vector<std::uint8_t>& cyclic, std::uint32_t action);
};

}  // namespace sweep
