/// The case for which a method is chosen: a device and the kind of problem, with numbers of bodies in steps
/// of a quarter of a power of two.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/kernel/choice.hpp>

#include <cstddef>
#include <string>

namespace pleiad::tune {

struct Case {
  Device where = Device::cpu;
  std::string device;  ///< as an engine describes it
  Precision precision = Precision::mixed;
  std::size_t n = 0;
  bool periodic = false;
  Masses masses = Masses::any;
  int gpus = 1;  ///< the most that may be used
  /// The request for the forces as text, and the distribution of the bodies: the levels of the leaves that
  /// hold the middle body, and all but a hundredth. Empty: the fastest direct sums.
  std::string request{};
  unsigned half = 0, deepest = 0;
  bool operator==(const Case&) const = default;
};

/// More bodies than this number change nothing: every device is full.
inline constexpr std::size_t most_bodies = 262144;
/// Largest number of GPUs that is tried if all are requested.
inline constexpr int most_gpus = 8;

/// The smallest of the numbers 2^(k/4), rounded down, that is not less than n; at most most_bodies. A method
/// for this number of bodies supports n.
std::size_t rounded_up(std::size_t n);

/// "65536 bodies, mixed, equal masses", "… in a periodic box", "…, up to 4 GPUs".
std::string name_of(const Case& what);

/// Bodies that are measured: a Plummer sphere in equilibrium of that many bodies, in the middle of the box of
/// gravity_of if it is periodic.
Bodies bodies_of(const Case& what);
Gravity gravity_of(const Case& what);

}  // namespace pleiad::tune
