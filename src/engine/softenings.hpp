/// The softenings of bodies: what a law is for them, and direct sums with softenings of their own or a
/// spline, for the bodies of one process or of several ranks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/softened.hpp"
#include "engine/force_solver.hpp"
#include "ranks/collective.hpp"
#include "ranks/self.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

namespace pleiad {

/// The softening of a law for the bodies of all ranks. Where they have softenings (Bodies::softening) and
/// these are equal, that of all pairs is eps, as without any, and the rule has been applied; where they
/// differ, eps is the smallest. UsageError for a law that says that they have some if they have none.
/// Collective.
Softening softening_of(const Bodies& own, const Softening& law, ranks::Communicator& ranks = ranks::self());

/// The softening of each body: its own, or that of the law.
std::vector<double> softenings_of(const Bodies& bodies, const Softening& law);

/// The bodies of this rank, of which the first has the number all.first().
template <class T>
std::vector<cpu::SoftenedBody> softened_bodies(const ranks::Collective& all, std::span<const Mass<T>> x,
                                               std::span<const double> eps);

constexpr bool has_mass(const cpu::SoftenedBody& body) { return body.x.m > 0; }

/// The sources of a block that have mass: the block itself, or copies of them in `room` where some have none.
template <class S, class HasMass>
std::span<const S> with_mass(std::span<const S> block, const HasMass& has_mass, std::vector<S>& room) {
  if (std::ranges::all_of(block, has_mass)) return block;
  room.clear();
  std::ranges::copy_if(block, std::back_inserter(room), has_mass);
  return room;
}

/// Accelerations of the chosen bodies of all ranks, G included, by direct sums in double precision. Each rank
/// sums a part of the chosen bodies. Collective.
std::vector<Vec3<double>> softened_exact(const ranks::Collective& all, std::span<const cpu::SoftenedBody> own,
                                         const Gravity& gravity, std::span<const std::size_t> chosen);

/// The bodies of one rank as they move; see cpu::SoftenedBodies.
struct SoftenedState {
  std::span<const Mass<double>> x;
  std::span<const double> eps;
  std::span<const Vec4<double>> v = {};
  std::span<const std::array<double, 6>> low = {};
};
/// Overwrites the accelerations of this rank's bodies, by those of all ranks, without G; and the jerks, if
/// there are any. Test particles do not pull. Equal bit for bit for any number of ranks. Collective.
void softened_accelerations(const ranks::Collective& all, const SoftenedState& own,
                            std::span<Vec4<double>> accelerations, std::span<Vec4<double>> jerks,
                            const Gravity& gravity);

/// Pulls and potentials of all bodies on each, by direct sums in double precision, without G; with the
/// softenings that the bodies have (see softening_of).
std::vector<Vec4<double>> direct_sums(const Bodies& bodies, const Gravity& gravity);

/// Makes a solver for bodies with the softenings `eps`, where the law is not one Plummer softening of all
/// pairs: direct sums in double precision, a tree with splines, or one for each pair of Plummer softenings.
/// `evaluate` is collective; its problem has this rank's bodies as targets and as sources. `all` and `eps`
/// outlive the solver. Bits depend neither on the number of ranks nor on that of threads. UsageError where
/// why_not has a sentence.
template <class P>
std::unique_ptr<ForceSolver<P>> make_softened_solver(const ForceMethod& method, const Gravity& gravity,
                                                     const ranks::Collective& all,
                                                     std::span<const double> eps);

}  // namespace pleiad
