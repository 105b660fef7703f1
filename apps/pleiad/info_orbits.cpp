#include "info_orbits.hpp"

#include "core/json_text.hpp"
#include "core/print.hpp"

#include <pleiad/orbits.hpp>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

namespace pleiad::app {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

struct Column {
  std::string_view name, key;
  double OrbitalElements::*value;
  double unit = 1;
};
constexpr std::array element_columns{
    Column{"a", "semi_major_axis", &OrbitalElements::semi_major_axis},
    Column{"e", "eccentricity", &OrbitalElements::eccentricity},
    Column{"inclination", "inclination", &OrbitalElements::inclination, degrees},
    Column{"node", "node", &OrbitalElements::node, degrees},
    Column{"pericentre", "pericentre", &OrbitalElements::pericentre, degrees},
    Column{"true anomaly", "true_anomaly", &OrbitalElements::true_anomaly, degrees},
    Column{"mean anomaly", "mean_anomaly", &OrbitalElements::mean_anomaly, degrees},
    Column{"q", "pericentre_distance", &OrbitalElements::pericentre_distance},
    Column{"period", "period", &OrbitalElements::period}};

std::string cell(double value) { return std::isnan(value) ? "-" : fmt::format("{:.6g}", value); }

}  // namespace

void print_orbits(const Snapshot& s, const std::string& about, bool json) {
  const auto orbits = orbits_of(s, orbit_centre_named(about));
  if (json) {
    auto rows = nlohmann::ordered_json::array();
    for (const auto& orbit : orbits) {
      nlohmann::ordered_json row{{"id", orbit.id}};
      for (const auto& c : element_columns) row[std::string(c.key)] = orbit.elements.*c.value * c.unit;
      rows.push_back(row);
    }
    return print_out("{}\n",
                     json_text(nlohmann::ordered_json{{"about", about}, {"time", s.time}, {"orbits", rows}}));
  }
  print_out("# orbits about {} at time {:.9g}; angles in degrees, lengths and times in {} units\n", about,
            s.time, s.units.name);
  print_out("{:>8}", "id");
  for (const auto& c : element_columns) print_out(" {:>12}", c.name);
  print_out("\n");
  for (const auto& orbit : orbits) {
    print_out("{:>8}", orbit.id);
    for (const auto& c : element_columns) print_out(" {:>12}", cell(orbit.elements.*c.value * c.unit));
    print_out("\n");
  }
}

}  // namespace pleiad::app
