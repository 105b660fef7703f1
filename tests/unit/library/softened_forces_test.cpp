/// Forces with a spline and with softenings of bodies: those of the formulas, on bodies and on targets apart.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/forces.hpp>
#include <pleiad/models.hpp>
#include <pleiad/pleiad.h>
#include <pleiad/rng.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

struct Scene {
  std::vector<Vec3<double>> x;
  std::vector<double> m, eps;
};
Scene scene(std::size_t n, std::uint64_t seed) {
  Scene s;
  for (std::uint64_t i = 0; i < n; ++i) {
    Random random(seed, i);
    const auto within = [&] { return random.uniform(-1, 1); };
    s.x.push_back({within(), within(), within()});
    s.m.push_back(i % 5 == 0 ? 0 : random.uniform(0, 1));
    s.eps.push_back(random.uniform(0, 0.5));
  }
  return s;
}

/// By the formula: accelerations and potentials at places with these softenings.
Field<double> plummer(const Scene& sources, const std::vector<Vec3<double>>& x,
                      const std::vector<double>& eps, SofteningRule rule, bool apart) {
  Field<double> field;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vec3<double> a{};
    double phi = 0;
    for (std::size_t j = 0; j < sources.x.size(); ++j) {
      if (!apart && i == j) continue;
      const auto d = sources.x[j] - x[i];
      const double one = eps[i], other = sources.eps[j];
      const double eps2 =
          rule == SofteningRule::max ? std::max(one * one, other * other) : one * one + other * other;
      const double r2 = dot(d, d) + eps2, r = std::sqrt(r2);
      a += (2 * sources.m[j] / (r2 * r)) * d, phi -= 2 * sources.m[j] / r;
    }
    field.accelerations.push_back(a), field.potentials.push_back(phi);
  }
  return field;
}

/// A sum of 60 pulls in double precision, each of a few roundings.
constexpr double rounding = 1e-13;
void expect_near(const Field<double>& found, const Field<double>& expected) {
  ASSERT_EQ(found.accelerations.size(), expected.accelerations.size());
  for (std::size_t i = 0; i < expected.accelerations.size(); ++i) {
    EXPECT_LE(norm(found.accelerations[i] - expected.accelerations[i]),
              rounding * (norm(expected.accelerations[i]) + std::abs(expected.potentials[i])));
    EXPECT_LE(std::abs(found.potentials[i] - expected.potentials[i]),
              rounding * std::abs(expected.potentials[i]));
  }
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST(SoftenedForces, AreThoseOfTheFormulaOnBodiesAndOnTargetsApart) {
  for (const auto rule : {SofteningRule::max, SofteningRule::quadratic}) {
    auto s = scene(60, 1);
    const auto other = scene(13, 2);
    const ForceOptions options{
        .softening = 0.1, .softening_rule = rule, .softenings = s.eps, .G = 2, .potential = true};
    expect_near(accelerations(s.x, s.m, options), plummer(s, s.x, s.eps, rule, false));
    GravitySolver solver(options);
    const auto there = [&] {
      Field<double> found{std::vector<Vec3<double>>(other.x.size()), std::vector<double>(other.x.size())};
      solver.accelerations_at(other.x, s.x, s.m, found.accelerations, found.potentials);
      return found;
    };
    expect_near(there(), plummer(s, other.x, std::vector(other.x.size(), 0.1), rule, true));
    EXPECT_EQ(solver.kernel(), "cpu/threads");
    // Sources that are all alike, with targets that are not.
    std::ranges::fill(s.eps, 0.3);
    solver = GravitySolver({.softening = 0.1, .softening_rule = rule, .softenings = s.eps, .G = 2});
    expect_near(there(), plummer(s, other.x, std::vector(other.x.size(), 0.1), rule, true));
  }
}

TEST(SoftenedForces, OfEqualSofteningsHaveTheBitsOfOne) {
  const auto s = scene(300, 3);
  const auto one = accelerations(s.x, s.m, {.softening = 0.2, .potential = true});
  const auto each = accelerations(s.x, s.m, {.softenings = std::vector(s.x.size(), 0.2), .potential = true});
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    EXPECT_EQ(one.accelerations[i], each.accelerations[i]);
    EXPECT_EQ(one.potentials[i], each.potentials[i]);
  }
}

TEST(SoftenedForces, OfASplineAreNewtonianOutsideAndAsDeepAsPlummers) {
  const std::vector<double> m{1, 3};
  const auto at = [&](double r) {
    const std::vector<Vec3<double>> x{{0, 0, 0}, {r, 0, 0}};
    return accelerations(x, m,
                         {.softening = 0.5, .softening_kernel = SofteningKernel::spline, .potential = true});
  };
  EXPECT_LE(std::abs(at(1.4).accelerations[0].x - 3 / (1.4 * 1.4)), 1e-14);
  EXPECT_LE(std::abs(at(2).accelerations[1].x + 1.0 / 4), 1e-15);
  EXPECT_LE(std::abs(at(0).potentials[0] + 3 / 0.5), 1e-14);
  EXPECT_EQ(at(0).accelerations[0].x, 0);
  // In between weaker than Newton's, and stronger than Plummer's with the same depth.
  EXPECT_LT(at(1.3).accelerations[0].x, 3 / (1.3 * 1.3));
  EXPECT_GT(at(1.3).accelerations[0].x, 3 * 1.3 / std::pow(1.3 * 1.3 + 0.25, 1.5));
}

