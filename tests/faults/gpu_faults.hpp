/// Whole runs on a GPU, or on the emulated one, in which the k-th call of the CUDA runtime fails.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "faults/program.hpp"
#include "unit/checkpoint/sample.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::test {

/// A small run with checkpoints and outputs, and how it ends undisturbed.
class GpuFaults {
 public:
  /// `settings` are added to each run.
  GpuFaults(std::filesystem::path program, std::vector<std::string> settings);

  /// Counted calls of the undisturbed run.
  std::uint64_t calls() const { return calls_; }
  /// One run with a fault: everything that must hold at its end, and again after it has been continued. True
  /// when the fault ended the run.
  bool survives(std::uint64_t call, std::string_view kind) const;
  /// `survives` for each `stride`-th call, and one beyond the last: the number of runs that faults ended.
  std::size_t sweep(std::string_view kind, std::uint64_t stride = 1) const;
  /// The same for faults in a run that is resumed.
  void sweep_resumed(std::string_view kind, std::uint64_t stride) const;
  /// SIGTERM in the middle of a run that would not end by itself, and the way on from there.
  void survives_sigterm() const;

 private:
  using Files = std::map<std::string, std::string>;
  std::vector<std::string> command(const std::vector<std::string>& arguments) const;
  ProgramEnd pleiad(const std::vector<std::string>& arguments, const std::string& fault = "") const;
  std::vector<std::string> fresh_arguments(const std::filesystem::path& output) const;
  ProgramEnd fresh(const std::filesystem::path& output, const std::string& fault = "") const;
  std::uint64_t count_calls() const;
  void expect_fault_is_told(const ProgramEnd& end, std::string_view kind) const;
  void expect_nothing_is_half_written(const std::filesystem::path& output) const;
  void expect_undisturbed(const ProgramEnd& end, const std::filesystem::path& output) const;
  void go_on(const std::filesystem::path& output) const;
  static Files files_of(const std::filesystem::path& output);

  std::filesystem::path program_;
  std::vector<std::string> settings_;
  Folder scratch_;
  Files whole_;
  std::string last_line_;  ///< the state's hash
  std::uint64_t calls_ = 0;
};

}  // namespace pleiad::test
