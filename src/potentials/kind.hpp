/// What the class of a kind of potential may have besides its parameters, its PotentialKind and its field.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/units.hpp>

namespace pleiad::potentials {

/// A kind whose field is not computed from its parameters themselves has prepare(parameters, numbers).
template <class Kind>
concept Prepared = requires(const double* parameters, double* numbers) {
  Kind::prepare(parameters, numbers);
};
/// A kind that is not symmetric about its z axis for all parameters has axisymmetric(parameters).
template <class Kind>
concept SometimesAxisymmetric = requires(const double* parameters) {
  Kind::axisymmetric(parameters);
};
/// A kind with physical dimensions has scale(units, parameters), which finds those that are not given.
template <class Kind>
concept Physical = requires(const Units& units, double* parameters) {
  Kind::scale(units, parameters);
};

/// A kind whose field is computed from the rows of a table has their number of columns.
template <class Kind>
concept Tabulated = requires {
  Kind::columns;
};

}  // namespace pleiad::potentials
