#include "run/energy_note.hpp"

#include "run/energy_record.hpp"

#include <string_view>

#include <fmt/format.h>

namespace pleiad::run {

bool conserves_energy(const Simulation& simulation) {
  return simulation.method().damping == 1 && simulation.kept_pattern_speed();
}

std::string smaller_error_by(const Method& method, const Gravity& gravity, std::size_t n,
                             std::string_view kernel) {
  if (method.space) {
    const std::string settings = "a smaller time.dt or a larger softening";
    const bool rounded = kernel.starts_with("cuda/") || kernel.starts_with("cpu/barnes-hut");
    return rounded ? fmt::format(
                         "{}; while a box is young most of it is the rounding of potentials by {}, "
                         "which is no error of the steps",
                         settings, kernel.substr(0, kernel.find(' ')))
                   : settings;
  }
  const auto& integrator = *method.integrator;
  const bool softened = gravity.softening.eps > 0 || gravity.softening.of != SofteningOf::all;
  // Single orbits of few bodies are what such a run is made for: they are not to be softened.
  const std::string length = softened ? ", a larger softening" : n > few_bodies ? ", a softening" : "";
  // Steps that follow a criterion become shorter with eta.
  const bool by_criterion = method.adaptive || integrator.in_blocks;
  const char* parameter = by_criterion ? "time.eta" : "dt";
  const char* accurate = n <= few_bodies ? "gauss-radau" : "hermite4";
  const bool has_own_step = !integrator.adapts_by_softening && !integrator.on_orbits;
  const std::string other = by_criterion && has_own_step ? ""
                            : integrator.name == accurate
                                ? ", or time.adaptive = true"
                                : fmt::format(", or {} with time.adaptive = true", accurate);
  return fmt::format("a smaller {}{}{}", parameter, length, other);
}

std::string energy_note(const char* name, double worst, double told, const std::string& remedy) {
  if (worst <= told) return {};
  const bool of_orbits = std::string_view(name) != name_of_layzer_irvine_error;
  return fmt::format("{} is {:.1e} at worst: {}use {}", name, worst,
                     of_orbits ? "for accurate single orbits " : "", remedy);
}

std::string energy_note(const char* name, double worst, double told, std::size_t systems, std::size_t all,
                        const std::string& remedy) {
  if (systems == 0) return {};
  return fmt::format(
      "{} is beyond {:g} in {} of {} systems, {:.1e} at worst: for accurate single orbits use {}", name, told,
      systems, all, worst, remedy);
}

std::string massless_note(const MasslessChange& change, double worst, double told,
                          const std::string& remedy) {
  if (!change.conserved || worst <= told) return {};
  return fmt::format(
      "the energy per mass of massless bodies, which the field conserves, has a relative error of {:.1e} at "
      "worst: use {}",
      worst, remedy);
}

}  // namespace pleiad::run
