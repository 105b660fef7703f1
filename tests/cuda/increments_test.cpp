/// Devices that add velocity increments into each other's memory, against one that does it all: the same
/// steps to rounding, for any number of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/published/increments.hpp"

#include "cuda/catalogue.hpp"
#include "cuda/multi_gpu/probe.hpp"
#include "engine/arrays.hpp"
#include "engine/device_engine.hpp"
#include "gpu.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>

namespace pleiad {
namespace {

constexpr float dt = 1.0f / 128;

Bodies bodies(std::size_t n) {
  Bodies b;
  for (std::size_t i = 0; i < n; ++i) {
    const double t = double(i);
    b.add((1 + 0.5 * std::sin(t)) / double(n), {std::sin(0.7 * t), std::cos(1.3 * t), std::sin(2.9 * t + 1)},
          {0.3 * std::sin(t), 0.3 * std::cos(t), 0.1 * std::sin(2 * t)});
  }
  return b;
}
Gravity gravity() { return {.G = 1.5, .softening = {0.05}, .boundary = {}, .dimension = 3}; }

const DirectKernel& kernel(std::string_view name) {
  for (const auto* k : cuda_kernels())
    if (k->name == name) return *k;
  throw UsageError("no such kernel");
}

struct Arrays {
  std::vector<Mass<float>> x;
  std::vector<Vec4<float>> v;
  explicit Arrays(const Bodies& b) : x(b.size()), v(b.size()) { to_arrays<float>(b, x, v); }
};

void leapfrog(cuda::IncrementSteps& steps, int count) {
  for (int k = 0; k < count; ++k) {
    steps.kick(dt / 2);
    steps.drift(dt);
    steps.kick(dt / 2);
  }
}

/// By the engine on one device, whose sums have a fixed order.
Bodies expected(const Bodies& start, std::uint64_t steps) {
  DeviceEngine<F32> engine(start, gravity(),
                           {.method = {.kernel = &kernel("cuda/tile")}, .gpus = 1, .why = "a test"},
                           Precision::f32);
  engine.advance({.integrator = &integrator_named("kdk"), .dt = double(dt)}, steps);
  Bodies b = start;
  engine.copy_to_host(b);
  return b;
}

/// The largest difference of any coordinate or velocity. Those are of size 1 and velocities gather `steps`
/// increments of about dt, each of whose sums over n terms is rounded in another order: some n^(1/2) 2^-24 of
/// it.
double difference(const Bodies& a, const Bodies& b) {
  double most = 0;
  for (const auto member : {&Bodies::x, &Bodies::y, &Bodies::z, &Bodies::vx, &Bodies::vy, &Bodies::vz})
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double d = std::abs((a.*member)[i] - (b.*member)[i]);
      most = d <= most ? most : d;  // NaN stays
    }
  return most;
}

std::vector<int> numbers() {
  std::vector<int> all;
  for (int count = 1; count <= std::min(cuda::device_count(), 4); ++count) all.push_back(count);
  return all;
}

}  // namespace

// More blocks than one for each device, a last one that is not full, fewer bodies than devices, none.
TEST_F(Gpu, AddIncrementsToEachOthersVelocities) {
  if (!cuda::why_not_reachable(numbers().back()).empty()) GTEST_SKIP() << "they do not reach each other";
  for (const std::size_t n : {0, 1, 3, 257, 1111}) {
    const auto start = bodies(n);
    const auto wanted = expected(start, 5);
    for (const int count : numbers()) {
      cuda::IncrementSteps steps(count, gravity());
      Arrays state(start);
      steps.load(state.x, state.v);
      leapfrog(steps, 2);
      leapfrog(steps, 3);
      steps.copy_to_host(state.x, state.v);
      Bodies b = start;
      to_bodies<float>(state.x, state.v, b);
      EXPECT_LE(difference(b, wanted), 2e-6) << "N = " << n << " on " << count;
    }
  }
}
TEST_F(Gpu, LoadsOtherBodiesAfterSteps) {
  cuda::IncrementSteps steps(1, gravity());
  for (const std::size_t n : {300, 40}) {
    const auto start = bodies(n);
    Arrays state(start);
    steps.load(state.x, state.v);
    leapfrog(steps, 4);
    steps.copy_to_host(state.x, state.v);
    Bodies b = start;
    to_bodies<float>(state.x, state.v, b);
    EXPECT_LE(difference(b, expected(start, 4)), 2e-6) << "N = " << n;
    steps.kick(1);  // forgotten by the next load
  }
}
TEST_F(Gpu, NeedsOpenSpaceForIncrements) {
  auto box = gravity();
  box.boundary = {true, {1, 1, 1}};
  EXPECT_THROW(cuda::IncrementSteps(1, box), UsageError);
  EXPECT_THROW(cuda::IncrementSteps(cuda::device_count() + 1, gravity()), ResourceError);
}

}  // namespace pleiad
