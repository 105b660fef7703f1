#include "engine/added_forces.hpp"

#include "added_forces/effect.hpp"
#include "added_forces/medium.hpp"
#include "core/threads.hpp"
#include "potentials/at_time.hpp"

#include <pleiad/error.hpp>

#include <added_forces/kinds.hpp>  // written by CMake
#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace {

using potentials::Dual;

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// A sum of effects over bodies, in blocks.
struct EffectSum {
  double x = 0, y = 0, z = 0, w = 0;
  EffectSum& operator+=(const EffectSum& o) {
    x += o.x, y += o.y, z += o.z, w += o.w;
    return *this;
  }
};

/// The best body of a rank for a source.
struct Candidate {
  double mass = -1;  ///< < 0: there is none
  std::size_t index = 0;
};

Candidate candidate_of(const std::optional<std::uint64_t>& id, const Bodies& own) {
  if (own.size() == 0) return {};
  if (!id) {
    const auto heaviest = std::ranges::max_element(own.mass);
    return {*heaviest, static_cast<std::size_t>(heaviest - own.mass.begin())};
  }
  const auto found = std::ranges::find(own.id, *id);
  if (found == own.id.end()) return {};
  const auto index = static_cast<std::size_t>(found - own.id.begin());
  return {own.mass[index], index};
}

bool acts_on(ActsOn bodies, double mass) {
  return bodies == ActsOn::all || (mass > 0) == (bodies == ActsOn::massive);
}

}  // namespace

AddedForces::AddedForces(const Gravity& gravity)
    : forces_(gravity.forces), potentials_(gravity.potentials), G_(gravity.G) {
  if (const auto why = added::missing_medium(gravity)) throw UsageError(*why);
  for (const auto& force : forces_) {
    std::size_t k = 0;
    const bool sourced = added::has_source(force);
    if (sourced) {
      while (k < sources_.size() && sources_[k].id != force.body) ++k;
      if (k == sources_.size()) sources_.push_back({.id = force.body});
    }
    source_.push_back(sourced ? k : nowhere);
  }
}

bool AddedForces::is(Which which, const AddedForce& force) const {
  return which == Which::all || (which == Which::of_velocities) == kind_of(force).of_velocities;
}
bool AddedForces::any(Which which) const {
  return std::ranges::any_of(forces_, [&](const auto& force) { return is(which, force); });
}
bool AddedForces::depend_on_time() const {
  return std::ranges::any_of(forces_, [&](const auto& force) {
    const auto medium = added::medium_of(force);
    return medium && !is_static(potentials_[*medium]);
  });
}

void AddedForces::load(const Bodies& own, const ranks::Collective& all) {
  all_ = &all;
  for (auto& source : sources_) {
    const auto candidates = ranks::all_gather(all.comm(), candidate_of(source.id, own));
    const auto best = std::ranges::max_element(candidates, {}, &Candidate::mass);
    if (best->mass < 0)
      throw UsageError(fmt::format("gravity.forces: there is no body with id {}, which body = {} asks for",
                                   source.id.value_or(0), source.id.value_or(0)));
    if (best->mass == 0)
      throw UsageError(
          source.id
              ? fmt::format("gravity.forces: body {} has no mass; choose a source with mass", *source.id)
              : "gravity.forces: no body has mass; a force needs a source with mass");
    source.rank = static_cast<int>(best - candidates.begin());
    source.index = best->index, source.mass = best->mass;
  }
}

std::optional<std::size_t> AddedForces::number_of_source(std::size_t force) const {
  if (source_[force] == nowhere) return std::nullopt;
  const auto& source = sources_[source_[force]];
  return all_->division().first(source.rank) + source.index;
}

bool AddedForces::here(const Source& source) const { return source.rank == all_->comm().rank(); }

template <class Real>
std::vector<AddedForces::State> AddedForces::states(const AddedProblem<Real>& p,
                                                    std::span<const Vec4<double>> a) const {
  std::vector<State> states(sources_.size());
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const auto& source = sources_[k];
    if (here(source)) {
      const std::size_t i = source.index;
      states[k].x = {double(p.x[i].x), double(p.x[i].y), double(p.x[i].z)};
      if (!p.low.empty()) states[k].x_low = {p.low[i][0], p.low[i][1], p.low[i][2]};
      if (!p.v.empty()) states[k].v = p.v[i];
      if (!a.empty()) states[k].a = a[i].xyz();
    }
    ranks::begin_broadcast(all_->comm(), std::span(&states[k], 1), source.rank)();
  }
  return states;
}

