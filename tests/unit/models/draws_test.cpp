/// Draws of different models and components have nothing in common, and a sphere's core is at the origin
/// whatever the outskirts weigh.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "unit/models/support.hpp"

#include <array>
#include <numeric>
#include <optional>

using namespace pleiad;
using namespace pleiad::test;

namespace {

/// Bodies of one component in the order of their draws, as ranks of three coordinates.
struct Component {
  std::string name;
  std::array<std::vector<double>, 3> values;
};

/// Radius, height and azimuth about a centre; in a box x, y and z.
Component component(std::string name, const Snapshot& s, std::size_t first, std::size_t last,
                    std::optional<Type> type = {}) {
  Component c{std::move(name), {}};
  const auto& b = s.bodies;
  const auto taken = [&](std::size_t i) { return !type || b.type[i] == *type; };
  Vec3<double> centre;
  double count = 0;
  for (std::size_t i = first; i < last; ++i)
    if (taken(i)) centre += b.position(i), ++count;
  centre *= 1 / count;
  for (std::size_t i = first; i < last; ++i) {
    if (!taken(i)) continue;
    const auto x = b.position(i), d = x - centre;
    const Vec3<double> v =
        s.boundary.periodic ? x : Vec3<double>{norm(d), d.z / norm(d), std::atan2(d.y, d.x)};
    c.values[0].push_back(v.x), c.values[1].push_back(v.y), c.values[2].push_back(v.z);
  }
  return c;
}

std::vector<Component> components() {
  std::vector<Component> all;
  for (const char* model : {"uniform-box", "random", "shell", "expand", "cold-sphere", "plummer", "king",
                            "cluster", "hernquist", "nfw"})
    all.push_back(component(model, made(model, {"n=2000"}), 0, 2000));
  const auto galaxy = made("galaxy", {"n=4000"});
  // Discs in the plane of the orbit, so that heights are compared with heights.
  const auto encounter = made("encounter", {"n=8000", "i1=0", "i2=0"});
  for (const auto& [name, type] :
       {std::pair{"halo", Type::halo}, {"disc", Type::disc}, {"bulge", Type::bulge}}) {
    all.push_back(component(std::string("galaxy ") + name, galaxy, 0, 4000, type));
    all.push_back(component(std::string("first ") + name, encounter, 0, 4000, type));
    all.push_back(component(std::string("second ") + name, encounter, 4000, 8000, type));
  }
  return all;
}

std::vector<double> ranks(const std::vector<double>& values, std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::vector<double> rank(n);
  for (std::size_t k = 0; k < n; ++k) rank[order[k]] = static_cast<double>(k);
  return rank;
}

/// Spearman's, of the first n of both.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b, std::size_t n) {
  const auto p = ranks(a, n), q = ranks(b, n);
  const double m = static_cast<double>(n);
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) squares += (p[i] - q[i]) * (p[i] - q[i]);
  return 1 - 6 * squares / (m * (m * m - 1));
}

/// The farthest any axis of the centre of mass of the bodies within `radius` of the origin is from it, in
/// standard errors of that mean.
double core_offset(const Bodies& b, double radius) {
  Vec3<double> sum;
  double squares = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (const auto x = b.position(i); norm(x) <= radius) sum += x, squares += dot(x, x);
  // Each axis of the sum has the variance (sum of r^2) / 3 in a sphere.
  return std::max({std::abs(sum.x), std::abs(sum.y), std::abs(sum.z)}) / std::sqrt(squares / 3);
}

}  // namespace

TEST(Draws, OfDifferentModelsAndComponentsAreIndependent) {
  const auto all = components();
  ASSERT_EQ(all.size(), 19u);
  // Of independent draws the rank correlation is normal with the variance 1 / (n - 1): 171 pairs, nine
  // correlations each, beyond 5.5 standard deviations with the probability 1539 * 4e-8 = 6e-5.
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (const auto& p : all[a].values)
        for (const auto& q : all[b].values) {
          const std::size_t n = std::min(p.size(), q.size());
          ASSERT_GE(n, 200u);
          EXPECT_LE(std::abs(rank_correlation(p, q, n)), 5.5 / std::sqrt(static_cast<double>(n - 1)))
              << all[a].name << " and " << all[b].name;
        }
}

TEST(Draws, OfOneModelKeepTheirRanksWhenAParameterChanges) {
  // The same seed of the same model is the same draw: a scan over a parameter compares like with like.
  const auto shallow = component("", made("king", {"n=2000", "W0=3"}), 0, 2000),
             deep = component("", made("king", {"n=2000", "W0=9"}), 0, 2000);
  EXPECT_GE(rank_correlation(shallow.values[0], deep.values[0], 2000), 0.99);
}

TEST(Spheres, HaveTheirCoreAtTheOrigin) {
  // Radii that hold 10 % and 50 % of the mass. 20 seeds, 4 models, 2 radii and 3 axes: 480 draws of a normal
  // distribution, one beyond 5 standard errors with the probability 480 * 6e-7 = 3e-4.
  for (const auto& [model, tenth, half] : {std::tuple{"plummer", 0.309, 0.769},
                                           {"king", 0.27, 0.83},
                                           {"hernquist", 0.46, 2.3},
                                           {"nfw", 1.0, 4.0}})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto b = made(model, {"n=20000"}, seed).bodies;
      EXPECT_LE(core_offset(b, tenth), 5) << model << ' ' << seed;
      EXPECT_LE(core_offset(b, half), 5) << model << ' ' << seed;
    }
}

TEST(Spheres, WithoutACutHaveTheirCoreAtTheOriginToo) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_LE(core_offset(made("plummer", {"n=20000", "mass_fraction=1"}, seed).bodies, 0.769), 5) << seed;
    EXPECT_LE(core_offset(made("hernquist", {"n=20000", "cut=0"}, seed).bodies, 2.3), 5) << seed;
  }
}

TEST(Galaxy, HasItsBulgeAtTheOrigin) {
  // The halo reaches out to 30 times its cut of 35 kpc; 20 seeds and three axes as above.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto all = made("galaxy", {"n=20000"}, seed).bodies;
    Bodies bulge;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all.type[i] == Type::bulge) bulge.add(all.mass[i], all.position(i), all.velocity(i));
    EXPECT_LE(core_offset(bulge, 1.2), 5) << seed;
  }
}
