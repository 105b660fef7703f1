/// Cells of several images of a tree, image after image.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace pleiad::tree {

/// Cells for each image. In open space there is one image, the bodies themselves. After the cells of an image
/// have been added the list is closed for it.
struct CellList {
  struct Part {
    std::uint32_t image = 0, begin = 0, end = 0;
  };
  std::vector<std::uint32_t> cells;
  std::vector<Part> parts;  ///< of images that have cells here

  bool empty() const { return cells.empty(); }
  void clear() { cells.clear(), parts.clear(); }
  void close(std::uint32_t image) {
    const auto begin = parts.empty() ? 0 : parts.back().end, end = static_cast<std::uint32_t>(cells.size());
    if (end > begin) parts.push_back({image, begin, end});
  }
};

}  // namespace pleiad::tree
