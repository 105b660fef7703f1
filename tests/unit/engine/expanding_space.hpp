/// Step factors of an Einstein-de Sitter universe, a(t) = t^(2/3), for positions x and momenta a^2 dx/dt.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/integrator.hpp>

#include <cmath>

namespace pleiad {

class ExpandingSpace final : public StepFactors {
 public:
  static double a(double t) { return std::pow(t, 2.0 / 3); }
  /// Mean of 1/a: its integral is 3 t^(1/3).
  double kick(double from, double to) const override {
    return from == to ? 1 / a(from) : 3 * (std::cbrt(to) - std::cbrt(from)) / (to - from);
  }
  /// Mean of 1/a^2: its integral is -3 t^(-1/3).
  double drift(double from, double to) const override {
    return from == to ? 1 / (a(from) * a(from)) : 3 * (1 / std::cbrt(from) - 1 / std::cbrt(to)) / (to - from);
  }
};

}  // namespace pleiad
