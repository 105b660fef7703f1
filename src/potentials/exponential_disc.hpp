/// A disc whose density falls exponentially, as a sum of three discs of Miyamoto and Nagai.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/miyamoto_nagai.hpp"

#include <array>

namespace pleiad::potentials {

struct ExponentialDisc {
  static constexpr std::array parameters{
      PotentialParameter{"mass", 0, 1e300, "mass M of the exponential disc"},
      PotentialParameter{"scale", 1e-100, 1e100, "radial scale length h"},
      PotentialParameter{"thickness", 1e-6, 1.5, "z_0 / h, with z_0 the scale height of sech^2(z / z_0)"}};
  static constexpr PotentialKind kind{"exponential-disc",
                                      "exponential disc as three Miyamoto-Nagai discs of one height (Smith "
                                      "et al. 2015, MNRAS 448, 2934, the fit "
                                      "whose density is positive everywhere)",
                                      parameters};

  /// The height b / h is a polynomial of z_0 / h; masses and radial scales are polynomials of b / h (Smith et
  /// al. 2015, eq. 7 and table 2). The numbers: b, then mass and radial scale of each disc.
  static void prepare(const double* p, double* numbers) {
    constexpr double fits[6][5]{
        {0.0036, -0.0330, 0.1117, -0.1335, 0.1749},  {-0.0131, 0.1090, -0.3035, 0.2921, -5.7976},
        {-0.0048, 0.0454, -0.1425, 0.1012, 6.7120},  {-0.0158, 0.0993, -0.2070, -0.7089, 0.6445},
        {-0.0319, 0.1514, -0.1279, -0.9325, 2.6836}, {-0.0326, 0.1816, -0.2943, -0.6329, 2.3193}};
    const double thickness = p[2], b = ((-0.033 * thickness + 0.262) * thickness + 0.659) * thickness;
    const auto fit = [&](int row) {
      double value = 0;
      for (const double coefficient : fits[row]) value = value * b + coefficient;
      return value;
    };
    numbers[0] = b * p[1];
    for (int disc = 0; disc < 3; ++disc) {
      numbers[1 + 2 * disc] = fit(disc) * p[0];
      numbers[2 + 2 * disc] = fit(3 + disc) * p[1];
    }
  }
  template <class T>
  PLEIAD_HD static Field<T> at(const double* numbers, double G, Vec3<T> x) {
    Field<T> sum;
    for (int disc = 0; disc < 3; ++disc) {
      const double of_disc[]{numbers[1 + 2 * disc], numbers[2 + 2 * disc], numbers[0]};
      const auto field = MiyamotoNagai::at<T>(of_disc, G, x);
      sum.acceleration += field.acceleration;
      sum.potential += field.potential;
    }
    return sum;
  }
};

}  // namespace pleiad::potentials
