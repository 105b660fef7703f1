#include "run/energy_note.hpp"

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* advice =
    "for accurate single orbits reduce dt, increase softening, or use hermite4 with time.adaptive = true";

}  // namespace

bool conserves_energy(const Method& method, const Gravity& gravity) {
  return method.damping == 1 && pattern_speed_of(gravity);
}

std::string energy_note(const char* name, double worst, double told) {
  if (worst <= told) return {};
  return fmt::format("{} is {:.1e} at worst: {}", name, worst, advice);
}

std::string energy_note(const char* name, double worst, double told, std::size_t systems, std::size_t all) {
  if (systems == 0) return {};
  return fmt::format("{} is beyond {:g} in {} of {} systems, {:.1e} at worst: {}", name, told, systems, all,
                     worst, advice);
}

std::string massless_note(const MasslessChange& change, double worst, double told) {
  if (!change.conserved || worst <= told) return {};
  return fmt::format(
      "the energy per mass of massless bodies, which the field conserves, has a relative error of {:.1e} at "
      "worst: take a smaller dt, a larger softening, or hermite4 with time.adaptive = true and a smaller "
      "time.eta",
      worst);
}

}  // namespace pleiad::run
