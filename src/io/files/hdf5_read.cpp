/// Reading GADGET HDF5 and its relatives (GADGET-4, SWIFT, OWLS names): everything is checked before memory
/// is allocated for it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/durable/descriptor.hpp"
#include "io/files/hdf5.hpp"
#include "io/files/hdf5_column.hpp"
#include "io/files/hdf5_header.hpp"
#include "io/files/isolated.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::files {
namespace {

using namespace hdf5;

/// GADGET-4 is compiled for any number of types up to this.
constexpr std::size_t most_types = 16;

Hdf5File open(const fs::path& path) {
  // HDF5 would wait for the writer of a FIFO.
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown))
    throw InputError(fmt::format("'{}': it is not a regular file", path.string()));
  // HDF5 does not report missing resources of the system.
  if (!open_file(path, O_RDONLY)) fail_to_read(path);
  Hdf5File f{.name = path.string(),
             .file = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose},
             .count = {}};
  if (!f.file.valid()) f.refuse(fmt::format("cannot be opened as HDF5: {}", last_error()));
  if (!open_group(f, "Header").valid())
    f.refuse("no group /Header; it is an HDF5 file, but not one of the GADGET family");
  const auto count = Attributes(f, "Header").wholes("NumPart_ThisFile");
  if (!count) f.refuse("the attribute /Header/NumPart_ThisFile is missing");
  f.count = *count;
  if (f.count.size() > most_types)
    f.refuse(fmt::format("/Header/NumPart_ThisFile has {} entries; it must have one per type, at most {}",
                         f.count.size(), most_types));
  for (std::size_t t = 0; t < f.count.size(); ++t)
    if (f.count[t] < 0 || f.count[t] > std::int64_t{1} << 48)
      f.refuse(fmt::format("/Header/NumPart_ThisFile[{}] is {}", t, f.count[t]));
  f.said.clear();  // the parts of a set have counts of their own
  return f;
}

/// Types of bodies; SWIFT counts more.
constexpr std::size_t known_types = 6;

/// Optional columns that every type of every file has.
struct Present {
  bool ids = true, potential = true, pulls = true, softening = true;
};

class TypeReader {
 public:
  /// Reads the bodies of this type in `range`.
  TypeReader(const Hdf5File& f, std::size_t type, const Cosmology& cosmology, BodyRange range,
             FileContent& out, Present& present)
      : f_(f),
        type_(type),
        cosmology_(cosmology),
        range_(range),
        s_(out.snapshot),
        out_(out),
        present_(present),
        group_(open_group(f, fmt::format("PartType{}", type).c_str())) {}

  void read() {
    if (!group_.valid())
      f_.refuse(fmt::format("the group /PartType{} is missing, but NumPart_ThisFile[{}] = {}", type_, type_,
                            f_.count[type_]));
    Bodies& b = s_.bodies;
    const std::size_t first = b.size(), n = first + range_.count;
    const Column position = open({"Coordinates"}, 3), velocity = open({"Velocities", "Velocity"}, 3);
    for (const auto& [column, name] : {std::pair{&position, "Coordinates"}, {&velocity, "Velocities"}})
      if (!column->id.valid()) f_.refuse(fmt::format("the dataset /PartType{}/{} is missing", type_, name));
    check_factors(position, f_, cosmology_, 1, -1);
    check_factors(velocity, f_, cosmology_, cosmology_.sqrt_velocities ? 0.5 : 0, 0);
    b.resize(n);
    std::fill(b.type.begin() + std::ptrdiff_t(first), b.type.end(), Type(type_));
    read_rows<double>(f_, position, range_, H5T_NATIVE_DOUBLE, {&b.x, &b.y, &b.z}, first);
    read_rows<double>(f_, velocity, range_, H5T_NATIVE_DOUBLE, {&b.vx, &b.vy, &b.vz}, first);
    read_masses(first);
    read_ids(first);
    read_optional(present_.potential, {"Potential", "Potentials"}, {&s_.potential}, first, n);
    read_optional(present_.pulls, {"Acceleration", "Accelerations"}, {&s_.ax, &s_.ay, &s_.az}, first, n);
    read_softenings(first, n);
  }

 private:
  Column open(std::initializer_list<const char*> names, std::size_t columns, bool real = true) const {
    return open_column(f_, group_, type_, names, columns, real);
  }

  /// For types with a mass in the header's table GADGET does not read masses of the bodies, and writes none.
  void read_masses(std::size_t first) {
    const Column c = open({"Masses", "Mass", "DynamicalMasses"}, 1);
    const double table = mass_of_type(f_, type_);
    auto& mass = s_.bodies.mass;
    if (!c.id.valid() && !(table > 0))
      f_.refuse(fmt::format(
          "the dataset /PartType{}/Masses is missing, and /Header/MassTable has no mass for type {}", type_,
          type_));
    if (c.id.valid()) check_factors(c, f_, cosmology_, 0, -1);
    if (c.id.valid() && !(table > 0 && differs(c, table)))
      return read_rows<double>(f_, c, range_, H5T_NATIVE_DOUBLE, {&mass}, first);
    std::fill(mass.begin() + std::ptrdiff_t(first), mass.end(), table);
    note(fmt::format(
        "masses of type {} come from the header's MassTable: {} each{}", type_, table,
        c.id.valid() ? ", as GADGET reads them; those of " + c.path + " differ and are not used" : ""));
  }

