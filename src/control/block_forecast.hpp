/// What block time steps will gain over steps that all bodies share, from the steps that the bodies want.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/communicator.hpp"

#include <pleiad/integrator.hpp>
#include <pleiad/kernel/force_method.hpp>
#include <pleiad/simulation.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace pleiad::control {

/// Block steps pay where they are forecast to be this many times cheaper.
constexpr double least_gain = 1.2;
/// Their accuracy parameter is not larger where it is chosen.
constexpr double largest_block_eta = 0.64;

/// The time in microseconds in which the forces of n bodies by each other are evaluated, by direct sums or,
/// where there is one, by a tree, if that is faster. It is that of a kind of machine: choices that follow
/// from it are the same on all.
struct EvaluationTime {
  double least = 0, body = 0, pair = 0;
  double tree_least = std::numeric_limits<double>::infinity(), tree_body = 0;
  double of(double n) const;
};
EvaluationTime evaluation_time(const ForceMethod& method);

/// How many bodies want steps of which length where the accuracy parameter is 1, by eighths of octaves.
/// Others are `scale` times as long.
class WantedSteps {
 public:
  /// `power`: with which power of the length of a step the accuracy parameter grows.
  explicit WantedSteps(int power) : power_(power) {}
  void add(double step);
  /// Adds those of all ranks. Collective.
  void sum(ranks::Communicator& ranks);

  int power() const { return power_; }
  double scale(double eta) const;
  double eta(double scale) const;
  double bodies() const;
  /// Those that want a shorter step; a multiple of an eighth of an octave is found exactly.
  double below(double step) const;
  double longest() const;  ///< or a little more; 0: nothing limits any body

 private:
  static constexpr int per_octave = 8, octaves = 256;
  static int place_of(double step);
  int power_ = 2;
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(std::size_t{per_octave} * octaves);
};

/// The steps that the present bodies of a simulation want by the criterion of these blocks. Test particles
/// decide nothing. Evaluates the forces, or looks at all pairs. Collective.
WantedSteps wanted_steps(Simulation& simulation, const BlockSteps& blocks, ranks::Communicator& ranks);

struct BlockForecast {
  int levels = 0;     ///< lengths of steps that bodies have
  double work = 0;    ///< of one step dt, in evaluations of all bodies
  double shared = 0;  ///< evaluations in dt where all bodies have the shortest of these steps
  double gain() const { return shared / work; }
  /// "blocks of 7 levels, forecast 2.3 times cheaper than shared steps"
  std::string text() const;
};

/// The forecast for a longest step dt and an accuracy parameter, while the bodies want what they want now.
/// Sets of bodies are evaluated where their steps end, and where they are found anew: once in each step of
/// the set around.
BlockForecast block_forecast(const WantedSteps& wanted, double dt, double eta, const BlockSteps& blocks,
                             const EvaluationTime& time);
/// The longest step, at most `most`, for which steps with this accuracy parameter cost the least.
double cheapest_dt(const WantedSteps& wanted, double most, double eta, const BlockSteps& blocks,
                   const EvaluationTime& time);

}  // namespace pleiad::control
