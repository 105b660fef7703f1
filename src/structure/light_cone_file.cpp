/// Shells of a light cone as HDF5 files.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "structure/hdf5_image.hpp"
#include "structure/light_cone.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

using files::hdf5::put, hdf5_image::Folder;

void write_header(hid_t file, std::span<const SeenBody> bodies, const ShellFacts& facts) {
  const Folder header(file, "Header");
  const auto two = [&](const char* name, double furthest, double nearest) {
    put(header, name, std::span<const double>(std::array{furthest, nearest}));
  };
  std::array<double, type_names.size()> count{};
  for (const auto& body : bodies) ++count[std::size_t(body.type)];
  put(header, "NumPart_Total", std::span<const double>(count));
  two("ScaleFactors", facts.from, facts.to);
  two("Redshifts", cosmology::redshift_of(facts.from), cosmology::redshift_of(facts.to));
  two("Distances", facts.furthest, facts.nearest);
  const auto& side = facts.boundary.length;
  put(header, "BoxLengths", std::span<const double>(std::array{side.x, side.y, side.z}));
  put(header, "Omega0", facts.universe.omega_m), put(header, "OmegaLambda", facts.universe.omega_lambda);
  put(header, "OmegaRadiation", facts.universe.omega_r), put(header, "HubbleParam", facts.universe.h);
  put(header, "DarkEnergyW0", facts.universe.w0), put(header, "DarkEnergyWa", facts.universe.wa);
  put(header, "Code", std::string("Pleiad"));
  const Folder units(file, "Units");
  put(units, "UnitSystem", facts.units.name);
  put(units, "UnitLength_in_cm", facts.units.length_cm), put(units, "UnitMass_in_g", facts.units.mass_g);
  put(units, "UnitVelocity_in_cm_per_s", facts.units.velocity_cm_s);
}

/// A column of the bodies: `of` gives an array of numbers of one.
template <class T, class Of>
std::vector<T> seen_column(std::span<const SeenBody> bodies, const Of& of) {
  std::vector<T> values;
  for (const auto& body : bodies)
    for (const auto& value : of(body)) values.push_back(static_cast<T>(value));
  return values;
}

std::array<double, 3> xyz_of(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

void write_type(hid_t file, std::size_t type, std::span<const SeenBody> bodies) {
  const Folder group(file, fmt::format("PartType{}", type).c_str());
  using Real = std::array<double, 1>;
  using Whole = std::array<std::uint64_t, 1>;
  group.dataset("Coordinates", 3,
                seen_column<double>(bodies, [](const SeenBody& b) { return xyz_of(b.position); }));
  group.dataset("Velocities", 3,
                seen_column<double>(bodies, [](const SeenBody& b) { return xyz_of(b.velocity); }));
  group.dataset("Masses", 1, seen_column<double>(bodies, [](const SeenBody& b) { return Real{b.mass}; }));
  group.dataset("ParticleIDs", 1,
                seen_column<std::uint64_t>(bodies, [](const SeenBody& b) { return Whole{b.id}; }));
  group.dataset("ScaleFactor", 1, seen_column<double>(bodies, [](const SeenBody& b) { return Real{b.a}; }));
  group.dataset("Image", 3, seen_column<std::int64_t>(bodies, [](const SeenBody& b) { return b.image; }));
}

}  // namespace

void write_shell(const std::filesystem::path& file, std::span<const SeenBody> bodies, const ShellFacts& facts,
                 const AtomicWrite& how) {
  const auto image = hdf5_image::built(file, [&](hid_t built) {
    write_header(built, bodies, facts);
    for (std::size_t type = 0; type < type_names.size(); ++type) {
      std::vector<SeenBody> of_type;
      std::ranges::copy_if(bodies, std::back_inserter(of_type),
                           [&](const SeenBody& b) { return std::size_t(b.type) == type; });
      if (!of_type.empty()) write_type(built, type, of_type);
    }
  });
  write_file_atomically(file, image, how);
}

}  // namespace pleiad::structure
