#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sweep/ask/asker.hpp"

namespace sweep {

/// What one variable (or array element) held over all states seen.
struct FieldBounds {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;  // tokens of a bag, elements of a queue
    struct Token {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0, states = 0;  // states that hold it

        template <class File>
        void keep(File& file) {
            file(least, most, states);
        }
    };
    std::vector<Token> tokens;         // of a bag, by id
    std::vector<std::uint8_t> values;  // of a scalar, by id: whether it was seen

    template <class File>
    void keep(File& file) {
        file(least, most, tokens, values);
    }
};

/// What one action does in the long run. A run here is infinite: dead states have none.
struct Behaviour {
    bool live = true;       // from every state an edge of it can be reached
    bool impartial = true;  // every run takes it infinitely often
    bool fair = true;       // every run does, in which it is enabled infinitely often
    bool just = true;       // every run does, in which it is enabled from some point on

    template <class File>
    void keep(File& file) {
        file(live, impartial, fair, just);
    }
};

/// The state space report: bounds from single states, the rest from the SCCs of complete layers.
class Survey final : public Asker {
public:
    Survey(const Schema& schema, std::size_t actions) : behaviour(actions), schema_(schema) {}

    std::vector<FieldBounds> bounds;
    std::uint64_t states = 0, components = 0, terminal = 0, edges_inside = 0;
    std::uint64_t home_states = 0;      // of the terminal SCC found last
    std::optional<Unpacked> home;       // one of them
    std::vector<Unpacked> dead_states;  // the first few
    bool cycles = false;                // whether any run is infinite
    std::vector<Behaviour> behaviour;

    template <class File>
    void keep(File& file) {
        file(bounds, states, components, terminal, edges_inside, home_states, home, dead_states, cycles, behaviour);
    }
    Stop dead(const Word* state, std::uint64_t, Place) override {
        if (dead_states.size() < dead_shown) dead_states.push_back(schema_.unpack(state));
        return Stop::none;
    }
    bool asks_processed() const override { return true; }
    void processed(const Batch& batch, const Block& block) override {
        for (std::uint32_t p = 0; p < batch.count; ++p)
            if (!block.is_outside(p)) see(batch.state(p));
    }
    bool asks_cycles() const override { return true; }
    bool asks_labels() const override { return true; }
    void want(const Batch&, const Block&, std::vector<std::uint8_t>& wanted) override { std::fill(wanted.begin(), wanted.end(), 1); }
    Stop layer_done(const CompleteLayer& layer) override;

private:
    static constexpr std::size_t dead_shown = 10;
    void see(const Word* state);
    std::uint32_t find_sccs(const LayerGraph& graph, States& scc_of, std::vector<std::uint8_t>& cyclic);
    void find_behaviour(const LayerGraph& graph, const States& scc_of, const std::vector<std::uint8_t>& cyclic, std::uint32_t action);

    const Schema& schema_;
};

}  // namespace sweep
