#pragma once
#include "sweep/explore/crew.hpp"
#include "sweep/progress/key_progress.hpp"
#include "sweep/progress/layer_progress.hpp"
#include "sweep/store/key_store.hpp"
#include "sweep/store/layer_store.hpp"
#include "sweep/store/stack_store.hpp"

namespace sweep {

/// Where all states are in one place.
struct OneLayer {
    void place(const Batch&, Block&) {}
    bool place_known(const Batch&, Block&, LayerProgress::Moves&) const { return true; }
};

enum class Ended { finished, stopped, outgrown };

/// The loop of `sweep.hpp` for the present width of states, until it ends or the width changes. Each is a file of its own: the loop is
/// compiled for every width, which takes its time.
Ended sweep_on(Crew& crew, LayerStore& store, LayerProgress& progress, Stop& stop);
Ended sweep_on(Crew& crew, LayerStore& store, OneLayer& progress, Stop& stop);
Ended sweep_on(Crew& crew, KeyStore& store, KeyProgress& progress, Stop& stop);
Ended sweep_on(Crew& crew, StackStore& store, OneLayer& progress, Stop& stop);

}  // namespace sweep
