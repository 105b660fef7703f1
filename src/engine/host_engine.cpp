#include "engine/host_engine.hpp"

#include "core/lattice.hpp"
#include "core/radii.hpp"
#include "core/totals.hpp"
#include "core/two_sum.hpp"
#include "cpu/body_paths.hpp"
#include "cpu/neighbours.hpp"
#include "engine/arrays.hpp"
#include "engine/host_update.hpp"
#include "engine/jerks.hpp"
#include "engine/particle_forces.hpp"
#include "engine/places.hpp"
#include "engine/ranks_sample.hpp"
#include "engine/rounding.hpp"
#include "potentials/host_field.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

template <class P>
HostEngine<P>::HostEngine(const Bodies& bodies, const Gravity& gravity, Choice choice, Precision precision,
                          int threads, ranks::Communicator& ranks, bool particles_limit_step,
                          std::unique_ptr<OrbitParticles> carried)
    : SteppedEngine<P>(gravity, std::move(choice), precision),
      threads_(threads),
      all_(ranks, bodies.size()),
      particles_limit_step_(particles_limit_step),
      carried_(std::move(carried)),
      tides_(potentials::kicking(gravity_.potentials), gravity_.G) {
  // Those of pairs are moved with their groups.
  if (!gravity_.forces.empty() && !pair_terms_of(gravity_)) added_.emplace(gravity_);
  counts_work_ = pleiad::counts_work(gravity_) && balanced_pattern_speed_of(gravity_);
  omega_ = balanced_pattern_speed_of(gravity_).value_or(0);
  this->terms_ = host_terms<Real>(gravity_, added_ ? &*added_ : nullptr);
  HostEngine::load(bodies);
}

template <class P>
void HostEngine<P>::load(const Bodies& b) {
  const WithThreads ours(threads_);
  const std::size_t n = b.size();
  x_.resize(n), v_.resize(n), sums_.resize(n);
  to_arrays<Real>(b, x_, v_);
  if (added_) added_->load(b, all_);
  if (gravity_.boundary.periodic) cpu::wrap<Real>(x_, gravity_.boundary);
  solver_.reset();
  semi_active_ = SemiActiveBodies(b, gravity_, all_.comm());
  particles_ = TestParticles(all_, n, [&](std::size_t i) { return x_[i].m > 0 && !semi_active_.has(i); });
  if (softened()) eps_ = softenings_of(b, gravity_.softening);
  if (softened() && eps_.size() != n)
    throw UsageError(fmt::format("{} softenings for {} bodies; there must be one for each", eps_.size(), n));
  make_solver();
  steps_ = {};
  forget_diagnostics();
  this->forget_stepper();
  low_ = b.low.size() == n ? b.low : decltype(low_){};
  series_ = b.series.size() == n ? b.series : decltype(series_){};
}

template <class P>
void HostEngine<P>::make_solver() {
  particle_steps_.reset();
  solver_.reset();
  const auto& method = choice_.method;
  solver_ = softened() ? make_softened_solver<P>(method, gravity_, all_, eps_)
            : semi_active_.any()
                ? make_semi_active_solver<P>(method, gravity_, all_, particles_, semi_active_)
            : particles_.any() ? make_particle_solver<P>(method, gravity_, all_, particles_)
                               : make_host_solver<P>(method, gravity_, all_);
}

template <class P>
void HostEngine<P>::evaluate(std::span<Vec4<Real>> sums, bool potential) {
  solver_->evaluate({.targets = x_,
                     .sources = x_,
                     .sums = sums,
                     .softening = gravity_.softening,
                     .boundary = gravity_.boundary,
                     .self = 0,
                     .potential = potential});
}

template <class P>
std::span<const Vec4<typename P::Position>> HostEngine<P>::diagnostic_sums() {
  if (std::exchange(diagnostic_sums_current_, true)) return diagnostic_sums_;
  diagnostic_sums_.resize(x_.size());
  evaluate(diagnostic_sums_, true);
  ++evaluations_;
  return diagnostic_sums_;
}

template <class P>
void HostEngine<P>::evaluate_with_potentials() {
  diagnostic_sums_.resize(x_.size());
  evaluate(diagnostic_sums_, true);
  diagnostic_sums_current_ = true;
  for_each_index(x_.size(), [&](std::size_t i) {
    const auto& s = diagnostic_sums_[i];
    sums_[i] = {s.x, s.y, s.z, 0};
  });
}

