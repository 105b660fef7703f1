/// Measures one tree on several GPUs: leapfrog steps, and that their bits are those of fewer GPUs.
/// pleiad_tree_gpus MODEL N EPS f32|mixed STEPS GPUS [host] -- SETTINGS..., with the models of
/// pleiad_tree_phases, GPUS as in 1,2,4; host: they exchange through the host's memory.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/state_hash.hpp"
#include "bench/tree_bodies.hpp"
#include "engine/device_engine.hpp"
#include "engine/devices_engine.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
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
  return std::make_unique<DevicesEngine<P>>(task.bodies, gravity, choice, precision, task.exchange);
}

double milliseconds(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
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
    for (int k = 0; k < task.steps; ++k) times.push_back(milliseconds([&] { engine->advance(step, 1); }));
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

int run(int argc, char** argv) {
  if (argc < 9) throw UsageError("pleiad_tree_gpus MODEL N EPS f32|mixed STEPS GPUS [host] -- SETTINGS...");
  const std::string model = argv[1], precision = argv[4];
  const std::size_t n = std::strtoull(argv[2], nullptr, 10);
  const bool through_host = std::string_view(argv[7]) == "host";
  Task task{.bodies = {},
            .eps = std::atof(argv[3]),
            .steps = std::max(1, std::atoi(argv[5])),
            .gpus = {},
            .exchange = {}};
  if (through_host) task.exchange = cuda::Exchange::host;
  std::istringstream counts(argv[6]);
  for (std::string count; std::getline(counts, count, ',');) task.gpus.push_back(std::atoi(count.c_str()));
  for (const auto& b : bench::bodies_of(model, n)) task.bodies.add(b.m, {b.x, b.y, b.z}, {});
  std::printf("%s N=%zu eps=%g %s%s\n", model.c_str(), n, task.eps, precision.c_str(),
              through_host ? ", through the host" : "");
  for (int a = through_host ? 9 : 8; a < argc; ++a)
    (precision == "mixed" ? measure<Mixed> : measure<F32>)(task, tree_settings_of(argv[a]));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "pleiad_tree_gpus: %s\n", e.what());
    return 1;
  }
}
