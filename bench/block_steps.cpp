/// Block time steps on one GPU against steps that all bodies share, as short as the shortest of them: a cuspy
/// galaxy, a small cluster in a halo, and two galaxies before their encounter.
///
/// pleiad_block_steps SCENE N ETA STEPS SHARED KERNEL: one JSON object. STEPS: of the longest length. Of the
/// shared steps SHARED are made, 0 being all; the time of the rest is that of those made ("scaled"), and
/// there is then no error of their energy. The bound is half of the body steps that are saved.
/// pleiad_block_steps sets N KERNEL: one JSON object with the times of direct sums and of a tree for N
/// bodies, from which the number follows below which sets have direct sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/block_scenes.hpp"
#include "core/clock.hpp"
#include "core/print.hpp"
#include "cuda/device/device.hpp"
#include "engine/device_blocks.hpp"

#include <pleiad/diagnostics.hpp>
#include <pleiad/engine.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

EngineOptions on_gpu(const char* kernel, const Integrator* integrator) {
  return {.precision = Precision::f32,
          .backend = "cuda",
          .method = force_method_of(kernel),
          .gpus = 1,
          .integrator = integrator};
}
Vec3<double> momentum(const Bodies& b) {
  Vec3<double> sum{};
  for (std::size_t i = 0; i < b.size(); ++i) sum += b.mass[i] * b.velocity(i);
  return sum;
}
double momenta(const Bodies& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += b.mass[i] * norm(b.velocity(i));
  return sum;
}

/// The levels of the bodies by their full accelerations at the start.
struct Levels {
  std::vector<std::size_t> bodies;
  int finest = 0;
  double ideal_gain = 1;  ///< body steps of shared steps over those of steps of their own
};
Levels levels_of(const bench::BlockScene& scene, const Snapshot& start, double eta, const char* kernel) {
  const auto* kdk = &integrator_named("kdk");
  Simulation run(start, {.G = start.G, .softening = {scene.eps}}, {.integrator = kdk, .dt = scene.dt},
                 on_gpu(kernel, kdk));
  const auto now = run.snapshot_with_fields();
  Levels found;
  double all = 0;
  for (std::size_t i = 0; i < now.bodies.size(); ++i) {
    const double step = std::sqrt(2 * eta * scene.eps / norm(Vec3<double>{now.ax[i], now.ay[i], now.az[i]}));
    const int level = std::clamp(int(std::ceil(std::log2(scene.dt / step))), 0, 15);
    found.finest = std::max(found.finest, level);
    if (found.bodies.size() <= std::size_t(level)) found.bodies.resize(std::size_t(level) + 1);
    ++found.bodies[std::size_t(level)];
    all += std::ldexp(1.0, level);
  }
  found.ideal_gain = double(now.bodies.size()) * std::ldexp(1.0, found.finest) / all;
  return found;
}

struct Stepped {
  double seconds = 0, energy_error = 0, momentum_error = 0;
  std::uint64_t evaluations = 0;
  std::string hash, kernel;
};
Stepped stepped(const bench::BlockScene& scene, const Snapshot& start, const Method& method,
                std::uint64_t steps, bool energies, const char* kernel) {
  Simulation run(start, {.G = start.G, .softening = {scene.eps}}, method, on_gpu(kernel, method.integrator));
  if (energies) (void)run.reference_energy();
  const auto before = run.evaluations();
  const double from = seconds();
  run.make_steps(steps);
  Stepped s;
  s.seconds = seconds() - from;
  s.evaluations = run.evaluations() - before;
  const auto& now = run.snapshot().bodies;
  s.hash = state_hash(now);
  s.momentum_error = norm(momentum(now) - momentum(start.bodies)) / momenta(start.bodies);
  if (energies) s.energy_error = run.diagnostics().energy_error;
  s.kernel = run.describe().kernel();
  return s;
}

