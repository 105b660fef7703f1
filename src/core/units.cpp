#include "core/threads.hpp"

#include <pleiad/error.hpp>
#include <pleiad/units.hpp>

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace pleiad {
namespace {
// IAU 2012/2015 and CODATA 2018. GM_sun is known to ten digits, G only to five; the mass unit is therefore
// GM_sun / G.
constexpr double G_cgs = 6.67430e-8, GM_sun = 1.32712440018e26, au = 1.495978707e13,
                 pc = 3.0856775814913673e18;
// GADGET's own constants, so that "galactic" is its default system to the last digit (G = 43007.1).
constexpr double gadget_kpc = 3.085678e21, gadget_msun = 1.989e33;
constexpr std::array<std::string_view, 6> system_names{"nbody", "galactic", "cluster", "solar", "si", "cgs"};
}  // namespace

namespace {
constexpr double year = 3.15576e7;
constexpr std::array time_units{
    TimeUnit{"s", 1},           TimeUnit{"h", 3600},         TimeUnit{"d", 86400},
    TimeUnit{"yr", year},       TimeUnit{"kyr", 1e3 * year}, TimeUnit{"Myr", 1e6 * year},
    TimeUnit{"Gyr", 1e9 * year}};
}  // namespace

TimeUnit time_unit_of(const Units& units, double longest) {
  if (!units.physical) return {"", 1};
  std::size_t k = 0;
  while (k + 1 < time_units.size() && units.time_s() >= 0.1 * time_units[k + 1].seconds) ++k;
  while (k + 1 < time_units.size() && std::abs(longest) * units.time_s() >= 1e4 * time_units[k].seconds) ++k;
  return time_units[k];
}

std::string time_in_words(double time, const Units& units) {
  if (!units.physical) return fmt::format("{:.6g}", time);
  const auto unit = time_unit_of(units, time);
  return fmt::format("{:.6g} {}", time * (units.time_s() / unit.seconds), unit.name);
}

double Units::G() const {
  if (!physical) return 1;
  if (name == "galactic") return 43007.1;
  if (name == "solar") return 1;
  return G_cgs * mass_g / (length_cm * velocity_cm_s * velocity_cm_s);
}

Units units_named(std::string_view name) {
  if (name == "nbody") return {};
  if (name == "galactic") return {"galactic", true, gadget_kpc, 1e10 * gadget_msun, 1e5};
  if (name == "cluster") return {"cluster", true, pc, GM_sun / G_cgs, 1e5};
  if (name == "solar") return {"solar", true, au, GM_sun / G_cgs, std::sqrt(GM_sun / au)};
  if (name == "si") return {"si", true, 1e2, 1e3, 1e2};
  if (name == "cgs") return {"cgs", true, 1, 1, 1};
  throw UsageError("no unit system '" + std::string(name) +
                       "': it is one of nbody, galactic, cluster, solar, si, cgs, custom" +
                       did_you_mean(name, system_names),
                   Error::Code::unknown_name);
}

std::span<const std::string_view> unit_system_names() { return system_names; }

Units custom_units(double length_cm, double mass_g, double velocity_cm_s) {
  for (const double v : {length_cm, mass_g, velocity_cm_s})
    if (!(v > 0 && std::isfinite(v)))
      throw UsageError("custom units need length_cm, mass_g and velocity_cm_s > 0, not " + std::to_string(v));
  return {"custom", true, length_cm, mass_g, velocity_cm_s};
}

namespace {
void need_common_scale(const Units& from, const Units& to) {
  if (from.physical != to.physical)
    throw UsageError("cannot convert from units '" + from.name + "' to '" + to.name +
                     "': N-body units have no physical scale; name the file's units, or give custom ones");
}
}  // namespace

void convert(Bodies& bodies, const Units& from, const Units& to) {
  if (from == to) return;
  need_common_scale(from, to);
  const double length = from.length_cm / to.length_cm, velocity = from.velocity_cm_s / to.velocity_cm_s,
               mass = from.mass_g / to.mass_g;
  const std::array arrays{&bodies.x, &bodies.y, &bodies.z, &bodies.vx, &bodies.vy, &bodies.vz, &bodies.mass};
  parallel_for(arrays.size(), [&](std::size_t k) {
    const double factor = k < 3 ? length : k < 6 ? velocity : mass;
    for (double& v : *arrays[k]) v *= factor;
  });
  for (double& eps : bodies.softening) eps *= length;
}

double convert_time(double t, const Units& from, const Units& to) {
  if (from == to) return t;
  need_common_scale(from, to);
  return t * (from.time_s() / to.time_s());
}

}  // namespace pleiad
