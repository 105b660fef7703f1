/// Orbits of the bodies of a snapshot, and bodies on orbits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/error.hpp>
#include <pleiad/orbits.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace pleiad {
namespace {

/// A mass in the middle of orbits, and the bodies that it consists of.
struct Middle {
  double mass = 0;
  Vec3<double> position{}, velocity{};

  void add(double m, const Vec3<double>& x, const Vec3<double>& v) {
    const double all = mass + m;
    if (!(all > 0)) {
      position = x, velocity = v;
      return;
    }
    position += (x - position) * (m / all), velocity += (v - velocity) * (m / all);
    mass = all;
  }
  void add(const Bodies& b, std::size_t i) { add(b.mass[i], b.position(i), b.velocity(i)); }
};

std::size_t place_of(const Bodies& b, std::uint64_t id) {
  const auto at = std::ranges::find(b.id, id);
  if (at == b.id.end())
    throw UsageError(fmt::format("orbits about body {}: there is no body with this id", id));
  return std::size_t(at - b.id.begin());
}

/// The bodies of the middle; none where it is that of all or of those before each body.
std::vector<std::size_t> members_of(const Bodies& b, const OrbitCentre& centre) {
  using Kind = OrbitCentre::Kind;
  switch (centre.kind) {
    case Kind::heaviest:
      return {std::size_t(std::ranges::max_element(b.mass) - b.mass.begin())};
    case Kind::body:
      return {place_of(b, centre.ids[0])};
    case Kind::pair:
      if (centre.ids[0] == centre.ids[1])
        throw UsageError(fmt::format("orbits about a pair need two bodies, not {} twice", centre.ids[0]));
      return {place_of(b, centre.ids[0]), place_of(b, centre.ids[1])};
    case Kind::barycentre:
    case Kind::jacobi:
      break;
  }
  return {};
}

Middle middle_of(const Bodies& b, const std::vector<std::size_t>& members) {
  Middle middle;
  for (const auto i : members) middle.add(b, i);
  return middle;
}

Middle middle_of_all(const Bodies& b) {
  Middle middle;
  for (std::size_t i = 0; i < b.size(); ++i) middle.add(b, i);
  return middle;
}

OrbitalElements no_orbit() {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return {none, none, none, none, none, none, none, none, none, none};
}

Orbit orbit_of(const Snapshot& s, std::size_t i, const Middle& middle, double mass) {
  const auto& b = s.bodies;
  const double mu = s.G * mass;
  const auto x = b.position(i) - middle.position, v = b.velocity(i) - middle.velocity;
  if (!(mu > 0) || !(norm(x) > 0)) return {b.id[i], mu, no_orbit()};
  return {b.id[i], mu, elements_of(mu, x, v)};
}

std::optional<std::uint64_t> id_in(std::string_view text) {
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return id;
}

}  // namespace

OrbitCentre orbit_centre_named(std::string_view text) {
  using Kind = OrbitCentre::Kind;
  constexpr std::array<std::pair<std::string_view, Kind>, 3> words{
      {{"heaviest", Kind::heaviest}, {"barycentre", Kind::barycentre}, {"jacobi", Kind::jacobi}}};
  std::vector<std::string_view> names;
  for (const auto& [word, kind] : words) {
    if (word == text) return {.kind = kind};
    names.push_back(word);
  }
  if (const auto id = id_in(text)) return {.kind = Kind::body, .ids = {*id, 0}};
  const auto comma = text.find(',');
  if (comma != std::string_view::npos) {
    const auto one = id_in(text.substr(0, comma)), other = id_in(text.substr(comma + 1));
    if (one && other) return {.kind = Kind::pair, .ids = {*one, *other}};
  }
  throw UsageError(
      fmt::format("orbits about '{}': it is heaviest, barycentre, jacobi, an id such as 7, or two "
                  "such as 0,1{}",
                  text, did_you_mean(text, names)),
      Error::Code::unknown_name);
}

std::vector<Orbit> orbits_of(const Snapshot& s, const OrbitCentre& centre) {
  const auto& b = s.bodies;
  if (b.size() < 2) throw UsageError(fmt::format("orbits need two bodies or more, not {}", b.size()));
  std::vector<Orbit> orbits;
  if (centre.kind == OrbitCentre::Kind::jacobi) {
    Middle middle;
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (i > 0) orbits.push_back(orbit_of(s, i, middle, middle.mass + b.mass[i]));
      middle.add(b, i);
    }
    return orbits;
  }
  const auto members = members_of(b, centre);
  const bool all = centre.kind == OrbitCentre::Kind::barycentre;
  const auto middle = all ? middle_of_all(b) : middle_of(b, members);
  for (std::size_t i = 0; i < b.size(); ++i)
    if (std::ranges::find(members, i) == members.end())
      orbits.push_back(orbit_of(s, i, middle, all ? middle.mass : middle.mass + b.mass[i]));
  return orbits;
}

void add_on_orbit(Snapshot& s, double mass, const StatedOrbit& orbit, const OrbitCentre& centre) {
  auto& b = s.bodies;
  if (b.empty()) throw UsageError("an orbit needs a body that it is about; add that one first");
  if (!(mass >= 0 && std::isfinite(mass))) throw UsageError(fmt::format("mass = {} must be >= 0", mass));
  const auto members = members_of(b, centre);
  const auto middle = members.empty() ? middle_of_all(b) : middle_of(b, members);
  const auto state = state_on(s.G * (middle.mass + mass), orbit);
  const std::uint64_t id = *std::ranges::max_element(b.id) + 1;
  b.add(mass, middle.position + state.position, middle.velocity + state.velocity);
  b.id.back() = id;
  b.low.clear(), b.series.clear();
  s.ax.clear(), s.ay.clear(), s.az.clear(), s.potential.clear();
}

}  // namespace pleiad
