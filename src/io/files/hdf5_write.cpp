/// Writing GADGET HDF5 so that yt and pynbody load it with no help: the layout is a contract with them, not a
/// matter of taste.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/descriptor.hpp"
#include "io/files/hdf5_object.hpp"
#include "io/files/parts.hpp"

#include <pleiad/durable.hpp>
#include <pleiad/error.hpp>

#include <cmath>
#include <functional>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::files {
namespace {

using hdf5::Object, hdf5::put;

constexpr double gigayear_s = 3.15576e16;
/// Rows that are gathered at a time: the extra memory stays small.
constexpr std::size_t slab = std::size_t{1} << 18;

[[noreturn]] void fail(std::string_view what) {
  throw ResourceError(fmt::format("cannot write {}: {}", what, hdf5::last_error()));
}

/// Physical units for a file whose numbers have none: chosen so that G = 1 holds in them (G = 43007.1 in kpc,
/// 1e10 Msun, km/s).
Units units_to_state(const Units& units) {
  if (units.physical) return units;
  const Units galactic = units_named("galactic");
  return custom_units(galactic.length_cm, galactic.mass_g, galactic.velocity_cm_s * std::sqrt(galactic.G()));
}

/// Powers of length, mass and velocity that a dataset's numbers are measured in.
struct Dimension {
  int length, mass, velocity;
  const char* variable;  ///< in the words of OWLS, which pynbody reads
};

class Writer {
 public:
  Writer(hid_t file, const Snapshot& snapshot, const WriteOptions& options)
      : file_(file),
        s_(snapshot),
        options_(options),
        units_(units_to_state(snapshot.units)),
        groups_(by_type(snapshot.bodies)) {}

  void write() {
    if (!options_.double_precision) need_single(s_);
    write_header();
    write_units();
    for (std::size_t t = 0; t < groups_.size(); ++t)
      if (!groups_[t].empty()) write_type(t);
    write_provenance();
  }

 private:
  Object group(const std::string& name) const {
    Object g{H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose};
    if (!g.valid()) fail(fmt::format("group /{}", name));
    return g;
  }

  void write_header() const {
    const Object h = group("Header");
    std::array<std::uint32_t, 6> low{}, high{};
    for (std::size_t t = 0; t < 6; ++t)
      low[t] = std::uint32_t(groups_[t].size()), high[t] = std::uint32_t(groups_[t].size() >> 32);
    put(h, "NumPart_ThisFile", low), put(h, "NumPart_Total", low), put(h, "NumPart_Total_HighWord", high);
    put(h, "MassTable", std::array<double, 6>{});
    put(h, "Time", s_.time), put(h, "Redshift", 0.0), put(h, "BoxSize", box_size());
    put(h, "NumFilesPerSnapshot", std::int32_t{1});
    put(h, "Omega0", 0.0), put(h, "OmegaLambda", 0.0), put(h, "HubbleParam", 1.0);
    for (const char* flag :
         {"Flag_Sfr", "Flag_Cooling", "Flag_Feedback", "Flag_StellarAge", "Flag_Metals", "Flag_Entropy_ICs"})
      put(h, flag, std::int32_t{0});
    put(h, "Flag_DoublePrecision", std::int32_t{options_.double_precision});
    put_unit_values(h);
    put(h, "Time_GYR", s_.time * units_.time_s() / gigayear_s);
    put(h, "Code", std::string("Pleiad"));
    // Our own: what other readers do not need and we want back.
    put(h, "UnitSystem", s_.units.name);
    put(h, "GravitationalConstant", s_.G);
    put(h, "Step", s_.step);
    put(h, "Boundary", std::string(s_.boundary.periodic ? "periodic" : "open"));
    const auto& l = s_.boundary.length;
    if (s_.boundary.periodic) put(h, "BoxLengths", std::array{l.x, l.y, l.z});
    if (s_.boundary.periodic) put(h, "Images", std::string(name_of(s_.boundary.images)));
  }

  double box_size() const {
    const auto& l = s_.boundary.length;
    if (s_.boundary.periodic) return std::max({l.x, l.y, l.z});
    return options_.box_size >= 0 ? options_.box_size : automatic_box_size(s_);
  }

