/// External potentials: given fields of gravity, which act on the bodies and do not feel them.
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
/// All kinds.
std::span<const PotentialKind> potential_kinds();

/// One external potential, in the units of the bodies. Its field is static.
struct Potential {
  static constexpr int most_parameters = 6;
  int kind = 0;                          ///< index in potential_kinds()
  double parameters[most_parameters]{};  ///< in the order of the kind's parameters
  Vec3<double> centre{};                 ///< where its own coordinates are 0
  bool operator==(const Potential&) const = default;
};

/// The potential of a text "KIND name=value ...": "nfw mass=80 scale=16 x=1". Every kind also takes x, y and
/// z, its centre. UsageError for an unknown kind or parameter, with the nearest name, for a missing one, and
/// for a value out of range.
Potential potential_of(std::string_view text);
/// The text of a potential: potential_of gives the same bits again.
std::string text_of(const Potential& potential);
/// The potentials of several texts.
std::vector<Potential> potentials_of(std::span<const std::string> texts);
/// The texts of several potentials, one a line.
std::string lines_of(std::span<const Potential> potentials);
/// The potentials of such lines; UsageError as potential_of.
std::vector<Potential> potentials_of_lines(const std::string& lines);

/// Acceleration and potential at one position.
struct FieldValue {
  Vec3<double> acceleration{};
  double potential = 0;
};
/// The sum of these fields at a position; `G`: the gravitational constant of the units.
FieldValue field_at(std::span<const Potential> potentials, double G, const Vec3<double>& position);

}  // namespace pleiad
