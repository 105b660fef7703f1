/// External potentials on GPUs, or their emulation: the field of every kind, orbits, energies, and the same
/// bits on one GPU and on two, whatever is asked for between steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/external_field.hpp"

#include "cuda/device/device.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/gpu.hpp"
#include "engine/device.hpp"
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

using ExternalFieldOnAGpu = Gpu;

/// One potential of each kind, with its parameters at 0.7 or the nearest that is allowed.
std::vector<Potential> of_every_kind() {
  std::vector<Potential> all;
  for (std::size_t kind = 0; kind < potential_kinds().size(); ++kind) {
    Potential p;
    p.kind = static_cast<int>(kind);
    const auto& parameters = potential_kinds()[kind].parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      p.parameters[i] = std::clamp(0.7, parameters[i].low, parameters[i].high);
    p.centre = {0.1, -0.2, 0.3};
    all.push_back(p);
  }
  return all;
}

template <class Real>
void expect_field(const std::vector<Potential>& potentials, double G) {
  constexpr double u = std::is_same_v<Real, float> ? 0x1p-24 : 0x1p-53;
  std::vector<Mass<Real>> x;
  std::vector<Vec4<Real>> sums;
  for (int i = 0; i < 1000; ++i) {
    const double r = std::pow(10.0, 4.0 * i / 1000 - 2), t = i;
    x.push_back({Real(r * std::sin(t)), Real(r * std::cos(t)), Real(r * std::sin(2 * t)), Real(0.5)});
    sums.push_back({Real(0.1 * std::sin(t)), Real(0.2), Real(-0.3), Real(i)});
  }
  x[0] = {Real(0.1), Real(-0.2), Real(0.3), 1};
  const cuda::Stream stream;
  const cuda::Buffer<Mass<Real>> bodies(std::span<const Mass<Real>>(x), stream.get());
  cuda::Buffer<Vec4<Real>> added(std::span<const Vec4<Real>>(sums), stream.get()),
      phi(x.size(), stream.get());
  cuda::add_external_field<Real>(potentials, G, bodies.data(), added.data(), x.size(), stream.get());
  cuda::external_potentials<Real>(potentials, G, bodies.data(), phi.data(), x.size(), stream.get());
  std::vector<Vec4<Real>> found(x.size()), found_phi(x.size());
  added.copy_to_host(found), phi.copy_to_host(found_phi);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto f = field_at(potentials, G, Vec3<double>{double(x[i].x), double(x[i].y), double(x[i].z)});
    const auto a = f.acceleration * (1 / G);
    const Vec3<double> expected{double(sums[i].x) + a.x, double(sums[i].y) + a.y, double(sums[i].z) + a.z},
        is{double(found[i].x), double(found[i].y), double(found[i].z)};
    // Contracted products and other roundings of functions, in double precision; a rounding to Real for each
    // of at most three launches.
    EXPECT_LE(norm(is - expected), 4 * u * norm(expected) + 64 * 0x1p-53 * norm(a)) << i;
    EXPECT_EQ(found[i].w, sums[i].w);
    EXPECT_LE(std::abs(double(found_phi[i].w) - 2 * f.potential / G),
              (4 * u + 64 * 0x1p-53) * (2 * std::abs(f.potential) / G + 1))
        << i;
    EXPECT_EQ(found_phi[i].x, 0);
  }
}

Gravity in_every_potential() { return {.G = 1.5, .softening = {0.05}, .potentials = of_every_kind()}; }
Snapshot cluster(int n) {
  auto s = make_model("plummer", std::vector<std::string>{fmt::format("n={}", n)}, 3);
  s.G = 1.5;
  return s;
}
Simulation simulation(const Snapshot& start, const std::string& method, Precision precision, int gpus,
                      const char* integrator = "kdk") {
  const EngineOptions options{.precision = precision, .method = force_method_of(method), .gpus = gpus};
  return Simulation(start, in_every_potential(),
                    Method{.integrator = &integrator_named(integrator), .dt = 1.0 / 256}, options);
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const double d = norm(a.position(i) - b.position(i)); !(d <= largest)) largest = d;
  return largest;
}
constexpr std::pair<const char*, Precision> methods[]{{"cuda/tile", Precision::f32},
                                                      {"cuda/tile", Precision::mixed},
                                                      {"cuda/fp64-symmetric", Precision::f64},
                                                      {"cuda/mixed-symmetric", Precision::mixed},
                                                      {"cuda/grid-steps", Precision::f64},
                                                      {"cuda/fmm order=4 theta=0.5", Precision::mixed},
                                                      {"cuda/barnes-hut order=1 theta=0.5", Precision::f32}};

}  // namespace

