/// A GADGET-1/2 file in memory: its blocks, found by their marks, and its header.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/bytes.hpp"
#include "io/files/gadget.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::files::gadget {

struct Block {
  std::string label;
  std::string_view content;
};

struct GadgetFile {
  std::string name, bytes;
  Order order = Order::little;
  bool labelled = false;
  std::vector<Block> blocks{};
  // Values of the header.
  std::array<std::uint64_t, 6> count{}, total{};
  std::array<double, 6> mass{};
  double time = 0, redshift = 0, box = 0, omega0 = 0, omega_lambda = 0, hubble = 0;
  std::int32_t files = 1;
  bool says_cosmology = true;  ///< GADGET-4's own header has neither Omega0 nor HubbleParam
  std::string_view units{};    ///< where we state them
  std::uint64_t bodies = 0;

  [[noreturn]] void refuse(const std::string& why) const;
  /// The first block with this label; null: none.
  const Block* find(std::string_view label) const;
  /// All blocks and their lengths, for messages.
  std::string list() const;
};

/// InputError for marks that do not agree, blocks that are there twice, and fields of the header that no such
/// file has.
GadgetFile load(const fs::path& file);
/// The file without its bodies: its header and notes on the whole.
GadgetFile head_of(const GadgetFile& file);

}  // namespace pleiad::files::gadget
