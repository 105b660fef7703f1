#include "run/energy_note.hpp"

#include <fmt/format.h>

namespace pleiad::run {
namespace {

constexpr const char* meaning =
    "energy is conserved, so this is error: statistics may still hold, but single orbits are off by that "
    "much, and "
    "by far more after close encounters; take a smaller dt, softening, integrator hermite4 with "
    "time.adaptive = true "
    "and a smaller time.eta, or, where trees make the forces, a smaller --accuracy";

}  // namespace

bool conserves_energy(const Method& method) { return method.damping == 1; }

std::string energy_note(const char* name, double worst, double told) {
  if (worst <= told) return {};
  return fmt::format("{} is {:.1e} at worst: {}", name, worst, meaning);
}

std::string energy_note(const char* name, double worst, double told, std::size_t systems, std::size_t all) {
  if (systems == 0) return {};
  return fmt::format("{} is beyond {:g} in {} of {} systems, {:.1e} at worst: {}", name, told, systems, all,
                     worst, meaning);
}

std::string massless_note(const MasslessChange& change, double worst, double told) {
  if (!change.conserved || worst <= told) return {};
  return fmt::format(
      "the energy per mass of massless bodies has changed by {:.1e} of its parts at worst, though "
      "the field keeps it: take a smaller dt, softening, or integrator hermite4 with "
      "time.adaptive = true and a smaller time.eta",
      worst);
}

}  // namespace pleiad::run
