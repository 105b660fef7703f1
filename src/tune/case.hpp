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
  /// What is asked of the forces, its text, and how the bodies are distributed: the levels of the leaves that
  /// hold the middle one, and all but a hundredth. None: the fastest direct sums.
  std::string request{};
  unsigned half = 0, deepest = 0;
  bool operator==(const Case&) const = default;
};

/// From this number on more bodies change nothing: every device is full.
inline constexpr std::size_t most_bodies = 262144;
/// That are looked for when all are asked for.
inline constexpr int most_gpus = 8;

/// The smallest of the numbers 2^(k/4), rounded down, that is not less than n; at most most_bodies. What can
/// take so many bodies can take n.
std::size_t rounded_up(std::size_t n);

/// "65536 bodies, mixed, equal masses", "… in a periodic box", "…, up to 4 GPUs".
std::string name_of(const Case& what);

/// What is measured: a Plummer sphere in equilibrium of that many bodies, in the middle of the box of
/// gravity_of when it is periodic.
Bodies bodies_of(const Case& what);
Gravity gravity_of(const Case& what);

}  // namespace pleiad::tune
