/// The TIPSY header: what tells such a file from any other.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/bytes.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace pleiad::files {

struct TipsyHeader {
  double time = 0;
  Order order = Order::big;
  std::array<std::size_t, 3> count{};  ///< gas, dark, star
  std::size_t records = 0;             ///< bytes that follow the header
};
/// The header at the start of these bytes, if they can be one in either byte order.
std::optional<TipsyHeader> tipsy_header(std::string_view bytes);

}  // namespace pleiad::files
