/// Sums of pulls on a GPU for a scheme on the host: against those of the CPU by a derived bound, the same
/// bits for any grid, number of GPUs and choice of bodies, and what has changed since the last call.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "cpu/body_paths.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/gpu.hpp"
#include "cuda/steps/paths_on_gpus.hpp"

#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace pleiad {
namespace {

using PathSums = Gpu;
using Settings = cuda::PathsOnGpus::Settings;
constexpr double dt = 1.0 / 16, now = 0.625;

struct Sums {
  std::vector<Vec3<double>> a, j;
  bool operator==(const Sums&) const = default;
};
/// What find(accelerations, jerks) finds for n bodies.
template <class Find>
Sums sums_of(std::size_t n, const Find& find) {
  std::vector<Vec4<double>> a(n), j(n);
  find(a, j);
  Sums s;
  for (const auto& v : a) s.a.push_back(v.xyz());
  for (const auto& v : j) s.j.push_back(v.xyz());
  return s;
}
std::vector<std::uint32_t> all_of(const BodyPaths& p) {
  std::vector<std::uint32_t> all(p.bodies);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}
Sums on_cpu(BodyPaths& p, double at, std::span<const std::uint32_t> chosen, double eps = 0) {
  cpu::predict(p, at, chosen);
  return sums_of(chosen.size(), [&](auto& a, auto& j) { cpu::pulls_on(p, chosen, eps * eps, a, j); });
}
Sums by(cuda::PathsOnGpus& gpus, const BodyPaths& p, double at, std::span<const std::uint32_t> chosen) {
  gpus.note(p);
  gpus.begin(p, at, chosen);
  return sums_of(chosen.size(), [&](auto& a, auto& j) { gpus.finish(a, j); });
}
Sums on_gpu(const BodyPaths& p, std::span<const std::uint32_t> chosen, const Settings& settings = {}) {
  cuda::PathsOnGpus gpus(p.bodies, settings);
  return by(gpus, p, now, chosen);
}

/// A Plummer sphere whose bodies are at several times; those from `massive` on have no mass.
BodyPaths sphere(std::size_t n, std::size_t massive) {
  const auto b = make_model("plummer", std::vector<std::string>{"n=" + std::to_string(n)}, 4).bodies;
  BodyPaths p;
  p.resize(n);
  p.pulling = massive, p.unit = dt;
  for (std::size_t k = 0; k < n; ++k) {
    BodyPaths::set(p.x, k, b.position(k)), BodyPaths::set(p.v, k, b.velocity(k));
    p.mass[k] = k < massive ? b.mass[k] : 0;
  }
  const auto start = on_cpu(p, 0, all_of(p));
  for (std::size_t k = 0; k < n; ++k) {
    p.from[k] = k % 3 == 0 ? 0.5 : k % 3 == 1 ? 0.25 : 0;
    BodyPaths::set(p.a, k, start.a[k]), BodyPaths::set(p.j, k, start.j[k]);
  }
  return p;
}
/// The sums of the sizes of all pulls on each body, and of their derivatives with the last acceleration over
/// the time since, by which units of jerks are chosen.
Sums sizes(BodyPaths& p, std::span<const std::uint32_t> chosen, double eps = 0) {
  Sums s{std::vector<Vec3<double>>(chosen.size()), std::vector<Vec3<double>>(chosen.size())};
  cpu::predict(p, now, chosen);
  for (std::size_t t = 0; t < chosen.size(); ++t) {
    s.j[t].x = 2 * norm(BodyPaths::at(p.a, chosen[t])) / ((now - p.from[chosen[t]]) * dt);
    for (std::size_t k = 0; k < p.pulling; ++k) {
      if (k == chosen[t]) continue;
      const auto d = BodyPaths::at(p.x_now, k) - BodyPaths::at(p.x_now, chosen[t]),
                 u = BodyPaths::at(p.v_now, k) - BodyPaths::at(p.v_now, chosen[t]);
      const double r2 = dot(d, d) + eps * eps, pull = p.mass[k] / r2, rate = 4 * norm(u) / std::sqrt(r2);
      // Places are rounded, too: a pair that is closer feels it more.
      const double share = 1 + 4 * norm(BodyPaths::at(p.x_now, k)) / std::sqrt(r2);
      s.a[t].x += pull * share, s.j[t].x += pull * rate * share;
    }
  }
  return s;
}
double largest_share(const Sums& a, const Sums& b, const Sums& of) {
  double largest = 0;
  for (std::size_t t = 0; t < a.a.size(); ++t)
    take_larger(largest, norm(a.a[t] - b.a[t]) / of.a[t].x),
        take_larger(largest, norm(a.j[t] - b.j[t]) / of.j[t].x);
  return largest;
}

}  // namespace

