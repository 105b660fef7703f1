/// The bodies of a file that are read: all of them, or the part that one rank has.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/files.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

namespace pleiad::files {

/// Bodies [first, first + count), in the order of the file or of the set of files.
struct Range {
  std::size_t first = 0, count = 0;
  /// Those of it that are among the n bodies after the first `before` ones, counted from there.
  Range among(std::size_t before, std::size_t n) const {
    const std::size_t from = std::clamp(first, before, before + n),
                      to = std::clamp(first + count, before, before + n);
    return {from - before, to - from};
  }
};

class Wanted {
 public:
  /// All bodies.
  Wanted() = default;
  /// A part: the range of so many bodies in all. It may be asked for in another process.
  explicit Wanted(std::function<Range(std::size_t bodies)> choose) : choose_(std::move(choose)) {}
  Range of(std::size_t bodies) const { return choose_ ? choose_(bodies) : Range{0, bodies}; }

 private:
  std::function<Range(std::size_t)> choose_;
};

/// See read_snapshot. HDF5 and GADGET files are read in parts; of the others all bodies are read, and a part
/// is kept.
FileContent read_snapshot(const std::filesystem::path& file, const std::optional<Units>& units,
                          bool unless_stated, const Wanted& wanted);

}  // namespace pleiad::files