template <class P>
void HostEngine<P>::add_terms() {
  for (auto& term : this->terms_)
    term->add({.time = this->now_, .G = gravity_.G, .bodies = x_, .sums = sums_});
}

template <class P>
std::span<const Vec3<double>> HostEngine<P>::velocities() {
  velocities_.resize(v_.size());
  for_each_index(v_.size(), [&](std::size_t i) {
    velocities_[i] = {double(v_[i].x), double(v_[i].y), double(v_[i].z)};
  });
  return velocities_;
}

template <class P>
void HostEngine<P>::add_work(double work) {
  work_[0] = two_sum(work_[0], work_[1], work);
}

template <class P>
std::span<const Vec3<double>> HostEngine<P>::implicit_changes(int stages, double time) {
  const auto changes =
      implicit_kick_.changes(all_, stages, time, velocities_, kick_,
                             [&](std::span<const Vec3<double>> v, std::span<Vec4<double>> f) {
                               added_->add(AddedForces::Which::of_velocities, with_velocities(v), f);
                             });
  if (counts_work_)
    add_work(implicit_kick_.work(
        all_, stages, time, velocities_, kick_, [&](std::size_t k, const Vec3<double>& v) {
          const auto& x = x_[k];
          return double(x.m) * Vec3<double>{v.x + omega_ * double(x.y), v.y - omega_ * double(x.x), v.z};
        }));
  return changes;
}

