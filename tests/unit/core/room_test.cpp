/// Memory for many values, and what is joined of blocks.
#include "core/room.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace pleiad {
namespace {

constexpr std::size_t many = std::size_t{9} << 20;  // 72 MiB of doubles

TEST(Room, ResizesAsAVectorDoes) {
  for (const std::size_t before : {std::size_t{0}, std::size_t{1000}, many})
    for (const std::size_t after : {std::size_t{0}, std::size_t{7}, many, many + 1}) {
      std::vector<double> values(before), expected;
      std::iota(values.begin(), values.end(), 1.0);
      expected = values;
      expected.resize(after);
      resize_at_once(values, after);
      EXPECT_TRUE(values == expected) << before << " to " << after;
    }
}

TEST(Room, CopiesEveryValue) {
  std::vector<std::uint32_t> from(1'000'003), to(from.size());
  std::iota(from.begin(), from.end(), 1u);
  copy_at_once<std::uint32_t>(from, to.data());
  EXPECT_EQ(from, to);
}

TEST(Room, HasItsPagesBeforeTheyAreWritten) {
  const Unwritten<double> values(many);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<std::uintptr_t>(values.data()) + page - 1) / page * page;
  const std::size_t pages = values.span().size_bytes() / page - 1;
#ifdef MADV_POPULATE_WRITE
  if (::madvise(reinterpret_cast<void*>(first), page, MADV_POPULATE_WRITE) != 0)
    GTEST_SKIP() << "this system gives pages only to whoever writes there";
#else
  GTEST_SKIP() << "built for a system that gives pages only to whoever writes there";
#endif
  std::vector<unsigned char> there(pages);
  ASSERT_EQ(::mincore(reinterpret_cast<void*>(first), pages * page, there.data()), 0);
  const auto resident = std::ranges::count_if(there, [](unsigned char flags) { return (flags & 1) != 0; });
  // All but those of the large pages that the memory begins and ends in.
  EXPECT_GE(std::size_t(resident), pages - 2 * large_page / page);
}

TEST(Room, JoinsBlocksInTheirOrder) {
  const auto even = joined_blocks<std::size_t>(
      200'001, [](std::size_t begin, std::size_t end, std::vector<std::size_t>& values) {
        for (std::size_t i = begin; i < end; ++i)
          if (i % 2 == 0) values.push_back(i);
      });
  ASSERT_EQ(even.size(), 100'001u);
  for (std::size_t k = 0; k < even.size(); ++k) ASSERT_EQ(even[k], 2 * k);
  const auto nothing = [](std::size_t, std::size_t, std::vector<double>&) {};
  EXPECT_TRUE(joined_blocks<double>(200'001, nothing).empty());
  EXPECT_TRUE(joined_blocks<double>(0, nothing).empty());
}

}  // namespace
}  // namespace pleiad
