/// Buffers of a device's pages: the memory of a released buffer serves any others, whatever their sizes.
/// Plain C++, so that it is tested without a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace pleiad::cuda {

/// Physical memory of one device, in pages of one size, and addresses for it.
class PageSource {
 public:
  using Page = std::uint64_t;
  virtual ~PageSource() = default;
  virtual std::size_t page_bytes() const = 0;
  /// False: there is no room.
  virtual bool make(Page& page) = 0;
  virtual void destroy(Page page) noexcept = 0;
  /// Maps these pages to one piece of memory; null if that fails.
  virtual void* map(std::span<const Page> pages) = 0;
  virtual void unmap(void* memory, std::size_t pages) noexcept = 0;
};

/// Keeps the pages of released buffers for the next ones, as long as there is any buffer.
class Pages {
 public:
  /// The reference outlives it.
  explicit Pages(PageSource& source) : source_(source) {}
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  /// Null when there is no room; nothing has changed then.
  void* allocate(std::size_t bytes);
  bool has(const void* memory) const { return buffers_.contains(memory); }
  /// Releases a buffer of this object in which no work is left.
  void release(void* memory) noexcept;
  /// Destroys the pages that no buffer has. False: there were none.
  bool give_back() noexcept;

 private:
  PageSource& source_;
  std::unordered_map<const void*, std::vector<PageSource::Page>> buffers_;
  std::vector<PageSource::Page> free_;
  std::size_t made_ = 0;
};

}  // namespace pleiad::cuda
