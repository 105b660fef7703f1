/// Bodies that trees stumble over, and the direct sums to compare with.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/gravity.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::tree_test {

using Masses = std::vector<Mass<double>>;

struct Scene {
  std::string_view name;
  double eps = 0;
  Masses (*make)(std::size_t n) = nullptr;
};

/// A smooth sphere; 64 clumps whose sizes differ by a factor 100 at one softening; a sheet a thousandth as
/// thick as wide; two disc galaxies; a dense cluster in a wide halo.
std::span<const Scene> scenes();
const Scene& scene(std::string_view name);

Masses plummer(std::size_t n);
/// Uniform in a cube of sides 2 about the origin, of unequal masses.
Masses random_cube(std::size_t n, std::uint64_t seed);

/// Positions and masses rounded to single precision and back, so that all precisions know the same bodies.
Masses rounded(Masses bodies);
template <class T>
std::vector<Mass<T>> as(std::span<const Mass<double>> bodies) {
  std::vector<Mass<T>> out;
  out.reserve(bodies.size());
  for (const auto& b : bodies) out.push_back({T(b.x), T(b.y), T(b.z), T(b.m)});
  return out;
}

/// The pull on one body by direct summation, and the sums of magnitudes that its error is measured against.
struct Exact {
  std::size_t body = 0;
  Vec4<double> sum;
  double size = 0;  ///< sum of m / (r^2 + eps^2), which is no less than that of the pulls' magnitudes
};
/// Of about `count` bodies, evenly spread over the indices; all of them when there are fewer.
std::vector<Exact> exact(std::span<const Mass<double>> bodies, double eps, std::size_t count = 400);

/// How wrong sums are.
struct Errors {
  double p50 = 0, p99 = 0, max = 0;  ///< |da| / |a|
  double share = 0;                  ///< the largest |da| / Exact::size
  double potential = 0;              ///< the largest |dPhi| / |Phi|
  std::size_t not_finite = 0;
};
template <class T>
Errors errors(std::span<const Vec4<T>> sums, std::span<const Exact> exact);

}  // namespace pleiad::tree_test
