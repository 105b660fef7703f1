/// Reading GADGET HDF5 and its relatives (GADGET-4, SWIFT, OWLS names): everything is checked before memory
/// is allocated for it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/hdf5.hpp"
#include "io/files/hdf5_column.hpp"
#include "io/files/isolated.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include <fmt/format.h>
#include <unistd.h>

namespace pleiad::files {
namespace {

using namespace hdf5;

Hdf5File open(const fs::path& path) {
  // HDF5 would wait for the writer of a FIFO.
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown))
    throw InputError(fmt::format("'{}': it is not a regular file", path.string()));
  Hdf5File f{.name = path.string(),
             .file = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose},
             .header = {},
             .count = {}};
  if (!f.file.valid()) f.refuse(fmt::format("cannot be opened as HDF5: {}", last_error()));
  f.header = open_group(f, "Header");
  if (!f.header.valid()) f.refuse("no group /Header; it is an HDF5 file, but not one of the GADGET family");
  const auto count = integers(f.header, "NumPart_ThisFile");
  if (!count) f.refuse("the attribute /Header/NumPart_ThisFile is missing or not a row of whole numbers");
  f.count = *count;
  if (f.count.size() < 6 || f.count.size() > 16)
    f.refuse(
        fmt::format("/Header/NumPart_ThisFile has {} entries; it must have one per type, 6", f.count.size()));
  for (std::size_t t = 0; t < f.count.size(); ++t)
    if (f.count[t] < 0 || f.count[t] > std::int64_t{1} << 48)
      f.refuse(fmt::format("/Header/NumPart_ThisFile[{}] is {}", t, f.count[t]));
  return f;
}

/// Types of bodies; SWIFT counts more.
constexpr std::size_t known_types = 6;

/// Which of the optional columns every type of every file has.
struct Present {
  bool ids = true, potential = true, pulls = true;
};

class TypeReader {
 public:
  /// Of the bodies of this type those in `range` are read.
  TypeReader(const Hdf5File& f, std::size_t type, BodyRange range, FileContent& out, Present& present)
      : f_(f),
        type_(type),
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
    b.resize(n);
    std::fill(b.type.begin() + std::ptrdiff_t(first), b.type.end(), Type(type_));
    read_rows<double>(f_, position, range_, H5T_NATIVE_DOUBLE, {&b.x, &b.y, &b.z}, first);
    read_rows<double>(f_, velocity, range_, H5T_NATIVE_DOUBLE, {&b.vx, &b.vy, &b.vz}, first);
    read_masses(first);
    read_ids(first);
    read_optional(present_.potential, {"Potential", "Potentials"}, {&s_.potential}, first, n);
    read_optional(present_.pulls, {"Acceleration", "Accelerations"}, {&s_.ax, &s_.ay, &s_.az}, first, n);
  }

 private:
  Column open(std::initializer_list<const char*> names, std::size_t columns, bool real = true) const {
    return open_column(f_, group_, type_, names, columns, real);
  }

  void read_masses(std::size_t first) {
    const Column c = open({"Masses", "Mass"}, 1);
    if (c.id.valid()) return read_rows<double>(f_, c, range_, H5T_NATIVE_DOUBLE, {&s_.bodies.mass}, first);
    const auto table = numbers(f_.header, "MassTable");
    const double mass = table && table->size() > type_ ? (*table)[type_] : 0;
    if (!(mass > 0 && std::isfinite(mass)))
      f_.refuse(fmt::format(
          "the dataset /PartType{}/Masses is missing, and /Header/MassTable has no mass for type {}", type_,
          type_));
    std::fill(s_.bodies.mass.begin() + std::ptrdiff_t(first), s_.bodies.mass.end(), mass);
    out_.notes.push_back(
        fmt::format("masses of type {} come from the header's MassTable: {} each", type_, mass));
  }

  void read_ids(std::size_t first) {
    const Column c = open({"ParticleIDs", "ParticleID"}, 1, false);
    present_.ids &= c.id.valid();
    if (!c.id.valid()) return;
    const Object stored{H5Dget_type(c.id), H5Tclose};
    if (H5Tget_sign(stored) != H5T_SGN_2)
      return read_rows<std::uint64_t>(f_, c, range_, H5T_NATIVE_UINT64, {&s_.bodies.id}, first);
    // HDF5 would make 0 of what is below 0.
    std::vector<std::int64_t> ids(range_.count);
    read_rows<std::int64_t>(f_, c, range_, H5T_NATIVE_INT64, {&ids}, 0);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < 0)
        f_.refuse(fmt::format("{}[{}] is {}; ids must be >= 0", c.path, range_.first + i, ids[i]));
      s_.bodies.id[first + i] = std::uint64_t(ids[i]);
    }
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
                                    bodies, bodies / 1000000 * bytes_per_body / 1000, memory / 1000000000));
}

