/// Numbers as bytes, in either order, never beyond the end.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace pleiad::files {

static_assert(std::endian::native == std::endian::little,
              "the binary formats assume a little-endian machine");

enum class Order { little, big };

/// The number at a byte offset; the caller has checked that it is inside.
template <class T>
T number_at(std::string_view bytes, std::size_t offset, Order order) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes.data() + offset, sizeof(T));
  if (order == Order::big) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

/// The i-th of a row of numbers stored in `width` bytes, 4 (float) or 8 (double).
inline double real_at(std::string_view bytes, std::size_t i, std::size_t width, Order order) {
  return width == 4 ? double(number_at<float>(bytes, 4 * i, order)) : number_at<double>(bytes, 8 * i, order);
}

template <class T>
void append(std::string& bytes, T value, Order order = Order::little) {
  auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (order == Order::big) std::reverse(raw.begin(), raw.end());
  bytes.append(raw.data(), raw.size());
}

}  // namespace pleiad::files
