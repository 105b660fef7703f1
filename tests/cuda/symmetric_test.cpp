/// The symmetric rungs where several blocks meet, which the sizes of the other tests do not reach: every
/// shape, every form of the pair, whatever the units, the place and the order of the threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/catalogue.hpp"
#include "cuda/device/cuda.hpp"
#include "scenes.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::conformance;

namespace {

using List = std::vector<Mass<double>>;

/// The rungs that pull both ways.
std::vector<const DirectKernel*> symmetric_kernels() {
  std::vector<const DirectKernel*> list;
  for (const auto* kernel : cuda_kernels())
    if (!kernel->traits.separate_targets) list.push_back(kernel);
  return list;
}

template <class P>
std::vector<Vec4<typename P::Sum>> sums_of(const DirectKernel& kernel, const LaunchShape& shape,
                                           const List& bodies, double eps) {
  const auto sources = rounded<P>(bodies);
  constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
  std::vector<Vec4<typename P::Sum>> sums(bodies.size(), {nan, nan, nan, nan});
  kernel.run<P>()({.targets = sources, .sources = sources, .sums = sums, .softening = {eps}}, shape);
  return sums;
}

/// Calls f with each precision that the kernel has.
template <class F>
void in_each_precision(const DirectKernel& kernel, F f) {
  if (kernel.f32 != nullptr) f(F32{});
  if (kernel.f64 != nullptr) f(F64{});
  if (kernel.mixed != nullptr) f(Mixed{});
}

/// A concentrated cluster of extent 30 in no order.
List cluster(std::size_t n, bool equal, double shift) {
  List bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random r(7, i);
    const double radius = std::min(1 / std::sqrt(std::pow(r.uniform(), -2.0 / 3) - 1), 30.0);
    const auto x = radius * r.direction();
    bodies[i] = {x.x + shift, x.y + shift, x.z + shift, (equal ? 1 : 0.5 + r.uniform()) / double(n)};
  }
  return bodies;
}

/// The root mean square of |da| / |a|.
template <class P>
double rms(const std::vector<Vec4<typename P::Sum>>& sums, const List& bodies, double eps) {
  const auto wanted = widened<typename P::Position>(rounded<P>(bodies));
  double total = 0;
  const auto all = expected(wanted, wanted, {eps}, {}, 0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto& w = all[i].sum;
    const double dx = double(sums[i].x - w.x), dy = double(sums[i].y - w.y), dz = double(sums[i].z - w.z);
    total += (dx * dx + dy * dy + dz * dz) / double(w.x * w.x + w.y * w.y + w.z * w.z);
  }
  return std::sqrt(total / double(sums.size()));
}

template <class S>
bool same_bits(const std::vector<Vec4<S>>& a, const std::vector<Vec4<S>>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

}  // namespace

TEST(Symmetric, RmsErrorStaysSmallWhereBlocksMeet) {
  // Bounds: a pull has some 8 roundings of 2^-24 with random signs and the sums of a tile some more: 2e-7
  // measured for unordered bodies, 5e-7 is the promise. In double precision 1e-14 (the order of the sums).
  // Bodies of Mixed may be anywhere; 2100 is three blocks of the smaller shapes and two of the largest.
  for (const auto* kernel : symmetric_kernels())
    for (const auto& shape : kernel->shapes)
      for (const bool equal : {false, true})
        in_each_precision(*kernel, [&]<class P>(P) {
          const List bodies = cluster(2100, equal, std::is_same_v<P, Mixed> && !equal ? 1000 : 0);
          const double error = rms<P>(sums_of<P>(*kernel, shape, bodies, 0.01), bodies, 0.01);
          EXPECT_LE(error, (std::is_same_v<P, F64> ? 1e-14 : 5e-7))
              << kernel->name << ", block " << shape.threads_per_block << " x " << shape.bodies_per_thread
              << (equal ? ", equal masses" : "");
          std::printf("%-28s %s %4d x %2d %s rms %.2e\n", std::string(kernel->name).c_str(),
                      std::is_same_v<P, F64>   ? "f64"
                      : std::is_same_v<P, F32> ? "f32"
                                               : "mix",
                      shape.threads_per_block, shape.bodies_per_thread, equal ? "equal" : "     ", error);
        });
}
