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

/// Relative errors |a - a_exact| / |a_exact| over a sample. A body that feels no pull has the error 0 when
/// none was found, else infinity; errors that are no numbers count as infinity.
struct ForceErrors {
  std::size_t sample = 0;
  double median = 0, p99 = 0, largest = 0;
};

/// At most `most` bodies of n, evenly among them.
std::vector<std::size_t> sample_of(std::size_t n, std::size_t most);
/// As many as a processor sums directly in about the time of one evaluation by a tree: 500 to 1000.
std::size_t sample_size(std::size_t n);
/// On a GPU, where they cost little.
inline constexpr std::size_t sample_on_gpu = 1000;

/// G sum_j m_j (x_j - x_i) / (r^2 + eps^2)^(3/2) of the chosen bodies, in double precision.
std::vector<Vec3<double>> exact_accelerations(const Bodies& bodies, const Gravity& gravity,
                                              std::span<const std::size_t> chosen);
/// Of accelerations found for the same bodies.
ForceErrors errors_of(std::span<const Vec3<double>> found, std::span<const Vec3<double>> exact);

}  // namespace pleiad
