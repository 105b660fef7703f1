/// Repeated timing: samples are taken until the median is known well enough or the time is spent.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/clock.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace pleiad::bench {

/// When to stop sampling.
struct TimingRules {
  double budget_seconds = 0.5;    ///< time in samples after which no further one is taken
  double quiet = 0.003;           ///< enough once the median's relative standard error is below this
  std::size_t least_samples = 5;  ///< at least so many, whatever the budget, so that quartiles mean something
  double sample_seconds = 1e-4;   ///< short evaluations are timed in batches at least this long
};

/// The distribution of a time, in seconds.
struct Timing {
  double median = 0, low_quartile = 0, high_quartile = 0;
  std::size_t samples = 0;
  /// Half the distance between the quartiles, relative to the median.
  double spread() const { return median > 0 ? (high_quartile - low_quartile) / (2 * median) : 0; }
  /// Relative standard error of the median, were the samples normal: 1.2533 sigma / sqrt(n), sigma from the
  /// quartiles, which one or two disturbed samples do not move.
  double uncertainty() const { return 1.2533 * 1.4826 * spread() / std::sqrt(double(samples)); }
};

/// Median and quartiles (linear between neighbours) of at least one sample.
Timing summarise(std::vector<double> samples);

/// Calls `sample`, which returns the seconds that it took, until the rules are met.
Timing repeat(const std::function<double()>& sample, const TimingRules& rules);

}  // namespace pleiad::bench
