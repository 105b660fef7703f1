/// The symmetric rungs where several blocks meet, which the sizes of the other tests do not reach: every
/// shape, every form of the pair, whatever the units, the place and the order of the threads.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/catalogue.hpp"
#include "cuda/device/cuda.hpp"
#include "cuda/direct/diagnostic_sums.hpp"
#include "cuda/direct/symmetric_parts.hpp"
#include "scenes.hpp"
#include "sizes.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
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
                                           const List& bodies, double eps, bool potential = false) {
  const auto sources = rounded<P>(bodies);
  constexpr auto nan = std::numeric_limits<typename P::Sum>::quiet_NaN();
  std::vector<Vec4<typename P::Sum>> sums(bodies.size(), {nan, nan, nan, nan});
  kernel.run<P>()(
      {.targets = sources, .sources = sources, .sums = sums, .softening = {eps}, .potential = potential},
      shape);
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

/// The largest |dw / w|; NaN stays.
template <class P>
double worst_potential(const std::vector<Vec4<typename P::Sum>>& sums, const List& bodies, double eps) {
  const auto wanted = widened<typename P::Position>(rounded<P>(bodies));
  const auto all = expected(wanted, wanted, {eps}, {}, 0);
  double worst = 0;
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (const double error = std::abs(double(sums[i].w / all[i].sum.w - 1)); !(error <= worst)) worst = error;
  return worst;
}

template <class S>
bool same_bits(const std::vector<Vec4<S>>& a, const std::vector<Vec4<S>>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

/// One whole block of a shape and a ragged one; of the kernel's own choice as if its blocks had 128 bodies.
std::size_t two_blocks(const LaunchShape& shape) {
  const int block = shape.threads_per_block * shape.bodies_per_thread;
  return static_cast<std::size_t>(block > 0 ? block : 128) + 77;
}

}  // namespace

TEST(Symmetric, TheErrorStaysSmallWhereBlocksMeet) {
  // A pull has some 8 roundings of 2^-24 with random signs, and a running sum of 1000 terms some more: 3e-7
  // measured, 5e-7 promised. Double precision: the same count of 2^-53 is 1e-15. Mixed also far away.
  for (const auto* kernel : symmetric_kernels())
    for (const auto& shape : kernel->shapes)
      for (const bool equal : {false, true})
        in_each_precision(*kernel, [&]<class P>(P) {
          const List bodies =
              cluster(two_blocks(shape), equal, std::is_same_v<P, Mixed> && !equal ? 1000 : 0);
          const double error = rms<P>(sums_of<P>(*kernel, shape, bodies, 0.01), bodies, 0.01);
          EXPECT_LE(error, (std::is_same_v<P, F64> ? 2e-15 : 5e-7))
              << kernel->name << ", block " << shape.threads_per_block << " x " << shape.bodies_per_thread
              << (equal ? ", equal masses" : "");
        });
}

TEST(Symmetric, EveryPairOfThreeBlocksIsCountedOnce) {
  for (const auto* kernel : symmetric_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      const auto& shape = kernel->shapes.back();
      const List bodies = cluster(2 * two_blocks(shape) - 77, false, 0);
      const double error = rms<P>(sums_of<P>(*kernel, shape, bodies, 0.01), bodies, 0.01);
      EXPECT_LE(error, (std::is_same_v<P, F64> ? 2e-15 : 5e-7)) << kernel->name;
    });
}

TEST(Symmetric, EverySceneIsRightInAnyUnitsAndMasses) {
  for (std::size_t s = 0; s < scenes().size(); s += test::emulated_size(1, 3))
    for (const auto* kernel : symmetric_kernels())
      in_each_precision(*kernel, [&]<class P>(P) {
        const auto& scene = scenes()[s];
        if (std::is_same_v<P, F32> && scene.name == "far away") return;  // not in single precision
        const List bodies = bodies_of(scene, two_blocks(kernel->shapes[1]), false);
        const auto wide = widened<typename P::Position>(rounded<P>(bodies));
        const auto wanted = expected(wide, wide, {scene.eps}, {}, 0);
        for (const bool potential : {false, true}) {
          if (potential && !kernel->traits.potential) continue;
          const auto e = errors<P>(sums_of<P>(*kernel, kernel->shapes[1], bodies, scene.eps, potential),
                                   wanted, extent_of(wide), potential, moved_by<P>(*kernel, wide));
          EXPECT_LE(e.worst, 1) << kernel->name << ", " << scene.name << ", " << potential;
          EXPECT_LE(e.worst_potential, potential ? 1 : 0) << kernel->name << ", " << scene.name;
        }
      });
}

