/// The damped system of a publication, the programs that advance it, and the publication's scans as a list.
///
/// The publication: positions and masses as four floats, velocities too, G = 1, kick, velocity times 0.95,
/// drift. It leaves masses, extent, softening and step open; here a unit cube at rest of total mass 1, eps =
/// 0.05 and dt = 0.001.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/experiments.hpp"
#include "bench/measure.hpp"
#include "bench/published.hpp"
#include "bench/published/builds/builds.hpp"
#include "bench/timing.hpp"

#include <pleiad/bodies.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::bench {

/// One program of the publication, or of Pleiad.
struct DampedProgram {
  std::string variant;
  std::string kernel;  ///< the text of a choice; a build's own name
  int threads = 0;
  const cuda::KernelBuild* build = nullptr;
  bool on_the_stack = false;  ///< the serial loop with all its state on the stack
  /// What was published for it: the name of one of its tables in published.csv, and the block there.
  std::string table = {};
  int block = 0;
  /// The variant, earlier in the scan, that it is a change of; and what was published for the gain.
  std::string base = {};
  std::optional<double> published_gain = {};

  bool on_gpu() const { return build != nullptr || of_gpu(kernel); }
};

/// Programs for one number of bodies.
struct DampedScan {
  std::string part;
  std::size_t n = 0;
  std::vector<DampedProgram> programs;
};

/// The most bodies that the serial loop takes unless it is asked for more, and those of the scans of blocks
/// and variants.
inline constexpr std::size_t largest_serial = 8192, block_scan_n = 16384;

DampedProgram serial_program();
/// The publication's scans, or the numbers of bodies that are asked for; programs for a GPU are in the list
/// whether there is one or not. Builds are those of this program.
std::vector<DampedScan> damped_scans(const ExperimentOptions& options);
/// Steps per second that were published for this, and on what; null when it did not.
const Published* published_of(const DampedProgram& program, std::size_t n);

/// Bodies at the start.
Bodies damped_bodies(std::size_t n);

/// The state after some steps, and the time of one.
struct DampedOutcome {
  Bodies bodies;
  Case what;
  Timing step;
};
/// Runs of so many steps from the start: one without a budget, else at least three, until their median is
/// known well enough or the time is spent.
DampedOutcome run_damped(const Bodies& start, const DampedProgram& program, std::uint64_t steps,
                         double budget_seconds);
/// Steps, 2 to `most`, such that the program takes no more than `seconds`.
std::uint64_t affordable_steps(const Bodies& start, const DampedProgram& program, std::uint64_t most,
                               double seconds);

/// The fastest of many single steps: what disturbs a program makes it slower, and the shorter a sample is the
/// more of them nothing disturbs.
double fastest_step(const Bodies& start, const DampedProgram& program, double budget_seconds);

}  // namespace pleiad::bench
