#pragma once
#include <functional>

#include "sweep/store/visited.hpp"

namespace sweep {

/// The classes of all stored states, whatever their layer, each with the state that stands for it; and for a cut-off (paper 3, figure 3)
/// those that are remembered for ever.
struct ClassIndex {
    explicit ClassIndex(Account& account) : stored(&account), remembered(&account) {}

    VisitedTable stored, remembered;
    std::function<bool(const Word*)> remembers;  // a cut-off: whether a state's class is remembered

    bool cuts_off() const { return remembers != nullptr; }
    void rewrite(Transfer& transfer) {
        stored.rewrite(transfer);
        remembered.rewrite(transfer);
    }
};

}  // namespace sweep
