/// The bodies of the scans.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/problems.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>
#include <pleiad/rng.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace pleiad::bench {

namespace {

void need_two(std::size_t n) {
  if (n < 2)
    throw UsageError(fmt::format("N = {} must be at least 2: a body alone has no error to measure", n));
}

/// Each body is drawn by itself, so that neighbours have any numbers.
Bodies disc_of(std::size_t n) {
  Bodies bodies;
  bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    Random random(1, i);
    // The sum of two exponential numbers: that many bodies are within a radius of an exponential disc.
    const double radius = -std::log(random.uniform() * random.uniform()),
                 angle = 2 * std::numbers::pi * random.uniform();
    bodies.x[i] = radius * std::cos(angle), bodies.y[i] = radius * std::sin(angle);
    bodies.mass[i] = 1 / double(n);
  }
  return bodies;
}

}  // namespace

const Bodies& Problems::bodies(std::size_t n, Masses masses) {
  need_two(n);
  auto& bodies = bodies_[{n, masses}];
  if (bodies.size() == 0) {
    const std::string settings[] = {fmt::format("n={}", n)};
    bodies = make_model("plummer", settings, 1).bodies;
    if (masses == Masses::any)
      for (std::size_t i = 0; i < n; ++i) bodies.mass[i] *= 0.5 + double(i % 8) / 7;
  }
  return bodies;
}

ForceProblem& Problems::get(std::size_t n, Precision precision, Masses masses, const DirectKernel* kernel) {
  const auto& all = bodies(n, masses);
  const bool box = kernel != nullptr && !kernel->traits.open;
  auto& problem = made_[{n, masses, precision, box}];
  if (!problem)
    problem = make_force_problem(all, problem_gravity.softening, precision,
                                 {.periodic = box, .length = {8, 8, 8}, .images = Images::all});
  return *problem;
}

ForceProblem& Problems::square(std::size_t n, Precision precision, bool periodic) {
  need_two(n);
  auto& problem = squares_[{n, precision, periodic}];
  if (!problem) {
    const std::string settings[] = {fmt::format("n={}", n), "dimension=2"};
    const auto start = make_model("uniform-box", settings, 1);
    problem = make_force_problem(start.bodies, {}, precision, periodic ? start.boundary : Boundary{});
  }
  return *problem;
}

std::vector<Space> spaces_of(const DirectKernel& kernel, Precision precision) {
  if (kernel.name != "cuda/periodic-2d") return {Space::open};
  if (precision != Precision::f32) return {Space::plane};
  return {Space::plane, Space::periodic_plane};
}

ForceProblem& Problems::disc(std::size_t n, Precision precision) {
  need_two(n);
  auto& problem = discs_[{n, precision}];
  if (!problem) problem = make_force_problem(disc_of(n), {.eps = 0.001}, precision);
  return *problem;
}

std::string problem_in_words() {
  return fmt::format(
      "Plummer sphere, eps {} (for cpu/ewald in a periodic box of side 8; for cuda/periodic-2d the unit "
      "square, without softening); an evaluation of N bodies counts "
      "as N^2 interactions of 20 (f64: 30) flops",
      problem_gravity.softening.eps);
}

}  // namespace pleiad::bench
