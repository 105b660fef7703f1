/// Nearest neighbours against all pairs, bound systems that are known, and the measures of a Plummer sphere.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/systems.hpp"

#include "core/threads.hpp"
#include "structure/cluster.hpp"
#include "structure/measures.hpp"
#include "structure/neighbours.hpp"
#include "unit/structure/chosen.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/orbits.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pleiad::structure {
namespace {

std::vector<Vec3<double>> places_of(const Bodies& b) {
  std::vector<Vec3<double>> places;
  for (std::size_t i = 0; i < b.size(); ++i) places.push_back(b.position(i));
  return places;
}

std::vector<Neighbour> by_all(const std::vector<Vec3<double>>& x, std::size_t i, std::size_t count) {
  std::vector<Neighbour> all;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (j != i) all.push_back({dot(x[j] - x[i], x[j] - x[i]), j});
  std::ranges::sort(all);
  all.resize(std::min(count, all.size()));
  return all;
}

/// The ids of the stars of the pairs that were found, in order.
std::set<std::pair<std::uint64_t, std::uint64_t>> pairs_of(const Systems& systems, const Bodies& b) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const auto& s : systems.systems)
    if (s.stars() == 2) pairs.insert(std::minmax(b.id[s.first.star], b.id[s.second.star]));
  return pairs;
}

/// A body on an orbit about all bodies so far.
void add(Snapshot& s, double mass, double a, double e, double inclination, double anomaly) {
  StatedOrbit orbit;
  orbit.semi_major_axis = a, orbit.eccentricity = e, orbit.inclination = inclination;
  orbit.node = 0.7, orbit.mean_anomaly = anomaly;
  add_on_orbit(s, mass, orbit, {.kind = OrbitCentre::Kind::barycentre});
}

}  // namespace

TEST(Neighbours, AreThoseOfAllPairs) {
  for (const std::string model : {"plummer", "lattice", "one place", "a line"})
    for (const std::size_t n : {1U, 2U, 7U, 8U, 9U, 64U, 343U}) {
      std::vector<Vec3<double>> x;
      for (std::size_t i = 0; i < n; ++i)
        if (model == "lattice") x.push_back({double(i % 7), double(i / 7 % 7), double(i / 49)});
        else if (model == "one place") x.push_back({1, 2, 3});
        else if (model == "a line") x.push_back({0.25 * double(i * i % 17), 0, 0});
      if (model == "plummer")
        x = places_of(make_model("plummer", std::array{fmt::format("n={}", n)}, 3).bodies);
      const Neighbours tree(x);
      for (const std::size_t count : {0U, 1U, 6U, 400U})
        for (std::size_t i = 0; i < n; ++i)
          ASSERT_EQ(tree.nearest(i, count), by_all(x, i, count)) << model << n << " " << count << " " << i;
    }
}

// The binaries of the model are bodies 0 and 1, 2 and 3, ... Hard ones are all found, on their orbits; chance
// pairs of a cluster are wide.
TEST(Systems, AreTheBinariesOfACluster) {
  const auto cluster =
      make_model("cluster",
                 std::array<std::string, 6>{"n=600", "binaries=1", "separation=log-uniform",
                                            "separation_min=1", "separation_max=50", "half_mass_radius=1"},
                 5);
  const auto& b = cluster.bodies;
  const auto all = all_of(b);
  const auto found = find_systems(cluster, all);
  const auto pairs = pairs_of(found, b);
  for (std::size_t i = 0; i < b.size(); i += 2) EXPECT_TRUE(pairs.contains({b.id[i], b.id[i + 1]})) << i;
  constexpr double pc_in_au = 206264.80624709636;
  std::size_t hard = 0;
  for (const auto& s : found.systems) {
    EXPECT_LT(s.perturbation, 1);
    if (s.stars() > 2) continue;
    const auto &one = s.first, &two = s.second;
    const auto orbit =
        elements_of(cluster.G * (one.mass + two.mass), b.position(two.star) - b.position(one.star),
                    b.velocity(two.star) - b.velocity(one.star));
    EXPECT_EQ(s.orbit, orbit);
    const double a = s.orbit.semi_major_axis * pc_in_au;
    EXPECT_TRUE(a > 1 - 1e-6 && a < 50 + 1e-6) << a;
    EXPECT_NEAR(s.binding_energy, cluster.G * one.mass * two.mass / (2 * orbit.semi_major_axis),
                1e-14 * s.binding_energy);
    ++hard;
  }
  EXPECT_EQ(hard, 300U);
  // An object for each binary or hierarchy of binaries, with all the mass.
  double mass = 0;
  std::size_t stars = 0;
  for (const auto& o : found.objects) mass += o.mass, stars += o.stars;
  EXPECT_EQ(stars, 600U);
  EXPECT_NEAR(mass, centre_of_mass(b).mass, 1e-12 * mass);
  EXPECT_EQ(found.objects.size(), 600 - found.systems.size());
}

