/// Errors of forces, on a sample.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/arrays.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/choice.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pleiad {

std::vector<std::size_t> sample_of(std::size_t n, std::size_t most) {
  const std::size_t count = std::min(n, most);
  std::vector<std::size_t> chosen(count);
  for (std::size_t k = 0; k < count; ++k)
    chosen[k] = static_cast<std::size_t>((double(k) + 0.5) * double(n) / double(count));
  return chosen;
}

std::size_t sample_size(std::size_t n) {
  constexpr std::size_t least = 256, most = 1000, pairs = 500'000'000;
  return n == 0 ? most : std::clamp(pairs / n, least, most);
}

std::vector<Vec3<double>> exact_accelerations(const Bodies& b, const Gravity& gravity,
                                              std::span<const std::size_t> chosen) {
  std::vector<Mass<double>> sources(b.size()), targets(chosen.size());
  for (std::size_t i = 0; i < b.size(); ++i) sources[i] = {b.x[i], b.y[i], b.z[i], b.mass[i]};
  for (std::size_t k = 0; k < chosen.size(); ++k) targets[k] = sources[chosen[k]];
  std::vector<Vec4<double>> sums(chosen.size());
  // A target meets itself among the sources, without a pull: pairs at one place have none.
  const PairProblem<F64> problem{.targets = targets,
                                 .sources = sources,
                                 .sums = sums,
                                 .softening = gravity.softening,
                                 .boundary = gravity.boundary,
                                 .self = PairProblem<F64>::none};
  direct_kernel("cpu/threads").f64(problem, {});
  std::vector<Vec3<double>> exact(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k)
    exact[k] = {gravity.G * sums[k].x, gravity.G * sums[k].y, gravity.G * sums[k].z};
  return exact;
}

ForceErrors errors_of(std::span<const Vec3<double>> found, std::span<const Vec3<double>> exact) {
  std::vector<double> errors(exact.size());
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const double error = norm(found[k] - exact[k]), size = norm(exact[k]);
    errors[k] = error == 0 ? 0 : error / size;
    if (!(errors[k] >= 0)) errors[k] = std::numeric_limits<double>::infinity();
  }
  if (errors.empty()) return {};
  std::sort(errors.begin(), errors.end());
  const auto at = [&](double fraction) {
    return errors[std::min(errors.size() - 1, static_cast<std::size_t>(fraction * double(errors.size())))];
  };
  return {.sample = errors.size(), .median = at(0.5), .p99 = at(0.99), .largest = errors.back()};
}

}  // namespace pleiad