/// Effects of a force on each body, in effects_; T is Dual for their rates, in place of the effects.
template <class T, class Real>
void AddedForces::find_effects(std::size_t number, const AddedProblem<Real>& p,
                               const std::vector<State>& sources, std::span<const Vec4<double>> a) {
  const auto& force = forces_[number];
  const std::size_t k = source_[number];
  const auto medium = added::medium_of(force);
  const bool sourced = k != nowhere;
  const auto at_source = sourced ? sources[k] : State{};
  const std::size_t itself = sourced && here(sources_[k]) ? sources_[k].index : nowhere;
  potentials::Instant<double> now;
  Vec3<double> drift{};
  if (medium) {
    now = potentials::instant_of<double>(potentials_[*medium], p.time);
    drift = potentials::velocity_of_centre(potentials_[*medium], p.time);
  }
  effects_.resize(p.x.size());
  for_each_index(p.x.size(), [&](std::size_t i) {
    const auto& x = p.x[i];
    auto& result = effects_[i] = {};
    if (i == itself || !acts_on(force.on, double(x.m))) return;
    auto r = Vec3<double>{double(x.x), double(x.y), double(x.z)} - at_source.x;
    if (!p.low.empty()) r += Vec3<double>{p.low[i][0], p.low[i][1], p.low[i][2]} - at_source.x_low;
    const auto v = (p.v.empty() ? Vec3<double>{} : p.v[i]) - at_source.v;
    added::Place<T> place{.Gm = sourced ? G_ * sources_[k].mass : 0,
                          .G = G_,
                          .m = double(x.m),
                          .medium = medium ? &now : nullptr,
                          .medium_velocity = drift};
    if constexpr (std::is_same_v<T, Dual>) {
      const auto rate = a[i].xyz() - at_source.a;
      place.r = {{r.x, v.x}, {r.y, v.y}, {r.z, v.z}};
      place.v = {{v.x, rate.x}, {v.y, rate.y}, {v.z, rate.z}};
    } else {
      place.r = r, place.v = v;
    }
    const auto effect = added::with_kind(
        force.kind, [&]<class Kind>(Kind) { return Kind::template at<T>(force.parameters, place); });
    const auto& f = effect.acceleration;
    if constexpr (std::is_same_v<T, Dual>) result = {f.x.rate, f.y.rate, f.z.rate, 0};
    else result = {f.x, f.y, f.z, effect.energy};
  });
}

/// Sum of m times the effects over the bodies of all ranks.
template <class Real>
Vec4<double> AddedForces::sum_of_effects(std::span<const Mass<Real>> x) const {
  const auto sum = all_->blocked_sum<EffectSum>(x.size(), [&](std::size_t begin, std::size_t end) {
    EffectSum s;
    for (std::size_t i = begin; i < end; ++i) {
      const auto& e = effects_[i];
      const double m = double(x[i].m);
      // A body without mass may be where its effect is infinite.
      if (m > 0) s += {m * e.x, m * e.y, m * e.z, m * e.w};
    }
    return s;
  });
  return {sum.x, sum.y, sum.z, sum.w};
}

/// The opposite of the effects of a force, in effects_, on its source, if it reacts; their energy is its own,
/// too.
template <class Real>
void AddedForces::react(std::size_t force, std::span<const Mass<Real>> x, std::span<Vec4<double>> on) const {
  if (!kind_of(forces_[force]).reacts) return;
  const auto sum = sum_of_effects(x);
  const auto& source = sources_[source_[force]];
  if (!here(source)) return;
  auto& to = on[source.index];
  const double share = 1 / source.mass;
  to = {to.x - share * sum.x, to.y - share * sum.y, to.z - share * sum.z, to.w + share * sum.w};
}

template <class Real>
void AddedForces::add(Which which, const AddedProblem<Real>& p, std::span<Vec4<double>> effects) {
  if (!any(which)) return;
  const auto sources = states(p, {});
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    if (!is(which, forces_[k])) continue;
    find_effects<double>(k, p, sources, {});
    for_each_index(effects.size(), [&](std::size_t i) {
      auto& to = effects[i];
      const auto& e = effects_[i];
      to = {to.x + e.x, to.y + e.y, to.z + e.z, to.w + e.w};
    });
    react(k, p.x, effects);
  }
}
template void AddedForces::add(Which, const AddedProblem<float>&, std::span<Vec4<double>>);
template void AddedForces::add(Which, const AddedProblem<double>&, std::span<Vec4<double>>);

void AddedForces::add_with_jerks(const AddedProblem<double>& p, std::span<Vec4<double>> a,
                                 std::span<Vec4<double>> j) {
  add(Which::all, p, a);
  const auto sources = states(p, a);
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    find_effects<Dual>(k, p, sources, a);
    for_each_index(j.size(), [&](std::size_t i) {
      auto& to = j[i];
      const auto& e = effects_[i];
      to = {to.x + e.x, to.y + e.y, to.z + e.z, 0};
    });
    react(k, std::span<const Mass<double>>(p.x), j);
  }
}

