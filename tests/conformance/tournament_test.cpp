/// The tournament of the symmetric kernel: every pair once, sums in one order, and nobody waits for a thread
/// that sleeps.
#include "cpu/direct/tournament.hpp"

#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

/// What a match brings: who met, which is what tells the order of additions.
struct Met {
  std::size_t a = 0, b = 0;
  bool operator==(const Met&) const = default;
};
using Book = std::vector<std::vector<Met>>;

/// What was added to each block, in order.
template <class Wait>
Book play(std::size_t blocks, std::size_t workers, const Wait& wait) {
  Book book(blocks);
  cpu::tournament<Met>(
      blocks, workers,
      [&](std::size_t a, std::size_t b, Met& to_a, Met& to_b) {
        wait(a, b);
        to_a = to_b = {a, b};
      },
      [&](std::size_t block, const Met& met) { book[block].push_back(met); });
  return book;
}
const auto at_once = [](std::size_t, std::size_t) {};

}  // namespace

TEST(Tournament, LetsEveryTwoBlocksMeetOnce) {
  for (const std::size_t blocks : {1, 2, 3, 4, 5, 8, 33}) {
    const Book book = play(blocks, 1, at_once);
    for (std::size_t block = 0; block < blocks; ++block) {
      ASSERT_EQ(book[block].size(), blocks + 1) << blocks;
      EXPECT_EQ(book[block][0], (Met{block, block}));
      EXPECT_EQ(book[block][1], (Met{block, block}));
      std::set<std::pair<std::size_t, std::size_t>> met;
      for (const auto& m : book[block]) {
        EXPECT_TRUE(m.a == block || m.b == block);
        met.insert({m.a, m.b});
      }
      EXPECT_EQ(met.size(), blocks) << blocks;
    }
  }
}

TEST(Tournament, AddsInOneOrderWhileAThreadSleeps) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one core";
  set_threads(2);
  for (const std::size_t blocks : {8, 9}) {
    // The first match ends when all others have been computed: by the other thread, without it.
    std::atomic<std::size_t> others{blocks * (blocks + 1) / 2 - 1};
    bool slept = true;
    const Book book = play(blocks, 2, [&](std::size_t a, std::size_t b) {
      if (b > 0) {
        --others;
        return;
      }
      const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (others > 0 && (slept = std::chrono::steady_clock::now() < late)) std::this_thread::yield();
      EXPECT_EQ(a, 0U);
    });
    EXPECT_TRUE(slept) << others << " matches waited for it";
    EXPECT_EQ(book, play(blocks, 1, at_once));
  }
  set_threads(0);
}
