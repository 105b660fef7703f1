/// The bodies of the scans.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/problems.hpp"

#include <pleiad/error.hpp>
#include <pleiad/models.hpp>

#include <fmt/format.h>

namespace pleiad::bench {
namespace {
constexpr double eps = 0.01;
}

ForceProblem& Problems::get(std::size_t n, Precision precision) {
  if (n < 2)
    throw UsageError(fmt::format("N = {} must be at least 2: a body alone has no error to measure", n));
  auto& problem = made_[{n, precision}];
  if (!problem) {
    const std::string settings[] = {fmt::format("n={}", n)};
    problem = make_force_problem(make_model("plummer", settings, 1).bodies, {.eps = eps}, precision);
  }
  return *problem;
}

std::string problem_in_words() {
  return fmt::format(
      "Plummer sphere, eps {}; an evaluation of N bodies counts as N^2 interactions of 20 (f64: 30) flops",
      eps);
}

}  // namespace pleiad::bench