TEST(Systems, AreHierarchiesWithTheirStability) {
  for (const double outer : {3.5, 12.0}) {
    Snapshot s;
    s.bodies.add(1, {3, 4, 5}, {0.1, 0.2, 0.3});
    add(s, 0.5, 1, 0.3, 0.2, 1);
    add(s, 0.7, outer, 0.2, 0.2 + std::numbers::pi / 3, 2);
    s.bodies.add(2, {500, 0, 0}, {0.5, 0, 0});
    const auto found = find_systems(s, all_of(s.bodies));
    ASSERT_EQ(found.systems.size(), 2U) << outer;
    EXPECT_FALSE(found.systems[0].outermost);
    EXPECT_FALSE(found.systems[0].stability);
    const auto& triple = found.systems[1];
    EXPECT_TRUE(triple.outermost);
    EXPECT_EQ(triple.stars(), 3U);
    EXPECT_NEAR(triple.orbit.semi_major_axis, outer, 1e-12 * outer);
    EXPECT_NEAR(triple.orbit.eccentricity, 0.2, 1e-12);
    // The nodes agree, so the angle between the orbits is that of their inclinations.
    const double smallest = 2.8 * std::pow((1 + 0.7 / 1.5) * 1.2 / std::sqrt(0.8), 0.4) * (1 - 0.3 / 3);
    ASSERT_TRUE(triple.stability);
    EXPECT_NEAR(*triple.stability, outer * 0.8 / smallest, 1e-10);
    EXPECT_EQ(*triple.stability > 1, outer > 10);
    EXPECT_EQ(found.objects.size(), 2U);
    const auto c = measure_cluster(s, found);
    EXPECT_EQ(c.stars, 4U);
    EXPECT_EQ(c.binaries, 1U);
    EXPECT_EQ(c.hierarchies, 1U);
    EXPECT_TRUE(std::isnan(c.core_radius) && std::isnan(c.relaxation_time));
  }
}

TEST(Systems, AreNotPairsThatPassNorThoseThatOthersTearApart) {
  const auto pair = [](double speed, double far) {
    Snapshot s;
    s.bodies.add(1, {0, 0, 0}, {0, 0, 0});
    s.bodies.add(1, {1, 0, 0}, {0, speed, 0});
    s.bodies.add(50, {0, far, 0}, {});
    return find_systems(s, all_of(s.bodies)).systems;
  };
  EXPECT_EQ(pair(1.3, 1000).size(), 1U);  // that passes the third body
  EXPECT_EQ(pair(1.3, 1000).front().stars(), 2U);
  for (const auto& s : pair(2.001, 1000)) EXPECT_NE(s.first.stars + s.second.stars, 2U);
  // On a circle the tide is 2 * 50 / far^3 / 2.
  const double circle = std::sqrt(2.0), limit = std::cbrt(50.0);
  EXPECT_EQ(pair(circle, 1.01 * limit).front().stars(), 2U);
  EXPECT_NEAR(pair(circle, 2 * limit).front().perturbation, 0.125, 0.02);  // not from the middle of the pair
  for (const auto& s : pair(circle, 0.9 * limit)) EXPECT_NE(s.second.star + s.first.star, 1U);
}

TEST(Systems, DoNotDependOnThreadsNorOnMasslessBodies) {
  const auto cluster = make_model("cluster", std::array<std::string, 2>{"n=3000", "binaries=0.5"}, 7);
  const auto expected = find_systems(cluster, all_of(cluster.bodies));
  auto more = cluster;
  for (int i = 0; i < 50; ++i)
    more.bodies.add(0, cluster.bodies.position(std::size_t(i)) + Vec3<double>{1e-6, 0, 0}, {});
  for (const int count : {1, 3}) {
    const Threads threads(count);
    const WithThreads with(threads);
    const auto found = find_systems(more, all_of(more.bodies));
    ASSERT_EQ(found.systems.size(), expected.systems.size());
    for (std::size_t k = 0; k < found.systems.size(); ++k) {
      EXPECT_EQ(found.systems[k].orbit, expected.systems[k].orbit);
      EXPECT_EQ(found.systems[k].perturbation, expected.systems[k].perturbation);
    }
    const auto a = measure_cluster(more, found), b = measure_cluster(cluster, expected);
    EXPECT_EQ(a.core_radius, b.core_radius);
    EXPECT_EQ(a.kT, b.kT);
  }
}

