/// Measures one tree on several GPUs: leapfrog steps, with a check that the bits are those of fewer GPUs.
/// pleiad_tree_gpus MODEL N EPS f32|mixed STEPS GPUS [host] -- SETTINGS..., with the models of
/// pleiad_tree_phases, GPUS as in 1,2,4; host: they exchange through the host's memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/state_hash.hpp"
#include "bench/tree_bodies.hpp"
#include "bench/tree_program.hpp"
#include "core/clock.hpp"
#include "engine/device_engine.hpp"
#include "engine/multi_gpu_engine.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace pleiad;

namespace {

struct Task {
  Bodies bodies;
  double eps = 0;
  int steps = 0;
  std::vector<int> gpus;
  std::optional<cuda::Exchange> exchange;
};

template <class P>
std::unique_ptr<Engine> engine_on(int gpus, const Task& task, const TreeSettings& settings) {
  constexpr auto precision = std::is_same_v<P, F32> ? Precision::f32 : Precision::mixed;
  const Gravity gravity{.softening = {task.eps}};
  const Choice choice{.method = {.tree = settings}, .gpus = gpus};
  if (gpus == 1) return std::make_unique<DeviceEngine<P>>(task.bodies, gravity, choice, precision);
  return std::make_unique<MultiGpuEngine<P>>(task.bodies, gravity, choice, precision, task.exchange);
}

template <class P>
void measure(const Task& task, const TreeSettings& settings) {
  const StepPlan step{.integrator = &integrator_named("kdk"), .dt = 1e-4};
  std::string first;
  double of_first = 0;
  for (const int gpus : task.gpus) {
    const auto engine = engine_on<P>(gpus, task, settings);
    engine->advance(step, 3);
    Bodies state = task.bodies;
    engine->copy_to_host(state);
    const auto hash = bench::hash_of([&](auto add) { add(state); });
    if (first.empty()) first = hash;
    if (hash != first) {
      std::printf("%s | %d GPUs | no figure: the state is %s, and %s on %d\n", text_of(settings).c_str(),
                  gpus, hash.c_str(), first.c_str(), task.gpus.front());
      continue;
    }
    std::vector<double> times;
    for (int k = 0; k < task.steps; ++k) times.push_back(1e3 * seconds_of([&] { engine->advance(step, 1); }));
    if (!engine->finite()) throw NumericalError("a position or velocity is not finite");
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    if (of_first == 0) of_first = median;
    const auto d = engine->describe();
    std::printf("%s | %d GPUs | %.3f ms a step (%.3f to %.3f) | speed-up %.2f | %.2f GiB each | %s\n",
                text_of(settings).c_str(), gpus, median, times.front(), times.back(), of_first / median,
                double(d.bytes) / double(gpus) / 0x1p30, hash.c_str());
    std::fflush(stdout);
  }
}

void run(int argc, char** argv) {
  const auto t = bench::told(argc, argv, 2, {"host"},
                             "pleiad_tree_gpus MODEL N EPS f32|mixed STEPS GPUS [host] -- SETTINGS...");
  Task task{.bodies = {},
            .eps = t.eps,
            .steps = bench::number_of("STEPS", t.own[0], 1),
            .gpus = {},
            .exchange = {}};
  if (t.has("host")) task.exchange = cuda::Exchange::host;
  std::istringstream counts(t.own[1]);
  for (std::string count; std::getline(counts, count, ',');)
    task.gpus.push_back(bench::number_of("GPUS", count, 1));
  for (const auto& b : bench::bodies_of(t.model, t.n)) task.bodies.add(b.m, {b.x, b.y, b.z}, {});
  std::printf("%s N=%zu eps=%g %s%s\n", t.model.c_str(), t.n, t.eps, t.precision.c_str(),
              t.has("host") ? ", through the host" : "");
  for (const auto& settings : t.settings)
    (t.precision == "mixed" ? measure<Mixed> : measure<F32>)(task, tree_settings_of(settings));
}

}  // namespace

int main(int argc, char** argv) { return bench::program("pleiad_tree_gpus", argc, argv, run); }
