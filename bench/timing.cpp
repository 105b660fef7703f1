/// Repeated timing: samples are taken until the median is known well enough or the time is spent.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "bench/timing.hpp"

#include <algorithm>
#include <cstddef>

namespace pleiad::bench {
namespace {

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * double(sorted.size() - 1);
  const auto below = std::size_t(at);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Timing summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {.median = quantile(samples, 0.5),
          .low_quartile = quantile(samples, 0.25),
          .high_quartile = quantile(samples, 0.75),
          .samples = samples.size()};
}

Timing repeat(const std::function<double()>& sample, const TimingRules& rules) {
  std::vector<double> samples;
  double spent = 0, judge_at = 0;
  for (;;) {
    samples.push_back(sample());
    spent += samples.back();
    if (samples.size() < rules.least_samples) continue;
    if (spent >= rules.budget_seconds) break;
    // Judging sorts all samples: not after each one, but after every tenth more of them.
    if (double(samples.size()) < judge_at) continue;
    judge_at = 1.1 * double(samples.size());
    if (summarise(samples).uncertainty() <= rules.quiet) break;
  }
  return summarise(std::move(samples));
}

}  // namespace pleiad::bench
