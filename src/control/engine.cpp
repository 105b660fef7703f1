#include "control/engine.hpp"

#include "engine/device.hpp"
#include "engine/test_particles.hpp"
#include "tune/plans.hpp"

#include <algorithm>
#include <utility>

namespace pleiad::control {

std::optional<ForceMethod> method_for(ForceMethod method, const Integrator& integrator) {
  if (integrator.in_blocks) method.steps = nullptr, method.step_shape = {};
  if (method.kernel == nullptr && method.steps == nullptr && !method.tree) return {};
  return method;
}

EngineOptions on_useful_gpus(EngineOptions options, std::size_t n, const Boundary& space) {
  const int there = device_count();
  const bool tree = options.method && options.method->tree && place_of(*options.method) == Device::cuda;
  if (options.gpus == 1 || options.gpus > there || !tree) return options;
  if (space.periodic) {  // which a tree has on one; more that are asked for are refused with the reason
    if (options.gpus == 0) options.gpus = 1;
    return options;
  }
  options.gpus = gpus_for_tree(n, options.gpus);
  if (options.gpus == 1 && there > 1) options.why += "; more GPUs would not be faster";
  return options;
}

namespace {

/// The engine of these bodies, all of which count.
EngineOptions resolved_for(EngineOptions options, const Bodies& bodies, const Gravity& gravity,
                           const Demand& demand, const tune::TuningContext& tuning_context,
                           std::optional<MeasuredSample>* drawn) {
  if (!options.method && (demand.request.accuracy > 0 || demand.request.solver)) {
    auto found = tune::planned(bodies, gravity, options, demand.request, demand.tuning, tuning_context);
    if (found.method) {
      if (drawn != nullptr) *drawn = std::move(found.sample);
      options.method = found.method, options.why = std::move(found.why);
      return on_useful_gpus(std::move(options), bodies.size(), gravity.boundary);
    }
    if (!found.why.empty() && tuning_context.note) tuning_context.note(found.why);
  }
  if (gravity.semi_active.any()) return options;  // candidates are measured without them
  return tune::resolved(std::move(options), bodies, gravity, demand.tuning, tuning_context);
}

}  // namespace

EngineOptions resolved_engine(EngineOptions options, const Bodies& bodies, const Gravity& gravity,
                              const Demand& demand, const tune::TuningContext& tuning_context,
                              std::optional<MeasuredSample>* drawn) {
  const ranks::Collective all(ranks::or_self(options.ranks), bodies.size());
  const TestParticles particles(all, bodies.size(), [&](std::size_t i) { return bodies.mass[i] > 0; });
  // On GPUs they are bodies like others.
  const bool apart =
      particles.any() && std::ranges::count(tune::places_for_trees(options, gravity), Device::cuda) == 0;
  if (!apart) return resolved_for(std::move(options), bodies, gravity, demand, tuning_context, drawn);
  if (particles.massive() == 0) return options;  // nothing pulls
  auto resolved = resolved_for(std::move(options), particles.massive_share(bodies), gravity, demand,
                               tuning_context, drawn);
  if (drawn == nullptr || !*drawn) return resolved;
  auto& sample = (*drawn)->sample;
  const auto numbers = particles.massive_numbers();
  for (auto& body : sample.bodies) body = numbers[body];
  sample.particles = particles.drawn(bodies, sample.bodies.size());
  return resolved;
}

}  // namespace pleiad::control
