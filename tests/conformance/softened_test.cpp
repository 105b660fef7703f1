/// Pulls with a spline, and with softenings of single bodies: the spline against its density, the loops
/// against the oracle and against differences.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cpu/softened.hpp"

#include "core/softened_pull.hpp"
#include "core/threads.hpp"
#include "cpu/target.hpp"
#include "reference/reference.hpp"

#include <pleiad/error.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace pleiad;

namespace {

/// Bodies in a unit ball, some at one place, some without mass, with softenings from 0 to `most`.
struct SoftenedScene {
  std::vector<cpu::SoftenedBody> x;
  std::vector<Vec4<double>> v;

  SoftenedScene(std::size_t n, std::uint64_t seed, double most) {
    for (std::size_t i = 0; i < n; ++i) {
      Random r(seed, i);
      Mass<double> body{r.normal(), r.normal(), r.normal(), i % 5 == 4 ? 0 : r.uniform()};
      if (i % 11 == 10) body = {x[i - 1].x.x, x[i - 1].x.y, x[i - 1].x.z, body.m};
      const double eps = i % 3 == 2 ? 0 : most * r.uniform();
      x.push_back({.x = body, .eps = eps, .number = double(i)});
      v.push_back({r.normal(), r.normal(), r.normal(), 0});
    }
  }
  std::vector<Mass<double>> places() const {
    std::vector<Mass<double>> all;
    for (const auto& body : x) all.push_back(body.x);
    return all;
  }
  std::vector<double> eps() const {
    std::vector<double> all;
    for (const auto& body : x) all.push_back(body.eps);
    return all;
  }
  std::vector<Vec4<double>> pulls(const Softening& softening, const Boundary& boundary = {}) const {
    std::vector<Vec4<double>> sums(x.size());
    cpu::add_softened_pulls({.x = x}, {.x = x}, sums, softening, boundary);
    return sums;
  }
};

constexpr std::array kernels{SofteningKernel::plummer, SofteningKernel::spline};
constexpr std::array rules{SofteningRule::max, SofteningRule::quadratic};

bool bits_agree(const std::vector<Vec4<double>>& a, const std::vector<Vec4<double>>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

Vec4<double> softened_at(double r, double eps, SofteningKernel kernel) {
  return softened_pull(Vec3<double>{r, 0, 0}, 1.0, eps * eps, kernel);
}

}  // namespace

// At r = 0 both kernels have the potential -m / eps, and no pull.
TEST(Spline, HasThePotentialOfPlummerAtTheCentre) {
  for (const double eps : {1e-3, 0.7, 40.0})
    for (const auto kernel : kernels) {
      const auto centre = softened_pull(Vec3<double>{}, 2.0, eps * eps, kernel);
      EXPECT_LE(std::abs(centre.w * eps / 2 + 1), 4e-16) << name_of(kernel);
      EXPECT_EQ(centre.x, 0);
    }
}

// Neighbouring doubles on both sides: the pieces agree to the rounding of their sums, some 50 units of 1e-16.
TEST(Spline, IsContinuousAtHalfItsRadiusAndAtItsRadius) {
  constexpr double eps = 0.3, h = spline_radius * eps;
  for (const double r : {h / 2, h}) {
    const auto inside = softened_at(r * (1 - 1e-15), eps, SofteningKernel::spline),
               outside = softened_at(r * (1 + 1e-15), eps, SofteningKernel::spline);
    EXPECT_LE(std::abs(inside.x / outside.x - 1), 5e-14) << r;
    EXPECT_LE(std::abs(inside.w / outside.w - 1), 5e-14) << r;
  }
  for (const double r : {h, 1.5 * h, 100 * h}) {
    EXPECT_LE(std::abs(softened_at(r, eps, SofteningKernel::spline).x * r * r - 1), 1e-15) << r;
    EXPECT_LE(std::abs(softened_at(r, eps, SofteningKernel::spline).w * r + 1), 1e-15) << r;
  }
}

// The pull is minus the slope of the potential. A difference of fourth order with step d errs by d^4 / 30 of
// the fifth derivative, at most 768 / h^6 (that of 32/5 u^5), and by 2 rounding errors of the potential over
// d: for d = 1e-3 h 3e-11 and 1e-12 of 1 / h^2. At the ends of the pieces, where the fourth derivative jumps
// by 768 / h^5, it errs by d^3 times that: 8e-7.
TEST(Spline, PullsByTheSlopeOfItsPotential) {
  constexpr double eps = 0.5, h = spline_radius * eps, d = 1e-3 * h;
  const auto w = [&](double r) { return softened_at(std::abs(r), eps, SofteningKernel::spline).w; };
  for (double r = 0.0105 * h; r < 2 * h; r += 0.037 * h) {
    const double slope = (8 * (w(r + d) - w(r - d)) - (w(r + 2 * d) - w(r - 2 * d))) / (12 * d);
    const bool across = std::abs(r - h / 2) <= 2 * d || std::abs(r - h) <= 2 * d;
    EXPECT_LE(std::abs(softened_at(r, eps, SofteningKernel::spline).x - slope) * h * h, across ? 1e-6 : 4e-11)
        << r / h;
  }
}

// One pair, in doubles and in the oracle, which knows the spline by the mass of its density.
TEST(Spline, AgreesWithTheMassOfItsDensity) {
  constexpr double eps = 0.25, h = spline_radius * eps;
  for (double u = 0; u < 1.3; u += 0.0101) {
    const std::vector<Mass<double>> pair{{0, 0, 0, 1}, {u * h, 0, 0, 1}};
    const std::vector<double> both{eps, eps};
    const auto exact =
        reference::softened_pulls(pair, both, {.eps = eps, .kernel = SofteningKernel::spline}, {})[0];
    const auto found = softened_at(u * h, eps, SofteningKernel::spline);
    EXPECT_LE(std::abs(found.x - double(exact.x)) * h * h, 2e-14) << u;
    EXPECT_LE(std::abs(found.w - double(exact.w)) * h, 2e-14) << u;
  }
}

// A pull errs by some 50 units of 1e-16 of itself, most where the pieces of the spline cancel, and a sum of n
// by n / 2 units of the sum of magnitudes at most.
TEST(SoftenedPulls, AreThoseOfTheOracle) {
  for (const std::string_view target : cpu::simd_targets()) {
    cpu::use_simd_target(target);
    for (const std::size_t n : {0, 1, 2, 3, 7, 8, 9, 17, 64, 131})
      for (const auto kernel : kernels)
        for (const auto rule : rules)
          for (const bool periodic : {false, true})
            for (const double most : {0.0, 1e-4, 0.3, 3.0}) {
              const Softening softening{.kernel = kernel, .rule = rule, .of = SofteningOf::bodies};
              const Boundary boundary{.periodic = periodic, .length = {3, 4, 5}};
              const SoftenedScene scene(n, 100 + n, most);
              const auto found = scene.pulls(softening, boundary);
              const auto places = scene.places();
              const auto exact = reference::softened_pulls(places, scene.eps(), softening, boundary);
              for (std::size_t i = 0; i < n; ++i) {
                double size = 0, potential = 0;
                for (std::size_t j = 0; j < n; ++j) {
                  if (i == j) continue;
                  const auto d = places[j].position() - places[i].position();
                  const auto p =
                      softened_pull(periodic ? minimum_image(d, Box<double>(boundary)) : d, places[j].m,
                                    pair_eps2(rule, scene.x[i].eps, scene.x[j].eps), kernel);
                  size += norm(p.xyz()), potential -= p.w;
                }
                const double allowed = (60 + double(n)) * 0x1p-53;
                const Vec3<double> off{found[i].x - double(exact[i].x), found[i].y - double(exact[i].y),
                                       found[i].z - double(exact[i].z)};
                ASSERT_LE(norm(off), allowed * size) << fmt::format("{} N {} {} {} eps {} body {}", target, n,
                                                                    name_of(kernel), name_of(rule), most, i);
                ASSERT_LE(std::abs(found[i].w - double(exact[i].w)), allowed * potential) << fmt::format(
                    "{} N {} {} {} eps {} body {}", target, n, name_of(kernel), name_of(rule), most, i);
              }
            }
  }
  cpu::use_simd_target("");
}

// Pulls of two bodies are equal and opposite: of all the rounding is left, n / 2 units of the magnitudes.
TEST(SoftenedPulls, KeepTheMomentum) {
  for (const auto kernel : kernels)
    for (const auto rule : rules) {
      const SoftenedScene scene(200, 7, 0.5);
      const auto sums = scene.pulls({.kernel = kernel, .rule = rule, .of = SofteningOf::bodies});
      Vec3<double> net{};
      double size = 0;
      for (std::size_t i = 0; i < sums.size(); ++i)
        net += scene.x[i].x.m * sums[i].xyz(), size += scene.x[i].x.m * norm(sums[i].xyz());
      EXPECT_LE(norm(net), 100 * 0x1p-53 * size) << name_of(kernel) << " " << name_of(rule);
    }
}

TEST(SoftenedPulls, HaveTheSameBitsInPartsAndOfAnyThreads) {
  constexpr std::size_t n = 601;
  const SoftenedScene scene(n, 3, 0.4);
  const Softening softening{.kernel = SofteningKernel::spline, .of = SofteningOf::bodies};
  set_threads(1);
  const auto whole = scene.pulls(softening);
  std::vector<Vec4<double>> parts(n);
  for (const auto& [begin, end] : {std::pair<std::size_t, std::size_t>{0, 100}, {100, 100}, {100, n}})
    cpu::add_softened_pulls({.x = scene.x}, {.x = std::span(scene.x).subspan(begin, end - begin)}, parts,
                            softening, {});
  EXPECT_TRUE(bits_agree(parts, whole));
  for (const int count : {2, 3, 7}) {
    set_threads(count);
    EXPECT_TRUE(bits_agree(scene.pulls(softening), whole)) << count;
  }
  set_threads(0);
}

TEST(SoftenedPulls, RefuseAllImages) {
  const SoftenedScene scene(2, 1, 0.1);
  EXPECT_THROW(scene.pulls({}, {.periodic = true, .length = {1, 1, 1}, .images = Images::all}), UsageError);
}

// A jerk is the change of the pull: fourth-order differences of the pulls at t +- h and t +- 2 h, which err
// by h^4 / 30 of the fifth derivative, 768 (v / h_spline)^5 of a pull where the spline is narrowest, and by
// rounding over h. Bodies that pass an end of a piece meanwhile err more, by h^2: hence the bound for all.
TEST(SoftenedPulls, ChangeByTheirJerks) {
  for (const std::string_view target : cpu::simd_targets()) {
    cpu::use_simd_target(target);
    for (const auto kernel : kernels)
      for (const auto rule : rules)
        for (const std::size_t n : {2, 9, 40}) {
          SoftenedScene scene(n, 20 + n, 0.0);
          for (std::size_t i = 0; i < n; ++i) scene.x[i].eps = 0.3 + 0.5 * double(i % 4);
          const Softening softening{.kernel = kernel, .rule = rule, .of = SofteningOf::bodies};
          std::vector<Vec4<double>> a(n), j(n);
          cpu::add_softened_pulls_and_jerks({.x = scene.x, .v = scene.v}, {.x = scene.x, .v = scene.v}, a, j,
                                            softening, {});
          EXPECT_TRUE(bits_agree(a, scene.pulls(softening)));
          const double h = 1e-3;
          const auto at = [&](double t) {
            auto moved = scene;
            for (std::size_t i = 0; i < n; ++i) {
              auto& x = moved.x[i].x;
              const auto& v = scene.v[i];
              x.x += t * v.x, x.y += t * v.y, x.z += t * v.z;
            }
            return moved.pulls(softening);
          };
          const auto p1 = at(h), m1 = at(-h), p2 = at(2 * h), m2 = at(-2 * h);
          for (std::size_t i = 0; i < n; ++i) {
            const auto slope =
                (1 / (12 * h)) * (8.0 * (p1[i].xyz() - m1[i].xyz()) - (p2[i].xyz() - m2[i].xyz()));
            EXPECT_LE(norm(slope - j[i].xyz()), 1e-5 * double(n))
                << target << " " << name_of(kernel) << " " << name_of(rule) << " N " << n << " body " << i;
          }
        }
  }
  cpu::use_simd_target("");
}