void bench_scene(const bench::BlockScene& scene, std::size_t n, double eta, std::uint64_t steps,
                 std::uint64_t asked, const char* kernel) {
  const auto start = scene.make(n);
  const auto levels = levels_of(scene, start, eta, kernel);
  const Method in_blocks{.integrator = &integrator_named("block-kdk"), .dt = scene.dt, .eta = eta},
      shared_method{.integrator = &integrator_named("kdk"), .dt = std::ldexp(scene.dt, -levels.finest)};
  // Memory is allocated and kernels are loaded by a first step.
  (void)stepped(scene, start, in_blocks, 1, false, kernel);
  const auto blocks = stepped(scene, start, in_blocks, steps, true, kernel),
             again = stepped(scene, start, in_blocks, steps, false, kernel);
  const std::uint64_t needed = steps << levels.finest, made = asked == 0 ? needed : std::min(asked, needed);
  const bool whole = made == needed;
  const auto shared = stepped(scene, start, shared_method, made, whole, kernel);
  const double blocks_seconds = std::min(blocks.seconds, again.seconds),
               shared_seconds = shared.seconds * double(needed) / double(made);
  std::string of_levels;
  for (const auto count : levels.bodies)
    of_levels += fmt::format("{}{}", of_levels.empty() ? "" : ", ", count);
  print_out(
      "{{\"scene\": \"{}\", \"n\": {}, \"eta\": {:g}, \"eps\": {:g}, \"dt\": {:g}, \"steps\": {}, "
      "\"precision\": "
      "\"f32\", \"kernel\": \"{}\", \"bodies_of_levels\": [{}], \"finest\": {}, \"seconds\": {:.5g}, "
      "\"evaluations\": {}, \"energy_error\": {:.3e}, \"momentum_error\": {:.3e}, \"shared_steps\": {}, "
      "\"shared_made\": {}, \"scaled\": {}, \"shared_seconds\": {:.5g}, \"shared_energy_error\": {}, "
      "\"gain\": "
      "{:.3f}, \"ideal_gain\": {:.3f}, \"bound\": {:.3f}, \"same_bits\": {}, \"device\": \"{}\"}}\n",
      scene.name, start.bodies.size(), eta, scene.eps, scene.dt, steps, blocks.kernel, of_levels,
      levels.finest, blocks_seconds, blocks.evaluations, blocks.energy_error, blocks.momentum_error, needed,
      made, !whole, shared_seconds, whole ? fmt::format("{:.3e}", shared.energy_error) : "null",
      shared_seconds / blocks_seconds, levels.ideal_gain, levels.ideal_gain / 2, blocks.hash == again.hash,
      cuda::device_facts().name);
  std::fflush(stdout);
  if (blocks.hash != again.hash) throw std::runtime_error("other bits in another run");
  if (!(std::abs(blocks.energy_error) <= 1e-2)) throw std::runtime_error("the energy is lost");
  // One-sided sums and trees of single precision.
  if (!(blocks.momentum_error <= 1e-3)) throw std::runtime_error("the momentum is lost");
}

/// Seconds of an evaluation, the best of seven.
double seconds_of(const Snapshot& bodies, const char* kernel) {
  const auto* kdk = &integrator_named("kdk");
  auto options = on_gpu(kernel, kdk);
  const auto engine = make_engine(bodies.bodies, {.softening = {1e-3}}, options);
  const StepPlan plan{.integrator = kdk, .dt = 1e-6};
  engine->advance(plan, 2);
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 7; ++k) {
    const double from = seconds();
    engine->advance(plan, 4);
    best = std::min(best, (seconds() - from) / 4);
  }
  return best;
}
void bench_sets(std::size_t n, const char* kernel) {
  const auto bodies = model("hernquist", {{"n", double(n)}});
  const double direct = seconds_of(bodies, "cuda/split-reduced"),
               symmetric = seconds_of(bodies, "cuda/scaled-source"), tree = seconds_of(bodies, kernel);
  print_out(
      "{{\"set\": {}, \"precision\": \"f32\", \"direct_seconds\": {:.4g}, \"symmetric_seconds\": {:.4g}, "
      "\"tree_seconds\": {:.4g}, \"kernel\": \"{}\", \"direct_sums_below\": {}, \"device\": \"{}\"}}\n",
      n, direct, symmetric, tree, kernel, worth_a_device_tree(Precision::f32), cuda::device_facts().name);
}

}  // namespace
}  // namespace pleiad

int main(int argc, char** argv) {
  const std::string scene = argc > 1 ? argv[1] : "";
  const bool sets = scene == "sets";
  if (argc != (sets ? 4 : 7)) {
    std::fprintf(stderr, "usage: %s SCENE N ETA STEPS SHARED KERNEL, or %s sets N KERNEL\n", argv[0],
                 argv[0]);
    return 2;
  }
  try {
    const auto n = std::size_t(std::strtoull(argv[2], nullptr, 10));
    if (sets) {
      pleiad::bench_sets(n, argv[3]);
      return 0;
    }
    for (const auto& each : pleiad::bench::block_scenes)
      if (each.name == scene) {
        pleiad::bench_scene(each, n, std::strtod(argv[3], nullptr), std::strtoull(argv[4], nullptr, 10),
                            std::strtoull(argv[5], nullptr, 10), argv[6]);
        return 0;
      }
    std::fprintf(stderr, "no scene '%s': it is one of cusp, cluster, encounter\n", scene.c_str());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
