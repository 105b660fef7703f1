/// Test particles: bodies of mass 0, which are pulled and do not pull. The bodies with mass are a problem by
/// themselves, with the order, the division among ranks and so the bits that they have without the particles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/threads.hpp"
#include "ranks/collective.hpp"

#include <pleiad/bodies.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace pleiad {

/// Which bodies have mass. Calls are collective unless stated otherwise.
class TestParticles {
 public:
  /// No body is a test particle.
  TestParticles() = default;
  /// has_mass(i): of the `own` bodies of this rank. `all` outlives the object.
  template <class HasMass>
  TestParticles(const ranks::Collective& all, std::size_t own, const HasMass& has_mass) : all_(&all) {
    here_ = joined_blocks<std::size_t>(own, [&](std::size_t begin, std::size_t end, auto& some) {
      for (std::size_t i = begin; i < end; ++i)
        if (has_mass(i)) some.push_back(i);
    });
    find_others(own);
  }

  /// Number of test particles on all ranks. Not collective, like all functions without bodies of others.
  std::size_t count() const { return particles_; }
  bool any() const { return particles_ > 0; }
  /// Number of bodies with mass on all ranks.
  std::size_t massive() const { return massive_; }
  /// This rank's bodies with mass.
  std::span<const std::size_t> here() const { return here_; }
  /// Number of bodies with mass on the ranks before this one.
  std::size_t before() const { return before_; }
  /// The bodies with mass, divided among the ranks by their own number.
  const ranks::Collective& among_massive() const { return among_massive_; }
  /// This rank's share, by that division, of something of each body with mass.
  template <class T>
  std::span<const T> share(std::span<const T> of_all) const {
    const auto& division = among_massive_.division();
    const int rank = among_massive_.comm().rank();
    return of_all.subspan(division.first(rank), division.count(rank));
  }

  /// each(i) of the bodies with mass of all ranks, in their order: i is an index of the rank that has the
  /// body.
  template <class Each>
  auto of_massive(const Each& each) const {
    using T = std::invoke_result_t<Each, std::size_t>;
    std::vector<T> own(here_.size());
    for_each_index(here_.size(), [&](std::size_t k) { own[k] = each(here_[k]); });
    if (all_->comm().ranks() == 1) return own;
    return ranks::all_gather<T>(all_->comm(), std::span<const T>(own)).data;
  }
  /// This rank's share of the bodies with mass: masses, positions, velocities and types.
  Bodies massive_share(const Bodies& own) const;
  /// The numbers, among all bodies, of those with mass.
  std::vector<std::size_t> massive_numbers() const;
  /// The numbers among the bodies with mass of those that have these numbers among all; empty if one of them
  /// is a test particle.
  std::optional<std::vector<std::size_t>> numbers_among_massive(std::span<const std::size_t> chosen) const;
  /// At most `most` test particles, by a hash of their positions and velocities: their numbers among all
  /// bodies, which depend neither on the number of ranks nor, if no two are at one place, on their order.
  std::vector<std::size_t> drawn(const Bodies& own, std::size_t most) const;

 private:
  void find_others(std::size_t own);

  const ranks::Collective* all_ = nullptr;
  ranks::Collective among_massive_;
  std::size_t particles_ = 0, massive_ = 0, before_ = 0;
  std::vector<std::size_t> here_;
};

}  // namespace pleiad
