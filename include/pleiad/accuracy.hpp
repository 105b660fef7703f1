/// Force errors, measured against direct sums in double precision on a sample of the bodies.
///
/// Errors are relative, without a unit. Lengths, masses and accelerations are in the units of the bodies;
/// accelerations include G unless stated otherwise.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace pleiad {

/// A stratified sample: the closest neighbours, and one body from each of many equal strata of the rest,
/// which are sorted by type, mass and density. A hash of position and mass selects the body, so the sample
/// does not depend on the order of a file. From a very large number of bodies the hash first selects 64 times
/// as many as are drawn, and the strata divide these.
struct Sample {
  std::vector<std::size_t> bodies{};  ///< indices; the closest neighbours first; none twice
  std::vector<double>
      weights{};            ///< number of bodies that each represents, in the order of `bodies`; the sum is N
  std::size_t closest = 0;  ///< number of closest neighbours in `bodies`
  /// The smallest separation found between two distinct positions, along one axis; infinite: none found.
  double separation = 0;
  /// The largest separation of the closest neighbours; on a lattice that of all of them.
  double widest = 0;
  /// M / R^2, with the mass M of all bodies and the longest side R of their bounding box; without G; 0 if R
  /// is 0.
  double acceleration = 0;
  double mass = std::numeric_limits<double>::infinity();  ///< total mass of the bodies; infinite: unknown
  /// Indices of test particles, drawn by a hash, where the engine computes their forces apart from those of
  /// the bodies with mass (EngineDescription::test_particles): `bodies` are then bodies with mass.
  std::vector<std::size_t> particles{};
  /// Returns whether the closest neighbours are equally far, to a hundredth: a lattice, or a ring. Errors at
  /// such a start are no estimate of those after it, because errors of symmetric bodies cancel.
  bool symmetric() const { return closest > 1 && widest <= 1.01 * separation; }
};
/// Draws a sample of `most` bodies, or of all if there are no more. The order of the bodies does not change
/// the sample, unless bodies of equal mass share a position. O(N).
Sample sample_of(const Bodies& bodies, std::size_t most);
/// Returns the sample size for n bodies: 4000 on a CPU, 5000 or 10,000 on a GPU. The direct sums of such a
/// sample take about 2 % of the time of a tree between two checks of its errors.
std::size_t sample_size(std::size_t n, bool on_gpu = false);
/// Without softening, bodies closer than this exert no force on each other in double precision.
inline constexpr double least_separation = 1e-100;

/// The rounding error of a sum of pulls (accelerations by single sources) in double precision, as a fraction
/// of the sum of their magnitudes. An acceleration smaller than this is lost in the rounding of the direct
/// sums that it is compared with.
inline constexpr double rounding_of_sums = 4 * 0x1p-53;
/// Accelerations of this many such rounding errors are known to a hundredth, as the default limit asks.
inline constexpr double comparable = 100;

/// Relative errors over all bodies, estimated from a sample. The error of a body is |a - a_exact| /
/// max(|a_exact|, f), where f is the rounding error of its direct sum: pulls that cancel to less have no
/// useful relative error. A NaN counts as an infinite error.
struct ForceErrors {
  std::size_t sample = 0;  ///< number of bodies in the sample
  double median = 0, p99 = 0;
  double p99_low = 0, p99_high = 0;  ///< the 95 % confidence interval of the 99th percentile
  double largest = 0;                ///< in the sample
  /// The largest error of the closest neighbours, relative to the larger of exact and typical acceleration.
  /// Typical is the larger of the sample's median and G M / R^2. It is about 1 if the force between two of
  /// them is lost.
  double closest = 0;
  double separation = 0;  ///< Sample::separation
  /// Number of bodies of the sample whose pulls cancel to less than f, and the errors of those whose
  /// accelerations are at least `comparable` f.
  std::size_t cancelled = 0;
  double others_p99_high = 0, others_largest = 0;
  /// Number of test particles in the sample, the 99th percentile of their errors and the largest one. They
  /// count in no other member.
  std::size_t particles = 0;
  double particles_p99 = 0, particles_largest = 0;
  /// False for sums with all images in double precision: their reference is computed in the same way.
  bool measured = true;
};

/// Returns the errors of the accelerations `found` relative to `exact`. Both have one entry for each body of
/// the sample, in its order. `rounding` has as many, or is empty: see rounding_of. Without weights in the
/// sample all bodies count equally.
ForceErrors errors_of(std::span<const Vec3<double>> found, std::span<const Vec3<double>> exact,
                      const Sample& sample = {}, double G = 1, std::span<const double> rounding = {});

/// Computed and exact accelerations of the bodies of a sample, in its order; G included.
struct SampledAccelerations {
  std::vector<Vec3<double>> found{};       ///< by the solver that makes the steps
  std::vector<Vec3<double>> diagnostic{};  ///< by the solver of the energies; empty: it is the same solver
  std::vector<Vec3<double>> exact{};       ///< by direct sums in double precision
  std::vector<double> rounding{};          ///< rounding errors of `exact`: see rounding_of
};
/// Returns the larger errors of `found` and `diagnostic`.
ForceErrors errors_of(const SampledAccelerations& accelerations, const Sample& sample, double G);

/// The allowed error of direct sums if no accuracy was requested.
inline constexpr double exact_enough = 1e-5;
/// Returns whether 99 % of the bodies meet the accuracy, by the upper end of the confidence interval, and no
/// error is gross. Gross is, for direct sums, an error above 0.01 or ten times the accuracy, whichever is
/// larger. A tree is less accurate where accelerations cancel: for it only closest neighbours count, with
/// errors above the largest of 0.1, ten times the accuracy, and three times the 99th percentile.
bool meet(const ForceErrors& errors, double accuracy, bool direct);
/// Returns whether an error is gross, as described for meet.
bool gross(const ForceErrors& errors, double accuracy, bool direct);

/// Computes the accelerations of the bodies with the indices `chosen`, G included, by direct sums over all
/// bodies in double precision. External potentials are not included. O(N) for each.
std::vector<Vec3<double>> exact_accelerations(const Bodies& bodies, const Gravity& gravity,
                                              std::span<const std::size_t> chosen);
/// Returns the rounding errors of exact accelerations of the bodies of a sample: rounding_of_sums times the
/// sum of the magnitudes of the pulls on each, of near images in a periodic box; 0 where the acceleration is
/// certainly larger. An empty result: 0 for all.
std::vector<double> rounding_of(const Bodies& bodies, const Gravity& gravity, const Sample& sample,
                                std::span<const Vec3<double>> exact);

}  // namespace pleiad
