/// The engine on a GPU in which each body has steps of its own (hermite4-block): IndividualBodies makes them,
/// and the engine of shared steps has the bodies where they are at one time, for everything else.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/device_engine.hpp"
#include "engine/individual_bodies.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pleiad {

class IndividualEngine final : public Engine {
 public:
  /// On the present GPU, and where choice.gpus is more, on others. ResourceError with both numbers when the
  /// device has too little memory. In mixed precision pairs whose pull is a small part of the whole one are
  /// computed in floats, where that is faster.
  IndividualEngine(const Bodies& bodies, const Gravity& gravity, Choice choice, Precision precision,
                   IndividualChoice how);

  void load(const Bodies& bodies) override;
  /// Steps of another integrator are those of shared steps, in double precision.
  void advance(const StepPlan& plan, std::uint64_t steps) override;
  void set_time(double time) override { at_one_time_.set_time(time); }
  void copy_to_host(Bodies& bodies) override;
  std::optional<DeviceState> device_state() override { return at_one_time_.device_state(); }
  void state_changed() override;
  void fields(Snapshot& snapshot) override { at_one_time_.fields(snapshot); }
  Totals totals() override { return at_one_time_.totals(); }
  Radii radii() override { return at_one_time_.radii(); }
  std::function<void(Snapshot&)> begin_copy(bool fields) override;
  std::function<splat::ImagePlanes()> begin_image_planes(const splat::Request& request) override;
  SampledAccelerations computed_accelerations(std::span<const std::size_t> chosen) override {
    return at_one_time_.computed_accelerations(chosen);
  }
  std::vector<Vec3<double>> exact_accelerations(std::span<const std::size_t> chosen) override {
    return at_one_time_.exact_accelerations(chosen);
  }
  std::vector<Vec3<double>> exact_accelerations_of(const Bodies& bodies,
                                                   std::span<const std::size_t> chosen) override {
    return at_one_time_.exact_accelerations_of(bodies, chosen);
  }
  std::vector<double> rounding_of_exact(const std::function<const Bodies&()>& bodies, const Sample& sample,
                                        std::span<const Vec3<double>> exact) override {
    return at_one_time_.rounding_of_exact(bodies, sample, exact);
  }
  Sample sample(const Bodies& bodies, std::size_t most) override { return at_one_time_.sample(bodies, most); }
  double suggest_dt(const Integrator& integrator, double eta) override;
  bool finite() override { return at_one_time_.finite(); }
  void reverse_velocities() override;
  std::function<void()> keep_state() override;
  void retune(const ForceMethod& method) override { at_one_time_.retune(method); }
  EngineDescription describe() const override;
  /// As on CPUs: one for each time at which some steps end.
  std::uint64_t evaluations() const override { return blocks_ + at_one_time_.evaluations(); }

 private:
  /// The bodies with steps of their own; made of the others where these have moved.
  IndividualBodies& individual();
  void take(const Bodies& bodies);
  /// Those at one time, without low parts.
  Bodies bodies();

  Gravity gravity_;
  IndividualChoice how_;
  DeviceEngine<F64> at_one_time_;
  std::vector<double> mass_;  ///< as individual_ has them
  cuda::Stream stream_;
  std::unique_ptr<IndividualBodies> individual_;  ///< none: the other bodies have moved
  std::uint64_t blocks_ = 0;
  double pairs_ = 0;  ///< of all blocks
};

}  // namespace pleiad
