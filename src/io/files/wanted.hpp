/// The bodies of a file that are read: all of them, or the part of one rank; and a callback during the read.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/body_range.hpp"

#include <pleiad/files.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace pleiad::files {

/// How the note on a cosmological file begins that was made physical.
inline constexpr std::string_view cosmological_file = "a cosmological file";

/// How the note on a file begins whose box is not used.
inline constexpr std::string_view open_in_spite_of_box = "the header's BoxSize";

class Wanted {
 public:
  /// All bodies.
  Wanted() = default;
  /// A part: `choose` returns the range for a number of bodies. It may be called in another process.
  explicit Wanted(std::function<BodyRange(std::size_t bodies)> choose) : choose_(std::move(choose)) {}
  BodyRange of(std::size_t bodies) const { return choose_ ? choose_(bodies) : BodyRange{0, bodies}; }

  /// Whether the box of a file is used that does not state whether it is periodic.
  bool periodic = false;
  /// Whether the bodies of a cosmological file that states its densities stay comoving, with
  /// FileContent::universe; else they are made physical.
  bool comoving = false;
  /// Whether a cosmological file that cannot stay comoving is refused, with what it lacks, and not made
  /// physical.
  bool never_physical = false;

  /// Called in this process when a child process has begun to read, as of HDF5 files. Threads may be started
  /// then, not before: see read_isolated.
  std::function<void()> child_reads = [] {};

 private:
  std::function<BodyRange(std::size_t)> choose_;
};

/// Keeps the wanted ones of content.count bodies, all of which were read, with their other data.
void keep_wanted(FileContent& content, const Wanted& wanted);

/// See read_snapshot. HDF5 and GADGET files are read in parts; of the others all bodies are read, and a part
/// is kept.
FileContent read_snapshot(const std::filesystem::path& file, const std::optional<Units>& units,
                          bool unless_stated, const Wanted& wanted);

}  // namespace pleiad::files
