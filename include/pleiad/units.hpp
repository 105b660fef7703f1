/// Unit systems: a length, a mass and a velocity in cgs. Conversions are explicit.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <span>
#include <string>
#include <string_view>

namespace pleiad {

/// A unit system. `nbody` (Henon: G = M = 1, E = -1/4) has no physical scale: its three units in cgs are 1,
/// and `physical` is false.
struct Units {
  std::string name = "nbody";
  bool physical = false;
  double length_cm = 1, mass_g = 1, velocity_cm_s = 1;  ///< the units in cgs
  double time_s() const { return length_cm / velocity_cm_s; }
  /// Returns the gravitational constant in this system (1 for nbody).
  double G() const;
  bool operator==(const Units&) const = default;
};

/// Returns a unit system by name: "nbody", "galactic" (kpc, 1e10 Msun, km/s), "cluster" (pc, Msun, km/s),
/// "solar" (au, Msun, au/(yr/2pi)), "si" or "cgs". UsageError with the nearest name.
Units units_named(std::string_view name);
/// The names that units_named accepts.
std::span<const std::string_view> unit_system_names();
/// Makes a unit system from its cgs values. UsageError if one is not finite and > 0.
Units custom_units(double length_cm, double mass_g, double velocity_cm_s);

/// A unit of time for people: "Gyr" with 3.15576e16 s.
struct TimeUnit {
  std::string_view name;
  double seconds;
};
/// The unit in which times of a system are shown: the largest of s, h, d, yr, kyr, Myr and Gyr (Julian years)
/// of which the system's own unit of time is at least a tenth ("galactic": Gyr, "cluster": Myr, "solar": yr),
/// or a larger one where `longest`, a time in units of the system, would have more than four digits. Without
/// a physical scale the name is "".
TimeUnit time_unit_of(const Units& units, double longest = 0);
/// A time in that unit, with its name: "1.25 Gyr"; six digits. Without a physical scale the number alone.
std::string time_in_words(double time, const Units& units);

/// Rescales positions, masses and velocities from one system to another. UsageError if only one of the
/// systems is physical.
void convert(Bodies& bodies, const Units& from, const Units& to);
/// Converts a time from one system to another; UsageError as above.
double convert_time(double t, const Units& from, const Units& to);

}  // namespace pleiad
