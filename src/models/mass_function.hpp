/// Initial mass functions of stars, drawn by inverting their cumulative distributions.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/rng.hpp>

#include <vector>

namespace pleiad {

/// A mass function between two limits, in solar masses:
/// - kroupa: dN/dm ~ m^-0.3 below 0.08, m^-1.3 up to 0.5, m^-2.3 above (Kroupa, MNRAS 322, 231, 2001, eq. 2);
/// - salpeter: dN/dm ~ m^-2.35 (Salpeter, ApJ 121, 161, 1955);
/// - chabrier: single stars of the disc: dN/dlog m is normal in log10 m about log10 0.079 with the width 0.69
///   up to 1, and ~ m^-1.3 above (Chabrier, PASP 115, 763, 2003, eq. 17);
/// - chabrier_system: the same of unresolved systems: about log10 0.22 with the width 0.57 (there, eq. 18).
/// The parts are joined without a step.
class MassFunction {
 public:
  enum class Law { kroupa, salpeter, chabrier, chabrier_system };
  /// 0 < low <= high; all masses are the same where both are.
  MassFunction(Law law, double low, double high);

  double draw(Random& random) const;
  double mean() const;

 private:
  /// A power law dN/dm ~ m^-slope, or with a width > 0 a normal distribution of log10 m, between two masses.
  struct Part {
    double low, high, slope, centre = 0, width = 0;
    double factor = 1;  ///< of dN/dm
    double density(double m) const;
    /// Integral of m^power dN/dm up to a mass, power 0 or 1.
    double integral(double to, int power) const;
    double inverse(double u) const;
  };
  void add(const Part& part);

  double low_, high_;
  std::vector<Part> parts_;
  std::vector<double> upto_;  ///< number of stars in the parts up to each one
};

}  // namespace pleiad
