#include "regular/leapfrog.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pleiad::regular {

Leapfrog::Leapfrog(const System& system)
    : system_(system),
      layout_{system.masses.size(), system.surroundings != nullptr ? system.surroundings->bodies : 0} {
  const std::size_t n = layout_.n;
  for (const double m : system.masses) mass_ += m;
  for (auto* numbers : {&now_, &now_low_}) numbers->resize(layout_.size());
  link_.resize(layout_.links());
  for (auto* field : {&position_, &velocity_, &acceleration_}) field->resize(n);
  if (system.terms != nullptr)
    term_.resize(n), pull_.resize(layout_.links()), link_velocity_.resize(layout_.links());
  if (!system.weights.empty()) gradient_.resize(n);
  if (system.surroundings == nullptr) return;
  outer_.resize(n), body_position_.resize(n), body_acceleration_.resize(n), offset_.resize(n);
  reaction_.resize(layout_.outside);
}

/// Compensated: the change has the rounding error of one sum, not of all.
void Leapfrog::add(std::size_t k, double increment) {
  const double part = increment + rest_[k], all = change_[k] + part, rest = all - change_[k];
  rest_[k] = (change_[k] - (all - rest)) + (part - rest);
  change_[k] = all;
  const double small = low_[k] + all, of_small = small - low_[k];
  now_[k] = start_[k] + small;
  const double of_now = now_[k] - start_[k];
  now_low_[k] = ((start_[k] - (now_[k] - of_now)) + (small - of_now)) +
                ((low_[k] - (small - of_small)) + (all - of_small)) + rest_[k];
}

/// Adds a multiple of the vector at `of`, with its low part, in its direction but for 1e-30: kicks of a pair
/// towards each other, and drifts, then leave its angular momentum as it is.
void Leapfrog::add_multiple(std::size_t k, double factor, std::size_t of) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double value = now_[of + axis], product = factor * value;
    rest_[k + axis] += std::fma(factor, value, -product) + factor * now_low_[of + axis];
    add(k + axis, product);
  }
}

void Leapfrog::advance(std::span<const double> start, std::span<const double> low, double h, int n,
                       std::span<double> change, std::span<double> rest) {
  start_ = start, low_ = low, change_ = change, rest_ = rest;
  std::ranges::fill(change, 0.0), std::ranges::fill(rest, 0.0);
  std::ranges::copy(start, now_.begin()), std::ranges::copy(low, now_low_.begin());
  nearest_ = std::numeric_limits<double>::infinity();
  if (system_.terms != nullptr) auxiliary_ = velocities_of_links();
  drift(h / 2);
  for (int k = 1; k < n; ++k) kick(h), drift(h);
  kick(h), drift(h / 2);
}

const std::vector<Vec3<double>>& Leapfrog::velocities_of_links() {
  for (std::size_t k = 0; k < layout_.links(); ++k) link_velocity_[k] = at(layout_.velocities() + 3 * k);
  return link_velocity_;
}

/// Finds the post-Newtonian accelerations at the present places and at these velocities of the links, and
/// returns their power.
double Leapfrog::find_terms(std::span<const Vec3<double>> links) {
  std::ranges::fill(term_, Vec3<double>{});
  double power = 0;
  for (std::size_t i = 0; i + 1 < layout_.n; ++i) {
    Vec3<double> r{}, v{};
    for (std::size_t j = i + 1; j < layout_.n; ++j) {
      r += at(3 * (j - 1)), v += links[j - 1];
      const double m1 = system_.masses[i], m2 = system_.masses[j], m = m1 + m2;
      const auto relative = system_.terms->acceleration(m1, m2, r, v);
      term_[i] -= (m2 / m) * relative, term_[j] += (m1 / m) * relative;
      power += m1 * m2 / m * dot(v, relative);
      nearest_ = std::min(nearest_, norm(r) * system_.terms->c * system_.terms->c / m);
    }
  }
  return power;
}

void Leapfrog::kick_auxiliary(double time) {
  for (std::size_t k = 0; k < auxiliary_.size(); ++k)
    auxiliary_[k] += time * (pull_[k] + (term_[k + 1] - term_[k]));
}

/// Velocities of the bodies in the frame of their centre of mass, those of slowed pairs with their share.
void Leapfrog::find_velocities() {
  const std::size_t n = layout_.n, v = layout_.velocities();
  Vec3<double> sum{}, mean{};
  for (std::size_t i = 0; i < n; ++i) {
    velocity_[i] = sum;
    mean += system_.masses[i] * sum;
    if (i + 1 < n) sum += at(v + 3 * i);
  }
  mean *= 1 / mass_;
  for (auto& u : velocity_) u -= mean;
  for (const auto& [i, factor] : system_.slow) {
    const double left = 1 - 1 / factor, m1 = system_.masses[i], m2 = system_.masses[i + 1];
    const auto relative = at(v + 3 * i);
    velocity_[i] += (left * m2 / (m1 + m2)) * relative;
    velocity_[i + 1] -= (left * m1 / (m1 + m2)) * relative;
  }
}

