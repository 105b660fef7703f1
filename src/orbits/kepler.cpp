#include "orbits/kepler.hpp"

#include "orbits/universal.hpp"

namespace pleiad::orbits {

Phase kepler_change(double mu, const Phase& start, double dt) { return change_on_orbit(mu, start, dt); }

Phase kepler_step(double mu, const Phase& start, double dt) {
  const auto change = kepler_change(mu, start, dt);
  return {start.x + change.x, start.v + change.v};
}

}  // namespace pleiad::orbits