/// Bodies of types that there are here.
std::size_t known_bodies(std::span<const std::int64_t> count) {
  const auto known = count.first(std::min(count.size(), known_types));
  return std::size_t(std::accumulate(known.begin(), known.end(), std::int64_t{0}));
}

/// Those of the file that are in `range`; `before`: bodies of the files before it.
void append_bodies(const Hdf5File& f, std::size_t before, BodyRange range, FileContent& out,
                   Present& present) {
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
      TypeReader(f, t, range.among(before, count), out, present).read();
      before += count;
    }
  }
}

/// The first group that states all three units, in the words of GADGET or of SWIFT.
void read_units(const Hdf5File& f, FileContent& out) {
  Snapshot& s = out.snapshot;
  s.units = units_named("galactic");
  for (const char* name : {"Header", "Units", "Parameters"}) {
    const Object g = open_group(f, name);
    if (!g.valid()) continue;
    auto length = number(g, "UnitLength_in_cm"), mass = number(g, "UnitMass_in_g"),
         velocity = number(g, "UnitVelocity_in_cm_per_s");
    if (!length || !mass || !velocity) {
      const auto time = number(g, "Unit time in cgs (U_t)");
      length = number(g, "Unit length in cgs (U_L)"), mass = number(g, "Unit mass in cgs (U_M)");
      if (!length || !mass || !time) continue;
      velocity = *length / *time;
    }
    for (const double v : {*length, *mass, *velocity})
      if (!(v > 0 && std::isfinite(v))) f.refuse(fmt::format("a unit in /{} is {}; it must be > 0", name, v));
    s.units = recognised_units(*length, *mass, *velocity);
    out.units_stated = true;
    const auto system = text(f.header, "UnitSystem");
    if (system == "nbody") s.units = units_named("nbody");
    else if (system == "custom") s.units = custom_units(*length, *mass, *velocity);
    break;
  }
  s.G = f.attribute("GravitationalConstant", s.units.G());
  if (!(s.G > 0 && std::isfinite(s.G)))
    f.refuse(fmt::format("/Header/GravitationalConstant is {}; it must be > 0", s.G));
}

void read_space(const Hdf5File& f, FileContent& out) {
  Snapshot& s = out.snapshot;
  const auto boundary = text(f.header, "Boundary");
  const auto box = numbers(f.header, "BoxSize"), lengths = numbers(f.header, "BoxLengths");
  if (boundary == "periodic") {
    const auto& l = lengths ? lengths : box;
    const char* name = lengths ? "BoxLengths" : "BoxSize";
    if (!l || (l->size() != 1 && l->size() != 3))
      f.refuse(fmt::format("a periodic file needs /Header/{}, one length or three", name));
    for (const double length : *l)
      if (!(length > 0 && std::isfinite(length)))
        f.refuse(fmt::format("/Header/{} of a periodic file is {}; it must be finite and > 0", name,
                             fmt::join(*l, ", ")));
    const auto images = text(f.header, "Images").value_or("nearest");
    if (std::ranges::find(images_names, images) == images_names.end())
      f.refuse(fmt::format("/Header/Images is '{}'; it must be nearest or all", images));
    s.boundary = {.periodic = true,
                  .length = {l->front(), (*l)[l->size() / 2], l->back()},
                  .images = images == "all" ? Images::all : Images::nearest};
  } else if (boundary != "open" && box && box->front() != 0) {
    out.notes.push_back(
        fmt::format("the header's BoxSize {} is not used: space is taken as open", box->front()));
  }
}

Cosmology read_cosmology(const Hdf5File& f, double time) {
  const Object parameters = open_group(f, "Parameters"), swift = open_group(f, "Cosmology");
  const auto either = [&](const char* key, double absent) {
    const auto v = number(f.header, key);
    return v ? *v : parameters.valid() ? number(parameters, key).value_or(absent) : absent;
  };
  if (swift.valid() &&
      number(swift, "Cosmological run").value_or(0) == 1)  // SWIFT: no h in its units, peculiar velocities
    return {.h = 1, .a = f.attribute("Scale-factor", 1), .comoving = true, .sqrt_velocities = false};
  Cosmology c = cosmology_of(either("HubbleParam", 1), time, either("Redshift", 0), either("Omega0", 0));
  if (parameters.valid() && number(parameters, "ComovingIntegrationOn") == 0.0)
    c.comoving = c.sqrt_velocities = false, c.a = 1;
  return c;
}