TEST(Symmetric, PotentialsComeWithTheForces) {
  // A running sum over a block of 512 bodies rounds as often, at random: some 20 roundings of it, at
  // worst 64.
  for (const auto* kernel : symmetric_kernels())
    for (const std::size_t n : {2, 31, 33, 512, 513, 1100})
      for (const bool equal : {false, true})
        in_each_precision(*kernel, [&]<class P>(P) {
          if (!kernel->traits.potential) return;
          List bodies = cluster(n, equal, std::is_same_v<P, Mixed> && !equal ? 1000 : 0);
          if (!equal && n > 2) bodies[n / 2].m = 0;
          const auto sums = sums_of<P>(*kernel, {}, bodies, 0.01, true);
          EXPECT_LE(worst_potential<P>(sums, bodies, 0.01), 64 * (std::is_same_v<P, F64> ? 0x1p-53 : 0x1p-24))
              << kernel->name << ", N = " << n << (equal ? ", equal masses" : "");
          EXPECT_LE(rms<P>(sums, bodies, 0.01), (std::is_same_v<P, F64> ? 2e-15 : 5e-7)) << kernel->name;
        });
}

TEST(Symmetric, ABodyHasNoPotentialOfItsOwn) {
  // Beside which all others would be lost in single precision. Two coincident ones have that of each other.
  List bodies = cluster(97, false, 0);
  bodies[50].x = bodies[3].x, bodies[50].y = bodies[3].y, bodies[50].z = bodies[3].z;
  for (const auto* kernel : symmetric_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      if (!kernel->traits.potential) return;
      for (const double eps : {1e-9, 0.5})
        EXPECT_LE(worst_potential<P>(sums_of<P>(*kernel, {}, bodies, eps, true), bodies, eps), 1e-6)
            << kernel->name << ", eps " << eps;
      EXPECT_EQ(sums_of<P>(*kernel, {}, List{{1, 2, 3, 4}}, 0.01, true)[0].w, 0) << kernel->name;
    });
}

TEST(Symmetric, PotentialsWithoutSofteningAreOneSided) {
  List bodies = cluster(150, false, 0);
  bodies[50].x = bodies[3].x, bodies[50].y = bodies[3].y, bodies[50].z = bodies[3].z;
  const DirectKernel* one_sided = nullptr;
  for (const auto* kernel : cuda_kernels())
    if (kernel->name == "cuda/split-reduced") one_sided = kernel;
  for (const auto* kernel : symmetric_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      if (kernel->traits.potential) {
        EXPECT_TRUE(
            same_bits(sums_of<P>(*kernel, {}, bodies, 0, true), sums_of<P>(*one_sided, {}, bodies, 0, true)))
            << kernel->name;
      }
    });
}

TEST(Symmetric, ReproducibleOnesHaveTheSameBitsInEveryOrder) {
  for (const auto* kernel : symmetric_kernels()) {
    if (!kernel->traits.reproducible) continue;
    in_each_precision(*kernel, [&]<class P>(P) {
      const auto& shape = kernel->shapes[1];
      const List bodies = cluster(two_blocks(shape), false, 0);
      const auto forward = sums_of<P>(*kernel, shape, bodies, 0.01),
                 diagnostic_sums = sums_of<P>(*kernel, {}, bodies, 0.01, true);
      for (const auto order : {emulator::Order::backward, emulator::Order::shuffled}) {
        emulator::order = order;
        EXPECT_TRUE(same_bits(forward, sums_of<P>(*kernel, shape, bodies, 0.01))) << kernel->name;
        EXPECT_TRUE(same_bits(diagnostic_sums, sums_of<P>(*kernel, {}, bodies, 0.01, true))) << kernel->name;
      }
      emulator::order = emulator::Order::forward;
    });
  }
}

