#include "core/large_pages.hpp"

#include "core/room.hpp"

#include <cstdint>

#include <sys/mman.h>

namespace pleiad {

void prefer_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (first + large_page - 1) / large_page * large_page,
                       end = (first + bytes) / large_page * large_page;
  // It is advice: a system that does not take it gives small pages.
  if (begin < end) (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace pleiad