  void put_unit_values(hid_t object) const {
    put(object, "UnitLength_in_cm", units_.length_cm);
    put(object, "UnitMass_in_g", units_.mass_g);
    put(object, "UnitVelocity_in_cm_per_s", units_.velocity_cm_s);
  }

  void write_units() const {
    const Object u = group("Units");
    put_unit_values(u);
    put(u, "UnitTime_in_s", units_.time_s());
  }

  void write_type(std::size_t t) const {
    const std::string name = fmt::format("PartType{}", t);
    const Object g = group(name);
    const auto& b = s_.bodies;
    const auto reals = [&](const char* dataset, Dimension d,
                           std::initializer_list<const std::vector<double>*> columns) {
      const Object ds = create(g, name, dataset, options_.double_precision ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
                               t, columns.size());
      write_rows<double>(ds, name, dataset, H5T_NATIVE_DOUBLE, t, columns.size(),
                         [&](std::size_t i, std::size_t c) {
                           const double v = (**(columns.begin() + c))[i];
                           return options_.double_precision ? v : double(float(v));
                         });
      describe(ds, d);
    };
    reals("Coordinates", {1, 0, 0, "U_L"}, {&b.x, &b.y, &b.z});
    reals("Velocities", {0, 0, 1, "U_V"}, {&b.vx, &b.vy, &b.vz});
    reals("Masses", {0, 1, 0, "U_M"}, {&b.mass});
    if (!s_.potential.empty()) reals("Potential", {0, 0, 2, "U_V^2 "}, {&s_.potential});
    if (!s_.ax.empty()) reals("Acceleration", {-1, 0, 2, "U_V^2 U_L^-1 "}, {&s_.ax, &s_.ay, &s_.az});
    write_ids(g, name, t);
  }

  void write_ids(hid_t g, const std::string& name, std::size_t t) const {
    const auto& ids = s_.bodies.id;
    const bool wide = std::any_of(ids.begin(), ids.end(), [](std::uint64_t id) { return id > 0xffffffff; });
    const Object ds = create(g, name, "ParticleIDs", wide ? H5T_STD_U64LE : H5T_STD_U32LE, t, 1);
    write_rows<std::uint64_t>(ds, name, "ParticleIDs", H5T_NATIVE_UINT64, t, 1,
                              [&](std::size_t i, std::size_t) { return ids[i]; });
    describe(ds, {0, 0, 0, "Dimensionless"});  // pynbody warns about a dataset without a description
  }

