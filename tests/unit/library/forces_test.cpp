/// Accelerations of bodies in the caller's own arrays: right in every layout and precision, and refused in
/// words.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/larger.hpp"
#include "reference/reference.hpp"

#include <pleiad/error.hpp>
#include <pleiad/forces.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using namespace pleiad;

namespace {

constexpr double eps = 0.02, G = 2.5;

/// One sphere in the layouts that a caller may have.
struct Sphere {
  std::vector<double> x, y, z, m, xyz;
  std::vector<Mass<double>> records;
  explicit Sphere(std::size_t n) {
    const auto s = model("plummer", {{"n", double(n)}}, 5);
    x = s.bodies.x, y = s.bodies.y, z = s.bodies.z, m = s.bodies.mass;
    for (std::size_t i = 0; i < n; ++i) {
      xyz.insert(xyz.end(), {x[i], y[i], z[i]});
      records.push_back({x[i], y[i], z[i], m[i]});
    }
  }
};

/// The largest error of an acceleration, relative to the reference's largest.
template <class Found>
double error(const std::vector<Vec4<long double>>& right, const Found& found, double factor = G) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const Vec3<double> exact{factor * double(right[i].x), factor * double(right[i].y),
                             factor * double(right[i].z)};
    const auto a = found(i);
    take_larger(worst, norm(Vec3<double>{a.x - exact.x, a.y - exact.y, a.z - exact.z}));
    largest = std::max(largest, norm(exact));
  }
  return worst / largest;
}

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
    return "accepted";
  } catch (const Error& e) {
    return e.what();
  }
}

}  // namespace

TEST(Forces, AreRightInEveryLayout) {
  const Sphere s(700);
  const auto right = reference::pulls(s.records, s.records, {eps}, {});
  const ForceOptions law{.softening = eps, .G = G, .potential = true};

  const auto field = accelerations({s.x, s.y, s.z}, s.m, law);
  EXPECT_LT(error(right, [&](std::size_t i) { return field.accelerations[i]; }), 1e-6);
  for (std::size_t i = 0; i < right.size(); ++i)
    EXPECT_NEAR(field.potentials[i], G * double(right[i].w), 1e-5 * std::abs(G * double(right[i].w)));

  // The same bits whatever the layout; only one that asks for potentials may round otherwise.
  const auto plain = accelerations(s.xyz, s.m, {.softening = eps, .G = G});
  EXPECT_TRUE(plain.potentials.empty());
  std::vector<double> ax(700), ay(700), az(700), a(2100);
  GravitySolver solver({.softening = eps, .G = G});
  solver.accelerations({s.x, s.y, s.z}, s.m, {ax, ay, az});
  solver.accelerations(s.xyz, s.m, a);
  std::vector<Vec4<double>> records(700);
  solver.accelerations(s.records, records);
  for (std::size_t i = 0; i < 700; ++i) {
    EXPECT_EQ(plain.accelerations[i], (Vec3<double>{ax[i], ay[i], az[i]}));
    EXPECT_EQ(plain.accelerations[i], (Vec3<double>{a[3 * i], a[3 * i + 1], a[3 * i + 2]}));
    EXPECT_EQ(plain.accelerations[i], records[i].xyz());
    EXPECT_EQ(records[i].w, 0);
  }
  EXPECT_EQ(solver.kernel(), "cpu/symmetric");
}

TEST(Forces, HaveThePrecisionThatIsAskedFor) {
  const Sphere s(300);
  const auto right = reference::pulls(s.records, s.records, {eps}, {});
  const auto worst = [&](Precision p) {
    const auto f = accelerations(s.xyz, s.m, {.softening = eps, .G = G, .precision = p});
    return error(right, [&](std::size_t i) { return f.accelerations[i]; });
  };
  EXPECT_LT(worst(Precision::f64), 1e-14);
  EXPECT_LT(worst(Precision::mixed), 1e-6);
  EXPECT_LT(worst(Precision::f32), 1e-5);

  const std::vector<float> xyz(s.xyz.begin(), s.xyz.end()), m(s.m.begin(), s.m.end());
  std::vector<Mass<double>> rounded;
  for (std::size_t i = 0; i < m.size(); ++i)
    rounded.push_back({xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2], m[i]});
  const auto exact = reference::pulls(rounded, rounded, {eps}, {});
  for (const auto p : {Precision::f32, Precision::mixed, Precision::f64}) {
    const auto f = accelerations(xyz, m, {.softening = eps, .precision = p});
    EXPECT_LT(error(
                  exact,
                  [&](std::size_t i) {
                    const auto v = f.accelerations[i];
                    return Vec3<double>{v.x, v.y, v.z};
                  },
                  1),
              p == Precision::f32 ? 1e-5 : 1e-6);
  }
}

TEST(Forces, AtTargetsApartFromTheSourcesBySumsAndByATree) {
  const Sphere s(3000), t(200);
  const auto right = reference::pulls(t.records, s.records, {eps}, {}, reference::none);
  for (const char* kernel : {"auto", "cpu/simd", "cpu/fmm order=5 theta=0.5"}) {
    std::vector<double> a(600), w(200);
    GravitySolver solver({.softening = eps, .G = G, .kernel = kernel});
    solver.accelerations_at(t.xyz, s.xyz, s.m, a, w);
    const auto found = [&](std::size_t i) { return Vec3<double>{a[3 * i], a[3 * i + 1], a[3 * i + 2]}; };
    EXPECT_LT(error(right, found), 1e-3) << kernel;
    for (std::size_t i = 0; i < 200; ++i)
      EXPECT_NEAR(w[i], G * double(right[i].w), 1e-3 * std::abs(G * double(right[i].w))) << kernel;
  }
}

