/// Large pages for arrays of some megabytes: the system gives fresh memory in pieces of 2 MiB instead of 4
/// kiB.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace pleiad {

/// Asks for large pages where these bytes have not been written yet; nothing for few bytes. The content
/// stays.
void prefer_large_pages(void* memory, std::size_t bytes);

/// n zeros, in large pages if the system has some.
template <class T>
std::vector<T> zeros_in_large_pages(std::size_t n) {
  std::vector<T> values;
  values.reserve(n);
  prefer_large_pages(values.data(), n * sizeof(T));
  values.resize(n);
  return values;
}

}  // namespace pleiad
