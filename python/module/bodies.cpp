/// The keys of the dictionaries that stand for snapshots.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "module/bodies.hpp"

#include "module/arrays.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad::python {
namespace {

/// None when it is not there.
nb::object entry(const Dict& data, const char* key) {
  return data.contains(key) ? nb::object(data[key]) : nb::none();
}
double number(const Dict& data, const char* key, double otherwise) {
  const auto value = entry(data, key);
  if (value.is_none()) return otherwise;
  double number = 0;
  if (nb::try_cast(value, number)) return number;
  throw UsageError(fmt::format("{} must be a number", key));
}

std::string text(nb::handle value, const char* key) {
  if (std::string text; nb::try_cast(value, text)) return text;
  throw UsageError(fmt::format("{} must be text", key));
}

/// Three columns of bodies from rows, or nothing when there is no entry.
void read(const Dict& data, const char* key, std::size_t n, std::vector<double>& x, std::vector<double>& y,
          std::vector<double>& z) {
  const auto given = entry(data, key);
  if (given.is_none()) return;
  const auto array = host_array(given, key);
  const auto rows = rows_of<const double>(array, key, 3, n);
  x.resize(n), y.resize(n), z.resize(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = rows(i, 0), y[i] = rows(i, 1), z[i] = rows(i, 2);
}
template <class T, class To>
void read(const Dict& data, const char* key, std::size_t n, std::vector<To>& to) {
  const auto given = entry(data, key);
  if (given.is_none()) return;
  const auto array = host_array(given, key);
  const auto rows = rows_of<const T>(array, key, 0, n);
  to.resize(n);
  for (std::size_t i = 0; i < n; ++i) to[i] = To(rows(i));
}

nb::object triples(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z) {
  std::vector<double> all(3 * x.size());
  for (std::size_t i = 0; i < x.size(); ++i) all[3 * i] = x[i], all[3 * i + 1] = y[i], all[3 * i + 2] = z[i];
  return array_of(std::move(all), 3);
}

Bodies bodies_of(const Dict& data) {
  Bodies b;
  const auto positions = entry(data, "positions");
  if (positions.is_none()) throw UsageError("positions are missing");
  if (entry(data, "masses").is_none()) throw UsageError("masses are missing");
  const auto rows = host_array(positions, "positions");
  const std::size_t n = rows_of<const double>(rows, "positions", 3).size;
  b.resize(n);
  read(data, "positions", n, b.x, b.y, b.z);
  read(data, "velocities", n, b.vx, b.vy, b.vz);
  read<double>(data, "masses", n, b.mass);
  read<std::uint64_t>(data, "ids", n, b.id);
  if (entry(data, "ids").is_none())
    for (std::size_t i = 0; i < n; ++i) b.id[i] = i;
  std::ranges::fill(b.type, Type::halo);
  read<std::uint8_t>(data, "types", n, b.type);
  read<double>(data, "softenings", n, b.softening);
  for (const auto type : b.type)
    if (std::size_t(type) >= type_names.size())
      throw InputError(
          fmt::format("a body has type {}; there are 0 to {}", int(type), type_names.size() - 1));
  return b;
}

}  // namespace

Boundary boundary_of(nb::handle box, Images images) {
  if (box.is_none()) return {};
  const auto refuse = [] { throw UsageError("box must be None or the three sides of a periodic box"); };
  Boundary boundary{.periodic = true, .length = {}, .images = images};
  nb::object sides;
  double one = 0;
  if (nb::try_cast(box, one)) boundary.length = {one, one, one};
  else if (!nb::try_cast(box, sides) || !nb::hasattr(sides, "__len__") || nb::len(sides) != 3) refuse();
  else {
    double* const to[] = {&boundary.length.x, &boundary.length.y, &boundary.length.z};
    for (int k = 0; k < 3; ++k)
      if (!nb::try_cast(sides[k], *to[k])) refuse();
  }
  return boundary;
}

namespace {

/// None: the nearest.
Images images_of(nb::handle given) {
  if (given.is_none()) return Images::nearest;
  const auto name = text(given, "images");
  for (std::size_t k = 0; k < images_names.size(); ++k)
    if (images_names[k] == name) return static_cast<Images>(k);
  throw UsageError(fmt::format("images must be one of {}, not '{}'", fmt::join(images_names, ", "), name));
}

}  // namespace

Snapshot snapshot_of(const Dict& data) {
  Snapshot s;
  s.bodies = bodies_of(data);
  const std::size_t n = s.bodies.size();
  read(data, "accelerations", n, s.ax, s.ay, s.az);
  read<double>(data, "potentials", n, s.potential);
  s.time = number(data, "time", 0);
  s.step = std::uint64_t(std::max(0.0, number(data, "step", 0)));
  if (const auto units = entry(data, "units"); !units.is_none()) s.units = units_of(units);
  s.G = number(data, "G", s.units.G());
  s.boundary = boundary_of(entry(data, "box"), images_of(entry(data, "images")));
  return s;
}

Dict dict_of(const Snapshot& s) {
  const auto& b = s.bodies;
  Dict data;
  data["positions"] = triples(b.x, b.y, b.z);
  data["velocities"] = triples(b.vx, b.vy, b.vz);
  data["masses"] = array_of(b.mass);
  data["ids"] = array_of(b.id);
  std::vector<std::uint8_t> types(b.size());
  std::ranges::transform(b.type, types.begin(), [](Type type) { return std::uint8_t(type); });
  data["types"] = array_of(std::move(types));
  data["softenings"] = b.softening.empty() ? nb::object(nb::none()) : array_of(b.softening);
  data["accelerations"] = s.ax.empty() ? nb::none() : triples(s.ax, s.ay, s.az);
  data["potentials"] = s.potential.empty() ? nb::object(nb::none()) : array_of(s.potential);
  data["time"] = s.time;
  data["step"] = s.step;
  data["G"] = s.G;
  data["units"] = dict_of(s.units);
  const auto& side = s.boundary.length;
  data["box"] = s.boundary.periodic ? nb::object(nb::make_tuple(side.x, side.y, side.z)) : nb::none();
  data["images"] = std::string(name_of(s.boundary.images));
  return data;
}

Units units_of(nb::handle given) {
  if (nb::isinstance<nb::str>(given)) return units_named(nb::cast<std::string>(given));
  if (!nb::isinstance<nb::dict>(given)) throw UsageError("units must be the name of a system, or a dict");
  const auto data = nb::cast<Dict>(given);
  Units units;
  if (const auto name = entry(data, "name"); !name.is_none()) units.name = text(name, "the name of units");
  if (const auto physical = entry(data, "physical"); !physical.is_none())
    if (!nb::try_cast(physical, units.physical)) throw UsageError("physical must be True or False");
  units.length_cm = number(data, "length_cm", 1);
  units.mass_g = number(data, "mass_g", 1);
  units.velocity_cm_s = number(data, "velocity_cm_s", 1);
  return units;
}
std::optional<Units> maybe_units(nb::handle units) {
  if (units.is_none()) return std::nullopt;
  return units_of(units);
}
Dict dict_of(const Units& units) {
  Dict data;
  data["name"] = units.name;
  data["physical"] = units.physical;
  data["length_cm"] = units.length_cm;
  data["mass_g"] = units.mass_g;
  data["velocity_cm_s"] = units.velocity_cm_s;
  return data;
}

Any array_of(const Vec3<double>& v) { return array_of(std::vector{v.x, v.y, v.z}); }

Dict dict_of(const Diagnostics& d) {
  Dict data;
  data["time"] = d.time;
  data["step"] = d.step;
  data["kinetic"] = d.energies.kinetic;
  data["potential"] = d.energies.potential;
  data["energy"] = d.energies.total();
  data["energy_error"] = d.energy_error;
  data["momentum"] = array_of(d.momentum);
  data["angular_momentum"] = array_of(d.angular_momentum);
  data["centre"] = array_of(d.centre.position);
  data["centre_velocity"] = array_of(d.centre.velocity);
  data["mass"] = d.centre.mass;
  data["virial_ratio"] = d.virial_ratio;
  const auto numbers = [](const auto& all) { return array_of(std::vector(all.begin(), all.end())); };
  data["lagrangian_radii"] = numbers(d.lagrangian_radii);
  data["lagrangian_fractions"] = numbers(lagrangian_fractions);
  return data;
}

Dict dict_of(const std::vector<Encounter>& events) {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Dict data;
  const auto column = [&]<class T>(const char* name, const T& of) {
    std::vector<std::invoke_result_t<T, const Encounter&>> values(events.size());
    std::ranges::transform(events, values.begin(), of);
    data[name] = array_of(std::move(values));
  };
  std::vector<std::string> names;
  for (const auto& e : events) names.emplace_back(name_of(e.kind));
  column("time", [](const Encounter& e) { return e.time; });
  column("step", [](const Encounter& e) { return e.step; });
  data["event"] = names;
  column("id1", [](const Encounter& e) { return e.id; });
  column("id2", [](const Encounter& e) { return e.other.value_or(e.id); });
  column("distance", [](const Encounter& e) { return e.distance; });
  column("speed", [](const Encounter& e) { return e.speed; });
  column("mass1", [](const Encounter& e) { return e.mass; });
  column("mass2", [](const Encounter& e) { return e.other ? e.other_mass : none; });
  constexpr std::array axes{std::pair{"x", &Vec3<double>::x}, std::pair{"y", &Vec3<double>::y},
                            std::pair{"z", &Vec3<double>::z}};
  for (const auto& [name, axis] : axes) column(name, [axis](const Encounter& e) { return e.x.*axis; });
  for (const auto& [name, axis] : axes)
    column((std::string("v") + name).c_str(), [axis](const Encounter& e) { return e.v.*axis; });
  column("energy", [](const Encounter& e) { return e.energy.value_or(none); });
  column("energy_lost", [](const Encounter& e) { return e.energy_lost.value_or(none); });
  for (const auto& [name, axis] : axes)
    column(fmt::format("l{}_lost", name).c_str(),
           [axis](const Encounter& e) { return e.energy_lost ? e.angular_momentum_lost.*axis : none; });
  return data;
}

Dict dict_of(const EngineDescription& d) {
  Dict data;
  data["device"] = d.device;
  data["kernel"] = d.kernel();
  data["precision"] = d.precision;
  data["why"] = d.why;
  data["threads"] = d.threads;
  data["gpus"] = d.gpus;
  data["bytes"] = d.bytes;
  return data;
}

}  // namespace pleiad::python
