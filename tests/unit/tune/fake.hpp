/// An engine for the tuner's tests, as fast, as slow, as wrong or as broken as one wants, and the clock that
/// it moves: what else the machine does meanwhile makes no difference.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/engine.hpp>
#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include <unistd.h>

namespace pleiad::tune {

/// The names of a GPU's kernels, which compute nothing here.
inline void pairs(const PairProblem<Mixed>&, const LaunchShape&) {}
inline void steps(const StepProblem<Mixed>&, const LaunchShape&) {}
inline constexpr std::array two_shapes{LaunchShape{.threads_per_block = 64},
                                       LaunchShape{.threads_per_block = 128}};
inline constexpr DirectKernel fake_kernel(std::string_view name, double operations, Traits traits) {
  return {.name = name,
          .idea = {},
          .device = Device::cuda,
          .traits = traits,
          .fma_port_operations = {.mixed = operations},
          .shapes = two_shapes,
          .mixed = pairs};
}
inline constexpr DirectKernel split = fake_kernel("cuda/split-reduced", 13, {}),
                              tile = fake_kernel("cuda/tile", 14, {}),
                              half = fake_kernel("cuda/mixed-symmetric", 8, {.periodic = false}),
                              atomics = fake_kernel("cuda/split-atomics", 1, {.reproducible = false});
inline constexpr StepKernel grid_steps{.name = "cuda/grid-steps",
                                       .idea = {},
                                       .most_bodies = 512,
                                       .fma_port_operations = {.mixed = 13},
                                       .shapes = two_shapes,
                                       .mixed = steps};
inline constexpr std::array fake_kernels{&tile, &split, &half, &atomics};
inline constexpr std::array fake_steps{&grid_steps};
inline constexpr Catalogue fake_gpu{fake_kernels, fake_steps};

/// The time of these tests.
struct FakeTime {
  static inline double now = 0;
  /// What a look at it adds. Trees are real, and take as long as the looks at the clock around them.
  static inline double tick = 0;
  static double look() { return now += tick; }
};
/// For as long as it is there a look takes `seconds`.
class Ticking {
 public:
  explicit Ticking(double seconds = 0.01) { FakeTime::tick = seconds; }
  ~Ticking() { FakeTime::tick = 0; }
  Ticking(const Ticking&) = delete;
  Ticking& operator=(const Ticking&) = delete;
};

/// What an engine of a kernel does.
struct Behaviour {
  double step_seconds = 1e-5;
  double force = 1;  ///< every velocity grows by it and the step, so that mistakes show
  bool ends_finite = true;
  std::string error;
};

class FakeEngine final : public Engine {
 public:
  FakeEngine(const Bodies& bodies, const EngineOptions& options, Behaviour behaviour)
      : bodies_(bodies), options_(options), behaviour_(std::move(behaviour)) {
    if (!behaviour_.error.empty()) throw UsageError(behaviour_.error);
  }
  void load(const Bodies& bodies) override { bodies_ = bodies; }
  void advance(const StepPlan& plan, std::uint64_t count) override {
    FakeTime::now += double(count) * behaviour_.step_seconds - FakeTime::tick;  // of the look after it
    for (auto& v : bodies_.vx) v += behaviour_.force * plan.dt * double(count);
  }
  void copy_to_host(Bodies& bodies) override { bodies = bodies_; }
  void fields(Snapshot&) override {}
  std::function<void(Snapshot&)> begin_copy(bool) override {
    return [kept = bodies_](Snapshot& s) { s.bodies = kept; };
  }
  Totals totals() override { return {}; }
  Radii radii() override { return {}; }
  SampledAccelerations computed_accelerations(std::span<const std::size_t>) override { return {}; }
  std::vector<Vec3<double>> exact_accelerations(std::span<const std::size_t>) override { return {}; }
  std::vector<Vec3<double>> exact_accelerations_of(const Bodies&, std::span<const std::size_t>) override {
    return {};
  }
  std::vector<double> rounding_of_exact(const std::function<const Bodies&()>&, const Sample&,
                                        std::span<const Vec3<double>>) override {
    return {};
  }
  double suggest_dt(const Integrator&, double) override { return 1; }
  bool finite() override { return behaviour_.ends_finite; }
  void reverse_velocities() override {}
  std::function<void()> keep_state() override {
    return [this, kept = bodies_] { bodies_ = kept; };
  }
  EngineDescription describe() const override {
    return {.device = "fake GPU",
            .method = options_.method.value_or(ForceMethod{.kernel = &tile}),
            .precision = "mixed",
            .why = options_.why};
  }
  std::uint64_t evaluations() const override { return 0; }

 private:
  Bodies bodies_;
  EngineOptions options_;
  Behaviour behaviour_;
};

/// A folder that is removed at the end.
class Scratch {
 public:
  Scratch() {
    static std::atomic<int> count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("pleiad_tune_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(folder_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

}  // namespace pleiad::tune
