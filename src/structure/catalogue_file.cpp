#include "structure/catalogue_file.hpp"

#include "io/durable/durable.hpp"
#include "structure/hdf5_image.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

using files::hdf5::put, hdf5_image::Folder;

/// The rows of a dataset with one number, or several, of each group.
template <class T, class Of>
std::vector<T> rows(std::span<const GroupProperties> all, const Of& of) {
  std::vector<T> values;
  for (const auto& group : all)
    for (const auto& value : of(group)) values.push_back(static_cast<T>(value));
  return values;
}

std::array<double, 3> three(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

void write_header(hid_t file, const Groups& groups, const Snapshot& s, const CatalogueFacts& facts) {
  const Folder header(file, "Header");
  const auto count = std::uint64_t(groups.size()), ids = std::uint64_t(groups.members.size());
  put(header, "Ngroups_ThisFile", count), put(header, "Ngroups_Total", count);
  put(header, "Nids_ThisFile", ids), put(header, "Nids_Total", ids);
  put(header, "Nsubhalos_ThisFile", std::uint64_t{0}), put(header, "Nsubhalos_Total", std::uint64_t{0});
  put(header, "NumFiles", std::int32_t{1});
  const auto& c = facts.comoving;
  put(header, "Time", c ? c->a : s.time), put(header, "Redshift", c ? cosmology::redshift_of(c->a) : 0.0);
  if (c) {
    put(header, "Omega0", c->universe.omega_m), put(header, "OmegaLambda", c->universe.omega_lambda);
    put(header, "HubbleParam", c->universe.h);
  }
  put(header, "BoxSize",
      s.boundary.periodic ? std::max({s.boundary.length.x, s.boundary.length.y, s.boundary.length.z}) : 0.0);
  put(header, "LinkingLength", facts.linking_length);
  put(header, "MinimumMembers", std::uint64_t(facts.least));
  for (const auto& named : facts.densities) put(header, ("Density_" + named.name).c_str(), named.density);
  put(header, "Code", std::string("Pleiad"));
  if (!facts.provenance.empty()) put(header, "Provenance", facts.provenance);
  const Folder units(file, "Units");
  put(units, "UnitSystem", s.units.name);
  if (!s.units.physical) return;
  put(units, "UnitLength_in_cm", s.units.length_cm), put(units, "UnitMass_in_g", s.units.mass_g);
  put(units, "UnitVelocity_in_cm_per_s", s.units.velocity_cm_s);
}

void write_groups(hid_t file, std::span<const GroupProperties> all, const CatalogueFacts& facts) {
  const Folder g(file, "Group");
  using Real = std::array<double, 1>;
  using Count = std::array<std::uint64_t, 1>;
  const auto reals = [&](const std::string& name, const auto& of) {
    g.dataset(name, 1, rows<double>(all, [&](const auto& p) { return Real{of(p)}; }));
  };
  const auto vectors = [&](const std::string& name, const auto& of) {
    g.dataset(name, 3, rows<double>(all, [&](const auto& p) { return three(of(p)); }));
  };
  const auto counts = [&](const std::string& name, const auto& of) {
    g.dataset(name, 1, rows<std::uint64_t>(all, [&](const auto& p) { return Count{std::uint64_t(of(p))}; }));
  };
  using P = GroupProperties;
  vectors("GroupPos", [](const P& p) { return p.centre; });
  vectors("GroupCM", [](const P& p) { return p.centre_of_mass; });
  vectors("GroupVel", [](const P& p) { return p.velocity; });
  vectors("GroupSpin", [](const P& p) { return p.angular_momentum; });
  reals("GroupMass", [](const P& p) { return p.mass; });
  reals("GroupVelDisp", [](const P& p) { return p.velocity_dispersion; });
  reals("GroupVmax", [](const P& p) { return p.circular_velocity; });
  reals("GroupVmaxRad", [](const P& p) { return p.circular_radius; });
  reals("GroupExtent", [](const P& p) { return p.extent; });
  counts("GroupID", [](const P& p) { return p.id; });
  counts("GroupLen", [](const P& p) { return p.members; });
  g.dataset("GroupLenType", 6, rows<std::uint64_t>(all, [](const P& p) { return p.of_type; }));
  g.dataset("GroupMassType", 6, rows<double>(all, [](const P& p) { return p.mass_of_type; }));
  for (std::size_t d = 0; d < facts.densities.size(); ++d) {
    reals("Group_M_" + facts.densities[d].name, [d](const P& p) { return p.spheres[d].mass; });
    reals("Group_R_" + facts.densities[d].name, [d](const P& p) { return p.spheres[d].radius; });
  }
}

}  // namespace

void write_catalogue(const std::filesystem::path& file, const Groups& groups,
                     std::span<const GroupProperties> properties, const Snapshot& snapshot,
                     const CatalogueFacts& facts, const AtomicWrite& how) {
  const auto image = hdf5_image::built(file, [&](hid_t built) {
    write_header(built, groups, snapshot, facts);
    write_groups(built, properties, facts);
    std::vector<std::uint64_t> ids(groups.members.size());
    std::ranges::transform(groups.members, ids.begin(), [&](std::size_t i) { return snapshot.bodies.id[i]; });
    Folder(built, "IDs").dataset("ID", 1, ids);
  });
  write_file_atomically(file, image, how);
}

}  // namespace pleiad::structure
