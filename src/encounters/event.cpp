#include "encounters/event.hpp"

#include <pleiad/kernel/pull.hpp>

#include <tuple>

#include <fmt/format.h>

namespace pleiad::encounters {
namespace {

void add_cell(std::string& row, const std::optional<double>& value) {
  row += ',';
  if (value) row += fmt::format("{}", *value);
}

}  // namespace

Event of_two(Kind kind, const Place& one, const Place& apart, double mass, double other_mass,
             const Gravity& gravity) {
  const double sum = mass + other_mass, share = other_mass / sum;
  return {.kind = kind,
          .mass = mass,
          .other_mass = other_mass,
          .distance = norm(apart.x),
          .speed = norm(apart.v),
          .x = one.x + share * apart.x,
          .v = one.v + share * apart.v,
          .energy = 0.5 * dot(apart.v, apart.v) + pull(apart.x, gravity.G * sum, gravity.softening.eps2()).w};
}

bool before(const Event& a, const Event& b) {
  const auto key = [](const Event& e) { return std::tuple(e.time, e.kind, e.id, e.other.value_or(e.id)); };
  return key(a) < key(b);
}

std::string row_of(const Event& e) {
  std::string row = fmt::format("{},{},{},{},{},{},{},{},{}", e.time, e.step, name_of(e.kind), e.id,
                                e.other ? fmt::format("{}", *e.other) : "", e.distance, e.speed, e.mass,
                                e.other ? fmt::format("{}", e.other_mass) : "");
  for (const double number : {e.x.x, e.x.y, e.x.z, e.v.x, e.v.y, e.v.z}) row += fmt::format(",{}", number);
  add_cell(row, e.energy), add_cell(row, e.energy_lost);
  const auto& l = e.angular_momentum_lost;
  for (const double number : {l.x, l.y, l.z})
    add_cell(row, e.energy_lost ? std::optional(number) : std::nullopt);
  return row;
}

std::string words_of(const Event& e) {
  const std::string_view name = name_of(e.kind), article = name[0] == 'a' || name[0] == 'e' ? "an" : "a";
  const auto bodies =
      e.other ? fmt::format("bodies {} and {}", e.id, *e.other) : fmt::format("body {}", e.id);
  return fmt::format("{} {} of {} at t = {:g}", article, name, bodies, e.time);
}

}  // namespace pleiad::encounters