TEST(Symmetric, FewBodiesGetTheSmallestBlocks) {
  for (const auto* kernel : symmetric_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      if (!kernel->traits.reproducible) return;
      const List bodies = cluster(300, false, 0);
      const auto own = sums_of<P>(*kernel, {}, bodies, 0.01);
      EXPECT_TRUE(same_bits(own, sums_of<P>(*kernel, kernel->shapes.back(), bodies, 0.01))) << kernel->name;
    });
}

TEST(Symmetric, PartsOfThePairsAddUpToTheSameBits) {
  // The words of three devices that share seven parts, of an odd and of an even number of blocks.
  for (const auto* kernel : symmetric_kernels())
    for (const std::size_t more : {std::size_t{0}, two_blocks(kernel->shapes.back()) - 77})
      in_each_precision(*kernel, [&]<class P>(P) {
        if (!kernel->traits.reproducible) return;
        const auto& shape = kernel->shapes.back();
        const List bodies = cluster(two_blocks(shape) + more, false, 0);
        const std::size_t n = bodies.size();
        const auto* sum = cuda::symmetric_sum<P>(kernel->name);
        ASSERT_NE(sum, nullptr) << kernel->name;
        const auto sources = rounded<P>(bodies);
        std::vector<Vec4<typename P::Sum>> sums(n);
        const auto f =
            cuda::framed<P>({.targets = sources, .sources = sources, .sums = {}, .softening = {0.01}},
                            n + cuda::most_in_block, cuda::BodyOrder::curve);
        std::vector<std::vector<std::byte>> words(3, std::vector<std::byte>(sum->bytes_per_body * n));
        std::vector<const void*> all;
        for (unsigned part = 0; part < 7; ++part)
          sum->sweep(f, n, shape, {part, 7}, words[part % 3].data(), nullptr);
        for (const auto& of_device : words) all.push_back(of_device.data());
        const std::size_t half = n / 2;
        sum->total(all, f, n, half, std::span(sums).subspan(half), nullptr);
        sum->total(all, f, n, 0, std::span(sums).first(half), nullptr);
        EXPECT_TRUE(same_bits(sums, sums_of<P>(*kernel, shape, bodies, 0.01))) << kernel->name << ", " << n;
      });
}

TEST(Symmetric, WithoutSofteningAClosePairDoesNotDrownTheOthers) {
  // Two bodies 1e-7 apart pull each other 1e13 times harder than the third pulls; its sum must keep its
  // digits.
  const List bodies{{0, 0, 0, 1}, {1e-7, 0, 0, 1}, {1, 0, 0, 1}};
  for (const auto* kernel : symmetric_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      const auto sums = sums_of<P>(*kernel, {}, bodies, 0);
      if constexpr (!std::is_same_v<P, Mixed>) {  // its places are good to 2^-24 of a block's extent
        EXPECT_LE(std::abs(double(sums[1].x) / -1e14 - 1), 1e-6) << kernel->name;
      }
      EXPECT_LE(std::abs(double(sums[2].x) / -2 - 1), 1e-6) << kernel->name;
    });
}

namespace {

/// A razor-thin exponential disc in no order, whose neighbours are far from each other in the list.
List disc(std::size_t n) {
  List bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random r(13, i);
    const double radius = -std::log(r.uniform() * r.uniform()), angle = 6.283185307179586 * r.uniform();
    bodies[i] = {radius * std::cos(angle), radius * std::sin(angle), 0, (0.5 + r.uniform()) / double(n)};
  }
  return bodies;
}
/// Clumps of size 1e-3 on the corners of a square, in turn.
List clumps(std::size_t n) {
  List bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random r(14, i);
    const auto x = 1e-3 * r.uniform() * r.direction();
    bodies[i] = {x.x + double(i % 2), x.y + double(i / 2 % 2), x.z, 1 / double(n)};
  }
  return bodies;
}

