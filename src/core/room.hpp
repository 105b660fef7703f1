/// Memory for many values. The system allocates fresh memory page by page in the thread that first writes
/// there, which takes several times as long as to fill it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace pleiad {

/// Bytes of a large page of the system.
inline constexpr std::size_t large_page = std::size_t{2} << 20;

/// Makes all threads touch the pages of these bytes, large pages if the system has some; nothing for few
/// bytes. The content stays.
void fault_in(void* memory, std::size_t bytes);

/// As values.resize(n), by all threads.
template <class T>
void resize_at_once(std::vector<T>& values, std::size_t n) {
  if (n > values.capacity()) {
    values.reserve(n);
    fault_in(values.data() + values.size(), (n - values.size()) * sizeof(T));
  }
  values.resize(n);
}

/// n uninitialised values, for all threads to write.
template <class T>
class Unwritten {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit Unwritten(std::size_t n)
      : values_(static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(alignof(T))))), n_(n) {
    fault_in(values_.get(), n * sizeof(T));
  }
  std::size_t size() const { return n_; }
  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }
  std::span<T> span() { return {data(), n_}; }
  std::span<const T> span() const { return {data(), n_}; }

 private:
  struct Free {
    void operator()(T* values) const { ::operator delete(values, std::align_val_t(alignof(T))); }
  };
  std::unique_ptr<T[], Free> values_;
  std::size_t n_;
};

/// Copies values to other memory, by all threads.
template <class T>
void copy_at_once(std::span<const T> from, T* to) {
  for_blocks(
      from.size(),
      [&](std::size_t begin, std::size_t end) {
        std::copy(from.begin() + std::ptrdiff_t(begin), from.begin() + std::ptrdiff_t(end), to + begin);
      },
      std::size_t{1} << 18);
}

}  // namespace pleiad
