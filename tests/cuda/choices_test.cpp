/// Every candidate of the tuner, in every shape: the same forces to rounding, and the same runs. A tuned
/// choice never changes an answer beyond that.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/conformance.hpp"
#include "bench/published/catalogue.hpp"
#include "engine/device_engine.hpp"
#include "gpu.hpp"
#include "sizes.hpp"
#include "tune/candidates.hpp"
#include "tune/tuner.hpp"

#include <pleiad/error.hpp>

#include <cmath>

namespace pleiad {
namespace {

constexpr std::size_t n = 152;  // 2^7.25, rounded down: a number of the tuner's that fills no block
constexpr double G = 2, eps = 0.0625;

Catalogue emulated() { return {all_cuda_kernels(), all_cuda_step_kernels()}; }

tune::Case case_for(Precision precision, bool periodic, Masses masses) {
  return {.where = Device::cuda,
          .device = "emulated GPU",
          .precision = precision,
          .n = n,
          .periodic = periodic,
          .masses = masses};
}

template <class P>
std::unique_ptr<Engine> make(const Bodies& bodies, const Gravity& gravity, const Choice& choice) {
  return std::make_unique<DeviceEngine<P>>(bodies, gravity, choice, conformance::precision_of<P>);
}
std::unique_ptr<Engine> make_any(const Bodies& bodies, const Gravity& gravity, const EngineOptions& options) {
  const Choice choice{.method = *options.method, .gpus = options.gpus};
  if (options.precision == Precision::f32) return make<F32>(bodies, gravity, choice);
  if (options.precision == Precision::f64) return make<F64>(bodies, gravity, choice);
  return make<Mixed>(bodies, gravity, choice);
}

/// The tuner leaves such shapes out. In a periodic box some rungs take only one of their shapes.
bool too_many_for_the_shape(const std::exception& e) {
  return std::string_view(e.what()).find("not compiled in this shape for 152 bodies") !=
         std::string_view::npos;
}

/// At rest, in the unit box, on a grid of 2^-12 of it as the scenes are.
Bodies resting(Masses masses) {
  Bodies b;
  const auto cell = [](double x) { return std::floor(4096 * (x - std::floor(x))) / 4096; };
  for (std::size_t i = 0; i < n; ++i)
    b.add(masses == Masses::equal ? 0.0078125 : 0.0078125 * (1 + double(i % 4)),
          {cell(0.618 * double(i)), cell(0.7548 * double(i)), cell(0.5698 * double(i))}, {0, 0, 0});
  return b;
}

/// A step so short that nothing moves by a rounding gives velocities of G dt times the pulls: two halves,
/// each exact but for one rounding.
template <class P>
void expect_forces(bool periodic, Masses masses) {
  using S = typename P::Sum;
  const double dt = 0x1p-40;
  const auto bodies = resting(masses);
  const Gravity gravity{.G = G, .softening = {eps}, .boundary = {periodic, {1, 1, 1}}, .dimension = 3};
  std::vector<Mass<double>> sources;
  for (std::size_t i = 0; i < n; ++i)
    sources.push_back({bodies.x[i], bodies.y[i], bodies.z[i], bodies.mass[i]});
  const auto wanted = conformance::expected(sources, sources, gravity.softening, gravity.boundary, 0);
  const auto choices = tune::candidates(case_for(conformance::precision_of<P>, periodic, masses), emulated());
  EXPECT_GE(choices.size(), periodic ? 20U : 40U);
  for (const auto& choice : choices) {
    std::vector<Vec4<S>> sums;
    Bodies after = bodies;
    try {
      const auto engine = make<P>(bodies, gravity, choice);
      engine->advance({.integrator = &integrator_named("kdk"), .dt = dt}, 1);
      engine->copy_to_host(after);
    } catch (const UsageError& e) {
      EXPECT_TRUE(periodic || too_many_for_the_shape(e)) << text_of(choice.method) << ": " << e.what();
      continue;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const auto v = (1 / (G * dt)) * after.velocity(i);
      sums.push_back({S(v.x), S(v.y), S(v.z), S(0)});
    }
    const double moved = conformance::moved_by<P>(*choice.method.kernel, sources);
    const auto errors = conformance::errors<P>(sums, wanted, conformance::extent_of(sources), false, moved);
    EXPECT_LE(errors.worst, 1) << text_of(choice.method) << ", " << name_of(conformance::precision_of<P>)
                               << (periodic ? ", periodic" : "") << ", masses " << name_of(masses);
  }
}

/// 16 steps with each candidate end where those of the first end: forces of at most 0.385 G M / eps^2 that
/// differ by 2 x 48 roundings of the magnitudes pulling, positions of at most 1 rounded twice a step, and
/// differences that grow by exp(t sqrt(G M / eps^3)), less than 4 in this time.
template <class P>
void expect_runs(Masses masses) {
  constexpr std::uint64_t steps = 16;
  const double dt = 0x1p-11, t = double(steps) * dt, u = std::is_same_v<P, F64> ? 0x1p-53 : 0x1p-24;
  const auto bodies = resting(masses);
  const Gravity gravity{.G = G, .softening = {eps}, .boundary = {}, .dimension = 3};
  double mass = 0;
  for (const double m : bodies.mass) mass += m;
  const double pull = 0.385 * G * mass / (eps * eps), steepness = 2 * G * mass / (eps * eps * eps);
  // Mixed and the scaled source round positions once more, by up to 2^-24 of the extent.
  const double bound = 4 * (u * 4 * double(steps) + (96 * u * pull + 4 * u * steepness) * t * t / 2);
  ASSERT_LE(t * std::sqrt(G * mass / (eps * eps * eps)), std::log(4.0));
  std::optional<Bodies> first;
  for (const auto& choice :
       tune::candidates(case_for(conformance::precision_of<P>, false, masses), emulated())) {
    Bodies after = bodies;
    try {
      const auto engine = make<P>(bodies, gravity, choice);
      engine->advance({.integrator = &integrator_named("kdk"), .dt = dt}, steps);
      engine->copy_to_host(after);
    } catch (const UsageError& e) {
      EXPECT_TRUE(too_many_for_the_shape(e)) << text_of(choice.method) << ": " << e.what();
      continue;
    }
    if (!first) first = after;
    double worst = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double off = norm(after.position(i) - first->position(i));
      worst = off <= worst ? worst : off;
    }
    EXPECT_LE(worst, bound) << text_of(choice.method) << ", " << name_of(conformance::precision_of<P>);
  }
}

}  // namespace

