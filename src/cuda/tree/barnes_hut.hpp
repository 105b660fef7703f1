/// What Barnes and Hut's method does with a tree: groups of bodies walk it. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/tree/octree.hpp"
#include "cuda/tree/walks.hpp"

namespace pleiad::cuda::tree {

/// UsageError for settings that Barnes and Hut's method on a GPU does not have.
const WalkKernels& walk_kernels_for(const TreeSettings& settings);

/// Real: float or double.
template <class Real>
class GroupWalks {
 public:
  GroupWalks(const TreeSettings& settings, const WalkKernels& kernels, void* stream)
      : settings_(settings), kernels_(kernels), stream_(stream) {}
  const MomentKernels& kernels() const { return kernels_.up; }

  /// Queues the groups of the tree's bodies, behind its begin().
  void find_groups(Octree<Real>& tree);
  /// Queues the sums of the tree's request; moments and the number of groups are there.
  void add(Octree<Real>& tree);
  /// Adds the work of the last evaluation.
  void count(Octree<Real>& tree, TreeWork& work);

 private:
  TreeSettings settings_;
  const WalkKernels& kernels_;
  void* stream_;
  Groups groups_{};
};

extern template class GroupWalks<float>;
extern template class GroupWalks<double>;

}  // namespace pleiad::cuda::tree
