/// Writing GADGET HDF5 so that yt and pynbody load it without options; the layout follows their requirements.
///
/// The HDF5 library makes a file with everything but the rows of the datasets, for which it allocates space
/// and returns the offset. The rows are then converted in parallel and written there in large pieces, as a
/// plain file is. Of several ranks each makes the rows of its own bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/threads.hpp"
#include "io/durable/durable.hpp"
#include "io/files/hdf5.hpp"
#include "io/files/hdf5_object.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

using hdf5::Object, hdf5::put;

constexpr double gigayear_s = 3.15576e16;
static_assert(std::endian::native == std::endian::little,
              "rows are little-endian, and written as they lie in memory");

[[noreturn]] void fail(std::string_view what) {
  throw ResourceError(fmt::format("cannot write {}: {}", what, hdf5::last_error()),
                      Error::Code::cannot_write);
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

/// The bodies of one type: those from `first` on, where they stand together, else those with these `numbers`.
struct Group {
  std::size_t count = 0, first = 0;
  std::vector<std::size_t> numbers;
};
constexpr std::size_t types = 6;

std::array<Group, types> groups_of(const Bodies& bodies) {
  std::array<Group, types> groups;
  if (!std::is_sorted(bodies.type.begin(), bodies.type.end())) {
    auto numbers = by_type(bodies);
    for (std::size_t t = 0; t < groups.size(); ++t)
      groups[t] = {.count = numbers[t].size(), .first = 0, .numbers = std::move(numbers[t])};
    return groups;
  }
  for (std::size_t t = 0; t < groups.size(); ++t) {
    const auto [begin, end] = std::equal_range(bodies.type.begin(), bodies.type.end(), Type(t));
    groups[t] = {
        .count = std::size_t(end - begin), .first = std::size_t(begin - bodies.type.begin()), .numbers = {}};
  }
  return groups;
}

template <class T>
using Columns = std::vector<const std::vector<T>*>;

/// Rows of T from `count` columns times a factor, of n bodies of the group from its number `begin` on; ids
/// have none.
template <class T, std::size_t count, class From>
void make_rows(const Group& group, const Columns<From>& columns, double factor, std::size_t begin,
               std::size_t n, char* to) {
  const std::size_t* numbers = group.numbers.empty() ? nullptr : group.numbers.data() + begin;
  std::array<const From*, count> from{};
  for (std::size_t c = 0; c < count; ++c)
    from[c] = columns[c]->data() + (numbers == nullptr ? group.first + begin : 0);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = numbers == nullptr ? k : numbers[k];
    for (std::size_t c = 0; c < count; ++c, to += sizeof(T)) {
      T value;
      if constexpr (std::is_floating_point_v<From>) value = T(from[c][i] * factor);
      else value = T(from[c][i]);
      std::memcpy(to, &value, sizeof value);
    }
  }
}

/// Type of the numbers of a dataset.
enum class Element { f64, f32, u64, u32 };

hid_t type_of(Element element) {
  switch (element) {
    case Element::f64:
      return H5T_IEEE_F64LE;
    case Element::f32:
      return H5T_IEEE_F32LE;
    case Element::u64:
      return H5T_STD_U64LE;
    case Element::u32:
      break;
  }
  return H5T_STD_U32LE;
}

/// A dataset of the bodies of one type.
struct Dataset {
  std::size_t type;
  const char* name;
  Dimension dimension;
  std::size_t columns;
  Element element;
  Rows own;
};

/// Content of the file. Rows of the datasets refer to the snapshot and to the groups.
struct Job {
  const Snapshot& snapshot;
  const WriteOptions& options;
  double box_size;
  std::array<std::uint64_t, types> counts;  ///< of all bodies
  std::array<double, types> table;          ///< the mass of all bodies of a type; 0: each has its own
  std::vector<Dataset> datasets;
};

/// All datasets of the types that there are, alike on all ranks.
class Datasets {
 public:
  /// `table`: masses that the header has.
  Datasets(const Snapshot& s, const WriteOptions& options, const std::array<Group, types>& groups,
           const std::array<double, types>& table, const Share& share)
      : s_(s),
        groups_(groups),
        table_(table),
        double_precision_(options.double_precision),
        velocity_factor_(options.universe ? 1 / std::sqrt(s.time) : 1),
        wide_(any_wide_id(s.bodies, share)),
        potential_(share.any(!options.universe && !s.potential.empty())),
        pulls_(share.any(!options.universe && !s.ax.empty())),
        softening_(share.any(!s.bodies.softening.empty())) {}

