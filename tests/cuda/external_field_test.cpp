/// External potentials on GPUs, or their emulation: the field of every kind, orbits, energies, and the same
/// bits on one GPU and on two, whatever is asked for between steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/external_field.hpp"

#include "core/larger.hpp"
#include "cuda/device/device.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/field_tables.hpp"
#include "cuda/gpu.hpp"
#include "engine/device.hpp"
#include "sizes.hpp"
#include "unit/scratch.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/save.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

using ExternalFieldOnAGpu = Gpu;

/// One potential of each kind, with its parameters at 0.7 or the nearest that is allowed. `moving`: some of
/// them move, rotate, grow.
std::vector<Potential> of_every_kind(bool moving = false) {
  std::vector<Potential> all;
  for (std::size_t kind = 0; kind < potential_kinds().size(); ++kind) {
    if (potential_kinds()[kind].name == "hill") continue;  // moves no body by its field
    Potential p;
    p.kind = static_cast<int>(kind);
    const auto& parameters = potential_kinds()[kind].parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      p.parameters[i] = std::clamp(0.7, parameters[i].low, parameters[i].high);
    // The scales of the Milky Way: masses of its parts near 1.
    if (potential_kinds()[kind].name == "milky-way") p.parameters[0] = 0.2, p.parameters[1] = 1e-11;
    if (potential_kinds()[kind].name == "table")
      p.table = potential_of("table rows=0.3,0.1,1,0.5,3,0.7").table;
    p.centre = {0.1, -0.2, 0.3};
    if (moving) {
      p.angle = 0.3, p.omega = 1.7 - 0.2 * double(kind);
      if (kind % 2 == 0) p.velocity = {0.3, -0.2, 0.1};
      if (kind % 3 == 0) p.rise_from = -0.02, p.rise_to = 0.03;
      if (kind % 4 == 0) p.e_fold = -0.5;
    }
    all.push_back(p);
  }
  return all;
}

template <class Real>
void expect_field(const std::vector<Potential>& potentials, double G, double time) {
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
  cuda::FieldTables tables;
  const auto instants = tables.instants(potentials, time, stream.get());
  cuda::add_external_field<Real>(instants, G, bodies.data(), added.data(), x.size(), stream.get());
  cuda::external_potentials<Real>(instants, G, bodies.data(), phi.data(), x.size(), stream.get());
  std::vector<Vec4<Real>> found(x.size()), found_phi(x.size());
  added.copy_to_host(found), phi.copy_to_host(found_phi);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto f =
        field_at(potentials, G, Vec3<double>{double(x[i].x), double(x[i].y), double(x[i].z)}, time);
    const auto a = f.acceleration * (1 / G);
    const Vec3<double> expected{double(sums[i].x) + a.x, double(sums[i].y) + a.y, double(sums[i].z) + a.z},
        is{double(found[i].x), double(found[i].y), double(found[i].z)};
    // Contracted products and other roundings of functions, in double precision; a rounding to Real for each
    // of at most three launches.
    EXPECT_LE(norm(is - expected), 4 * u * norm(expected) + 64 * 0x1p-53 * norm(a)) << i;
    EXPECT_EQ(found[i].w, sums[i].w);
    // The sums of the launches may be larger than that of all: a rounding of each, and of each addition.
    double sizes = 1;
    for (const auto& p : potentials)
      sizes +=
          2 / G *
          std::abs(field_at({&p, 1}, G, {double(x[i].x), double(x[i].y), double(x[i].z)}, time).potential);
    EXPECT_LE(std::abs(double(found_phi[i].w) - 2 * f.potential / G), (6 * u + 64 * 0x1p-53) * sizes) << i;
    EXPECT_EQ(found_phi[i].x, 0);
  }
}

Gravity in_every_potential(bool moving = false) {
  return {.G = 1.5, .softening = {0.05}, .potentials = of_every_kind(moving)};
}
Snapshot cluster(int n) {
  auto s = make_model("plummer", std::vector<std::string>{fmt::format("n={}", n)}, 3);
  s.G = 1.5;
  return s;
}
Simulation simulation(const Snapshot& start, const std::string& method, Precision precision, int gpus,
                      const char* integrator = "kdk", bool moving = false) {
  const EngineOptions options{.precision = precision, .method = force_method_of(method), .gpus = gpus};
  return Simulation(start, in_every_potential(moving),
                    Method{.integrator = &integrator_named(integrator), .dt = 1.0 / 256}, options);
}
double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) take_larger(largest, norm(a.position(i) - b.position(i)));
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
  const std::size_t kinds = of_every_kind().size();
  std::vector<std::vector<Potential>> sets{of_every_kind()};
  for (const auto& p : of_every_kind()) sets.push_back({p});
  for (std::size_t k = 0; k + 1 < kinds; ++k)  // more than one launch takes
    sets[0].insert(sets[0].end(), sets[1 + k].begin(), sets[1 + k].end());
  while (sets[0].size() < 70) sets[0].push_back(sets[0][sets[0].size() % kinds]);
  sets.push_back(of_every_kind(true));
  for (const auto& set : sets)
    for (const double G : {1.0, 2.5}) {
      SCOPED_TRACE(lines_of(set));
      expect_field<float>(set, G, 0.013);
      expect_field<double>(set, G, 0.013);
    }
}

