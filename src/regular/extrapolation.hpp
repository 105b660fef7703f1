/// Steps of a chain by extrapolation of leapfrogs to infinitely many substeps (Gragg 1965; Bulirsch & Stoer
/// 1966; orders and steps after Deuflhard 1983, Numer. Math. 41, 399).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "regular/leapfrog.hpp"

#include <span>
#include <vector>

namespace pleiad::regular {

class Extrapolation {
 public:
  struct Result {
    bool converged = false;
    double next = 0;  ///< the length that the next step, or the next attempt, should have
  };
  explicit Extrapolation(Layout layout);

  /// Finds what a step of s changes of the state start + low, to the relative error `tolerance` of each
  /// vector of the chain, its velocity, and the time. `change()` is valid if it has converged; `correction()`
  /// is its low part.
  Result step(Leapfrog& leapfrog, std::span<const double> start, std::span<const double> low, double s,
              double tolerance);
  std::span<const double> change() const { return change_; }
  std::span<const double> correction() const { return correction_; }

 private:
  void extrapolate(std::size_t column);
  void refine(std::size_t column);
  double error(std::span<const double> start) const;

  Layout layout_;
  std::vector<std::vector<double>> table_;          ///< by number of substeps; of the last column
  std::vector<std::vector<double>> raw_, raw_low_;  ///< by number of substeps
  std::vector<double> change_, before_, correction_;
};

}  // namespace pleiad::regular
