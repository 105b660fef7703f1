/// One tree's forces by several devices: each builds the whole tree and finds the accelerations of its part
/// of the targets. Plain C++.
///
/// The lists, the fields and the P2P sources are divided; the keys, their sort, the cells, the moments and
/// the accelerations of the MAC, and the memory of all these, are not. Every sum is formed by one device as
/// by a single one, so that the result does not depend on their number, bit for bit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/multi_gpu/devices.hpp"
#include "cuda/tree/forces.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace pleiad::cuda {

/// P: the precision policy.
template <class P>
class MultiGpuTrees {
 public:
  using Real = typename P::Position;
  /// UsageError for settings that no tree on a GPU has.
  MultiGpuTrees(const TreeSettings& settings, const Devices& devices, tree::FirstRoom room = {});
  /// Queues the pulls of all bodies, where bodies[d] are those that device d owns, into `sums`, which every
  /// device can write; a device barrier must precede reads of them. Work queued earlier on any device is done
  /// when the first pull is written. ResourceError if the tree does not fit into a device's memory.
  void evaluate(std::span<const std::span<const Mass<Real>>> bodies, const tree::Outputs<Real>& sums,
                const Softening& softening, bool potential);
  /// Bytes of memory on all devices.
  std::size_t bytes() const;

 private:
  const Devices& devices_;
  std::vector<std::unique_ptr<tree::Forces<Real>>> forces_;
};

extern template class MultiGpuTrees<F32>;
extern template class MultiGpuTrees<F64>;
extern template class MultiGpuTrees<Mixed>;

}  // namespace pleiad::cuda