/// By how much the share of slowed pairs makes T larger than m v^2 / 2 of velocities that have it: T counts
/// 1/factor of their relative motion, and velocities are 1/factor of it.
double Leapfrog::slowed_away() const {
  double sum = 0;
  for (const auto& [i, factor] : system_.slow) {
    const double m1 = system_.masses[i], m2 = system_.masses[i + 1];
    const auto relative = at(layout_.velocities() + 3 * i);
    sum += m1 * m2 / (m1 + m2) * dot(relative, relative) / 2 * (1 / factor) * (1 - 1 / factor);
  }
  return sum;
}

void Leapfrog::drift(double h) {
  double time = 0;
  const bool logarithmic = system_.weights.empty();
  if (logarithmic) {
    find_velocities();
    double kinetic = 0;
    for (std::size_t i = 0; i < layout_.n; ++i)
      kinetic += system_.masses[i] / 2 * dot(velocity_[i], velocity_[i]);
    kinetic += slowed_away();
    time = h / (kinetic + now_[layout_.energy()] + system_.constant);
  } else {
    time = h / (now_[layout_.weight()] + system_.constant);
  }
  const std::size_t v = layout_.velocities();
  for (std::size_t k = 0; k < layout_.links(); ++k)
    if (system_.slow.empty()) add_multiple(3 * k, time, v + 3 * k);
    else add(3 * k, time * (velocity_[k + 1] - velocity_[k]));
  add(layout_.centre(), time * at(layout_.centre_velocity()));
  for (std::size_t k = 0; k < layout_.outside; ++k) add(layout_.moved(k), time * at(layout_.moved(k) + 3));
  add(layout_.time(), time);
}

/// Those of neighbours in the chain are kept apart, as the factors of the vectors between them.
void Leapfrog::find_accelerations() {
  ++evaluations_;
  const std::size_t n = layout_.n;
  const bool weighted = !system_.weights.empty();
  position_[0] = {};
  for (std::size_t i = 1; i < n; ++i) position_[i] = position_[i - 1] + at(3 * (i - 1));
  std::ranges::fill(acceleration_, Vec3<double>{});
  std::ranges::fill(gradient_, Vec3<double>{});
  potential_ = weighted_ = 0;
  std::size_t pair = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j, ++pair) {
      const auto d = j == i + 1   ? at(3 * i)
                     : j == i + 2 ? at(3 * i) + at(3 * i + 3)
                                  : position_[j] - position_[i];
      const double r2 = dot(d, d), r = std::sqrt(r2), per_cube = 1 / (r2 * r);
      const double m1 = system_.masses[i], m2 = system_.masses[j];
      double share = 1;
      if (j == i + 1)
        for (const auto& slow : system_.slow)
          if (slow.first == i) share = 1 / slow.factor;
      potential_ += share * m1 * m2 / r;
      if (j == i + 1) {
        link_[i] = share * per_cube;
      } else {
        acceleration_[i] += (m2 * per_cube) * d;
        acceleration_[j] -= (m1 * per_cube) * d;
      }
      if (weighted) {
        const double w = system_.weights[pair];
        weighted_ += w / r;
        gradient_[i] += (w * per_cube) * d;
        gradient_[j] -= (w * per_cube) * d;
      }
    }
  }
}

/// Accelerations by bodies outside, in the order of the chain.
void Leapfrog::perturb() {
  const std::size_t n = layout_.n;
  Vec3<double> mean{};
  for (std::size_t i = 0; i < n; ++i) mean += system_.masses[i] * position_[i];
  mean *= 1 / mass_;
  std::ranges::fill(outer_, Vec3<double>{});
  if (system_.surroundings->field) perturb_by_field(mean);
  if (!system_.surroundings->pull) return;
  const auto shift = at(layout_.centre()) - mean;
  for (std::size_t i = 0; i < n; ++i) body_position_[system_.order[i]] = shift + position_[i];
  std::ranges::fill(body_acceleration_, Vec3<double>{});
  std::ranges::fill(reaction_, Vec3<double>{});
  system_.surroundings->pull(system_.start + now_[layout_.time()], body_position_, body_acceleration_,
                             reaction_);
  for (std::size_t i = 0; i < n; ++i) outer_[i] += body_acceleration_[system_.order[i]];
}

