/// The parts of a force method as applicants for the table of possible combinations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "direct/why_not.hpp"

#include "tree/settings.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/choice.hpp>
#include <pleiad/kernel/ensemble_steps.hpp>

#include <algorithm>
#include <vector>

namespace pleiad {
namespace {

/// Properties of a kernel for fused steps, of one system or of many.
template <class Kernel>
Applicant fused(Family family, const Kernel& k) {
  return {.family = family,
          .name = std::string(k.name),
          .nearest = k.periodic,
          .all_images = false,
          .f32 = k.has(Precision::f32),
          .f64 = k.has(Precision::f64),
          .mixed = k.has(Precision::mixed),
          .most_bodies = k.most_bodies};
}

Family family_of(const DirectKernel& k) {
  const bool apart = k.traits.separate_targets;
  if (k.device == Device::cuda) return apart ? Family::gpu_one_sided : Family::gpu_symmetric;
  if (k.traits.all_images) return Family::cpu_ewald;
  return apart ? Family::cpu_one_sided : Family::cpu_symmetric;
}

std::vector<Applicant> parts_of(const ForceMethod& method) {
  if (method.tree) return {applicant(*method.tree)};
  if (method.ensemble != nullptr) return {applicant(*method.ensemble)};
  std::vector<Applicant> parts;
  if (method.kernel != nullptr) parts.push_back(applicant(*method.kernel));
  if (method.steps != nullptr) parts.push_back(applicant(*method.steps));
  return parts;
}

}  // namespace

ProblemFacts facts_of(const Bodies& bodies, const Gravity& gravity, Precision precision) {
  std::size_t semi_active = 0;
  if (gravity.semi_active.any())
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (gravity.semi_active.has(bodies.mass[i], static_cast<unsigned>(bodies.type[i]))) ++semi_active;
  return {.n = bodies.size(),
          .massless = static_cast<std::size_t>(std::ranges::count(bodies.mass, 0.0)),
          .semi_active = semi_active,
          .equal_masses = masses_of(bodies) == Masses::equal,
          .gravity = gravity,
          .precision = precision};
}

Applicant applicant(const DirectKernel& k) {
  const auto& t = k.traits;
  return {.family = family_of(k),
          .name = std::string(k.name),
          .open = t.open,
          .nearest = t.periodic,
          .all_images = t.all_images,
          .f32 = k.has(Precision::f32),
          .f64 = k.has(Precision::f64),
          .mixed = k.has(Precision::mixed),
          .reproducible = t.reproducible};
}
Applicant applicant(const StepKernel& k) {
  auto a = fused(Family::gpu_fused_steps, k);
  a.on_gpus = k.divides;
  return a;
}
Applicant applicant(const EnsembleKernel& k) {
  return fused(k.orbits != nullptr ? Family::gpu_orbits : Family::gpu_ensembles, k);
}

std::optional<std::string> why_not(const ForceMethod& method, const ProblemFacts& facts) {
  return why_not(parts_of(method), text_of(method), facts);
}

void need_able(const ForceMethod& method, const ProblemFacts& facts) {
  if (const auto why = why_not(method, facts)) throw UsageError(*why, Error::Code::unsupported);
}

}  // namespace pleiad
