/// An integrator at work on the bodies of one engine, with the data that it stores between steps.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/state.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace pleiad {

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Makes `steps` equal steps.
  virtual void advance(const StepPlan& plan, std::uint64_t steps) = 0;
  /// Brings bodies that are kept in coordinates of the scheme to their own: before others read them. The next
  /// step begins where the last one has ended, bit for bit.
  virtual void show_bodies() {}
  /// The adaptive shared step of the present state, without regard to output times; infinite where the state
  /// sets no limit.
  virtual double suggest_dt(double eta) = 0;
  /// The accelerations, G included, that the next step begins with, where they are not those of the engine.
  virtual std::optional<std::span<const Vec4<double>>> accelerations() { return std::nullopt; }
};

}  // namespace pleiad
