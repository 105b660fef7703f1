/// Light follows mass: splats neither lose nor make any, wherever the bodies are and however many threads lay
/// them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/splat.hpp"

#include "core/threads.hpp"
#include "render/project.hpp"

#include <pleiad/rng.hpp>

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::render_detail;

namespace {

Plane splatted(std::span<const Spot> spots, int size, const Smoothing& how) {
  return image_of(layer_of(spots, size, how), size);
}

double sum(const Plane& plane) { return std::accumulate(plane.values.begin(), plane.values.end(), 0.0); }

/// A cusp: densities over four decades, so that every level of the pyramid is used. Within `reach` of the
/// middle.
std::vector<Spot> cusp(std::size_t n, int size, double reach) {
  std::vector<Spot> spots;
  for (std::uint64_t i = 0; i < n; ++i) {
    Random r(11, i);
    const double radius = reach * std::pow(r.uniform(), 3), angle = r.uniform(0, 6.283185307179586);
    spots.push_back(
        {0.5 * size + radius * std::cos(angle), 0.5 * size + radius * std::sin(angle), r.uniform(0.5, 1.5)});
  }
  return spots;
}

double total(const std::vector<Spot>& spots) {
  double t = 0;
  for (const Spot& s : spots) t += s.weight;
  return t;
}

}  // namespace

TEST(Splat, KeepsTheMassOfBodiesInsideTheImage) {
  // Every kernel is normalised over its pixels (some 20 roundings) and refined at most 10 times with exact
  // binary fractions; a kernel is at most margin(size) wide, so within size/2 - margin (and a coarse pixel
  // more) nothing leaves the image. 1e-12 is 4500 roundings.
  for (const int size : {64, 100, 257, 512})
    for (const std::size_t n : {std::size_t{1}, std::size_t{100}, std::size_t{20000}}) {
      const auto spots = cusp(n, size, 0.2 * size);
      const Plane plane = splatted(spots, size, smoothing_for(n, size));
      EXPECT_LE(std::abs(sum(plane) / total(spots) - 1), 1e-12) << "size " << size << ", " << n << " bodies";
    }
}

TEST(Splat, OfAUniformSheetHoldsTheMassInView) {
  // Twice the image's side: light that leaves is replaced by light that comes in, but for noise. 40,000
  // bodies in the image; its rim is crossed by kernels of some 12 pixels over 4 x 256, so about 8,000 bodies
  // share their light across it: one sigma is below sqrt(8000) = 90, and the count itself is known, so five
  // sigma are 450 of 40,000.
  constexpr int size = 256;
  std::vector<Spot> spots;
  double inside = 0;
  for (std::uint64_t i = 0; i < 160000; ++i) {
    Random r(12, i);
    const Spot s{r.uniform(-0.5, 1.5) * size, r.uniform(-0.5, 1.5) * size, 1};
    if (std::min(s.x, s.y) >= 0 && std::max(s.x, s.y) < size) inside += 1;
    spots.push_back(s);
  }
  const Plane plane = splatted(spots, size, smoothing_for(spots.size(), size));
  EXPECT_LE(std::abs(sum(plane) - inside), 450) << "sum " << sum(plane) << ", bodies in view " << inside;
}

TEST(Splat, PutsTheLightWhereTheBodyIs) {
  // The kernel is symmetric but for the sampling on pixels: its centre is within a tenth of its level's
  // pixel, at most 4 pixels here.
  for (const double at : {40.3, 64.0, 77.77}) {
    const std::vector<Spot> spots{{at, 128 - at, 1}};
    const Plane plane = splatted(spots, 128, {.neighbours = 8});
    double x = 0, y = 0;
    for (int j = 0; j < 128; ++j)
      for (int i = 0; i < 128; ++i) x += plane.at(i, j) * (i + 0.5), y += plane.at(i, j) * (j + 0.5);
    EXPECT_LE(std::abs(x - at), 0.4);
    EXPECT_LE(std::abs(y - (128 - at)), 0.4);
  }
}

