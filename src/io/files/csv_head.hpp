/// What the comments above a table state: its units, time, box and whatever else a header has no column for.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/csv.hpp"

#include <pleiad/orbits.hpp>

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>

namespace pleiad::files::csv {

class Head {
 public:
  /// Takes what is stated into `out`.
  explicit Head(FileContent& out) : out_(out) {}

  /// Reads the text after a '#': a key and its value, or a remark, which means nothing. Returns "", or what
  /// is wrong with it.
  std::string read(string_view comment);
  /// Whether this key was given, such as "images".
  bool has(string_view key) const;

  std::optional<double> G{};
  std::optional<std::uint64_t> bodies{};  ///< their number
  OrbitCentre about{};

 private:
  FileContent& out_;
  std::bitset<16> given_;
};

}  // namespace pleiad::files::csv