TEST_F(ExternalFieldOnAGpu, IsThatOfTheHost) {
  std::vector<std::vector<Potential>> sets{of_every_kind()};
  for (const auto& p : of_every_kind()) sets.push_back({p});
  for (int k = 0; k < 8; ++k)  // more than one launch takes
    sets[0].insert(sets[0].end(), sets[1 + std::size_t(k)].begin(), sets[1 + std::size_t(k)].end());
  while (sets[0].size() < 70) sets[0].push_back(sets[0][sets[0].size() % 9]);
  for (const auto& set : sets)
    for (const double G : {1.0, 2.5}) {
      SCOPED_TRACE(lines_of(set));
      expect_field<float>(set, G);
      expect_field<double>(set, G);
    }
}

TEST_F(ExternalFieldOnAGpu, MovesBodiesAsOnTheHost) {
  const auto start = cluster(200);
  for (const auto* integrator : {"kdk", "yoshida6"}) {
    auto host = simulation(start, "cpu/threads", Precision::f64, 1, integrator);
    host.make_steps(32);
    for (const auto& [method, precision] : methods) {
      auto gpu = simulation(start, method, precision, 1, integrator);
      gpu.make_steps(32);
      const double tree = std::string(method).find("order") != std::string::npos ? 1e-3 : 0;
      EXPECT_LE(distance(gpu.snapshot().bodies, host.snapshot().bodies),
                tree + (precision == Precision::f64     ? 1e-12
                        : precision == Precision::mixed ? 1e-6
                                                        : 2e-5))
          << method << ", " << integrator;
    }
  }
}

TEST_F(ExternalFieldOnAGpu, IsInTheEnergies) {
  const auto start = cluster(500);
  for (const auto& [method, precision] : methods)
    for (const int gpus : {1, 2}) {
      if (gpus > device_count()) continue;
      auto sim = simulation(start, method, precision, gpus);
      const auto found = sim.energies(), exact = direct_energies(sim.snapshot().bodies, in_every_potential());
      const double tree = std::string(method).find("order") != std::string::npos ? 1e-4 : 0;
      EXPECT_NEAR(found.potential, exact.potential,
                  (tree + (precision == Precision::f64 ? 1e-13 : 1e-6)) * std::abs(exact.potential))
          << method << ", " << gpus;
    }
}

TEST_F(ExternalFieldOnAGpu, GivesTheSameBitsOnAnyNumberOfGpusHoweverTheRunIsCut) {
  const test::Folder folder;
  const auto start = cluster(300);
  for (const auto& [method, precision] : methods) {
    SCOPED_TRACE(method);
    auto whole = simulation(start, method, precision, 1);
    whole.make_steps(12);
    for (const int gpus : {1, 2}) {
      if (gpus > device_count()) continue;
      auto cut = simulation(start, method, precision, gpus);
      cut.make_steps(5);
      (void)cut.totals();
      cut.expect_potentials();
      cut.make_steps(1);
      (void)cut.snapshot_with_fields();
      save(cut, folder.path);
      auto loaded = load(folder.path, {});
      loaded.make_steps(6);
      EXPECT_EQ(loaded.snapshot().bodies, whole.snapshot().bodies) << gpus;
    }
  }
}

/// Steps are not fused: nothing but evaluations and updates knows the field.
TEST_F(ExternalFieldOnAGpu, IsNotLeftOutByFusedSteps) {
  const auto start = cluster(100);
  auto sim = simulation(start, "cuda/grid-steps", Precision::mixed, 1);
  EXPECT_EQ(sim.describe().method.steps, nullptr);
  sim.make_steps(8);
  auto bare = in_every_potential();
  bare.potentials.clear();
  const EngineOptions options{.precision = Precision::mixed, .method = force_method_of("cuda/grid-steps")};
  Simulation without(start, bare, Method{.integrator = &integrator_named("kdk"), .dt = 1.0 / 256}, options);
  without.make_steps(8);
  EXPECT_GT(distance(sim.snapshot().bodies, without.snapshot().bodies), 1e-4);
}

}  // namespace pleiad
