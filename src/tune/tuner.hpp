/// The tuner: times full steps of every candidate, and drops slow ones early.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tune/case.hpp"
#include "tune/measurement.hpp"
#include "tune/time_source.hpp"

#include <pleiad/engine.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pleiad::tune {

/// Time limits of a tuning, and its clock.
struct Effort {
  double seconds = 4;       ///< for all; whatever has not been measured by then is left out
  double shortest = 0.002;  ///< of a sample in the first round; each round doubles it
  double hopeless = 0.05;   ///< a first step slower than this and than 4 times the best is a candidate's last
  TimeSource clock = pleiad::seconds;
};

using MakeEngine =
    std::function<std::unique_ptr<Engine>(const Bodies&, const Gravity&, const EngineOptions&)>;
/// Called with messages on progress: "12 of 20".
using Progress = std::function<void(const std::string&)>;

/// The fastest first, those left out at the end; the first stays when it is as fast as the fastest to a per
/// cent.
void put_in_order(std::vector<Measurement>& measured);

/// Measures all candidates, in that order. The velocities after the first step of the first candidate that
/// runs are the reference for the others. `options`: all settings except the candidate's, for `make`.
/// ResourceError with the first reason if none could be measured.
std::vector<Measurement> measure(const Case& what, const std::vector<Choice>& candidates,
                                 const EngineOptions& options, const MakeEngine& make,
                                 const Effort& effort = {}, const Progress& progress = {});

}  // namespace pleiad::tune
