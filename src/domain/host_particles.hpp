/// The bodies of a rank in the memory of the host.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"
#include "domain/exchange.hpp"
#include "domain/release.hpp"
#include "tree/tree.hpp"

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pleiad::domain {

/// Real: of the bodies' positions.
template <class Real>
class HostParticles final : public Particles {
 public:
  /// The tree becomes that of the part.
  HostParticles(ranks::Communicator& comm, tree::Tree& tree) : comm_(comm), tree_(tree) {}

  /// Sets the input of the next exchange. `costs`: cost of each body, to be divided evenly; empty: each is 1.
  void take(std::span<const Mass<Real>> own, const Boundary& boundary, std::span<const std::uint32_t> costs,
            std::uint32_t leaf_size);
  /// Values of the part's bodies, in the order in which these came (Tree::order), back to the ranks and into
  /// the order of the bodies that were given. Collective.
  template <class T>
  void send_back(std::vector<T> values, std::span<T> to, const SendLists& lists) const {
    const auto came = ranks::all_to_all<T>(comm_, values, lists.came).data;
    release(values);
    for_each_index(to.size(), [&](std::size_t i) { to[sent_[i]] = came[i]; });
  }
  std::size_t bytes() const { return sent_.capacity() * sizeof(sent_[0]); }

  Below given() const override;
  bool find_keys(std::uint64_t all) override;
  std::vector<Below> count_below(std::span<const std::uint64_t> bounds) override;
  void migrate(const Part& part, const SendLists& lists) override;
  Samples sample_keys(std::size_t begin, std::uint32_t dense) override;
  std::vector<tree::NearDense> mark_near_dense(const Part& part, std::optional<std::uint64_t> before,
                                               std::optional<std::uint64_t> behind) override;
  void raise_levels(std::span<const tree::NearDense> octants) override;
  void divide(const Part& part) override;

 private:
  ranks::Communicator& comm_;
  tree::Tree& tree_;
  std::span<const Mass<Real>> own_;
  std::vector<Mass<Real>> wrapped_;  ///< in a periodic box
  std::span<const std::uint32_t> costs_;
  std::uint32_t leaf_size_ = 0;
  std::vector<std::uint64_t> keys_;  ///< sorted
  std::vector<std::uint64_t> weights_;
  std::vector<std::uint64_t> samples_;
  std::vector<std::uint8_t> levels_;
  std::vector<std::uint32_t> sent_;  ///< the bodies in the order in which they were sent
};

}  // namespace pleiad::domain