TEST(Forces, MeetAnAccuracyAndKeepTheMethodThatTheyFound) {
  const Sphere s(20000);
  GravitySolver solver({.softening = eps, .accuracy = 1e-3});
  std::vector<double> a(60000), again(60000);
  solver.accelerations(s.xyz, s.m, a);
  const auto kernel = solver.kernel();
  const auto sample = [&] {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < 500; ++i) chosen.push_back(40 * i);
    return chosen;
  }();
  const auto exact = reference::pulls(sample, s.records, {eps}, {});
  std::vector<double> errors;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const std::size_t i = 3 * sample[k];
    const Vec3<double> right{double(exact[k].x), double(exact[k].y), double(exact[k].z)};
    errors.push_back(norm(Vec3<double>{a[i] - right.x, a[i + 1] - right.y, a[i + 2] - right.z}) /
                     norm(right));
  }
  std::ranges::sort(errors);
  // The planner looks at another sample, whose last per cent may differ by half.
  EXPECT_LT(errors[494], 1.5e-3) << kernel << ": " << solver.why();
  solver.accelerations(s.xyz, s.m, again);
  EXPECT_EQ(a, again);
  EXPECT_EQ(solver.kernel(), kernel);
}

TEST(Forces, InAPeriodicBoxDoNotAskWhereInWhichImageABodyIs) {
  const Sphere s(100);
  auto shifted = s.xyz;
  for (std::size_t i = 0; i < shifted.size(); i += 5) shifted[i] += 64;
  for (const auto images : {Images::nearest, Images::all}) {
    const ForceOptions law{.softening = eps,
                           .box = {.periodic = true, .length = {64, 64, 64}, .images = images}};
    const auto here = accelerations(s.xyz, s.m, law), there = accelerations(shifted, s.m, law);
    for (std::size_t i = 0; i < 100; ++i)
      EXPECT_LT(norm(here.accelerations[i] - there.accelerations[i]),
                1e-6 * (1 + norm(here.accelerations[i])));
  }
}

TEST(Forces, DoNotDependOnTheNumberOfThreads) {
  const Sphere s(5000);
  for (const char* kernel : {"auto", "cpu/fmm order=4 theta=0.6"}) {
    const auto one =
        accelerations(s.xyz, s.m, {.softening = eps, .kernel = kernel, .context = {.threads = 1}});
    const auto two =
        accelerations(s.xyz, s.m, {.softening = eps, .kernel = kernel, .context = {.threads = 2}});
    EXPECT_TRUE(one.accelerations == two.accelerations) << kernel;
  }
}

TEST(Forces, OfFewOrMasslessBodies) {
  const std::vector<double> none, one{1, 2, 3}, mass{2}, three{0, 0, 0, 1, 0, 0, 2, 0, 0}, massless{0, 0, 0};
  EXPECT_TRUE(accelerations(none, none).accelerations.empty());
  const auto alone = accelerations(one, mass, {.potential = true});
  EXPECT_EQ(alone.accelerations[0], (Vec3<double>{}));
  EXPECT_EQ(alone.potentials[0], 0);
  for (const char* kernel : {"auto", "cpu/fmm order=4 theta=0.6"})
    for (const auto& a : accelerations(three, massless, {.kernel = kernel}).accelerations)
      EXPECT_EQ(a, (Vec3<double>{}));
}

TEST(Forces, RefuseWhatDoesNotFitInWords) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> xyz{0, 0, 0, 1, 0, 0}, m{1, 2}, short_x{0}, negative{1, -2},
      nowhere{0, 0, 0, nan, 0, 0};
  EXPECT_EQ(refusal([&] { (void)accelerations(xyz, short_x); }), "masses has 1 elements for 2 bodies");
  EXPECT_EQ(refusal([&] {
              (void)accelerations({m, m, short_x}, m);
            }),
            "x, y and z must be of one size, not 2, 2 and 1");
  EXPECT_EQ(refusal([&] { (void)accelerations(m, m); }),
            "an array of triples x y z must hold 3 numbers for each body, not 2 in all");
  EXPECT_EQ(refusal([&] { (void)accelerations(xyz, m, {.softening = -1}); }),
            "softening = -1 must be finite and >= 0");
  EXPECT_EQ(refusal([&] { (void)accelerations(xyz, m, {.G = nan}); }), "G = nan must be finite and > 0");
  EXPECT_EQ(refusal([&] { (void)accelerations(xyz, m, {.accuracy = 2}); }),
            "accuracy = 2 must be from 0 to 0.1; 0: direct sums");
  EXPECT_EQ(refusal([&] { (void)accelerations(xyz, negative); }),
            "body 1 has mass -2: it must be finite and >= 0");
  EXPECT_EQ(refusal([&] { (void)accelerations(nowhere, m); }),
            "body 1 is at (nan, 0, 0): each must be finite and at most 1e18");
  EXPECT_NE(refusal([&] { (void)accelerations(xyz, m, {.kernel = "cpu/smid"}); }).find("did you mean"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              (void)accelerations(xyz, m, {.box = {.periodic = true, .length = {1, 0, 1}}});
            }).find("periodic box"),
            std::string::npos);
}
