/// Accelerations of bodies in a GPU's memory that is the caller's, or on its emulation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/gpu.hpp"
#include "reference/reference.hpp"

#include <pleiad/error.hpp>
#include <pleiad/forces.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pleiad;

namespace {

using ForcesOnAGpu = Gpu;
constexpr double eps = 0.05, G = 2;

template <class T>
std::vector<Mass<T>> sphere(double n) {
  const auto b = model("plummer", {{"n", n}}, 5).bodies;
  std::vector<Mass<T>> records;
  for (std::size_t i = 0; i < b.size(); ++i)
    records.push_back({T(b.x[i]), T(b.y[i]), T(b.z[i]), T(b.mass[i])});
  return records;
}

/// Bodies there as separate arrays, and what is found for them.
template <class T>
struct There {
  cuda::Stream stream;
  cuda::Buffer<T> x, y, z, m, a, potentials;
  explicit There(const std::vector<Mass<T>>& b)
      : a(3 * b.size(), stream.get()), potentials(b.size(), stream.get()) {
    const auto column = [&](T Mass<T>::*number) {
      std::vector<T> values;
      for (const auto& each : b) values.push_back(each.*number);
      return cuda::Buffer<T>(std::span<const T>(values), stream.get());
    };
    x = column(&Mass<T>::x), y = column(&Mass<T>::y), z = column(&Mass<T>::z), m = column(&Mass<T>::m);
  }
  OnDevice<T> bodies() {
    return {.positions = {x.data(), y.data(), z.data(), x.size()},
            .masses = m.data(),
            .accelerations = {a.data(), a.data() + 1, a.data() + 2, x.size(), 3},
            .potentials = potentials.data(),
            .stream = stream.get()};
  }
  std::vector<Vec4<T>> found() {
    std::vector<T> triples(a.size()), w(x.size());
    a.copy_to_host(triples), potentials.copy_to_host(w);
    std::vector<Vec4<T>> all;
    for (std::size_t i = 0; i < w.size(); ++i)
      all.push_back({triples[3 * i], triples[3 * i + 1], triples[3 * i + 2], w[i]});
    return all;
  }
};

/// The 99th percentile of the relative errors.
template <class T>
double error(const std::vector<Mass<T>>& bodies, const std::vector<Vec4<T>>& found) {
  std::vector<Mass<double>> wide;
  for (const auto& b : bodies) wide.push_back({double(b.x), double(b.y), double(b.z), double(b.m)});
  const auto right = reference::pulls(wide, wide, {eps}, {});
  std::vector<double> errors;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const auto& r = right[i];
    const Vec3<double> exact{G * double(r.x), G * double(r.y), G * double(r.z)},
        a{found[i].x, found[i].y, found[i].z};
    errors.push_back(norm(a - exact) / norm(exact));
    EXPECT_NEAR(double(found[i].w), G * double(r.w), 1e-2 * std::abs(G * double(r.w)));
  }
  std::ranges::sort(errors);
  return errors[errors.size() * 99 / 100];
}

template <class T>
void check(const ForceOptions& law, double allowed) {
  const auto bodies = sphere<T>(700);
  There<T> there(bodies);
  GravitySolver solver(law);
  solver.accelerations(there.bodies());
  const auto found = there.found();
  EXPECT_LT(error(bodies, found), allowed) << solver.kernel();
  EXPECT_TRUE(solver.kernel().starts_with("cuda/")) << solver.kernel();

  // As records nothing is copied, and the bits are the same.
  const cuda::Buffer<Mass<T>> records(std::span<const Mass<T>>(bodies), there.stream.get());
  cuda::Buffer<Vec4<T>> sums(bodies.size(), there.stream.get());
  solver.accelerations(
      RecordsOnDevice<T>{.bodies = records.span(), .result = sums.span(), .stream = there.stream.get()});
  std::vector<Vec4<T>> again(bodies.size());
  sums.copy_to_host(again);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(again[i].xyz(), found[i].xyz());
    EXPECT_EQ(again[i].w, found[i].w);
  }
}

}  // namespace

