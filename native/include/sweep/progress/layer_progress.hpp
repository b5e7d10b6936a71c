#pragma once
#include <map>
#include <vector>

#include "sweep/progress/layer_order.hpp"
#include "sweep/progress/linear.hpp"

namespace sweep {

/// Progress by layers: one for each value of the measure, told apart by tables or computed as sums.
class LayerProgress {
public:
    LayerProgress(Resolver& resolver, Orders& orders, bool total, const LinearMeasure* linear, bool may_regress);

    LayerOrder order;

    /// Outcomes whose effect on progress depends on the parent's layer alone: the last effect of each.
    struct Moves {
        struct Move {
            Place from = no_place, to = no_place;
        };
        std::vector<Move> of;       // per outcome
        std::uint64_t version = 0;  // of what they were found from
    };

    /// Find the layers of the candidates. A step that goes back is an error, unless there are to be several sweeps.
    void place(const Batch& batch, Block& block);
    /// The same as far as they are known, which changes nothing but the candidates: for one of several workers, who has moves of
    /// its own. Whether all of them are.
    bool place_known(const Batch& batch, Block& block, Moves& moves) const;
    Place layer_of(const Word* state);
    /// How far an outcome takes progress, as the difference of its sums; nothing where that differs or is not known.
    std::optional<Sums> climb(std::uint32_t outcome) const;
    /// No state may come to a layer any more.
    void remove(Place layer);
    /// The value of a measure that is a sum.
    const Sums& value(Place layer) const { return values_[layer]; }

    /// As in `Keeping`. Layers of a measure that is asked are added before, in the order of their numbers.
    template <class File>
    void keep(File& file) {
        std::vector<bool> gone(values_.size());
        for (Place layer = 0; layer < gone.size(); ++layer) gone[layer] = layers_.find(values_[layer]) != layer;
        std::vector<Sums> values = values_;
        file(values, gone);
        if constexpr (File::reads) {
            if (values.size() != gone.size() || (!linear_ && !values.empty())) throw Damaged("it has other layers");
            for (std::size_t i = 0; i < values.size(); ++i) {
                const Place layer = add(values[i]);
                if (gone[i]) remove(layer);
            }
        }
        order.keep(file);
    }

private:
    void rehearse(Place here, Block& block);
    Place add(const Sums& value);
    void watch_more();
    std::vector<Watch> watch() const;

    Resolver& resolver_;
    const LinearMeasure* linear_;
    bool may_regress_;
    void renew(Moves& moves) const;
    Place known_layer(const Word* state) const;
    bool add_climb(const Op& op, Sums& climb) const;

    /// Where the whole measure is one function of few sums of variables and sizes: which sums, how far outcomes take them, and the layer
    /// for what they come to. Sums are then added up once for each parent.
    struct OneFunction {
        struct Change {
            bool sought = false, known = false;
            Sums by{};
        };
        const std::vector<LinearMeasure::Component>* sums = nullptr;
        std::vector<Change> changes;  // per outcome
        std::uint64_t epoch = 0;      // in which they were found
        SumMap layers;
        std::uint32_t parent = 0, end = 0;  // whose sums are at hand, and behind its candidates
        Sums of_parent{};
    };
    void find_one_function();
    void begin_block();
    Place layer_by_sums(const Batch& batch, const Block& block, std::uint32_t candidate);
    const OneFunction::Change& change_by(std::uint32_t outcome);
    bool add_change(const Op& op, Sums& change) const;
    Sums sums_of(const Word* state) const;

    SumMap layers_;               // of a sum: layers that may get states, by value
    std::map<Sums, Place> live_;  // and in order
    std::vector<Sums> values_;    // and back
    std::vector<bool> removed_;   // layers that get no states any more
    OneFunction one_;
    Moves moves_;
    std::uint64_t widened_ = 0;
};

}  // namespace sweep
