/// Displacements and velocities of Lagrangian perturbation theory, first and second order, on a lattice.
///
/// x = q - grad phi1 + D2 / D1^2 grad phi2 with lap phi1 = delta and lap phi2 = sum over i < j of phi1,ii
/// phi1,jj - phi1,ij^2, where delta is the linear field at the time (F. R. Bouchet, S. Colombi, E. Hivon and
/// R. Juszkiewicz, Astronomy and Astrophysics 296, 575, 1995).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <vector>

namespace pleiad::lpt {

using Modes = std::vector<std::complex<double>>;

/// The grid on which products of two fields with n places along a side have no false modes up to
/// largest_wave(n): at least 3 largest_wave(n) + 1 places, a product of 2, 3 and 5.
std::size_t padded(std::size_t n);

/// Modes up to largest_wave(n) of lap phi2, for lengths in units of 2 pi / fundamental mode (neither delta
/// nor lap phi2 has a unit). `delta`: modes on a grid of n places along a side, 0 at |k| = n / 2.
Modes second_order_source(const Modes& delta, std::size_t n);

/// The first and the second order of a linear field.
struct Orders {
  const Modes& delta;
  const Modes& source;  ///< lap phi2; empty: there is no second order
  std::size_t n;        ///< places along a side
  double length;        ///< side of the box, the unit of displacements
};
/// What is added up to a vector field: first psi1 + second psi2, with psi1 = -grad phi1 and psi2 = grad phi2.
struct Factors {
  double first = 1, second = 0;
};
/// A component of that vector along `axis` (0, 1, 2) at all places, in `to`. `work` is empty, or what an
/// earlier call left.
void displacement(const Orders& orders, std::size_t axis, const Factors& factors, Modes& work,
                  std::vector<double>& to);

/// Bytes that second_order_source needs at most at one time, beyond its arguments and its result.
double bytes_of_source(std::size_t n);

}  // namespace pleiad::lpt
