/// Orbital elements: known orbits, every conic to elements and back, and angles that have no definition.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>

#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

constexpr double pi = std::numbers::pi;

/// By the true anomaly, as elements_of finds them.
StatedOrbit stated(const OrbitalElements& o) {
  StatedOrbit s;
  s.pericentre_distance = o.pericentre_distance, s.eccentricity = o.eccentricity;
  s.inclination = o.inclination, s.node = o.node, s.pericentre = o.pericentre,
  s.true_anomaly = o.true_anomaly;
  return s;
}

std::string refusal(double mu, const StatedOrbit& orbit) {
  try {
    (void)state_on(mu, orbit);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

StatedOrbit ellipse(double a, double e) {
  StatedOrbit orbit;
  orbit.semi_major_axis = a, orbit.eccentricity = e;
  return orbit;
}

}  // namespace

TEST(OrbitalElements, OfAnEllipseAreThoseOfItsAxes) {
  // mu = 4, pericentre at distance 1 on the y axis, e = 0.5: v^2 = mu (1 + e) / q = 6.
  const auto o = elements_of(4, {0, 1, 0}, {-std::sqrt(6.0), 0, 0});
  EXPECT_LE(std::abs(o.semi_major_axis - 2), 1e-15 * 4);
  EXPECT_LE(std::abs(o.eccentricity - 0.5), 1e-15);
  EXPECT_EQ(o.inclination, 0);
  EXPECT_EQ(o.node, 0);
  EXPECT_LE(std::abs(o.pericentre - pi / 2), 1e-15);
  EXPECT_LE(std::abs(o.true_anomaly), 1e-15);
  EXPECT_LE(std::abs(o.mean_anomaly), 1e-15);
  EXPECT_LE(std::abs(o.pericentre_distance - 1), 1e-15);
  EXPECT_LE(std::abs(o.period - 2 * pi * std::sqrt(2.0)), 1e-14);  // 2 pi sqrt(8 / 4)
}

TEST(OrbitalElements, LeadBackToTheState) {
  std::size_t count = 0;
  for (const double e : {0.0, 1e-9, 0.3, 0.95, 1.0, 1.2, 7.0})
    for (const double i : {0.0, 1e-7, 1.1, pi / 2, 3.0, pi})
      for (const double node : {-2.0, 0.0, 0.7})
        for (const double pericentre : {-3.0, 0.0, 1.5})
          for (const double part : {-0.9, -0.2, 0.0, 0.6}) {
            StatedOrbit orbit;
            orbit.pericentre_distance = 0.7, orbit.eccentricity = e, orbit.inclination = i, orbit.node = node;
            orbit.pericentre = pericentre;
            orbit.true_anomaly = part * (e < 1 ? pi : std::acos(-1 / e));
            const auto state = state_on(2.5, orbit);
            const auto found = elements_of(2.5, state.position, state.velocity);
            const auto back = state_on(2.5, stated(found));
            // Angles of up to pi are rounded to 4e-16, some of them after sums of ten terms.
            EXPECT_LE(norm(back.position - state.position), 1e-14 * norm(state.position)) << e << " " << i;
            EXPECT_LE(norm(back.velocity - state.velocity), 1e-14 * norm(state.velocity)) << e << " " << i;
            // By the mean anomaly: near parabolas a small error of it is a long time.
            if (e != 1) {
              auto by_time = stated(found);
              by_time.true_anomaly = StatedOrbit::unset, by_time.mean_anomaly = found.mean_anomaly;
              const auto there = state_on(2.5, by_time);
              EXPECT_LE(norm(there.position - state.position), 3e-13 * norm(state.position))
                  << e << " " << part;
            }
            if (e > 1e-3 && e != 1) {
              EXPECT_LE(std::abs(found.eccentricity - e), 1e-14 * (1 + e));
              EXPECT_LE(std::abs(found.semi_major_axis * (1 - e) / 0.7 - 1), 1e-13) << e;
            }
            ++count;
          }
  EXPECT_EQ(count, 7u * 6 * 3 * 3 * 4);
}

TEST(OrbitalElements, HaveDefinedAnglesWhereTheirMeaningEnds) {
  // A circle in the plane: all angles but the anomaly are 0.
  const auto circle = elements_of(1, {0, 1, 0}, {-1, 0, 0});
  EXPECT_EQ(circle.eccentricity, 0);
  EXPECT_EQ(circle.node, 0);
  EXPECT_EQ(circle.pericentre, 0);
  EXPECT_LE(std::abs(circle.true_anomaly - pi / 2), 1e-15);
  EXPECT_EQ(circle.mean_anomaly, circle.true_anomaly);
  // The other way round in the plane.
  const auto back = elements_of(1, {0, 1, 0}, {1, 0, 0});
  EXPECT_EQ(back.inclination, pi);
  EXPECT_EQ(back.node, 0);
  EXPECT_LE(std::abs(back.true_anomaly + pi / 2), 1e-15);
  // A parabola: sqrt(2) times the circular speed.
  const auto parabola = elements_of(2, {1, 0, 0}, {0, 2, 0});
  EXPECT_EQ(parabola.eccentricity, 1);
  EXPECT_EQ(parabola.semi_major_axis, INFINITY);
  EXPECT_EQ(parabola.period, INFINITY);
  EXPECT_EQ(parabola.pericentre_distance, 1);
  // At rest: half of a period before the centre, on a line along x.
  const auto line = elements_of(1, {2, 0, 0}, {});
  EXPECT_EQ(line.eccentricity, 1);
  EXPECT_EQ(line.pericentre_distance, 0);
  EXPECT_EQ(line.semi_major_axis, 1);
  EXPECT_EQ(line.inclination, 0);
  EXPECT_LE(std::abs(std::abs(line.mean_anomaly) - pi), 1e-15);
}

TEST(OrbitalElements, OfAHyperbolaHaveANegativeAxis) {
  const auto o = elements_of(1, {1, 0, 0}, {0, 2, 0});  // b = -2, e = q v^2 / mu - 1 = 3
  EXPECT_LE(std::abs(o.semi_major_axis + 0.5), 1e-15);
  EXPECT_LE(std::abs(o.eccentricity - 3), 1e-15 * 3);
  EXPECT_EQ(o.period, INFINITY);
}

TEST(OrbitalElements, RefuseStatesWithoutAnOrbit) {
  EXPECT_THROW((void)elements_of(0, {1, 0, 0}, {}), UsageError);
  EXPECT_THROW((void)elements_of(NAN, {1, 0, 0}, {}), UsageError);
  EXPECT_THROW((void)elements_of(1, {}, {1, 0, 0}), UsageError);
  EXPECT_THROW((void)elements_of(1, {1, 0, NAN}, {}), UsageError);
}

TEST(StatedOrbit, RefusesWhatNoOrbitHas) {
  EXPECT_EQ(refusal(1, ellipse(1, 0.5)), "");
  EXPECT_NE(refusal(0, ellipse(1, 0.5)).find("mu = 0"), std::string::npos);
  EXPECT_NE(refusal(1, ellipse(-1, 0.5)).find("must be > 0 with eccentricity 0.5"), std::string::npos);
  EXPECT_NE(refusal(1, ellipse(1, 2)).find("must be < 0 with eccentricity 2"), std::string::npos);
  EXPECT_NE(refusal(1, ellipse(1, -0.1)).find("eccentricity = -0.1"), std::string::npos);
  EXPECT_NE(refusal(1, ellipse(1, 1)).find("a parabola"), std::string::npos);
  EXPECT_NE(refusal(1, StatedOrbit{}).find("semi-major axis or the pericentre distance"), std::string::npos);
  auto both = ellipse(1, 0.5);
  both.pericentre_distance = 1;
  EXPECT_NE(refusal(1, both).find("not both"), std::string::npos);
  auto anomalies = ellipse(1, 0.5);
  anomalies.true_anomaly = anomalies.mean_anomaly = 0;
  EXPECT_NE(refusal(1, anomalies).find("true or the mean"), std::string::npos);
  auto beyond = ellipse(-1, 2);
  beyond.true_anomaly = 2.2;  // the asymptote is at acos(-1/2) = 2.094
  EXPECT_NE(refusal(1, beyond).find("asymptote, at 2.0943951"), std::string::npos) << refusal(1, beyond);
}
