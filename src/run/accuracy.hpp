/// Watches over the accuracy of a run's forces: measures it at the start, every so many steps and at the end,
/// tells a table, and has it corrected when the error has grown too large.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/precision.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/checkpoint.hpp>
#include <pleiad/options.hpp>
#include <pleiad/simulation.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace pleiad::run {

class AccuracyWatch {
 public:
  /// `tell` gets each row of the table. All outlive it.
  AccuracyWatch(const Options& options, Simulation& simulation, std::function<void(const std::string&)> tell,
                std::function<void(const std::string&)> note)
      : options_(options), simulation_(simulation), tell_(std::move(tell)), note_(std::move(note)) {
    changed();
  }

  static constexpr std::string_view columns =
      "# time step median p99 largest sample p99_low p99_high closest precision kernel";
  /// A look that was made before the first step, so that it need not be made again.
  void start_with(Looked first) { first_ = std::move(first); }
  /// The simulation has another engine.
  void changed();
  /// Steps until the next look.
  std::uint64_t steps_to_look() const { return every_ - simulation_.step() % every_; }
  bool due() const { return simulation_.step() % every_ == 0; }
  /// Measures; between two steps, when `may_correct`, also tightens a tree. The corrections follow from the
  /// bodies alone, so that a resumed run makes the same. Whether a better precision must be taken.
  bool look(bool may_correct);
  bool looked_now() const { return last_ && last_step_ == simulation_.step(); }
  const std::optional<ForceErrors>& last() const { return last_; }

  /// The sample that the next looks are made on, with a checkpoint and back.
  void save(Checkpoint& checkpoint) const;
  void resume(const Checkpoint& checkpoint);

 private:
  ForceErrors measure();
  bool tighten(const ForceErrors& errors);

  const Options& options_;
  Simulation& simulation_;
  std::function<void(const std::string&)> tell_, note_;
  bool tree_ = false;
  std::uint64_t every_ = 1;
  std::optional<Looked> first_;
  std::optional<Sample> sample_;
  std::optional<ForceErrors> last_;
  std::uint64_t last_step_ = 0;
};

}  // namespace pleiad::run
