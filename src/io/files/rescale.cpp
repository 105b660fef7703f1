/// Units and cosmological factors of whole snapshots, and other things that all formats share.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/parts.hpp"
#include "io/files/wanted.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

void scale(std::vector<double>& values, double factor) {
  for (double& v : values) v *= factor;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-5 * b; }

}  // namespace

Units recognised_units(double length_cm, double mass_g, double velocity_cm_s) {
  for (const auto name : unit_system_names()) {
    Units u = units_named(name);
    if (u.physical && near(length_cm, u.length_cm) && near(mass_g, u.mass_g) &&
        near(velocity_cm_s, u.velocity_cm_s))
      return u;
  }
  return custom_units(length_cm, mass_g, velocity_cm_s);
}

Cosmology cosmology_of(double h, double time, double redshift, double omega0, std::optional<bool> comoving) {
  Cosmology c{.h = h > 0 && std::isfinite(h) ? h : 1};
  const double a = 1 / (1 + redshift);
  const bool fits = redshift > -1 && time > 0 && near(time, a), today = fits && near(time, 1);
  if (comoving.value_or(fits && !today)) c.a = time, c.comoving = c.sqrt_velocities = true;
  if (comoving) return c;
  if (today && omega0 > 0)
    c.doubt = fmt::format(
        "the header has matter, redshift 0 and the time 1, as an isolated model or a cosmological file of "
        "today may: taken as isolated, its time is {}",
        time / c.h);
  if (omega0 > 0 && !fits && redshift != 0)
    c.doubt = fmt::format(
        "the header has matter and redshift {}, but its time, {}, is not the scale factor {:g}: its numbers "
        "are "
        "taken as physical, not as comoving",
        redshift, time, a);
  return c;
}

void take_box(FileContent& content, const Vec3<double>& lengths, const Wanted& wanted) {
  content.box = lengths;
  if (wanted.periodic) return;
  const bool cube = lengths.x == lengths.y && lengths.x == lengths.z;
  content.notes.push_back(fmt::format(
      "{} {} is not used: space is taken as open", open_in_spite_of_box,
      cube ? fmt::format("{}", lengths.x) : fmt::format("{} {} {}", lengths.x, lengths.y, lengths.z)));
}

void remove_cosmology(FileContent& content, const Cosmology& c) {
  Snapshot& s = content.snapshot;
  Bodies& b = s.bodies;
  if (c.h != 1) {
    for (auto* v : {&b.x, &b.y, &b.z, &b.mass, &b.softening}) scale(*v, 1 / c.h);
    for (auto* v : {&s.ax, &s.ay, &s.az}) scale(*v, c.h);
    s.boundary.length = s.boundary.length * (1 / c.h);
    if (content.box) *content.box = *content.box * (1 / c.h);
    if (!c.comoving) s.time /= c.h;
    content.notes.push_back(
        fmt::format("HubbleParam = {}: lengths, masses{} divided by it", c.h, c.comoving ? "" : " and time"));
  }
  if (c.comoving)
    content.notes.push_back(
        c.time_is_a ? fmt::format("{}: its time, {}, is the scale factor", cosmological_file, c.a)
                    : fmt::format("{}: its scale factor is {}, its time {}", cosmological_file, c.a, s.time));
  if (!c.doubt.empty()) content.notes.push_back(c.doubt);
  if (!c.comoving || c.a == 1) return;
  for (auto* v : {&b.x, &b.y, &b.z, &b.softening}) scale(*v, c.a);
  s.boundary.length = s.boundary.length * c.a;
  if (content.box) *content.box = *content.box * c.a;
  if (c.sqrt_velocities)
    for (auto* v : {&b.vx, &b.vy, &b.vz}) scale(*v, std::sqrt(c.a));
  for (auto* v : {&s.ax, &s.ay, &s.az, &s.potential}) v->clear();
  content.notes.push_back(
      fmt::format("comoving positions{} made physical; velocities are peculiar, without the Hubble flow",
                  c.sqrt_velocities ? " and velocities" : ""));
}

void settle_cosmology(FileContent& content, const Cosmology& c, const ComovingUniverse& universe,
                      const Wanted& wanted) {
  if (!(wanted.comoving && c.comoving && universe.omega_m > 0)) return remove_cosmology(content, c);
  Snapshot& s = content.snapshot;
  Bodies& b = s.bodies;
  s.time = c.a;
  content.universe = universe;
  content.notes.push_back(
      fmt::format("a cosmological file of a = {:g}, z = {:g}: comoving positions, HubbleParam = {}", c.a,
                  1 / c.a - 1, universe.h));
  if (c.sqrt_velocities)
    for (auto* v : {&b.vx, &b.vy, &b.vz}) scale(*v, std::sqrt(c.a));
  for (auto* v : {&s.ax, &s.ay, &s.az, &s.potential}) v->clear();
  if (universe.h == c.h) return;
  const double per_h = universe.h / c.h;
  for (auto* v : {&b.x, &b.y, &b.z, &b.mass, &b.softening}) scale(*v, per_h);
  s.boundary.length = s.boundary.length * per_h;
  if (content.box) *content.box = *content.box * per_h;
  content.notes.push_back(
      fmt::format("lengths and masses, which the file does not divide by h, are those per h here: "
                  "multiplied by {}",
                  per_h));
}

