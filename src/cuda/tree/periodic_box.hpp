/// A periodic box for a tree on a device: the images that it walks, and the field of all others. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/tree/further_images.hpp"
#include "cuda/tree/images.hpp"
#include "tree/lattice.hpp"

#include <pleiad/gravity.hpp>

#include <algorithm>
#include <cstddef>

namespace pleiad::cuda::tree {

/// Keeps its tables from one evaluation to the next.
class PeriodicBox {
 public:
  explicit PeriodicBox(void* stream) : stream_(stream) {}

  /// Takes the space of the next evaluation. UsageError for a box that it cannot do, and for nearest images.
  void set(const Boundary& boundary, double eps);
  bool any() const { return any_; }
  /// The sides; 0 in open space.
  const Vec3<double>& sides() const { return sides_; }

  /// Half of the least width of a root: a millionth of the shortest side; 0 in open space.
  double least() const { return 0x1p-20 * std::min({sides_.x, sides_.y, sides_.z}); }

  /// Queues the images in the tree's units.
  void find_images(const Frame* frame);
  Images images() const;
  /// Queues the field by the sorted bodies.
  template <class T>
  void find_field(const Sorted<T>& bodies, const Frame* frame);
  FurtherImages further() const;

  std::size_t bytes() const;

 private:
  void copy_tables();
  LatticeTables tables() const;

  void* stream_;
  bool any_ = false;
  Vec3<double> sides_{};
  double eps_ = -1;
  pleiad::tree::Lattice lattice_;
  std::uint32_t count_ = 1;
  Buffer<double> even_, room_, field_;
  Buffer<int> boxes_;
  Buffer<Vec3<double>> shifts_;
};

}  // namespace pleiad::cuda::tree
