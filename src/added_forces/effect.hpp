/// What an added force does to one body, and what it depends on, for numbers of any kind: double, or Dual
/// where the time derivative is needed.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "potentials/instant.hpp"

#include <pleiad/vec.hpp>

#include <string_view>

namespace pleiad::added {

template <class T>
struct Place {
  Vec3<T> r{},
      v{};        ///< position and velocity relative to the source, or those of the body where there is none
  double Gm = 0;  ///< G times the mass of the source
  double G = 1;
  double m = 0;                                         ///< mass of the body
  const potentials::Instant<double>* medium = nullptr;  ///< the external potential that the force refers to
  Vec3<double> medium_velocity{};                       ///< of its centre
};

/// G included.
template <class T>
struct Effect {
  Vec3<T> acceleration{};
  T energy{};  ///< per mass, beyond v^2 / 2; 0 of a force that has none
};

/// A kind with the speed of light has its place among the parameters.
template <class Kind>
concept Relativistic = requires {
  Kind::light;
};

/// What is wrong with the parameters of a force: "", or what follows its name in a message, or the name and
/// the value of one of them.
struct Fault {
  std::string_view text;
  int parameter = -1;  ///< its place; < 0: the text follows the name of the force
};
/// A kind whose parameters may be wrong together has fault(parameters).
template <class Kind>
concept Checked = requires(const double* parameters) {
  Kind::fault(parameters);
};

/// A kind that keeps angular momentum about the z axis for some parameters only has upright(parameters).
template <class Kind>
concept SometimesUpright = requires(const double* parameters) {
  Kind::upright(parameters);
};

/// A kind that has a source for some parameters only has turns_about_source(parameters).
template <class Kind>
concept SometimesOfSource = requires(const double* parameters) {
  Kind::turns_about_source(parameters);
};

/// A kind of terms between the two bodies of each pair, which are not known for a body by itself.
template <class Kind>
concept BetweenPairs = requires {
  Kind::between_pairs;
};

/// A kind that refers to an external potential has the place of its number, from 1, among the parameters.
template <class Kind>
concept InMedium = requires {
  Kind::medium;
};

}  // namespace pleiad::added
