#include "engine/host_driven_bodies.hpp"

#include "cpu/body_paths.hpp"
#include "cuda/device/memory.hpp"
#include "potentials/hill_drift.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pleiad {

HostDrivenBodies::HostDrivenBodies(const Bodies& b, const Gravity& gravity, const IndividualChoice& choice,
                                   void* stream)
    : gravity_(gravity),
      choice_(choice),
      stream_(stream),
      threads_(choice.threads),
      terms_(host_terms<double>(gravity, nullptr)),
      tides_(potentials::kicking(gravity_.potentials), gravity_.G),
      low_(b.low),
      series_(b.series),
      sums_(b.size(), {.eps = gravity.softening.eps, .in_floats = choice.in_floats, .gpus = choice.gpus}) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    x_.push_back({b.x[i], b.y[i], b.z[i], b.mass[i]});
    v_.push_back({b.vx[i], b.vy[i], b.vz[i], 0});
  }
}

void HostDrivenBodies::throw_other_scheme() {
  throw UsageError("this engine moves bodies by hermite4-block alone");
}

IndividualBodies::Work HostDrivenBodies::advance(const StepPlan& plan, std::uint64_t steps) {
  const WithThreads ours(threads_);
  if (!stepper_) stepper_ = plan.integrator->make(*this);
  work_ = {};
  auto here = plan;
  here.blocks.neighbours = Neighbours::off;  // GPUs sum all pulls
  stepper_->advance(here, steps);
  return work_;
}

/// While GPUs sum, the host predicts what it needs, and finds the fields.
void HostDrivenBodies::evaluate_some(BodyPaths& paths, double now, double time,
                                     std::span<const std::uint32_t> chosen, std::span<Vec4<double>> a,
                                     std::span<Vec4<double>> j) {
  const double pairs = double(chosen.size()) * double(paths.pulling);
  // The prediction of all sources counts as one of their pulls.
  const bool here = pairs + double(paths.pulling) <= choice_.few_pairs;
  const bool fields = !terms_.empty();
  sums_.note(paths);
  if (!here) sums_.begin(paths, now, chosen);
  if (here || paths.all_now) cpu::predict(paths, now, chosen);
  else if (fields) cpu::predict_chosen(paths, now, chosen);
  if (fields) find_fields(paths, time, chosen);
  if (here) cpu::pulls_on(paths, chosen, gravity_.softening.eps2(), a, j);
  else sums_.finish(a, j);
  for (std::size_t t = 0; fields && t < chosen.size(); ++t) {
    const auto &more = a_of_fields_[t], &its = j_of_fields_[t];
    a[t] = {a[t].x + more.x, a[t].y + more.y, a[t].z + more.z, 0};
    j[t] = {j[t].x + its.x, j[t].y + its.y, j[t].z + its.z, 0};
  }
  ++work_.blocks, work_.pairs += pairs;
}

void HostDrivenBodies::find_fields(const BodyPaths& paths, double time,
                                   std::span<const std::uint32_t> chosen) {
  const std::size_t n = chosen.size();
  x_chosen_.resize(n), v_chosen_.resize(n);
  a_of_fields_.assign(n, {}), j_of_fields_.assign(n, {});
  for (std::size_t t = 0; t < n; ++t) {
    const auto at = BodyPaths::at(paths.x_now, chosen[t]), going = BodyPaths::at(paths.v_now, chosen[t]);
    x_chosen_[t] = {at.x, at.y, at.z, paths.mass[chosen[t]] / gravity_.G};
    v_chosen_[t] = {going.x, going.y, going.z, 0};
  }
  for (auto& term : terms_)
    term->add_with_jerks({.time = time,
                          .G = gravity_.G,
                          .bodies = x_chosen_,
                          .velocities = v_chosen_,
                          .accelerations = a_of_fields_,
                          .jerks = j_of_fields_});
}

bool HostDrivenBodies::higher_derivatives(const BodyPaths& paths, std::span<Vec4<double>> snaps,
                                          std::span<Vec4<double>> crackles) {
  if (double(paths.bodies) * double(paths.pulling) <= choice_.few_pairs)
    cpu::snaps_and_crackles(paths, gravity_.softening.eps2(), snaps, crackles);
  else sums_.higher_derivatives(paths, snaps, crackles);
  return terms_.empty();
}

void HostDrivenBodies::give(Mass<double>* positions, Vec4<double>* velocities) {
  cuda::copy_to_device(positions, x_.data(), x_.size() * sizeof(x_[0]), stream_);
  cuda::copy_to_device(velocities, v_.data(), v_.size() * sizeof(v_[0]), stream_);
  cuda::wait(stream_);
}

void HostDrivenBodies::copy_to_host(Bodies& b) const {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    b.x[i] = x_[i].x, b.y[i] = x_[i].y, b.z[i] = x_[i].z;
    b.vx[i] = v_[i].x, b.vy[i] = v_[i].y, b.vz[i] = v_[i].z;
  }
  keep(b);
}

void HostDrivenBodies::keep(Bodies& b) const { b.low = low_, b.series = series_; }

void HostDrivenBodies::reverse_velocities() {
  for (auto& v : v_) v = {-v.x, -v.y, -v.z, 0};
  for (auto& l : low_) l = {l[0], l[1], l[2], -l[3], -l[4], -l[5]};
  series_.clear();
  stepper_.reset();
}

std::function<void()> HostDrivenBodies::keep_state() {
  return [this, x = x_, v = v_, low = low_, series = series_] {
    x_ = x, v_ = v, low_ = low, series_ = series;
    stepper_.reset();
  };
}

std::string HostDrivenBodies::description() const {
  return fmt::format("made by the host, with sums by cuda/path-sums{}{}",
                     choice_.in_floats ? ", weak pulls in floats" : "",
                     choice_.gpus > 1 ? fmt::format(", on {} GPUs", choice_.gpus) : "");
}

}  // namespace pleiad