std::array<std::vector<std::size_t>, 6> by_type(const Bodies& bodies) {
  std::array<std::vector<std::size_t>, 6> groups;
  for (std::size_t i = 0; i < bodies.size(); ++i) groups.at(std::size_t(bodies.type[i])).push_back(i);
  return groups;
}

bool any_wide_id(const Bodies& b, const Share& share) {
  return share.any(std::any_of(b.id.begin(), b.id.end(), [](std::uint64_t id) { return id > 0xffffffff; }));
}

void make_ids(FileContent& content, std::size_t first) {
  auto& ids = content.snapshot.bodies.id;
  std::iota(ids.begin(), ids.end(), std::uint64_t{first});
  const std::size_t count = std::max(content.count, ids.size());
  content.notes.push_back(
      fmt::format("the file has no ids: 0 to {} given in its order", count == 0 ? 0 : count - 1));
}

namespace {

/// One kind of numbers: how a message calls it, its columns, and whether every value counts by itself
/// (masses) or against the largest one (coordinates, of which some may be as good as 0).
struct Kind {
  std::string_view name;
  std::vector<const std::vector<double>*> columns;
  bool each;
};

std::array<Kind, 6> kinds_of(const Snapshot& s) {
  const Bodies& b = s.bodies;
  return {Kind{"position", {&b.x, &b.y, &b.z}, false},
          Kind{"velocity", {&b.vx, &b.vy, &b.vz}, false},
          Kind{"mass", {&b.mass}, true},
          Kind{"potential", {&s.potential}, false},
          Kind{"acceleration", {&s.ax, &s.ay, &s.az}, false},
          Kind{"softening", {&b.softening}, true}};
}

double largest_of(const Kind& kind) {
  double largest = 0;
  for (const auto* column : kind.columns)
    for (const double v : *column) largest = std::max(largest, std::abs(v));
  return largest;
}

}  // namespace

namespace {

void need_single(const Snapshot& s, std::span<const double> largest_of_all, std::size_t first) {
  constexpr double rounding = 0x1p-24;  // half a unit in the last of the 24 bits of a float
  auto next = largest_of_all.begin();
  for (const Kind& kind : kinds_of(s)) {
    const double largest = *next++;
    for (const auto* column : kind.columns)
      for (std::size_t i = 0; i < column->size(); ++i) {
        const double v = (*column)[i], kept = double(float(v));
        if (kept == v || std::isnan(v)) continue;
        if (std::abs(kept - v) <= rounding * (kind.each ? std::abs(v) : largest)) continue;
        throw InputError(
            fmt::format("the {} of body {}, {:g}, would become {:g} in single precision, which holds {:g} to "
                        "{:g} in units {}; "
                        "write hdf5 or csv, or convert to other units",
                        kind.name, first + i, v, kept, std::numeric_limits<float>::min(),
                        std::numeric_limits<float>::max(), s.units.name));
      }
  }
}

}  // namespace

void need_single(const Snapshot& s, const Share& share) {
  const auto kinds = kinds_of(s);
  std::array<double, kinds.size()> largest{};
  std::ranges::transform(kinds, largest.begin(), largest_of);
  share.comm().max(largest);
  ranks::agree(share.comm(), [&] { need_single(s, largest, share.first()); });
}

std::string rounding_of(const Snapshot& s) {
  std::string said;
  for (const Kind& kind : kinds_of(s)) {
    double worst = 0;
    for (const auto* column : kind.columns)
      for (const double v : *column)
        if (v != 0) worst = std::max(worst, std::abs(double(float(v)) - v) / std::abs(v));
    if (worst > 0) said += fmt::format("{}{} by up to {:.1e}", said.empty() ? "" : ", ", kind.name, worst);
  }
  return said;
}

}  // namespace pleiad::files

namespace pleiad {

void convert(Snapshot& s, const Units& to) {
  const Units from = s.units;
  if (from == to) return;
  convert(s.bodies, from, to);
  s.time = convert_time(s.time, from, to);
  const double length = from.length_cm / to.length_cm, mass = from.mass_g / to.mass_g;
  const double velocity = from.velocity_cm_s / to.velocity_cm_s;
  for (auto* a : {&s.ax, &s.ay, &s.az}) files::scale(*a, velocity * velocity / length);
  files::scale(s.potential, velocity * velocity);
  s.boundary.length = s.boundary.length * length;
  // The constant of the source, not that of the new system: GADGET's and CODATA's differ by 3.4e-4, and
  // another one would change the motion. A difference by rounding only is ignored.
  s.G *= length * velocity * velocity / mass;
  if (std::abs(s.G - to.G()) <= 1e-12 * to.G()) s.G = to.G();
  s.units = to;
}

}  // namespace pleiad
