/// A simulation whose bodies in a GPU's memory are read and written from outside.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/memory.hpp"
#include "cuda/gpu.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/simulation.hpp>

#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace pleiad {
namespace {

using StateOnAGpu = Gpu;
constexpr std::size_t n = 200;
constexpr double dt = 1.0 / 64;

Simulation simulation(Snapshot start, bool adaptive = false, Precision precision = Precision::f64) {
  return Simulation(
      std::move(start), Gravity{.G = 1, .softening = {0.05}},
      Method{.integrator = &integrator_named("kdk"), .dt = dt, .adaptive = adaptive, .eta = 0.05},
      EngineOptions{
          .precision = precision, .backend = "cuda", .method = force_method_of("cuda/tile block=32")});
}
Snapshot sphere() { return model("plummer", {{"n", double(n)}}, 3); }

/// The records of a state on the host.
std::vector<Mass<double>> bodies_in(const DeviceState& state) {
  std::vector<Mass<double>> x(state.n);
  cuda::copy_to_host(x.data(), state.bodies, x.size() * sizeof(x[0]), nullptr);
  return x;
}

}  // namespace

TEST_F(StateOnAGpu, IsWhereTheSimulationGoesOn) {
  for (const bool adaptive : {false, true}) {
    auto written = simulation(sphere(), adaptive);
    written.make_steps(3);
    auto start = written.snapshot();
    const auto state = written.device_state();
    ASSERT_TRUE(state && !state->single);
    auto x = bodies_in(*state);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(x[i].x, start.bodies.x[i]);
      x[i].x += 0.5, x[i].m *= 1 + double(i % 2);
      start.bodies.x[i] = x[i].x, start.bodies.mass[i] = x[i].m;
    }
    cuda::copy_to_device(state->bodies, x.data(), n * sizeof(x[0]), nullptr);
    written.state_changed();
    Snapshot meanwhile;
    written.snapshot_meanwhile(false)(meanwhile);
    EXPECT_EQ(state_hash(meanwhile.bodies), state_hash(start.bodies));
    EXPECT_EQ(state_hash(written.snapshot().bodies), state_hash(start.bodies));
    auto moved = simulation(start, adaptive);
    written.make_steps(5), moved.make_steps(5);
    EXPECT_EQ(state_hash(written.snapshot().bodies), state_hash(moved.snapshot().bodies)) << adaptive;
  }
}

TEST_F(StateOnAGpu, HasItsBitsWhenItWasOnlySeen) {
  auto seen = simulation(sphere(), true, Precision::f32), alone = simulation(sphere(), true, Precision::f32);
  for (const double time : {0.1, 0.2, 0.3}) {
    EXPECT_TRUE(seen.device_state()->single);
    seen.state_changed();
    seen.run_until(time), alone.run_until(time);
  }
  EXPECT_EQ(state_hash(seen.snapshot().bodies), state_hash(alone.snapshot().bodies));
}

TEST_F(StateOnAGpu, IsKeptByItsOwner) {
  std::optional<DeviceState> state;
  double x = 0;
  {
    auto gone = simulation(sphere());
    state = gone.device_state();
    x = gone.snapshot().bodies.x[7];
  }
  EXPECT_EQ(bodies_in(*state)[7].x, x);

  auto other = simulation(sphere());
  state = other.device_state();
  other.go_on_with(
      {.precision = Precision::mixed, .backend = "cuda", .method = force_method_of("cuda/tile block=32")});
  other.make_steps(2);
  EXPECT_EQ(bodies_in(*state)[7].x, x);
  EXPECT_NE(other.device_state()->bodies, state->bodies);
}

TEST_F(StateOnAGpu, IsNotThatOfTheHost) {
  Simulation host(sphere(), {.softening = 0.05, .dt = dt, .backend = "cpu"});
  EXPECT_FALSE(host.device_state());
}

TEST_F(StateOnAGpu, NamesTheBodyThatIsNoLongerFinite) {
  auto lost = simulation(sphere());
  const auto state = lost.device_state();
  auto x = bodies_in(*state);
  x[11].y = std::nan("");
  lost.need_finite();
  cuda::copy_to_device(state->bodies, x.data(), n * sizeof(x[0]), nullptr);
  lost.state_changed();
  try {
    lost.need_finite();
    FAIL();
  } catch (const NumericalError& e) {
    EXPECT_TRUE(std::string_view(e.what()).starts_with("body 11 (id 11) is no longer finite at step 0"))
        << e.what();
  }
}

}  // namespace pleiad