/// Bodies far outside along the curve, so that most keys are equal and their order is that of the numbers.
List dense(std::size_t n) {
  List bodies(n, {0, 0, 0, 1 / double(n)});
  for (std::size_t i = 0; i < n; i += 7) bodies[i].x = double(i);
  return bodies;
}

}  // namespace

TEST(Symmetric, BodiesArePackedAlongTheCurveOnce) {
  // Sizes about those of a run that a block sorts, and one that is sorted otherwise.
  for (const std::size_t n : {1, 2, 1023, 4095, 4096, 4097, 9000, 70001})
    for (const auto& bodies : {disc(n), clumps(n), dense(n)}) {
      const auto f =
          cuda::framed<Mixed>({.targets = bodies, .sources = bodies, .sums = {}, .softening = {1e-6}},
                              n + cuda::most_in_block, cuda::BodyOrder::curve);
      const auto* ranks = f.ranks.data();
      std::vector<int> taken(n, 0);
      double step_before = 0, step_after = 0;
      const auto packed_step = [&](std::size_t k) {
        const auto &a = f.bodies.data()[k], &b = f.bodies.data()[k + 1];
        return std::hypot(double(a.x) - double(b.x), double(a.y) - double(b.y), double(a.z) - double(b.z));
      };
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_LT(ranks[i], n);
        ++taken[ranks[i]];
        const auto& packed = f.bodies.data()[ranks[i]];
        EXPECT_NEAR(double(packed.m) * f.frame.data()->mass, bodies[i].m, 1e-7 * bodies[i].m) << i;
      }
      EXPECT_EQ(std::ranges::count(taken, 1), std::ptrdiff_t(n));
      for (std::size_t k = 0; k + 1 < n; ++k) {
        step_after += packed_step(k);
        const auto &a = bodies[k], &b = bodies[k + 1];
        step_before += std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) / f.frame.data()->length;
      }
      if (n > 1000) {
        EXPECT_LE(step_after, 0.2 * step_before) << n;
      }
      // Every body is in the box of its tile.
      const auto* boxes = f.boxes.data();
      for (std::size_t k = 0; k < n; ++k) {
        const auto at = [&](std::size_t body) {
          const auto &b = f.bodies.data()[body], &rest = f.rests.data()[body];
          return Vec3<double>{double(b.x) + double(rest.x), double(b.y) + double(rest.y),
                              double(b.z) + double(rest.z)};
        };
        const auto& box = boxes[k / 32];
        const auto from_first = at(k) - at(k / 32 * 32);
        const double slack = 1e-6 * norm(from_first);
        const auto inside = [&](double x, float low, float high) {
          return x >= double(low) - slack && x <= double(high) + slack;
        };
        ASSERT_TRUE(inside(from_first.x, box.low.x, box.high.x) &&
                    inside(from_first.y, box.low.y, box.high.y) &&
                    inside(from_first.z, box.low.z, box.high.z))
            << k << " of " << n;
      }
      // Equal places keep the order of the numbers.
      for (std::size_t i = 0, before = n; i < n; ++i) {
        if (bodies[i].x != 0 || bodies[i].y != 0) continue;
        if (before != n) {
          EXPECT_LT(ranks[before], ranks[i]);
        }
        before = i;
      }
    }
}

TEST(Symmetric, MixedPrecisionIsAsExactForBodiesInNoOrder) {
  // Pairs of near tiles err by a rounding, others by 2^-18 of a pull at most and 2^-24 as a rule. Where
  // accelerations cancel single precision alone has 3e-7.
  constexpr std::size_t n = 1023;
  for (const auto* kernel : symmetric_kernels())
    if (kernel->mixed != nullptr)
      for (const auto& shape : kernel->shapes) {
        EXPECT_LE(rms<Mixed>(sums_of<Mixed>(*kernel, shape, disc(n), 1e-3), disc(n), 1e-3), 5e-7)
            << kernel->name << ", disc";
        EXPECT_LE(rms<Mixed>(sums_of<Mixed>(*kernel, shape, clumps(n), 1e-5), clumps(n), 1e-5), 5e-7)
            << kernel->name << ", clumps";
      }
  for (const auto* kernel : symmetric_kernels())
    if (kernel->mixed != nullptr)
      for (const auto& [bodies, eps] : {std::pair{disc(n), 1e-3}, {clumps(n), 1e-5}}) {
        const auto sums = sums_of<Mixed>(*kernel, {}, bodies, eps, true);
        EXPECT_LE(rms<Mixed>(sums, bodies, eps), 5e-7) << kernel->name << ", a look at eps " << eps;
        EXPECT_LE(worst_potential<Mixed>(sums, bodies, eps), 1e-6) << kernel->name << ", eps " << eps;
      }
}

