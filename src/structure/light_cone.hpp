/// Light cones: the bodies of a periodic universe, with their images, as an observer at the origin sees them
/// at a = 1.
///
/// Light that arrives then was at a at the comoving distance chi(a), c times the conformal time since. The
/// sphere of that radius shrinks over the bodies; each image of a body is seen where and when it passes over
/// it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosmology/cosmology.hpp"
#include "io/durable/durable.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/files.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/units.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace pleiad::structure {

/// An image of a body as it is seen. Lengths are comoving.
struct SeenBody {
  std::uint64_t id = 0;
  std::array<std::int32_t, 3> image{};  ///< sides of the box from the body in [0, side) to the image
  Type type = Type::halo;
  double a = 0;  ///< when the light left it
  double mass = 0;
  Vec3<double> position{};  ///< from the observer
  Vec3<double> velocity{};  ///< peculiar, a dx/dt
  bool operator==(const SeenBody&) const = default;
};

/// The light cone of an observer at the origin of a periodic box.
class LightCone {
 public:
  /// `light_distance`: c / H0 in the unit of comoving lengths. UsageError for a box that is not periodic.
  LightCone(const cosmology::Cosmology& universe, double light_distance, const Boundary& boundary);

  /// chi(a), the comoving distance of what is seen at a <= 1.
  double distance(double a) const;

  /// The images that are seen from a = `from` to `to`, in ascending order of the id, then of the image. The
  /// same bodies stand in the same order in `before` and `after`; they have moved by less than half of the
  /// box; their velocities are momenta per mass, a^2 dx/dt. Between the two moments positions and momenta are
  /// linear in the conformal time, of which a is a cubic. An image is seen when it is within chi before and
  /// not after: moments that follow one another see each image once, and none is left out.
  std::vector<SeenBody> seen(const Bodies& before, double from, const Bodies& after, double to) const;

 private:
  std::vector<Vec3<int>> images_of(double nearest, double furthest) const;

  cosmology::Cosmology universe_;
  double light_distance_;
  Vec3<double> side_;
};

/// The speed of light in units with a physical scale.
double light_in(const Units& units);

/// What a file of a shell says besides its bodies.
struct ShellFacts {
  double from = 0, to = 0;           ///< scale factors: the furthest included, the nearest excluded
  double furthest = 0, nearest = 0;  ///< comoving distances
  ComovingUniverse universe{};
  Units units{};
  Boundary boundary{};
};

/// Writes a shell as HDF5: Header (ScaleFactors, Redshifts, Distances, BoxSize, NumPart_Total, Omega0,
/// OmegaLambda, HubbleParam), Units, and for each type PartTypeN: Coordinates, comoving and from the
/// observer; Velocities, peculiar, not over the root of a; Masses; ParticleIDs; ScaleFactor, one for each
/// body; and Image. In order of the ids, then of the images. ResourceError if it cannot be written.
void write_shell(const std::filesystem::path& file, std::span<const SeenBody> bodies, const ShellFacts& facts,
                 const AtomicWrite& how = {});

/// The bodies as bytes, for a checkpoint, and back. InputError, with `origin`, for other bytes.
std::string bytes_of(std::span<const SeenBody> bodies);
std::vector<SeenBody> seen_bodies_in(const std::string& bytes, const std::string& origin);

}  // namespace pleiad::structure
