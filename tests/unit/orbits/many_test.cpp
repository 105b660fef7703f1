/// Vectors of orbits and pulls against those of one body.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "orbits/many.hpp"

#include "orbits/kepler.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;
using namespace pleiad::orbits;

namespace {

struct Bodies {
  std::vector<double> mu;
  Columns x, v, dx, dv;
  std::size_t n;

  explicit Bodies(const std::vector<Phase>& phases) : n(phases.size()) {
    mu.assign(padded(n), 0);
    for (auto* columns : {&x, &v, &dx, &dv})
      for (auto& column : *columns) column.assign(padded(n), 0);
    x[0].assign(padded(n), 1);
    for (std::size_t i = 0; i < n; ++i) {
      const auto& p = phases[i];
      mu[i] = 1 + 0.1 * double(i);
      x[0][i] = p.x.x, x[1][i] = p.x.y, x[2][i] = p.x.z, v[0][i] = p.v.x, v[1][i] = p.v.y, v[2][i] = p.v.z;
    }
  }
};

}  // namespace

TEST(KeplerChanges, AreThoseOfOneBodyEach) {
  std::vector<Phase> phases;
  // Near circles, ellipses at pericentre, hyperbolas, one at rest: some settle in a vector, others do not.
  for (const double speed : {1.0, 0.99, 1.2, 1.39, 1.42, 3.0, 0.3, 0.0, 1.05, 1.1, 1.15})
    phases.push_back({{0.8, 0.1, 0.6}, {-0.1 * speed, speed, 0.05}});
  for (const double dt : {0.001, 0.1, 0.3, -0.2, 2.0, 50.0}) {
    Bodies b(phases);
    kepler_changes(b.n, b.mu, b.x, b.v, dt, b.dx, b.dv);
    for (std::size_t i = 0; i < b.n; ++i) {
      const auto one = kepler_change(b.mu[i], phases[i], dt);
      const double scale = norm(one.x), scale_v = norm(one.v);
      // Two ways to the root of an equation with five terms; the change of a close passage is large.
      EXPECT_LE(norm(Vec3<double>{b.dx[0][i], b.dx[1][i], b.dx[2][i]} - one.x), 2e-14 * scale)
          << dt << " " << i;
      EXPECT_LE(norm(Vec3<double>{b.dv[0][i], b.dv[1][i], b.dv[2][i]} - one.v), 2e-14 * scale_v)
          << dt << " " << i;
    }
  }
}

TEST(KeplerChanges, OfABodyDoNotDependOnTheOthers) {
  const Phase planet{{1, 0, 0}, {0, 1, 0}}, comet{{0.01, 0, 0}, {0, 14, 0}};
  Bodies alone({planet}), two({planet, comet});
  kepler_changes(1, alone.mu, alone.x, alone.v, 0.3, alone.dx, alone.dv);
  kepler_changes(2, two.mu, two.x, two.v, 0.3, two.dx, two.dv);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(alone.dx[c][0], two.dx[c][0]);
}

TEST(Pulls, AreSumsOverTheSources) {
  Bodies b({{{1, 0, 0}, {}}, {{0, 2, 0}, {}}, {{0, 0, -3}, {}}});
  const std::vector<Source> sources{{1, 0, 0, 4}, {0, 2, 0, 5}};
  Columns a = b.dx;
  pulls(b.x, sources, a);
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3<double> sum{};
    for (const auto& s : sources) {
      const Vec3<double> d{s.x - b.x[0][i], s.y - b.x[1][i], s.z - b.x[2][i]};
      if (norm(d) > 0) sum += d * (s.Gm / std::pow(norm(d), 3));
    }
    EXPECT_LE(norm(Vec3<double>{a[0][i], a[1][i], a[2][i]} - sum), 1e-15 * norm(sum)) << i;
  }
}
