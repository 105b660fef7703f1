#include "module/described.hpp"

#include "module/bodies.hpp"

#include <pleiad/integrator.hpp>
#include <pleiad/potential.hpp>

#include <string>

namespace pleiad::python {

Dict dict_of(const ForceErrors& e) {
  Dict data;
  data["sample"] = e.sample;
  data["median"] = e.median;
  data["p99"] = e.p99;
  data["p99_low"] = e.p99_low;
  data["p99_high"] = e.p99_high;
  data["largest"] = e.largest;
  data["closest"] = e.closest;
  data["cancelled"] = e.cancelled;
  data["measured"] = e.measured;
  return data;
}

Dict description_of(const Simulation& simulation) {
  auto data = dict_of(simulation.describe());
  const auto& g = simulation.gravity();
  const auto& m = simulation.method();
  data["integrator"] = std::string(m.integrator->name);
  data["dt"] = m.dt;
  data["adaptive"] = m.adaptive;
  data["softening"] = g.softening.eps;
  data["softening_kernel"] = std::string(name_of(g.softening.kernel));
  data["G"] = g.G;
  data["images"] = g.boundary.periodic ? nb::cast(std::string(name_of(g.boundary.images))) : nb::none();
  nb::list potentials;
  for (const auto& potential : g.potentials) potentials.append(text_of(potential));
  data["potentials"] = potentials;
  nb::list forces;
  for (const auto& force : g.forces) forces.append(text_of(force));
  data["forces"] = forces;
  data["semi_active"] = text_of(g.semi_active);
  data["work"] = simulation.work()[0];
  data["evaluations"] = simulation.evaluations();
  return data;
}

}  // namespace pleiad::python