  /// Whether any mass of the file is not the table's, but for the rounding of single precision.
  bool differs(const Column& c, double table) const {
    std::vector<double> masses(c.rows);
    read_rows<double>(f_, c, {0, c.rows}, H5T_NATIVE_DOUBLE, {&masses}, 0);
    constexpr double rounding = 1e-6;
    return !std::ranges::all_of(masses, [&](double m) { return std::abs(m - table) <= rounding * table; });
  }

  /// Once, though several files of a set give reason to it.
  void note(const std::string& text) {
    if (std::ranges::find(out_.notes, text) == out_.notes.end()) out_.notes.push_back(text);
  }

  void read_ids(std::size_t first) {
    const Column c = open({"ParticleIDs", "ParticleID"}, 1, false);
    present_.ids &= c.id.valid();
    if (!c.id.valid()) return;
    const Object stored{H5Dget_type(c.id), H5Tclose};
    if (H5Tget_sign(stored) != H5T_SGN_2)
      return read_rows<std::uint64_t>(f_, c, range_, H5T_NATIVE_UINT64, {&s_.bodies.id}, first);
    // HDF5 would convert negative numbers to 0.
    std::vector<std::int64_t> ids(range_.count);
    read_rows<std::int64_t>(f_, c, range_, H5T_NATIVE_INT64, {&ids}, 0);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < 0)
        f_.refuse(fmt::format("{}[{}] is {}; ids must be >= 0", c.path, range_.first + i, ids[i]));
      s_.bodies.id[first + i] = std::uint64_t(ids[i]);
    }
  }

  /// Those of the bodies, or that of the type among the parameters of the program that wrote the file.
  void read_softenings(std::size_t first, std::size_t n) {
    auto& softening = s_.bodies.softening;
    const Column column = open({"Softening", "Softenings"}, 1);
    if (column.id.valid()) check_factors(column, f_, cosmology_, 1, -1);
    const auto of_type = column.id.valid() ? std::nullopt : softening_of_type(f_, type_, cosmology_);
    if (!of_type || !present_.softening)
      return read_optional(present_.softening, {"Softening", "Softenings"}, {&softening}, first, n);
    softening.resize(n, *of_type);
    note(
        fmt::format("softenings of type {} come from /Parameters: {} each; the program that wrote them "
                    "softens with a spline "
                    "(gravity.softening_kernel)",
                    type_, *of_type));
  }

  void read_optional(bool& all, std::initializer_list<const char*> names,
                     const std::vector<std::vector<double>*>& to, std::size_t first, std::size_t n) {
    if (!all) return;
    const Column c = open(names, to.size());
    all = c.id.valid();
    for (auto* v : to) v->resize(all ? n : 0);
    if (all) read_rows<double>(f_, c, range_, H5T_NATIVE_DOUBLE, to, first);
  }

  const Hdf5File& f_;
  std::size_t type_;
  const Cosmology& cosmology_;
  BodyRange range_;
  Snapshot& s_;
  FileContent& out_;
  Present& present_;
  Object group_;
};

void need_memory(const Hdf5File& f, std::uint64_t bodies) {
  constexpr std::uint64_t bytes_per_body = 9 * 8 + 1;
  const std::uint64_t memory =
      std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGE_SIZE));
  if (bodies > memory / bytes_per_body)
    throw ResourceError(fmt::format("'{}': {} bodies need {} GB of memory; this machine has {} GB", f.name,
                                    bodies, bodies / 1000000 * bytes_per_body / 1000, memory / 1000000000),
                        Error::Code::out_of_memory);
}

/// Bodies of types that there are here.
std::size_t known_bodies(std::span<const std::int64_t> count) {
  const auto known = count.first(std::min(count.size(), known_types));
  return std::size_t(std::accumulate(known.begin(), known.end(), std::int64_t{0}));
}

/// Appends the file's bodies in `range`; `before`: number of bodies in the files before it.
void append_bodies(const Hdf5File& f, const Cosmology& cosmology, std::size_t before, BodyRange range,
                   FileContent& out, Present& present) {
  need_memory(f, out.snapshot.bodies.size() + range.among(before, known_bodies(f.count)).count);
  for (std::size_t t = 0; t < f.count.size(); ++t) {
    const std::string name = fmt::format("PartType{}", t);
    const auto count = std::size_t(f.count[t]);
    if (count == 0) {
      const Object group = open_group(f, name.c_str());
      if (group.valid())
        open_column(f, group, t, {"Coordinates"}, 3, true);  // refuses rows that the header does not count
    } else if (t >= known_types) {
      out.notes.push_back(fmt::format("{} bodies of {} skipped: no such type here", count, name));
    } else {
      TypeReader(f, t, cosmology, range.among(before, count), out, present).read();
      before += count;
    }
  }
}

