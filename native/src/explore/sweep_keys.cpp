#include "sweep/explore/sweep.hpp"
#include "sweep/state/width.hpp"

namespace sweep {

Ended sweep_on(Crew& crew, KeyStore& store, KeyProgress& progress, Stop& stop) {
    store.looks_ahead = crew.may_expand_ahead();
    return with_width(crew.width(), [&]<int K>() { return sweep<K>(crew, store, progress, stop); });
}

}  // namespace sweep
