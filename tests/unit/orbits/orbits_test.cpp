/// Orbits of bodies about a body, a pair, the barycentre and those before them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>

#include <cmath>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

StatedOrbit ellipse(double a, double e) {
  StatedOrbit orbit;
  orbit.semi_major_axis = a, orbit.eccentricity = e, orbit.true_anomaly = 1;
  return orbit;
}

/// A star with id 0 away from the origin, and planets with a = 1, 2, 4 about `centre`.
Snapshot planets(const OrbitCentre& centre) {
  Snapshot s;
  s.G = 4;
  s.bodies.add(1, {5, -3, 1}, {0.1, 0.2, 0.3});
  for (const double a : {1.0, 2.0, 4.0}) add_on_orbit(s, 0.01, ellipse(a, 0.1 * a), centre);
  return s;
}

std::string refusal(auto call) {
  try {
    call();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(Orbits, AreThoseThatBodiesWerePutOn) {
  for (const char* about : {"heaviest", "0", "jacobi"}) {
    const auto centre = orbit_centre_named(about);
    const auto s = planets(centre);
    const auto orbits = orbits_of(s, centre);
    ASSERT_EQ(orbits.size(), 3u) << about;
    for (std::size_t k = 0; k < 3; ++k) {
      const double a = std::pow(2.0, double(k)),
                   mass = 1 + 0.01 * (std::string(about) == "jacobi" ? double(k + 1) : 1);
      EXPECT_EQ(orbits[k].id, k + 1) << about;
      EXPECT_LE(std::abs(orbits[k].mu - 4 * mass), 1e-15 * 8) << about;
      // Positions near 5 are rounded to 1e-15.
      EXPECT_LE(std::abs(orbits[k].elements.semi_major_axis / a - 1), 3e-14) << about << " " << k;
      EXPECT_LE(std::abs(orbits[k].elements.eccentricity - 0.1 * a), 3e-14) << about << " " << k;
      EXPECT_LE(std::abs(orbits[k].elements.true_anomaly - 1), 3e-13) << about << " " << k;
    }
  }
}

TEST(Orbits, AboutAPairSeeItsCentreOfMass) {
  Snapshot s;
  s.bodies.add(2, {-1, 0, 0}, {0, -0.5, 0});
  s.bodies.add(1, {2, 0, 0}, {0, 1, 0});
  add_on_orbit(s, 1e-9, ellipse(100, 0.3), orbit_centre_named("1,0"));
  const auto orbits = orbits_of(s, orbit_centre_named("0,1"));
  ASSERT_EQ(orbits.size(), 1u);
  EXPECT_EQ(orbits[0].id, 2u);
  EXPECT_LE(std::abs(orbits[0].elements.semi_major_axis - 100), 1e-12);
  EXPECT_LE(std::abs(orbits[0].elements.eccentricity - 0.3), 1e-14);
}

TEST(Orbits, AboutTheBarycentreHaveTheMassOfAll) {
  const auto s = planets({});
  const auto orbits = orbits_of(s, orbit_centre_named("barycentre"));
  ASSERT_EQ(orbits.size(), 4u);
  for (const auto& orbit : orbits) EXPECT_LE(std::abs(orbit.mu - 4 * 1.03), 1e-14);
  // One of two bodies is at the fraction of the other's mass from the barycentre, with its speed.
  Snapshot pair;
  pair.bodies.add(3, {0, 0, 0}, {0, 0, 0});
  pair.bodies.add(1, {1, 0, 0}, {0, 2, 0});
  const auto about = orbits_of(pair, orbit_centre_named("barycentre"));
  const auto expected = elements_of(4, {0.75, 0, 0}, {0, 1.5, 0});
  EXPECT_EQ(about[1].elements, expected);
}

TEST(Orbits, OfBodiesWithoutOneAreNoNumbers) {
  Snapshot s;
  s.bodies.add(0, {0, 0, 0}, {});
  s.bodies.add(0, {1, 0, 0}, {0, 1, 0});
  s.bodies.add(1, {2, 0, 0}, {});
  const auto orbits = orbits_of(s, orbit_centre_named("0"));
  ASSERT_EQ(orbits.size(), 2u);
  EXPECT_TRUE(std::isnan(orbits[0].elements.semi_major_axis));
  EXPECT_FALSE(std::isnan(orbits[1].elements.semi_major_axis));
}

TEST(Orbits, AreRefusedAboutWhatIsNotThere) {
  const auto s = planets({});
  EXPECT_NE(refusal([&] { (void)orbits_of(s, orbit_centre_named("9")); }).find("body 9"), std::string::npos);
  EXPECT_NE(refusal([&] { (void)orbits_of(s, orbit_centre_named("1,1")); }).find("1 twice"),
            std::string::npos);
  EXPECT_NE(refusal([&] { (void)orbits_of(Snapshot{}); }).find("two bodies"), std::string::npos);
  EXPECT_NE(refusal([&] { (void)orbit_centre_named("barycenter"); }).find("barycentre'?"), std::string::npos)
      << refusal([&] { (void)orbit_centre_named("barycenter"); });
  for (const char* text : {"", "-1", "1,", ",1", "1,2,3", "1.5", "99999999999999999999"})
    EXPECT_NE(refusal([&] { (void)orbit_centre_named(text); }), "") << text;
  Snapshot empty;
  EXPECT_NE(refusal([&] { add_on_orbit(empty, 1, ellipse(1, 0)); }).find("add that one first"),
            std::string::npos);
}