TEST_F(ForcesOnAGpu, AreRightInEveryPrecision) {
  const auto law = [](std::optional<Precision> precision) {
    return ForceOptions{.softening = eps, .G = G, .potential = true, .precision = precision};
  };
  check<double>(law({}), 1e-6);
  check<double>(law(Precision::f64), 1e-12);
  check<double>(law(Precision::f32), 1e-5);
  check<float>(law({}), 1e-5);
  check<float>(law(Precision::mixed), 1e-6);
}

TEST_F(ForcesOnAGpu, OfLargeMassesWithoutSofteningAreRight) {
  const double mass = 2e9, far = 3;
  const std::vector<Mass<float>> bodies{{-1.5F, 0, 0, float(mass)}, {1.5F, 0, 0, float(mass)}};
  for (const auto& [kernel, softening] :
       {std::pair{"cuda/tile", 0.0}, {"cuda/tile", 1e-10}, {"cuda/symmetric-fixed-point", 0.0}}) {
    There<float> there(bodies);
    GravitySolver solver({.softening = softening, .G = G, .kernel = kernel});
    auto arrays = there.bodies();
    arrays.potentials = nullptr;
    solver.accelerations(arrays);
    const auto found = there.found();
    const double right = G * mass / (far * far);
    EXPECT_NEAR(found[0].x, right, 1e-6 * right) << kernel;
    EXPECT_NEAR(found[1].x, -right, 1e-6 * right) << kernel;
  }
}

TEST_F(ForcesOnAGpu, ByATreeAreAsAccurateAsOnTheCpu) {
  const auto same = []<class T>(T, const std::string& tree) {
    const auto bodies = sphere<T>(700);
    std::vector<Vec4<T>> on_cpu(bodies.size());
    const ForceOptions law{.softening = eps, .G = G, .potential = true, .kernel = "cpu/" + tree};
    GravitySolver(law).accelerations(bodies, on_cpu);
    auto there = law;
    there.kernel = "cuda/" + tree;
    check<T>(there, 1.1 * error(bodies, on_cpu) + 1e-5);
  };
  same(1.0, "fmm order=5 theta=0.6 leaf=32");
  same(1.0F, "barnes-hut order=3 theta=0.5");
}

TEST_F(ForcesOnAGpu, InAPeriodicBox) {
  const auto bodies = sphere<double>(200);
  auto shifted = bodies;
  for (std::size_t i = 0; i < shifted.size(); i += 3) shifted[i].x += 64;
  There<double> here(bodies), there(shifted);
  GravitySolver solver({.softening = eps, .box = {.periodic = true, .length = {64, 64, 64}}});
  solver.accelerations(here.bodies());
  solver.accelerations(there.bodies());
  const auto a = here.found(), b = there.found();
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_LT(norm(a[i].xyz() - b[i].xyz()), 1e-6 * (1 + norm(a[i].xyz())));
}

