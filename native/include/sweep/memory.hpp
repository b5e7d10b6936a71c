#pragma once
#include <cstdint>

namespace sweep {

/// Bytes of physical memory this process holds now; 0 where the platform does not tell.
std::uint64_t resident_bytes();

}  // namespace sweep
