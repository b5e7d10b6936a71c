#include "sweep/explore/sweep.hpp"
#include "sweep/state/width.hpp"

namespace sweep {

Ended sweep_on(Crew& crew, LayerStore& store, OneLayer& progress, Stop& stop) {
    return with_width(crew.width(), [&]<int K>() { return sweep<K>(crew, store, progress, stop); });
}

}  // namespace sweep
