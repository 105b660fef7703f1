/// The parts of the time of a run, measured during the run and reported at its end.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/clock.hpp"

#include <nlohmann/json_fwd.hpp>

namespace pleiad::run {

/// Seconds that outputs took, each kind by itself.
struct OutputTimes {
  double rows = 0, snapshots = 0, pictures = 0, checkpoints = 0;
  OutputTimes operator+(const OutputTimes& o) const {
    return {rows + o.rows, snapshots + o.snapshots, pictures + o.pictures, checkpoints + o.checkpoints};
  }
};

/// Seconds.
struct Timings {
  double setup = 0;    ///< until the first step: bodies, device, kernels
  double tuning = 0;   ///< of these, measuring which kernels are fastest
  double steps = 0;    ///< making them, and looking whether all is well
  OutputTimes waited;  ///< that steps waited for
  OutputTimes beside;  ///< that were made while the simulation stepped on
  double ending = 0;   ///< remaining outputs, plots, the movie and the summary
};

/// Adds the time it lives to one of them.
class Timed {
 public:
  explicit Timed(double& timings) : spent_(timings) {}
  ~Timed() { spent_ += seconds() - start_; }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& spent_;
  double start_ = seconds();
};

nlohmann::ordered_json json_of(const Timings& timings);

}  // namespace pleiad::run