TEST(Symmetric, MixedPrecisionIsExactForPairsHoweverNear) {
  // Each body has a partner far from it in the list, at a millionth of the system's size: a separation in
  // floats would err by 1e-2, wherever the two fall into tiles. That of pairs of floats, of 47 bits, errs by
  // 1e-8 of it.
  constexpr std::size_t n = 2 * 700;
  auto bodies = disc(n);
  for (std::size_t i = 0; i < n / 2; ++i) {
    const auto x = 1e-6 * Random(15, i).direction();
    auto& partner = bodies[i + n / 2];
    partner.x = bodies[i].x + x.x, partner.y = bodies[i].y + x.y, partner.z = bodies[i].z + x.z;
  }
  for (const auto* kernel : symmetric_kernels())
    if (kernel->mixed != nullptr)
      for (const auto& shape : kernel->shapes) {
        EXPECT_LE(rms<Mixed>(sums_of<Mixed>(*kernel, shape, bodies, 1e-7), bodies, 1e-7), 3e-7)
            << kernel->name;
      }
}

TEST(Symmetric, MixedPrecisionBearsABodyFarAway) {
  for (const auto* kernel : symmetric_kernels())
    if (kernel->mixed != nullptr)
      for (const auto& shape : kernel->shapes)
        for (const double distance : {1e4, 1e8}) {
          auto bodies = disc(1023);
          bodies[341].x = distance;
          EXPECT_LE(rms<Mixed>(sums_of<Mixed>(*kernel, shape, bodies, 1e-3), bodies, 1e-3), 5e-7)
              << kernel->name << ", one at " << distance;
        }
}

TEST(Symmetric, MixedPrecisionTakesAnyNumberOfBodies) {
  // 64 roundings of single precision of the sum of the pulls' magnitudes.
  for (const auto* kernel : symmetric_kernels())
    if (kernel->mixed != nullptr)
      for (const std::size_t n : {1, 2, 31, 33, 257})
        for (const double eps : {0.0, 1e-3}) {
          const auto bodies = disc(n);
          const auto sums = sums_of<Mixed>(*kernel, {}, bodies, eps);
          const auto wanted = expected(bodies, bodies, {eps}, {}, 0);
          for (std::size_t i = 0; i < n; ++i) {
            const auto& w = wanted[i].sum;
            const Vec3<double> off{double(sums[i].x - w.x), double(sums[i].y - w.y), double(sums[i].z - w.z)};
            EXPECT_LE(norm(off), 64 * 0x1p-24 * wanted[i].size)
                << kernel->name << ", body " << i << " of " << n;
          }
        }
}

TEST(Symmetric, WhatIsNotFiniteMakesEverySumNaN) {
  for (const auto* kernel : symmetric_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      for (const double bad :
           {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        List bodies = cluster(50, false, 0);
        bodies[17].y = bad;
        for (const auto& sum : sums_of<P>(*kernel, {}, bodies, 0.01))
          ASSERT_TRUE(std::isnan(sum.x)) << kernel->name;
      }
    });
}

TEST(Symmetric, UnknownShapesAreRefused) {
  const List bodies = cluster(5, false, 0);
  for (const auto* kernel : symmetric_kernels())
    in_each_precision(*kernel, [&]<class P>(P) {
      for (const LaunchShape shape :
           {LaunchShape{.threads_per_block = 96}, LaunchShape{.bodies_per_thread = 7},
            LaunchShape{.threads_per_body = 2}, LaunchShape{.source_splits = 4}})
        EXPECT_THROW((sums_of<P>(*kernel, shape, bodies, 0.01)), UsageError) << kernel->name;
    });
}