using Choices = Gpu;

TEST_F(Choices, AllGiveTheForcesOfTheReference) {
  for (const bool periodic : {false, true})
    for (const auto masses : {Masses::equal, Masses::any}) {
      expect_forces<F32>(periodic, masses);
      expect_forces<F64>(periodic, masses);
      expect_forces<Mixed>(periodic, masses);
    }
}
TEST_F(Choices, AllRunAlike) {
  expect_runs<Mixed>(Masses::any);
  if (!test::emulated_size(true, false)) return;
  expect_runs<F32>(Masses::equal);
  expect_runs<F64>(Masses::any);
}
/// The whole tuner on the engine: it measures what can be measured, and its winner computes.
TEST_F(Choices, OfTheTunerCompute) {
  const auto what = case_for(Precision::mixed, false, Masses::equal);
  const auto table =
      tune::measure(what, tune::candidates(what, emulated()), {}, make_any, {.seconds = 1, .shortest = 1e-4});
  EXPECT_GT(table.front().seconds, 0);
  for (const auto& m : table)
    EXPECT_TRUE(m.left_out.empty() || m.left_out == "no time was left for it" ||
                too_many_for_the_shape(std::runtime_error(m.left_out)))
        << text_of(m.method) << ": " << m.left_out;
}

}  // namespace pleiad
