/// GADGET-1/2 binary files: a 256-byte header and blocks, each between two 4-byte marks that hold its length;
/// in GADGET-2 each after a label.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/parts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pleiad::files {

FileContent read_gadget(const fs::path& file, const Wanted& wanted);
/// See Format.
void need_gadget(const Snapshot& snapshot, const WriteOptions& options, const Share& share);
/// As need_writable for files without labels, in which masses must not look like ids.
void need_unlabelled(const Snapshot& snapshot, const WriteOptions& options, const Share& share);
void write_gadget(const fs::path& file, const Snapshot& snapshot, bool labelled, const Share& share);

namespace gadget {

inline constexpr std::size_t header_bytes = 256;
/// Offsets of the fields of the header.
enum Offset : std::size_t {
  at_count = 0,
  at_mass = 24,
  at_time = 72,
  at_redshift = 80,
  at_total = 96,
  at_files = 124,
  at_box = 128,
  at_omega0 = 136,
  at_omega_lambda = 144,
  at_hubble = 152,
  at_total_high = 168,
  /// GADGET leaves the end of the header unused; Pleiad stores the units of the numbers there: the tag, then
  /// length, mass and velocity in cgs (three zeros: nbody). Other readers skip it.
  at_units = 208,
  /// The gravitational constant where it is not that of these units, else 0.
  at_G = 240,
};
inline constexpr std::string_view units_tag = "PLEIAD-U";
/// Bytes of the statement of units, G included.
inline constexpr std::size_t units_bytes = 40;

/// A label as it is meant: blanks may be NUL, and letters small.
inline std::string meant(std::string_view label) {
  std::string text(label);
  for (char& c : text) c = c == 0 ? ' ' : c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  return text;
}

/// Whether a header may have this length: 256 bytes, or those of GADGET-4's own one, which counts its types
/// in 64 bits, with two counts of trees or without.
constexpr bool is_header(std::size_t bytes) {
  const auto whole = [&](std::size_t rest) {
    return bytes >= rest + 24 && bytes <= rest + 24 * 16 && (bytes - rest) % 24 == 0;
  };
  return bytes == header_bytes || whole(32) || whole(48);
}

/// Blocks in the order of a file without labels.
inline constexpr std::array<std::string_view, 5> labels{"HEAD", "POS ", "VEL ", "ID  ", "MASS"};

}  // namespace gadget
}  // namespace pleiad::files