  Object create(hid_t g, const std::string& group_name, const char* name, hid_t type, std::size_t t,
                std::size_t columns) const {
    const std::array<hsize_t, 2> shape{groups_[t].size(), columns};
    const Object space{H5Screate_simple(columns == 1 ? 1 : 2, shape.data(), nullptr), H5Sclose};
    const Object how{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Pset_obj_track_times(how, false);  // the same snapshot gives the same bytes
    Object ds{H5Dcreate2(g, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose};
    if (!ds.valid()) fail(fmt::format("{}/{}", group_name, name));
    return ds;
  }

  template <class T, class Value>
  void write_rows(hid_t ds, const std::string& group_name, const char* name, hid_t type, std::size_t t,
                  std::size_t columns, Value value) const {
    const auto& bodies = groups_[t];
    const Object file_space{H5Dget_space(ds), H5Sclose};
    std::vector<T> rows;
    for (std::size_t first = 0; first < bodies.size(); first += slab) {
      const std::size_t n = std::min(slab, bodies.size() - first);
      rows.clear();
      for (std::size_t k = first; k < first + n; ++k)
        for (std::size_t c = 0; c < columns; ++c) rows.push_back(value(bodies[k], c));
      const std::array<hsize_t, 2> start{first, 0}, count{n, columns};
      const Object memory{H5Screate_simple(columns == 1 ? 1 : 2, count.data(), nullptr), H5Sclose};
      if (H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
          H5Dwrite(ds, type, memory, file_space, H5P_DEFAULT, rows.data()) < 0)
        fail(fmt::format("{}/{}", group_name, name));
    }
  }

  /// GADGET-4's attributes and those of OWLS: the dimensions, and no cosmological factors.
  void describe(hid_t ds, const Dimension& d) const {
    const double to_cgs = std::pow(units_.length_cm, d.length) * std::pow(units_.mass_g, d.mass) *
                          std::pow(units_.velocity_cm_s, d.velocity);
    put(ds, "a_scaling", 0.0), put(ds, "h_scaling", 0.0);
    put(ds, "length_scaling", double(d.length)), put(ds, "mass_scaling", double(d.mass)),
        put(ds, "velocity_scaling", double(d.velocity));
    put(ds, "to_cgs", to_cgs);
    put(ds, "VarDescription", std::string(d.variable));
    put(ds, "CGSConversionFactor", to_cgs), put(ds, "aexp-scale-exponent", 0.0),
        put(ds, "h-scale-exponent", 0.0);
  }

  /// Not called Parameters, Config or Constants: with those, readers take the file for another code's.
  void write_provenance() const {
    const Object g = group("Provenance");
    put(g, "Code", std::string("Pleiad"));
    if (options_.provenance.empty()) return;
    const Object type{H5Tcopy(H5T_C_S1), H5Tclose}, space{H5Screate(H5S_SCALAR), H5Sclose},
        how{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Tset_size(type, options_.provenance.size());
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Pset_obj_track_times(how, false);
    const Object ds{H5Dcreate2(g, "text", type, space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose};
    if (!ds.valid() || H5Dwrite(ds, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, options_.provenance.data()) < 0)
      fail("Provenance/text");
  }

  hid_t file_;
  const Snapshot& s_;
  const WriteOptions& options_;
  Units units_;
  std::array<std::vector<std::size_t>, 6> groups_;
};

/// Creates the file with these access properties, fills it, and hands it over before closing.
void build(const fs::path& name, hid_t access, const Snapshot& s, const WriteOptions& o,
           const std::function<void(hid_t)>& finished) {
  Object file{H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
  if (!file.valid())
    throw ResourceError(fmt::format("cannot create '{}': {}", name.string(), hdf5::last_error()));
  Writer(file, s, o).write();
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) fail(fmt::format("'{}'", name.string()));
  finished(file);
  if (!file.close()) fail(fmt::format("'{}'", name.string()));
}

std::string image_of(const fs::path& name, const Snapshot& s, const WriteOptions& o) {
  const Object access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
  H5Pset_fapl_core(access, std::size_t{16} << 20, false);
  std::string image;
  // HDF5 opens a file of this name if there is one, which a FIFO's reader would notice: there is none.
  build("/dev/null/image", access, s, o, [&](hid_t file) {
    const auto size = H5Fget_file_image(file, nullptr, 0);
    if (size <= 0) fail(fmt::format("the image of '{}'", name.string()));
    image.resize(std::size_t(size));
    if (H5Fget_file_image(file, image.data(), image.size()) != size)
      fail(fmt::format("the image of '{}'", name.string()));
  });
  return image;
}

/// fsync of a file or folder by name.
void sync_by_name(const fs::path& path, int flags) {
  const Descriptor opened = open_file(path, flags);
  if (!opened) pleiad::fail(path, "open");
  sync(opened.get(), path);
}

/// For snapshots too large to hold twice: HDF5 writes under a temporary name; then as write_file_atomically
/// does.
void write_through_temporary(const fs::path& file, const Snapshot& s, const WriteOptions& o) {
  const fs::path temporary = file.string() + ".tmp." + std::to_string(::getpid());
  try {
    build(temporary, H5P_DEFAULT, s, o, [](hid_t) {});
    sync_by_name(temporary, O_RDWR);
    if (::rename(temporary.c_str(), file.c_str()) != 0) pleiad::fail(file, "rename to");
    sync_by_name(file.has_parent_path() ? file.parent_path() : fs::path("."), O_RDONLY | O_DIRECTORY);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace

void write_hdf5(const fs::path& file, const Snapshot& snapshot, const WriteOptions& options,
                std::size_t image_limit) {
  const auto lock = hdf5::session();
  const std::size_t columns = 7 + (snapshot.ax.empty() ? 0 : 3) + (snapshot.potential.empty() ? 0 : 1);
  const std::size_t bytes = snapshot.bodies.size() * (columns * (options.double_precision ? 8 : 4) + 8);
  // What is not replaced cannot be renamed to either, and HDF5 needs to seek: there the image is made
  // whatever its size.
  const fs::path target = replaceable(file);
  if (bytes > image_limit && !target.empty()) write_through_temporary(target, snapshot, options);
  else write_file_atomically(file, image_of(file, snapshot, options));
}

}  // namespace pleiad::files
