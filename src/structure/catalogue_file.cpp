#include "structure/catalogue_file.hpp"

#include "io/durable/durable.hpp"
#include "io/files/hdf5_object.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::structure {
namespace {

using files::hdf5::Object, files::hdf5::put;

[[noreturn]] void fail(std::string_view what) {
  throw ResourceError(fmt::format("cannot write {}: {}", what, files::hdf5::last_error()),
                      Error::Code::cannot_write);
}

/// A group of an HDF5 file, and the datasets that are written into it.
class Folder {
 public:
  Folder(hid_t file, const char* name)
      : name_(name), id_{H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose} {
    if (!id_.valid()) fail(name);
  }
  operator hid_t() const { return id_; }

  /// Rows of `columns` numbers each.
  template <class T>
  void dataset(const std::string& name, std::size_t columns, const std::vector<T>& values) const {
    constexpr bool real = std::is_same_v<T, double>;
    const std::array<hsize_t, 2> shape{values.size() / columns, columns};
    const Object space{H5Screate_simple(columns == 1 ? 1 : 2, shape.data(), nullptr), H5Sclose};
    const Object how{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Pset_obj_track_times(how, false);  // the same catalogue gives the same bytes
    const Object to{H5Dcreate2(id_, name.c_str(), real ? H5T_IEEE_F64LE : H5T_STD_U64LE, space, H5P_DEFAULT,
                               how, H5P_DEFAULT),
                    H5Dclose};
    if (!to.valid() || (!values.empty() && H5Dwrite(to, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64, H5S_ALL,
                                                    H5S_ALL, H5P_DEFAULT, values.data()) < 0))
      fail(fmt::format("{}/{}", name_, name));
  }

 private:
  std::string name_;
  Object id_;
};

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
  std::string image;
  {
    const auto lock = files::hdf5::session();
    const Object access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
    H5Pset_fapl_core(access, std::size_t{1} << 20, false);
    // In memory: HDF5 opens a file of this name if there is one, and there is none.
    Object built{H5Fcreate("/dev/null/image", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
    if (!built.valid()) fail(fmt::format("'{}'", file.string()));
    write_header(built, groups, snapshot, facts);
    write_groups(built, properties, facts);
    std::vector<std::uint64_t> ids(groups.members.size());
    std::ranges::transform(groups.members, ids.begin(), [&](std::size_t i) { return snapshot.bodies.id[i]; });
    Folder(built, "IDs").dataset("ID", 1, ids);
    if (H5Fflush(built, H5F_SCOPE_GLOBAL) < 0) fail(fmt::format("'{}'", file.string()));
    const auto size = H5Fget_file_image(built, nullptr, 0);
    if (size <= 0) fail(fmt::format("'{}'", file.string()));
    image.resize(std::size_t(size));
    if (H5Fget_file_image(built, image.data(), image.size()) != size)
      fail(fmt::format("'{}'", file.string()));
  }
  write_file_atomically(file, image, how);
}

}  // namespace pleiad::structure
