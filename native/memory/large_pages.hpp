// Memory for arrays that are examined in no order: on large pages, where the system has such, it costs fewer misses.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace fairlead {

inline constexpr std::size_t kLargePage = std::size_t{1} << 21;

// Asks for large pages in a block of memory, as far as it has room for whole ones.
inline void prefer_large_pages(void* begin, std::size_t bytes) {
#ifdef __linux__
  const std::size_t skipped = (kLargePage - reinterpret_cast<std::uintptr_t>(begin) % kLargePage) % kLargePage;
  if (bytes >= skipped + kLargePage) madvise(static_cast<char*>(begin) + skipped, bytes - skipped, MADV_HUGEPAGE);
#else
  static_cast<void>(begin);
  static_cast<void>(bytes);
#endif
}

}  // namespace fairlead
