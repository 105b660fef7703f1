/// Times between two fixed steps on GPUs: outputs there change no bits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/peer.hpp"
#include "cuda/gpu.hpp"

#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pleiad {
namespace {

using BetweenStepsOnAGpu = Gpu;
constexpr double dt = 1.0 / 64;

Snapshot sphere() { return model("plummer", {{"n", 70}}, 3); }
std::string hash(Simulation& s) { return state_hash(s.snapshot().bodies); }

}  // namespace

TEST_F(BetweenStepsOnAGpu, OutputsChangeNoBits) {
  struct Way {
    const char* method;
    Precision precision = Precision::mixed;
    int gpus = 1;
    bool periodic = false;
    const char* integrator = "kdk";
  };
  const std::vector<Way> ways{
      {"cuda/tile block=32", Precision::f32},
      {"cuda/tile block=32", Precision::f64, 1, false, "forest-ruth"},
      {"cuda/tile block=32", Precision::mixed, 1, true, "dkd"},
      {"cuda/mixed-symmetric"},
      {"cuda/block-steps", Precision::f64},
      {"cuda/fmm order=4 theta=0.6 leaf=32"},
      {"cuda/tile block=32", Precision::f64, 2},
      {"cuda/mixed-symmetric", Precision::mixed, 2},
      {"cuda/symmetric-steps", Precision::mixed, 2},
      {"cuda/fmm order=4 theta=0.6 leaf=32", Precision::mixed, 2},
  };
  for (const auto& way : ways) {
    if (way.gpus > cuda::device_count()) continue;
    const auto made = [&] {
      Gravity gravity{.softening = {0.05}};
      if (way.periodic) gravity.boundary = {.periodic = true, .length = {4, 4, 4}};
      return Simulation(sphere(), gravity, {.integrator = &integrator_named(way.integrator), .dt = dt},
                        {.precision = way.precision,
                         .backend = "cuda",
                         .method = force_method_of(way.method),
                         .gpus = way.gpus});
    };
    auto seen = made(), alone = made(), ending = made();
    std::vector<double> times;
    std::string copy;
    seen.every(0.75 * dt, [&](const Snapshot& s) {
      times.push_back(s.time / dt);
      (void)seen.energies();
      if (s.time == 1.5 * dt) copy = state_hash(s.bodies);
    });
    seen.run_until(2 * dt), alone.run_until(2 * dt);
    EXPECT_EQ(hash(seen), hash(alone)) << way.method << " on " << way.gpus;
    EXPECT_EQ(times, (std::vector{0.0, 0.75, 1.5}));
    // An end is what an observer sees there.
    ending.run_until(1.5 * dt);
    EXPECT_EQ(hash(ending), copy) << way.method << " on " << way.gpus;
  }
}

/// Forces are those of the positions in both directions, so 8 steps there and back lose some rounding of
/// doubles.
TEST_F(BetweenStepsOnAGpu, SymmetricStepsHaveTheSameBitsWithOutputsAndLeadBack) {
  struct Way {
    const char* method;
    Precision precision;
    const char* integrator = "kdk";
  };
  for (const auto& [method, precision, integrator] :
       {Way{"cuda/tile block=32", Precision::f64}, Way{"cuda/mixed-symmetric", Precision::mixed, "dkd"},
        Way{"cuda/fmm order=4 theta=0.6 leaf=32", Precision::mixed, "blanes-moan4"}}) {
    const auto made = [&] {
      return Simulation(sphere(), {.softening = {0.05}},
                        {.integrator = &integrator_named(integrator),
                         .dt = 1,
                         .adaptive = true,
                         .eta = 0.1,
                         .symmetric_steps = true},
                        {.precision = precision, .backend = "cuda", .method = force_method_of(method)});
    };
    auto seen = made(), alone = made();
    const auto start = alone.snapshot().bodies;
    alone.make_steps(8);
    int looks = 0;
    seen.every(alone.time() / 5.5, [&](const Snapshot&) { ++looks; });
    while (seen.step() < 8)
      seen.run_in_batches(1e3, [](const RunProgress& p) { return std::uint64_t(p.step < 8 ? 1 : 0); });
    EXPECT_GE(looks, 6) << method;
    EXPECT_EQ(hash(seen), hash(alone)) << method;
    EXPECT_EQ(seen.time(), alone.time()) << method;
    alone.reverse_velocities();
    alone.make_steps(8);
    EXPECT_NEAR(alone.time(), 2 * seen.time(), 1e-12) << method;
    const auto& back = alone.snapshot().bodies;
    for (std::size_t i = 0; i < start.size(); ++i)
      ASSERT_LE(norm(back.position(i) - start.position(i)), 1e-12) << method << ", body " << i;
  }
}

}  // namespace pleiad
