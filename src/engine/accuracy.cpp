/// Errors of forces, on a sample.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/exact.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/choice.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

namespace pleiad {

std::vector<std::size_t> sample_of(std::size_t n, std::size_t most) {
  const std::size_t count = std::min(n, most);
  std::vector<std::size_t> chosen(count);
  for (std::size_t k = 0; k < count; ++k)
    chosen[k] = static_cast<std::size_t>((double(k) + 0.5) * double(n) / double(count));
  return chosen;
}

std::size_t sample_size(std::size_t n) {
  constexpr std::size_t least = 500, most = 1000, pairs = 2'000'000'000;
  return n == 0 ? most : std::clamp(pairs / n, least, most);
}

template <class T>
std::vector<Vec3<double>> exact_of(std::span<const Mass<T>> bodies, const Gravity& gravity,
                                   std::span<const std::size_t> chosen) {
  const auto widened = [](const Mass<T>& b) {
    return Mass<double>{double(b.x), double(b.y), double(b.z), double(b.m)};
  };
  std::vector<Mass<double>> wide, targets(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) targets[k] = widened(bodies[chosen[k]]);
  std::span<const Mass<double>> sources;
  if constexpr (std::is_same_v<T, double>) {
    sources = bodies;
  } else {
    wide.resize(bodies.size());
    std::transform(bodies.begin(), bodies.end(), wide.begin(), widened);
    sources = wide;
  }
  std::vector<Vec4<double>> sums(chosen.size());
  // A target meets itself among the sources, without a pull: pairs at one place have none.
  const PairProblem<F64> problem{.targets = targets,
                                 .sources = sources,
                                 .sums = sums,
                                 .softening = gravity.softening,
                                 .boundary = gravity.boundary,
                                 .self = PairProblem<F64>::none};
  direct_kernel(gravity.boundary.all_images() ? "cpu/ewald" : "cpu/threads").f64(problem, {});
  std::vector<std::size_t> all(chosen.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return accelerations_of<double>(sums, gravity.G, all);
}
template std::vector<Vec3<double>> exact_of(std::span<const Mass<float>>, const Gravity&,
                                            std::span<const std::size_t>);
template std::vector<Vec3<double>> exact_of(std::span<const Mass<double>>, const Gravity&,
                                            std::span<const std::size_t>);

std::vector<Vec3<double>> exact_accelerations(const Bodies& b, const Gravity& gravity,
                                              std::span<const std::size_t> chosen) {
  std::vector<Mass<double>> bodies(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) bodies[i] = {b.x[i], b.y[i], b.z[i], b.mass[i]};
  return exact_of<double>(bodies, gravity, chosen);
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
