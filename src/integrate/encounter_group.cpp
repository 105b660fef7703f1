#include "integrate/encounter_group.hpp"

#include "integrate/stepper.hpp"

#include <pleiad/error.hpp>

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

extern const Integrator integrator_gauss_radau;

EncounterGroup::EncounterGroup(double G, std::vector<Body> bodies,
                               std::vector<std::pair<std::size_t, std::size_t>> pulls)
    : G_(G), bodies_(std::move(bodies)), pulls_(std::move(pulls)) {
  for (const auto& b : bodies_) {
    x_.push_back({b.x.x, b.x.y, b.x.z, b.mass});
    v_.push_back({b.v.x, b.v.y, b.v.z, 0});
  }
}

BlockState& EncounterGroup::in_sets(const Integrator& integrator) {
  throw UsageError(
      fmt::format("{} cannot carry bodies through an encounter; gauss-radau does", integrator.name));
}

void EncounterGroup::advance(double dt) {
  constexpr double eta = 0.02;  // positions then have no errors beyond rounding
  const auto stepper = integrator_gauss_radau.make(*this);
  stepper->advance({.integrator = &integrator_gauss_radau, .dt = dt, .time = 0, .end = dt, .eta = eta}, 1);
}

Vec3<double> EncounterGroup::change_of_position(std::size_t i) const {
  return (position(i) - bodies_[i].x) + low_position(i);
}

Vec3<double> EncounterGroup::change_of_velocity(std::size_t i) const {
  const auto& low = low_[i];
  return (v_[i].xyz() - bodies_[i].v) + Vec3<double>{low[3], low[4], low[5]};
}

void EncounterGroup::evaluate(std::vector<Vec4<double>>& a) {
  ++evaluations_;
  const auto add = [&](std::size_t i, const Vec3<double>& d, double Gm) {
    const double r2 = dot(d, d), f = Gm / (r2 * std::sqrt(r2));
    a[i] = {a[i].x + f * d.x, a[i].y + f * d.y, a[i].z + f * d.z, 0};
  };
  a.assign(x_.size(), {});
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (bodies_[i].mu > 0) add(i, -1.0 * (position(i) + low_position(i)), bodies_[i].mu);
  for (const auto& [i, j] : pulls_)
    add(i, (position(j) - position(i)) + (low_position(j) - low_position(i)), G_ * x_[j].m);
}

}  // namespace pleiad