/// Tides of the bodies, and the acceleration of their centre of mass, which has most of it: apart from each
/// other neither takes digits from the other. `mean`: the centre of mass relative to the first body.
void Leapfrog::perturb_by_field(const Vec3<double>& mean) {
  for (std::size_t i = 0; i < layout_.n; ++i) offset_[i] = position_[i] - mean;
  of_field_ = system_.surroundings->field(system_.start + now_[layout_.time()], at(layout_.centre()), offset_,
                                          outer_);
}

void Leapfrog::kick(double h) {
  find_accelerations();
  const std::size_t n = layout_.n, v = layout_.velocities();
  const bool perturbed = system_.surroundings != nullptr, weighted = !system_.weights.empty();
  const double time = h / ((weighted ? weighted_ : potential_) + system_.constant);
  Vec3<double> mean{};
  if (perturbed) {
    perturb();
    for (std::size_t i = 0; i < n; ++i) mean += system_.masses[i] * outer_[i];
    mean *= 1 / mass_;
    add(layout_.centre_velocity(), time * (mean + of_field_));
    for (std::size_t k = 0; k < layout_.outside; ++k) add(layout_.moved(k) + 3, time * reaction_[k]);
    for (std::size_t i = 0; i < n; ++i) outer_[i] -= mean, acceleration_[i] += outer_[i];
  }
  const bool by_velocities = perturbed || weighted;
  double work = 0, rate = 0;  // of twice the mean velocities
  const auto look = [&] {
    find_velocities();
    for (std::size_t i = 0; i < n; ++i) {
      if (perturbed) work += system_.masses[i] * dot(velocity_[i], outer_[i]);
      if (weighted) rate += dot(velocity_[i], gradient_[i]);
    }
  };
  if (by_velocities) look();
  const auto& m = system_.masses;
  const auto of_others = [&](std::size_t k) {
    auto others = acceleration_[k + 1] - acceleration_[k];
    if (k > 0) others += (m[k - 1] * link_[k - 1]) * at(3 * k - 3);
    if (k + 1 < layout_.links()) others += (m[k + 2] * link_[k + 1]) * at(3 * k + 3);
    return others;
  };
  const bool relativistic = system_.terms != nullptr;
  if (relativistic) {
    for (std::size_t k = 0; k < layout_.links(); ++k)
      pull_[k] = of_others(k) - ((m[k] + m[k + 1]) * link_[k]) * at(3 * k);
    find_terms(velocities_of_links());
    kick_auxiliary(time / 2);
    const double power = find_terms(auxiliary_);
    add(layout_.energy(), -time * power), add(layout_.work(), time * power);
  }
  for (std::size_t k = 0; k < layout_.links(); ++k) {
    auto others = of_others(k);
    if (relativistic) others += term_[k + 1] - term_[k];
    add(v + 3 * k, time * others);
    add_multiple(v + 3 * k, -time * (m[k] + m[k + 1]) * link_[k], 3 * k);
  }
  if (relativistic) find_terms(velocities_of_links()), kick_auxiliary(time / 2);
  if (by_velocities) look();
  if (perturbed) add(layout_.energy(), -time * work / 2);
  if (weighted) add(layout_.weight(), time * rate / 2);
}

Leapfrog::Forces Leapfrog::forces(std::span<const double> state) {
  std::ranges::copy(state, now_.begin());
  find_accelerations(), find_velocities();
  for (std::size_t k = 0; k < layout_.links(); ++k) {
    acceleration_[k] += (system_.masses[k + 1] * link_[k]) * at(3 * k);
    acceleration_[k + 1] -= (system_.masses[k] * link_[k]) * at(3 * k);
  }
  Forces f{.clock = potential_ + system_.constant};
  for (std::size_t i = 0; i < layout_.n; ++i)
    f.clock_rate += system_.masses[i] * dot(velocity_[i], acceleration_[i]);
  if (!system_.weights.empty()) {
    f.clock = weighted_ + system_.constant, f.clock_rate = 0;
    for (std::size_t i = 0; i < layout_.n; ++i) f.clock_rate += dot(velocity_[i], gradient_[i]);
  }
  f.shortest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < layout_.links(); ++k) {
    const double r = norm(at(3 * k)), m = system_.masses[k] + system_.masses[k + 1];
    const double speed = norm(at(layout_.velocities() + 3 * k));
    f.shortest = std::min(f.shortest, 1 / (speed / r + std::sqrt(m / (r * r * r))));
  }
  return f;
}

}  // namespace pleiad::regular
