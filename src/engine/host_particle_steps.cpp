#include "engine/host_particle_steps.hpp"

#include "core/threads.hpp"
#include "engine/host_update.hpp"
#include "engine/particle_rows.hpp"
#include "potentials/hill_drift.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pleiad {

template <class P>
HostParticleSteps<P>::HostParticleSteps(const ForceMethod& method, const Gravity& gravity,
                                        const TestParticles& particles)
    : gravity_(gravity), potentials_(potentials::kicking(gravity.potentials)), particles_(particles) {
  if (particles.massive() > 0) solver_ = make_host_solver<P>(method, gravity, particles.among_massive());
}

template <class P>
void HostParticleSteps<P>::move_massive(const Arrays& all, const CarriedSteps<Real>& steps) {
  trail_.clear();
  const auto here = particles_.here();
  if (here.empty()) return;
  std::vector<Mass<Real>> x;
  std::vector<Vec4<Real>> v, sums;
  for (const auto i : here)
    x.push_back(all.bodies[i]), v.push_back(all.velocities[i]), sums.push_back(all.sums[i]);
  std::size_t evaluation = 0;
  for (const auto& work : steps.work) {
    if (!work.evaluates) {
      update_bodies<Real>(work.update, gravity_.boundary, x, v, sums);
      continue;
    }
    solver_->evaluate({.targets = x,
                       .sources = x,
                       .sums = sums,
                       .softening = gravity_.softening,
                       .boundary = gravity_.boundary,
                       .self = 0,
                       .potential = false});
    if (!fields_.empty())
      fields_[std::min(evaluation, fields_.size() - 1)].template add_to_sums<Real>(x, sums);
    trail_.insert(trail_.end(), x.begin(), x.end());
    ++evaluation;
  }
  for (std::size_t k = 0; k < here.size(); ++k) {
    const auto i = here[k];
    all.bodies[i] = x[k], all.velocities[i] = v[k], all.sums[i] = sums[k];
  }
}

template <class P>
void HostParticleSteps<P>::advance(const Arrays& all, const CarriedSteps<Real>& steps) {
  fields_.clear();
  const bool changing = !std::ranges::all_of(potentials_, is_static);
  if (!potentials_.empty())
    for (const double time : steps.times) {
      fields_.emplace_back(potentials_, gravity_.G, time);
      if (!changing) break;
    }
  move_massive(all, steps);
  const std::size_t massive = particles_.massive();
  std::vector<ParticleRows<P>> rows;
  for (std::size_t first = 0; first < trail_.size(); first += massive)
    rows.emplace_back(std::span<const Mass<Real>>(trail_).subspan(first, massive));

  PairProblem<P> space;
  space.softening = gravity_.softening, space.boundary = gravity_.boundary;
  constexpr std::size_t together = particles_together;
  const std::size_t n = all.bodies.size();
  parallel_for((n + together - 1) / together, [&](std::size_t block) {
    std::array<Mass<Real>, together> x;
    std::array<Vec4<Real>, together> v, sums;
    std::array<std::size_t, together> places;
    std::size_t count = 0;
    for (std::size_t i = block * together; i < std::min(n, (block + 1) * together); ++i)
      if (all.bodies[i].m == 0) {
        x[count] = all.bodies[i], v[count] = all.velocities[i], sums[count] = all.sums[i];
        places[count++] = i;
      }
    if (count == 0) return;
    const auto here = std::span(x).first(count);
    const auto pulls = std::span(sums).first(count);
    std::size_t evaluation = 0;
    for (const auto& work : steps.work) {
      if (!work.evaluates) {
        update_bodies<Real>(work.update, gravity_.boundary, here, std::span(v).first(count), pulls);
        continue;
      }
      if (rows.empty()) std::ranges::fill(pulls, Vec4<Real>{});
      else rows[evaluation].sum(space, here, pulls);
      if (!fields_.empty())
        fields_[std::min(evaluation, fields_.size() - 1)].template add_to_sums<Real>(here, pulls);
      ++evaluation;
    }
    for (std::size_t k = 0; k < count; ++k) {
      const auto i = places[k];
      all.bodies[i] = x[k], all.velocities[i] = v[k], all.sums[i] = sums[k];
    }
  });
}

template class HostParticleSteps<F32>;
template class HostParticleSteps<F64>;
template class HostParticleSteps<Mixed>;

}  // namespace pleiad
