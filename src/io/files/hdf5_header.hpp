/// Attributes of a file of the GADGET family on its numbers: units, space, time, and the scaling of a
/// cosmological program.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/files/hdf5_attributes.hpp"
#include "io/files/parts.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace pleiad::files::hdf5 {

struct Header {
  Units units;
  bool units_stated = false;
  double G = 0, time = 0;
  std::uint64_t step = 0;
  Boundary boundary{};
  std::optional<Vec3<double>> box{};  ///< stated without a word on whether space repeats in it
  std::optional<double> suggested_softening{};
  std::optional<double> suggested_step{};
  Cosmology cosmology{};
  std::int64_t files = 1;
  std::optional<std::vector<std::int64_t>> total{};  ///< bodies of each type in all files
};

/// Reads the header. InputError for attributes that cannot be read, and for those that contradict one
/// another.
Header read_header(const Hdf5File& f);

/// The densities that a cosmological file states; omega_m = 0: it states none. Radiation and the equation of
/// state are stated by SWIFT and Pleiad, radiation by GIZMO. InputError for a file of SWIFT without h, which
/// its numbers are not divided by.
ComovingUniverse universe_of(const Hdf5File& f, const Cosmology& c);

/// The mass that the header gives to all bodies of a type; 0: each has its own.
double mass_of_type(const Hdf5File& f, std::size_t type);

/// The softening length that the parameters of GADGET-4 or AREPO give a type, as a coordinate is written; no
/// number without them. These programs soften with the cubic spline.
std::optional<double> softening_of_type(const Hdf5File& f, std::size_t type, const Cosmology& c);

/// The powers of a and h by which a dataset's numbers are to be multiplied, where it states them, must be
/// those by which they are.
void check_factors(const Column& column, const Hdf5File& f, const Cosmology& c, double power_of_a,
                   double power_of_h);

}  // namespace pleiad::files::hdf5
