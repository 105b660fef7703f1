/// Force errors, measured against direct sums in double precision on a sample of the bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

/// A stratified sample: the closest neighbours, and one body from each of many equal strata of the rest,
/// which are sorted by type, mass and density. A hash of position and mass selects the body, so the sample
/// does not depend on the order of a file. From a very large number of bodies the hash first selects 64 times
/// as many as are drawn, and the strata divide these.
struct Sample {
  std::vector<std::size_t> bodies{};  ///< the closest neighbours first; none twice
  std::vector<double> weights{};      ///< number of bodies that each represents; the sum is N
  std::size_t closest = 0;            ///< this many of `bodies` are closest neighbours
  /// The smallest separation found between two distinct positions, along one axis; infinite: none found.
  double separation = 0;
  /// M / R^2 of all bodies, R the longest side of their bounding box; 0 if R is 0.
  double acceleration = 0;
};
/// At most `most` bodies, or all if there are no more. The order of the bodies does not change the sample,
/// unless bodies of equal mass share a position. O(N).
Sample sample_of(const Bodies& bodies, std::size_t most);
/// The sample size for n bodies. Its direct sums take about 2 % of the time of a tree between two checks of
/// its errors: 4000 on a CPU, 5000 or 10,000 on a GPU.
std::size_t sample_size(std::size_t n, bool on_gpu = false);
/// Without softening, bodies closer than this exert no force on each other in double precision.
inline constexpr double least_separation = 1e-100;

/// The denominator of a relative error is at least this fraction of the typical acceleration, which is the
/// larger of the sample's median and G M / R^2: near-zero accelerations have no useful relative error.
inline constexpr double least_acceleration = 1e-3;

/// Relative errors |a - a_exact| / max(|a_exact|, least_acceleration * typical) over all bodies, estimated
/// from a sample. A NaN counts as an infinite error. If all exact accelerations are zero, so does any
/// acceleration that is not.
struct ForceErrors {
  std::size_t sample = 0;
  double median = 0, p99 = 0;
  double p99_low = 0, p99_high = 0;  ///< the 95 % confidence interval of the 99th percentile
  double largest = 0;                ///< in the sample
  /// The largest error of the closest neighbours, relative to the larger of exact and typical acceleration.
  /// It is about 1 if the force between two of them is lost.
  double closest = 0;
  double separation = 0;  ///< of the sample
};

/// Errors of the accelerations `found` for the bodies of the sample; without weights all bodies count
/// equally.
ForceErrors errors_of(std::span<const Vec3<double>> found, std::span<const Vec3<double>> exact,
                      const Sample& sample = {}, double G = 1);

/// Computed and exact accelerations of the bodies of a sample; G included.
struct SampledAccelerations {
  std::vector<Vec3<double>> found{};       ///< by the solver that makes the steps
  std::vector<Vec3<double>> diagnostic{};  ///< by the solver of the energies; empty: the same solver
  std::vector<Vec3<double>> exact{};       ///< by direct sums in double precision
};
/// The larger errors of `found` and `diagnostic`.
ForceErrors errors_of(const SampledAccelerations& accelerations, const Sample& sample, double G);

/// The allowed error of direct sums if no accuracy was requested.
inline constexpr double exact_enough = 1e-5;
/// Whether 99 % of the bodies meet the accuracy, by the upper end of the interval, and no error is gross.
/// Gross is, for direct sums, an error above 0.01 or ten times the accuracy, whichever is larger. A tree is
/// less accurate where accelerations cancel: for it only closest neighbours count, with errors above the
/// largest of 0.1, ten times the accuracy, and three times the 99th percentile.
bool meet(const ForceErrors& errors, double accuracy, bool direct);
/// Whether an error is gross, as described for meet.
bool gross(const ForceErrors& errors, double accuracy, bool direct);

/// G sum_j m_j (x_j - x_i) / (r^2 + eps^2)^(3/2) of the chosen bodies, in double precision.
std::vector<Vec3<double>> exact_accelerations(const Bodies& bodies, const Gravity& gravity,
                                              std::span<const std::size_t> chosen);

}  // namespace pleiad
