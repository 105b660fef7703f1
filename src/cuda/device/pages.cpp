#include "cuda/device/pages.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pleiad::cuda {

void* Pages::allocate(std::size_t bytes) {
  const std::size_t each = source_.page_bytes(), count = (bytes + each - 1) / each;
  std::vector<PageSource::Page> pages;
  pages.reserve(count);
  const auto kept = std::min(count, free_.size());
  std::copy_n(free_.end() - std::ptrdiff_t(kept), kept, std::back_inserter(pages));
  free_.resize(free_.size() - kept);
  const auto put_back = [&] { free_.insert(free_.end(), pages.begin(), pages.end()); };
  while (pages.size() < count) {
    free_.reserve(made_ + 1);  // for release(), which may not throw
    PageSource::Page page{};
    if (!source_.make(page)) return put_back(), nullptr;
    ++made_;
    pages.push_back(page);
  }
  void* const memory = source_.map(pages);
  if (memory == nullptr) return put_back(), nullptr;
  buffers_.emplace(memory, std::move(pages));
  return memory;
}

void Pages::release(void* memory) noexcept {
  const auto found = buffers_.extract(memory);
  const auto& pages = found.mapped();
  source_.unmap(memory, pages.size());
  free_.insert(free_.end(), pages.begin(), pages.end());
  if (buffers_.empty()) (void)give_back();
}

bool Pages::give_back() noexcept {
  const bool some = !free_.empty();
  for (const auto page : free_) source_.destroy(page);
  made_ -= free_.size();
  free_.clear();
  return some;
}

}  // namespace pleiad::cuda
