/// How accurate forces are: measured against direct sums in double precision, on a sample of the bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace pleiad {

/// Bodies drawn from all: the closest neighbours, and one of each of many equal parts of the rest, in the
/// order of type, mass and density. Which one decides a hash of its place and mass, so that a file's order
/// does not. Of very many bodies the hash first takes 64 times as many as are drawn, and the parts are parts
/// of these.
struct Sample {
  std::vector<std::size_t> bodies{};  ///< the closest neighbours first; none twice
  std::vector<double> weights{};      ///< bodies that each stands for; together they are all
  std::size_t closest = 0;            ///< so many of `bodies` are there for being closest to another
  /// The smallest separation found of two bodies at different places, along one axis; infinite: of none.
  double separation = 0;
  double acceleration =
      0;  ///< M / R^2 of all bodies, R the longest side of the box around them; 0: at one place
};
/// At most `most` bodies; all of them where there are no more. With the same bodies in another order the same
/// sample, but where bodies of one mass share a place. O(N).
Sample sample_of(const Bodies& bodies, std::size_t most);
/// As many as can be summed directly in about 2 % of the time that a tree takes from one check of its errors
/// to the next: 4000 by a processor, 5000 or 10,000 by a GPU.
std::size_t sample_size(std::size_t n, bool on_gpu = false);
/// Bodies closer than that do not pull each other in double precision, without softening.
inline constexpr double least_separation = 1e-100;

/// A body's acceleration counts as at least this part of the typical one, the larger of the sample's median
/// and G M / R^2: who feels next to nothing has no relative error that means anything.
inline constexpr double least_acceleration = 1e-3;

/// Relative errors |a - a_exact| / max(|a_exact|, least_acceleration typical) over all bodies, estimated from
/// a sample. Errors that are no numbers count as infinite, and so does an error where all accelerations are
/// zero.
struct ForceErrors {
  std::size_t sample = 0;
  double median = 0, p99 = 0;
  double p99_low = 0, p99_high = 0;  ///< between them the 99th percentile of all is with 95 % confidence
  double largest = 0;                ///< in the sample
  /// The largest of those that are in the sample as closest neighbours, each against the typical acceleration
  /// at least: a pull between two of them that is lost makes it about 1.
  double closest = 0;
  double separation = 0;  ///< of the sample
};

/// Of accelerations found for the bodies of the sample. One without weights: each stands for as many.
ForceErrors errors_of(std::span<const Vec3<double>> found, std::span<const Vec3<double>> exact,
                      const Sample& sample = {}, double G = 1);

/// What moves the bodies of a sample, and what would be right; G included.
struct SampledAccelerations {
  std::vector<Vec3<double>> found{};  ///< of the forces that make the steps
  std::vector<Vec3<double>>
      diagnostic{};                   ///< of the sums that energies are told from; empty: by the same solver
  std::vector<Vec3<double>> exact{};  ///< by direct sums in double precision
};
/// The larger errors of `found` and `diagnostic`.
ForceErrors errors_of(const SampledAccelerations& accelerations, const Sample& sample, double G);

/// The error that direct sums may have when no accuracy was asked for.
inline constexpr double exact_enough = 1e-5;
/// Whether 99 % of the bodies are as accurate as asked, by the upper end of the interval, and nobody is wrong
/// beyond what such a solver does: by direct sums at most by a hundredth, or ten times the accuracy; by a
/// tree, which is looser where accelerations cancel, of the closest neighbours at most by a tenth, or that,
/// or three times the 99th percentile.
bool meet(const ForceErrors& errors, double accuracy, bool direct);
/// The second half alone.
bool gross(const ForceErrors& errors, double accuracy, bool direct);

/// G sum_j m_j (x_j - x_i) / (r^2 + eps^2)^(3/2) of the chosen bodies, in double precision.
std::vector<Vec3<double>> exact_accelerations(const Bodies& bodies, const Gravity& gravity,
                                              std::span<const std::size_t> chosen);

}  // namespace pleiad
