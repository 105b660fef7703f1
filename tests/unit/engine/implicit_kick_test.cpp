/// Implicit kicks: Gauss's methods have their orders, go back the way they came, and say where they fail.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/implicit_kick.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pleiad {
namespace {

/// dv/dt = 1 - v^2 along x: v = tanh(t + c).
Vec3<double> kicked(int stages, double time, int parts, Vec3<double> v) {
  const ranks::Collective alone;
  const std::vector<Vec3<double>> g{{1, 0, 0}};
  ImplicitKick kick;
  for (int k = 0; k < parts; ++k) {
    const std::vector<Vec3<double>> now{v};
    v += kick.changes(alone, stages, time / parts, now, g,
                      [](std::span<const Vec3<double>> u, std::span<Vec4<double>> f) {
                        f[0] = {-u[0].x * u[0].x, 0, 0, 0};
                      })[0];
  }
  return v;
}

}  // namespace

TEST(ImplicitKicks, AreOfTwiceTheOrderOfTheirStages) {
  EXPECT_EQ(ImplicitKick::stages_for(1), 1);
  EXPECT_EQ(ImplicitKick::stages_for(2), 1);
  EXPECT_EQ(ImplicitKick::stages_for(4), 2);
  EXPECT_EQ(ImplicitKick::stages_for(6), 3);
  EXPECT_EQ(ImplicitKick::stages_for(8), 4);
  const double exact = std::tanh(1 + std::atanh(0.2));
  for (int stages = 1; stages <= 4; ++stages) {
    const int parts = stages == 4 ? 2 : 4;  // more would reach rounding
    const double coarse = std::abs(kicked(stages, 1, parts, {0.2, 0, 0}).x - exact),
                 fine = std::abs(kicked(stages, 1, 2 * parts, {0.2, 0, 0}).x - exact);
    EXPECT_NEAR(std::log2(coarse / fine), 2 * stages, 0.2) << stages << " " << coarse << " " << fine;
  }
}

TEST(ImplicitKicks, GoBackTheWayTheyCame) {
  for (int stages = 1; stages <= 4; ++stages) {
    const auto there = kicked(stages, 0.4, 1, {0.2, 0, 0});
    EXPECT_LE(std::abs(kicked(stages, -0.4, 1, there).x - 0.2), 4e-16) << stages;
  }
}

/// Of a linear drag k the midpoint rule has the factor (1 - k h / 2) / (1 + k h / 2).
TEST(ImplicitKicks, AreTheMidpointRuleForOneStage) {
  const ranks::Collective alone;
  const std::vector<Vec3<double>> v{{1, -2, 0.5}, {0, 0, 0}}, g(2);
  ImplicitKick kick;
  const auto drag = [](double k) {
    return [k](std::span<const Vec3<double>> u, std::span<Vec4<double>> f) {
      for (std::size_t i = 0; i < u.size(); ++i) f[i] = {-k * u[i].x, -k * u[i].y, -k * u[i].z, 0};
    };
  };
  const auto changes = kick.changes(alone, 1, 0.5, v, g, drag(1.2));
  for (std::size_t i = 0; i < v.size(); ++i)
    EXPECT_LE(norm(v[i] + changes[i] - 0.7 / 1.3 * v[i]), 1e-15 * norm(v[i]));
  // Beyond k h / 2 = 1 the iteration diverges.
  try {
    (void)kick.changes(alone, 1, 0.5, v, g, drag(5));
    ADD_FAILURE();
  } catch (const NumericalError& e) {
    EXPECT_EQ(std::string(e.what()),
              "a kick of 0.5 by forces that depend on velocities does not settle: they change velocities "
              "faster than that; use a smaller time.dt");
  }
}

}  // namespace pleiad
