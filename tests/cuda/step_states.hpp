/// States for the tests of full steps, and a kernel's work on them, on the device or its emulation.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/scenes.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/steps/catalogue.hpp"

#include <pleiad/integrator.hpp>
#include <pleiad/rng.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace pleiad::conformance {

/// A state on the host; `forces_current` says whether the sums belong to the bodies.
template <class P>
struct State {
  std::vector<Mass<typename P::Position>> bodies;
  std::vector<Vec4<typename P::Position>> velocities;
  std::vector<Vec4<typename P::Sum>> sums;
  bool forces_current = false;
};

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
template <class P>
bool same_bits(const State<P>& a, const State<P>& b) {
  return same_bits(a.bodies, b.bodies) && same_bits(a.velocities, b.velocities) && same_bits(a.sums, b.sums);
}

/// The bodies with small random velocities, and sums that nobody has made.
template <class P>
State<P> state_of(const std::vector<Mass<double>>& bodies) {
  using T = typename P::Position;
  using S = typename P::Sum;
  constexpr S nan = std::numeric_limits<S>::quiet_NaN();
  State<P> s{.bodies = rounded<P>(bodies), .velocities = {}, .sums = {}};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Random r(5, i);
    s.velocities.push_back({T(0.1 * r.normal()), T(0.1 * r.normal()), T(0.1 * r.normal()), T(0)});
  }
  s.sums.assign(bodies.size(), {nan, nan, nan, nan});
  return s;
}

/// A concentrated cluster of extent 30 in no order, of unequal masses.
inline std::vector<Mass<double>> cluster_of(std::size_t n, double shift, std::uint64_t seed = 7) {
  std::vector<Mass<double>> bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random r(seed, i);
    const double radius = std::min(1 / std::sqrt(std::pow(r.uniform(), -2.0 / 3) - 1), 30.0);
    const auto x = radius * r.direction();
    bodies[i] = {x.x + shift, x.y + shift, x.z + shift, (0.5 + r.uniform()) / double(n)};
  }
  return bodies;
}

template <class T>
StepProgram<T> program_of(const Integrator& integrator, double dt, double damping = 1) {
  StepProgram<T> program{.damping = T(damping)};
  const auto& [kick, drift] = integrator.splitting;
  program.stages = kick.size();
  for (std::size_t s = 0; s < kick.size(); ++s) program.kick[s] = T(kick[s] * dt);
  for (std::size_t s = 0; s < drift.size(); ++s) program.drift[s] = T(drift[s] * dt);
  return program;
}
/// Whether the sums belong to the bodies after steps of this program.
template <class T>
bool forces_current_after(const StepProgram<T>& program, bool forces_current, std::uint64_t steps) {
  if (steps == 0) return true;
  for (std::size_t s = 0; s < program.stages; ++s) {
    if (program.kick[s] != 0) forces_current = true;
    if (program.drift[s] != 0) forces_current = false;
  }
  return forces_current;
}

template <class P>
double heaviest_of(const State<P>& s) {
  double most = 0;
  for (const auto& body : s.bodies) most = std::max(most, double(body.m));
  return most;
}

/// Makes steps of the state. Eps: one, or one per system.
template <class P>
void make_steps(const StepKernel& kernel, const LaunchShape& shape, State<P>& s,
                const StepProgram<typename P::Position>& program, std::uint64_t steps, double eps) {
  using T = typename P::Position;
  cuda::Buffer<Mass<T>> bodies{std::span<const Mass<T>>(s.bodies)};
  cuda::Buffer<Vec4<T>> velocities{std::span<const Vec4<T>>(s.velocities)};
  cuda::Buffer<Vec4<typename P::Sum>> sums{std::span<const Vec4<typename P::Sum>>(s.sums)};
  kernel.run<P>()({.bodies = bodies.span(),
                   .velocities = velocities.span(),
                   .sums = sums.span(),
                   .forces_current = s.forces_current,
                   .softening = {eps},
                   .heaviest = heaviest_of(s),
                   .program = program,
                   .steps = steps},
                  shape);
  bodies.copy_to_host(s.bodies), velocities.copy_to_host(s.velocities), sums.copy_to_host(s.sums);
  s.forces_current = forces_current_after(program, s.forces_current, steps);
}
template <class P>
void make_steps(const EnsembleKernel& kernel, const LaunchShape& shape, State<P>& s, std::size_t systems,
                const StepProgram<typename P::Position>& program, std::uint64_t steps,
                const std::vector<double>& eps) {
  using T = typename P::Position;
  cuda::Buffer<Mass<T>> bodies{std::span<const Mass<T>>(s.bodies)};
  cuda::Buffer<Vec4<T>> velocities{std::span<const Vec4<T>>(s.velocities)};
  cuda::Buffer<Vec4<typename P::Sum>> sums{std::span<const Vec4<typename P::Sum>>(s.sums)};
  const cuda::Buffer<double> each{std::span<const double>(eps)};
  kernel.run<P>()({.bodies = bodies.span(),
                   .velocities = velocities.span(),
                   .sums = sums.span(),
                   .systems = systems,
                   .n = systems == 0 ? 0 : s.bodies.size() / systems,
                   .forces_current = s.forces_current,
                   .softening = {eps.size() == 1 ? eps[0] : 0},
                   .heaviest = heaviest_of(s),
                   .eps = eps.size() == 1 ? std::span<const double>{} : each.span(),
                   .program = program,
                   .steps = steps},
                  shape);
  bodies.copy_to_host(s.bodies), velocities.copy_to_host(s.velocities), sums.copy_to_host(s.sums);
  s.forces_current = forces_current_after(program, s.forces_current, steps);
}

/// Calls f with each precision that the kernel has.
template <class Kernel, class F>
void in_each_precision(const Kernel& kernel, F f) {
  if (kernel.f32 != nullptr) f(F32{});
  if (kernel.f64 != nullptr) f(F64{});
  if (kernel.mixed != nullptr) f(Mixed{});
}

/// The worst error of the sums, as errors() has it.
template <class P>
double worst_of(const std::vector<Vec4<typename P::Sum>>& sums,
                const std::vector<Mass<typename P::Position>>& bodies, double eps) {
  const auto wide = widened<typename P::Position>(bodies);
  const auto e = errors<P>(sums, expected(wide, wide, {eps}, {}, 0), extent_of(wide), false);
  return std::isnan(e.worst) || std::isnan(e.worst_potential) ? std::numeric_limits<double>::infinity()
                                                              : std::max(e.worst, e.worst_potential);
}
/// The root mean square of |da| / |a|.
template <class P>
double rms_of(const std::vector<Vec4<typename P::Sum>>& sums,
              const std::vector<Mass<typename P::Position>>& bodies, double eps) {
  const auto wide = widened<typename P::Position>(bodies);
  const auto all = expected(wide, wide, {eps}, {}, 0);
  double total = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto& w = all[i].sum;
    const double dx = double(sums[i].x - w.x), dy = double(sums[i].y - w.y), dz = double(sums[i].z - w.z);
    total += (dx * dx + dy * dy + dz * dz) / double(w.x * w.x + w.y * w.y + w.z * w.z);
  }
  return std::sqrt(total / double(sums.size()));
}

/// Scenes whose numbers the policy's arithmetic cannot hold as they are.
template <class P>
bool holds(const Scene& scene) {
  if (scene.name == "galaxy in cm") return std::is_same_v<P, F64>;
  return !(scene.name == "far away" && std::is_same_v<P, F32>);
}

}  // namespace pleiad::conformance