/// A pull has some roundings of 2^-53, a sum of n of them n on both sides; the units of g groups are 2^12 g
/// 2^-60 of what was last, which is no more than twice the sizes here, and g of them are rounded.
TEST_F(PathSums, AreThoseOfTheCpu) {
  for (const double eps : {0.0, 0.05})
    for (const std::size_t n : {1U, 2U, 17U, 200U}) {
      auto p = sphere(n, n);
      const auto all = all_of(p);
      const double groups = double(n + 15) / 16,
                   bound = (double(n) + 20) * 0x1p-52 + groups * groups * 0x1p-46;
      for (const std::size_t some : {std::size_t{1}, n / 3 + 1, n}) {
        const std::span chosen(all.data(), some);
        const auto found = on_gpu(p, chosen, {.eps = eps}), expected = on_cpu(p, now, chosen, eps);
        if (n == 1) EXPECT_TRUE(found == expected);
        else EXPECT_LE(largest_share(found, expected, sizes(p, chosen, eps)), bound) << n << " " << some;
      }
    }
}

/// In floats a pull that is no sixteenth of the whole one has some roundings of 2^-24, and what was last may
/// have been half as large as what is.
TEST_F(PathSums, InFloatsAreThoseOfTheCpu) {
  auto p = sphere(200, 180);
  for (std::size_t k = 0; k < p.bodies; ++k) p.v[0][k] += 100;  // their mean does not count
  p.all_changed = true;
  const auto all = all_of(p);
  const auto found = on_gpu(p, all, {.in_floats = true}), expected = on_cpu(p, now, all);
  EXPECT_LE(largest_share(found, expected, sizes(p, all)), 0x1p-20);
  EXPECT_FALSE(found == on_gpu(p, all));
  // Without a last acceleration all pairs are in doubles.
  BodyPaths::set(p.a, 5, {}), BodyPaths::set(p.j, 5, {});
  EXPECT_TRUE(on_gpu(p, all, {.in_floats = true}) == on_gpu(p, all));
}

TEST_F(PathSums, HaveTheSameBitsOnAnyGridAndAnyGpus) {
  for (const bool in_floats : {false, true}) {
    auto p = sphere(150, 130);
    const auto all = all_of(p);
    const auto expected = on_gpu(p, all, {.in_floats = in_floats});
    for (const unsigned grid : {1U, 2U, 3U, 9U})
      EXPECT_TRUE(on_gpu(p, all, {.in_floats = in_floats, .grid = grid}) == expected) << grid;
    for (int gpus = 2; gpus <= std::min(cuda::device_count(), 3); ++gpus)
      EXPECT_TRUE(on_gpu(p, all, {.in_floats = in_floats, .gpus = gpus}) == expected) << gpus;
    // And each body whatever else is chosen.
    const std::vector<std::uint32_t> some{3, 40, 41, 127, 149};
    const auto of_some = on_gpu(p, some, {.in_floats = in_floats});
    for (std::size_t t = 0; t < some.size(); ++t)
      EXPECT_TRUE(of_some.a[t] == expected.a[some[t]] && of_some.j[t] == expected.j[some[t]]) << some[t];
  }
}

