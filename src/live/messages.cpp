#include "live/messages.hpp"

#include "core/json_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <ranges>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::live {
namespace {

using Json = nlohmann::ordered_json;

Json vector(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }

Json row_json(const Diagnostics& row) {
  Json json{{"time", row.time},
            {"step", row.step},
            {"kinetic", row.energies.kinetic},
            {"potential", row.energies.potential},
            {"energy_error", row.energy_error},
            {"virial_ratio", row.virial_ratio}};
  for (std::size_t k = 0; k < lagrangian_fractions.size(); ++k)
    json["radii"][fmt::format("{:.0f}", 100 * lagrangian_fractions[k])] = row.lagrangian_radii[k];
  json["centre"] = vector(row.centre.position);
  return json;
}

Json typed(const char* type, const Json& rest) {
  Json json{{"type", type}};
  json.update(rest);
  return json;
}

/// The largest number of systems that a page marks, the most strongly bound ones.
constexpr std::size_t most_pairs_told = 500;

/// Spelling of the units of a system.
struct UnitNames {
  std::string_view system, length, velocity, mass;
};
constexpr UnitNames unit_names[] = {{"galactic", "kpc", "km/s", "1e10 Msun"},
                                    {"cluster", "pc", "km/s", "Msun"},
                                    {"solar", "au", "au/(yr/2pi)", "Msun"},
                                    {"si", "m", "m/s", "kg"},
                                    {"cgs", "cm", "cm/s", "g"}};

Json units_json(const Units& units) {
  Json json{{"name", units.name}, {"physical", units.physical}};
  for (const auto& names : unit_names)
    if (names.system == units.name)
      json.update({{"length", names.length}, {"velocity", names.velocity}, {"mass", names.mass}});
  if (units.physical) {
    const auto unit = time_unit_of(units);
    json.update({{"time", unit.name}, {"time_scale", units.time_s() / unit.seconds}});
  }
  return json;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

std::string hello_text(const Setting& s) {
  Json json{{"type", "hello"},          {"version", 1},
            {"title", s.title},         {"bodies", s.bodies},
            {"softening", s.softening}, {"box", nullptr},
            {"types", type_names},      {"units", units_json(s.units)},
            {"control", s.control},     {"kind", s.files ? "snapshots" : "run"},
            {"follow", s.follow}};
  if (s.boundary.periodic) {
    const auto& l = s.boundary.length;
    json["box"] = {{"size", std::max({l.x, l.y, l.z})}, {"sizes", vector(l)}, {"corner", {0.0, 0.0, 0.0}}};
  }
  if (s.files) {
    json["frames"] = Json::array();
    for (const auto& file : s.list) json["frames"].push_back({{"time", file.time}, {"name", file.name}});
  }
  return json_text(json, -1);
}

std::string status_text(const Status& s) {
  Json json{{"type", "status"},
            {"step", s.step},
            {"time", s.time},
            {"end", s.end},
            {"steps_per_second", s.steps_per_second},
            {"seconds_left", or_null(s.seconds_left)},
            {"solver", s.solver},
            {"device", s.device},
            {"force_error", nullptr},
            {"state", s.state}};
  if (s.force_error) json["force_error"] = {{"p99", s.force_error->p99}, {"median", s.force_error->median}};
  if (s.index) json["index"] = *s.index;
  return json_text(json, -1);
}

std::string row_text(const Diagnostics& row) { return json_text(typed("row", row_json(row)), -1); }

std::string rows_text(std::span<const Diagnostics> rows) {
  Json json{{"type", "rows"}, {"rows", Json::array()}};
  for (const auto& row : rows) json["rows"].push_back(row_json(row));
  return json_text(json, -1);
}

std::string picked_text(std::uint32_t request, const Snapshot& s, std::size_t i) {
  const Json json{{"type", "picked"},
                  {"request", request},
                  {"id", s.bodies.id[i]},
                  {"kind", type_names[static_cast<std::size_t>(s.bodies.type[i])]},
                  {"mass", s.bodies.mass[i]},
                  {"position", vector(s.bodies.position(i))},
                  {"velocity", vector(s.bodies.velocity(i))},
                  {"time", s.time}};
  return json_text(json, -1);
}

std::string no_body_text(std::uint32_t request) {
  return json_text(Json{{"type", "picked"}, {"request", request}, {"id", nullptr}}, -1);
}

std::string binaries_text(double time, const structure::Systems& systems) {
  std::vector<const structure::BoundSystem*> all;
  std::size_t binaries = 0;
  for (const auto& s : systems.systems) all.push_back(&s), binaries += s.stars() == 2 ? 1 : 0;
  std::ranges::stable_sort(all, std::greater(), [](const auto* s) { return s->binding_energy; });
  Json json{{"type", "binaries"},
            {"time", time},
            {"binaries", binaries},
            {"hierarchies", all.size() - binaries},
            {"pairs", Json::array()}};
  for (const auto* s : all | std::views::take(most_pairs_told)) {
    const auto &a = s->first.position, &b = s->second.position;
    json["pairs"].push_back({a.x, a.y, a.z, b.x, b.y, b.z});
  }
  return json_text(json, -1);
}

std::string no_binaries_text(double time) {
  return json_text(Json{{"type", "binaries"},
                        {"time", time},
                        {"binaries", nullptr},
                        {"hierarchies", nullptr},
                        {"pairs", Json::array()}},
                   -1);
}

std::string error_text(const std::string& message) {
  return json_text(Json{{"type", "error"}, {"message", message}}, -1);
}

}  // namespace pleiad::live
