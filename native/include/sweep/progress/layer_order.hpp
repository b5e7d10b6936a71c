#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/progress/leq_cache.hpp"
#include "sweep/progress/orders.hpp"
#include "sweep/progress/ranks.hpp"

namespace sweep {

/// The order of layers, total or partial, and which of them a sweep is done with.
class LayerOrder {
public:
    LayerOrder(Orders& orders, bool total) : orders_(orders), total_(total) {}

    bool total() const { return total_; }
    std::size_t size() const { return total_ ? ranks_.size() : done_in_.size(); }
    Place add(std::optional<Place> below) {
        if (total_) return ranks_.add(below);
        done_in_.push_back(0);
        return static_cast<Place>(done_in_.size() - 1);
    }
    void remove(Place layer) {
        if (total_) ranks_.remove(layer);
    }
    bool leq(Place one, Place other) {
        if (one == other) return true;
        if (total_) return ranks_[one] <= ranks_[other];
        return known_(one, other, [&](Place a, Place b) { return orders_.leq(whole_measure, a, b); });
    }
    /// Of a total order: whether one layer comes before another.
    bool before(Place one, Place other) const { return ranks_[one] < ranks_[other]; }
    Place minimal(const std::vector<Place>& open) { return open.size() == 1 ? open[0] : orders_.minimal(open); }

    void begin_sweep() { ++sweep_; }
    /// All states of a layer are processed; in a partial order no step up may lead there in this sweep any more.
    void finish(Place layer) {
        if (!total_) done_in_[layer] = sweep_;
    }
    bool finished(Place layer) const { return !total_ && done_in_[layer] == sweep_; }

    /// As in `Keeping`, of layers that are there: which of them were removed, and which a sweep is done with.
    template <class File>
    void keep(File& file) {
        std::vector<bool> removed(size());
        for (Place layer = 0; total_ && layer < removed.size(); ++layer) removed[layer] = ranks_[layer] == 0;
        file(removed, done_in_, sweep_);
        if (removed.size() != size()) throw Damaged("it has other layers");
        for (Place layer = 0; layer < removed.size(); ++layer)
            if (removed[layer] && ranks_[layer] != 0) ranks_.remove(layer);
    }

private:
    Orders& orders_;
    bool total_;
    Ranks ranks_;
    LeqCache known_;
    std::vector<std::uint64_t> done_in_;  // partial order, per layer: the last sweep that was done with it; 0 before any was
    std::uint64_t sweep_ = 1;
};

}  // namespace sweep