/// Sums that do not fit into the units of what was last are made again, by all GPUs in the same ones.
TEST_F(PathSums, AreMadeAgainWhereTheyDoNotFit) {
  auto p = sphere(100, 100);
  const auto all = all_of(p);
  const auto known = on_gpu(p, all);
  for (const double factor : {0.0, 1e-9}) {
    for (std::size_t k = 0; k < p.bodies; k += 2) {
      BodyPaths::set(p.a, k, factor * BodyPaths::at(p.a, k));
      BodyPaths::set(p.j, k, factor * BodyPaths::at(p.j, k));
    }
    p.all_changed = true;
    cuda::PathsOnGpus gpus(p.bodies, {});
    const auto again = by(gpus, p, now, all);
    EXPECT_EQ(gpus.work().redone, 1U);
    const auto expected = on_cpu(p, now, all);
    // As in the first test, with 7 groups.
    EXPECT_LE(largest_share(again, expected, sizes(p, all)), 120 * 0x1p-52 + 49 * 0x1p-46) << factor;
    for (int n = 2; n <= std::min(cuda::device_count(), 3); ++n)
      EXPECT_TRUE(on_gpu(p, all, {.gpus = n}) == again) << n;
  }
  EXPECT_FALSE(on_gpu(p, all) == known);
}

/// A few bodies, again and again, some of them chosen; then more than are sent one by one.
TEST_F(PathSums, KnowWhatHasChanged) {
  for (const bool in_floats : {false, true}) {
    auto p = sphere(1500, 1400);
    cuda::PathsOnGpus gpus(p.bodies, {.in_floats = in_floats});
    const std::vector<std::uint32_t> chosen{0, 7, 70, 700, 1450};
    (void)by(gpus, p, now, chosen);
    const auto change = [&](std::uint32_t k) {
      p.x[0][k] += 0.01, p.v[1][k] -= 0.02, p.a[2][k] *= 1.5, p.j[0][k] *= 0.5, p.from[k] = now / 2;
      if (k % 5 == 0 && k < p.pulling) p.mass[k] *= 2;
      p.changed.push_back(k);
    };
    for (int round = 0; round < 3; ++round) {
      p.all_changed = false, p.changed.clear();
      for (std::uint32_t k = 0; k < (round < 2 ? 40U : 1500U); ++k) change(round == 1 ? 7 * k : k);
      change(7), change(700);
      // A call that a scheme makes elsewhere is between.
      gpus.note(p);
      p.changed.clear(), change(1450);
      const auto found = by(gpus, p, now, chosen);
      if (in_floats) {  // units and the mean velocity are those of the first call
        EXPECT_LE(largest_share(found, on_cpu(p, now, chosen), sizes(p, chosen)), 0x1p-20) << round;
      } else {
        EXPECT_TRUE(found == on_gpu(p, chosen)) << round;
      }
    }
  }
}

/// Both sum up to 100 terms of some roundings each, whose sizes are at most ten times their sum here.
TEST_F(PathSums, HaveTheHigherDerivativesOfTheCpu) {
  auto p = sphere(100, 90);
  std::ranges::fill(p.from, 0.0);
  cuda::PathsOnGpus gpus(p.bodies, {});
  const auto found = sums_of(100, [&](auto&s, auto&c) { gpus.higher_derivatives(p, s, c); }),
             expected = sums_of(100, [&](auto&s, auto&c) { cpu::snaps_and_crackles(p, 0, s, c); });
  for (std::size_t k = 0; k < 100; ++k) {
    EXPECT_LE(norm(found.a[k] - expected.a[k]), 1e-10 * norm(expected.a[k])) << k;
    EXPECT_LE(norm(found.j[k] - expected.j[k]), 1e-10 * norm(expected.j[k])) << k;
  }
}

}  // namespace pleiad
