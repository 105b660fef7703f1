/// The steps that turn bodies into a tree on the device: its units, keys along a space-filling curve, sorted
/// bodies, cells. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/cells.hpp"
#include "cuda/tree/further_images.hpp"
#include "cuda/tree/images.hpp"
#include "tree/cell_head.hpp"

#include <span>

namespace pleiad::cuda::tree {

constexpr unsigned blocks_for(std::size_t work, std::size_t per_block) {
  return static_cast<unsigned>((work + per_block - 1) / per_block);
}

/// Bounds of some bodies and the largest mass: the same in any order.
struct Extent {
  double low[3] = {1e308, 1e308, 1e308}, high[3] = {-1e308, -1e308, -1e308}, heaviest = 0;
  bool finite = true;

  PLEIAD_HD void add(const Extent& o) {
    for (int k = 0; k < 3; ++k) {
      if (o.low[k] < low[k]) low[k] = o.low[k];
      if (o.high[k] > high[k]) high[k] = o.high[k];
    }
    if (o.heaviest > heaviest) heaviest = o.heaviest;
    finite = finite && o.finite;
  }
};
constexpr unsigned most_extents = 256;

/// Extents of parts of the bodies; how many there are. None for no bodies. `box`: the sides of a periodic box
/// into which bodies are wrapped, here and below; 0 in open space.
template <class T>
unsigned measure(std::span<const Mass<T>> bodies, Extent* extents, void* stream, const Vec3<T>& box = {});
/// Makes the frame of `bodies` bodies with these extents, and a status that states whether they are finite
/// and is otherwise empty. The root is wider than twice `least`: in a periodic box images of few bodies would
/// else be farther in its units than single precision reaches.
void make_frame(const Extent* extents, unsigned count, std::size_t bodies, double eps, Frame* frame,
                Status* status, void* stream, double least = 0);
/// A key and the number of each body.
template <class T>
void make_keys(std::span<const Mass<T>> bodies, const Frame* frame, std::uint64_t* keys,
               std::uint32_t* numbers, void* stream, const Vec3<T>& box = {});
/// Bodies in the order of their keys and in the tree's units; levels of 0 for all of them.
template <class T>
void gather(std::span<const Mass<T>> bodies, const Frame* frame, const std::uint32_t* order, Mass<T>* sorted,
            std::uint32_t* levels, void* stream, const Vec3<T>& box = {});
/// Raises the levels of the first bodies of octants next to dense regions: see src/tree/dense_regions.hpp.
void mark_near_dense(const std::uint64_t* keys, std::uint32_t n, std::uint32_t leaf, std::uint32_t* levels,
                     void* stream);

/// The part of the curve on this GPU, if other GPUs have the rest of the tree.
using pleiad::tree::KeyRange;
static_assert(deepest == KeyRange::levels);

/// Sets the sums of the bodies `first` to `end` - 1 to NaN.
template <class T>
void set_nothing(const Outputs<T>& sums, std::uint32_t first, std::uint32_t end, void* stream);

/// Conditions for dividing a cell: more bodies than a leaf may have, or a wide cell next to dense regions.
struct Division {
  const std::uint64_t* keys;
  const std::uint32_t* levels;
  std::uint32_t n, leaf_size;
  std::uint32_t front = 0;  ///< the number that cells give to the first body
  KeyRange own;             ///< cells with other keys, too, are divided
};
/// Makes all cells, level by level, as long as there is memory: else status->overflowed is 1, and
/// status->count the number made.
void divide(const Division& division, const Cells& cells, Status* status, void* stream);

/// The tiles of all leaves that are targets, by the lengths of their lists.
void make_tiles(const Cells& cells, const Lists& lists, std::uint32_t count, Tile* tiles, Status* status,
                void* stream);
/// The least acceleration on the bodies of each cell, into its strength, once the masses are there, and in a
/// periodic box the field of the further images.
void measure_accelerations(const Cells& cells, std::uint32_t count, const Images& images,
                           const FurtherImages& further, const Frame* frame, void* stream);

/// When two cells are distant enough: R > (r_A + r_B) / theta and, if there is a tolerance, their error for
/// expansions of this order is below it; and from how many softening lengths on they pull as if there were
/// none.
struct Acceptance {
  double theta = 0, tolerance = 0;
  int order = 0;
  double newtonian_from = 0;
};
/// The lists of all cells of a level, from those of the level above.
void make_lists(const Cells& cells, const Lists& lists, const Images& images, const Frame* frame,
                Status* status, Range level, const Acceptance& by, void* stream);

}  // namespace pleiad::cuda::tree
