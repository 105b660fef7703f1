/// Scenes: difficult bodies for force kernels, their reference forces, and the error bound of each
/// precision.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/kernel/direct.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::conformance {

struct Scene {
  std::string_view name;
  double eps = 0;
  bool compact =
      true;  ///< no pair is closer than single precision resolves at the scene's extent, up to a few
  void (*place)(std::vector<Mass<double>>& bodies) = nullptr;
};
std::span<const Scene> scenes();

/// `n` bodies of a scene. In a periodic box they lie on a grid of 2^-12 of it, so that separations are exact
/// in every precision: then a partner at half a box is a tie for all kernels alike (and with 2^-12 a pair,
/// ties do occur).
std::vector<Mass<double>> bodies_of(const Scene& scene, std::size_t n, bool periodic);

/// The oracle's sum for one target, and how much rounding may move it.
struct Expected {
  Vec4<long double> sum;
  double size = 0;       ///< sum of the magnitudes of the pulls
  double steepness = 0;  ///< sum of the largest derivatives of the pulls by position, 2 m / (r^2 + eps^2)^3/2
  double potential_steepness = 0;
  /// With all images: the pull and the potential of all masses at half the shortest side, of which Ewald's
  /// splitting loses a part.
  double split = 0, split_potential = 0;
};
std::vector<Expected> expected(std::span<const Mass<double>> targets, std::span<const Mass<double>> sources,
                               const Softening& softening, const Boundary& boundary, std::ptrdiff_t self);

/// Bodies rounded to the precision of the positions of P, and back, for the oracle.
template <class P>
std::vector<Mass<typename P::Position>> rounded(std::span<const Mass<double>> bodies) {
  using T = typename P::Position;
  std::vector<Mass<T>> out;
  for (const auto& b : bodies) out.push_back({T(b.x), T(b.y), T(b.z), T(b.m)});
  return out;
}
template <class T>
std::vector<Mass<double>> widened(std::span<const Mass<T>> bodies) {
  std::vector<Mass<double>> out;
  for (const auto& b : bodies) out.push_back({b.x, b.y, b.z, b.m});
  return out;
}

/// The kernels that run on the processor and know open space; those of a GPU have tests of their own, and so
/// has that for all images.
std::vector<const DirectKernel*> kernels_here();

/// Runs a kernel into poisoned sums, so that a target left out is a NaN.
template <class P>
std::vector<Vec4<typename P::Sum>> run(const DirectKernel& kernel, PairProblem<P> problem) {
  constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
  std::vector<Vec4<typename P::Sum>> sums(problem.targets.size(), {nan, nan, nan, nan});
  problem.sums = sums;
  kernel.run<P>()(problem, LaunchShape{});
  return sums;
}

/// How far a kernel that says so moves bodies by rounding their places; 0 for others.
template <class P>
double moved_by(const DirectKernel& kernel, std::span<const Mass<double>> bodies) {
  double largest = 0;
  for (const auto& b : bodies) largest = std::max(largest, norm(b.position()));
  return kernel.traits.moves_bodies && std::is_same_v<P, F32> ? 0x1p-24 * largest : 0;
}

/// Largest extent of the scene along an axis, in the units of the positions.
double extent_of(std::span<const Mass<double>> bodies);

/// The worst error over all targets as a fraction of what is allowed there (<= 1 passes), and the median of
/// |da| / |a|. Without potential, w must be exactly 0. `moved`: how far the kernel may move a body.
struct Errors {
  double worst = 0, worst_potential = 0, median = 0;
};
template <class P>
Errors errors(std::span<const Vec4<typename P::Sum>> sums, std::span<const Expected> expected, double extent,
              bool potential, double moved = 0);

}  // namespace pleiad::conformance