namespace {

/// The same at places apart from the bodies, some of them far away, against the CPU.
template <class T>
void check_targets(const ForceOptions& law, const std::string& on_cpu, double allowed,
                   const std::string& kernel) {
  const auto bodies = sphere<T>(700);
  std::vector<Mass<T>> places;
  for (int i = 0; i < 300; ++i) places.push_back({T(std::cos(i)), T(0.02 * i), T(std::sin(i)), 7});
  places[0] = bodies[0], places[1] = {T(40), T(-30), T(20), 7};
  There<T> there(bodies), at(places);
  auto problem = there.bodies();
  const auto answer = at.bodies();
  problem.targets = answer.positions;
  problem.accelerations = answer.accelerations, problem.potentials = answer.potentials;
  problem.stream = there.stream.get();
  cuda::wait(at.stream.get());
  GravitySolver solver(law);
  solver.accelerations(problem);
  cuda::wait(there.stream.get());
  EXPECT_TRUE(solver.kernel().starts_with(kernel)) << solver.kernel() << ": " << solver.why();
  const auto found = at.found();

  std::vector<T> x, m, targets, right(3 * places.size()), potentials(places.size());
  for (const auto& b : bodies) x.insert(x.end(), {b.x, b.y, b.z}), m.push_back(b.m);
  for (const auto& p : places) targets.insert(targets.end(), {p.x, p.y, p.z});
  auto host = law;
  host.kernel = on_cpu, host.accuracy = 0;
  GravitySolver(host).accelerations_at(std::span<const T>(targets), std::span<const T>(x), m,
                                       std::span<T>(right), potentials);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3<double> a{found[i].x, found[i].y, found[i].z},
        b{right[3 * i], right[3 * i + 1], right[3 * i + 2]};
    EXPECT_LE(norm(a - b), allowed * (norm(b) + 1e-3)) << solver.kernel() << ", target " << i;
    EXPECT_NEAR(double(found[i].w), double(potentials[i]), allowed * std::abs(double(potentials[i])));
  }
}

}  // namespace

TEST_F(ForcesOnAGpu, AtTargetsApartFromTheBodies) {
  const ForceOptions law{.softening = eps, .G = G, .potential = true};
  auto named = [&](const std::string& kernel, std::optional<Precision> precision = {}) {
    auto l = law;
    l.kernel = kernel, l.precision = precision;
    return l;
  };
  check_targets<double>(law, "cpu/threads", 1e-5, "cuda/");
  check_targets<float>(law, "cpu/threads", 1e-4, "cuda/");
  check_targets<double>(named("cuda/tile", Precision::f64), "cpu/threads", 1e-5, "cuda/tile");
  // Kernels whose targets are the bodies leave it to another.
  check_targets<float>(named("cuda/symmetric-fixed-point"), "cpu/threads", 1e-4, "cuda/split-reduced");
  check_targets<double>(named("cuda/fmm order=5 theta=0.5 leaf=32"), "cpu/threads", 1e-2, "cuda/fmm");
  check_targets<float>(named("cuda/barnes-hut order=3 theta=0.4"), "cpu/threads", 1e-2, "cuda/barnes-hut");
  auto box = named("auto");
  box.box = {.periodic = true, .length = {64, 64, 64}};
  check_targets<double>(box, "cpu/threads", 1e-5, "cuda/");
}

TEST_F(ForcesOnAGpu, AtTargetsOfNoBodiesAreNone) {
  There<double> there(sphere<double>(10));
  auto problem = there.bodies();
  problem.targets = problem.positions;
  problem.positions = {}, problem.masses = nullptr;
  GravitySolver({.softening = eps}).accelerations(problem);
  for (const auto& a : there.found()) EXPECT_EQ(norm(a.xyz()), 0);
  problem.targets = Vectors<const double>();
  EXPECT_THROW(GravitySolver({.softening = eps}).accelerations(problem), UsageError);
}

TEST_F(ForcesOnAGpu, WithoutPotentialsWriteNone) {
  const auto bodies = sphere<double>(100);
  There<double> there(bodies);
  there.potentials.set_bytes(0);
  auto arrays = there.bodies();
  arrays.potentials = nullptr;
  GravitySolver({.softening = eps}).accelerations(arrays);
  for (const auto& a : there.found()) EXPECT_EQ(a.w, 0);
}

TEST_F(ForcesOnAGpu, RefuseKernelsOfTheOtherPlace) {
  There<double> there(sphere<double>(10));
  EXPECT_THROW(GravitySolver({.kernel = "cpu/simd"}).accelerations(there.bodies()), UsageError);
  const std::vector<double> xyz(6, 1.0), m(2, 1.0);
  EXPECT_THROW((void)accelerations(xyz, m, {.kernel = "cuda/tile"}), UsageError);
}