TEST_F(ExternalFieldOnAGpu, MovesBodiesAsOnTheHost) {
  const auto start = cluster(test::emulated_size(200, 70));
  for (const auto& [integrator, moving] : {std::pair("kdk", false), std::pair("yoshida6", false),
                                           std::pair("kdk", true), std::pair("yoshida6", true)}) {
    auto host = simulation(start, "cpu/threads", Precision::f64, 1, integrator, moving);
    const int steps = test::emulated_size(32, 12);
    host.make_steps(steps);
    for (const auto& [method, precision] : methods) {
      auto gpu = simulation(start, method, precision, 1, integrator, moving);
      gpu.make_steps(steps);
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
  const auto start = cluster(test::emulated_size(500, 140));
  for (const auto& [method, precision] : methods)
    for (const int gpus : {1, 2}) {
      if (gpus > device_count()) continue;
      auto sim = simulation(start, method, precision, gpus, "kdk", true);
      sim.make_steps(3);
      const auto found = sim.energies(),
                 exact = direct_energies(sim.snapshot().bodies, in_every_potential(true), sim.time());
      const double tree = std::string(method).find("order") != std::string::npos ? 1e-4 : 0;
      EXPECT_NEAR(found.potential, exact.potential,
                  (tree + (precision == Precision::f64 ? 1e-13 : 1e-6)) * std::abs(exact.potential))
          << method << ", " << gpus;
      EXPECT_NEAR(found.external, exact.external,
                  (precision == Precision::f64 ? 1e-13 : 1e-6) * std::abs(exact.external))
          << method << ", " << gpus;
    }
}

TEST_F(ExternalFieldOnAGpu, GivesTheSameBitsOnAnyNumberOfGpusHoweverTheRunIsCut) {
  const test::Folder folder;
  const auto start = cluster(test::emulated_size(300, 140));
  for (const auto& [method, precision] : methods)
    for (const bool moving : {false, true}) {
      SCOPED_TRACE(method);
      auto whole = simulation(start, method, precision, 1, "kdk", moving);
      whole.make_steps(12);
      for (const int gpus : {1, 2}) {
        if (gpus > device_count()) continue;
        auto cut = simulation(start, method, precision, gpus, "kdk", moving);
        cut.make_steps(5);
        (void)cut.totals();
        cut.expect_potentials();
        cut.make_steps(1);
        (void)cut.snapshot_with_fields();
        save(cut, folder.path);
        auto loaded = load(folder.path, {});
        loaded.make_steps(6);
        EXPECT_EQ(loaded.snapshot().bodies, whole.snapshot().bodies) << gpus << ", " << moving;
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

/// Free drifts on epicycles beside the kicks of another field, on any number of GPUs; energies have the
/// tide's.
TEST_F(ExternalFieldOnAGpu, DriftsInHillsFrameAsOnTheHost) {
  const test::Folder folder;
  const auto start = cluster(test::emulated_size(200, 70));
  const std::vector<std::string> potentials{"hill rate=0.7 kappa=1.1 nu=0.9", "plummer mass=1 scale=2"};
  const Gravity gravity{.G = 1.5, .softening = {0.05}, .potentials = potentials_of(potentials)};
  const auto begun = [&](const std::string& method, Precision precision, const char* integrator,
                         int gpus = 1) {
    return Simulation(start, gravity, Method{.integrator = &integrator_named(integrator), .dt = 1.0 / 256},
                      EngineOptions{.precision = precision, .method = force_method_of(method), .gpus = gpus});
  };
  const std::array kinds{"kdk", "dkd", "forest-ruth"};
  bool divided = false;
  for (const auto* integrator : kinds) {
    auto host = begun("cpu/threads", Precision::f64, integrator);
    host.make_steps(32);
    for (const auto& [method, precision] : methods) {
      auto gpu = begun(method, precision, integrator);
      gpu.make_steps(20);
      save(gpu, folder.path);
      auto loaded = load(folder.path, {});
      gpu.make_steps(12), loaded.make_steps(12);
      EXPECT_EQ(loaded.snapshot().bodies, gpu.snapshot().bodies) << method << ", " << integrator;
      const bool tree = std::string(method).find("order") != std::string::npos;
      EXPECT_LE(distance(gpu.snapshot().bodies, host.snapshot().bodies), tree                          ? 1e-3
                                                                         : precision == Precision::f64 ? 1e-12
                                                                         : precision == Precision::mixed
                                                                             ? 1e-6
                                                                             : 2e-5)
          << method << ", " << integrator;
      if (device_count() > 1 && integrator == kinds.front()) {
        auto two = begun(method, precision, integrator, 2);
        divided = divided || two.describe().gpus == 2;  // not where steps are fused without these drifts
        two.make_steps(20), two.make_steps(12);
        EXPECT_EQ(two.snapshot().bodies, gpu.snapshot().bodies) << method;
        EXPECT_EQ(two.energies().total(), gpu.energies().total()) << method;
      }
      const auto found = gpu.energies(), exact = direct_energies(gpu.snapshot().bodies, gravity);
      EXPECT_NEAR(found.potential, exact.potential,
                  (tree                          ? 1e-4
                   : precision == Precision::f64 ? 1e-13
                                                 : 1e-6) *
                      std::abs(exact.potential))
          << method;
    }
  }
  EXPECT_EQ(divided, device_count() > 1);
}

}  // namespace pleiad
