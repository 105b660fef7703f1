/// Sign changes of polynomials between 0 and 1.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace pleiad::encounters {

/// Points in ascending order, at most as many as a polynomial of degree 5 has.
struct Points {
  std::array<double, 5> at{};
  std::size_t count = 0;
  void add(double s) { at[count++] = s; }
  std::span<const double> all() const& { return {at.data(), count}; }
  std::span<const double> all() && =
      delete;  // it would outlive what it shows, as in a loop over a call's result
};

/// Value of the polynomial c[0] + c[1] s + c[2] s^2 + ...
double value(std::span<const double> c, double s);

/// The point between `a` and `b` at which the polynomial changes its sign, to rounding. It must be monotone
/// there; `rising`: its sign is negative at `a`. Where rounding hides the change, the result is one of the
/// two ends.
double sign_change(std::span<const double> c, double a, double b, bool rising);

/// All points in (0, 1) at which a polynomial of degree 5 or less changes its sign. Those of its derivative
/// divide the interval into parts on which it is monotone.
Points sign_changes(std::span<const double> c);

}  // namespace pleiad::encounters
