#pragma once
#include <cstdint>

namespace sweep {

/// What becomes of a state that was looked up: it is known; it is found now; it is found now, by a step back, and kept as a root of
/// the next sweep; or it will be found later, when its turn comes.
enum class Fate : std::uint8_t { known, fresh, root, later };

}  // namespace sweep
