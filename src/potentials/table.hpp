/// The sphere of a table of masses.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/field.hpp"

#include <pleiad/potential.hpp>

#include <array>

namespace pleiad::potentials {

struct Table {
  static constexpr std::array<PotentialParameter, 0> parameters{};
  static constexpr PotentialKind kind{"table",
                                      "sphere of a table of masses within radii: a monotone cubic spline "
                                      "(Fritsch & Carlson 1980), a homogeneous "
                                      "sphere within the first radius, nothing beyond the last",
                                      parameters};
  /// A row: radius, mass within it, its derivative there, potential there over G.
  static constexpr int columns = 4;

  /// Mass and potential over G within one interval of the table.
  template <class T>
  struct Interval {
    double r, mass, slope, curve, twist, potential;  ///< mass = sum of coefficients times powers of s - r

    /// Between these two rows.
    PLEIAD_HD static Interval of(const double* row) {
      const double h = row[4] - row[0], mean = (row[5] - row[1]) / h;
      return {row[0],
              row[1],
              row[2],
              (3 * mean - 2 * row[2] - row[6]) / h,
              (row[2] + row[6] - 2 * mean) / (h * h),
              row[3]};
    }
    PLEIAD_HD T mass_at(T s) const {
      const T t = s - T(r);
      return T(mass) + t * (T(slope) + t * (T(curve) + t * T(twist)));
    }
    /// The potential grows by the integral of mass / s^2: by 8 nodes of Gauss and Legendre over less than
    /// half of r, exact to 1e-16 there, else in closed form, where less than two digits cancel.
    PLEIAD_HD T potential_at(T s) const {
      using std::log1p;
      const T t = s - T(r), u = t / T(r);
      if (u < T(0.5)) {
        constexpr double nodes[]{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                 0.9602898564975363},
            weights[]{0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
        T sum(0);
        for (int k = 0; k < 4; ++k) {
          const T near = T(r) + t * T(0.5 - 0.5 * nodes[k]), far = T(r) + t * T(0.5 + 0.5 * nodes[k]);
          sum += T(weights[k]) * (mass_at(near) / (near * near) + mass_at(far) / (far * far));
        }
        return T(potential) + sum * t * T(0.5);
      }
      const T w = T(1) + u, log = log1p(u), part = u / w;
      return T(potential) + T(mass / r) * part + T(slope) * (log - part) +
             T(curve * r) * (u + part - T(2) * log) +
             T(twist * r * r) * (u * u * T(0.5) - T(2) * u + T(3) * log - part);
    }
  };

  template <class T>
  PLEIAD_HD static Field<T> at(const double* rows, int count, double G, Vec3<T> x) {
    using std::sqrt;
    const T r2 = dot(x, x);
    const double first = rows[0], *last = rows + columns * (count - 1);
    if (r2 < T(first * first)) {
      const double density = rows[1] / (first * first * first);
      return {x * T(-G * density), T(G) * (T(rows[3]) + (r2 - T(first * first)) * T(density / 2))};
    }
    const T r = sqrt(r2);
    if (!(r < T(last[0]))) return {x * (T(-G * last[1]) / (r2 * r)), T(-G * last[1]) / r};
    int below = 0, above = count - 1;
    while (above - below > 1) {
      const int middle = (below + above) / 2;
      if (r < T(rows[columns * middle])) above = middle;
      else below = middle;
    }
    const auto here = Interval<T>::of(rows + columns * below);
    return {x * (T(-G) * here.mass_at(r) / (r2 * r)), T(G) * here.potential_at(r)};
  }
};

}  // namespace pleiad::potentials
