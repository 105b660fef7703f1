/// The force law and the space: G, softening, boundary, dimension, external potentials, added forces.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/added_force.hpp>
#include <pleiad/potential.hpp>
#include <pleiad/vec.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad {

/// The form of softened gravity between two bodies at the distance r. Both have the potential -G m / eps at r
/// = 0. `plummer`: -G m / (r^2 + eps^2)^(1/2). `spline`: that of a cubic spline of radius h = 2.8 eps, which
/// is Newtonian from h on (V. Springel, Monthly Notices of the Royal Astronomical Society 364, 1105, 2005).
enum class SofteningKernel : std::uint8_t { plummer, spline };
/// The names, in the order of the values.
constexpr std::array<std::string_view, 2> softening_kernel_names{"plummer", "spline"};
/// Returns "plummer" or "spline".
constexpr std::string_view name_of(SofteningKernel kernel) {
  return softening_kernel_names[static_cast<std::size_t>(kernel)];
}

/// The softening of a pair from those of its two bodies: the larger one, or the root of the sum of squares.
enum class SofteningRule : std::uint8_t { max, quadratic };
/// The names, in the order of the values.
constexpr std::array<std::string_view, 2> softening_rule_names{"max", "quadratic"};
/// Returns "max" or "quadratic".
constexpr std::string_view name_of(SofteningRule rule) {
  return softening_rule_names[static_cast<std::size_t>(rule)];
}

/// Whether all bodies have one softening, those of a type have, or each has its own (Bodies::softening).
enum class SofteningOf : std::uint8_t { all, types, bodies };

/// Softened gravity. eps is the Plummer-equivalent length, in the units of the bodies, >= 0; 0 gives
/// Newtonian forces: that of all pairs, or where softenings differ the smallest one of all bodies; then
/// `rule` makes those of pairs.
struct Softening {
  double eps = 0;
  SofteningKernel kernel = SofteningKernel::plummer;
  SofteningRule rule = SofteningRule::max;
  SofteningOf of = SofteningOf::all;
  constexpr double eps2() const { return eps * eps; }
  /// Whether r^2 + eps^2 with one eps is the law of all pairs.
  constexpr bool plain() const {
    return of == SofteningOf::all && (kernel == SofteningKernel::plummer || eps == 0);
  }
};
/// The radius of the spline in units of eps.
inline constexpr double spline_radius = 2.8;

/// The images of a body that exert forces in a periodic box: the nearest one, or all.
enum class Images { nearest, all };
/// The names, in the order of the values.
constexpr std::array<std::string_view, 2> images_names{"nearest", "all"};
/// Returns "nearest" or "all".
constexpr std::string_view name_of(Images images) { return images_names[static_cast<std::size_t>(images)]; }

/// Open space, or a periodic box [0, length) per axis. Lengths are in the units of the bodies.
///
/// With the nearest images, a separation component of exactly half the box has two images and counts as 0.
///
/// With all images every body acts with its whole lattice, each image softened alike, and a uniform
/// background cancels the mean density: the potential of a unit mass is -sum_k A_k cos(k d) over all waves k
/// != 0 of the box, with A_k the Fourier coefficients of 1 / sqrt(r^2 + eps^2). Its mean is 0. The images of
/// a body exert no net force on it; their potential at the body in a cube is +2.837297479480619 G m / length
/// without softening (P. P. Ewald, Annalen der Physik 369, 253, 1921; conducting surroundings, as in L.
/// Hernquist, F. Bouchet and Y. Suto, Astrophysical Journal Supplement 75, 231, 1991).
struct Boundary {
  bool periodic = false;
  Vec3<double> length{1, 1, 1};
  Images images = Images::nearest;
  constexpr bool all_images() const { return periodic && images == Images::all; }
};

/// Which bodies are semi-active: bodies with mass that pull all others and are pulled by them, but neither
/// pull nor are pulled by each other, nor pull test particles. They cost one pair with each of the other
/// bodies with mass. A body is one by its mass, or by its type.
struct SemiActive {
  double below = 0;        ///< those with a mass > 0 that is smaller; 0: none by its mass
  std::uint8_t types = 0;  ///< those of these types: bit t for the type with number t
  constexpr bool any() const { return below > 0 || types != 0; }
  /// Whether a body is semi-active; `type`: its number.
  constexpr bool has(double mass, unsigned type) const {
    return mass > 0 && (mass < below || ((types >> type) & 1U) != 0);
  }
  bool operator==(const SemiActive&) const = default;
};
/// Reads "below=1e-9", names of types such as "disc star", or both, separated by spaces; "" is none.
/// UsageError, with the nearest name.
SemiActive semi_active_of(std::string_view text);
/// Returns the text that semi_active_of reads.
std::string text_of(const SemiActive& semi_active);

/// The force law: a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2), without the term j = i, or
/// with the spline in place of it. External potentials and added forces add their accelerations. In two
/// dimensions every z and vz is 0 and stays 0; the law is the same (1/r^2 along the separation).
struct Gravity {
  double G = 1;  ///< gravitational constant in the units of the bodies
  Softening softening{};
  Boundary boundary{};
  int dimension = 3;  ///< 3 or 2
  /// External potentials. They act on every body and are not changed by it. The potential energy includes
  /// sum_i m_i phi(x_i). Open space and three dimensions only.
  std::vector<Potential> potentials{};
  /// Forces of another form, which depend on the bodies: relativity, drag. Open space and three dimensions
  /// only.
  std::vector<AddedForce> forces{};
  /// Bodies that do not pull each other. Direct sums with one Plummer softening, on CPUs, only.
  SemiActive semi_active{};
};

/// The pattern speed omega for which E - omega L_z of all bodies is constant under this law (see
/// pattern_speed_of of potentials). 0: their energy E is. Empty: it keeps neither.
std::optional<double> pattern_speed_of(const Gravity& gravity);
/// Whether drags change this energy and integrators add up their work (Engine::work), so that the energy
/// less the work is constant: so it is where no other added force takes energy, and none but drags depends on
/// velocities.
bool counts_work(const Gravity& gravity);
/// As pattern_speed_of, of the energy less the work where it is counted.
std::optional<double> balanced_pattern_speed_of(const Gravity& gravity);

}  // namespace pleiad
