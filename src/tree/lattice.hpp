/// A periodic box for trees: nearby images of all bodies are walked like the bodies themselves, and all
/// further ones together, with the background that cancels the mean density, are a field.
///
/// What the further images of a unit mass give at separation d is smooth: for |d_a| <= L_a, where two bodies
/// of the box can be, it is the potential of all images (cpu::EwaldSplit, softened as there) less those of
/// the images up to `reach` boxes away, the nearest of what is left being reach L away. As a polynomial
/// P(d) of total degree 12, even in each coordinate, its gradient is right to 6e-6 M / L^2 at worst, 4e-7 in
/// the root of the mean square over bodies anywhere in a cube, 2e-8 for a uniform distribution (measured
/// against Ewald's sums; with one image less to each side of a cube 5e-3, 5e-4 and 2e-5).
///
/// Why not a local expansion of the root from lattice sums of derivatives: that converges in a ball about
/// the centre of mass, wherever this may be, of which the box is only a part, and slowly at its corners
/// (sqrt(3) / 3 per order); and it would be cut off at the tree's order. Fitted to the box the error is the
/// same for all orders, wherever the mass is. The conditionally convergent terms, a dipole's and a
/// quadrupole's, are in the reference to Ewald: no k = 0, conducting surroundings.
///
/// P(x - y) is expanded in powers of x and y: moments of all bodies first, then at each body the gradient of
/// a polynomial of x. Since P is exactly a function of the difference, and even, pulls cancel in pairs to
/// rounding.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tree/lattice_terms.hpp"
#include "tree/tree.hpp"

#include <pleiad/gravity.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace pleiad::tree {

class Lattice {
 public:
  static constexpr int degree = lattice::degree;
  static constexpr std::size_t terms = lattice::terms;
  /// A polynomial's terms x^a y^b z^c with c running fastest, then b.
  using Terms = std::array<double, terms>;

  /// Fits P, unless it is that of this law already. UsageError for boxes that it cannot do.
  void set(const Boundary& boundary, double eps);
  /// Takes the bodies of a tree, whose positions are in the box: their moments, and their field.
  void take(const Tree& tree);
  /// The field in parts, for a tree whose bodies are in several memories: its units; the moments of blocks of
  /// `block` of its bodies, the last of which may have fewer, added one after another; the field.
  void take_units(const Tree& tree);
  void add_moments(const Tree& tree, std::size_t begin, std::size_t end, Terms& moments) const;
  void take_moments(const Terms& moments);
  static constexpr std::size_t block = 8192;
  /// Shifts of the nearby images in the tree's units; the first is 0. Opposite ones are opposite to the bit.
  std::span<const Vec3<double>> images() const { return images_; }
  /// How many boxes each of them is away along x, y and z.
  std::vector<std::array<int, 3>> boxes_away() const;
  /// The coefficients of P in powers of (d_a / L_a)^2, of that along z fastest.
  std::span<const double> even() const { return even_; }
  /// Acceleration of the further images, in the tree's units.
  Vec3<double> acceleration_at(const Vec3<double>& place) const;
  /// Adds pulls and potentials (positive, as the tree's are) of the further images to sums of its targets.
  void add(const Tree& tree, std::span<Vec4<double>> sums) const;

  /// A coordinate of the tree as a part of the box, -1/2 to 1/2: scale x + offset.
  struct Map {
    Vec3<double> scale, offset;
  };

 private:
  void fit(const Boundary& boundary, double eps);

  static constexpr std::size_t half = lattice::half;
  Vec3<double> length_{};
  double eps_ = -1;
  std::array<int, 3> reach_{};
  std::array<double, half * half * half> even_{};
  Map map_{};
  double per_length_ = 0;  ///< turns potentials into the tree's units
  Terms field_{};
  std::vector<Vec3<double>> images_;
};

}  // namespace pleiad::tree