TEST(SoftenedForces, ComeFromTreesToo) {
  const auto s = model("plummer", {{"n", 3000}});
  std::vector<Vec3<double>> x;
  std::vector<double> eps;
  for (std::size_t i = 0; i < s.bodies.size(); ++i)
    x.push_back(s.bodies.position(i)), eps.push_back(i % 2 == 0 ? 0.01 : 0.03);
  const auto p99 = [&](ForceOptions options) {
    const auto direct = accelerations(x, s.bodies.mass, options);
    options.kernel = "cpu/fmm order=5 theta=0.5";
    const auto tree = accelerations(x, s.bodies.mass, options);
    std::vector<double> errors;
    for (std::size_t i = 0; i < x.size(); ++i)
      errors.push_back(norm(tree.accelerations[i] - direct.accelerations[i]) / norm(direct.accelerations[i]));
    std::ranges::sort(errors);
    return errors[errors.size() * 99 / 100];
  };
  const double plain = p99({.softening = 0.02});
  const double splines = p99({.softening_kernel = SofteningKernel::spline, .softenings = eps});
  EXPECT_GT(plain, 1e-5);
  // The same tree, with other pairs near splines: errors are alike.
  EXPECT_GT(splines, plain / 2);
  EXPECT_LT(splines, 2 * plain);
}

TEST(SoftenedForces, AreRefusedWhereTheyCannotBe) {
  const auto s = scene(10, 4);
  const auto why = [&](const ForceOptions& o) { return refusal([&] { (void)accelerations(s.x, s.m, o); }); };
  EXPECT_NE(why({.softenings = {0.1, 0.2}}).find("softenings"), std::string::npos);
  EXPECT_EQ(why({.softenings = {-1}}), "a softening of -1 must be finite, >= 0 and at most 1e+18");
  EXPECT_NE(why({.softenings = s.eps, .kernel = "cpu/fmm"}), "");
  EXPECT_NE(why({.softenings = s.eps, .box = {true, {4, 4, 4}, Images::all}}), "");
}

TEST(SoftenedForces, OfTypesMoveSimulations) {
  const auto start = model("galaxy", {{"n", 200}});
  const auto hash = [](Snapshot s, const SimulationOptions& o) {
    Simulation sim(std::move(s), o);
    sim.make_steps(4);
    return state_hash(sim.snapshot().bodies);
  };
  SimulationOptions options{
      .softening = 0.1, .softening_by_type = {{Type::halo, 0.3}}, .dt = 1e-3, .kernel = "cpu/threads"};
  auto own = start;
  for (const Type type : own.bodies.type) own.bodies.softening.push_back(type == Type::halo ? 0.3 : 0.1);
  const auto of_types = hash(start, options);
  SimulationOptions plain = options;
  plain.softening_by_type.clear();
  EXPECT_NE(of_types, hash(start, plain));
  Simulation sim(own, plain);
  sim.make_steps(4);
  const auto moved = sim.snapshot().bodies;
  Simulation same(start, options);
  same.make_steps(4);
  EXPECT_EQ(moved.x, same.snapshot().bodies.x);
  EXPECT_EQ(sim.gravity().softening.of, SofteningOf::bodies);
  EXPECT_EQ(same.gravity().softening.of, SofteningOf::types);
  options.softening_kernel = SofteningKernel::spline;
  EXPECT_NE(of_types, hash(start, options));
  options.softening_by_type[Type::disc] = -1;
  EXPECT_EQ(refusal([&] { (void)hash(start, options); }),
            "the softening -1 of type disc must be finite, >= 0 and at most 1e+18");
}

TEST(SoftenedForces, AreThoseOfCppInC) {
  const auto s = scene(40, 5);
  const auto same = accelerations(s.x, s.m,
                                  {.softening_kernel = SofteningKernel::spline,
                                   .softening_rule = SofteningRule::quadratic,
                                   .softenings = s.eps});
  pleiad_force_options options;
  pleiad_force_defaults(&options);
  options.softening_kernel = "spline", options.softening_rule = "quadratic";
  options.softenings = s.eps.data(), options.softening_count = s.eps.size();
  std::vector<double> x, a(3 * s.x.size());
  for (const auto& place : s.x) x.insert(x.end(), {place.x, place.y, place.z});
  ASSERT_EQ(pleiad_accelerations(s.x.size(), x.data(), s.m.data(), &options, a.data(), nullptr), PLEIAD_OK);
  for (std::size_t i = 0; i < s.x.size(); ++i) EXPECT_EQ(a[3 * i + 1], same.accelerations[i].y);
  options.softening_kernel = "cubic";
  EXPECT_EQ(pleiad_accelerations(s.x.size(), x.data(), s.m.data(), &options, a.data(), nullptr),
            PLEIAD_USAGE);
  EXPECT_STREQ(pleiad_last_error(), "softening_kernel must be one of plummer, spline, not 'cubic'");
}