/// The parts of a set are pieces of one snapshot: one time, one h, one box, the same units and totals, and
/// one mass for each type that the table gives it to.
void need_one_set(const Hdf5File& first, const std::vector<fs::path>& parts) {
  std::map<std::size_t, std::pair<double, std::string>> masses;
  const auto need_masses = [&](const Hdf5File& part) {
    for (std::size_t t = 0; t < part.count.size(); ++t) {
      if (part.count[t] == 0) continue;
      const double mass = mass_of_type(part, t);
      const auto& [expected, who] = masses.try_emplace(t, mass, part.name).first->second;
      if (mass != expected)
        part.refuse(fmt::format(
            "/Header/MassTable has {} for type {}, but in '{}' it is {}; all parts of a set must agree", mass,
            t, who, expected));
    }
  };
  const auto facts = first.said;
  need_masses(first);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Hdf5File part = open(parts[k]);
    read_header(part);
    for (const auto& [name, value] : part.said)
      if (const auto expected = facts.find(name); expected != facts.end() && value != expected->second)
        part.refuse(fmt::format("{} is {}, but in '{}' it is {}; all parts of a set must agree", name, value,
                                first.name, expected->second));
    need_masses(part);
  }
}

/// A single file must contain all the bodies that its header counts, if it counts them.
void need_all_bodies(const Hdf5File& f, const Header& header) {
  const auto& total = header.total;
  if (!total || *total == f.count || std::ranges::all_of(*total, [](auto n) { return n == 0; })) return;
  f.refuse(
      fmt::format("NumPart_Total says ({}) bodies per type, but this file holds ({}), and "
                  "NumFilesPerSnapshot says that it is the only one",
                  fmt::join(*total, " "), fmt::join(f.count, " ")));
}

/// Comoving bodies are those of a universe with densities that are known.
void need_densities(const Hdf5File& f, const ComovingUniverse& universe) {
  if (!(universe.omega_m > 0))
    f.refuse(
        "it is a cosmological file, but states no density of matter: /Header or /Parameters must have Omega0 "
        "(GIZMO: Omega_Matter), or /Cosmology Omega_m (SWIFT)");
  const Attributes cosmology(f, "Cosmology");
  const auto neutrinos = number_of({{&cosmology, "Omega_nu_0"}}, not_negative, "finite and >= 0");
  if (neutrinos.value_or(0) > 0)
    f.refuse(fmt::format(
        "/Cosmology/Omega_nu_0 is {}: the bodies must be all matter, without massive neutrinos", *neutrinos));
}

FileContent read_here(const fs::path& file, const Wanted& wanted) {
  Hdf5File f = open(file);
  FileContent out;
  Snapshot& s = out.snapshot;
  const Header header = read_header(f);
  s.units = header.units, out.units_stated = header.units_stated, s.G = header.G;
  s.time = header.time, s.step = header.step, s.boundary = header.boundary;
  out.suggested_softening = header.suggested_softening;
  out.suggested_step = header.suggested_step;
  if (header.box) take_box(out, *header.box, wanted);
  const auto parts = parts_of(file, header.files);
  if (parts.size() > 1) {
    out.notes.push_back(fmt::format("a set of {} files", parts.size()));
    const Hdf5File first = open(parts[0]);
    read_header(first);
    need_one_set(first, parts);
  }
  for (const auto& part : parts) out.files.push_back(part.string());
  if (parts.size() > 1 && !header.total) f.refuse("the attribute /Header/NumPart_Total is missing");
  const auto promised = parts.size() > 1 ? *header.total : f.count;
  std::vector<std::int64_t> found(promised.size());
  out.count = known_bodies(promised);
  const BodyRange range = wanted.of(out.count);
  Present present;
  std::size_t before = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts.size() > 1) f = open(parts[k]);
    for (std::size_t t = 0; t < std::min(found.size(), f.count.size()); ++t) found[t] += f.count[t];
    append_bodies(f, header.cosmology, before, range, out, present);
    before += known_bodies(f.count);
  }
  if (found != promised)
    throw InputError(fmt::format("'{}': the set holds ({}) bodies per type, but NumPart_Total here says ({})",
                                 file.string(), fmt::join(found, " "), fmt::join(promised, " ")));
  if (parts.size() == 1) need_all_bodies(f, header);
  if (out.count == 0) f.refuse("NumPart_ThisFile counts no bodies");
  if (!present.ids) make_ids(out, range.first);
  if (!present.potential) s.potential.clear();
  if (!present.pulls) s.ax.clear(), s.ay.clear(), s.az.clear();
  if (!present.softening) s.bodies.softening.clear();
  const bool stays = wanted.comoving && header.cosmology.comoving;
  const auto universe = stays ? universe_of(f, header.cosmology) : ComovingUniverse{};
  if (stays && wanted.never_physical) need_densities(f, universe);
  settle_cosmology(out, header.cosmology, universe, wanted);
  return out;
}

}  // namespace

FileContent read_hdf5(const fs::path& file, const Wanted& wanted) {
  const auto lock = session();
  return read_isolated(
      file, [&](const fs::path& named) { return read_here(named, wanted); }, wanted.child_reads);
}

}  // namespace pleiad::files
