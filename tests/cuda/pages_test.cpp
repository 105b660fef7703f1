/// Buffers of pages: by a source with little room, and on the device that there is.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/pages.hpp"

#include "cuda/device/memory.hpp"
#include "gpu.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

using cuda::Pages;

/// Ten pages of 100 bytes.
class TenPages final : public cuda::PageSource {
 public:
  std::size_t page_bytes() const override { return 100; }
  bool make(Page& page) override {
    if (there.size() == 10) return false;
    page = ++last;
    return there.insert(page).second;
  }
  void destroy(Page page) noexcept override {
    EXPECT_EQ(there.erase(page), 1);
    EXPECT_FALSE(is_mapped(page));
  }
  void* map(std::span<const Page> pages) override {
    if (refuses) return nullptr;
    for (const auto page : pages) {
      EXPECT_TRUE(there.contains(page));
      EXPECT_FALSE(is_mapped(page)) << "a page of two buffers";
    }
    // Addresses are never used again.
    void* const memory = &addresses.at(next++);
    mapped[memory].assign(pages.begin(), pages.end());
    return memory;
  }
  void unmap(void* memory, std::size_t pages) noexcept override {
    EXPECT_EQ(mapped[memory].size(), pages);
    mapped.erase(memory);
  }
  bool is_mapped(Page page) const {
    return std::ranges::any_of(mapped, [&](const auto& m) { return std::ranges::count(m.second, page) > 0; });
  }

  std::set<Page> there;
  std::map<void*, std::vector<Page>> mapped;
  bool refuses = false;

 private:
  Page last = 0;
  std::size_t next = 0;
  std::vector<char> addresses = std::vector<char>(100);
};

TEST(Pages, AreRoomForABufferThatIsLargerThanAnyThatWasReleased) {
  TenPages source;
  Pages pages(source);
  std::vector<void*> small;
  for (int k = 0; k < 5; ++k) small.push_back(pages.allocate(101));  // two pages each
  EXPECT_TRUE(std::ranges::count(small, nullptr) == 0);
  EXPECT_EQ(pages.allocate(1), nullptr);
  for (const int k : {0, 2, 4}) pages.release(small[std::size_t(k)]);
  void* const large = pages.allocate(600);
  ASSERT_NE(large, nullptr);
  EXPECT_EQ(source.mapped[large].size(), 6);
  EXPECT_TRUE(pages.has(large) && pages.has(small[1]) && !pages.has(small[0]));
  EXPECT_EQ(pages.allocate(1), nullptr);
}

TEST(Pages, AreUsedAgainAndGivenBackWithTheLastBuffer) {
  TenPages source;
  Pages pages(source);
  void* const first = pages.allocate(1000);
  void* const none = pages.allocate(1);
  EXPECT_EQ(none, nullptr);
  pages.release(first);
  EXPECT_TRUE(source.there.empty()) << "no buffer was left";
  void* const kept = pages.allocate(100);
  pages.release(pages.allocate(900));
  EXPECT_EQ(source.there.size(), 10) << "for the next buffer";
  EXPECT_TRUE(pages.give_back());
  EXPECT_FALSE(pages.give_back());
  EXPECT_EQ(source.there.size(), 1);
  pages.release(kept);
  EXPECT_TRUE(source.there.empty() && source.mapped.empty());
}

TEST(Pages, AreAsBeforeWhenThereIsNoRoomOrNoAddress) {
  TenPages source;
  Pages pages(source);
  void* const kept = pages.allocate(300);
  EXPECT_EQ(pages.allocate(800), nullptr);
  source.refuses = true;
  EXPECT_EQ(pages.allocate(700), nullptr);
  source.refuses = false;
  void* const rest = pages.allocate(700);
  ASSERT_NE(rest, nullptr);
  pages.release(rest), pages.release(kept);
  EXPECT_TRUE(source.there.empty() && source.mapped.empty());
}

class PagesOfADevice : public Gpu {};

TEST_F(PagesOfADevice, HoldWhatIsWrittenWhileOthersComeAndGo) {
  constexpr std::size_t size = 9'000'000;
  const cuda::InPages scarce(true);
  std::vector<cuda::Buffer<float>> buffers(4);
  for (auto& b : buffers) b = cuda::Buffer<float>(size);
  const std::vector<float> ones(size, 1), twos(size, 2);
  buffers[1].copy_from_host(ones), buffers[3].copy_from_host(twos);
  buffers[0] = {}, buffers[2] = {};
  cuda::Buffer<float> large(2 * size);
  large.set_bytes(0);
  std::vector<float> found(size);
  buffers[1].copy_to_host(found);
  EXPECT_EQ(found, ones);
  buffers[3].copy_to_host(found);
  EXPECT_EQ(found, twos);
  std::vector<float> zeros(2 * size, 3);
  large.copy_to_host(zeros);
  EXPECT_TRUE(std::ranges::all_of(zeros, [](float x) { return x == 0; }));
}

}  // namespace
}  // namespace pleiad
