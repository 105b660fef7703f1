/// A thousand steps of a Plummer sphere on the GPU and on the CPU: C7 of the physics catalogue where they
/// end.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "gpu.hpp"

#include <pleiad/direct.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/models.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pleiad;

namespace {

struct Distances {
  double median, largest;
};

/// |da| / |a|, sorted.
Distances between(const Snapshot& a, const Snapshot& b) {
  std::vector<double> relative;
  for (std::size_t i = 0; i < a.ax.size(); ++i) {
    const Vec3<double> one{a.ax[i], a.ay[i], a.az[i]}, two{b.ax[i], b.ay[i], b.az[i]};
    relative.push_back(norm(one - two) / norm(two));
  }
  std::sort(relative.begin(), relative.end(), [](double p, double q) { return p < q || std::isnan(q); });
  return {relative[relative.size() / 2], relative.back()};
}

}  // namespace

using GpuRun = Gpu;

TEST_F(GpuRun, AgreesWithTheCpuAfterAThousandSteps) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=1024"}, 1).bodies;
  const Gravity gravity{.G = 1, .softening = {0.05}, .boundary = {}, .dimension = 3};
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 1.0 / 512};
  for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
    const auto gpu = make_engine(start, gravity, {.precision = precision, .kernel = "cuda/tile"});
    const auto cpu = make_engine(start, gravity, {.precision = precision, .backend = "cpu"});
    const double energy = cpu->energies().total();
    gpu->advance(plan, 1000);
    cpu->advance(plan, 1000);
    // Close encounters make rounding differences grow, but not in the energy, which both conserve to some
    // 1e-6 with this step: it differs by less than that error.
    EXPECT_LE(std::abs(gpu->energies().total() - cpu->energies().total()), 2e-6 * std::abs(energy))
        << name_of(precision);
    Bodies end = start;
    gpu->copy_to_host(end);
    cpu->load(end);
    Snapshot of_gpu, of_cpu;
    gpu->fields(of_gpu);
    cpu->fields(of_cpu);
    const auto d = between(of_gpu, of_cpu);
    // Median and largest for forces; |a| is a sum of 1024 pulls that partly cancel.
    EXPECT_LE(d.median, precision == Precision::f64 ? 1e-13 : 5e-7) << name_of(precision);
    EXPECT_LE(d.largest, precision == Precision::f64 ? 1e-11 : 1e-5) << name_of(precision);
  }
}
TEST_F(GpuRun, EveryRungThatCanSimulates) {
  const auto start = make_model("plummer", std::vector<std::string>{"n=500"}, 1).bodies;
  const Gravity gravity{.G = 1, .softening = {0.05}, .boundary = {}, .dimension = 3};
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = 1.0 / 128};
  for (const auto* kernel : direct_kernels()) {
    if (kernel->device != Device::cuda) continue;
    for (const auto precision : {Precision::f64, Precision::mixed, Precision::f32}) {
      if (!kernel->has(precision)) continue;
      const auto engine =
          make_engine(start, gravity, {.precision = precision, .kernel = std::string(kernel->name)});
      const double before = engine->energies().total();
      engine->advance(plan, 64);
      EXPECT_TRUE(engine->finite()) << kernel->name;
      EXPECT_LE(std::abs(engine->energies().total() - before), 1e-4 * std::abs(before))
          << kernel->name << " " << name_of(precision);
    }
  }
}