/// NumPart_Total of a set, with its high words.
std::vector<std::int64_t> totals(const Hdf5File& f) {
  const auto low = integers(f.header, "NumPart_Total"), high = integers(f.header, "NumPart_Total_HighWord");
  if (!low || low->size() != f.count.size())
    f.refuse("the attribute /Header/NumPart_Total is missing or of the wrong length");
  auto sum = *low;
  for (std::size_t t = 0; high && t < std::min(sum.size(), high->size()); ++t)
    if ((*high)[t] > 0 && (*high)[t] < std::int64_t{1} << 16 && sum[t] < std::int64_t{1} << 32)
      sum[t] += (*high)[t] << 32;
  return sum;
}

/// What all parts of a set must say alike, as text by name.
std::map<std::string, std::string> common_facts(const Hdf5File& f) {
  std::map<std::string, std::string> facts;
  const auto add = [&](const Object& group, const std::string& path,
                       std::initializer_list<const char*> names) {
    for (const char* name : names) {
      const auto values = group.valid() ? numbers(group, name) : std::nullopt;
      const auto word = group.valid() && !values ? text(group, name) : std::nullopt;
      facts[path + name] = values ? fmt::format("{}", fmt::join(*values, " ")) : word.value_or("absent");
    }
  };
  add(f.header, "/Header/",
      {"Time", "Redshift", "BoxSize", "BoxLengths", "Boundary", "Images", "HubbleParam", "Omega0",
       "OmegaLambda", "MassTable", "NumFilesPerSnapshot", "NumPart_Total", "NumPart_Total_HighWord",
       "GravitationalConstant", "Step", "UnitSystem"});
  for (const char* group : {"Header", "Units", "Parameters"})
    add(open_group(f, group), fmt::format("/{}/", group),
        {"UnitLength_in_cm", "UnitMass_in_g", "UnitVelocity_in_cm_per_s", "Unit length in cgs (U_L)",
         "Unit mass in cgs (U_M)", "Unit time in cgs (U_t)"});
  add(open_group(f, "Parameters"), "/Parameters/",
      {"HubbleParam", "Redshift", "Omega0", "ComovingIntegrationOn"});
  add(open_group(f, "Cosmology"), "/Cosmology/", {"Cosmological run"});
  return facts;
}

/// The parts of a set are pieces of one snapshot: one time, one h, one box, the same units and totals.
void need_one_set(const std::vector<fs::path>& parts) {
  const auto first = common_facts(open(parts.front()));
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const Hdf5File part = open(parts[k]);
    for (const auto& [name, value] : common_facts(part))
      if (const std::string& expected = first.at(name);
          !(value == expected) || value.find("nan") != value.npos)
        part.refuse(fmt::format("{} is {}, but in '{}' it is {}; all parts of a set must agree", name, value,
                                parts.front().string(), expected));
  }
}

FileContent read_here(const fs::path& file, const Wanted& wanted) {
  Hdf5File f = open(file);
  FileContent out;
  Snapshot& s = out.snapshot;
  read_units(f, out);
  read_space(f, out);
  s.time = f.attribute("Time", 0);
  if (!std::isfinite(s.time)) f.refuse(fmt::format("/Header/Time is {}", s.time));
  s.step = std::uint64_t(std::clamp(f.attribute("Step", 0), 0.0, 1e18));
  const Cosmology cosmology = read_cosmology(f, s.time);
  const auto parts =
      parts_of(file, std::int64_t(std::clamp(f.attribute("NumFilesPerSnapshot", 1), 0.0, 1e6)));
  if (parts.size() > 1) {
    out.notes.push_back(fmt::format("a set of {} files", parts.size()));
    need_one_set(parts);
  }
  for (const auto& part : parts) out.files.push_back(part.string());
  const auto promised = parts.size() > 1 ? totals(f) : f.count;
  std::vector<std::int64_t> found(promised.size());
  out.count = known_bodies(promised);
  const BodyRange range = wanted.of(out.count);
  Present present;
  std::size_t before = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts.size() > 1) f = open(parts[k]);
    for (std::size_t t = 0; t < std::min(found.size(), f.count.size()); ++t) found[t] += f.count[t];
    append_bodies(f, before, range, out, present);
    before += known_bodies(f.count);
  }
  if (found != promised)
    throw InputError(fmt::format("'{}': the set holds ({}) bodies per type, but NumPart_Total here says ({})",
                                 file.string(), fmt::join(found, " "), fmt::join(promised, " ")));
  if (out.count == 0) f.refuse("NumPart_ThisFile counts no bodies");
  if (!present.ids) make_ids(out, range.first);
  if (!present.potential) s.potential.clear();
  if (!present.pulls) s.ax.clear(), s.ay.clear(), s.az.clear();
  remove_cosmology(out, cosmology);
  return out;
}

}  // namespace

FileContent read_hdf5(const fs::path& file, const Wanted& wanted) {
  const auto lock = session();
  return read_isolated(
      file, [&](const fs::path& named) { return read_here(named, wanted); }, wanted.child_reads);
}

}  // namespace pleiad::files
