/// External potentials: given fields of gravity, which act on the bodies and are not changed by them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

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
};
/// All kinds of potentials.
std::span<const PotentialKind> potential_kinds();

/// One external potential. Lengths, velocities and masses are in the units of the bodies. Its field is
/// static.
struct Potential {
  static constexpr int most_parameters = 6;
  int kind = 0;                          ///< index in potential_kinds()
  double parameters[most_parameters]{};  ///< in the order of the kind's parameters
  Vec3<double> centre{};                 ///< its centre
  bool operator==(const Potential&) const = default;
};

/// Makes a potential from a text "KIND name=value ...": "nfw mass=80 scale=16 x=1". Every kind also takes x,
/// y and z, its centre. UsageError for an unknown kind or parameter, with the nearest name, for a missing
/// one, and for a value that is out of range or not finite.
Potential potential_of(std::string_view text);
/// Returns a text from which potential_of makes a potential with the same bits.
std::string text_of(const Potential& potential);
/// Makes a potential from each text; UsageError as potential_of.
std::vector<Potential> potentials_of(std::span<const std::string> texts);
/// Returns the texts of several potentials, one for each line.
std::string lines_of(std::span<const Potential> potentials);
/// Makes the potentials of the lines of lines_of; UsageError as potential_of.
std::vector<Potential> potentials_of_lines(const std::string& lines);

/// Acceleration and potential (energy per mass) at one position, G included.
struct FieldValue {
  Vec3<double> acceleration{};
  double potential = 0;
};
/// Returns the sum of the fields of all potentials at a position. `G` is the gravitational constant in the
/// units of the potentials.
FieldValue field_at(std::span<const Potential> potentials, double G, const Vec3<double>& position);

}  // namespace pleiad
