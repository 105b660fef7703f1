#include "encounters/ledger.hpp"

#include "core/threads.hpp"

#include <pleiad/kernel/pull.hpp>

#include <cmath>
#include <utility>

namespace pleiad::encounters {

Ledger::Ledger(Matter& matter, const Gravity& gravity, double time, std::uint64_t step)
    : matter_(matter),
      gravity_(gravity),
      field_(gravity.potentials, gravity.G, time),
      time_(time),
      eps2_(gravity.softening.eps * gravity.softening.eps),
      step_(step),
      kept_(matter.size(), 1),
      changed_(matter.size(), 0) {}

/// Potentials, G included, of all bodies that are still there but these two, and of external potentials, at
/// the first `count` places.
std::array<double, 3> Ledger::fields_at(const std::array<Vec3<double>, 3>& places, std::size_t count,
                                        std::array<std::uint32_t, 2> except) const {
  struct Sums {
    std::array<double, 3> at{};
    Sums& operator+=(const Sums& o) {
      for (std::size_t k = 0; k < 3; ++k) at[k] += o.at[k];
      return *this;
    }
  };
  auto sums = blocked_sum<Sums>(matter_.size(), [&](std::size_t begin, std::size_t end) {
                Sums s;
                for (std::size_t k = begin; k < end; ++k) {
                  const double m = matter_.mass[k];
                  if (kept_[k] == 0 || m == 0 || k == except[0] || k == except[1]) continue;
                  for (std::size_t p = 0; p < count; ++p)
                    s.at[p] += pull(matter_.places[k].x - places[p], m, eps2_).w;
                }
                return s;
              }).at;
  for (std::size_t p = 0; p < count; ++p)
    sums[p] = gravity_.G * sums[p] + (gravity_.potentials.empty() ? 0 : field_.at(places[p]).potential);
  return sums;
}

void Ledger::record(Event event, const Lost& lost) {
  event.time = time_, event.step = step_;
  event.energy_lost = lost.energy, event.angular_momentum_lost = lost.angular_momentum;
  events_.push_back(std::move(event));
  lost_ += lost;
}

void Ledger::absorb(std::uint32_t one, std::uint32_t other) {
  auto& to = matter_.places[one];
  const auto from = matter_.places[other], apart = from - to;
  const double M = matter_.mass[one], m = matter_.mass[other], sum = M + m, reduced = M * m / sum;
  auto event = of_two(Kind::merger, to, apart, M, m, gravity_);
  event.id = matter_.id[one], event.other = matter_.id[other];
  const Place merged{event.x, event.v};
  const double pair = gravity_.G * pull(apart.x, 1.0, eps2_).w;
  Lost lost;
  if (m > 0) {
    const auto field = fields_at({to.x, from.x, merged.x}, 3, {one, other});
    lost.energy = 0.5 * reduced * dot(apart.v, apart.v) + M * m * pair +
                  (M * (field[0] - field[2]) + m * (field[1] - field[2]));
    lost.angular_momentum = reduced * cross(apart.x, apart.v);
    matter_.radius[one] = std::cbrt(std::pow(matter_.radius[one], 3) + std::pow(matter_.radius[other], 3));
    masses_changed_ = true;
  }
  to = merged, matter_.mass[one] = sum;
  kept_[other] = 0, changed_[one] = 1;
  record(std::move(event), lost);
}

void Ledger::merge(const Component& component) {
  for (std::size_t k = 1; k < component.size(); ++k) absorb(component.front(), component[k]);
}

void Ledger::remove(std::uint32_t body, std::optional<std::uint32_t> stays) {
  const auto place = matter_.places[body];
  const double m = matter_.mass[body];
  Lost lost;
  if (m > 0) {
    const double field = fields_at({place.x}, 1, {body, body})[0];
    lost.energy = m * (0.5 * dot(place.v, place.v) + field);
    lost.angular_momentum = m * cross(place.x, place.v);
    masses_changed_ = true;
  }
  kept_[body] = 0;
  Event event{.kind = Kind::removal, .id = matter_.id[body], .mass = m, .x = place.x, .v = place.v};
  if (stays) {
    const auto apart = matter_.places[*stays] - place;
    event.other = matter_.id[*stays], event.other_mass = matter_.mass[*stays];
    event.distance = norm(apart.x), event.speed = norm(apart.v);
  }
  record(event, lost);
}

double Ledger::energy_of(std::uint32_t body, Vec3<double> motion) const {
  const auto& [x, v] = matter_.places[body];
  return 0.5 * dot(v - motion, v - motion) + fields_at({x}, 1, {body, body})[0];
}

}  // namespace pleiad::encounters
