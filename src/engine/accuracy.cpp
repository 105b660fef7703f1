/// Errors of forces, on a sample.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

#include <pleiad/accuracy.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pleiad {

namespace {

/// Errors, and how many bodies each stands for.
using Weighted = std::vector<std::pair<double, double>>;

/// The first value, of those in ascending order, up to which more than this part of all weight lies.
double at(double part, const Weighted& ascending, double all) {
  double weight = 0;
  for (const auto& [error, each] : ascending)
    if (weight += each; weight > part * all) return error;
  return ascending.back().first;
}

/// Percentiles of errors, and the largest.
struct Spread {
  double median = 0, p99 = 0, p99_low = 0, p99_high = 0, largest = 0;
};
Spread spread_of(Weighted& errors) {
  if (errors.empty()) return {};
  // A body of weight w is no information on the other w - 1 of its stratum.
  double all = 0, unknown = 0;
  for (const auto& [error, weight] : errors) all += weight, unknown += weight * std::max(0.0, weight - 1);
  std::sort(errors.begin(), errors.end());
  // The percentile's place in the sample is off by a binomial's width, and by none where all are in it.
  constexpr double part = 0.99, deviations = 1.96;
  const double off = deviations * std::sqrt(part * (1 - part) * unknown) / all;
  return {.median = at(0.5, errors, all),
          .p99 = at(part, errors, all),
          .p99_low = at(part - off, errors, all),
          .p99_high = at(part + off, errors, all),
          .largest = errors.back().first};
}

double median_size(std::span<const Vec3<double>> vectors) {
  std::vector<double> sizes;
  for (const auto& v : vectors)
    if (const double size = norm(v); std::isfinite(size)) sizes.push_back(size);
  if (sizes.empty()) return 0;
  const auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

}  // namespace

ForceErrors errors_of(std::span<const Vec3<double>> found, std::span<const Vec3<double>> exact,
                      const Sample& sample, double G, std::span<const double> rounding) {
  if (exact.empty()) return {};
  const double typical = std::max(median_size(exact), G * sample.acceleration);
  Weighted errors(exact.size()), others;
  double closest = 0;
  std::size_t cancelled = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const double off = norm(found[k] - exact[k]), size = norm(exact[k]),
                 least = rounding.empty() ? 0 : rounding[k];
    double error = off == 0 ? 0 : off / std::max(size, least);
    if (!(error >= 0)) error = std::numeric_limits<double>::infinity();
    errors[k] = {error, sample.weights.empty() ? 1 : sample.weights[k]};
    if (size < least) ++cancelled;
    if (!(size < least * comparable)) others.push_back(errors[k]);
    // Close neighbours lie where bodies are dense and pulls often cancel: only a lost pull must count.
    if (k < sample.closest && error > 0)
      closest = std::max(closest, std::isfinite(error) ? off / std::max(norm(exact[k]), typical) : error);
  }
  const auto all = spread_of(errors), of_others = spread_of(others);
  return {.sample = errors.size(),
          .median = all.median,
          .p99 = all.p99,
          .p99_low = all.p99_low,
          .p99_high = all.p99_high,
          .largest = all.largest,
          .closest = closest,
          .separation = sample.separation,
          .cancelled = cancelled,
          .others_p99_high = of_others.p99_high,
          .others_largest = of_others.largest};
}

ForceErrors errors_of(const SampledAccelerations& accelerations, const Sample& sample, double G) {
  const auto& a = accelerations;
  auto e = errors_of(a.found, a.exact, sample, G, a.rounding);
  if (a.diagnostic.empty()) return e;
  const auto diagnostic = errors_of(a.diagnostic, a.exact, sample, G, a.rounding);
  for (double ForceErrors::*each : {&ForceErrors::median, &ForceErrors::p99, &ForceErrors::p99_low,
                                    &ForceErrors::p99_high, &ForceErrors::largest, &ForceErrors::closest,
                                    &ForceErrors::others_p99_high, &ForceErrors::others_largest})
    e.*each = std::max(e.*each, diagnostic.*each);
  return e;
}

bool gross(const ForceErrors& e, double accuracy, bool direct) {
  if (direct) return !(e.largest <= std::max(0.01, 10 * accuracy));
  return !(e.closest <= std::max({0.1, 10 * accuracy, 3 * e.p99}));
}

bool meet(const ForceErrors& e, double accuracy, bool direct) {
  return e.p99_high <= accuracy && !gross(e, accuracy, direct);
}

}  // namespace pleiad
