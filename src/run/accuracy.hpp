/// Watches over the accuracy of a run whose forces come from a tree: measures it at the start, every so many
/// steps and at the end, tells a table, and tightens the solver when the error has grown too large.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>
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
      : options_(options),
        simulation_(simulation),
        tell_(std::move(tell)),
        note_(std::move(note)),
        active_(by_a_tree(simulation)) {}

  static constexpr std::string_view columns = "# time step median p99 largest sample kernel";
  /// Whether the forces are those of a tree at all. That stays so: only another tree takes over from a tree.
  bool active() const { return active_; }
  /// Steps until the next look; 0: never.
  std::uint64_t steps_to_look() const;
  /// Measures; between two steps, when `may_tighten`, also corrects. The corrections follow from the bodies
  /// alone, so that a resumed run makes the same.
  void look(bool may_tighten);
  bool looked_now() const { return last_ && last_step_ == simulation_.step(); }
  const std::optional<ForceErrors>& last() const { return last_; }

 private:
  static bool by_a_tree(const Simulation& simulation);

  const Options& options_;
  Simulation& simulation_;
  std::function<void(const std::string&)> tell_, note_;
  bool active_;  ///< asked for in every batch of steps
  std::optional<ForceErrors> last_;
  std::uint64_t last_step_ = 0;
};

}  // namespace pleiad::run