TEST(Systems, RefuseAPeriodicBoxAndBodiesWithoutMass) {
  auto box = make_model("uniform-box", std::array<std::string, 1>{"n=50"}, 1);
  EXPECT_THROW(find_systems(box, all_of(box.bodies)), UsageError);
  Snapshot s;
  s.bodies.add(0, {}, {});
  const auto none = find_systems(s, all_of(s.bodies));
  EXPECT_TRUE(none.objects.empty());
  EXPECT_THROW(measure_cluster(s, none), InputError);
  Snapshot heap;
  for (int i = 0; i < 9; ++i) heap.bodies.add(1, {1, 1, 1}, {});
  EXPECT_THROW(measure_cluster(heap, find_systems(heap, all_of(heap.bodies))), InputError);
}

// With n ~ (1 + r^2)^(-5/2) and weights n^2: r_c^2 = B(5/2, 5) / B(3/2, 6) = 0.3. The mean density weighted
// by density is rho_0 B(3/2, 6) / B(3/2, 7/2) = 0.46310 rho_0. Henon's units have the scale 3 pi / 16. Of
// 20,000 stars about 3000 lie within the core; densities from six neighbours scatter by a half, squares by
// one, so that each of four samples has 2 % and their mean 1 %. 4 standard deviations are allowed.
TEST(Cluster, HasTheCoreOfAPlummerSphere) {
  double core = 0, density = 0, half = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const auto s = make_model("plummer", std::array<std::string, 1>{"n=20000"}, seed);
    const auto c = measure_cluster(s, find_systems(s, all_of(s.bodies)));
    core += c.core_radius / 4, density += c.core_density / 4, half += c.half_mass_radius / 4;
    EXPECT_EQ(c.stars, 20000U);
    // sigma^2 of one component: T = 1/4, so that m sigma^2 = 1 / (6 N).
    EXPECT_NEAR(c.kT * double(c.objects), 1.0 / 6, 0.004);
    EXPECT_LT(norm(c.centre), 0.03);
    EXPECT_EQ(c.shells.back().fraction, 1);
    double stars = 0, mass = 0;
    for (const auto& shell : c.shells) {
      stars += double(shell.stars), mass += shell.mass;
      EXPECT_NEAR(mass, shell.fraction, 2.0 / 20000);
      // Isotropic: of n velocities the ratio scatters by sqrt(3 / (4 n)).
      EXPECT_NEAR(shell.radial_dispersion / shell.tangential_dispersion, 1,
                  4.5 * std::sqrt(0.75 / double(shell.objects)));
    }
    EXPECT_EQ(stars, 20000);
  }
  const double a = 3 * std::numbers::pi / 16, rho0 = 3 / (4 * std::numbers::pi * a * a * a);
  EXPECT_NEAR(core / (std::sqrt(0.3) * a), 1, 0.04);
  EXPECT_NEAR(density / (0.46310 * rho0), 1, 0.06);
  EXPECT_NEAR(half / (a / std::sqrt(std::pow(2, 2.0 / 3) - 1)), 1, 0.02);
}

TEST(Cluster, TellsItsRelaxationTime) {
  const auto s = make_model("plummer", std::array<std::string, 1>{"n=1000"}, 2);
  const auto systems = find_systems(s, all_of(s.bodies));
  const auto c = measure_cluster(s, systems);
  EXPECT_NEAR(
      c.relaxation_time,
      0.138 * double(c.objects) * std::pow(c.half_mass_radius, 1.5) / std::log(0.11 * double(c.objects)),
      1e-12 * c.relaxation_time);
  EXPECT_EQ(table_of(c).rows(), shell_fractions.size());
  const auto table = table_of(systems, c, s.bodies);
  EXPECT_EQ(table.rows(), systems.systems.size());
  for (std::size_t k = 0; k < table.rows(); ++k)
    EXPECT_NEAR(table["hardness"][k] * c.kT, table["binding_energy"][k], 1e-14 * table["binding_energy"][k]);
}

}  // namespace pleiad::structure
