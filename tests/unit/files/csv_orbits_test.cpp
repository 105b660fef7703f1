/// Tables of orbits: bodies from elements, and tables that are refused.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/scratch.hpp"

#include <pleiad/error.hpp>
#include <pleiad/files.hpp>
#include <pleiad/orbits.hpp>

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

FileContent content_of(const std::string& text) {
  const test::Folder scratch;
  const auto file = (scratch.path / "orbits.csv").string();
  std::ofstream(file) << text;
  return read_snapshot(file);
}

std::string refusal(const std::string& text) {
  try {
    (void)content_of(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(CsvOrbits, BecomeBodiesAboutTheirBarycentre) {
  const auto s = content_of(
                     "# about: jacobi\n# G: 2\nmass,a,q,e,inclination,node,pericentre,mean_anomaly,id\n"
                     "1,,,,,,,,10\n0.1,1,,0.2,3,40,50,60,11\n0.01,,4,1,,,,,12\n")
                     .snapshot;
  EXPECT_EQ(s.bodies.id, (std::vector<std::uint64_t>{10, 11, 12}));
  EXPECT_EQ(s.G, 2);
  EXPECT_LE(norm(centre_of_mass(s.bodies).position), 1e-15);
  EXPECT_LE(norm(centre_of_mass(s.bodies).velocity), 1e-15);
  const auto orbits = orbits_of(s, orbit_centre_named("jacobi"));
  const auto& planet = orbits[0].elements;
  const double degree = std::numbers::pi / 180;
  EXPECT_LE(std::abs(planet.semi_major_axis - 1), 1e-14);
  EXPECT_LE(std::abs(planet.eccentricity - 0.2), 1e-14);
  EXPECT_LE(std::abs(planet.inclination - 3 * degree), 1e-14);
  EXPECT_LE(std::abs(planet.node - 40 * degree), 1e-13);
  EXPECT_LE(std::abs(planet.pericentre - 50 * degree), 1e-13);
  EXPECT_LE(std::abs(planet.mean_anomaly - 60 * degree), 1e-13);
  EXPECT_LE(std::abs(orbits[1].elements.pericentre_distance - 4), 1e-13);
  EXPECT_LE(std::abs(orbits[1].elements.eccentricity - 1), 1e-14);
}

TEST(CsvOrbits, RefuseWhatIsNoOrbit) {
  EXPECT_NE(refusal("mass,a,e\n1,,\n1,,\n").find("line 3: only the first body has no orbit"),
            std::string::npos);
  EXPECT_NE(refusal("mass,a,e\n1,1,0\n").find("a body that it is about"), std::string::npos);
  EXPECT_NE(refusal("mass,a,e\n1,,\n1,1,2\n").find("line 3: orbit: semi-major axis = 1 must be < 0"),
            std::string::npos);
  EXPECT_NE(refusal("mass,a,e\n1,,\n1,one,0\n").find("column 2 (a): 'one' is not a number"),
            std::string::npos);
  EXPECT_NE(refusal("mass,a,a\n1,,\n").find("two columns mean a"), std::string::npos);
  EXPECT_NE(refusal("# about: sun\nmass,a,e\n1,,\n").find("it is heaviest, jacobi"), std::string::npos);
  EXPECT_NE(refusal("# about: heaviest\nmass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n").find("a table of orbits"),
            std::string::npos);
}
