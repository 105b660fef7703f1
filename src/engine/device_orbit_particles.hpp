/// Test particles of a Wisdom-Holman map on the present GPU: they stay in its memory until they are shown,
/// and follow the trail of the bodies with mass, which the host leaves (integrate/orbit_particles.hpp).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "cuda/device/overlap.hpp"
#include "cuda/device/stream.hpp"
#include "integrate/orbit_particles.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pleiad {

class DeviceOrbitParticles final : public OrbitParticles {
 public:
  DeviceOrbitParticles();
  bool loaded() const override { return loaded_; }
  /// ResourceError with both numbers if the GPU has too little memory.
  void load(const DoubleState::Particles& bodies, std::span<const std::size_t> numbers) override;
  void forget() override { loaded_ = false; }
  void carry(const orbits::Trail& trail) override;
  void wait() override;
  void show(const DoubleState::Particles& bodies) override;
  std::string device() const override { return device_; }
  std::size_t bytes() const override {
    return state_.size() * sizeof(double) + trail_.size() * sizeof(double);
  }

 private:
  std::string device_;
  cuda::Stream stream_;
  std::vector<std::size_t> numbers_;
  std::vector<double> on_host_;  ///< on the way between the bodies and the GPU
  cuda::Buffer<double> state_, trail_;
  cuda::Backlog backlog_;
  bool loaded_ = false;
  bool moved_ = false;  ///< since they were loaded or shown
};

}  // namespace pleiad