namespace {

/// Numbers over the whole range that sums of pulls can have, added in an order and in its reverse.
template <class T, class Sums>
void check_exact_sums(double largest, double unit) {
  std::vector<Vec3<T>> parts;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    Random r(11, i);
    const double size = largest * std::pow(2.0, -double(i % 200));
    parts.push_back({T(size * (2 * r.uniform() - 1)), T(size * r.normal() / 8), T(size / 4)});
  }
  std::vector<typename Sums::Word> up(Sums::words_per_body, 0), down = up;
  long double exact = 0, rounding = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& a = parts[i];
    const auto& b = parts[parts.size() - 1 - i];
    Sums{up.data(), 1}.add(0, a.x, a.y, a.z);
    Sums{down.data(), 1}.add(0, b.x, b.y, b.z);
    exact += a.x;
    // Half a unit of the window, which is at most the last digit of the largest component.
    const double most = std::max({std::abs(double(a.x)), std::abs(double(a.y)), std::abs(double(a.z))});
    rounding += std::max(most * std::numeric_limits<T>::epsilon(), unit) / 2;
  }
  EXPECT_EQ(up, down);
  const long double total = Sums::total({{up.data()}, 1}, 1, 0).x;
  EXPECT_LE(std::abs(double(total - exact)), double(rounding) + std::abs(double(exact)) * 0x1p-52);
}

}  // namespace

TEST(ExactSums, HaveNoOrderAndRoundOncePerPart) {
  check_exact_sums<float, cuda::ExactSums<float>>(0x1p79, 0x1p-80);
  check_exact_sums<double, cuda::ExactSums<double>>(0x1p119, 0x1p-110);
  check_exact_sums<float, cuda::ExactSums<float>>(1, 0x1p-80);
  check_exact_sums<double, cuda::ExactSums<double>>(1, 0x1p-110);
}

TEST(ExactSums, HoldTheMostPartsOfTheLargestSize) {
  using Sums = cuda::ExactSums<float>;
  std::vector<Sums::Word> words(Sums::words_per_body, 0);
  const float largest = std::nextafter(0x1p59f, 0.0f);  // just below the end of a window
  for (int i = 0; i < 1 << 16; ++i) Sums{words.data(), 1}.add(0, largest, -largest, 0);
  EXPECT_EQ(Sums::total({{words.data()}, 1}, 1, 0).x, 0x1p16 * largest);
  EXPECT_EQ(Sums::total({{words.data()}, 1}, 1, 0).y, -0x1p16 * largest);
}

TEST(ExactSums, HoldEveryPotential) {
  // A body of which all the mass is as near as the softening lets it be, in as many parts as may be added.
  using Singles = cuda::ExactDiagnosticSums<float>;
  using Doubles = cuda::ExactDiagnosticSums<double>;
  std::vector<Singles::Word> singles(Singles::words_per_body, 0), doubles(Doubles::words_per_body, 0);
  for (int i = 0; i < 1 << 16; ++i) {
    Singles{{singles.data(), 1}}.add(0, 0, 0, 0, 0x1p-4f);
    Doubles{{doubles.data(), 1}}.add(0, 0, 0, 0, 0x1p-4);
  }
  EXPECT_EQ(Singles::total_potential({{singles.data()}, 1}, 1, 0), 0x1p12);
  EXPECT_EQ(Doubles::total_potential({{doubles.data()}, 1}, 1, 0), 0x1p12);
  // And one part alone: rounded by half a unit.
  std::ranges::fill(singles, 0), std::ranges::fill(doubles, 0);
  Singles{{singles.data(), 1}}.add(0, 0, 0, 0, 1.0f / 3);
  Doubles{{doubles.data(), 1}}.add(0, 0, 0, 0, 1.0 / 3);
  EXPECT_EQ(Singles::total_potential({{singles.data()}, 1}, 1, 0), double(1.0f / 3));
  EXPECT_EQ(Doubles::total_potential({{doubles.data()}, 1}, 1, 0), 1.0 / 3);
}
