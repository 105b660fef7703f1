/// Systems on the GPU that differ only in bodies and softening, advanced together by each
/// launch.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/heaviest.hpp"
#include "cuda/device/memory.hpp"
#include "cuda/device/stream.hpp"
#include "engine/arrays.hpp"
#include "engine/step_list.hpp"

#include <pleiad/ensemble.hpp>
#include <pleiad/kernel/ensemble_steps.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace pleiad {

/// A group of alike systems, and their common clock.
class DeviceGroup {
 public:
  virtual ~DeviceGroup() = default;

  /// Queues at most `limit` steps towards `time`; true when it is reached then.
  bool run_towards(double time, std::uint64_t limit) {
    const Moment end = end_at(clock_, method_, time);
    std::uint64_t steps = std::min(limit, end.step - clock_.step);
    if (n_ == 0) clock_.step += steps, steps = 0;
    for (std::uint64_t now = 0; steps > 0; steps -= now) {
      now = std::min(steps, most_steps);
      evaluations_ += make_steps(now);
      clock_.step += now;
      seen_ = false;
    }
    clock_.time = time_of_step(clock_.start, method_.dt, clock_.step);
    return has_reached(clock_, method_, end);
  }
  /// Copies the state to the host unless it is there.
  void see() {
    if (!seen_) copy_to_host();
    seen_ = true;
  }
  /// Writes the last copied state of a system.
  virtual void write_seen(std::size_t system, Bodies& b) const = 0;

  const Clock& clock() const { return clock_; }
  const EnsembleKernel& kernel() const { return kernel_; }
  double pairs() const { return double(count_) * double(n_) * double(n_); }
  double interactions() const { return double(evaluations_) * pairs(); }
  virtual std::size_t bytes() const = 0;

 protected:
  /// `systems` are alike; the first one's method and clock are theirs.
  DeviceGroup(std::span<const Member* const> systems, const EnsembleKernel& kernel)
      : n_(systems.front()->state.bodies.size()),
        count_(systems.size()),
        kernel_(kernel),
        method_(systems.front()->method),
        clock_(systems.front()->clock) {}

  /// Queues steps, and returns the number of evaluations in each system.
  virtual std::uint64_t make_steps(std::uint64_t steps) = 0;
  virtual void copy_to_host() = 0;

  std::size_t n_, count_;
  const EnsembleKernel& kernel_;
  Method method_;

 private:
  /// Steps of one launch: milliseconds, so that other work on the GPU does not wait long.
  static constexpr std::uint64_t most_steps = 1024;

  Clock clock_;
  bool seen_ = true;
  std::uint64_t evaluations_ = 0;
};

/// Steps of kicks and drifts.
template <class P>
class SplittingGroup final : public DeviceGroup {
 public:
  using Real = typename P::Position;

  SplittingGroup(std::span<const Member* const> systems, const EnsembleKernel& kernel, void* stream)
      : DeviceGroup(systems, kernel), law_(systems.front()->gravity), stream_(stream) {
    program_ = *program_of<Real>(
        {.integrator = method_.integrator, .dt = method_.dt, .damping = method_.damping}, law_.G);
    std::vector<double> eps;
    seen_x_.resize(n_ * count_), seen_v_.resize(n_ * count_);
    for (std::size_t k = 0; k < count_; ++k) {
      to_arrays<Real>(systems[k]->state.bodies, std::span(seen_x_).subspan(k * n_, n_),
                      std::span(seen_v_).subspan(k * n_, n_));
      eps.push_back(systems[k]->gravity.softening.eps);
      heaviest_ = std::max(heaviest_, heaviest_of(systems[k]->state.bodies));
    }
    x_ = cuda::Buffer<Mass<Real>>(std::span<const Mass<Real>>(seen_x_), stream_);
    v_ = cuda::Buffer<Vec4<Real>>(std::span<const Vec4<Real>>(seen_v_), stream_);
    sums_ = cuda::Buffer<Vec4<Real>>(n_ * count_, stream_);
    if (std::ranges::any_of(eps, [&](double e) { return e != eps.front(); }))
      eps_ = cuda::Buffer<double>(std::span<const double>(eps), stream_);
    cuda::wait(stream_);
  }

  void write_seen(std::size_t system, Bodies& b) const override {
    to_bodies<Real>(std::span(seen_x_).subspan(system * n_, n_), std::span(seen_v_).subspan(system * n_, n_),
                    b);
  }
  std::size_t bytes() const override { return bytes_of(count_, n_); }
  static std::size_t bytes_of(std::size_t systems, std::size_t bodies) {
    return systems * bodies * 3 * sizeof(Vec4<Real>);
  }

 private:
  std::uint64_t make_steps(std::uint64_t steps) override {
    kernel_.template run<P>()(problem(steps), {});
    std::uint64_t evaluations = evaluations_of_step(program_, forces_current_);
    // From the second step on, each begins as the one before has ended.
    if (steps > 1) evaluations += (steps - 1) * evaluations_of_step(program_, forces_current_);
    return evaluations;
  }
  void copy_to_host() override {
    x_.copy_to_host(seen_x_);
    v_.copy_to_host(seen_v_);
    cuda::wait(stream_);
  }
  EnsembleProblem<P> problem(std::uint64_t steps) {
    return {.bodies = x_.span(),
            .velocities = v_.span(),
            .sums = sums_.span(),
            .systems = count_,
            .n = n_,
            .forces_current = forces_current_,
            .softening = law_.softening,
            .heaviest = heaviest_,
            .eps = std::as_const(eps_).span(),
            .boundary = law_.boundary,
            .program = program_,
            .steps = steps,
            .stream = stream_};
  }

  Gravity law_;
  void* stream_;
  StepProgram<Real> program_;
  double heaviest_ = 0;  ///< mass of all systems
  cuda::Buffer<Mass<Real>> x_;
  cuda::Buffer<Vec4<Real>> v_, sums_;
  cuda::Buffer<double> eps_;
  std::vector<Mass<Real>> seen_x_;
  std::vector<Vec4<Real>> seen_v_;
  bool forces_current_ = false;
};

}  // namespace pleiad
