/// Light cones against counts by brute force: of bodies at rest, and of bodies that move through faces of the
/// box, in one step and in many.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/light_cone.hpp"

#include "unit/scratch.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <hdf5.h>

namespace pleiad::structure {
namespace {

/// Matter alone, with c / H0 = 1: the conformal time is 2 sqrt(a), and chi = 2 - 2 sqrt(a).
const cosmology::Cosmology matter{.omega_m = 1, .omega_lambda = 0};
double time_of(double a) { return 2 * std::sqrt(a); }

Boundary box(double x, double y, double z) {
  return {.periodic = true, .length = {x, y, z}, .images = Images::all};
}

/// Uneven steps from a = 0.1 to 1.
std::vector<double> scale_factors(int steps) {
  std::vector<double> a;
  for (int k = 0; k <= steps; ++k) a.push_back(0.1 + 0.9 * std::pow(double(k) / steps, 1.3));
  return a;
}

using Seen = std::vector<SeenBody>;

/// Everything that is seen in steps of bodies that are at `at(a)`.
template <class At>
Seen all_of(const LightCone& cone, const std::vector<double>& a, const At& at) {
  Seen all;
  for (std::size_t k = 1; k < a.size(); ++k) {
    const auto some = cone.seen(at(a[k - 1]), a[k - 1], at(a[k]), a[k]);
    for (const auto& body : some) EXPECT_TRUE(body.a >= a[k - 1] && body.a <= a[k]);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::set<std::tuple<std::uint64_t, std::array<std::int32_t, 3>>> names_of(const Seen& all) {
  std::set<std::tuple<std::uint64_t, std::array<std::int32_t, 3>>> names;
  for (const auto& body : all) names.emplace(body.id, body.image);
  return names;
}

}  // namespace

TEST(LightCone, HasTheDistanceOfLight) {
  const LightCone cone(matter, 3, box(1, 1, 1));
  for (const double a : {0.01, 0.3, 0.9, 1.0}) EXPECT_NEAR(cone.distance(a), 3 * (2 - time_of(a)), 1e-12);
  EXPECT_THROW(LightCone(matter, 1, Boundary{}), UsageError);
  EXPECT_NEAR(light_in(units_named("galactic")), 299792.458, 1e-9);
}

/// Each image of each place of a lattice is seen once, when the light of its distance left it, however many
/// steps there are and whichever face of the box a place is at.
TEST(LightCone, OfALatticeAtRestHasAllImagesOnce) {
  const auto boundary = box(0.31, 0.43, 0.37);
  const LightCone cone(matter, 1, boundary);
  Bodies lattice;
  const auto& side = boundary.length;
  for (int i = 0; i < 4 * 4 * 4; ++i)
    lattice.add(1, {i % 4 * side.x / 4, i / 4 % 4 * side.y / 4, (i / 16 + 0.3) * side.z / 4}, {});
  for (std::size_t i = 0; i < lattice.size(); ++i) lattice.id[i] = i;
  // By the definition: every image nearer than chi(0.1).
  const double furthest = 2 - time_of(0.1);
  std::map<std::tuple<std::uint64_t, std::array<std::int32_t, 3>>, double> expected;
  const int reach = 6;
  for (std::size_t i = 0; i < lattice.size(); ++i)
    for (int x = -reach; x < reach; ++x)
      for (int y = -reach; y < reach; ++y)
        for (int z = -reach; z < reach; ++z) {
          const double r = norm(lattice.position(i) + Vec3<double>{x * side.x, y * side.y, z * side.z});
          if (r < furthest) expected[{i, {x, y, z}}] = r;
        }
  for (const int steps : {1, 7, 50}) {
    const auto all = all_of(cone, scale_factors(steps), [&](double) { return lattice; });
    EXPECT_EQ(all.size(), expected.size()) << steps;
    EXPECT_EQ(names_of(all).size(), all.size()) << "twice";
    double worst = 0;
    for (const auto& body : all) {
      const auto found = expected.find({body.id, body.image});
      ASSERT_NE(found, expected.end());
      EXPECT_NEAR(norm(body.position), found->second, 1e-14);
      const double right = std::pow(1 - found->second / 2, 2), error = std::abs(body.a - right);
      EXPECT_TRUE(error <= 1) << error;
      worst = std::max(worst, error);
    }
    // sqrt(a) is a straight line in the conformal time, a is a parabola, which a cubic is exactly.
    EXPECT_LE(worst, 1e-12) << steps;
  }
}

/// Bodies that move in straight lines in the conformal time, some at half of the speed of light, through many
/// faces of the box: what is seen does not depend on the steps, and is that of the solution of each image.
TEST(LightCone, OfMovingBodiesHasNoGapsAndNothingTwice) {
  const auto boundary = box(0.5, 0.5, 0.6);
  const LightCone cone(matter, 1, boundary);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(0, 1);
  Bodies start;
  for (std::uint64_t i = 0; i < 60; ++i) {
    start.add(1 + double(i), {0.5 * uniform(random), 0.5 * uniform(random), 0.6 * uniform(random)},
              Vec3<double>{uniform(random) - 0.5, uniform(random) - 0.5, uniform(random) - 0.5} * 0.6);
    start.id[i] = 1000 - i;
  }
  const auto& side = boundary.length;
  const auto at = [&](double a) {
    Bodies now = start;
    const double time = time_of(a) - time_of(0.1);
    const auto in = [](double x, double length) { return x - length * std::floor(x / length); };
    for (std::size_t i = 0; i < now.size(); ++i) {
      now.x[i] = in(start.x[i] + time * start.vx[i], side.x),
      now.y[i] = in(start.y[i] + time * start.vy[i], side.y);
      now.z[i] = in(start.z[i] + time * start.vz[i], side.z);
    }
    return now;
  };
  // |y0 + v t| = R - t, for images of the place at the start.
  const double R = 2 - time_of(0.1);
  std::map<std::uint64_t, std::vector<double>> expected;
  const int reach = 8;
  for (std::size_t i = 0; i < start.size(); ++i)
    for (int x = -reach; x < reach; ++x)
      for (int y = -reach; y < reach; ++y)
        for (int z = -reach; z < reach; ++z) {
          const auto y0 = start.position(i) + Vec3<double>{x * side.x, y * side.y, z * side.z},
                     v = start.velocity(i);
          if (!(norm(y0) < R)) continue;
          const double A = dot(v, v) - 1, B = 2 * (dot(y0, v) + R), C = dot(y0, y0) - R * R,
                       t = -2 * C / (B + std::sqrt(B * B - 4 * A * C));
          expected[start.id[i]].push_back(norm(y0 + t * v));
        }
  std::size_t number = 0;
  for (auto& [id, distances] : expected) std::ranges::sort(distances), number += distances.size();
  for (const int steps : {9, 40, 200}) {
    const auto all = all_of(cone, scale_factors(steps), at);
    EXPECT_EQ(all.size(), number) << steps;
    std::map<std::uint64_t, std::vector<double>> found;
    for (const auto& body : all) {
      found[body.id].push_back(norm(body.position));
      // Momenta are those of the start.
      const auto i = std::size_t(1000 - body.id);
      EXPECT_NEAR(body.velocity.y, start.vy[i] / body.a, 1e-13);
      EXPECT_EQ(body.mass, start.mass[i]);
    }
    for (auto& [id, distances] : found) {
      std::ranges::sort(distances);
      ASSERT_EQ(distances.size(), expected[id].size()) << id << " of " << steps;
      for (std::size_t k = 0; k < distances.size(); ++k) EXPECT_NEAR(distances[k], expected[id][k], 1e-12);
    }
  }
}

TEST(LightCone, ShellsAndCheckpointsKeepTheirBodies) {
  const test::Folder folder;
  const Seen bodies{{.id = 7,
                     .image = {1, -2, 3},
                     .type = Type::star,
                     .a = 0.5,
                     .mass = 2,
                     .position = {1, 2, 3},
                     .velocity = {4, 5, 6}},
                    {.id = 9,
                     .image = {0, 0, -1},
                     .type = Type::halo,
                     .a = 0.6,
                     .mass = 3,
                     .position = {7, 8, 9},
                     .velocity = {}}};
  const auto bytes = bytes_of(bodies);
  EXPECT_EQ(seen_bodies_in(bytes, "here"), bodies);
  EXPECT_THROW(seen_bodies_in(bytes.substr(1), "here"), InputError);
  write_shell(folder.path / "shell.hdf5", bodies,
              {.from = 0.5, .to = 1, .units = units_named("galactic"), .boundary = box(1, 1, 1)});
  const hid_t f = H5Fopen((folder.path / "shell.hdf5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(f, 0);
  const auto read = [&](const char* name, hid_t type, auto& to) {
    const hid_t d = H5Dopen2(f, name, H5P_DEFAULT);
    EXPECT_GE(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to.data()), 0) << name;
    H5Dclose(d);
  };
  std::array<double, 3> place{}, speed{};
  std::array<std::int64_t, 3> image{};
  std::array<double, 1> a{};
  read("PartType4/Coordinates", H5T_NATIVE_DOUBLE, place),
      read("PartType4/Velocities", H5T_NATIVE_DOUBLE, speed);
  read("PartType4/Image", H5T_NATIVE_INT64, image), read("PartType1/ScaleFactor", H5T_NATIVE_DOUBLE, a);
  H5Fclose(f);
  EXPECT_EQ(place, (std::array{1.0, 2.0, 3.0}));
  EXPECT_EQ(speed, (std::array{4.0, 5.0, 6.0}));
  EXPECT_EQ(image, (std::array<std::int64_t, 3>{1, -2, 3}));
  EXPECT_EQ(a[0], 0.6);
}

}  // namespace pleiad::structure