  /// Numbers of a body that are not its id.
  std::size_t columns_of_reals() const {
    return 7 + (pulls_ ? 3 : 0) + (potential_ ? 1 : 0) + (softening_ ? 1 : 0);
  }

  std::vector<Dataset> of(const std::array<std::uint64_t, types>& counts) {
    for (std::size_t t = 0; t < types; ++t)
      if (counts[t] > 0) add_type(t);
    return std::move(all_);
  }

 private:
  void add_type(std::size_t t) {
    const auto& b = s_.bodies;
    const auto reals = [&](const char* name, const Dimension& d, const Columns<double>& columns,
                           double factor = 1) {
      if (double_precision_) add<double>(t, name, d, Element::f64, columns, factor);
      else add<float>(t, name, d, Element::f32, columns, factor);
    };
    reals("Coordinates", {1, 0, 0, "U_L"}, {&b.x, &b.y, &b.z});
    reals("Velocities", {0, 0, 1, "U_V"}, {&b.vx, &b.vy, &b.vz}, velocity_factor_);
    if (table_[t] == 0) reals("Masses", {0, 1, 0, "U_M"}, {&b.mass});
    if (potential_) reals("Potential", {0, 0, 2, "U_V^2 "}, {&s_.potential});
    if (pulls_) reals("Acceleration", {-1, 0, 2, "U_V^2 U_L^-1 "}, {&s_.ax, &s_.ay, &s_.az});
    if (softening_) reals("Softening", {1, 0, 0, "U_L"}, {&b.softening});
    const Dimension none{0, 0, 0, "Dimensionless"};  // pynbody warns about a dataset without a description
    const Columns<std::uint64_t> ids{&b.id};
    if (wide_) add<std::uint64_t>(t, "ParticleIDs", none, Element::u64, ids);
    else add<std::uint32_t>(t, "ParticleIDs", none, Element::u32, ids);
  }

  /// Adds a dataset of these columns, one or three; `element` is the type of T.
  template <class T, class From>
  void add(std::size_t t, const char* name, const Dimension& d, Element element, const Columns<From>& columns,
           double factor = 1) {
    const Group& group = groups_[t];
    all_.push_back({.type = t,
                    .name = name,
                    .dimension = d,
                    .columns = columns.size(),
                    .element = element,
                    .own = {.count = group.count,
                            .bytes_each = columns.size() * sizeof(T),
                            .make = [&group, columns, factor](std::size_t first, std::size_t n, char* to) {
                              columns.size() == 1 ? make_rows<T, 1>(group, columns, factor, first, n, to)
                                                  : make_rows<T, 3>(group, columns, factor, first, n, to);
                            }}});
  }

  const Snapshot& s_;
  const std::array<Group, types>& groups_;
  const std::array<double, types>& table_;
  bool double_precision_;
  double velocity_factor_;
  bool wide_, potential_, pulls_, softening_;
  std::vector<Dataset> all_;
};

class Writer {
 public:
  Writer(hid_t file, const Job& job)
      : file_(file),
        job_(job),
        s_(job.snapshot),
        options_(job.options),
        units_(units_to_state(job.snapshot.units)) {}

