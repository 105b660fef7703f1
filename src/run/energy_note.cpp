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

bool conserves_energy(const Gravity& gravity, const Method& method) {
  return method.damping == 1 && !gravity.boundary.periodic;
}

std::string energy_note(double worst, double told) {
  if (worst <= told) return {};
  return fmt::format("dE/E is {:.1e} at worst: {}", worst, meaning);
}

std::string energy_note(double worst, double told, std::size_t systems, std::size_t all) {
  if (systems == 0) return {};
  return fmt::format("dE/E is beyond {:g} in {} of {} systems, {:.1e} at worst: {}", told, systems, all,
                     worst, meaning);
}

}  // namespace pleiad::run