/// By the sums, which leave G out, and by the added forces that depend on velocities.
template <class P>
void HostEngine<P>::kick(Real h) {
  if (!depends_on_velocities()) return cpu::kick<Real>(v_, sums_, h);
  kick_.resize(v_.size());
  for_each_index(v_.size(), [&](std::size_t i) {
    const auto& s = sums_[i];
    kick_[i] = gravity_.G * Vec3<double>{double(s.x), double(s.y), double(s.z)};
  });
  (void)velocities();
  const auto changes = implicit_changes(stages_, double(h) / gravity_.G);
  for_each_index(v_.size(), [&](std::size_t i) {
    const auto v = velocities_[i] + changes[i];
    v_[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
  });
}

template <class P>
void HostEngine<P>::kick_by_added_forces(double dt) {
  if (!added_) return;
  kick_.resize(v_.size()), effects_.assign(v_.size(), {});
  added_->add(AddedForces::Which::of_positions, with_velocities(velocities()), effects_);
  for_each_index(v_.size(), [&](std::size_t i) { kick_[i] = effects_[i].xyz(); });
  std::vector<Vec3<double>> changes(v_.size());
  if (depends_on_velocities()) {
    const auto found = implicit_changes(1, dt);
    changes.assign(found.begin(), found.end());
  } else {
    for_each_index(v_.size(), [&](std::size_t i) { changes[i] = dt * kick_[i]; });
  }
  low_.resize(v_.size());
  for_each_index(v_.size(), [&](std::size_t i) {
    auto& l = low_[i];
    const auto &v = velocities_[i], &dv = changes[i];
    v_[i] = {Real(two_sum(v.x, l[3], dv.x)), Real(two_sum(v.y, l[4], dv.y)), Real(two_sum(v.z, l[5], dv.z)),
             0};
  });
}

template <class P>
std::span<const Vec4<typename P::Position>> HostEngine<P>::sums_with_added() {
  const auto sums = diagnostic_sums();
  if (!added_) return sums;
  effects_.assign(x_.size(), {});
  added_->add(AddedForces::Which::all, with_velocities(velocities()), effects_);
  sums_with_added_.resize(x_.size());
  const double per_G = 1 / gravity_.G;
  for_each_index(x_.size(), [&](std::size_t i) {
    const auto& s = sums[i];
    const auto& e = effects_[i];
    sums_with_added_[i] = {Real(double(s.x) + e.x * per_G), Real(double(s.y) + e.y * per_G),
                           Real(double(s.z) + e.z * per_G), Real(double(s.w) + e.w * per_G)};
  });
  return sums_with_added_;
}

template <class P>
void HostEngine<P>::apply(const Update<Real>& u) {
  if (!frame_ && !depends_on_velocities()) return update_bodies<Real>(u, gravity_.boundary, x_, v_, sums_);
  for (int k = 0; k < u.kicks; ++k) kick(u.kick[k]);
  if (u.damps)
    for (auto& v : v_) v = {v.x * u.damping, v.y * u.damping, v.z * u.damping, 0};
  if (u.drifts && frame_)
    for_each_index(x_.size(), [&, drift = frame_->drift_of(double(u.drift))](std::size_t i) {
      potentials::drift(drift, x_[i], v_[i]);
    });
  else if (u.drifts) cpu::drift<Real>(x_, v_, u.drift);
  if (u.drifts && gravity_.boundary.periodic) cpu::wrap<Real>(x_, gravity_.boundary);
}

template <class P>
void HostEngine<P>::apply_on_lattice(const Update<Real>& u) {
  if constexpr (std::is_same_v<Real, double>) {
    const lattice::Units units(lattice_.length, lattice_.velocity);
    std::atomic<bool> any_left = false;
    for_blocks(
        x_.size(),
        [&](std::size_t begin, std::size_t end) {
          bool left = false;
          for (std::size_t i = begin; i < end; ++i)
            lattice::update_body(u, units, x_[i], v_[i], low_[i].data(), sums_[i], left);
          if (left) any_left = true;
        },
        8192);
    if (any_left) left_lattice_ = true;
  }
}

template <class P>
bool HostEngine<P>::carries_particles() const {
  return particles_.any() && !semi_active_.any() && all_.comm().ranks() == 1 && !choice_.method.tree &&
         !gravity_.boundary.all_images() && !softened() && !added_ && !frame_ &&
         std::ranges::none_of(this->terms_, [](const auto& term) { return term->of_user(); });
}

template <class P>
void HostEngine<P>::carry_particles(const StepPlan& plan, const StepProgram<Real>& program,
                                    std::uint64_t steps) {
  if (!particle_steps_) particle_steps_.emplace(choice_.method, gravity_, particles_);
  for (std::uint64_t made = 0, now = 0; made < steps; made += now) {
    now = std::min(steps - made, most_carried_steps);
    particle_steps_->advance({x_, v_, sums_},
                             carried_steps<Real>(plan, gravity_.G, steps_.forces_current, made, now));
    this->count(program, now);
  }
}

template <class P>
void HostEngine<P>::carry_out(const List& list) {
  for (const auto& work : list) {
    if (work.evaluates) SteppedEngine<P>::evaluate();
    else if (lattice_.chosen()) apply_on_lattice(work.update), this->moved(work);
    else apply(work.update), this->moved(work);
  }
}

template <class P>
void HostEngine<P>::advance(const StepPlan& plan, std::uint64_t steps) {
  const WithThreads ours(threads_);
  lattice_ = plan.lattice;
  if (lattice_.chosen()) low_.resize(x_.size());
  else if (!plan.integrator->needs_doubles) low_.clear();
  if (!plan.integrator->needs_doubles) series_.clear();
  if (added_ && !plan.factors->constant())
    throw UsageError("gravity.forces act on bodies in static space only");
  stages_ = ImplicitKick::stages_for(plan.integrator->order);
  SteppedEngine<P>::advance(plan, steps);
  if (lattice_.chosen()) this->need_within_lattice(all_.max(std::exchange(left_lattice_, false) ? 1 : 0) > 0);
}

template <class P>
void HostEngine<P>::copy_to_host(Bodies& b) {
  const WithThreads ours(threads_);
  this->show_bodies();
  to_bodies<Real>(x_, v_, b);
  b.low = low_, b.series = series_;
}

template <class P>
void HostEngine<P>::fields(Snapshot& s) {
  const WithThreads ours(threads_);
  this->show_bodies();
  to_fields<Real>(sums_with_added(), gravity_.G, s);
}

template <class P>
Totals HostEngine<P>::totals() {
  const WithThreads ours(threads_);
  this->show_bodies();
  const auto sums = diagnostic_sums();
  const potentials::HostField field(gravity_.potentials, gravity_.G, this->now_);
  const bool in_field = !gravity_.potentials.empty();
  const auto sum = all_.blocked_sum<BodySums>(x_.size(), [&](std::size_t begin, std::size_t end) {
    BodySums s;
    for (std::size_t i = begin; i < end; ++i) {
      s += sums_of_body(x_[i], v_[i], sums[i]);
      if (!in_field) continue;
      const auto& x = x_[i];
      const Vec3<double> position{double(x.x), double(x.y), double(x.z)};
      const double external = double(x.m) * field.at(position).potential / gravity_.G;
      s.potential += external, s.external += external;
    }
    return s;
  });
  auto totals = totals_of(sum, gravity_.G);
  if (added_) {
    const double energy = added_->energy(with_velocities(velocities()));
    totals.energies.potential += energy, totals.energies.external += energy;
  }
  return totals;
}

template <class P>
Radii HostEngine<P>::radii() {
  const WithThreads ours(threads_);
  this->show_bodies();
  return all_.radii(std::span<const Mass<Real>>(x_));
}

template <class P>
std::function<void(Snapshot&)> HostEngine<P>::begin_copy(bool fields) {
  const WithThreads ours(threads_);
  this->show_bodies();
  if (!copy_ || !copy_->free()) copy_ = std::make_shared<HostCopy<Real>>();
  copy_->begin(x_, v_, fields ? sums_with_added() : std::span<const Vec4<Real>>(), low_, series_);
  return [copy = copy_, G = gravity_.G](Snapshot& snapshot) { copy->finish(G, snapshot); };
}

template <class P>
SampledAccelerations HostEngine<P>::computed_accelerations(std::span<const std::size_t> chosen) {
  const WithThreads ours(threads_);
  this->show_bodies();
  SampledAccelerations accelerations;
  if (!choice_.method.tree) accelerations.diagnostic = chosen_of(diagnostic_sums(), chosen);
  if (!this->terms_.empty()) {  // those of the steps have more than mutual gravity
    accelerations.found = chosen_of(diagnostic_sums(), chosen);
  } else if (const auto own = this->stepper_ ? this->stepper_->accelerations() : std::nullopt) {
    accelerations.found = of_chosen(all_, x_.size(), chosen, [&](std::size_t i) { return (*own)[i].xyz(); });
  } else {
    this->need_forces();
    accelerations.found = chosen_of(sums_, chosen);
  }
  return accelerations;
}

template <class P>
std::vector<Vec3<double>> HostEngine<P>::exact_accelerations(std::span<const std::size_t> chosen) {
  const WithThreads ours(threads_);
  this->show_bodies();
  if (softened()) return softened_exact(all_, softened_bodies<Real>(all_, x_, eps_), gravity_, chosen);
  if (semi_active_.any()) {
    std::vector<Mass<double>> wide(x_.size());
    for_each_index(x_.size(), [&](std::size_t i) {
      const auto& b = x_[i];
      wide[i] = {double(b.x), double(b.y), double(b.z), double(b.m)};
    });
    return exact_with_semi_active(wide, chosen);
  }
  if (const auto massive = of_massive(chosen)) {
    const auto all = particles_.of_massive([&](std::size_t i) { return x_[i]; });
    return collective_exact<Real>(particles_.among_massive(), particles_.share<Mass<Real>>(all), gravity_,
                                  *massive);
  }
  return collective_exact<Real>(all_, x_, gravity_, chosen);
}

template <class P>
std::vector<Vec3<double>> HostEngine<P>::exact_accelerations_of(const Bodies& bodies,
                                                                std::span<const std::size_t> chosen) {
  const WithThreads ours(threads_);
  if (softened())
    return softened_exact(all_, softened_bodies<double>(all_, places_of<double>(bodies), eps_), gravity_,
                          chosen);
  if (semi_active_.any()) return exact_with_semi_active(places_of<double>(bodies), chosen);
  if (const auto massive = of_massive(chosen))
    return collective_exact<double>(particles_.among_massive(),
                                    places_of<double>(particles_.massive_share(bodies)), gravity_, *massive);
  return collective_exact<double>(all_, places_of<double>(bodies), gravity_, chosen);
}

template <class P>
std::vector<double> HostEngine<P>::rounding_of_exact(const std::function<const Bodies&()>& bodies,
                                                     const Sample& sample,
                                                     std::span<const Vec3<double>> exact) {
  const WithThreads ours(threads_);
  return collective_rounding(all_, bodies, gravity_, sample, exact);
}

template <class P>
std::vector<Vec3<double>> HostEngine<P>::chosen_of(std::span<const Vec4<Real>> sums,
                                                   std::span<const std::size_t> chosen) const {
  return of_chosen(all_, sums.size(), chosen, [&](std::size_t i) {
    const auto& s = sums[i];
    return Vec3<double>{gravity_.G * double(s.x), gravity_.G * double(s.y), gravity_.G * double(s.z)};
  });
}

template <class P>
Sample HostEngine<P>::sample(const Bodies& bodies, std::size_t most) {
  const WithThreads ours(threads_);
  if (!particles_apart()) return collective_sample(all_, bodies, most);
  auto sample = collective_sample(particles_.among_massive(), particles_.massive_share(bodies), most);
  const auto numbers = particles_.massive_numbers();
  for (auto& body : sample.bodies) body = numbers[body];
  sample.particles = particles_.drawn(bodies, most);
  return sample;
}

template <class P>
double HostEngine<P>::suggest_dt(const Integrator& integrator, double eta) {
  const WithThreads ours(threads_);
  return SteppedEngine<P>::suggest_dt(integrator, eta);
}

template <class P>
double HostEngine<P>::softening_step(double eta) {
  this->need_forces();
  const bool each = softened();
  double largest = 0;
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (const auto& s = sums_[i]; limits_step(x_[i])) {
      const double a = norm(Vec3<double>{double(s.x), double(s.y), double(s.z)});
      largest = std::max(largest, each ? a / eps_[i] : a);
    }
  if (each) return eta * std::sqrt(1 / (gravity_.G * all_.max(largest)));
  return eta * std::sqrt(gravity_.softening.eps / (gravity_.G * all_.max(largest)));
}

template <class P>
DoubleState& HostEngine<P>::in_doubles(const Integrator& integrator) {
  // Whether there are groups is known with the steps: where terms of pairs need them, the stepper looks.
  need_able(choice_.method, {.n = all_.bodies(x_.size()),
                             .gravity = gravity_,
                             .precision = precision_,
                             .integrator = &integrator,
                             .close_groups = pair_terms().has_value()});
  if constexpr (std::is_same_v<Real, float>) throw_no_doubles(choice_.method, integrator);
  else return *this;
}

template <class P>
BlockState& HostEngine<P>::in_sets(const Integrator& integrator) {
  need_able(
      choice_.method,
      {.n = all_.bodies(x_.size()), .gravity = gravity_, .precision = precision_, .integrator = &integrator});
  return blocks_.emplace(typename HostBlocks<P>::Engine{
      .all = all_,
      .method = choice_.method,
      .gravity = gravity_,
      .x = x_,
      .v = v_,
      .sums = sums_,
      .eps = eps_,
      .terms = this->terms_,
      .has_particles = particles_.any(),
      .particles_follow = particles_follow(),
      .begin =
          [this] {
            forget_diagnostics();
            diagnostics_expected_ = std::exchange(this->potentials_expected_, false);
          },
      .evaluate =
          [this](double time, bool last) {
            this->now_ = time;
            if (std::exchange(steps_.forces_current, true)) return;
            if (last && std::exchange(diagnostics_expected_, false)) this->evaluate_with_diagnostics();
            else SteppedEngine<P>::evaluate();
            ++evaluations_;
            blocks_->count(interactions());
          },
      .moved = [this] { steps_.forces_current = false; },
      .evaluated = [this] { ++evaluations_; }});
}

template <class P>
DoubleState::Particles HostEngine<P>::particles() {
  if constexpr (std::is_same_v<Real, float>)
    throw UsageError("the bodies of this engine are in single precision");
  else return {x_, v_, low_, series_, this->now_, particles_follow(), semi_active_.marks()};
}

template <class P>
void HostEngine<P>::evaluate(std::vector<Vec4<double>>& a) {
  if constexpr (std::is_same_v<Real, float>) {
    (void)a;
  } else {
    if (softened()) softened_accelerations(all_, {x_, eps_, v_, low_}, a, {}, gravity_);
    else accelerations_of_doubles(all_, particles_, {x_, v_, low_}, a, gravity_.softening, gravity_.boundary);
    if (semi_active_.any())
      add_pulls_of_semi_active(all_, particles_, semi_active_, {x_, v_, low_}, a, {}, gravity_);
    for (auto& term : this->terms_)
      term->add({.time = this->now_, .G = gravity_.G, .bodies = x_, .sums = a, .low = low_});
    if (const double g = gravity_.G; g != 1)
      for (auto& f : a) f = {g * f.x, g * f.y, g * f.z, 0};
    if (depends_on_velocities())
      added_->add(AddedForces::Which::of_velocities, with_velocities(velocities()), a);
    ++evaluations_;
  }
}

template <class P>
void HostEngine<P>::evaluate(std::vector<Vec4<double>>& a, std::vector<Vec4<double>>& j, double time) {
  this->now_ = time;
  if constexpr (std::is_same_v<Real, float>) {
    (void)a, (void)j;
  } else {
    if (softened()) softened_accelerations(all_, {x_, eps_, v_, low_}, a, j, gravity_);
    else
      accelerations_and_jerks(all_, particles_, {x_, v_, low_}, a, j, gravity_.softening, gravity_.boundary);
    if (semi_active_.any())
      add_pulls_of_semi_active(all_, particles_, semi_active_, {x_, v_, low_}, a, j, gravity_);
    if (const double g = gravity_.G; g != 1)
      for (auto* field : {&a, &j})
        for (auto& f : *field) f = {g * f.x, g * f.y, g * f.z, 0};
    for (auto& term : this->terms_)
      term->add_with_jerks({.time = time,
                            .G = gravity_.G,
                            .bodies = x_,
                            .velocities = v_,
                            .accelerations = a,
                            .jerks = j,
                            .low = low_});
    ++evaluations_;
  }
}

template <class P>
void HostEngine<P>::evaluate(std::span<const Vec4<double>> known, std::vector<Vec4<double>>& a,
                             std::vector<Vec4<double>>& j, std::vector<Vec4<double>>& s) {
  if constexpr (std::is_same_v<Real, float>) {
    (void)known, (void)a, (void)j, (void)s;
  } else {
    accelerations_to_snaps(all_, particles_, {x_, v_, low_, known}, a, j, s, gravity_.softening,
                           gravity_.boundary);
    if (const double g = gravity_.G; g != 1)
      for (auto* field : {&a, &j, &s})
        for (auto& f : *field) f = {g * f.x, g * f.y, g * f.z, 0};
    ++evaluations_;
  }
}

template <class P>
std::vector<std::array<double, 20>> HostEngine<P>::of_all_ranks(std::span<const std::array<double, 20>> own) {
  if (all_.comm().ranks() == 1) return {own.begin(), own.end()};
  return ranks::all_gather<std::array<double, 20>>(all_.comm(), own).data;
}

/// Ranks share the work where it takes longer than their messages; sums of a body are the same wherever they
/// are computed.
template <class P>
void HostEngine<P>::evaluate_some(BodyPaths& paths, double now, double time,
                                  std::span<const std::uint32_t> chosen, std::span<Vec4<double>> a,
                                  std::span<Vec4<double>> j) {
  const double eps2 = gravity_.softening.eps2(), pairs = double(chosen.size()) * double(paths.pulling);
  cpu::predict(paths, now, chosen);
  if (const auto own = share_of(chosen.size(), pairs)) {
    const auto [begin, n] = *own;
    cpu::pulls_on(paths, chosen.subspan(begin, n), eps2, a.subspan(begin, n), j.subspan(begin, n));
    share_sums(begin, n, a, j);
  } else {
    cpu::pulls_on(paths, chosen, eps2, a, j);
  }
  add_terms(paths, time, chosen, a, j);
  ++evaluations_, ++chosen_evaluations_, chosen_pairs_ += pairs;
}

/// What is added to mutual gravity, on chosen bodies where they are predicted.
template <class P>
void HostEngine<P>::add_terms(const BodyPaths& paths, double time, std::span<const std::uint32_t> chosen,
                              std::span<Vec4<double>> a, std::span<Vec4<double>> j) {
  if (this->terms_.empty()) return;
  std::vector<Mass<double>> x(chosen.size());
  std::vector<Vec4<double>> v(chosen.size());
  for (std::size_t t = 0; t < x.size(); ++t) {
    const std::size_t k = chosen[t];
    const auto at = BodyPaths::at(paths.x_now, k), going = BodyPaths::at(paths.v_now, k);
    x[t] = {at.x, at.y, at.z, paths.mass[k] / gravity_.G}, v[t] = {going.x, going.y, going.z, 0};
  }
  for (auto& term : this->terms_)
    term->add_with_jerks(
        {.time = time, .G = gravity_.G, .bodies = x, .velocities = v, .accelerations = a, .jerks = j});
}

/// Ranks share the sums where they take longer than their messages, as those of evaluate_some.
template <class P>
void HostEngine<P>::evaluate_regular(BodyPaths& paths, double now, double time,
                                     std::span<const std::uint32_t> chosen, const NeighbourReach& reach,
                                     std::span<NeighbourList* const> lists, PullsOfSome found,
                                     PullsOfSome moved) {
  const double eps2 = gravity_.softening.eps2(), pairs = double(chosen.size()) * double(paths.pulling);
  auto &a = found.accelerations, &j = found.jerks;
  std::vector<NeighbourList> next(chosen.size());
  cpu::predict(paths, now, chosen);
  if (const auto own = share_of(chosen.size(), pairs)) {
    const auto [begin, n] = *own;
    cpu::far_pulls_on(paths, chosen.subspan(begin, n), reach, eps2, std::span(next).subspan(begin, n),
                      a.subspan(begin, n), j.subspan(begin, n));
    share_sums(begin, n, a, j);
    share_lists(begin, n, next);
  } else {
    cpu::far_pulls_on(paths, chosen, reach, eps2, next, a, j);
  }
  cpu::change_lists(paths, chosen, next, eps2, lists, moved.accelerations, moved.jerks);
  add_terms(paths, time, chosen, a, j);
  chosen_pairs_ += pairs;
}

template <class P>
void HostEngine<P>::evaluate_neighbours(BodyPaths& paths, double now, bool predicted,
                                        std::span<const std::uint32_t> chosen,
                                        std::span<NeighbourList* const> lists, PullsOfSome found) {
  const double eps2 = gravity_.softening.eps2();
  auto &a = found.accelerations, &j = found.jerks;
  if (!predicted) cpu::predict_near(paths, now, chosen, lists);
  double pairs = 0;
  for (const auto* list : lists) pairs += double(list->size());
  if (const auto own = share_of(chosen.size(), pairs)) {
    const auto [begin, n] = *own;
    cpu::near_pulls_on(paths, chosen.subspan(begin, n), lists.subspan(begin, n), eps2, a.subspan(begin, n),
                       j.subspan(begin, n));
    share_sums(begin, n, a, j);
  } else {
    cpu::near_pulls_on(paths, chosen, lists, eps2, a, j);
  }
  ++evaluations_, ++chosen_evaluations_, chosen_pairs_ += pairs;
}

template <class P>
void HostEngine<P>::find_neighbours(const BodyPaths& paths, std::span<const std::uint32_t> chosen,
                                    const NeighbourReach& reach, std::span<NeighbourList* const> lists,
                                    PullsOfSome moved) {
  const double eps2 = gravity_.softening.eps2();
  std::vector<NeighbourList> next(chosen.size());
  if (const auto own = share_of(chosen.size(), double(chosen.size()) * double(paths.pulling))) {
    const auto [begin, n] = *own;
    cpu::find_neighbours(paths, chosen.subspan(begin, n), reach, eps2, std::span(next).subspan(begin, n));
    share_lists(begin, n, next);
  } else {
    cpu::find_neighbours(paths, chosen, reach, eps2, next);
  }
  cpu::change_lists(paths, chosen, next, eps2, lists, moved.accelerations, moved.jerks);
}

/// The first one and the number of those that this rank computes of `chosen` bodies; nothing: all, since
/// messages would take longer than these pairs.
template <class P>
std::optional<std::pair<std::size_t, std::size_t>> HostEngine<P>::share_of(std::size_t chosen,
                                                                           double pairs) const {
  constexpr double worth_a_message = 1 << 18;
  const auto ranks = std::size_t(all_.comm().ranks()), rank = std::size_t(all_.comm().rank());
  if (ranks == 1 || !(pairs >= worth_a_message)) return std::nullopt;
  const std::size_t begin = chosen * rank / ranks;
  return std::pair{begin, chosen * (rank + 1) / ranks - begin};
}

/// Tells all ranks the sums that this one has computed.
template <class P>
void HostEngine<P>::share_sums(std::size_t begin, std::size_t n, std::span<Vec4<double>> a,
                               std::span<Vec4<double>> j) {
  using Found = std::array<Vec4<double>, 2>;
  std::vector<Found> own(n);
  for (std::size_t t = 0; t < n; ++t) own[t] = {a[begin + t], j[begin + t]};
  const auto all = ranks::all_gather<Found>(all_.comm(), std::span<const Found>(own)).data;
  for (std::size_t t = 0; t < all.size(); ++t) a[t] = all[t][0], j[t] = all[t][1];
}

/// And the lists that it has found: their lengths, and all of them in a row.
template <class P>
void HostEngine<P>::share_lists(std::size_t begin, std::size_t n, std::span<NeighbourList> found) {
  std::vector<std::uint32_t> lengths, members;
  for (const auto& list : found.subspan(begin, n)) {
    lengths.push_back(static_cast<std::uint32_t>(list.size()));
    members.insert(members.end(), list.begin(), list.end());
  }
  const auto all_lengths =
      ranks::all_gather<std::uint32_t>(all_.comm(), std::span<const std::uint32_t>(lengths)).data;
  const auto all_members =
      ranks::all_gather<std::uint32_t>(all_.comm(), std::span<const std::uint32_t>(members)).data;
  std::size_t first = 0;
  for (std::size_t t = 0; t < all_lengths.size(); ++t) {
    found[t].assign(all_members.begin() + std::ptrdiff_t(first),
                    all_members.begin() + std::ptrdiff_t(first + all_lengths[t]));
    first += all_lengths[t];
  }
}

template <class P>
bool HostEngine<P>::higher_derivatives(const BodyPaths& paths, std::span<Vec4<double>> snaps,
                                       std::span<Vec4<double>> crackles) {
  cpu::snaps_and_crackles(paths, gravity_.softening.eps2(), snaps, crackles);
  return this->terms_.empty();
}

template <class P>
bool HostEngine<P>::finite() {
  const WithThreads ours(threads_);
  if (carried_) this->show_bodies();
  const std::span<const Mass<Real>> x(x_);
  const std::span<const Vec4<Real>> v(v_);
  const auto spoilt = all_.blocked_sum<std::size_t>(x.size(), [&](std::size_t begin, std::size_t end) {
    const bool all = cpu::all_finite<Real>(x.subspan(begin, end - begin)) &&
                     cpu::all_finite<Real>(v.subspan(begin, end - begin));
    return std::size_t(all ? 0 : 1);
  });
  return spoilt == 0;
}

template <class P>
void HostEngine<P>::reverse_velocities() {
  this->show_bodies();
  for (auto& v : v_) v = {-v.x, -v.y, -v.z, 0};
  for (auto& l : low_) l = {l[0], l[1], l[2], -l[3], -l[4], -l[5]};
  series_.clear();
  this->forget_stepper();
}

template <class P>
std::function<void()> HostEngine<P>::keep_state() {
  this->show_bodies();
  return [this, x = x_, v = v_, low = low_, series = series_, work = work_, time = this->now_] {
    x_ = x, v_ = v, low_ = low, series_ = series, work_ = work;
    this->returned_to(time);
  };
}

template <class P>
void HostEngine<P>::retune(const ForceMethod& method) {
  if (place_of(method) != Device::cpu) Engine::retune(method);
  need_able(method, {.n = all_.bodies(x_.size()), .gravity = gravity_, .precision = precision_});
  this->go_on_by(method);
  if (blocks_) this->forget_stepper(), blocks_.reset();
  make_solver();
}

template <class P>
double HostEngine<P>::interactions() const {
  if (choice_.method.tree) {
    const auto work = solver_->work();
    return work.pairs + work.cell_pairs;
  }
  const double n = double(all_.bodies(x_.size()));
  return (n + double(semi_active_.count())) * (particles_.any() ? double(particles_.massive()) : n);
}

template <class P>
EngineDescription HostEngine<P>::describe() const {
  const WithThreads ours(threads_);
  const bool tree = choice_.method.tree.has_value();
  const double of_blocks = blocks_                   ? blocks_->interactions()
                           : chosen_evaluations_ > 0 ? chosen_pairs_ / double(chosen_evaluations_)
                                                     : 0;
  const std::size_t elsewhere = carried_ ? carried_->bytes() : 0;
  return {.device = carried_ ? fmt::format("CPU ({}) and {}", simd_target(), carried_->device())
                             : fmt::format("CPU ({})", simd_target()),
          .method = choice_.method,
          .precision = std::string(name_of(precision_)),
          .why = choice_.why,
          .threads = tree || choice_.method.kernel->traits.threaded ? threads() : 1,
          .gpus = carried_ ? 1 : 0,
          .bytes = x_.size() * (sizeof(Mass<Real>) + 2 * sizeof(Vec4<Real>)) + solver_->bytes() + elsewhere,
          .interactions_per_evaluation = of_blocks > 0 ? of_blocks : interactions(),
          .test_particles = particles_.count() - semi_active_.count()};
}

template class HostEngine<F32>;
template class HostEngine<F64>;
template class HostEngine<Mixed>;
}  // namespace pleiad
