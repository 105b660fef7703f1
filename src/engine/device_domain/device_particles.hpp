/// The bodies of a rank in the memory of its GPU, which positions and sums never leave by way of the host's
/// arrays.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/tree/divided.hpp"
#include "cuda/tree/octree.hpp"
#include "domain/exchange.hpp"
#include "engine/ranks_exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::device_domain {

/// Real: float or double, of positions.
template <class Real>
class DeviceParticles final : public domain::Particles {
 public:
  DeviceParticles(ranks::Communicator& comm, RanksExchange<Real>& exchange, cuda::tree::Octree<Real>& tree,
                  void* stream)
      : comm_(comm), exchange_(exchange), tree_(tree), stream_(stream) {}

  /// Sets the input of the next exchange. The memory of the sums has the sums on migrated bodies until they
  /// are returned.
  void take(std::span<const Mass<Real>> own, std::span<Vec4<Real>> sums, const Softening& softening,
            bool potential) {
    own_ = own, sums_ = sums, softening_ = softening, potential_ = potential;
  }
  /// Room for bodies of others in front of those that come, and behind.
  void make_room(std::uint32_t front, std::size_t behind) { front_ = front, behind_ = behind; }
  /// The sums that the tree's request has found, to the ranks that the bodies were given to. The tree's
  /// bodies are gone. Collective.
  void return_forces(const domain::Part& part, const domain::SendLists& lists);
  std::size_t bytes() const {
    return sent_.size() * sizeof(std::uint32_t) + (came_.size() + more_sums_.size()) * sizeof(Mass<Real>);
  }

  domain::Below given() const override { return {own_.size(), own_.size()}; }
  bool find_keys(std::uint64_t all) override;
  /// Counts keys in any order.
  std::vector<domain::Below> count_below(std::span<const std::uint64_t> bounds) override;
  void migrate(const domain::Part& part, const domain::SendLists& lists) override;
  Samples sample_keys(std::size_t begin, std::uint32_t dense) override;
  std::vector<tree::NearDense> mark_near_dense(const domain::Part& part, std::optional<std::uint64_t> before,
                                               std::optional<std::uint64_t> behind) override;
  void raise_levels(std::span<const tree::NearDense> octants) override;
  void divide(const domain::Part& part) override;

 private:
  /// The tree has the keys of the own bodies.
  void find_order(const domain::Part& part);

  ranks::Communicator& comm_;
  RanksExchange<Real>& exchange_;
  cuda::tree::Octree<Real>& tree_;
  void* stream_;
  std::span<const Mass<Real>> own_;
  std::span<Vec4<Real>> sums_;
  Softening softening_;
  bool potential_ = false;
  std::uint32_t front_ = 0;
  std::size_t behind_ = 0;
  cuda::Buffer<std::uint64_t> samples_;
  cuda::Buffer<std::uint32_t> sent_;    ///< the order in which own bodies were sent
  cuda::Buffer<Mass<Real>> came_;       ///< bodies
  cuda::Buffer<Vec4<Real>> more_sums_;  ///< for which there is no room among those of own bodies
};

extern template class DeviceParticles<float>;
extern template class DeviceParticles<double>;

}  // namespace pleiad::device_domain
