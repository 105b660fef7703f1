#include "core/room.hpp"

#include <cstdint>

#include <sys/mman.h>

namespace pleiad {

void fault_in(void* memory, std::size_t bytes) {
  // From this size on memory has a mapping of its own and is returned when it is freed: no other allocation
  // shares its large pages.
  constexpr std::size_t few = std::size_t{32} << 20;
  constexpr std::size_t piece = 4 * large_page;
  if (bytes < few) return;
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (first + large_page - 1) / large_page * large_page,
                       end = (first + bytes) / large_page * large_page;
  const auto advise = [](std::uintptr_t from, std::uintptr_t to, int advice) {
    // It is advice: a system that does not take it gives the pages later.
    (void)::madvise(reinterpret_cast<void*>(from), to - from, advice);
  };
#ifdef MADV_HUGEPAGE
  advise(begin, end, MADV_HUGEPAGE);
#endif
#ifdef MADV_POPULATE_WRITE
  for_blocks(
      end - begin,
      [&](std::size_t from, std::size_t to) { advise(begin + from, begin + to, MADV_POPULATE_WRITE); },
      piece);
#endif
}

}  // namespace pleiad
