/// External potentials: given fields of gravity, which act on the bodies and are not changed by them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/units.hpp>
#include <pleiad/vec.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// A parameter of a kind of potential.
struct PotentialParameter {
  std::string_view name;
  double low = 0, high = 0;  ///< allowed range, inclusive
  std::string_view meaning;  ///< with its unit
  bool required = true;
  double value = 0;  ///< default of a parameter that is not required
};

/// A kind of potential: one file of src/potentials.
struct PotentialKind {
  std::string_view name;
  std::string_view idea;  ///< the formula and its source
  std::span<const PotentialParameter> parameters;
  bool model = false;  ///< of one object: all but its scales is in the idea
};
/// All kinds of potentials.
std::span<const PotentialKind> potential_kinds();

/// One external potential, in the units of the bodies. Its centre may move, its axes may rotate, and its
/// strength may change, all as functions of the simulation's time t alone.
struct Potential {
  static constexpr int most_parameters = 6;
  int kind = 0;                          ///< index in potential_kinds()
  double parameters[most_parameters]{};  ///< in the order of the kind's parameters
  Vec3<double> centre{};                 ///< its centre at t = 0
  Vec3<double> velocity{};               ///< of the centre, which is at centre + velocity t
  double angle = 0;  ///< of its x axis at t = 0, in radians from that of the bodies towards their y axis
  double omega = 0;  ///< pattern speed: the angle is angle + omega t
  /// Its strength rises from 0 at rise_from to 1 at rise_to by the polynomial of Dehnen (2000, AJ 119, 800),
  /// whose first two derivatives are continuous. Equal: it is 1 at all times.
  double rise_from = 0, rise_to = 0;
  double e_fold = 0;  ///< the strength has a factor exp(t / e_fold); 0: it has none
  /// Rows of the kind "table": radius, mass within it, the derivative of that mass, and potential over G.
  std::vector<double> table{};
  /// Rows of t, x, y, z, vx, vy, vz: the centre is on cubic curves through them (Hermite interpolation), and
  /// there is none before the first and after the last time. Empty: it is at centre + velocity t.
  std::vector<double> track{};
  bool operator==(const Potential&) const = default;
};
/// Whether the field is the same at all times.
bool is_static(const Potential& potential);
/// The pattern speed omega for which E - omega L_z of a body, with L_z about the z axis through the origin,
/// is constant along its orbit in the sum of these fields (the Jacobi energy). 0: the energy itself is
/// constant. Empty: the fields keep no such energy.
std::optional<double> pattern_speed_of(std::span<const Potential> potentials);

/// A parameter that every kind takes.
struct CommonParameter {
  std::string_view name, meaning;
};
/// The parameters that every kind takes: those of its centre, its axes and its strength.
std::span<const CommonParameter> common_potential_parameters();

/// Makes a potential from a text "KIND name=value ...": "nfw mass=80 scale=16 x=1". Every kind also takes the
/// common parameters, "track=FILE" for a centre on a track, and the kind "table" takes "file=FILE"; a file
/// has a row of numbers on each line (docs/potentials.md). `units` are those of the bodies; a kind with
/// physical dimensions of its own, such as milky-way, takes its scales from them. UsageError for an unknown
/// kind or parameter, with the nearest name, for a missing one, and for a value that is out of range or not
/// finite; InputError for a file that cannot be read.
Potential potential_of(std::string_view text, const Units& units = {});
/// Returns a text from which potential_of makes a potential with the same bits, with the contents of files
/// ("rows=", "track_rows=").
std::string text_of(const Potential& potential);
/// Makes a potential from each text; UsageError as potential_of.
std::vector<Potential> potentials_of(std::span<const std::string> texts, const Units& units = {});
/// Returns the texts of several potentials, one for each line.
std::string lines_of(std::span<const Potential> potentials);
/// Makes the potentials of the lines of lines_of; UsageError as potential_of.
std::vector<Potential> potentials_of_lines(const std::string& lines, const Units& units = {});

/// Acceleration and potential (energy per mass) at one position, G included.
struct FieldValue {
  Vec3<double> acceleration{};
  double potential = 0;
};
/// Returns the sum of the fields of all potentials at a position and a time. `G` is the gravitational
/// constant in the units of the potentials.
FieldValue field_at(std::span<const Potential> potentials, double G, const Vec3<double>& position,
                    double time = 0);

}  // namespace pleiad
