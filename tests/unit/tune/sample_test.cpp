/// The told 99th percentile of forces by trees against that of all bodies, on bodies of several classes in
/// orders that hide one from whoever looks at every tenth, say.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/accuracy.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

constexpr std::size_t n = 12'000;

/// One body of each in turns, of as many as both have.
Bodies in_turns(const Bodies& a, const Bodies& b) {
  Bodies both;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    both.add(a.mass[k], a.position(k), {}, Type::halo);
    both.add(b.mass[k], b.position(k), {}, Type::disc);
  }
  return both;
}

Bodies sphere(std::size_t count, double radius, double mass, bool shell, std::uint64_t seed) {
  Bodies b;
  Random random(seed, 0);
  for (std::size_t k = 0; k < count; ++k)
    b.add(mass / double(count), radius * (shell ? 1 : std::cbrt(random.uniform())) * random.direction(), {});
  return b;
}

Bodies disc(std::size_t count, double mass, std::uint64_t seed) {
  Bodies b;
  Random random(seed, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const double r = -0.2 * std::log(random.uniform()), phi = 6.283185307179586 * random.uniform();
    b.add(mass / double(count), {r * std::cos(phi), r * std::sin(phi), 0.01 * random.normal()}, {});
  }
  return b;
}

Bodies model(const std::string& name, std::size_t count) {
  const std::vector<std::string> settings{"n=" + std::to_string(count)};
  return make_model(name, settings, 1).bodies;
}

struct Set {
  std::string name;
  Bodies bodies;
};
std::vector<Set> sets() {
  auto ten = sphere(n, 1, 1, false, 3);  // every tenth in a small heavy cluster
  const auto cluster = sphere(n / 10, 0.01, 5, false, 4);
  for (std::size_t k = 0; k < n; k += 10) {
    const auto at = cluster.position(k / 10);
    ten.x[k] = at.x, ten.y[k] = at.y, ten.z[k] = at.z, ten.mass[k] = cluster.mass[k / 10];
  }
  return {{"shell and inside", in_turns(sphere(n / 2, 1, 1, true, 1), sphere(n / 2, 0.3, 1e-5, false, 2))},
          {"halo and disc", in_turns(model("hernquist", n / 2), disc(n / 2, 0.1, 5))},
          {"every tenth in a cluster", ten},
          {"plummer", model("plummer", n)},
          {"thin disc", disc(n, 1, 6)}};
}

}  // namespace

TEST(ToldPercentile, IsThatOfAllBodies) {
  const Gravity gravity{.softening = {0.002}};
  for (const auto& set : sets())
    for (const std::string kernel :
         {"cpu/fmm order=4 theta=0.7 leaf=48", "cpu/barnes-hut order=2 theta=0.7"}) {
      const auto engine =
          make_engine(set.bodies, gravity, {.backend = "cpu", .method = force_method_of(kernel)});
      std::vector<std::size_t> all(set.bodies.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      Sample everybody{.bodies = all, .weights = std::vector<double>(all.size(), 1.0)};
      const auto sample = sample_of(set.bodies, 1000);
      everybody.acceleration = sample.acceleration;
      const auto right = errors_of(engine->sampled_accelerations(all), everybody, 1);
      const auto told = errors_of(engine->sampled_accelerations(sample.bodies), sample, 1);
      // 95 % of intervals hold what they are for; with a tenth beside it all ten do.
      EXPECT_LE(0.9 * told.p99_low, right.p99) << set.name << ", " << kernel;
      EXPECT_GE(1.1 * told.p99_high, right.p99) << set.name << ", " << kernel;
      EXPECT_LE(std::abs(told.p99 / right.p99 - 1), 0.4) << set.name << ", " << kernel;
      // Where two classes have half of the bodies each, the median lies between those of one and the other.
      EXPECT_LE(std::abs(told.median / right.median - 1), 0.5) << set.name << ", " << kernel;
    }
}

}  // namespace pleiad