  /// Everything but the rows; returns where those of each dataset stand.
  std::vector<std::uint64_t> write() {
    write_header();
    write_units();
    for (std::size_t t = 0; t < types; ++t)
      if (job_.counts[t] > 0) write_type(t);
    write_provenance();
    return std::move(offsets_);
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
      low[t] = std::uint32_t(job_.counts[t]), high[t] = std::uint32_t(job_.counts[t] >> 32);
    put(h, "NumPart_ThisFile", low), put(h, "NumPart_Total", low), put(h, "NumPart_Total_HighWord", high);
    const auto& universe = options_.universe;
    put(h, "MassTable", job_.table);
    put(h, "Time", s_.time), put(h, "Redshift", universe ? 1 / s_.time - 1 : 0.0),
        put(h, "BoxSize", job_.box_size);
    put(h, "NumFilesPerSnapshot", std::int32_t{1});
    put(h, "Omega0", universe ? universe->omega_m : 0.0),
        put(h, "OmegaLambda", universe ? universe->omega_lambda : 0.0),
        put(h, "HubbleParam", universe ? universe->h : 1.0);
    for (const char* flag :
         {"Flag_Sfr", "Flag_Cooling", "Flag_Feedback", "Flag_StellarAge", "Flag_Metals", "Flag_Entropy_ICs"})
      put(h, flag, std::int32_t{0});
    put(h, "Flag_DoublePrecision", std::int32_t{options_.double_precision});
    put_unit_values(h);
    // With it pynbody does not compute the age of the universe.
    if (!universe) put(h, "Time_GYR", s_.time * units_.time_s() / gigayear_s);
    put(h, "Code", std::string("Pleiad"));
    // Attributes of Pleiad, which other readers do not need.
    put(h, "UnitSystem", s_.units.name);
    put(h, "GravitationalConstant", s_.G);
    put(h, "Step", s_.step);
    if (universe)
      put(h, "ComovingIntegrationOn", std::int32_t{1}), put(h, "OmegaBaryon", universe->omega_b),
          put(h, "OmegaRadiation", universe->omega_r), put(h, "DarkEnergyW0", universe->w0),
          put(h, "DarkEnergyWa", universe->wa);
    // As an array it would need room for none; masses of 0 are no neutrinos.
    if (universe && universe->neutrino_masses != std::array<double, 4>{})
      put(h, "NeutrinoMasses", universe->neutrino_masses), put(h, "NeutrinoTemperature", universe->t_nu);
    if (options_.suggested_softening) put(h, "SuggestedSoftening", *options_.suggested_softening);
    if (options_.suggested_step) put(h, "SuggestedTimeStep", *options_.suggested_step);
    put(h, "Boundary", std::string(s_.boundary.periodic ? "periodic" : "open"));
    const auto& l = s_.boundary.length;
    if (s_.boundary.periodic) put(h, "BoxLengths", std::array{l.x, l.y, l.z});
    if (s_.boundary.periodic) put(h, "Images", std::string(name_of(s_.boundary.images)));
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

  void write_type(std::size_t t) {
    const std::string name = fmt::format("PartType{}", t);
    const Object g = group(name);
    for (const auto& dataset : job_.datasets)
      if (dataset.type == t) describe(make_room(g, name, dataset), dataset.dimension);
  }

  /// A dataset whose rows are to come.
  Object make_room(hid_t g, const std::string& group_name, const Dataset& d) {
    const std::array<hsize_t, 2> shape{job_.counts[d.type], d.columns};
    const Object space{H5Screate_simple(d.columns == 1 ? 1 : 2, shape.data(), nullptr), H5Sclose};
    const Object how{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
    H5Pset_obj_track_times(how, false);  // the same snapshot gives the same bytes
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    Object ds{H5Dcreate2(g, d.name, type_of(d.element), space, H5P_DEFAULT, how, H5P_DEFAULT), H5Dclose};
    const auto offset = ds.valid() ? H5Dget_offset(ds) : HADDR_UNDEF;
    if (offset == HADDR_UNDEF) fail(fmt::format("{}/{}", group_name, d.name));
    offsets_.push_back(offset);
    return ds;
  }

  /// GADGET-4's attributes and those of OWLS: the dimensions, and the powers of a and h that a number is to
  /// be multiplied by. In a universe lengths are comoving and over h, masses over h, and velocities over root
  /// a.
  void describe(hid_t ds, const Dimension& d) const {
    const double to_cgs = std::pow(units_.length_cm, d.length) * std::pow(units_.mass_g, d.mass) *
                          std::pow(units_.velocity_cm_s, d.velocity);
    const bool comoving = options_.universe.has_value();
    const double of_a = comoving ? d.length + 0.5 * d.velocity : 0, of_h = comoving ? -d.length - d.mass : 0;
    put(ds, "a_scaling", of_a), put(ds, "h_scaling", of_h);
    put(ds, "length_scaling", double(d.length)), put(ds, "mass_scaling", double(d.mass)),
        put(ds, "velocity_scaling", double(d.velocity));
    put(ds, "to_cgs", to_cgs);
    put(ds, "VarDescription", std::string(d.variable));
    put(ds, "CGSConversionFactor", to_cgs), put(ds, "aexp-scale-exponent", of_a),
        put(ds, "h-scale-exponent", of_h);
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
  const Job& job_;
  const Snapshot& s_;
  const WriteOptions& options_;
  Units units_;
  std::vector<std::uint64_t> offsets_;
};

/// Creates the file `name` with these access properties, with everything but the rows, and passes it to
/// `finished` before closing. `target`: its later name.
template <class Finished>
std::vector<std::uint64_t> build(const fs::path& name, hid_t access, const fs::path& target, const Job& job,
                                 const Finished& finished) {
  Object file{H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
  if (!file.valid())
    throw ResourceError(fmt::format("cannot create '{}': {}", target.string(), hdf5::last_error()),
                        Error::Code::cannot_write);
  auto offsets = Writer(file, job).write();
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) fail(fmt::format("'{}'", target.string()));
  finished(file);
  if (!file.close()) fail(fmt::format("'{}'", target.string()));
  return offsets;
}

/// Only the writing rank has the offsets of the datasets.
void write_rows(SharedFile& out, const Job& job, const std::vector<std::uint64_t>& offsets) {
  for (std::size_t k = 0; k < job.datasets.size(); ++k)
    out.write_at(k < offsets.size() ? offsets[k] : 0, job.datasets[k].own);
}

std::string image_of(const fs::path& target, const Job& job, const Share& share) {
  std::string image;
  std::vector<std::uint64_t> offsets;
  {
    const auto lock = hdf5::session();
    const Object access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
    H5Pset_fapl_core(access, std::size_t{1} << 20, false);
    // HDF5 opens a file of this name if there is one, which a FIFO's reader would notice: there is none.
    offsets = build("/dev/null/image", access, target, job, [&](hid_t file) {
      const auto size = H5Fget_file_image(file, nullptr, 0);
      if (size <= 0) fail(fmt::format("the image of '{}'", target.string()));
      image.resize(std::size_t(size));
      if (H5Fget_file_image(file, image.data(), image.size()) != size)
        fail(fmt::format("the image of '{}'", target.string()));
    });
  }
  SharedFile out(share, image);
  write_rows(out, job, offsets);
  return image;
}

/// Snapshots that are too large to hold again.
void write_in_place(SharedFile& out, const fs::path& target, const Job& job) {
  std::vector<std::uint64_t> offsets;
  ranks::agree(out.share().comm(), [&] {
    if (out.file() == nullptr) return;
    const auto lock = hdf5::session();
    const Object access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
    // No other process has the file open, and some file systems have no locks.
    H5Pset_file_locking(access, false, true);
#endif
    offsets = build(out.file()->name_for_others(), access, target, job, [](hid_t) {});
  });
  write_rows(out, job, offsets);
}

/// The mass of each type whose bodies have one mass, on all ranks; 0 for others. Files of other than comoving
/// bodies have no table: some readers want the masses.
std::array<double, types> table_of(const Snapshot& s, const WriteOptions& options,
                                   const std::array<Group, types>& groups,
                                   const std::array<std::uint64_t, types>& counts, const Share& share) {
  std::array<double, types> table{};
  if (!options.universe) return table;
  constexpr double none = -std::numeric_limits<double>::infinity();
  std::array<double, 2 * types> extremes{};  // the largest one, and the smallest one with its sign turned
  extremes.fill(none);
  for (std::size_t t = 0; t < types; ++t)
    for (std::size_t k = 0; k < groups[t].count; ++k) {
      const auto i = groups[t].numbers.empty() ? groups[t].first + k : groups[t].numbers[k];
      const double mass = s.bodies.mass[i];
      extremes[t] = std::max(extremes[t], mass), extremes[types + t] = std::max(extremes[types + t], -mass);
    }
  share.comm().max(extremes);
  for (std::size_t t = 0; t < types; ++t)
    if (counts[t] > 0 && extremes[t] == -extremes[types + t]) table[t] = extremes[t];
  return table;
}

double box_size_of(const Snapshot& s, const WriteOptions& options) {
  const auto& l = s.boundary.length;
  if (s.boundary.periodic) return std::max({l.x, l.y, l.z});
  return options.box_size >= 0 ? options.box_size : automatic_box_size(s);
}

}  // namespace

void write_hdf5(const fs::path& file, const Snapshot& snapshot, const WriteOptions& options,
                const Share& share, std::size_t image_limit) {
  if (!options.double_precision) need_single(snapshot, share);
  const auto groups = groups_of(snapshot.bodies);
  std::array<std::uint64_t, types> counts{};
  std::ranges::transform(groups, counts.begin(), &Group::count);
  share.comm().sum(counts);
  const auto table = table_of(snapshot, options, groups, counts, share);
  Datasets datasets(snapshot, options, groups, table, share);
  const std::size_t columns = datasets.columns_of_reals(),
                    bytes = share.bodies() * (columns * (options.double_precision ? 8 : 4) + 8);
  const Job job{snapshot, options, box_size_of(snapshot, options), counts, table, datasets.of(counts)};
  // What is not replaced cannot be filled here and there: there the image is made whatever its size.
  if (share.comm().ranks() == 1 && (bytes <= image_limit || share.writes_through(file)))
    return write_file_atomically(file, image_of(file, job, share), share.how());
  write_shared(file, share, [&](SharedFile& out) { write_in_place(out, file, job); });
}

}  // namespace pleiad::files