TEST(Splat, FollowsTheDensityOverDecades) {
  // Rings of the cusp: 3 % for the shot noise of some 3000 bodies per ring (1 sigma 1.8 %) is exceeded by one
  // sigma in twenty rings, so 4 sigma.
  constexpr int size = 512;
  constexpr double reach = 200;
  const auto spots = cusp(60000, size, reach);
  const Plane plane = splatted(spots, size, smoothing_for(spots.size(), size));
  const auto ring = [&](double x, double y) {
    return int(20 * std::cbrt(std::hypot(x - 256, y - 256) / reach));
  };
  std::vector<double> light(40), mass(40);
  for (const Spot& s : spots) mass[std::size_t(ring(s.x, s.y))] += s.weight;
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) light[std::size_t(std::min(ring(i + 0.5, j + 0.5), 39))] += plane.at(i, j);
  // From ring 10 (25 pixels) on rings are wider than pixels; the last one loses light over the edge of the
  // disc.
  for (std::size_t k = 10; k < 18; ++k) EXPECT_LE(std::abs(light[k] / mass[k] - 1), 0.072) << "ring " << k;
}

TEST(Splat, HasTheSameBitsForAnyNumberOfThreads) {
  const auto spots = cusp(30000, 300, 140);
  set_threads(1);
  const Plane one = splatted(spots, 300, smoothing_for(30000, 300));
  set_threads(3);
  const Plane three = splatted(spots, 300, smoothing_for(30000, 300));
  set_threads(0);
  EXPECT_EQ(one.values, three.values);
}

TEST(Splat, OfNoBodiesIsDark) {
  const Plane plane = splatted({}, 64, {});
  EXPECT_EQ(plane.values, std::vector<double>(64 * 64));
}

TEST(Pyramid, RefiningAndCoarseningKeepTheSum) {
  Plane plane(6, 10);
  for (std::size_t i = 0; i < plane.values.size(); ++i) plane.values[i] = Random(3, i).uniform();
  Plane fine(12, 20);
  add_refined(plane, fine);
  const Plane back = coarsen(fine);
  // 240 and 60 additions of numbers of order 1.
  EXPECT_LE(std::abs(sum(fine) - sum(plane)), 1e-13);
  EXPECT_LE(std::abs(sum(back) - sum(plane)), 1e-13);
}

TEST(Project, ShowsPeriodicBodiesOnBothSidesOfTheEdge) {
  // Kernels that cross an edge come back in on the other side: all the mass is in the picture of the whole
  // box.
  Snapshot snapshot;
  snapshot.boundary = {.periodic = true, .length = {2, 2, 2}};
  for (std::uint64_t i = 0; i < 2000; ++i) {
    Random r(4, i);
    snapshot.bodies.add(1, {r.uniform(-2, 4), r.uniform(0, 2), r.uniform(0, 2)}, {}, Type::disc);
  }
  const View view = fit_view(snapshot, {0, 1}, 256);
  const auto spots = project(snapshot, view);
  const Plane plane = splatted(spots[std::size_t(Type::disc)], 256, {.neighbours = 8});
  // Images have their own kernels from the same counts, but for counts at the margin's far end, which is a
  // little beyond the widest kernel: 1 %.
  EXPECT_LE(std::abs(sum(plane) / 2000 - 1), 0.01) << sum(plane);
}

TEST(Project, LetsMasslessBodiesShineLikeTheLightestOfTheirType) {
  Snapshot snapshot;
  snapshot.bodies.add(5, {0, 0, 0}, {});
  snapshot.bodies.add(0, {0.1, 0, 0}, {});
  snapshot.bodies.add(0, {0.1, 0, 0}, {}, Type::star);
  const auto spots = project(snapshot, {.half_width = 1, .size = 64});
  ASSERT_EQ(spots[1].size(), 2u);
  EXPECT_EQ(spots[1][1].weight, 5);
  ASSERT_EQ(spots[4].size(), 1u);
  EXPECT_EQ(spots[4][0].weight, 1);
}