namespace {

/// Powers of some bodies, and their rates.
struct PowerSum {
  double power = 0, rate = 0;
  PowerSum& operator+=(const PowerSum& o) {
    power += o.power, rate += o.rate;
    return *this;
  }
};

}  // namespace

template <class Real>
std::array<double, 2> AddedForces::power(const AddedProblem<Real>& p, std::span<const Vec4<double>> a,
                                         double omega) {
  const auto turned = [&](Vec3<double> r) { return Vec3<double>{-omega * r.y, omega * r.x, 0}; };
  const auto sources = states(p, a);
  PowerSum total;
  std::vector<Vec4<double>> forces;
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    if (const auto& kind = kind_of(forces_[k]); kind.keeps_energy || !kind.of_velocities) continue;
    find_effects<double>(k, p, sources, {});
    forces = effects_;
    if (!a.empty()) find_effects<Dual>(k, p, sources, a);
    total += all_->blocked_sum<PowerSum>(p.x.size(), [&](std::size_t begin, std::size_t end) {
      PowerSum s;
      for (std::size_t i = begin; i < end; ++i) {
        const auto& x = p.x[i];
        const double m = double(x.m);
        if (!(m > 0)) continue;
        const auto v = p.v[i] - turned({double(x.x), double(x.y), double(x.z)}), f = forces[i].xyz();
        s.power += m * dot(v, f);
        if (!a.empty()) s.rate += m * (dot(a[i].xyz() - turned(p.v[i]), f) + dot(v, effects_[i].xyz()));
      }
      return s;
    });
  }
  return {total.power, total.rate};
}
template std::array<double, 2> AddedForces::power(const AddedProblem<float>&, std::span<const Vec4<double>>,
                                                  double);
template std::array<double, 2> AddedForces::power(const AddedProblem<double>&, std::span<const Vec4<double>>,
                                                  double);

template <class Real>
double AddedForces::energy(const AddedProblem<Real>& p) {
  double energy = 0;
  const auto sources = states(p, {});
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    if (!kind_of(forces_[k]).keeps_energy) continue;
    find_effects<double>(k, p, sources, {});
    energy += sum_of_effects(p.x).w;
  }
  return energy;
}
template double AddedForces::energy(const AddedProblem<float>&);
template double AddedForces::energy(const AddedProblem<double>&);

namespace {

/// Bodies of one process as a problem.
struct Loaded {
  explicit Loaded(const Bodies& b) : x(b.size()), v(b.size()) {
    for (std::size_t i = 0; i < b.size(); ++i)
      x[i] = {b.x[i], b.y[i], b.z[i], b.mass[i]}, v[i] = b.velocity(i);
  }
  AddedProblem<double> at(double time) const { return {.time = time, .x = x, .v = v}; }
  std::vector<Mass<double>> x;
  std::vector<Vec3<double>> v;
};

}  // namespace

std::optional<regular::PostNewtonian> pair_terms_of(const Gravity& gravity) {
  const auto found = std::ranges::find_if(gravity.forces, added::is_between_pairs);
  if (found == gravity.forces.end()) return std::nullopt;
  using Kind = added::PostNewtonianPairs;
  const auto& p = found->parameters;
  return regular::PostNewtonian{.c = p[Kind::light],
                                .first = p[Kind::first] != 0,
                                .second = p[Kind::second] != 0,
                                .radiation = p[Kind::radiation] != 0,
                                .average = p[Kind::average]};
}

void need_sources(const Gravity& gravity, const Bodies& bodies) {
  const ranks::Collective alone;
  AddedForces(gravity).load(bodies, alone);
}

std::vector<Vec4<double>> added_effects(const Gravity& gravity, const Bodies& bodies, double time) {
  std::vector<Vec4<double>> effects(bodies.size());
  if (gravity.forces.empty()) return effects;
  const ranks::Collective alone;
  AddedForces forces(gravity);
  forces.load(bodies, alone);
  const Loaded loaded(bodies);
  forces.add(AddedForces::Which::all, loaded.at(time), effects);
  return effects;
}

double added_energy(const Gravity& gravity, const Bodies& bodies, double time) {
  if (gravity.forces.empty()) return 0;
  const ranks::Collective alone;
  AddedForces forces(gravity);
  forces.load(bodies, alone);
  const Loaded loaded(bodies);
  return forces.energy(loaded.at(time));
}

}  // namespace pleiad
