/// Measures steps of test particles on a GPU: many in a launch, and one at a time. pleiad_particle_steps N
/// MASSIVE PRECISION STEPS REPEATS [field]: one JSON object with particle steps and pairs a second of the
/// median batch of STEPS steps, and how far the particles are after 64 of them from those of a run in double
/// precision on the host, on a sample. With `field` in the Milky Way, in kpc, km/s and the mass of the Sun;
/// else in a Plummer sphere of the bodies with mass.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/clock.hpp"
#include "cuda/device/device.hpp"
#include "engine/device_engine.hpp"
#include "engine/host_engine.hpp"

#include <pleiad/error.hpp>
#include <pleiad/integrator.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/models.hpp>
#include <pleiad/potential.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace pleiad;

namespace {

struct Task {
  std::size_t n = 0, massive = 0;
  std::uint64_t steps = 0;
  int repeats = 0;
  bool field = false;
};

/// Numbers in [0, 1), the same in every run (Weyl sequences of irrational steps).
double number(std::size_t i, double step) {
  const double x = (double(i) + 1) * step;
  return x - std::floor(x);
}

/// `massive` bodies of 1e9 solar masses and particles on nearly circular orbits in a thick disc.
Bodies in_milky_way(const Task& task) {
  Bodies b;
  for (std::size_t i = 0; i < task.massive + task.n; ++i) {
    const double r = 3 + 25 * number(i, 0.7548776662466927), angle = 6.2832 * number(i, 0.5698402909980532),
                 z = 2 * number(i, 0.4142135623730951) - 1, v = 200;
    b.add(i < task.massive ? 1e9 : 0, {r * std::cos(angle), r * std::sin(angle), z},
          {-v * std::sin(angle), v * std::cos(angle), 20 * z});
  }
  return b;
}
Bodies in_sphere(const Task& task) {
  auto b = model("plummer", {{"n", double(task.n + task.massive)}}, 1).bodies;
  for (std::size_t i = 0; i < b.size(); ++i) b.mass[i] = i < task.massive ? 1 / double(task.massive) : 0;
  return b;
}

template <class P>
void measure(const Task& task, Precision precision) {
  const auto bodies = task.field ? in_milky_way(task) : in_sphere(task);
  Gravity gravity{.G = task.field ? 4.300917270e-6 : 1, .softening = {task.field ? 0.1 : 0.02}};
  if (task.field) gravity.potentials.push_back(potential_of("milky-way kpc=1 msun=1"));
  const Choice choice{.method = *force_method_of("cuda/split-reduced")};
  DeviceEngine<P> engine(bodies, gravity, choice, precision);
  const StepPlan plan{.integrator = &integrator_named("kdk"), .dt = task.field ? 0x1p-10 : 0x1p-9};
  std::uint64_t made = 0;
  const auto advance = [&](std::uint64_t steps) {
    auto now = plan;
    now.time = plan.time_of(made);
    engine.advance(now, steps);
    made += steps;
  };
  // Few bodies with mass are chaotic: the change of one bit grows to the size of the system within the time
  // that is measured.
  constexpr std::uint64_t compared = 64;
  advance(compared);
  auto found = bodies;
  engine.copy_to_host(found);
  advance(2 * task.steps);
  std::vector<double> fused, single;
  for (int k = 0; k < task.repeats; ++k) fused.push_back(seconds_of([&] { advance(task.steps); }));
  for (int k = 0; k < task.repeats; ++k)
    single.push_back(seconds_of([&] {
                       for (std::uint64_t s = 0; s < 32; ++s) advance(1);
                     }) /
                     32 * double(task.steps));
  const auto median = [](std::vector<double>& all) {
    std::ranges::sort(all);
    return all[all.size() / 2];
  };
  // The bodies with mass and every so many particles.
  Bodies some;
  std::vector<std::size_t> chosen;
  const std::size_t stride = std::max<std::size_t>(1, task.n / 500);
  for (std::size_t i = 0; i < bodies.size(); i += i + 1 < task.massive ? 1 : stride) {
    some.add(bodies.mass[i], bodies.position(i), bodies.velocity(i));
    chosen.push_back(i);
  }
  HostEngine<F64> host(some, gravity, {.method = *force_method_of("cpu/threads")}, Precision::f64);
  host.advance(plan, compared);
  host.copy_to_host(some);
  std::vector<double> errors;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (!(some.mass[k] > 0))
      errors.push_back(norm(found.position(chosen[k]) - some.position(k)) / norm(some.position(k)));
  std::ranges::sort(errors);
  const double seconds = median(fused), slow = median(single),
               particle_steps = double(task.n) * double(task.steps);
  const auto d = cuda::device_facts();
  std::printf(
      "{\"device\": \"%s\", \"particles\": %zu, \"massive\": %zu, \"field\": \"%s\", \"precision\": \"%s\", "
      "\"integrator\": \"kdk\", \"steps\": %llu, \"ms_per_step\": %.6g, \"particle_steps_per_s\": %.5g, "
      "\"pairs_per_s\": %.5g, \"fastest_ms_per_step\": %.6g, \"slowest_ms_per_step\": %.6g, "
      "\"single_steps_ms_per_step\": %.6g, \"error_after_steps\": %llu, \"error_median\": %.3g, "
      "\"error_99\": %.3g}\n",
      std::string(d.name).c_str(), task.n, task.massive, task.field ? "milky-way" : "",
      std::string(name_of(precision)).c_str(), static_cast<unsigned long long>(task.steps),
      1e3 * seconds / double(task.steps), particle_steps / seconds,
      particle_steps * double(task.massive) / seconds, 1e3 * fused.front() / double(task.steps),
      1e3 * fused.back() / double(task.steps), 1e3 * slow / double(task.steps),
      static_cast<unsigned long long>(compared), errors[errors.size() / 2], errors[errors.size() * 99 / 100]);
  if (!(errors[errors.size() * 99 / 100] <= 0.01))
    throw NumericalError("the particles are not where those of the host are");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6 || argc > 7 || (argc == 7 && std::string_view(argv[6]) != "field")) {
    std::fprintf(stderr, "pleiad_particle_steps N MASSIVE PRECISION STEPS REPEATS [field]\n");
    return 2;
  }
  try {
    const auto precision = precision_named(argv[3]);
    const Task task{.n = std::strtoull(argv[1], nullptr, 10),
                    .massive = std::strtoull(argv[2], nullptr, 10),
                    .steps = std::max(1ULL, std::strtoull(argv[4], nullptr, 10)),
                    .repeats = std::max(1, std::atoi(argv[5])),
                    .field = argc == 7};
    if (precision == Precision::f32) measure<F32>(task, precision);
    else if (precision == Precision::f64) measure<F64>(task, precision);
    else measure<Mixed>(task, precision);
  } catch (const Error& e) {
    std::fprintf(stderr, "pleiad_particle_steps: %s\n", e.what());
    return 4;
  }
  return 0;
}
